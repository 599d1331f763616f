"""Items for the tasks that judge: `judge`, `judge_batch`, `miss_kind`, `assertions`."""

from collections.abc import Callable
from typing import Any

from answertrail_pipeline.tasks.assertions import AssertionsInput, AssertionsOutput
from answertrail_pipeline.tasks.check_model.items import Item, View, missing, passages, views
from answertrail_pipeline.tasks.judge import JudgedClaim, JudgeInput, LabelledChunk, chunk_set_text
from answertrail_pipeline.tasks.judge_batch import JudgeBatchInput, JudgeBatchOutput, NumberedClaim
from answertrail_pipeline.tasks.miss_kind import MissKindInput


def judge_items() -> list[Item]:
    """Return pairs that must be a HIT, and as many that must be a MISS: contradicted, or said elsewhere only."""
    made = []
    given = passages()
    for number, passage in enumerate(given):
        claim, label = passage.claim, "HIT"
        if number % 4 == 1:
            claim, label = passage.wrong, "MISS"
        elif number % 4 == 3:
            claim, label = given[(number + 1) % len(given)].claim, "MISS"
        text = chunk_set_text([LabelledChunk(f"v{number:02}:00030", passage.day, passage.passage)])
        judged = JudgeInput(claim=JudgedClaim(text=claim), text=text, text_kind="chunks")
        made.append(Item(judged, _is_labelled(label), control=label == "MISS", label=label))
    return made


def judge_batch_items() -> list[Item]:
    """Return texts with three claims each: one HIT, one contradicted, one said elsewhere only."""
    made = []
    given = passages()
    for number, passage in enumerate(given):
        claims = [passage.claim, passage.wrong, given[(number + 7) % len(given)].claim]
        labels = ["HIT", "MISS", "MISS"]
        turn = number % 3
        numbered = [
            NumberedClaim(id=str(place + 1), claim=JudgedClaim(text=claims[(place + turn) % 3]))
            for place in range(3)
        ]
        right = {str(place + 1): labels[(place + turn) % 3] for place in range(3)}
        text = chunk_set_text([LabelledChunk(f"v{number:02}:00030", passage.day, passage.passage)])
        made.append(
            Item(JudgeBatchInput(claims=tuple(numbered), text=text, text_kind="chunks"), _all_right(right))
        )
    return made


def miss_kind_items() -> list[Item]:
    """Return answers that state a view at the wrong time, and answers that do not state it."""
    return [item for view in views() for item in (_miss(view, "timing"), _miss(view, "substance"))]


def _miss(view: View, kind: str) -> Item:
    statement = view.early if kind == "timing" else view.late
    reason = {
        "timing": "The answer states this view, but for autumn 2025 and not for early 2024.",
        "substance": "The answer does not state this view for early 2024; it reports the opposite.",
    }
    given = MissKindInput(
        nugget=view.early,
        window="early 2024",
        window_from=View.EARLY_DAY.replace(month=1, day=1),
        window_to=View.EARLY_DAY.replace(month=4, day=30),
        question=f"How did the view of {view.topic} change over time?",
        answer=f"In autumn 2025 the creator said: {statement}",
        reason=reason[kind],
    )
    return Item(given, lambda made: None if made.kind == kind else f"{made.kind} instead of {kind}", label=kind)


def assertions_items() -> list[Item]:
    """Return answers of two statements with a citation each, and answers that state nothing."""
    given = passages()
    made = []
    for number, passage in enumerate(given[:24]):
        other = given[(number + 5) % len(given)]
        ids = (f"v{number:02}:00030", f"v{number:02}:00120")
        answer = f"{passage.claim[:-1]} [{ids[0]}]. {other.claim[:-1]} [{ids[1]}]."
        asked = AssertionsInput(question=passage.question, answer=answer, citations=ids)
        made.append(Item(asked, _two_statements((passage.answer, ids[0]), (other.answer, ids[1]))))
    for passage in given[24:]:
        answer = f"I searched the videos several times and could not find out: {passage.question[:-1]}."
        asked = AssertionsInput(question=passage.question, answer=answer, citations=())
        made.append(Item(asked, _no_statement, control=True))
    return made


def _is_labelled(label: str) -> Callable[[Any], str | None]:
    return lambda made: None if made.label == label else f"{made.label} instead of {label}: {made.reason}"


def _all_right(right: dict[str, str]) -> Callable[[Any], str | None]:
    def problem(made: JudgeBatchOutput) -> str | None:
        wrong = [v.id for v in made.verdicts if v.label != right[v.id]]
        return f"claims {', '.join(sorted(wrong))} are labelled wrongly" if wrong else None

    return problem


def _two_statements(*wanted: tuple[str, str]) -> Callable[[Any], str | None]:
    def problem(made: AssertionsOutput) -> str | None:
        for word, chunk_id in wanted:
            found = [one.text for one in made.assertions if chunk_id in one.cited_chunk_ids]
            if missing(found, word):
                return f"no statement with {chunk_id} says `{word}`"
        if any("[" in one.text for one in made.assertions):
            return "a citation mark is left in a statement"
        return None

    return problem


def _no_statement(made: AssertionsOutput) -> str | None:
    return f"states: {made.assertions[0].text}" if made.assertions else None
