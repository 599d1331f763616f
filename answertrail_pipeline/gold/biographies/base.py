"""The frozen base: a gold version whose questions are biographies and whose nuggets are events."""

from collections.abc import Iterable
from datetime import date

from sqlalchemy import Connection

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.biographies.people import BaseEvent, Person
from answertrail_pipeline.gold.biographies.promotions import standing_promotions, with_promotions
from answertrail_pipeline.gold.types import GoldNugget, GoldQuestion, GoldVersion
from answertrail_pipeline.gold.versions import store_version
from answertrail_pipeline.language.career_events import event_from_json


def freeze_base(
    connection: Connection, channel: str, people: Iterable[Person], as_of: date, corpus_id: str | None
) -> GoldVersion:
    """Freeze the external truth of people as a gold version; the same content returns the version that holds it.

    Events that people promoted from a pool are part of it. People without events are left out, unless nobody has
    any: then the base is empty, and the truth is what runs find (`consolidate` makes a base of that).

    Raises:
        UserError: there are no people.
    """
    people = list(people)
    questions = tuple(_question(person) for person in people if person.base or not any(p.base for p in people))
    if not questions:
        raise UserError("There are no people.", "Import them from CSV or JSONL.")
    standing = standing_promotions(connection, channel)
    sources = {f"source:{each.source}" for person in people for each in person.base}
    reviewers = sorted(sources | {each.reviewer for listed in standing.values() for each in listed})
    gold = GoldVersion(
        channel=channel,
        gold_version="",
        as_of=as_of,
        corpus_id=corpus_id,
        policy="people",
        reviewers=tuple(reviewers),
        questions=with_promotions(questions, standing),
    )
    return store_version(connection, gold, None)


def base_events(question: GoldQuestion) -> list[BaseEvent]:
    """Return the events of a biography question."""
    return [
        BaseEvent(nugget.nugget_id, event_from_json(nugget.detail["event"]), nugget.detail["source"])
        for nugget in question.nuggets
        if nugget.kind == "event"
    ]


def _question(person: Person) -> GoldQuestion:
    nuggets = tuple(
        GoldNugget(
            nugget_id=each.event_id.rpartition("#")[2],
            kind="event",
            text=each.event.sentence(person.name),
            window_text=str(each.event.start) if each.event.start else None,
            written_by=f"source:{each.source}",
            detail={"event": each.event.as_json(), "source": each.source},
        )
        for each in person.base
    )
    return GoldQuestion(
        question_id=person.person_id,
        tier="biography",
        text=person.question,
        state="kept",
        nuggets=nuggets,
        written_by=f"source:{person.source}",
        detail={"region": person.region, "country": person.country},
    )
