"""The stage `pools`: the truth that a declared set of runs makes over a base, and all its runs scored on it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.agents.runs import Run, list_runs
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.biographies.people import Person, load_people
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.judging.event_verdicts import people_of
from answertrail_pipeline.judging.events import EventJudge, SameEvents, judge_same_events
from answertrail_pipeline.judging.judges import configured_judge
from answertrail_pipeline.language.career_events import EventPair
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.scoring.factnet.frozen import score_rows_of
from answertrail_pipeline.scoring.factnet.matchers import JudgedMatcher, unsure_pairs
from answertrail_pipeline.scoring.factnet.pools import build_pool
from answertrail_pipeline.scoring.factnet.readiness import Standing, judged_by_others, standing
from answertrail_pipeline.scoring.factnet.relations import LexiconMatcher
from answertrail_pipeline.scoring.factnet.rows import base_hash, load_base_rows, load_run_rows
from answertrail_pipeline.scoring.factnet.scores import PersonScore, leave_own_out, only_found_by, score_run
from answertrail_pipeline.scoring.factnet.types import Cluster, Matcher, Pool, Row
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import join_key
from answertrail_pipeline.store.rows import delete_rows, insert_rows, replace_rows
from answertrail_pipeline.store.stage_run import Computed, Stage, Unit

POOLS = "pools"
POOLS_VERSION = "2"


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
    database: Database, settings: Settings, gold: GoldVersion, run_keys: Iterable[str]
) -> DeclaredPool:
    """Return the pool that a set of runs makes over a base.

    Raises:
        UserError: a run is not known, reconstructs no careers, or is over another gold version.
    """
    keys = tuple(sorted(set(run_keys)))
    runs = {run.run_key: run for run in list_runs(database, gold.channel)}
    for key in keys:
        if key not in runs:
            raise UserError(f"No run `{key}` in {gold.channel}.", "List the runs with `answertrail runs`.")
        if not runs[key].is_biography:
            raise UserError(f"The run `{key}` answers in prose.", "Pool runs of biography arms.")
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
        keys,
        configured_judge(settings).judge_id,
        LexiconMatcher().version,
        fingerprint(references),
    )


def declare_set(database: Database, gold: GoldVersion, run_keys: Iterable[str], *, add: bool = False) -> None:
    """Declare which runs make a channel's pool from now on; pools that were made before stay as they are.

    Args:
        add: keep the runs that are declared already, where they are over the same base.
    """
    keys = set(run_keys)
    with database.begin() as connection:
        before = declared_set(connection, gold.channel)
        if add and before and before[0] == gold.gold_version:
            keys |= set(before[1])
        where = {"channel": gold.channel}
        row = {**where, "gold_version": gold.gold_version, "run_keys": sorted(keys)}
        if before != (row["gold_version"], tuple(sorted(keys))):
            replace_rows(connection, "declared_pools", where, [row])


def declared_set(connection: Connection, channel: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the gold version and the runs that are declared for a channel's pool; None where none are."""
    row = connection.execute(
        text("select gold_version, run_keys from declared_pools where channel = :channel"), {"channel": channel}
    ).one_or_none()
    return (row.gold_version, tuple(row.run_keys)) if row else None


def declared_pool(database: Database, settings: Settings, channel: str) -> DeclaredPool | None:
    """Return the pool that a channel's declared set makes; None where no set is declared."""
    with database.begin() as connection:
        declared = declared_set(connection, channel)
    gold = load_gold(database, channel, declared[0]) if declared else None
    return declare_pool(database, settings, gold, declared[1]) if gold and declared else None


def pools_stage(database: Database, door: Door, settings: Settings, channel: str) -> Stage:
    """Return the stage that makes the pool of a channel's declared runs and scores them all on it.

    A unit is a person; it is made from the pool's id and the verdicts on that person in every run. It waits until
    every run of the set is judged, by the judge that is configured.
    """
    declared = declared_pool(database, settings, channel)
    gold = load_gold(database, channel, declared.base_version) if declared else None
    if declared is None or gold is None:
        return Stage(POOLS, channel, POOLS_VERSION, list, _never)
    maker = _Maker(database, door, settings, gold, declared)
    return Stage(POOLS, channel, POOLS_VERSION, maker.units, maker.compute, settings.models.max_concurrency)


async def _never(unit: Unit) -> Computed:
    raise AssertionError(f"no pool is declared, yet {unit.key} is asked for")


