"""All tasks, for `answertrail tasks` and `answertrail check-model`."""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from answertrail_pipeline import tasks
from answertrail_pipeline.tasks.task import Task


def all_tasks() -> list[Task[Any, Any]]:
    """Return every task, by name: the module `judge` of this package holds `JUDGE`, and so on."""
    names = sorted(module.name for module in iter_modules(tasks.__path__))
    found = (
        getattr(import_module(f"{tasks.__name__}.{name}"), name.upper(), None)
        for name in names
        if name not in ("task", "run_task", "registry")
    )
    return [task for task in found if isinstance(task, Task)]
