"""What `answertrail check-model` found of the models that had a part in a channel's numbers."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, text

from answertrail_pipeline.scoring.types import ModelCheck
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.tasks.check_model.check import ITEMS, RULES_ONLY

Use = tuple[str, str, str]
"""A model, the task that it did, and the hash of the task's prompt."""
SCORED_WITH = (
    "assertions", "compose_factual", "compose_longitudinal", "extract_claims", "ground_question", "miss_kind",
    "select_claims", "write_nuggets",
)  # fmt: skip
"""Tasks behind a scoreboard of a channel; judge and agent differ from arm to arm and are told there."""
CHECKED = tuple(name for name in sorted(ITEMS) if name not in RULES_ONLY)
"""Tasks that a model can be put to."""


def load_uses(connection: Connection, channel: str, tasks: Sequence[str] = CHECKED) -> list[Use]:
    """Return which models did which tasks for a channel, by model and task."""
    rows = connection.execute(
        text(read_sql("queries/models_used.sql")), {"channel": channel, "tasks": list(tasks)}
    )
    return [(row.model, row.task, row.prompt_hash) for row in rows]


def load_checks(connection: Connection) -> list[ModelCheck]:
    """Return what was found, by model and task."""
    rows = connection.execute(text(read_sql("queries/model_checks.sql")))
    return [ModelCheck(**row._mapping) for row in rows]


def check_notes(used: Iterable[Use], checks: Iterable[ModelCheck]) -> list[str]:
    """Return for each model how many items of its tasks it got right before, or that nobody checked it."""
    found = {(one.model, one.task, one.prompt_hash): one for one in checks}
    by_model: dict[str, list[str]] = {}
    for use in sorted(set(used)):
        one = found.get(use)
        kappa = "" if one is None or one.kappa is None else f", kappa {one.kappa:.2f}"
        said = f"checked {one.right}/{one.items} {use[1]}{kappa}" if one else f"unchecked ({use[1]})"
        by_model.setdefault(use[0], []).append(said)
    return [f"model {model}: {'; '.join(said)}" for model, said in by_model.items()]
