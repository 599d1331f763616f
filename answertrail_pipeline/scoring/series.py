"""The series: what each arm scored in each re-evaluation, each point held against the one before it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from psycopg.types.json import Jsonb
from pydantic import BaseModel, ConfigDict
from sqlalchemy import Connection, text

from answertrail_pipeline.agents.runs import Run, load_run
from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.scoring.board import BoardMetric, board_metric, from_board
from answertrail_pipeline.scoring.board_values import Number
from answertrail_pipeline.scoring.compare import COMPARED
from answertrail_pipeline.scoring.folding import FoldedRun, corpus_of, fold
from answertrail_pipeline.scoring.gate import GateExit, GateResult, gate
from answertrail_pipeline.scoring.intervals import Resampling
from answertrail_pipeline.scoring.metrics import resampling, score_tallies
from answertrail_pipeline.scoring.notes import calibration_notes
from answertrail_pipeline.scoring.reevaluations import SCOPES, Scope
from answertrail_pipeline.scoring.source import DatabaseSource
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import join_key
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.store.stage_run import Computed, Gate, Stage, Unit

CODE_VERSION = "1"
GATE = "regression"
Word = Literal["passed", "warned", "failed", "undecided"]
_WORDS: dict[GateExit, Word] = {
    GateExit.PASSED: "passed",
    GateExit.FAILED: "failed",
    GateExit.UNDECIDED: "undecided",
}


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SeriesCorpus(_Frozen):
    """The corpus of a point, with its size."""

    corpus_id: str
    name: str
    videos: int
    chunks: int
    last_date: date


class SeriesGate(_Frozen):
    """The regression gate's word on one tier, against the point before."""

    tier: str
    word: Word
    against: int
    difference: Number | None
    low: Number | None
    high: Number | None
    detectable: Number | None
    sentence: str


class SeriesPoint(_Frozen):
    """What one arm scored in one re-evaluation, over one corpus.

    Attributes:
        scope: `as_of`, the corpus cut at the gold's date, or `full`.
        metrics: the shares that are compared, by tier, with their sums by question.
        gates: empty for the first point of an arm.
    """

    number: int
    arm: str
    arm_hash: str
    scope: Scope
    corpus: SeriesCorpus
    runs: tuple[str, ...]
    metrics: tuple[BoardMetric, ...]
    gates: tuple[SeriesGate, ...] = ()
    declared: date | None = None

    def metric(self, tier: str, name: str = "recall") -> BoardMetric | None:
        """Return one number, or None where the point has no such line."""
        return next((one for one in self.metrics if (one.tier, one.name) == (tier, name)), None)


def load_series(connection: Connection, channel: str, gold_version: str) -> list[SeriesPoint]:
    """Return the points on a gold version, by number, arm and scope."""
    given = {"channel": channel, "gold_version": gold_version}
    rows = connection.execute(text(read_sql("queries/series_points.sql")), given)
    return [SeriesPoint(**row.content, declared=row.declared) for row in rows]


@dataclass(frozen=True)
class _Ready:
    """A point to be made: the scored runs of one arm in one re-evaluation, by scope."""

    gold_version: str
    number: int
    arm: str
    runs: Mapping[str, Sequence[str]]
    hashes: tuple[tuple[str, str, str], ...]


def series_stage(database: Database, channel: str, settings: Settings) -> Stage:
    """Return the stage that adds to the series; a unit is an arm in a re-evaluation, once its runs are scored."""
    how = resampling(settings.scoring)
    schedule = settings.schedule

    def found() -> dict[str, _Ready]:
        with database.begin() as connection:
            return _ready(connection, channel)

    def units() -> list[Unit]:
        ready = found()
        rules = [how.confidence, how.resamples, schedule.margin, schedule.noninferior]
        made = []
        before: dict[tuple[str, str], object] = {}
        for key, one in ready.items():  # in order of numbers: each hangs on the one before it
            line = (one.gold_version, one.arm)
            made.append(Unit(key, fingerprint([list(each) for each in one.hashes], before.get(line), rules)))
            before[line] = [list(each) for each in one.hashes]
        return made

    async def compute(unit: Unit) -> Computed:
        return _compute(database, channel, settings, found()[unit.key], how)

    return Stage("series", channel, CODE_VERSION, units, compute)


def _ready(connection: Connection, channel: str) -> dict[str, _Ready]:
    rows = connection.execute(text(read_sql("queries/series_runs.sql")), {"channel": channel}).all()
    groups = defaultdict(list)
    for row in rows:
        groups[row.gold_version, row.number, row.arm].append(row)
    ready = {}
    for (gold_version, number, arm), group in sorted(groups.items()):
        runs: dict[str, list[str]] = defaultdict(list)
        for row in group:
            runs[row.scope].append(row.run_key)
        whole = all(len(keys) == group[0].repetitions for keys in runs.values())
        if whole and all(row.output_hash for row in group):
            hashes = tuple((row.scope, row.run_key, row.output_hash) for row in group)
            key = join_key(channel, gold_version, f"{number:05}", arm)
            ready[key] = _Ready(gold_version, number, arm, dict(runs), hashes)
    return ready


