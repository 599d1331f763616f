"""Rows and how they are kept: connections, the embedded Postgres, migrations, `stage_run`."""
