"""Writing many rows at once, with every value bound."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, column, delete, insert, table, text
from sqlalchemy.dialects.postgresql import insert as upsert


def insert_rows(
    connection: Connection, name: str, rows: Sequence[Mapping[str, Any]], *, skip_existing: bool = False
) -> None:
    """Insert rows, all with the same columns, into a table.

    JSON columns take `psycopg.types.json.Jsonb` values, `halfvec` columns take pgvector's text form.

    Args:
        skip_existing: leave a row alone that is there already (content-keyed tables).
    """
    if not rows:
        return
    target = table(name, *(column(key) for key in rows[0]))
    if skip_existing:
        connection.execute(upsert(target).on_conflict_do_nothing(), [dict(row) for row in rows])
    else:
        connection.execute(insert(target), [dict(row) for row in rows])


def delete_rows(connection: Connection, name: str, where: Mapping[str, Any]) -> None:
    """Delete the rows whose columns equal the values of `where`."""
    target = table(name, *(column(key) for key in where))
    connection.execute(delete(target).where(and_(*(target.c[key] == value for key, value in where.items()))))


def replace_rows(
    connection: Connection, name: str, where: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]
) -> None:
    """Replace the rows of one unit: delete what `where` names, insert `rows`.

    Two processes that replace the same rows do it one after the other; between deleting and inserting, neither
    would see what the other has inserted.
    """
    place = repr((name, sorted(where.items())))
    connection.execute(text("select pg_advisory_xact_lock(hashtextextended(:place, 0))"), {"place": place})
    delete_rows(connection, name, where)
    insert_rows(connection, name, list(rows))
