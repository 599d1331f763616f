"""One person's career as a pool tells it: each event, which runs told it, what was right, and why it counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, text

from answertrail_pipeline.agents.runs import list_runs
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.biographies.people import Person, load_people
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.language.career_events import CareerEvent
from answertrail_pipeline.scoring.factnet.pools import build_pool, is_covered
from answertrail_pipeline.scoring.factnet.relabelled import known_same
from answertrail_pipeline.scoring.factnet.rows import load_base_rows, load_run_rows
from answertrail_pipeline.scoring.factnet.scores import Assigned, SlotOutcome, score_run
from answertrail_pipeline.scoring.factnet.stage import declared_pool, matchers
from answertrail_pipeline.scoring.factnet.types import BASE, Cluster, Row, Truth
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql


@dataclass(frozen=True)
class Told:
    """One event as one run coded it.

    Attributes:
        ordinal: of the row in the run's answer.
        again: it tells again what another row of the same run tells.
        slots: the slots that the truth defines, with what the run says; empty where it is in no truth.
        words: the judge's verdicts on it, by purpose: `grounded`, `coverage`, `slot start`, ...
    """

    run_key: str
    arm: str
    ordinal: int
    event: CareerEvent
    supported: bool
    covered: bool
    again: bool
    slots: tuple[SlotOutcome, ...]
    chunk_ids: tuple[str, ...]
    words: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class TruthEvent:
    """One event of the pool.

    Attributes:
        ordinal: as `pool_events` has it.
        sources: of the base, the data sets that hold it.
        told: by the runs that matched it.
        missed_by: arms that did not.
    """

    ordinal: int
    event: CareerEvent
    truth: Truth
    in_base: bool
    covered: bool
    sources: tuple[str, ...]
    told: tuple[Told, ...]
    missed_by: tuple[str, ...]

    @property
    def kind(self) -> str:
        """`base`, `pooled` or `covered`."""
        return "covered" if self.covered else "base" if self.in_base else "pooled"


@dataclass(frozen=True)
class Career:
    """One person in a pool.

    Attributes:
        truth: by start.
        outside: what runs coded that is in no truth, by arm.
    """

    person: Person
    pool_id: str
    base_version: str
    arms: tuple[str, ...]
    truth: tuple[TruthEvent, ...]
    outside: Mapping[str, tuple[Told, ...]]


def explain_career(database: Database, settings: Settings, channel: str, person_id: str) -> Career:
    """Return a person's events in the channel's declared pool with everything that was said of them.

    Raises:
        UserError: no pool is declared, the person is not in it, or a run of it is not judged yet.
    """
    pool = declared_pool(database, settings, channel)
    gold = load_gold(database, channel, pool.base_version) if pool else None
    if pool is None or gold is None:
        raise UserError(f"No pool is declared in {channel}.", "Make one with `answertrail politnuggets run`.")
    runs = {run.run_key: run.arm for run in list_runs(database, channel) if run.run_key in pool.run_keys}
    with database.begin() as connection:
        person = load_people(connection, channel).get(person_id)
        made = connection.execute(
            text("select count(*) from pool_events where pool_id = :pool and question_id = :person"),
            {"pool": pool.pool_id, "person": person_id},
        ).scalar_one()
        if person is None or not made:
            raise UserError(f"`{person_id}` is in no pool of {channel}.", "Run `answertrail politnuggets run`.")
        base = load_base_rows(connection, gold, person_id, {})
        coded = {key: load_run_rows(connection, key, person_id, {}) for key in pool.run_keys}
        rows = {key: _coded(connection, key, person_id) for key in pool.run_keys}
        hashes = {row.event.content_hash for each in (base, *coded.values()) for row in each}
        same = known_same(connection, pool.judge_id, hashes, {})
    how = matchers(person, same, pool.judge_id).exact
    found = build_pool(base, coded, how)
    clusters = (*found.clusters, *found.covered)
    tellers = {key: _Teller(key, runs[key], rows[key], coded[key]) for key in sorted(pool.run_keys)}
    told: dict[int, list[Told]] = {id(each): [] for each in clusters}
    outside: dict[str, list[Told]] = {}
    reference = [member for each in found.covered for member in each.members]
    for key, teller in tellers.items():
        for assigned in score_run(key, found, how, "full").assigned:
            covered = is_covered(assigned.joined, reference, how)
            listed = teller.tell(assigned, covered=covered)
            if assigned.cluster is None:
                outside.setdefault(runs[key], []).extend(listed)
            else:
                told[id(assigned.cluster)].extend(listed)
    arms = tuple(sorted(set(runs.values())))
    truth = [_truth_event(at, each, told[id(each)], arms) for at, each in enumerate(clusters, 1)]
    return Career(
        person,
        pool.pool_id,
        pool.base_version,
        arms,
        tuple(sorted(truth, key=lambda each: (str(each.event.start), each.ordinal))),
        {arm: tuple(outside[arm]) for arm in sorted(outside)},
    )


@dataclass(frozen=True)
class _Coded:
    """A row of `coded_events` with the judge's words on it."""

    ordinal: int
    chunk_ids: tuple[str, ...]
    words: Mapping[str, Mapping[str, Any]]


class _Teller:
    """Tells what a run's joined rows were, row by row."""

    def __init__(self, run_key: str, arm: str, coded: Sequence[_Coded], rows: Sequence[Row]) -> None:
        self._run_key = run_key
        self._arm = arm
        self._coded = {id(row): each for row, each in zip(rows, coded, strict=True)}

    def tell(self, assigned: Assigned, *, covered: bool) -> list[Told]:
        """Return one entry a row; the first is what counts."""
        return [
            Told(
                self._run_key, self._arm, self._coded[id(row)].ordinal, row.event, row.supported, covered, at > 0,
                () if at else assigned.slots, self._coded[id(row)].chunk_ids, self._coded[id(row)].words,
            )
            for at, row in enumerate(assigned.joined.rows)
        ]  # fmt: skip


def _coded(connection: Connection, run_key: str, person_id: str) -> list[_Coded]:
    where = {"run_key": run_key, "question_id": person_id}
    words: dict[int, dict[str, Mapping[str, Any]]] = {}
    for row in connection.execute(text(read_sql("queries/event_words.sql")), where).mappings():
        ordinal, _, slot = row["item_id"].partition(":")
        words.setdefault(int(ordinal), {})[f"{row['purpose']} {slot}".strip()] = dict(row)
    rows = connection.execute(
        text(
            "select ordinal, chunk_ids from coded_events where run_key = :run_key and question_id = :question_id"
            " order by ordinal"
        ),
        where,
    )
    return [_Coded(row.ordinal, tuple(row.chunk_ids), words.get(row.ordinal, {})) for row in rows]


def _truth_event(ordinal: int, each: Cluster, told: Sequence[Told], arms: Sequence[str]) -> TruthEvent:
    of_base = [row for member in each.members if member.origin == BASE for row in member.rows]
    return TruthEvent(
        ordinal,
        each.event,
        each.truth,
        each.in_base,
        each.covered,
        tuple(sorted({source for row in of_base for source in row.sources})),
        tuple(told),
        tuple(arm for arm in arms if arm not in {one.arm for one in told}),
    )
