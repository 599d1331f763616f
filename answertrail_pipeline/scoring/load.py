"""Reading what scoring needs from the database, and the stage `metrics`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, RowMapping, text

from answertrail_pipeline.agents.runs import Run, list_runs
from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.scoring.gold_index import IndexedQuestion, index_gold
from answertrail_pipeline.scoring.identities import violated_identities
from answertrail_pipeline.scoring.items import Tally, tally
from answertrail_pipeline.scoring.metrics import TIERS, resampling, score_tallies
from answertrail_pipeline.scoring.readiness import refusals
from answertrail_pipeline.scoring.types import JudgeUsed, Metric, ScoredTrail, ScoredVerdict
from answertrail_pipeline.settings import ScoringSettings, Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import split_key
from answertrail_pipeline.store.rows import replace_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.store.stage_run import Computed, Gate, Stage, Unit

CODE_VERSION = "1"
_BATCH = 10_000


def load_gold(connection: Connection, channel: str, gold_version: str) -> GoldVersion:
    """Return a frozen gold version."""
    content = connection.execute(
        text("select content from gold_versions where channel = :channel and gold_version = :gold_version"),
        {"channel": channel, "gold_version": gold_version},
    ).scalar_one()
    return GoldVersion.model_validate(content)


def load_gold_index(connection: Connection, channel: str, gold_version: str) -> dict[str, IndexedQuestion]:
    """Return the questions of a frozen gold version that are scored here, by id."""
    months = connection.execute(
        text("select video_id, to_char(published_at at time zone 'UTC', 'YYYY-MM') as month from videos"
             " where channel = :channel"),
        {"channel": channel},
    )  # fmt: skip
    index = index_gold(load_gold(connection, channel, gold_version), {row.video_id: row.month for row in months})
    return {key: question for key, question in index.items() if question.tier in TIERS}


def load_judges(connection: Connection, run_key: str) -> list[JudgeUsed]:
    """Return the judges whose verdicts speak for a run."""
    rows = connection.execute(text(read_sql("queries/score_judges.sql")), {"run_key": run_key})
    return [JudgeUsed(*row) for row in rows]


def stream_verdicts(
    connection: Connection, run: Run, gold: Mapping[str, IndexedQuestion]
) -> Iterator[ScoredVerdict]:
    """Yield the verdicts of a run, those of one question together; memory does not grow with their number."""
    rows = connection.execution_options(yield_per=_BATCH).execute(
        text(read_sql("queries/score_verdicts.sql")), {"run_key": run.run_key}
    )
    for question_id, purpose, item_id, label, unscored, by_rule, detail, miss_kind in rows:
        question = gold.get(question_id)
        if question is None:
            continue
        kind, author = question.nuggets.get(item_id, (None, "unknown"))
        if purpose in ("grounded", "cited"):
            kind, author = "assertion", "unknown"
        if kind is None:
            raise UnitError(
                "unknown_nugget", f"{run.run_key} has a verdict on {question_id}/{item_id}, no nugget of the gold"
            )
        yield ScoredVerdict(
            run.arm, run.run_key, run.repetition, question.tier, question_id, purpose, item_id, kind, label,
            unscored, by_rule, detail, miss_kind, author,
        )  # fmt: skip


def load_other_judges(
    connection: Connection, run: Run, gold: Mapping[str, IndexedQuestion]
) -> dict[str, list[ScoredVerdict]]:
    """Return what judges other than a run's own say of its nuggets and answers, by judge id."""
    if connection.execute(text("select count(*) from judges")).scalar_one() < 2:
        return {}
    rows = connection.execute(text(read_sql("queries/score_other_judges.sql")), {"run_key": run.run_key})
    found: dict[str, list[ScoredVerdict]] = {}
    for judge_id, question_id, item_id, label, unscored in rows:
        question = gold.get(question_id)
        if question is None or item_id not in question.nuggets:
            continue
        verdict = ScoredVerdict(
            run.arm, run.run_key, run.repetition, question.tier, question_id, "recall", item_id,
            question.nuggets[item_id][0], label, unscored,
        )  # fmt: skip
        found.setdefault(judge_id, []).append(verdict)
    return found


def load_judge(connection: Connection, judge_id: str) -> JudgeUsed:
    """Return a judge by its id."""
    row = connection.execute(
        text("select judge_id, model, family, mode, prompt_hash from judges where judge_id = :judge_id"),
        {"judge_id": judge_id},
    ).one()
    return JudgeUsed(*row)


def load_trails(connection: Connection, run: Run, gold: Mapping[str, IndexedQuestion]) -> list[ScoredTrail]:
    """Return a run's trails by question; a gold question without one is `open`."""
    rows = {
        row["question_id"]: row
        for row in connection.execute(
            text(read_sql("queries/score_trails.sql")), {"run_key": run.run_key}
        ).mappings()
    }
    return [_trail(run, gold[question_id], rows.get(question_id)) for question_id in sorted(gold)]


