"""Items for the tasks that write gold: claims, questions, nuggets."""

from collections.abc import Callable
from typing import Any

from answertrail_pipeline.tasks.check_model.items import (
    Item,
    Passage,
    View,
    days_between,
    housekeeping,
    missing,
    passages,
    says,
    views,
)
from answertrail_pipeline.tasks.compose_factual import ComposedFactual, ComposeFactualInput
from answertrail_pipeline.tasks.compose_longitudinal import (
    ComposedLongitudinal,
    ComposeLongitudinalInput,
    DatedStatement,
)
from answertrail_pipeline.tasks.extract_claims import ExtractClaimsInput, ExtractedClaims
from answertrail_pipeline.tasks.ground_question import GroundQuestionInput
from answertrail_pipeline.tasks.select_claims import ClaimToSelect, SelectClaimsInput, SelectedClaims
from answertrail_pipeline.tasks.write_nuggets import AnsweringClaim, WriteNuggetsInput, WrittenNuggets

CONTROLS = 6
LONGEST_QUESTION = 35  # words


def extract_claims_items() -> list[Item]:
    """Return stretches with one passage among housekeeping, and stretches of housekeeping alone."""
    made = []
    for number, passage in enumerate(passages()):
        place, chunks = number % 4, housekeeping(4, number)
        control = number < CONTROLS
        if not control:
            chunks[place] = passage.passage
        given = ExtractClaimsInput(
            title=f"Notes of {passage.day:%B}", published_on=passage.day, language="en", chunks=tuple(chunks)
        )
        made.append(Item(given, _no_claim if control else _claim_at(passage.answer, place), control))
    return made


def select_claims_items() -> list[Item]:
    """Return lists with two good claims, and lists with none."""
    made = []
    given = passages()
    for number, passage in enumerate(given):
        texts = housekeeping(6, number)
        good: set[int] = set()
        if number >= CONTROLS:
            first, second = number % 3, 3 + number % 3
            texts[first], texts[second] = passage.claim, given[(number + 3) % len(given)].claim
            good = {first, second}
        claims = tuple(ClaimToSelect(text=text) for text in texts)
        made.append(Item(SelectClaimsInput(language="en", claims=claims), _picked(good), control=not good))
    return made


def compose_factual_items() -> list[Item]:
    """Return claims to ask for, and sentences that no question can be made of."""
    made = []
    for number, passage in enumerate(passages()):
        control = number < CONTROLS
        given = ComposeFactualInput(
            claim=housekeeping(1, number)[0] if control else passage.claim,
            topics=() if control else (passage.topic,),
            entities=() if control else (passage.subject,),
            said_on=passage.day,
            language="en",
        )
        made.append(Item(given, _no_question if control else _asks_for(passage), control))
    return made


def ground_question_items() -> list[Item]:
    """Return questions with the passage that answers among three others, or with none."""
    made = []
    given = passages()
    for number, passage in enumerate(given):
        chunks = [given[(number + step) % len(given)].passage for step in (2, 5, 9, 12)]
        right: tuple[int, ...] = ()
        claims: tuple[str, ...] = ()
        if number >= CONTROLS:
            chunks[number % 4], right, claims = passage.passage, (number % 4,), (passage.claim,)
        asked = GroundQuestionInput(question=passage.question, language="en", chunks=tuple(chunks), claims=claims)
        made.append(Item(asked, _grounded(right), control=not right))
    return made


def compose_longitudinal_items() -> list[Item]:
    """Return threads in which a view is turned round, and threads in which it is repeated."""
    made = []
    for view in views():
        days = days_between(View.EARLY_DAY, View.LATE_DAY, 4)
        for changed in (True, False):
            texts = [
                view.early,
                view.early,
                view.late if changed else view.early,
                view.late if changed else view.early,
            ]
            claims = tuple(DatedStatement(day=day, text=text) for day, text in zip(days, texts, strict=True))
            given = ComposeLongitudinalInput(topic=view.topic, claims=claims, language="en")
            made.append(Item(given, _change(view.topic) if changed else _no_change, control=not changed))
    return made


