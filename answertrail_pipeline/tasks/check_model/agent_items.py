"""Items for the tasks that an agent is made of: `plan_searches`, `next_step`, `write_answer`."""

from collections.abc import Callable
from datetime import date
from typing import Any

from answertrail_pipeline.tasks.check_model.items import Item, Passage, missing, passages, says
from answertrail_pipeline.tasks.next_step import NextStep, NextStepInput, PastSearch
from answertrail_pipeline.tasks.plan_searches import PlannedPhrases, PlanSearchesInput
from answertrail_pipeline.tasks.write_answer import EvidenceItem, WriteAnswerInput, WrittenAnswer

FIRST_DAY, LAST_DAY = date(2025, 1, 1), date(2025, 12, 31)
CONTROLS = 6


def plan_searches_items() -> list[Item]:
    """Return questions to find phrases for; a plan must name what is asked about and stay within its limit."""
    return [
        Item(
            PlanSearchesInput(
                question=passage.question,
                topic=passage.question[:-1],
                language="en",
                first_date=FIRST_DAY,
                last_date=LAST_DAY,
                maximum=4,
            ),
            _phrases(passage.subject),
        )
        for passage in passages()
    ]


def next_step_items() -> list[Item]:
    """Return the beginning of a search, and searches that bring nothing new any more: the agent must stop."""
    made = []
    for number, passage in enumerate(passages()):
        control = number % 2 == 1
        past = tuple(
            PastSearch(step=step, query=query, since=None, until=None, found=10, new=10 if step == 1 else 0)
            for step, query in enumerate((passage.subject, passage.question, passage.claim, passage.subject), 1)
        )
        given = NextStepInput(
            question=passage.question,
            topic=passage.subject,
            language="en",
            first_date=FIRST_DAY,
            last_date=LAST_DAY,
            past=past if control else (),
            months={f"2025-{month:02}": 2 for month in range(1, 13)} if control else {},
        )
        made.append(Item(given, _stops if control else _searches(passage.subject), control))
    return made


def write_answer_items() -> list[Item]:
    """Return questions whose answer is in one of three passages, and questions with no answer among them."""
    made = []
    given = passages()
    for number, passage in enumerate(given):
        shown = [given[(number + step) % len(given)] for step in (4, 8, 11)]
        control = number < CONTROLS
        place = number % 3
        if not control:
            shown[place] = passage
        evidence = tuple(
            EvidenceItem(chunk_id=f"v{n:02}:00030", title=f"Notes of {one.day:%B}", date=one.day, text=one.passage)
            for n, one in enumerate(shown)
        )
        asked = WriteAnswerInput(question=passage.question, language="en", evidence=evidence)
        made.append(Item(asked, _abstains if control else _answers(passage, f"v{place:02}:00030"), control))
    return made


def _phrases(subject: str) -> Callable[[Any], str | None]:
    def problem(made: PlannedPhrases) -> str | None:
        return missing(made.phrases, subject.split(maxsplit=1)[0])

    return problem


def _searches(subject: str) -> Callable[[Any], str | None]:
    def problem(made: NextStep) -> str | None:
        return missing([search.query for search in made.searches], subject.split(maxsplit=1)[0])

    return problem


def _stops(made: NextStep) -> str | None:
    return f"searches on: {made.searches[0].query}" if made.searches else None


def _answers(passage: Passage, chunk_id: str) -> Callable[[Any], str | None]:
    def problem(made: WrittenAnswer) -> str | None:
        if made.abstained:
            return "gives no answer"
        if not says(made.answer, passage.answer):
            return f"does not say `{passage.answer}`: {made.answer}"
        return None if chunk_id in made.citations else f"does not cite {chunk_id}"

    return problem


def _abstains(made: WrittenAnswer) -> str | None:
    return None if made.abstained else f"answers without evidence: {made.answer}"