class _Maker:
    """Makes the pool of one declared set, person by person."""

    def __init__(
        self, database: Database, door: Door, settings: Settings, gold: GoldVersion, declared: DeclaredPool
    ) -> None:
        self._database = database
        self._door = door
        self._settings = settings
        self._gold = gold
        self._declared = declared
        self._runs = {
            run.run_key: run for run in list_runs(database, gold.channel) if run.run_key in declared.run_keys
        }

    def units(self) -> list[Unit]:
        """List the people, each with how every run stands on them."""
        declared, runs = self._declared, list(self._runs.values())
        with self._database.begin() as connection:
            everybody = load_people(connection, declared.channel)
            people = sorted({person for run in runs for person in people_of(run, self._gold, everybody)})
            found = {run.run_key: standing(connection, run, people) for run in runs}
            told = base_hash(connection, declared.channel, declared.base_version)
            others = judged_by_others(connection, declared.run_keys, declared.judge_id)
        other = f"{others[0]} was judged by another judge; judge it anew" if others else None
        return [
            Unit(
                join_key(declared.channel, declared.pool_id[:16], person),
                fingerprint(declared.pool_id, {key: s[person].made for key, s in found.items()}, told.get(person)),
                _waits_for(found, person) or other,
            )
            for person in people
        ]

    async def compute(self, unit: Unit) -> Computed:
        """Pool one person's events and score every run on them."""
        declared = self._declared
        question_id = unit.key.split("/")[-1]
        with self._database.begin() as connection:
            people = load_people(connection, declared.channel)
            person = next(each for key, each in people.items() if join_key(key) == question_id)
            base = load_base_rows(connection, self._gold, person.person_id, {})
            coded = {key: load_run_rows(connection, key, person.person_id, {}) for key in declared.run_keys}
        account = Account(declared.channel, POOLS, unit.key)
        asker = EventJudge(self._database, self._door, configured_judge(self._settings), account)
        events = [row.event for rows in (base, *coded.values()) for row in rows]
        unsure = unsure_pairs(events, LexiconMatcher(country=person.country))
        same = await judge_same_events(asker, person, unsure)
        scored = score_person(base, coded, self._runs, matchers(person, same.words, declared.judge_id))
        return _computed(declared, person.person_id, scored, same)


@dataclass(frozen=True)
class Matchers:
    """The matcher of every number, and the one of the sensitivity row: years may differ by one."""

    exact: Matcher
    one_year_off: Matcher


def matchers(person: Person, same: Mapping[EventPair, bool], judge_id: str) -> Matchers:
    """Return a person's matchers with the judge's words on what they are unsure of."""
    exact = LexiconMatcher(country=person.country)
    loose = LexiconMatcher(country=person.country, year_tolerance=1)
    return Matchers(JudgedMatcher(exact, same, judge_id), JudgedMatcher(loose, same, judge_id))


@dataclass(frozen=True)
class ScoredPerson:
    """One person's pool, and every run's scores on it: by (run, scope)."""

    pool: Pool
    scores: dict[tuple[str, str], PersonScore]
    only_own: dict[str, int]


def score_person(
    base: Sequence[Row], coded: dict[str, list[Row]], runs: dict[str, Run], how: Matchers
) -> ScoredPerson:
    """Score every run of a set on one person: novel, full, without its arm's own additions, a year off."""
    pool = build_pool(base, coded, how.exact)
    loose = build_pool(base, coded, how.one_year_off)
    arms = {key: run.arm for key, run in runs.items()}
    scores: dict[tuple[str, str], PersonScore] = {}
    for key in sorted(coded):
        scores[key, "novel"] = score_run(key, pool, how.exact)
        scores[key, "full"] = score_run(key, pool, how.exact, "full")
        scores[key, "own_out"] = leave_own_out(arms, key, base, coded, how.exact)
        scores[key, "one_year_off"] = score_run(key, loose, how.one_year_off)
    own = {arm: {key for key, other in arms.items() if other == arm} for arm in set(arms.values())}
    return ScoredPerson(pool, scores, {key: only_found_by(pool, own[arms[key]]) for key in coded})


def _waits_for(found: dict[str, dict[str, Standing]], person: str) -> str | None:
    waiting = [each[person].waits_for for each in found.values() if each[person].waits_for]
    return f"{waiting[0]}; {len(waiting)} such in all" if waiting else None


def _computed(declared: DeclaredPool, question_id: str, scored: ScoredPerson, same: SameEvents) -> Computed:
    events = [
        _event_row(declared.pool_id, question_id, ordinal, each)
        for ordinal, each in enumerate((*scored.pool.clusters, *scored.pool.covered), 1)
    ]
    scores = [
        row
        for (run, scope), score in scored.scores.items()
        for row in score_rows_of(run, question_id, declared.pool_id, scope, score, only_own=scored.only_own[run])
    ]

    def write(connection: Connection) -> None:
        same.store(connection)
        insert_rows(connection, "pools", [{**vars(declared), "pool_id": declared.pool_id,
                                           "run_keys": list(declared.run_keys)}], skip_existing=True)  # fmt: skip
        where = {"pool_id": declared.pool_id, "question_id": question_id}
        replace_rows(connection, "pool_events", where, [_as_json(row) for row in events])
        delete_rows(connection, "biography_scores", where)
        insert_rows(connection, "biography_scores", scores)

    counts = {
        "truth": len(scored.pool.clusters),
        "covered": len(scored.pool.covered),
        "pooled": sum(not each.in_base for each in scored.pool.clusters),
        "same_event_asked": len(same.words),
    }
    return Computed(
        fingerprint(events, [{**row, "detail": row["detail"].obj} for row in scores]), write, counts=counts
    )


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


def _as_json(row: dict[str, Any]) -> dict[str, Any]:
    return {key: Jsonb(value) if isinstance(value, dict) else value for key, value in row.items()}
