"""How a long pass tells what it is doing, without knowing who listens."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from answertrail_pipeline.store.stage_run import StageReport, Unit, UnitState


class Listeners(NamedTuple):
    """Called while one stage runs."""

    on_due: Callable[[int], None]
    on_unit: Callable[[Unit, UnitState], None]


NOBODY = Listeners(lambda _count: None, lambda _unit, _state: None)


class Watcher(Protocol):
    """Somebody who shows progress: a terminal, Dagster's log, or nobody.

    `where` is a channel, or the key of a run.
    """

    def starts(self, where: str, stage: str) -> Listeners:
        """A stage starts; return whom to tell."""
        ...

    def ends(self, where: str, report: StageReport, seconds: float) -> None:
        """A stage ended."""
        ...

    def says(self, where: str, message: str) -> None:
        """Something happened that is no stage."""
        ...


class Silent:
    """Nobody watches."""

    def starts(self, _where: str, _stage: str) -> Listeners:
        """Return listeners that do nothing."""
        return NOBODY

    def ends(self, _where: str, _report: StageReport, _seconds: float) -> None:
        """Do nothing."""

    def says(self, _where: str, _message: str) -> None:
        """Do nothing."""
