"""A door that makes no call: it finds out which calls a stage would make, by running the stage's own code."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.models.calls import Try
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.estimate import Quote
from answertrail_pipeline.models.ledger import Ledger
from answertrail_pipeline.models.ledger_rows import CallToMake
from answertrail_pipeline.models.types import Account, ChatReply, EmbedRequest
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.stage_run import Stage, due

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)


class NotMadeError(Exception):
    """The call is not in the ledger and was only noted."""


@dataclass(frozen=True)
class PlannedCall:
    """A call that would be made, and what it may cost."""

    stage: str
    task: str
    model: str
    quote: Quote


class DryDoor(Door):
    """Answers from the ledger, notes every other call in `planned`, and writes nothing.

    `run_task` goes on with the rules' output in place of a reply that was not asked for, so that every call of
    a unit is seen. What hangs on a reply (a repair, the kind of a miss) is seen as the rules would have it.
    """

    def __init__(self, database: Database, settings: Settings) -> None:
        super().__init__(database, settings)
        self.planned: dict[str, PlannedCall] = {}
        self._calls = _Noting(self._ledger, self.planned)

    async def _embed(self, request: EmbedRequest, account: Account) -> "NDArray[np.float32]":
        import numpy as np

        try:
            return await super()._embed(request, account)
        except NotMadeError:
            return np.zeros((len(request.texts), request.role.dimensions or 1), np.float32)

    async def by_rules(
        self,
        task: str,
        version: str,
        prompt_hash: str,
        given: In,
        rules: Callable[[In], Out],
        account: Account,
    ) -> tuple[Out, str]:
        """Run the rules and record nothing."""
        return rules(given), ""


class _Noting:
    """In the place of `Calls`. A call that is asked for twice is noted once, as it would be made once."""

    def __init__(self, ledger: Ledger, planned: dict[str, PlannedCall]) -> None:
        self._ledger = ledger
        self._planned = planned

    async def reply(self, call: CallToMake, attempt: Try, quote: Callable[[], Quote]) -> ChatReply:
        [stored] = self._ledger.look_up([call.call_key])
        if stored is not None:
            return stored
        if call.call_key not in self._planned:
            self._planned[call.call_key] = PlannedCall(call.account.stage, call.task, call.model, quote())
        raise NotMadeError

    async def close(self) -> None:
        pass


@dataclass(frozen=True)
class StagePlan:
    """What one stage would do now.

    Attributes:
        units: how many would be computed.
        calls: the model calls that they would make, each once.
        unseen: units that a rehearsal cannot follow: each call of an agent depends on the reply before it.
    """

    stage: str
    units: int
    calls: tuple[PlannedCall, ...]
    unseen: int = 0


async def plan_stage(door: DryDoor, stage: Stage, keys: Iterable[str] | None = None) -> StagePlan:
    """Rehearse a stage: compute every unit that is due, without a model call and without writing anything.

    Args:
        stage: made with this door.
    """
    todo, _ = due(door.database, stage, keys)
    before = set(door.planned)
    unseen = 0
    for unit in todo:
        if unit.blocked:
            continue
        try:
            await stage.compute(unit)
        except NotMadeError:
            unseen += 1
        except UnitError:
            continue  # it would fail at this point without a further call
    made = tuple(call for key, call in door.planned.items() if key not in before)
    return StagePlan(stage.name, sum(not unit.blocked for unit in todo), made, unseen)
