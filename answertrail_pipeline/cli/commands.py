"""All commands; importing this registers them."""

from answertrail_pipeline.cli import (
    check_model,
    demo,
    dev,
    doctor,
    evaluate,
    gold,
    init,
    judging,
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
    "doctor",
    "evaluate",
    "gold",
    "init",
    "judging",
    "operate",
    "politnuggets",
    "run",
    "share",
    "status",
    "workbench",
]
