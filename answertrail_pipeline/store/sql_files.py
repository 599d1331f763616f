"""Where the SQL that a person can read lives: `sql/` beside the package, or inside it once installed."""

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def sql_dir() -> Path:
    """Return the folder `sql/`."""
    installed = _PACKAGE / "sql"
    return installed if installed.is_dir() else _PACKAGE.parent / "sql"


@cache
def read_sql(name: str) -> str:
    """Return the text of a statement under `sql/`, such as `search/dense.sql`."""
    return (sql_dir() / name).read_text("utf-8")
