"""All rows of a project's database but for ids and times, to compare two passes."""

import json

from sqlalchemy import Connection, text

IDS = {"adjudication_id", "label_id", "pass_id", "undoes", "seen", "unit"}
TIMES = {
    "checked_at",
    "declared_at",
    "decided_at",
    "drawn_at",
    "finished_at",
    "frozen_at",
    "labelled_at",
    "made_at",
    "seen_at",
    "started_at",
}
NOT_COMPARED = IDS | TIMES | {"latency_ms", "lease_until", "reported_hash", "tries"}
TABLES_NOT_COMPARED = {"alembic_version", "timings", "model_slots"}


def all_rows(connection: Connection) -> dict[str, list[str]]:
    """Return every table's rows as sorted JSON lines, without ids and times."""
    tables = connection.execute(
        text("select table_name from information_schema.tables where table_schema = 'public' order by 1")
    ).scalars()
    rows = {}
    for table in tables:
        if table not in TABLES_NOT_COMPARED:
            found = connection.execute(text(f'select to_jsonb(t) from "{table}" t')).scalars()
            kept = ({k: v for k, v in row.items() if k not in NOT_COMPARED} for row in found)
            rows[table] = sorted(json.dumps(row, sort_keys=True) for row in kept)
    return rows
