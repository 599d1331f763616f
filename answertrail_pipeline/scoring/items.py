"""From verdict rows to outcomes: what was said of each nugget and assertion, counted per question.

A question's outcomes are few in kind ("a stance, not expressed, though retrieved") and many in number, so they
are kept as counts. Every metric is a function of an outcome; a million rows fold into a few counters.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from answertrail_pipeline.gold.types import HEADLINE_KIND
from answertrail_pipeline.scoring.types import ScoredVerdict

UNSCORED = "unscored"
"""The word of a verdict that could not be had; a word that was never asked for is None."""


class Outcome(NamedTuple):
    """All that the verdicts say of one nugget or assertion in one answer.

    Attributes:
        kind: fact, stance, shift, no_change, event, or assertion.
        recall: HIT, MISS, unscored, or None where it was not asked. So are the others.
    """

    kind: str
    recall: str | None = None
    ceiling: str | None = None
    grounded: str | None = None
    cited: str | None = None
    miss_kind: str | None = None
    written_by: str = "unknown"
    not_found: tuple[str, ...] = ()
    """Purposes in which the rule-based judge found no contradiction, only no match: perhaps a paraphrase."""


class Finding(NamedTuple):
    """One thing that a reader should see one by one.

    Attributes:
        what: `violation` (stated, never retrieved) or `unscored`.
        detail: why a verdict could not be had.
    """

    what: str
    run_key: str
    tier: str
    question_id: str
    item_id: str
    purpose: str
    detail: str = ""


@dataclass
class Tally:
    """The outcomes of one question in one run, counted."""

    arm: str
    run_key: str
    tier: str
    question_id: str
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    """By purpose: how many verdicts there are."""
    unscored: Counter[str] = field(default_factory=Counter)
    """By purpose: how many of them could not be had."""
    findings: list[Finding] = field(default_factory=list)


def tally(verdicts: Iterable[ScoredVerdict]) -> Iterator[Tally]:
    """Fold verdicts into one tally a (run, question).

    Args:
        verdicts: rows ordered so that those of one question of one run are neighbours.
    """
    for (run_key, question_id), rows in groupby(verdicts, lambda row: (row.run_key, row.question_id)):
        yield _tally_question(run_key, question_id, rows)


def _tally_question(run_key: str, question_id: str, rows: Iterable[ScoredVerdict]) -> Tally:
    items: dict[tuple[str, str], dict[str, ScoredVerdict]] = defaultdict(dict)
    for row in rows:
        items[row.item_kind, row.item_id][row.purpose] = row
    first = next(iter(next(iter(items.values())).values()))
    made = Tally(first.arm, run_key, first.tier, question_id)
    for (kind, item_id), by_purpose in sorted(items.items()):
        outcome = _outcome(kind, by_purpose)
        made.outcomes[outcome] += 1
        for purpose, row in sorted(by_purpose.items()):
            made.verdicts[purpose] += 1
            if row.label is None:
                made.unscored[purpose] += 1
                made.findings.append(
                    Finding("unscored", run_key, row.tier, question_id, item_id, purpose, row.unscored or "")
                )
        headline = kind == HEADLINE_KIND.get(first.tier)
        if headline and outcome.recall == "HIT" and outcome.ceiling == "MISS":
            made.findings.append(Finding("violation", run_key, first.tier, question_id, item_id, "recall"))
    return made


def _outcome(kind: str, by_purpose: dict[str, ScoredVerdict]) -> Outcome:
    words = {purpose: row.label or UNSCORED for purpose, row in by_purpose.items()}
    recall = by_purpose.get("recall")
    return Outcome(
        kind,
        words.get("recall"),
        words.get("ceiling"),
        words.get("grounded"),
        words.get("cited"),
        recall.miss_kind if recall else None,
        next((row.written_by for row in by_purpose.values()), "unknown"),
        tuple(sorted(purpose for purpose, row in by_purpose.items() if row.detail == "not_found")),
    )
