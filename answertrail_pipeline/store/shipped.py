"""Files that lie beside the package in a checkout, and inside it once installed: `sql/`, `dagster.yaml`, ..."""

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def shipped(name: str) -> Path:
    """Return the path of a shipped file or folder, such as `sql` or `examples/demo`."""
    installed = _PACKAGE / name
    return installed if installed.exists() else _PACKAGE.parent / name


@cache
def read_sql(name: str) -> str:
    """Return the text of a statement under `sql/`, such as `search/dense.sql`."""
    return (shipped("sql") / name).read_text("utf-8")
