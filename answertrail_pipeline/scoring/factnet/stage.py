"""Frozen-base scores by run, and pools over a declared set of runs, as stages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.agents.runs import Run, list_runs, run_unit_key
from answertrail_pipeline.errors import UnitError, UserError
from answertrail_pipeline.gold.biographies.base import base_events
from answertrail_pipeline.gold.biographies.people import load_people
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.judging.events import (
    BASE_COVERAGE,
    FACT_VERDICTS,
    EventJudge,
    judge_same_events,
)
from answertrail_pipeline.judging.judges import configured_judge
from answertrail_pipeline.language.career_events import event_from_json
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.scoring.factnet.joining import join_rows
from answertrail_pipeline.scoring.factnet.matchers import JudgedMatcher, unsure_pairs
from answertrail_pipeline.scoring.factnet.pools import build_pool
from answertrail_pipeline.scoring.factnet.relations import LexiconMatcher
from answertrail_pipeline.scoring.factnet.scores import (
    Level,
    PersonScore,
    leave_own_out,
    only_found_by,
    score_rows,
    score_run,
)
from answertrail_pipeline.scoring.factnet.types import Cluster, Matcher, Pool, Row
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import join_key
from answertrail_pipeline.store.rows import delete_rows, insert_rows
from answertrail_pipeline.store.stage_run import Computed, Stage, Unit, output_hashes

POOLS = "pools"
POOLS_VERSION = "1"
FROZEN = ""
"""In place of a pool's id: the score is on the frozen base."""
_LEVELS: tuple[Level, ...] = ("event", "attribute", "slot")


@dataclass(frozen=True)
class DeclaredPool:
    """Exactly what a pool is made of; its id is the hash of these."""

    channel: str
    base_version: str
    run_keys: tuple[str, ...]
    judge_id: str
    matcher_version: str
    reference_version: str

    @property
    def pool_id(self) -> str:
        """The name of the truth that this set of runs makes."""
        return fingerprint(
            "pool", self.channel, self.base_version, list(self.run_keys), self.judge_id, self.matcher_version,
            self.reference_version,
        )  # fmt: skip


def declare_pool(
    database: Database, settings: Settings, gold: GoldVersion, run_keys: Sequence[str]
) -> DeclaredPool:
    """Return the pool that a set of runs makes over a base.

    Raises:
        UserError: a run is not known, or is over another gold version.
    """
    runs = {run.run_key: run for run in list_runs(database, gold.channel)}
    for key in run_keys:
        if key not in runs:
            raise UserError(f"No run `{key}` in {gold.channel}.", "List the runs with `answertrail runs`.")
        if runs[key].gold_version != gold.gold_version:
            raise UserError(
                f"The run `{key}` is over {runs[key].gold_version}, not {gold.gold_version}.",
                "Pool runs over one base only: scores of different truths are never compared.",
            )
    with database.begin() as connection:
        people = load_people(connection, gold.channel)
    references = {key: fingerprint(person.reference or "") for key, person in sorted(people.items())}
    return DeclaredPool(
        gold.channel,
        gold.gold_version,
        tuple(sorted(set(run_keys))),
        configured_judge(settings).judge_id,
        LexiconMatcher().version,
        fingerprint(references),
    )


