"""From a folder to rows: only what changed, quarantine in and out, retirement, snapshots."""

import json
import os
from pathlib import Path

import pytest
from sqlalchemy import text

from answertrail_pipeline.corpus.figures import caption_files, channel_figures, quarantine_rows
from answertrail_pipeline.corpus.ingest import chunks_stage
from answertrail_pipeline.corpus.retire import Retirement, retire_missing
from answertrail_pipeline.corpus.snapshot import Corpus, snapshot
from answertrail_pipeline.corpus.sources import list_videos
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.settings import ChannelSettings, DocumentsSource, FolderSource
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.stage_run import UnitState, output_hashes, run_stage
from answertrail_pipeline_tests.corpus.writers import srt, vtt

CHANNEL = "talks"
CUES = [(1000, 3000, "first words"), (31_000, 33_000, "later words")]


def add(
    folder: Path, video_id: str, *, date: str = "20240102", title: str = "T", captions: str | None = None
) -> None:
    (folder / f"{video_id}.info.json").write_text(
        json.dumps({"id": video_id, "title": title, "upload_date": date})
    )
    (folder / f"{video_id}.en.vtt").write_text(vtt(CUES) if captions is None else captions)


def settings_of(folder: Path, **more: object) -> ChannelSettings:
    return ChannelSettings.model_validate({"source": FolderSource(path=folder), **more})


async def ingest(database: Database, settings: ChannelSettings) -> dict[str, UnitState]:
    """Bring the channel up to date; return the units that were computed."""
    done: dict[str, UnitState] = {}
    listing = list_videos(settings)
    stage = chunks_stage(database, CHANNEL, settings, listing)
    await run_stage(database, stage, on_unit=lambda unit, state: done.update({unit.key: state}))
    retire_missing(database, CHANNEL, listing, settings)
    return done


def states(database: Database) -> dict[str, str]:
    with database.begin() as connection:
        rows = connection.execute(text("select video_id, state from videos order by video_id"))
        return {row.video_id: row.state for row in rows}


async def test_a_new_file_touches_one_unit_and_nothing_new_touches_none(
    database: Database, tmp_path: Path
) -> None:
    settings = settings_of(tmp_path)
    for name in ("a", "b", "-c"):
        add(tmp_path, name)
    assert sorted(await ingest(database, settings)) == ["talks/-c", "talks/a", "talks/b"]
    assert await ingest(database, settings) == {}
    add(tmp_path, "d")
    assert await ingest(database, settings) == {"talks/d": UnitState.DONE}
    figures = channel_figures(database, CHANNEL, settings)
    assert (figures.videos["active"], figures.chunks, figures.words, figures.unreadable_share) == (4, 8, 16, 0.0)


async def test_one_edited_line_changes_that_video_and_the_snapshot_only(
    database: Database, tmp_path: Path
) -> None:
    settings = settings_of(tmp_path)
    add(tmp_path, "a")
    add(tmp_path, "b")
    await ingest(database, settings)
    first = snapshot(database, CHANNEL)
    with database.begin() as connection:
        before = output_hashes(connection, "chunks", CHANNEL)
    add(tmp_path, "a", captions=vtt([CUES[0], (31_000, 33_000, "other words")]))
    assert list(await ingest(database, settings)) == ["talks/a"]
    second = snapshot(database, CHANNEL)
    with database.begin() as connection:
        after = output_hashes(connection, "chunks", CHANNEL)
        texts = connection.execute(
            text("select text from chunk_texts where chunk_id = 'a:00030' order by text")
        ).scalars()
        assert list(texts) == ["later words", "other words"]  # the old text stays
    assert [key for key in after if after[key] != before[key]] == ["talks/a"]
    assert (first.number, second.number) == (1, 2)
    add(tmp_path, "a")
    await ingest(database, settings)
    assert snapshot(database, CHANNEL) == first  # the same content has the same number


