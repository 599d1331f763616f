"""All commands; importing this registers them."""

from answertrail_pipeline.cli import demo, dev, evaluate, gold, init, run, status

__all__ = ["demo", "dev", "evaluate", "gold", "init", "run", "status"]