def pools_stage(
    database: Database, door: Door, settings: Settings, gold: GoldVersion, run_keys: Sequence[str]
) -> Stage:
    """Return the stage that makes the pool of a set of runs and scores them all on it and on the frozen base.

    A unit is a person; it is made from the pool's id and the verdicts on that person in every run.
    """
    declared = declare_pool(database, settings, gold, run_keys)
    runs = {run.run_key: run for run in list_runs(database, gold.channel) if run.run_key in declared.run_keys}
    questions = {
        join_key(gold.channel, declared.pool_id[:16], each.question_id): each.question_id
        for each in gold.questions
    }

    def units() -> list[Unit]:
        with database.begin() as connection:
            verdicts = output_hashes(connection, FACT_VERDICTS, gold.channel)
            coverage = output_hashes(connection, BASE_COVERAGE, gold.channel)
            states = _states(connection, declared.run_keys)
        made = []
        for key, question_id in sorted(questions.items()):
            made_from = {
                run: verdicts.get(run_unit_key(run, question_id), states.get((run, question_id), "open"))
                for run in declared.run_keys
            }
            base = coverage.get(join_key(gold.channel, gold.gold_version, question_id), "open")
            blocked = _waits_for(made_from, base)
            made.append(Unit(key, fingerprint(declared.pool_id, made_from, base), blocked))
        return made

    async def compute(unit: Unit) -> Computed:
        question_id = questions[unit.key]
        with database.begin() as connection:
            person = load_people(connection, gold.channel)[question_id]
            base = load_base_rows(connection, gold, question_id)
            coded = {key: load_run_rows(connection, key, question_id) for key in declared.run_keys}
        events = [row.event for rows in (base, *coded.values()) for row in rows]
        asker = EventJudge(database, door, configured_judge(settings), Account(gold.channel, POOLS, unit.key))
        lexicon = LexiconMatcher(country=person.country)
        same = await judge_same_events(asker, person, unsure_pairs(events, lexicon))
        scored = score_person(base, coded, runs, JudgedMatcher(lexicon, same, declared.judge_id))
        return _computed(declared, question_id, scored, len(same))

    return Stage(POOLS, gold.channel, POOLS_VERSION, units, compute, settings.models.max_concurrency)


@dataclass(frozen=True)
class ScoredPerson:
    """One person's pool, and every run's scores: by (run, frozen or pooled, scope)."""

    pool: Pool
    scores: dict[tuple[str, bool, str], PersonScore]
    only_own: dict[str, int]


def score_person(
    base: Sequence[Row], coded: dict[str, list[Row]], runs: dict[str, Run], matcher: Matcher
) -> ScoredPerson:
    """Score every run of a set on one person: on the pool, without its arm's own additions, on the frozen base."""
    pool = build_pool(base, coded, matcher)
    frozen = build_pool(base, {}, matcher)
    arms = {key: run.arm for key, run in runs.items()}
    scores: dict[tuple[str, bool, str], PersonScore] = {}
    for key in sorted(coded):
        for scope in ("novel", "full"):
            scores[key, True, scope] = score_run(key, pool, matcher, scope)
            scores[key, False, scope] = score_rows(join_rows(key, coded[key], matcher), frozen, matcher, scope)
        scores[key, True, "own_out"] = leave_own_out(arms, key, base, coded, matcher)
    own = {arm: {key for key, other in arms.items() if other == arm} for arm in set(arms.values())}
    return ScoredPerson(pool, scores, {key: only_found_by(pool, own[arms[key]]) for key in coded})


def load_base_rows(connection: Connection, gold: GoldVersion, question_id: str) -> list[Row]:
    """Return the frozen base of one person, with what the reference tells.

    Raises:
        UnitError: `unscored` where the judge could not say of an event whether the reference tells it.
    """
    question = next(each for each in gold.questions if each.question_id == question_id)
    covered = {
        row.nugget_id: row.covered
        for row in connection.execute(
            text(
                "select nugget_id, covered from base_coverage"
                " where channel = :channel and gold_version = :version and question_id = :question"
            ),
            {"channel": gold.channel, "version": gold.gold_version, "question": question_id},
        )
    }
    _refuse_unscored(question_id, [covered.get(each.event_id) for each in base_events(question)])
    return [
        Row(each.event, covered=covered[each.event_id] == "yes", sources=frozenset((each.source,)))
        for each in base_events(question)
    ]


def load_run_rows(connection: Connection, run_key: str, question_id: str) -> list[Row]:
    """Return what a run coded for one person, with the judge's words; nothing where the run failed on the person.

    Raises:
        UnitError: `unscored` where a verdict is missing.
    """
    rows = connection.execute(
        text("select * from coded_events where run_key = :run and question_id = :question order by ordinal"),
        {"run": run_key, "question": question_id},
    ).all()
    _refuse_unscored(f"{run_key}/{question_id}", [each for row in rows for each in (row.supported, row.covered)])
    return [
        Row(
            event_from_json(row.event),
            supported=row.supported,
            covered=row.covered == "yes",
            slots=frozenset(row.slots),
            sources=frozenset(row.sources or (run_key,)),
        )
        for row in rows
    ]


