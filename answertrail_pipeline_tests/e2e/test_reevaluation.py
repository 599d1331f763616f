"""Scheduled re-evaluation: two corpora by name, a series of points, and a gate that fails where all can see it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.pipeline.channel_pass import ChannelReport
from answertrail_pipeline.pipeline.run import reevaluate_channels, run_channels
from answertrail_pipeline.pipeline.watch import Silent
from answertrail_pipeline.scoring.series import SeriesPoint, load_series
from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.library import QUESTIONS, write_video
from answertrail_pipeline_tests.pipeline.test_notify import Hook, hook

__all__ = ["hook"]

RIGHT = {asked: " ".join(nuggets) for _, _, asked, nuggets in QUESTIONS}


def reevaluate(workplace: Workplace) -> ChannelReport:
    with workplace.open() as project:
        [report] = project.run(reevaluate_channels(project, ["bridges"], Silent()))
    assert report.errors == {}
    return report


def evaluate(workplace: Workplace) -> None:
    with workplace.open() as project:
        project.run(run_channels(project, ["bridges"], "people", Silent()))


def points(workplace: Workplace) -> dict[tuple[int, str, str], SeriesPoint]:
    with workplace.open() as project, project.database.begin() as connection:
        found = load_series(connection, "bridges", "v1")
    return {(point.number, point.arm, point.scope): point for point in found}


@pytest.fixture
def answering(workplace: Workplace) -> Callable[[dict[str, str]], None]:
    """One arm that reads its answers from a file, which a test may rewrite."""
    folder = workplace.root
    (folder / "answertrail.toml").write_text(
        '[channels.bridges]\nsource = {kind = "folder", path = "captions"}\n'
        '[arms.mine]\nagent = "external"\nendpoint = "file:answers.jsonl"\nfamily = "acme"\n',
        "utf-8",
    )

    def write(answers: dict[str, str]) -> None:
        lines = [
            json.dumps({"question_id": question_id, "answer": answers.get(asked, "I do not know.")})
            for question_id, _, asked, _ in QUESTIONS
        ]
        Path(folder / "answers.jsonl").write_text("\n".join(lines) + "\n", "utf-8")

    write(RIGHT)
    return write


def test_a_series_needs_gold(workplace: Workplace) -> None:
    with pytest.raises(UserError, match="No gold of bridges is frozen"):
        reevaluate(workplace)


def test_two_corpora_by_name_and_nothing_twice(workplace: Workplace) -> None:
    workplace.freeze()
    with workplace.open() as project:
        project.run(reevaluate_channels(project, ["bridges"], Silent()))
    first = points(workplace)
    arms = ("react-hybrid", "single-shot")
    assert first.keys() == {(1, arm, scope) for arm in arms for scope in ("as_of", "full")}
    assert {point.corpus.name for point in first.values()} == {"c1"}, "nothing came after the gold yet"

    # A month after the gold's date he changes his mind: only the full corpus holds it.
    write_video(workplace.captions, "paint-00007", "2025-11-20", "A tin of zinc primer now costs 45 crowns.")
    report = reevaluate(workplace)
    assert report.reevaluation == 2
    second = points(workplace)
    for arm in arms:
        cut, full = second[2, arm, "as_of"], second[2, arm, "full"]
        assert (cut.corpus.name, cut.corpus.videos) == ("c1", 6)
        assert (full.corpus.name, full.corpus.videos) == ("c2", 7)
        assert cut.metrics == first[1, arm, "as_of"].metrics, "the corpus of the gold's date is what it was"
        assert [gate.word for gate in cut.gates] == ["passed", "undecided"], "one longitudinal question alone"
        assert {gate.against for gate in full.gates} == {1}
    asked = sum(each.computed for each in report.stages if each.stage == "agent_runs")
    assert asked == 6, "3 questions x 2 arms over the new corpus; the cut one's trails are there already"

    assert reevaluate(workplace).computed == 0
    assert points(workplace) == second


def test_a_run_over_the_cut_corpus_finds_nothing_later(workplace: Workplace) -> None:
    workplace.freeze()
    write_video(
        workplace.captions, "paint-00007", "2025-11-20", "It has 900 rivets on each side, the Teal Bridge."
    )
    reevaluate(workplace)
    with workplace.open() as project, project.database.begin() as connection:
        found = connection.execute(
            text(
                "select k.last_date, count(*) filter (where c.video_id = 'paint-00007') as late,"
                " count(*) as chunks from trail_chunks c join runs r using (run_key)"
                " join corpora k on k.channel = r.channel and k.corpus_id = r.corpus_id"
                " group by k.last_date order by k.last_date"
            )
        ).all()
    (cut, full) = found
    assert (str(cut.last_date), cut.late) == ("2025-10-30", 0)
    assert cut.chunks > 0
    assert (str(full.last_date), full.late > 0) == ("2025-11-20", True)


def test_a_fall_fails_the_gate_and_the_series_keeps_both_points(
    workplace: Workplace, answering: Callable[[dict[str, str]], None]
) -> None:
    workplace.freeze()
    evaluate(workplace)
    answering({})
    reevaluate(workplace)
    found = points(workplace)
    before, after = found[0, "mine", "full"], found[1, "mine", "full"]
    old, new = before.metric("factual"), after.metric("factual")
    assert old is not None
    assert new is not None
    assert (old.hits, old.total) == (2, 2), "number 0 is what the scoreboard showed"
    assert (new.hits, new.total) == (0, 2)
    words = {gate.tier: gate.word for gate in after.gates}
    assert words["factual"] == "failed"
    assert words["longitudinal"] == "undecided", "one question alone cannot tell"
    with workplace.open() as project, project.database.begin() as connection:
        gate = connection.execute(
            text("select passed, description from gates where gate = 'regression' order by key desc limit 1")
        ).one()
    assert not gate.passed
    assert "FAILED" in gate.description
    assert "2/2 = 100.0%" in gate.description


def test_the_command_line_says_so_tells_the_webhook_and_ends_with_3(
    workplace: Workplace, answering: Callable[[dict[str, str]], None], hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    from typer.testing import CliRunner

    from answertrail_pipeline.cli.commands import __all__  # noqa: F401  # registers the commands
    from answertrail_pipeline.cli.main import app

    webhook = hook.settings().webhook
    assert webhook is not None
    monkeypatch.setenv("ANSWERTRAIL_WEBHOOK", webhook.get_secret_value())
    monkeypatch.setenv("ANSWERTRAIL_CONFIG", str(workplace.root / "answertrail.toml"))
    workplace.freeze()
    first = CliRunner().invoke(app, ["reevaluate"])
    assert first.exit_code == 0, first.output
    assert hook.bodies == []
    answering({})
    second = CliRunner().invoke(app, ["reevaluate"])
    assert second.exit_code == 3, second.output
    assert "factual recall: FAILED" in " ".join(second.output.split())
    told = json.loads(hook.bodies[0])["text"]
    assert told.startswith(
        "*The regression gate failed*\n• factual recall: FAILED. mine as_of c1 (re-evaluation 2)"
    )
    folder = workplace.root / ".answertrail" / "reports" / "bridges"
    page = (folder / "series.html").read_text("utf-8")
    assert "FAILED" in page
    assert 'id="figure-series-factual"' in page
    assert "FAILED" in (folder / "series.md").read_text("utf-8")
    assert [point["number"] for point in json.loads((folder / "series.json").read_text("utf-8"))] == [1, 1, 2, 2]
    table = (folder / "tables" / "series.csv").read_text("utf-8")
    assert sum(line.endswith(",failed") for line in table.splitlines()) == 2
    assert 'href="series.html"' in (folder / "report.html").read_text("utf-8")
