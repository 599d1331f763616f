"""Backup and restore, as docs/operations.md says it: elsewhere, the same scoreboard byte for byte, nothing due."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from answertrail_pipeline.store.postgres import EmbeddedPostgres
from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.rows import all_rows

pytestmark = pytest.mark.slow


def answertrail(workplace: Workplace, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "answertrail_pipeline.cli", "--config", str(workplace.root / "answertrail.toml"),
         *arguments],
        env=os.environ | workplace.urls, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(workplace: Workplace) -> dict[str, list[str]]:
    with workplace.environment(), workplace.open() as project, project.database.begin() as connection:
        return all_rows(connection)


def test_a_restored_evaluation_scores_the_same_bytes(
    workplace: Workplace, second_workplace: Workplace, server: EmbeddedPostgres, tmp_path: Path
) -> None:
    workplace.freeze()
    answertrail(workplace, "run", "-q")
    answertrail(workplace, "export", str(tmp_path / "export"), "--bundle", str(tmp_path / "before.zip"))
    before = answertrail(workplace, "score", "--json")

    def postgres(program: str, workplace: Workplace, *arguments: str) -> None:
        url = workplace.urls["DATABASE_URL"].replace("postgresql+psycopg://", "postgresql://")
        subprocess.run([server.bin_dir / program, "-d", url, *arguments], check=True, timeout=300)

    dump = tmp_path / "answertrail.dump"
    postgres("pg_dump", workplace, "--format=custom", "--no-owner", "--file", str(dump))
    postgres("pg_restore", second_workplace, "--clean", "--if-exists", "--no-owner", "--exit-on-error", str(dump))

    assert rows(second_workplace) == rows(workplace)
    assert answertrail(second_workplace, "score", "--json") == before
    answertrail(second_workplace, "export", str(tmp_path / "again"), "--bundle", str(tmp_path / "after.zip"))
    assert (tmp_path / "after.zip").read_bytes() == (tmp_path / "before.zip").read_bytes()
    for bundle in ("before.zip", "after.zip"):
        assert "The same scoreboard, byte for byte." in answertrail(workplace, "rescore", str(tmp_path / bundle))
    # The captions lie elsewhere now and are the same, so nothing is done again but the report's files.
    assert "nothing to do, everything is up to date" in answertrail(second_workplace, "run")