async def test_a_cosmetic_change_stops_at_the_chunks(database: Database, tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    add(tmp_path, "a")
    await ingest(database, settings)
    before = snapshot(database, CHANNEL)
    with database.begin() as connection:
        hashes = output_hashes(connection, "chunks", CHANNEL)
    shifted = [(start + 200, end + 200, words) for start, end, words in CUES]
    (tmp_path / "a.en.vtt").write_text(srt(shifted))  # another format, times within the same windows
    assert await ingest(database, settings) == {"talks/a": UnitState.DONE}
    with database.begin() as connection:
        assert output_hashes(connection, "chunks", CHANNEL) == hashes
    assert snapshot(database, CHANNEL) == before


@pytest.mark.parametrize("change", [{"date": "20240103"}, {"title": "Other"}])
async def test_a_corrected_date_or_title_changes_the_snapshot(
    database: Database, tmp_path: Path, change: dict[str, str]
) -> None:
    settings = settings_of(tmp_path)
    add(tmp_path, "a")
    await ingest(database, settings)
    before = snapshot(database, CHANNEL)
    add(tmp_path, "a", **change)
    await ingest(database, settings)
    assert snapshot(database, CHANNEL).corpus_id != before.corpus_id


async def test_a_setting_is_part_of_the_fingerprint(database: Database, tmp_path: Path) -> None:
    add(tmp_path, "a")
    await ingest(database, settings_of(tmp_path))
    assert list(await ingest(database, settings_of(tmp_path, window_seconds=60))) == ["talks/a"]
    assert snapshot(database, CHANNEL).chunks == 1
    assert await ingest(database, settings_of(tmp_path, window_seconds=60, max_unreadable_share=0.5)) == {}


async def test_quarantine_stops_nobody_and_is_left_again(database: Database, tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    add(tmp_path, "good")
    add(tmp_path, "bad", captions="")
    add(tmp_path, "undated", date="")
    done = await ingest(database, settings)
    assert done == {
        "talks/good": UnitState.DONE,
        "talks/bad": UnitState.BLOCKED,
        "talks/undated": UnitState.BLOCKED,
    }
    rows = [(row.file, row.video_id, row.code, row.cues_kept) for row in quarantine_rows(database, CHANNEL)]
    assert rows == [("bad.en.vtt", "bad", "no_captions", 0), ("undated.info.json", "undated", "no_date", 2)]
    figures = channel_figures(database, CHANNEL, settings)
    assert (figures.videos["active"], figures.videos["never_readable"], figures.passed) == (1, 2, False)
    assert figures.unreadable_share == pytest.approx(2 / 3)
    assert await ingest(database, settings) == {}  # nothing changed: it is not read again
    add(tmp_path, "bad")
    assert await ingest(database, settings) == {"talks/bad": UnitState.DONE}
    assert [row.code for row in quarantine_rows(database, CHANNEL)] == ["no_date"]
    assert states(database) == {"bad": "active", "good": "active"}


async def test_a_file_that_turns_bad_takes_its_video_out_of_the_search(database: Database, tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    add(tmp_path, "a")
    add(tmp_path, "b")
    await ingest(database, settings)
    add(tmp_path, "a", captions="WEBVTT\n\n00:99.000 --> 00:99.500\nlost\n")
    await ingest(database, settings)
    assert states(database) == {"a": "quarantined", "b": "active"}
    with database.begin() as connection:
        assert connection.execute(text("select count(*) from chunks where video_id = 'a'")).scalar() == 2
        assert list(output_hashes(connection, "chunks", CHANNEL)) == ["talks/b"]
    (file,) = [file for file in caption_files(database, CHANNEL) if file.video_id == "a"]
    assert (file.format, file.cues_kept, file.cues_lost, file.used) == (None, 0, 1, False)
    assert snapshot(database, CHANNEL).videos == 1


async def test_deleted_videos_retire_and_come_back(database: Database, tmp_path: Path) -> None:
    settings = settings_of(tmp_path, max_listing_loss=0.5)
    for name in "abc":
        add(tmp_path, name)
    await ingest(database, settings)
    full = snapshot(database, CHANNEL)
    (tmp_path / "b.info.json").unlink()
    (tmp_path / "b.en.vtt").unlink()
    assert retire_missing(database, CHANNEL, list_videos(settings), settings) == Retirement(["b"])
    assert states(database) == {"a": "active", "b": "retired", "c": "active"}
    assert snapshot(database, CHANNEL).videos == 2
    with database.begin() as connection:  # its rows stay for old scores
        assert connection.execute(text("select count(*) from chunks where video_id = 'b'")).scalar() == 2
    assert retire_missing(database, CHANNEL, list_videos(settings), settings) == Retirement(())
    add(tmp_path, "b")
    assert list(await ingest(database, settings)) == ["talks/b"]
    assert snapshot(database, CHANNEL) == full


async def test_a_video_that_was_never_readable_leaves_the_quarantine_when_it_is_removed(
    database: Database, tmp_path: Path
) -> None:
    settings = settings_of(tmp_path, max_listing_loss=0.5)
    add(tmp_path, "a")
    (tmp_path / "b.info.json").write_text('{"id": "b"}')
    await ingest(database, settings)
    assert [row.code for row in quarantine_rows(database, CHANNEL)] == ["no_captions", "no_date"]
    (tmp_path / "b.info.json").unlink()
    await ingest(database, settings)
    assert quarantine_rows(database, CHANNEL) == []


async def test_a_doubtful_listing_retires_nothing_and_warns(database: Database, tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    for k in range(10):
        add(tmp_path, f"v{k}")
    await ingest(database, settings)
    failed = retire_missing(database, CHANNEL, None, settings)
    assert failed.warning == "The source could not be listed; nothing is retired."
    for k in (1, 2):
        (tmp_path / f"v{k}.info.json").unlink()
        (tmp_path / f"v{k}.en.vtt").unlink()
    smaller = retire_missing(database, CHANNEL, list_videos(settings), settings)  # 8 < 90 % of 10
    assert smaller.retired == ()
    assert smaller.warning is not None
    assert "8 videos, 10 are known" in smaller.warning
    add(tmp_path, "v1")
    one_less = retire_missing(database, CHANNEL, list_videos(settings), settings)  # 9 is 90 % of 10: allowed
    assert one_less == Retirement(["v2"])


def test_a_channel_without_chunks_has_no_snapshot(database: Database) -> None:
    with pytest.raises(UserError, match="has no chunks"):
        snapshot(database, CHANNEL)


async def test_the_snapshot_holds_counts_and_the_last_date(database: Database, tmp_path: Path) -> None:
    add(tmp_path, "a", date="20240102")
    add(tmp_path, "b", date="20250607")
    await ingest(database, settings_of(tmp_path))
    found = snapshot(database, CHANNEL)
    assert isinstance(found, Corpus)
    assert (found.number, found.videos, found.chunks, found.last_date.isoformat()) == (1, 2, 4, "2025-06-07")


async def test_what_changed_after_it_was_listed_is_read_anew(database: Database, tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    add(tmp_path, "a")
    listing = list_videos(settings)
    add(tmp_path, "a", captions=vtt([(0, 900, "changed")]))
    report = await run_stage(database, chunks_stage(database, CHANNEL, settings, listing))
    assert list(report.errors) == ["talks/a"]
    assert report.errors["talks/a"].startswith("changed_while_reading")
    assert await ingest(database, settings) == {"talks/a": UnitState.DONE}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
async def test_an_unreadable_file_is_quarantined(database: Database, tmp_path: Path) -> None:
    add(tmp_path, "a")
    (tmp_path / "a.en.vtt").chmod(0)
    await ingest(database, settings_of(tmp_path))
    assert [row.code for row in quarantine_rows(database, CHANNEL)] == ["unreadable"]


async def test_problems_of_the_listing_are_in_the_quarantine_while_they_last(
    database: Database, tmp_path: Path
) -> None:
    folder = tmp_path / "channel"
    folder.mkdir()
    add(folder, "a")
    link = folder / "b.en.vtt"
    link.symlink_to(tmp_path / "outside.vtt")
    (tmp_path / "outside.vtt").write_text(vtt(CUES))
    await ingest(database, settings_of(folder))
    assert [(row.file, row.code) for row in quarantine_rows(database, CHANNEL)] == [("b.en.vtt", "link_outside")]
    link.unlink()
    await ingest(database, settings_of(folder))
    assert quarantine_rows(database, CHANNEL) == []


async def test_documents_become_rows_like_videos(database: Database, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\ntitle: Tides\ndate: 2024-01-02\n---\nThe tide rises.\n")
    settings = ChannelSettings(source=DocumentsSource(path=tmp_path))
    assert await ingest(database, settings) == {"talks/a": UnitState.DONE}
    with database.begin() as connection:
        query = "select kind, title, published_precision, chunk_id, spoken_text from videos"
        row = connection.execute(text(f"{query} join chunks using (video_id)")).one()
    assert tuple(row) == ("document", "Tides", "day", "a:00000", "The tide rises.")
    (tmp_path / "a.md").write_text("---\ntitle: Tides\ndate: 2024-01-02\n---\n")
    assert await ingest(database, settings) == {"talks/a": UnitState.BLOCKED}
    assert [(row.file, row.code) for row in quarantine_rows(database, CHANNEL)] == [("a.md", "valid_but_empty")]
