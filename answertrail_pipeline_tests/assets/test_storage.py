"""Dagster's storage with a list of partitions that is read once, and never an old one."""

import pytest

from answertrail_pipeline.assets.storage import EventLogStorage
from answertrail_pipeline.store.database import Database


def test_a_list_is_read_once_and_anew_when_anybody_changed_it(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("answertrail_pipeline.assets.storage.ASK_AGAIN_SECONDS", 0.0)
    url = database.dagster_url.render_as_string(hide_password=False)
    ours, theirs = EventLogStorage(url), EventLogStorage(url)
    assert ours.get_dynamic_partitions("videos") == []
    theirs.add_dynamic_partitions("videos", ["a", "b"])
    assert ours.get_dynamic_partitions("videos") == ["a", "b"]
    assert ours.get_dynamic_partitions("runs") == [], "each definition has its own list"
    kept = ours._lists["videos"].keys
    list(ours.get_dynamic_partitions("videos")).append("not ours to keep")
    assert ours.get_dynamic_partitions("videos") == ["a", "b"]
    assert ours._lists["videos"].keys is kept, "it was not read again"
    theirs.delete_dynamic_partition("videos", "b")
    assert ours.get_dynamic_partitions("videos") == ["a"]
    theirs.delete_dynamic_partition("videos", "a")
    theirs.add_dynamic_partitions("videos", ["c"])
    assert ours.get_dynamic_partitions("videos") == ["c"], "as many as before, but another"
    monkeypatch.setattr("answertrail_pipeline.assets.storage.ASK_AGAIN_SECONDS", 60.0)
    theirs.add_dynamic_partitions("videos", ["d"])
    assert ours.get_dynamic_partitions("videos") == ["c"], "within a while nobody asks"
    ours.add_dynamic_partitions("videos", ["e"])
    assert ours.get_dynamic_partitions("videos") == ["c", "d", "e"], "but of course after a change of one's own"
    ours.dispose()
    theirs.dispose()
