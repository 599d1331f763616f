"""The command `answertrail`. Thin: it reads arguments, calls the pipeline and prints."""

from answertrail_pipeline.cli.main import main

__all__ = ["main"]
