"""`answertrail export`: for other programs, for a third party who scores again, or both."""

from pathlib import Path

from typer.testing import CliRunner, Result

from answertrail_pipeline.cli import commands  # noqa: F401  # registers the commands on `app`
from answertrail_pipeline.cli.main import app
from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.test_run import run


def command(workplace: Workplace, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["--config", str(workplace.root / "answertrail.toml"), *arguments])


def test_a_folder_and_a_bundle_are_written_each_on_request(workplace: Workplace, tmp_path: Path) -> None:
    workplace.freeze()
    run(workplace)
    folder, bundle, both = tmp_path / "files", tmp_path / "alone.zip", tmp_path / "both"
    assert command(workplace, "export", str(folder)).exit_code == 0
    assert command(workplace, "export", "--bundle", str(bundle)).exit_code == 0
    assert command(workplace, "export", str(both), "--bundle", str(tmp_path / "two.zip")).exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == sorted(path.name for path in both.iterdir()) != []
    again = command(workplace, "rescore", str(bundle))
    assert again.exit_code == 0, again.output
    nothing = command(workplace, "export")
    assert nothing.exit_code != 0
    assert "Nothing to write" in str(nothing.exception)
