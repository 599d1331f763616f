from pathlib import Path

import pytest
from sqlalchemy import text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.settings import load_settings
from answertrail_pipeline.store.database import Database, open_database
from answertrail_pipeline.store.migrate import migrate


def refusal(tmp_path: Path, **environ: str) -> str:
    (tmp_path / "answertrail.toml").write_text("")
    with pytest.raises(UserError) as caught, open_database(load_settings(tmp_path / "answertrail.toml", environ)):
        pass
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_an_unreachable_database_is_one_line_without_the_password(tmp_path: Path) -> None:
    said = refusal(tmp_path, DATABASE_URL="postgresql://u:hush@127.0.0.1:1/x")
    assert "127.0.0.1" in said
    assert "unset it to use the embedded Postgres" in said
    assert "hush" not in said


def test_another_kind_of_database_is_refused(tmp_path: Path) -> None:
    assert "only Postgres with pgvector" in refusal(tmp_path, DATABASE_URL="mysql://u@h/x")
    assert "no database URL" in refusal(tmp_path, DATABASE_URL="nonsense")


def test_a_newer_schema_is_refused(database: Database) -> None:
    with database.begin() as connection:
        connection.execute(text("update alembic_version set version_num = '9999'"))
    with pytest.raises(UserError, match=r"schema 9999.*newer version"):
        migrate(database.engine)


def test_a_server_without_pgvector_is_named(database: Database, tmp_path: Path) -> None:
    url = database.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    (tmp_path / "answertrail.toml").write_text("")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("answertrail_pipeline.store.database.MIN_PGVECTOR", (99, 0))
        assert "at least 99.0 is needed" in refusal(tmp_path, DATABASE_URL=url)
