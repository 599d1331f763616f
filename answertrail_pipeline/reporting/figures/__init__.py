"""The figures of the report: one module each, drawn from the scoreboard and nothing else."""
