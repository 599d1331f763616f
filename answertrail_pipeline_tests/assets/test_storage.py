"""Dagster's storage with a list of partitions that is read once, and never an old one."""

import pytest
from sqlalchemy import text

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


def test_a_connection_is_kept_but_not_trusted(database: Database) -> None:
    storage = EventLogStorage(database.dagster_url.render_as_string(hide_password=False))

    def process() -> int:
        with storage.index_connection() as connection:
            return int(connection.execute(text("select pg_backend_pid()")).scalar_one())

    first = process()
    assert process() == first
    with database.begin() as connection:  # as after a restart of the server
        connection.execute(text("select pg_terminate_backend(:first, 5000)"), {"first": first})
    assert process() != first
    assert not storage.has_table("made_later")
    with storage.index_connection() as connection:
        connection.execute(text("create table made_later ()"))
    assert storage.has_table("made_later")
    storage.dispose()
