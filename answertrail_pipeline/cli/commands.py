"""All commands; importing this registers them."""

from answertrail_pipeline.cli import (
    check_model,
    demo,
    dev,
    evaluate,
    gold,
    init,
    operate,
    politnuggets,
    run,
    share,
    status,
    workbench,
)

__all__ = [
    "check_model",
    "demo",
    "dev",
    "evaluate",
    "gold",
    "init",
    "operate",
    "politnuggets",
    "run",
    "share",
    "status",
    "workbench",
]
