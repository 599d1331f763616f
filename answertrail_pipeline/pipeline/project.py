"""A project at work: its settings, its database, and the door to models."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.embedders import Embedder, load_embedder
from answertrail_pipeline.settings import ChannelSettings, Settings, find_config, load_settings
from answertrail_pipeline.store.database import Database, open_database

T = TypeVar("T")


@dataclass(frozen=True)
class Project:
    """Everything that the steps share."""

    settings: Settings
    database: Database
    door: Door
    _embedders: dict[str, Embedder] = field(default_factory=dict)

    def channel(self, name: str) -> ChannelSettings:
        """Return a channel's settings; raises `UserError` for an unknown one."""
        return self.settings.channel(name)

    def embedder(self, channel: str) -> Embedder:
        """Return the embedding model for a channel's language, loaded once."""
        if channel not in self._embedders:
            language = self.channel(channel).language
            self._embedders[channel] = load_embedder(self.settings.models.embed, language, self.door, channel)
        return self._embedders[channel]

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run asynchronous work on one event loop, which also closes the door's connections."""

        async def with_door() -> T:
            try:
                return await work
            finally:
                await self.door.close()

        return asyncio.run(with_door())


@contextmanager
def open_project(config: Path | None = None) -> Iterator[Project]:
    """Open the project of a configuration file (found as `find_config` does where None).

    Raises:
        UserError: the configuration does not fit, or the database cannot be used.
    """
    settings = load_settings(config.absolute() if config else find_config())
    with open_database(settings) as database:
        yield Project(settings, database, Door(database, settings))
