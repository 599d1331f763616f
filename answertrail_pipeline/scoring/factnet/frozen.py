"""The stage `metrics` of a biography: one run scored on the frozen base alone."""

from collections.abc import Mapping, Sequence
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection

from answertrail_pipeline.agents.runs import Run, run_unit_key
from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.gold.biographies.people import Person, load_people
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.judging.event_verdicts import people_of
from answertrail_pipeline.judging.events import EventJudge, SameEvents, judge_same_events
from answertrail_pipeline.judging.judges import configured_judge
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.scoring.factnet.level_scores import LEVELS, LevelScore, level_score
from answertrail_pipeline.scoring.factnet.matchers import JudgedMatcher, unsure_pairs
from answertrail_pipeline.scoring.factnet.readiness import Standing, standing
from answertrail_pipeline.scoring.factnet.relations import LexiconMatcher
from answertrail_pipeline.scoring.factnet.rows import base_hash, load_base_rows, load_run_rows
from answertrail_pipeline.scoring.factnet.scores import Level, PersonScore, Scope, score_frozen
from answertrail_pipeline.scoring.load import CODE_VERSION
from answertrail_pipeline.scoring.metrics import resampling
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import delete_rows, insert_rows, replace_rows
from answertrail_pipeline.store.stage_run import Computed, Stage, Unit

METRICS = "metrics"
TIER = "biography"
FROZEN = ""
"""In place of a pool's id: the score is on the frozen base."""
_SCOPES: tuple[Scope, ...] = ("novel", "full")


def frozen_metrics_stage(database: Database, door: Door, settings: Settings, run: Run, gold: GoldVersion) -> Stage:
    """Return the stage that scores a run of careers on the frozen base; its one unit is the run.

    It is made from the verdicts on every person, the base's coverage, the matcher and the judge, who is asked
    where the matcher is unsure. A person on whom the run failed scores 0.
    """
    judge = configured_judge(settings)
    how = resampling(settings.scoring)

    def units() -> list[Unit]:
        with database.begin() as connection:
            people = people_of(run, gold, load_people(connection, run.channel))
            found = standing(connection, run, people)
            told = base_hash(connection, gold.channel, gold.gold_version)
        waiting = [each.waits_for for each in found.values() if each.waits_for]
        blocked = f"{waiting[0]}; {len(waiting)} such in all" if waiting else None
        if not found:
            blocked = f"{gold.gold_version} asks for nobody's career"
        made_from = {person: each.made for person, each in found.items()}
        told_of = {person: told.get(person) for person in people}
        how_made = [judge.judge_id, LexiconMatcher().version, how.confidence, how.resamples]
        return [Unit(run.run_key, fingerprint(made_from, told_of, how_made), blocked)]

    async def compute(unit: Unit) -> Computed:
        with database.begin() as connection:
            people = load_people(connection, run.channel)
            found = standing(connection, run, people_of(run, gold, people))
        scores: dict[str, Mapping[Scope, PersonScore]] = {}
        asked: list[SameEvents] = []
        for person in sorted(found):
            account = Account(run.channel, METRICS, run_unit_key(unit.key, person), run.run_key, run.arm)
            asker = EventJudge(database, door, judge, account)
            scores[person], same = await _score(asker, run, gold, people[person])
            asked.append(same)
        levels = {
            level: level_score({p: made["novel"].counts(level) for p, made in scores.items()},
                               f"{run.run_key}/{level}", how)
            for level in LEVELS
        }  # fmt: skip
        return _computed(run, found, scores, levels, asked)

    return Stage(METRICS, run.channel, CODE_VERSION, units, compute)


async def _score(
    asker: EventJudge, run: Run, gold: GoldVersion, person: Person
) -> tuple[dict[Scope, PersonScore], SameEvents]:
    with asker.database.begin() as connection:
        base = load_base_rows(connection, gold, person.person_id, {})
        coded = load_run_rows(connection, run.run_key, person.person_id, {})
    lexicon = LexiconMatcher(country=person.country)
    events = [row.event for row in (*base, *coded)]
    same = await judge_same_events(asker, person, unsure_pairs(events, lexicon))
    matcher = JudgedMatcher(lexicon, same.words, asker.judge.judge_id)
    return {scope: score_frozen(run.run_key, base, coded, matcher, scope) for scope in _SCOPES}, same


def _computed(
    run: Run,
    found: Mapping[str, Standing],
    scores: Mapping[str, Mapping[Scope, PersonScore]],
    levels: Mapping[Level, LevelScore],
    asked: Sequence[SameEvents],
) -> Computed:
    counted = [
        row for person, made in scores.items() for scope, score in made.items()
        for row in score_rows_of(run.run_key, person, FROZEN, scope, score)
    ]  # fmt: skip
    metrics = [row for level, score in levels.items() for row in _metric_rows(run.run_key, level, score)]
    event = levels["event"].counts
    if not counted:
        raise UnitError("no_people", f"{run.run_key} has nobody to score")

    def write(connection: Connection) -> None:
        for same in asked:
            same.store(connection)
        replace_rows(connection, "metrics", {"run_key": run.run_key}, metrics)
        delete_rows(connection, "biography_scores", {"run_key": run.run_key, "pool_id": FROZEN})
        insert_rows(connection, "biography_scores", counted)

    return Computed(
        fingerprint([{**row, "detail": row["detail"].obj} for row in counted]),
        write,
        counts={"people": len(found), "matched": event.tp, "not_in_base": event.fp, "missed": event.fn},
    )


def score_rows_of(
    run_key: str, person: str, pool_id: str, scope: str, score: PersonScore, **detail: Any
) -> list[dict[str, Any]]:
    """Return the rows of `biography_scores` of one score, level by level."""
    known = {
        "duplicates": score.duplicates, "covered": score.covered, "grounded": score.grounded, "truth": score.truth,
    }  # fmt: skip
    return [
        {
            "run_key": run_key,
            "question_id": person,
            "pool_id": pool_id,
            "scope": scope,
            "level": level,
            "tp": score.counts(level).tp,
            "fp": score.counts(level).fp,
            "fn": score.counts(level).fn,
            "detail": Jsonb({**known, **detail}),
        }
        for level in LEVELS
    ]


def _metric_rows(run_key: str, level: str, score: LevelScore) -> list[dict[str, Any]]:
    counts = score.counts
    parts = (
        ("precision", counts.tp, counts.tp + counts.fp, score.precision),
        ("recall", counts.tp, counts.tp + counts.fn, score.recall),
        ("f1", 2 * counts.tp, 2 * counts.tp + counts.fp + counts.fn, score.f1),
        ("f1_macro", None, None, score.macro_f1),
    )
    return [
        {
            "run_key": run_key,
            "tier": TIER,
            "metric": f"{level}_{name}",
            "hits": hits,
            "total": total,
            "value": number.value,
            "low": number.interval.low,
            "high": number.interval.high,
            "method": number.interval.method,
            "reason": number.interval.reason if number.value is not None else "nothing in the denominator",
            "detail": Jsonb({"left_out": score.left_out}) if name == "f1_macro" else Jsonb({}),
        }
        for name, hits, total, number in parts
    ]
