"""F1 by the judge's words and by people's: does the judge put persons into the same order as people would?"""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, text

from answertrail_pipeline.gold.biographies.people import load_people
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.language.career_events import EventPair
from answertrail_pipeline.scoring.factnet.audit import correlation
from answertrail_pipeline.scoring.factnet.pools import build_pool
from answertrail_pipeline.scoring.factnet.rows import Words, load_base_rows, load_run_rows
from answertrail_pipeline.scoring.factnet.scores import score_run
from answertrail_pipeline.scoring.factnet.stage import DeclaredPool, matchers
from answertrail_pipeline.scoring.factnet.types import Counts
from answertrail_pipeline.store.shipped import read_sql


@dataclass(frozen=True)
class PersonAgreement:
    """Event F1 of persons with labelled verdicts, over all runs of a pool: judged, and with people's words.

    Attributes:
        labelled, verdicts: how many of these persons' verdicts people labelled; the rest stay as the judge said.
        correlation: Pearson's over persons; None with fewer than 3, or where all are equal.
    """

    persons: int
    labelled: int
    verdicts: int
    correlation: float | None


def person_agreement(connection: Connection, gold: GoldVersion, pool: DeclaredPool) -> PersonAgreement:
    """Score the persons of a pool again with people's words wherever people labelled a verdict."""
    words: Words = {
        row.verdict_id: row.label
        for row in connection.execute(
            text(read_sql("queries/people_words.sql")), {"channel": pool.channel, "judge_id": pool.judge_id}
        )
    }
    used = _verdicts_by_person(connection, pool)
    persons = sorted(person for person, ids in used.items() if ids & words.keys())
    judged = {person: _f1(connection, gold, pool, person, {}) for person in persons}
    human = {person: _f1(connection, gold, pool, person, words) for person in persons}
    known = {person: f1 for person, f1 in judged.items() if f1 is not None}
    told = {person: f1 for person, f1 in human.items() if f1 is not None}
    return PersonAgreement(
        len(persons),
        sum(len(used[person] & words.keys()) for person in persons),
        sum(len(used[person]) for person in persons),
        correlation(known, told),
    )


def _verdicts_by_person(connection: Connection, pool: DeclaredPool) -> dict[str, set[str]]:
    rows = connection.execute(
        text("select distinct question_id, verdict_id from run_verdicts where run_key = any(:runs)"),
        {"runs": list(pool.run_keys)},
    )
    made: dict[str, set[str]] = {}
    for row in rows:
        made.setdefault(row.question_id, set()).add(row.verdict_id)
    return made


def _f1(
    connection: Connection, gold: GoldVersion, pool: DeclaredPool, person_id: str, words: Words
) -> float | None:
    people = load_people(connection, pool.channel)
    base = load_base_rows(connection, gold, person_id, words)
    coded = {key: load_run_rows(connection, key, person_id, words) for key in pool.run_keys}
    hashes = {row.event.content_hash for rows in (base, *coded.values()) for row in rows}
    how = matchers(people[person_id], known_same(connection, pool.judge_id, hashes, words), pool.judge_id).exact
    made = build_pool(base, coded, how)
    return sum((score_run(key, made, how).event for key in pool.run_keys), Counts()).f1


def known_same(
    connection: Connection, judge_id: str, hashes: set[str], words: Mapping[str, str]
) -> dict[EventPair, bool]:
    """Return what the judge said of pairs of events before, or people in its place."""
    rows = connection.execute(
        text(
            "select first_hash, second_hash, same, verdict_id from same_events"
            " where judge_id = :judge and first_hash = any(:hashes) and second_hash = any(:hashes)"
        ),
        {"judge": judge_id, "hashes": sorted(hashes)},
    )
    return {
        (row.first_hash, row.second_hash): words.get(row.verdict_id, "HIT" if row.same else "MISS") == "HIT"
        for row in rows
    }
