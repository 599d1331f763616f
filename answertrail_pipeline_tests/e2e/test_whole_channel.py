"""A channel of 261 videos: what one more, and one other line, touch."""

from datetime import date, timedelta

from answertrail_pipeline.corpus.snapshot import snapshot
from answertrail_pipeline.pipeline.run import ingest_channels
from answertrail_pipeline.pipeline.watch import Silent
from answertrail_pipeline.store.stage_run import output_hashes
from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.library import write_video
from answertrail_pipeline_tests.e2e.orchestra import Orchestra

VIDEOS = 261


def _write(workplace: Workplace, number: int, words: str = "spans of the long viaduct") -> None:
    day = date(2024, 1, 1) + timedelta(days=number)
    write_video(workplace.captions, f"span-{number:05}", day.isoformat(), f"Today I painted {number} {words}.")


def test_one_more_file_is_one_partition_and_one_line_is_one_video(orchestra: Orchestra) -> None:
    workplace = orchestra.workplace
    for path in workplace.captions.iterdir():
        path.unlink()
    for number in range(VIDEOS):
        _write(workplace, number)
    assert orchestra.sense() == f"{VIDEOS} events reported"
    assert orchestra.sense() == "0 events reported"
    assert len(orchestra.tick()["chunks"]) == VIDEOS
    with workplace.open() as project:
        [report] = project.run(ingest_channels(project, ["bridges"], Silent()))
        assert report.computed == VIDEOS
        before = snapshot(project.database, "bridges")
        with project.database.begin() as connection:
            hashes = output_hashes(connection, "chunks", "bridges")

    _write(workplace, VIDEOS)
    assert orchestra.sense() == f"{VIDEOS + 1} events reported", "what the command line did, and the new video"
    assert orchestra.sense() == "0 events reported"
    assert orchestra.tick()["chunks"] == {f"bridges/span-{VIDEOS:05}"}

    _write(workplace, 7, "spans of the short viaduct")
    with workplace.open() as project:
        [report] = project.run(ingest_channels(project, ["bridges"], Silent()))
        assert report.computed == 2
        after = snapshot(project.database, "bridges")
        with project.database.begin() as connection:
            changed = output_hashes(connection, "chunks", "bridges").items() - hashes.items()
    assert {key for key, _ in changed} == {"bridges/span-00007", f"bridges/span-{VIDEOS:05}"}
    assert after.corpus_id != before.corpus_id
