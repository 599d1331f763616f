"""What happens while an agent works: one stream of typed events, read by the live view and kept as the trail.

Events hold no times, so that the stored trail of a deterministic agent is the same at every run.
"""

from collections.abc import Callable
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter


class _Event(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Started(_Event):
    """The agent was asked."""

    kind: Literal["started"] = "started"
    question: str
    agent: str
    model: str


class StepStarted(_Event):
    """A turn of the loop began."""

    kind: Literal["step_started"] = "step_started"
    step: int


class ModelReplied(_Event):
    """A model, or the rules in its place, replied; `call_key` names the row of the ledger."""

    kind: Literal["model_replied"] = "model_replied"
    purpose: Literal["plan", "step", "answer"]
    model: str
    call_key: str


class SearchStarted(_Event):
    """A search was sent. `repeated`: the same words and window as an earlier one of this trail."""

    kind: Literal["search_started"] = "search_started"
    number: int
    step: int
    query: str
    since: date | None = None
    until: date | None = None
    subqueries: tuple[str, ...] = ()
    repeated: bool = False


class SearchFinished(_Event):
    """A search came back: chunks in order of rank, how many of them were new and seen before."""

    kind: Literal["search_finished"] = "search_finished"
    number: int
    chunk_ids: tuple[str, ...]
    new: int
    seen: int
    coverage: tuple[dict[str, Any], ...] = ()
    log: dict[str, Any] = Field(default_factory=dict)


class ToolRefused(_Event):
    """A tool call could not be carried out; the model was told why."""

    kind: Literal["tool_refused"] = "tool_refused"
    step: int
    tool: str
    problem: str


class ReadyRefused(_Event):
    """The agent wanted to answer before it had looked enough."""

    kind: Literal["ready_refused"] = "ready_refused"
    step: int
    count: int
    reason: str


class GatheringEnded(_Event):
    """The search for evidence is over, and why."""

    kind: Literal["gathering_ended"] = "gathering_ended"
    step: int
    reason: Literal["ready", "nothing_new", "budget", "one_search", "everything_read"]
    chunks: int


class AnswerRejected(_Event):
    """The written answer broke a rule of citation; the writer was told why."""

    kind: Literal["answer_rejected"] = "answer_rejected"
    attempt: int
    answer: str
    problems: tuple[str, ...]


class AnswerFinished(_Event):
    """The answer stands."""

    kind: Literal["answer_finished"] = "answer_finished"
    answer: str
    citations: tuple[str, ...]
    abstained: bool


class Failed(_Event):
    """No answer could be had."""

    kind: Literal["failed"] = "failed"
    code: str
    message: str


Event = Annotated[
    Started
    | StepStarted
    | ModelReplied
    | SearchStarted
    | SearchFinished
    | ToolRefused
    | ReadyRefused
    | GatheringEnded
    | AnswerRejected
    | AnswerFinished
    | Failed,
    Field(discriminator="kind"),
]
EVENTS: TypeAdapter[tuple[Event, ...]] = TypeAdapter(tuple[Event, ...])
"""Reads stored events back into their types."""
Listener = Callable[[dict[str, Any]], None]


def no_listener(_event: dict[str, Any]) -> None:
    """Listen to nothing."""


class Recorder:
    """Keeps a trail's events in order and tells the listener of each as it happens."""

    def __init__(self, listener: Listener = no_listener) -> None:
        self.events: list[Event] = []
        self._listener = listener

    def record(self, event: Event) -> None:
        """Add an event."""
        self.events.append(event)
        self._listener(event.model_dump(mode="json"))

    def as_json(self) -> tuple[dict[str, Any], ...]:
        """Return all events as JSON objects."""
        return tuple(event.model_dump(mode="json") for event in self.events)

    def count(self, kind: str) -> int:
        """Return how many events of a kind there were."""
        return sum(event.kind == kind for event in self.events)
