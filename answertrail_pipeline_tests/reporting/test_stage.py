from pathlib import Path

from sqlalchemy import text

from answertrail_pipeline.reporting.details import load_details
from answertrail_pipeline.reporting.stage import make_report, report_folder, report_stage
from answertrail_pipeline.scoring.load import metrics_stage
from answertrail_pipeline.scoring.scoreboard import scoreboard, scoreboard_stage
from answertrail_pipeline.settings import ScoringSettings, Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.stage_run import run_stage
from answertrail_pipeline_tests.scoring.factory import published_rows
from answertrail_pipeline_tests.scoring.stored import store
from answertrail_pipeline_tests.scoring.test_published_figures import HYBRID_LONGITUDINAL

RUN = "talks/hybrid/v1/c1/r1"


async def test_the_report_is_written_once_and_again_when_the_scoreboard_changed(
    database: Database, tmp_path: Path
) -> None:
    settings = Settings(
        config=tmp_path / "answertrail.toml", data_dir=tmp_path / "data", scoring=ScoringSettings(resamples=100)
    )
    store(database, [published_rows(HYBRID_LONGITUDINAL, "hybrid")])
    stages = [
        metrics_stage(database, settings, [RUN]),
        scoreboard_stage(database, "talks", settings),
        report_stage(database, "talks", settings),
    ]
    assert [(await run_stage(database, stage)).computed for stage in stages] == [1, 1, 1]
    html = report_folder(settings, "talks") / "report.html"
    first = html.read_text("utf-8")
    assert "29/102" in first
    assert [(await run_stage(database, stage)).computed for stage in stages] == [0, 0, 0]
    html.unlink()
    assert make_report(database, "talks", settings).html.read_text("utf-8") == first
    with database.begin() as connection:
        connection.execute(text("update verdicts set label = 'MISS' where purpose = 'recall' and label = 'HIT'"))
        connection.execute(text("update stage_run set output_hash = 'changed' where stage = 'verdicts'"))
    # misses without a kind leave the split undefined; the rest is scored anew
    assert [(await run_stage(database, stage)).computed for stage in stages] == [1, 1, 1]
    assert "0/102" in html.read_text("utf-8")


def test_details_hold_the_words_and_dates_behind_the_numbers(database: Database, tmp_path: Path) -> None:
    settings = Settings(config=tmp_path / "answertrail.toml", scoring=ScoringSettings(resamples=100))
    rows = published_rows(HYBRID_LONGITUDINAL, "hybrid")
    store(database, [rows])
    board = scoreboard(database, "talks", settings)
    details = load_details(database, board, "Talks")
    question = details.questions["q000"]
    assert question.text == "What of q000?"
    assert [day.isoformat() for day in question.evidence] == ["2025-01-15", "2025-06-01"]
    assert [day.isoformat() for day in question.retrieved["hybrid"]] == ["2025-01-15"]
    hit = next(one for one in rows.verdicts if one.question_id == "q000" and one.purpose == "recall")
    nugget = next(one for one in question.nuggets if one.nugget_id == hit.item_id)
    assert nugget.stated == {"hybrid": (int(hit.label == "HIT"), 1)}
    violation = next(one for one in board.findings if one.what == "violation")
    assert details.reasons[violation.run_key, violation.question_id, "recall", violation.item_id][1] == "because"
