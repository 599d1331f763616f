"""Stretches of time as people write them ("early 2025", "Sept 2025", "mid 2025 - March 2026") as dates.

The table of rules is in docs/gold.md. Nothing is guessed: a text that no rule reads is refused, and words that
depend on today ("last year") or on a company (fiscal years) are not read at all.
"""

from answertrail_pipeline.time_windows.windows import Window, find_windows, parse_window

__all__ = ["Window", "find_windows", "parse_window"]