def _refuse_unscored(what: str, words: Sequence[object]) -> None:
    missing = sum(word is None for word in words)
    if missing:
        raise UnitError("unscored", f"{missing} verdicts of {what} could not be had; a failure is never a MISS")


def _states(connection: Connection, run_keys: Sequence[str]) -> dict[tuple[str, str], str]:
    """Return `failed` for each person on whom a run ended in an error: it scores 0 and keeps its cost."""
    rows = connection.execute(
        text("select run_key, question_id from trails where state = 'error' and run_key = any(:runs)"),
        {"runs": list(run_keys)},
    )
    return {(row.run_key, row.question_id): "failed" for row in rows}


def _waits_for(made_from: dict[str, str], base: str) -> str | None:
    waiting = [run for run, state in made_from.items() if state == "open"]
    if waiting:
        return f"not judged yet: {', '.join(waiting)}"
    return "the base's coverage is not judged yet" if base == "open" else None


def _computed(declared: DeclaredPool, question_id: str, scored: ScoredPerson, asked: int) -> Computed:
    events = [
        _event_row(declared.pool_id, question_id, ordinal, each)
        for ordinal, each in enumerate((*scored.pool.clusters, *scored.pool.covered), 1)
    ]
    scores = [
        _score_row(declared.pool_id, question_id, key, score, scored) for key, score in scored.scores.items()
    ]
    flat = [row for rows in scores for row in rows]

    def write(connection: Connection) -> None:
        insert_rows(connection, "pools", [{**vars(declared), "pool_id": declared.pool_id,
                                           "run_keys": list(declared.run_keys)}], skip_existing=True)  # fmt: skip
        delete_rows(connection, "pool_events", {"pool_id": declared.pool_id, "question_id": question_id})
        insert_rows(connection, "pool_events", [_as_json(row) for row in events])
        for run in declared.run_keys:
            for pool in (declared.pool_id, FROZEN):
                where = {"run_key": run, "question_id": question_id, "pool_id": pool}
                delete_rows(connection, "biography_scores", where)
        insert_rows(connection, "biography_scores", [_as_json(row) for row in flat])

    counts = {
        "truth": len(scored.pool.clusters),
        "covered": len(scored.pool.covered),
        "pooled": sum(not each.in_base for each in scored.pool.clusters),
        "same_event_asked": asked,
    }
    return Computed(fingerprint(events, flat), write, counts=counts)


def _event_row(pool_id: str, question_id: str, ordinal: int, each: Cluster) -> dict[str, Any]:
    truth = each.truth
    return {
        "pool_id": pool_id,
        "question_id": question_id,
        "ordinal": ordinal,
        "event": each.event.as_json(),
        "truth": {
            "starts": sorted(truth.starts), "ends": sorted(truth.ends), "titles": sorted(truth.titles),
        },
        "origin": "base" if each.in_base else "pooled",
        "covered": each.covered,
        "found_by": sorted(each.found_by),
    }  # fmt: skip


def _score_row(
    pool_id: str, question_id: str, key: tuple[str, bool, str], score: PersonScore, scored: ScoredPerson
) -> list[dict[str, Any]]:
    run, pooled, scope = key
    detail = {
        "duplicates": score.duplicates,
        "covered": score.covered,
        "grounded": score.grounded,
        "truth": score.truth,
        "only_own": scored.only_own[run],
    }
    return [
        {
            "run_key": run,
            "question_id": question_id,
            "pool_id": pool_id if pooled else FROZEN,
            "scope": scope,
            "level": level,
            "tp": score.counts(level).tp,
            "fp": score.counts(level).fp,
            "fn": score.counts(level).fn,
            "detail": detail,
        }
        for level in _LEVELS
    ]


def _as_json(row: dict[str, Any]) -> dict[str, Any]:
    return {key: Jsonb(value) if isinstance(value, dict) else value for key, value in row.items()}