def write_nuggets_items() -> list[Item]:
    """Return questions for one fact, and questions about a view that was turned round."""
    made = []
    for passage in passages()[::2]:
        claim = AnsweringClaim(day=passage.day, text=passage.claim)
        given = WriteNuggetsInput(tier="factual", question=passage.question, claims=(claim,), language="en")
        made.append(Item(given, _facts(passage.answer)))
    for view in views():
        given = WriteNuggetsInput(
            tier="longitudinal",
            question=f"How did the view of {view.topic} change over time?",
            claims=(
                AnsweringClaim(day=View.EARLY_DAY, text=view.early),
                AnsweringClaim(day=View.LATE_DAY, text=view.late),
            ),
            language="en",
            statements=(view.early, view.late),
        )
        made.append(Item(given, _stances))
    return made


def _claim_at(answer: str, place: int) -> Callable[[Any], str | None]:
    def problem(made: ExtractedClaims) -> str | None:
        found = [claim for claim in made.claims if says(claim.text, answer)]
        if not found:
            return f"no claim says `{answer}`"
        return None if any(place in claim.chunks for claim in found) else f"no such claim cites passage {place}"

    return problem


def _no_claim(made: ExtractedClaims) -> str | None:
    sure = [claim.text for claim in made.claims if claim.confidence == "high"]
    return f"claims: {sure[0]}" if sure else None


def _picked(good: set[int]) -> Callable[[Any], str | None]:
    def problem(made: SelectedClaims) -> str | None:
        picked = {number for number in (made.primary, made.fallback) if number is not None}
        if picked - good:
            return f"picks {sorted(picked - good)}, of which no good question can be made"
        return "picks nothing" if good and made.primary is None else None

    return problem


def _asks_for(passage: Passage) -> Callable[[Any], str | None]:
    def problem(made: ComposedFactual) -> str | None:
        question = made.question or ""
        if not question.rstrip().endswith("?"):
            return "no question"
        if len(question.split()) > LONGEST_QUESTION:
            return "the question is too long"
        if says(question, passage.answer):
            return f"the question gives the answer away: {question}"
        return missing([question], passage.subject)

    return problem


def _no_question(made: ComposedFactual) -> str | None:
    return f"asks: {made.question}" if made.question else None


def _grounded(right: tuple[int, ...]) -> Callable[[Any], str | None]:
    return lambda made: None if set(made.chunks) == set(right) else f"{list(made.chunks)} instead of {list(right)}"


def _change(topic: str) -> Callable[[Any], str | None]:
    def problem(made: ComposedLongitudinal) -> str | None:
        if not made.changed or not made.question:
            return "sees no change"
        return missing([made.question], topic.split(maxsplit=1)[0])

    return problem


def _no_change(made: ComposedLongitudinal) -> str | None:
    return "sees a change where there is none" if made.changed else None


def _facts(answer: str) -> Callable[[Any], str | None]:
    def problem(made: WrittenNuggets) -> str | None:
        if any(nugget.kind != "fact" for nugget in made.nuggets):
            return "a nugget is no fact"
        return missing([nugget.text for nugget in made.nuggets], answer)

    return problem


def _stances(made: WrittenNuggets) -> str | None:
    stances = {claim: nugget for nugget in made.nuggets if nugget.kind == "stance" for claim in nugget.claims}
    for claim, day in ((0, View.EARLY_DAY), (1, View.LATE_DAY)):
        if claim not in stances:
            return f"no stance follows from claim {claim}"
        if not says(stances[claim].window or "", str(day.year)):
            return f"the window of claim {claim} does not name {day.year}"
    return None if any(nugget.kind == "shift" for nugget in made.nuggets) else "no nugget says that the view moved"
