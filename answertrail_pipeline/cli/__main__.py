"""`python -m answertrail_pipeline.cli` is the command `answertrail`."""

from answertrail_pipeline.cli.main import main

main()