def _trail(run: Run, question: IndexedQuestion, row: RowMapping | None) -> ScoredTrail:
    known: dict[str, Any] = dict(row) if row else {"state": "open", "error": "no trail yet"}
    videos, months = set(known.get("videos") or ()), set(known.get("months") or ())
    silent = known.get("assertions") == 0
    return ScoredTrail(
        arm=run.arm,
        run_key=run.run_key,
        repetition=run.repetition,
        tier=question.tier,
        question_id=question.question_id,
        question_state=question.state,
        state=known["state"],
        steps=known.get("steps", 0),
        searches=known.get("searches", 0),
        chunks=known.get("chunks", 0),
        videos=len(videos),
        months=len(months),
        gold_videos=len(question.videos),
        gold_months=len(question.months),
        prompt_tokens=known.get("prompt_tokens"),
        completion_tokens=known.get("completion_tokens"),
        cost_usd=known.get("cost_usd"),
        nuggets=len(question.nuggets),
        covered_videos=len(videos & question.videos),
        covered_months=len(months & question.months),
        reports_retrieval=known.get("reports_retrieval", True),
        unanswerable=question.unanswerable,
        abstained=bool(known.get("abstained")) or silent,
        error=known.get("error"),
    )


def metrics_stage(database: Database, settings: Settings, run_keys: Sequence[str]) -> Stage:
    """Return the stage that scores runs one by one; a unit is a run.

    A run with an open or failed unit is blocked, with the unit named; so is one whose metrics contradict each
    other (`score_identities`). Too many unscored verdicts make it an error.

    Args:
        run_keys: of one channel.
    """
    channel = split_key(run_keys[0])[0]
    runs = {run.run_key: run for run in list_runs(database, channel)}

    def units() -> list[Unit]:
        with database.begin() as connection:
            return [_unit(connection, runs[key], settings.scoring) for key in sorted(run_keys) if key in runs]

    async def compute(unit: Unit) -> Computed:
        with database.begin() as connection:
            return score_run(connection, runs[unit.key], settings.scoring)

    return Stage("metrics", channel, CODE_VERSION, units, compute)


def _unit(connection: Connection, run: Run, settings: ScoringSettings) -> Unit:
    rows = list(
        connection.execute(
            text(read_sql("queries/score_ready.sql")), {"channel": run.channel, "run_key": run.run_key}
        )
    )
    gold_hash = connection.execute(
        text("select content_sha256 from gold_versions where channel = :channel and gold_version = :gold_version"),
        {"channel": run.channel, "gold_version": run.gold_version},
    ).scalar_one()
    finished = [[row.stage, row.key, row.output_hash] for row in rows if row.state in ("done", "unscored")]
    unfinished = [row for row in rows if row.state not in ("done", "unscored")]
    verdicts = any(row.stage == "verdicts" for row in rows)
    blocked = None
    if unfinished:
        first = unfinished[0]
        blocked = f"{first.stage} {first.key} is {first.state}: {first.reason}; {len(unfinished)} such in all"
    elif not verdicts:
        blocked = f"{run.run_key} has no verdicts yet"
    how = [settings.confidence, settings.resamples, settings.max_unscored_share]
    return Unit(run.run_key, fingerprint(finished, gold_hash, how), blocked)


def score_run(connection: Connection, run: Run, settings: ScoringSettings) -> Computed:
    """Score one run and return its rows of the table `metrics`.

    Raises:
        UnitError: a unit is missing, or too many verdicts are unscored.
    """
    gold = load_gold_index(connection, run.channel, run.gold_version)
    trails = load_trails(connection, run, gold)
    tallies = list(tally(stream_verdicts(connection, run, gold)))
    if reasons := refusals(tallies, trails, settings.max_unscored_share):
        raise UnitError("not_scorable", "; ".join(reasons))
    metrics = score_tallies(tallies, trails, resampling(settings))
    wrong = violated_identities(metrics)
    rows = [_row(run.run_key, metric) for metric in metrics]
    return Computed(
        _output_hash(tallies, metrics),
        lambda connection: replace_rows(connection, "metrics", {"run_key": run.run_key}, rows),
        counts=_counts(tallies),
        gates=[
            Gate(
                "score_identities",
                not wrong,
                "; ".join(wrong) or "The metrics agree with each other.",
                blocking=True,
            )
        ],
    )


def _output_hash(tallies: Iterable[Tally], metrics: Iterable[Metric]) -> str:
    """Fingerprint all that a scoreboard reads of a run: a HIT that moved to another nugget is a change too."""
    counted = [
        [
            made.question_id,
            sorted(([list(outcome), n] for outcome, n in made.outcomes.items()), key=str),
            made.findings,
        ]
        for made in tallies
    ]
    return fingerprint(counted, [[metric.tier, metric.name, metric.hits, metric.total] for metric in metrics])


def _counts(tallies: Iterable[Tally]) -> dict[str, int]:
    made = list(tallies)
    return {
        "questions": len(made),
        "verdicts": sum(one.verdicts.total() for one in made),
        "unscored": sum(one.unscored.total() for one in made),
    }


def _row(run_key: str, metric: Metric) -> dict[str, Any]:
    detail = {
        "questions": {question: list(sums) for question, sums in metric.questions.items()},
        "left_out": list(metric.left_out),
        "unscored": metric.unscored,
        "bounds": [metric.bound_low, metric.bound_high],
        "interval": asdict(metric.interval),
    }
    return {
        "run_key": run_key,
        "tier": metric.tier,
        "metric": metric.name,
        "hits": metric.hits,
        "total": metric.total,
        "value": metric.value,
        "low": metric.interval.low,
        "high": metric.interval.high,
        "method": metric.interval.method,
        "reason": metric.reason or metric.interval.reason,
        "detail": Jsonb(detail),
    }
