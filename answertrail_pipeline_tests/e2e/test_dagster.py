"""Dagster on top: sensor, automation, batch runs and the events that the command line owes."""

from pathlib import Path
from typing import Any

import dagster as dg

from answertrail_pipeline.assets.outbox import report_all
from answertrail_pipeline.definitions import build_defs
from answertrail_pipeline.pipeline.run import run_channels
from answertrail_pipeline.pipeline.watch import Silent
from answertrail_pipeline_tests.e2e.library import SPEECH, write_video
from answertrail_pipeline_tests.e2e.orchestra import Orchestra

VIDEOS = [f"bridges/{video_id}" for video_id in sorted(SPEECH)]


def test_what_the_command_line_did_is_nothing_to_do_for_the_daemon(orchestra: Orchestra) -> None:
    orchestra.workplace.freeze()
    with orchestra.workplace.open() as project:
        project.run(run_channels(project, ["bridges"], "people", Silent()))
        assert report_all(orchestra.instance, project) > 6
        assert report_all(orchestra.instance, project) == 0, "each event is told once"
    assert orchestra.instance.get_materialized_partitions(dg.AssetKey("claims")) == set(VIDEOS)
    assert len(orchestra.instance.get_dynamic_partitions("runs")) == 2
    assert orchestra.tick() == {}


def test_from_a_new_upload_to_its_claims(orchestra: Orchestra) -> None:
    assert orchestra.sense() == "6 events reported"
    assert orchestra.sense() == "0 events reported"
    requested = orchestra.tick()
    assert requested["chunks"] == set(VIDEOS)
    assert orchestra.materialize("chunks", "embeddings", "claims", partitions=VIDEOS).success
    assert orchestra.tick().keys() == {"term_stats", "threads"}
    assert orchestra.materialize("term_stats", "threads").success
    assert orchestra.tick() == {}

    day, speech = SPEECH["paint-00004"]
    write_video(orchestra.workplace.captions, "paint-00004", day, speech.replace("41 litres", "43 litres"))
    assert orchestra.sense() == "1 events reported"
    assert orchestra.tick() == {"chunks": {"bridges/paint-00004"}}
    assert orchestra.materialize("chunks", partitions=["bridges/paint-00004"]).success
    changed = orchestra.tick()
    assert changed == {name: {"bridges/paint-00004"} for name in ("embeddings", "claims")}


def test_a_cosmetic_change_stops_at_the_chunks(orchestra: Orchestra) -> None:
    orchestra.sense()
    orchestra.tick()
    orchestra.materialize("chunks", "embeddings", "claims", partitions=VIDEOS)
    orchestra.tick()
    path = orchestra.workplace.captions / "paint-00001.en.srt"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    orchestra.sense()
    assert orchestra.tick()["chunks"] == {"bridges/paint-00001"}
    assert orchestra.materialize("chunks", partitions=["bridges/paint-00001"]).success
    assert not orchestra.tick().keys() & {"chunks", "embeddings", "claims"}


def test_a_batch_run_gives_each_partition_its_own_data_version_and_runs_the_checks(orchestra: Orchestra) -> None:
    orchestra.sense()
    result = orchestra.materialize("chunks", "embeddings", "claims", partitions=VIDEOS)
    versions = {
        (event.asset_key.to_user_string(), event.partition): event.materialization.tags["dagster/data_version"]  # type: ignore[union-attr]
        for event in result.get_asset_materialization_events()
        if event.asset_key
    }
    assert len(versions) == 18
    assert len({version for (asset, _), version in versions.items() if asset == "chunks"}) == 6
    checks = {check.check_name: check.passed for check in result.get_asset_check_evaluations()}
    assert checks == dict.fromkeys(
        (
            "captions_readable",
            "chunk_windows",
            "words_covered",
            "embeddings_complete",
            "embeddings_of_one_model",
            "claim_citations",
            "claims_per_video",
        ),
        True,
    )


def test_an_asset_shows_some_of_its_rows_and_where_to_read_on(orchestra: Orchestra) -> None:
    orchestra.workplace.freeze()
    with orchestra.workplace.open() as project:
        project.run(run_channels(project, ["bridges"], "people", Silent()))
        report_all(orchestra.instance, project)

    def metadata(asset: str, partition: str | None = None) -> dict[str, Any]:
        records = orchestra.instance.fetch_materializations(
            dg.AssetRecordsFilter(dg.AssetKey(asset), asset_partitions=[partition] if partition else None), limit=1
        )
        event = records.records[0].asset_materialization
        assert event
        return {name: value.value for name, value in event.metadata.items()}

    chunks = metadata("chunks", "bridges/paint-00004")
    assert any("The Orn Bridge needs 41 litres" in said for said in chunks["samples"])
    assert chunks["in the workbench"] == "http://127.0.0.1:3001/c/bridges/videos/paint-00004"
    [run] = [key for key in orchestra.instance.get_dynamic_partitions("runs") if "single-shot" in key]
    assert any("318 rivets" in said for said in metadata("agent_runs", run)["samples"])
    assert len(metadata("verdicts", run)["samples"]) == 3
    assert Path(metadata("report")["report of bridges"]).is_file()


def test_one_bad_file_fails_its_check_and_not_the_batch(orchestra: Orchestra) -> None:
    (orchestra.workplace.captions / "paint-00003.en.srt").write_bytes(b"")
    orchestra.sense()
    result = orchestra.materialize("chunks", "embeddings", "claims", partitions=VIDEOS)
    assert result.success
    assert orchestra.instance.get_materialized_partitions(dg.AssetKey("claims")) == set(VIDEOS) - {
        "bridges/paint-00003"
    }
    [readable] = [c for c in result.get_asset_check_evaluations() if c.check_name == "captions_readable"]
    assert not readable.passed
    assert "paint-00003" in str(readable.metadata["examples"].value)


def test_every_asset_is_described_and_owned() -> None:
    for key, spec in {s.key: s for s in build_defs().resolve_all_asset_specs()}.items():
        assert spec.description, key
        assert spec.owners, key
        assert spec.group_name != "default", key
        assert spec.code_version, key
