"""When Dagster launches something by itself: content changed, not time passed (docs/dagster.md)."""

from typing import Any

import dagster as dg

AC = dg.AutomationCondition


def on_changed_video() -> dg.AutomationCondition[Any]:
    """A partition is due when an input's data version changed, it is missing, or the code changed."""
    missing = AC.missing() & (AC.missing().newly_true() | AC.initial_evaluation())
    due = AC.any_deps_match(AC.data_version_changed()) | missing | AC.code_version_changed()
    return due.since(AC.newly_requested() | AC.newly_updated()) & ~AC.any_deps_missing() & _idle()


def on_changed_channel() -> dg.AutomationCondition[Any]:
    """An unpartitioned asset is due when any input changed; a missing (quarantined) video never blocks it."""
    due = AC.any_deps_match(AC.data_version_changed())
    return due.since(AC.newly_requested() | AC.newly_updated()) & _idle()


def _idle() -> dg.AutomationCondition[Any]:
    return ~AC.any_deps_in_progress() & ~AC.in_progress()