def _compute(database: Database, channel: str, settings: Settings, ready: _Ready, how: Resampling) -> Computed:
    source = DatabaseSource(database, channel, settings)
    points = []
    for scope in SCOPES:
        if scope in ready.runs:
            point = _point(database, source, ready, scope, how)
            with database.begin() as connection:
                last = _before(connection, channel, ready, scope)
            points.append(_with_gates(point, last, settings, how))
    key = {"channel": channel, "gold_version": ready.gold_version, "number": ready.number, "arm": ready.arm}

    def write(connection: Connection) -> None:
        for point in points:
            where = {**key, "scope": point.scope}
            connection.execute(
                text(
                    "delete from series where channel = :channel and gold_version = :gold_version"
                    " and number = :number and arm = :arm and scope = :scope"
                ),
                where,
            )
            content = point.model_dump(mode="json", exclude={"declared"})
            insert_rows(connection, "series", [{**where, "content": Jsonb(content)}])

    content = [point.model_dump(mode="json", exclude={"declared"}) for point in points]
    return Computed(fingerprint(content), write, counts={"points": len(points)}, gates=[_gate(points)])


def _point(
    database: Database, source: DatabaseSource, ready: _Ready, scope: Scope, how: Resampling
) -> SeriesPoint:
    runs = [load_run(database, key) for key in ready.runs[scope]]
    folded = [_folded(source, run) for run in runs]
    metrics = score_tallies(
        [made for one in folded for made in one.tallies], [trail for one in folded for trail in one.trails], how
    )
    judges = sorted({judge for one in folded for judge in one.judges}, key=lambda judge: judge.judge_id)
    notes = calibration_notes(judges, ("recall",), source.calibrations())
    return SeriesPoint(
        number=ready.number,
        arm=ready.arm,
        arm_hash=runs[0].arm_hash,
        scope=scope,
        corpus=_corpus(database, runs[0]),
        runs=tuple(run.run_key for run in runs),
        metrics=tuple(board_metric(one, notes) for one in metrics if one.name in COMPARED),
    )


def _folded(source: DatabaseSource, run: Run) -> FoldedRun:
    made = fold(source, run)
    if isinstance(made, FoldedRun):
        return made
    raise UnitError("not_scorable", "; ".join(made))


def _corpus(database: Database, run: Run) -> SeriesCorpus:
    with database.begin() as connection:
        row = connection.execute(
            text(
                "select videos, chunks, last_date from corpora where channel = :channel and corpus_id = :corpus_id"
            ),
            {"channel": run.channel, "corpus_id": run.corpus_id},
        ).one()
    return SeriesCorpus(corpus_id=run.corpus_id, name=corpus_of(run), **row._mapping)


def _before(connection: Connection, channel: str, ready: _Ready, scope: Scope) -> SeriesPoint | None:
    """Return the point before this one: the same arm and scope in an earlier re-evaluation on the same gold."""
    earlier = [
        point
        for point in load_series(connection, channel, ready.gold_version)
        if point.arm == ready.arm and point.scope == scope and point.number < ready.number
    ]
    return earlier[-1] if earlier else None


def _with_gates(point: SeriesPoint, last: SeriesPoint | None, settings: Settings, how: Resampling) -> SeriesPoint:
    if last is None:
        return point
    tiers = sorted({one.tier for one in point.metrics} & {one.tier for one in last.metrics})
    schedule = settings.schedule
    names = tuple(f"{one.arm} {one.scope} {one.corpus.name} (re-evaluation {one.number})" for one in (point, last))
    gates = []
    for tier in tiers:
        new, old = ({m.name: from_board(m) for m in one.metrics if m.tier == tier} for one in (point, last))
        found = gate(tier, new, old, schedule.margin, how, noninferior=schedule.noninferior, names=names)  # type: ignore[arg-type]
        gates.append(_series_gate(found, last.number))
    return point.model_copy(update={"gates": tuple(gates)})


def _series_gate(found: GateResult, against: int) -> SeriesGate:
    one = found.comparison
    return SeriesGate(
        tier=found.tier,
        word="warned" if found.warning else _WORDS[found.exit],
        against=against,
        difference=one.difference if one else None,
        low=one.interval.low if one else None,
        high=one.interval.high if one else None,
        detectable=found.detectable,
        sentence=found.sentence,
    )


def _gate(points: Sequence[SeriesPoint]) -> Gate:
    """Return the word on all points of a unit; it blocks nothing, so that the report shows what failed."""
    words = [one for point in points for one in point.gates]
    failed = [one.sentence for one in words if one.word == "failed"]
    numbers = {f"{point.scope}/{one.tier}": one.difference for point in points for one in point.gates}
    said = "; ".join(failed) or (
        "No tier fell by more than the margin." if words else "Nothing to compare with yet."
    )
    return Gate(GATE, not failed, said, numbers=numbers)


def newest(points: Sequence[SeriesPoint]) -> list[SeriesPoint]:
    """Return the points of the newest re-evaluation."""
    last = max((point.number for point in points), default=0)
    return [point for point in points if point.number == last]
