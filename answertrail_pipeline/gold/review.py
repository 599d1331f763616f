"""Which gates look at which proposal: what a person sees beside it."""

from collections.abc import Sequence

from answertrail_pipeline.gold import gates
from answertrail_pipeline.gold.gates import Warned
from answertrail_pipeline.gold.store import StoredClaim
from answertrail_pipeline.tasks.write_nuggets import WrittenNugget


def factual_warnings(
    question: str,
    claim: StoredClaim,
    grounded: Sequence[str],
    others: Sequence[tuple[str, str]],
    claims_behind: Sequence[tuple[str, str]],
    language: str,
) -> list[Warned]:
    """Return the warnings on a proposed factual question.

    Args:
        grounded: the chunks that answer it.
        others: the other questions (id, text).
        claims_behind: the claims that they were written from (id of the question, text).
    """
    found = [
        gates.gives_away(question, [claim.text], language),
        gates.unspecific(question, language),
        gates.unnatural(question),
        gates.unanswered(question, claim.text, language),
        gates.near_duplicate(question, others, language),
        gates.same_story(claim.text, claims_behind, language),
    ]
    found += [Warned("not_in_chunks", f"Its chunks do not have: {name}.") for name in _unheard(claim)]
    if not set(grounded) & set(claim.chunk_ids):
        found.append(Warned("not_grounded", "No chunk of its claim was found to answer it."))
    return [warned for warned in found if warned]


def longitudinal_warnings(
    question: str,
    claims: Sequence[StoredClaim],
    statements: Sequence[str],
    others: Sequence[tuple[str, str]],
    language: str,
) -> list[Warned]:
    """Return the warnings on a proposed longitudinal question."""
    found = [
        gates.names_direction(question, [*statements, *(claim.text for claim in claims)], language),
        gates.unnatural(question),
        gates.near_duplicate(question, others, language),
        *gates.span_holes([claim.day for claim in claims]),
    ]
    return [warned for warned in found if warned]


def nugget_warnings(
    nugget: WrittenNugget, claims: Sequence[StoredClaim], chunks: Sequence[str], language: str
) -> list[Warned]:
    """Return the warnings on a proposed nugget."""
    texts = [claim.text for claim in claims]
    found = [
        gates.bundled(nugget.text, language) if nugget.kind != "shift" else None,
        gates.not_entailed(nugget.text, texts, language) if nugget.kind in ("fact", "stance") else None,
        gates.says_opposite(nugget.text, chunks, language),
        gates.copied(nugget.text, texts, language),
    ]
    if nugget.kind == "stance" and nugget.window is None:
        found.append(Warned("no_window", "A stance needs the time at which it was held."))
    return [warned for warned in found if warned]


def _unheard(claim: StoredClaim) -> list[str]:
    return [flag.removeprefix("unheard:") for flag in claim.flags if flag.startswith("unheard:")]
