"""The words behind the numbers: question texts, nuggets with their windows, dates, reasons, disagreements."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sqlalchemy import text

from answertrail_pipeline.gold.types import GoldQuestion
from answertrail_pipeline.judging.calibration import calibrations
from answertrail_pipeline.scoring.board import Scoreboard
from answertrail_pipeline.scoring.load import load_gold
from answertrail_pipeline.scoring.series import SeriesPoint, load_series
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql

MOST_TIMELINES = 60


@dataclass(frozen=True)
class NuggetDetail:
    """A nugget with its window; `stated` by arm: in how many of its scored runs the answer states it."""

    nugget_id: str
    kind: str
    text: str
    window_text: str | None
    window_from: date | None
    window_to: date | None
    stated: Mapping[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class QuestionDetail:
    """A question; `evidence` dates of the gold's chunks, `retrieved` by arm the dates of all that it retrieved."""

    question_id: str
    tier: str
    text: str
    nuggets: tuple[NuggetDetail, ...]
    evidence: tuple[date, ...] = ()
    retrieved: Mapping[str, tuple[date, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Disagreement:
    """A labelled pair on which a person and the judge differ."""

    purpose: str
    tier: str
    question_id: str
    claim: str
    judge: str
    judge_reason: str
    person: str
    label: str
    reason: str


@dataclass(frozen=True)
class Details:
    """Everything that the report shows beyond the scoreboard.

    Attributes:
        questions: by question id.
        reasons: by (run key, question id, purpose, item id): the judged claim and the judge's reason.
        commit: of the code, where it is known.
        series: what was scored in each re-evaluation on the same gold.
        workbench: address of the pages that links lead to, without a slash at its end; None: no links.
    """

    title: str
    questions: Mapping[str, QuestionDetail] = field(default_factory=dict)
    reasons: Mapping[tuple[str, str, str, str], tuple[str, str]] = field(default_factory=dict)
    disagreements: tuple[Disagreement, ...] = ()
    commit: str | None = None
    workbench: str | None = None
    series: tuple[SeriesPoint, ...] = ()


def load_details(database: Database, board: Scoreboard, title: str, commit: str | None = None) -> Details:
    """Read the words behind a scoreboard from the database."""
    run_arms = {run: arm.name for arm in board.arms for run in arm.runs}
    with database.begin() as connection:
        gold = load_gold(connection, board.channel, board.gold_version)
        shown = [question for question in gold.questions if question.tier == "longitudinal"][:MOST_TIMELINES]
        values: dict[str, Any] = {
            "channel": board.channel,
            "run_keys": sorted(run_arms),
            "question_ids": [question.question_id for question in shown],
        }
        dates = connection.execute(
            text("select video_id, cast(published_at at time zone 'UTC' as date) as day from videos"
                 " where channel = :channel"),
            {"channel": board.channel},
        )  # fmt: skip
        video_days: dict[str, date] = {row.video_id: row.day for row in dates}
        retrieved = connection.execute(text(read_sql("queries/report_retrieved.sql")), values).all()
        labels = connection.execute(text(read_sql("queries/report_labels.sql")), values).all()
        reasons = connection.execute(
            text(read_sql("queries/report_reasons.sql")),
            {
                "run_keys": [finding.run_key for finding in board.findings],
                "question_ids": [finding.question_id for finding in board.findings],
                "purposes": [finding.purpose for finding in board.findings],
                "item_ids": [finding.item_id for finding in board.findings],
            },
        ).all()
        series = tuple(load_series(connection, board.channel, board.gold_version))
    stated: dict[tuple[str, str], dict[str, tuple[int, int]]] = defaultdict(dict)
    for row in labels:
        arm = run_arms[row.run_key]
        hits, total = stated[row.question_id, row.item_id].get(arm, (0, 0))
        stated[row.question_id, row.item_id][arm] = (hits + (row.label == "HIT"), total + 1)
    seen: dict[str, dict[str, set[date]]] = defaultdict(lambda: defaultdict(set))
    for row in retrieved:
        seen[row.question_id][run_arms[row.run_key]].add(row.day)
    return Details(
        title=title or board.channel,
        questions={
            q.question_id: _question(q, stated, video_days, seen.get(q.question_id, {})) for q in gold.questions
        },
        reasons={(r.run_key, r.question_id, r.purpose, r.item_id): (r.claim, r.reason or "") for r in reasons},
        disagreements=_disagreements(database, board),
        commit=commit,
        series=series,
    )


def _question(
    question: GoldQuestion,
    stated: Mapping[tuple[str, str], Mapping[str, tuple[int, int]]],
    video_days: Mapping[str, date],
    retrieved: Mapping[str, set[date]],
) -> QuestionDetail:
    chunks = {*question.chunk_ids, *(chunk for nugget in question.nuggets for chunk in nugget.chunk_ids)}
    videos = {chunk.rpartition(":")[0] for chunk in chunks}
    return QuestionDetail(
        question.question_id,
        question.tier,
        question.text,
        tuple(
            NuggetDetail(
                nugget.nugget_id,
                nugget.kind,
                nugget.text,
                nugget.window_text,
                nugget.window_from,
                nugget.window_to,
                stated.get((question.question_id, nugget.nugget_id), {}),
            )
            for nugget in question.nuggets
        ),
        tuple(sorted(video_days[video] for video in videos if video in video_days)),
        {arm: tuple(sorted(days)) for arm, days in sorted(retrieved.items())},
    )


def _disagreements(database: Database, board: Scoreboard) -> tuple[Disagreement, ...]:
    used = {judge.judge_id for judge in board.judges}
    tiers = {question.question_id: question.tier for question in board.questions}
    return tuple(
        Disagreement(
            made.purpose,
            tiers.get(one["question_id"], ""),
            one["question_id"],
            one["claim"],
            one["judge"],
            one["judge_reason"],
            ", ".join(one["reasons"]),
            one["person"],
            "; ".join(reason for reason in one["reasons"].values() if reason),
        )
        for made in calibrations(database, board.channel, board.min_kappa)
        if made.judge_id in used
        for one in made.disagreements
    )
