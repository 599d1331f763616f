"""Dagster's own Postgres storage, which reads a list of partitions anew only when it has changed.

An automation tick asks for the list once a node of every condition: at 10,000 partitions 241 times, which is nine
tenths of an idle tick (docs/scale.md). Only who reads `dagster.yaml` has it; runs are given the plain storage.
"""

import time
from collections.abc import Sequence
from typing import NamedTuple

from dagster._config.config_schema import UserConfigSchema
from dagster._core.storage.event_log.schema import DynamicPartitionsTable
from dagster._serdes import ConfigurableClassData
from dagster_postgres import DagsterPostgresStorage, PostgresEventLogStorage
from dagster_postgres.utils import pg_config, pg_url_from_config
from sqlalchemy import func, select

ASK_AGAIN_SECONDS = 1.0


class _List(NamedTuple):
    version: tuple[int, int | None]
    keys: tuple[str, ...]
    asked_at: float


class EventLogStorage(PostgresEventLogStorage):
    """Keeps each list of dynamic partitions with the number of its rows and its newest id.

    A partition that was added, deleted, or deleted and added again changes one of the two, whoever did it. Within
    a second the list is not even asked after: each question opens a connection, and a tick has hundreds.
    """

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
