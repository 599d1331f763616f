"""What a task is. `run_task` (tasks/run_task.py) is the only way to have one done."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from answertrail_pipeline.hashing import fingerprint

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)


@dataclass(frozen=True)
class Task(Generic[In, Out]):
    """One kind of model work.

    Attributes:
        name: the module's name; `NAME.md` beside it is the system prompt.
        version: raised by hand when `render`, `baseline` or `check` change what comes out.
        render: the user message for an input. Texts that are not ours are fenced (tasks/fence.py) and come
            first, so that providers can cache them.
        baseline: the rules that do the work without a model: deterministic, and the floor for every model.
        check: what is wrong with an output beyond its schema (ids that do not match the input, ...); empty where
            nothing is.
    """

    name: str
    version: str
    input_type: type[In]
    output_type: type[Out]
    render: Callable[[In], str]
    baseline: Callable[[In], Out]
    check: Callable[[In, Out], list[str]] = lambda _given, _made: []

    @cached_property
    def system_prompt(self) -> str:
        """The text of the prompt file."""
        return files("answertrail_pipeline.tasks").joinpath(f"{self.name}.md").read_text("utf-8").strip()

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """JSON schema of the output."""
        return self.output_type.model_json_schema()

    @cached_property
    def prompt_hash(self) -> str:
        """Fingerprint of everything that shapes a reply, but for the model and the input."""
        return fingerprint(self.name, self.version, self.system_prompt, self.output_schema)
