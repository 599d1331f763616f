from dataclasses import replace

import pytest
from sqlalchemy import text

from answertrail_pipeline.scoring.load import metrics_stage
from answertrail_pipeline.scoring.metrics import score
from answertrail_pipeline.settings import ScoringSettings, Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.stage_run import run_stage
from answertrail_pipeline_tests.scoring.factory import Rows, published_rows
from answertrail_pipeline_tests.scoring.stored import store
from answertrail_pipeline_tests.scoring.test_published_figures import HYBRID_LONGITUDINAL

SCORING = ScoringSettings(resamples=200)
RUN = "talks/hybrid/v1/c1/r1"


@pytest.fixture
def settings(tmp_path) -> Settings:
    return Settings(config=tmp_path / "answertrail.toml", scoring=SCORING)


@pytest.fixture
def rows() -> Rows:
    return published_rows(HYBRID_LONGITUDINAL, "hybrid")


async def test_the_stored_metrics_are_those_of_the_rows(
    database: Database, settings: Settings, rows: Rows
) -> None:
    store(database, [rows])
    report = await run_stage(database, metrics_stage(database, settings, [RUN]))
    assert (report.computed, report.errors) == (1, {})
    with database.begin() as connection:
        stored = {
            row.metric: (row.hits, row.total, row.low, row.high, row.method)
            for row in connection.execute(text("select * from metrics where run_key = :run"), {"run": RUN})
        }
    expected = score(rows.verdicts, rows.trails, SCORING)
    shares = [
        metric for metric in expected if metric.total and metric.name in ("recall", "ceiling", "timing_misses")
    ]
    assert len(shares) == 3
    for metric in shares:
        interval = metric.interval
        assert stored[metric.name] == (metric.hits, metric.total, interval.low, interval.high, interval.method)
    # each trail retrieved two chunks of the video of January; the gold lies in January and June
    assert stored["chunks"][:2] == (70, 35)
    assert stored["months_covered"][:2] == (35, 70)


async def test_a_second_pass_computes_nothing_and_a_changed_verdict_does(
    database: Database, settings: Settings, rows: Rows
) -> None:
    store(database, [rows])
    await run_stage(database, metrics_stage(database, settings, [RUN]))
    assert (await run_stage(database, metrics_stage(database, settings, [RUN]))).computed == 0
    with database.begin() as connection:
        connection.execute(text("update stage_run set output_hash = 'other' where stage = 'verdicts' and key ="
                                " (select min(key) from stage_run where stage = 'verdicts')"))  # fmt: skip
    assert (await run_stage(database, metrics_stage(database, settings, [RUN]))).computed == 1


async def test_a_run_with_a_failed_unit_is_refused_with_its_reason(
    database: Database, settings: Settings, rows: Rows
) -> None:
    store(database, [rows])
    with database.begin() as connection:
        connection.execute(text("update stage_run set state = 'error', reason = 'timeout: no reply' where"
                                " stage = 'verdicts' and key = :key"), {"key": f"{RUN}/q003"})  # fmt: skip
    report = await run_stage(database, metrics_stage(database, settings, [RUN]))
    assert report.blocked == 1
    with database.begin() as connection:
        reason = connection.execute(text("select reason from stage_run where stage = 'metrics'")).scalar_one()
        assert connection.execute(text("select count(*) from metrics")).scalar_one() == 0
    assert reason == f"verdicts {RUN}/q003 is error: timeout: no reply; 1 such in all"


async def test_a_question_without_a_trail_is_refused(database: Database, settings: Settings, rows: Rows) -> None:
    rows.trails[0] = replace(rows.trails[0], state="open")
    store(database, [rows])
    report = await run_stage(database, metrics_stage(database, settings, [RUN]))
    assert list(report.errors) == [RUN]
    assert f"{RUN} question {rows.trails[0].question_id} is open (no trail yet)" in report.errors[RUN]
