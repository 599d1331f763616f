"""The judge from the command line: what fails a run, pairs for people, and both modes compared."""

import json
from collections.abc import Callable

import pytest
from sqlalchemy import text
from typer.testing import CliRunner, Result

from answertrail_pipeline.cli import commands  # noqa: F401  # registers the commands on `app`
from answertrail_pipeline.cli.main import app
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.judging.pairs import blind_pairs, store_labels
from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.library import write_config
from answertrail_pipeline_tests.models.server import Call, Reply, ScriptedServer

PRICE = '[models.prices."openai/scripted"]\ninput_per_million = 10\noutput_per_million = 20\n'


def configure(workplace: Workplace, server: ScriptedServer, scoring: str) -> None:
    judge = f'[models]\njudge = {{model = "openai/scripted", api_base = "{server.url}"}}\n{PRICE}'
    write_config(workplace.root, f"[scoring]\n{scoring}\n{judge}")


def command(workplace: Workplace, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["--config", str(workplace.root / "answertrail.toml"), *arguments])


def undecided(share: int) -> Callable[[Call], Reply]:
    """Reply to every so many calls in prose, and to the others with a HIT."""
    seen: dict[str, int] = {}

    def reply(call: Call) -> Reply:
        asked = json.dumps(call.messages[:2])
        number = seen.setdefault(asked, len(seen))
        if "MISSED VIEW" in asked:
            return Reply({"kind": "substance", "reason": "So."})
        if number % share == 0:
            return Reply("GRADE: cannot say")
        return Reply({"label": "HIT", "reason": "It says so.", "detail": None})

    return reply


def states(workplace: Workplace) -> dict[str, int]:
    with workplace.open() as project, project.database.begin() as connection:
        rows = connection.execute(
            text("select state, count(*) as units from stage_run where stage = 'metrics' group by 1")
        )
        return {row.state: row.units for row in rows}


def test_v5_a_run_fails_where_more_than_a_tenth_of_its_verdicts_is_unscored(
    workplace: Workplace, scripted_server: ScriptedServer
) -> None:
    scripted_server.rule = undecided(2)
    configure(workplace, scripted_server, "max_unscored_share = 0.1")
    workplace.freeze()
    failed = command(workplace, "run", "--yes", "--quiet")
    assert failed.exit_code == 1
    assert states(workplace) == {"error": 2}
    with workplace.open() as project, project.database.begin() as connection:
        labels = connection.execute(text("select distinct label, unscored from verdicts where not by_rule")).all()
        [reason] = connection.execute(text("select max(reason) from stage_run where stage = 'metrics'")).scalars()
    assert {tuple(row) for row in labels} == {("HIT", None), (None, "no_valid_object")}, "none became a MISS"
    assert "more than max_unscored_share = 0.1" in reason
    with pytest.raises(UserError):  # nothing is scored by a run that failed
        raise command(workplace, "gate", "--arm", "single-shot", "--baseline", "react-hybrid").exception  # type: ignore[misc]

    configure(workplace, scripted_server, "max_unscored_share = 1")
    calls = len(scripted_server.chats)
    assert command(workplace, "run", "--yes", "--quiet").exit_code == 0
    assert len(scripted_server.chats) == calls, "a changed limit asks nobody"
    assert states(workplace) == {"done": 2}
    page = (workplace.root / ".answertrail" / "reports" / "bridges" / "report.md").read_text("utf-8")
    assert "unscored: " in page, "the bounds are shown"


def hits_in_batches(call: Call) -> Reply:
    """One by one only claims with a number are HITs; in batches all are."""
    claims = [line.split()[1] for line in call.last_user.splitlines() if line.startswith("CLAIM c")]
    if claims:
        made = [{"id": one, "label": "HIT", "reason": "Yes.", "detail": None} for one in claims]
        return Reply({"verdicts": made}, usage=(100, 10))
    if "MISSED VIEW" in call.last_user:
        return Reply({"kind": "substance", "reason": "So."})
    hit = any(letter.isdigit() for letter in call.last_user.rpartition("CLAIM")[2].partition("\n")[2])
    return Reply({"label": "HIT" if hit else "MISS", "reason": "So.", "detail": None}, usage=(100, 10))


def test_pairs_are_drawn_labelled_and_shown_and_modes_are_compared(
    workplace: Workplace, scripted_server: ScriptedServer
) -> None:
    scripted_server.rule = hits_in_batches
    configure(workplace, scripted_server, "min_kappa = 0.8")
    workplace.freeze()
    assert command(workplace, "run", "--yes", "--quiet").exit_code == 0
    assert "No pairs yet" in command(workplace, "calibration", "show").output
    with pytest.raises(UserError, match="may call paid models"):
        raise command(workplace, "calibration", "draw").exception  # type: ignore[misc]
    drawn = command(workplace, "calibration", "draw", "--yes", "--purpose", "recall", "--controls", "1")
    assert drawn.exit_code == 0, drawn.output
    assert "recall/factual/HIT" in drawn.output
    with workplace.open() as project:
        pairs = [pair.pair_id for pair in blind_pairs(project.database, "bridges")]
        store_labels(project.database, [(pair, "HIT", None) for pair in pairs], "ada")
    shown = command(workplace, "calibration", "show").output
    assert "recall" in shown
    assert "failed" in shown, "one label only, or a kappa below 0.8"
    assert "judged 0 pairs" in command(workplace, "calibration", "judge", "--yes").output

    run = "bridges/single-shot/v1/c1/r1"
    before = len(scripted_server.chats)
    with pytest.raises(UserError, match=r"calls openai/scripted \d+ times \(\$"):
        raise command(workplace, "compare-modes", run).exception  # type: ignore[misc]
    with workplace.open() as project, project.database.begin() as connection:
        modes = connection.execute(text("select distinct mode from judges")).scalars().all()
    assert (len(scripted_server.chats), modes) == (before, ["single"]), "a plan asks nobody and keeps nothing"
    made = command(workplace, "compare-modes", run, "--yes")
    assert made.exit_code == 0, made.output
    assert "HIT only one by one" in made.output
    assert "batched" in made.output
