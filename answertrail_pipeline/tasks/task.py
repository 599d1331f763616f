"""What a task is. `run_task` (tasks/run_task.py) is the only way to have one done."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.tasks.fence import FENCE_RULE

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
    def full_system_prompt(self) -> str:
        """The prompt file, what is said about fenced text, and the form of the reply with its schema.

        The schema is in the words too: not every provider enforces one.
        """
        schema = json.dumps(self.output_schema, sort_keys=True, ensure_ascii=False)
        form = f"Reply with one JSON object and nothing else. It must fit this JSON schema:\n{schema}"
        return f"{self.system_prompt}\n\n{FENCE_RULE}\n\n{form}"

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """JSON schema of the output."""
        return self.output_type.model_json_schema()

    @cached_property
    def prompt_hash(self) -> str:
        """Fingerprint of everything that shapes a reply, but for the model, its parameters and the input."""
        return fingerprint(self.name, self.version, self.full_system_prompt)
