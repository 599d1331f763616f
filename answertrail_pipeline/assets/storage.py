"""Dagster's own Postgres storage, which keeps what it would ask for or open anew hundreds of times.

An automation tick asks for the list of partitions once a node of every condition: at 10,000 partitions 241 times,
which is nine tenths of an idle tick (docs/scale.md). An event opens three connections and asks whether a table is
there.
Only who reads `dagster.yaml` has this storage; runs are given the plain one.
"""

import time
from collections.abc import Sequence
from typing import NamedTuple

from dagster._config.config_schema import UserConfigSchema
from dagster._core.storage.event_log.schema import DynamicPartitionsTable
from dagster._serdes import ConfigurableClassData
from dagster_postgres import DagsterPostgresStorage, PostgresEventLogStorage
from dagster_postgres.utils import create_pg_engine, pg_config, pg_url_from_config
from sqlalchemy import func, select

ASK_AGAIN_SECONDS = 1.0


class _List(NamedTuple):
    version: tuple[int, int | None]
    keys: tuple[str, ...]
    asked_at: float


class EventLogStorage(PostgresEventLogStorage):
    """Keeps a connection, the names of tables, and each list of dynamic partitions with its size and newest id.

    A partition that was added, deleted, or deleted and added again changes one of the two, whoever did it. Within
    a second the list is not even asked after: each question opens a connection, and a tick has hundreds.
    """

    def __init__(self, postgres_url: str) -> None:
        super().__init__(postgres_url)
        self._engine = create_pg_engine(
            postgres_url, isolation_level="AUTOCOMMIT", pool_size=1, pool_pre_ping=True, max_overflow=-1
        )
        self._tables: set[str] = set()

    def has_table(self, table_name: str) -> bool:
        """Return whether a table is there; one that was is not asked after again."""
        if table_name not in self._tables and super().has_table(table_name):
            self._tables.add(table_name)
        return table_name in self._tables

    def get_dynamic_partitions(self, partitions_def_name: str) -> Sequence[str]:
        """Return the keys of a partition definition."""
        known = self._lists.get(partitions_def_name)
        if known is None or time.monotonic() - known.asked_at >= ASK_AGAIN_SECONDS:
            known = self._ask(partitions_def_name, known)
            self._lists[partitions_def_name] = known
        return list(known.keys)

    def add_dynamic_partitions(self, partitions_def_name: str, partition_keys: Sequence[str]) -> None:
        """Add partitions; the list is read anew at once."""
        super().add_dynamic_partitions(partitions_def_name, partition_keys)
        self._lists.pop(partitions_def_name, None)

    def delete_dynamic_partition(self, partitions_def_name: str, partition_key: str) -> None:
        """Delete a partition; the list is read anew at once."""
        super().delete_dynamic_partition(partitions_def_name, partition_key)
        self._lists.pop(partitions_def_name, None)

    def dispose(self) -> None:
        """Close what is open."""
        super().dispose()
        self._engine.dispose()

    @property
    def _lists(self) -> dict[str, _List]:
        lists: dict[str, _List] = self.__dict__.setdefault("_partition_lists", {})
        return lists

    def _ask(self, name: str, known: _List | None) -> _List:
        now, version = time.monotonic(), self._version(name)
        if known is not None and known.version == version:
            return known._replace(asked_at=now)
        return _List(version, tuple(super().get_dynamic_partitions(name)), now)

    def _version(self, name: str) -> tuple[int, int | None]:
        table = DynamicPartitionsTable
        query = select(func.count(), func.max(table.c.id)).where(table.c.partitions_def_name == name)
        with self.index_connection() as connection:
            count, newest = connection.execute(query).one()
        return int(count), newest


class Storage(DagsterPostgresStorage):
    """All of Dagster's storage in one Postgres database."""

    def __init__(self, postgres_url: str, inst_data: ConfigurableClassData | None = None) -> None:
        super().__init__(postgres_url, inst_data=inst_data)
        self._event_log_storage = EventLogStorage(postgres_url)

    @classmethod
    def config_type(cls) -> UserConfigSchema:
        """Return what the configuration may hold."""
        return pg_config()

    @classmethod
    def from_config_value(  # type: ignore[override]
        cls, inst_data: ConfigurableClassData | None, config_value: dict[str, str]
    ) -> "Storage":
        """Make the storage from its configuration."""
        return cls(pg_url_from_config(config_value), inst_data)
