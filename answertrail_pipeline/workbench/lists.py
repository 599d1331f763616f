"""Long lists, a page at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from answertrail_pipeline.workbench.evidence import run_query
from answertrail_pipeline.workbench.visit import PAGE, Visit


@dataclass(frozen=True)
class Listed:
    """One page of a list: its rows, which of how many, and what was searched for."""

    rows: Sequence[Mapping[str, Any]]
    total: int
    number: int
    find: str

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return max(1, -(-self.total // PAGE))


def listed(connection: Connection, visit: Visit, query: str, **values: Any) -> Listed:
    """Return the page of a list that a visit asks for with `page` and `find`."""
    number, find = visit.number("page"), visit.asked("find").strip()[:200]
    rows = run_query(
        connection,
        query,
        channel=visit.channel,
        find=find,
        page=PAGE,
        offset=(number - 1) * PAGE,
        **values,
    )
    return Listed(rows, rows[0]["total"] if rows else 0, number, find)
