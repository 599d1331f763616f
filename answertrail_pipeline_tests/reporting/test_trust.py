"""What stands beside the headline: read off the scoreboard, each sentence worked out by hand."""

from dataclasses import replace
from pathlib import Path

from answertrail_pipeline.reporting.details import Details
from answertrail_pipeline.reporting.trust import cautions
from answertrail_pipeline.reporting.write import write_report
from answertrail_pipeline.scoring.board import Scoreboard
from answertrail_pipeline.scoring.build import build_scoreboard
from answertrail_pipeline.scoring.types import CalibrationWord
from answertrail_pipeline_tests.reporting.sample import sample_board, sample_details
from answertrail_pipeline_tests.scoring.factory import Rows
from answertrail_pipeline_tests.scoring.memory import MemorySource


def said(board: Scoreboard | None = None) -> dict[str, str]:
    return {one.about: one.says for one in cautions(board or sample_board())}


def rows(name: str, hits: tuple[int, ...], repetitions: int = 1) -> Rows:
    made = Rows(name)
    for repetition in range(1, repetitions + 1):
        for number, stated in enumerate(hits):
            made.trail(f"q{number}", repetition, nuggets=2)
            for nugget in range(2):
                made.nugget(
                    f"q{number}", f"n{nugget}", "fact", "HIT" if nugget < stated else "MISS", "HIT",
                    repetition=repetition,
                )  # fmt: skip
    return made


def test_the_judge_is_told_with_kappa_interval_pairs_and_what_its_errors_do() -> None:
    found = said()["Judge"]
    assert found.startswith("By rules, no model: on 66 labelled pairs of recall kappa is 0.88 [0.7")
    assert "0.8 is asked: calibrated." in found
    # Plug-in on 97/306: x 33/37 = 28.3, 3.4 lower; the largest is factual 135/159 = 84.9 -> 75.7, 9.2 lower.
    assert "recall moves by −9.2 to" in found


def test_questions_runs_and_what_could_show() -> None:
    assert said()["Chance"] == (
        "Intervals are 95% over questions: 25 factual questions, 35 longitudinal questions;"
        " runs of each arm: 1 to 3."
    )
    assert said()["Differences"].startswith("0 of 6 differences of recall are beyond chance (p after Holm).")
    assert said()["Left out"] == "1 question, 1 verdict unscored."


def test_few_questions_and_single_runs_are_said() -> None:
    found = said(build_scoreboard(MemorySource([rows("a", (1, 2, 0))])))
    assert found["Chance"] == (
        "Intervals are 95% over questions: 3 factual questions (under 10: indicative); runs of each arm: 1,"
        " so how much a second run would differ does not show."
    )
    assert "Differences" not in found  # nothing to compare with
    assert found["Left out"] == "no verdicts unscored."


def test_an_uncalibrated_judge_is_called_so() -> None:
    board = build_scoreboard(MemorySource([rows("a", (1, 2))]))
    assert "how often it is wrong is not known" in said(board)["Judge"]
    word = CalibrationWord("judge-1", "recall", 6, 1.0, None, None, None, False, "no kappa: one label only")
    board = build_scoreboard(MemorySource([rows("a", (1, 2))], calibrated=[word]))
    assert "kappa cannot be had (no kappa: one label only): uncalibrated" in said(board)["Judge"]
    low = replace(word, kappa=0.49, low=0.07, high=0.83, pairs=24, truth_file=True)
    board = build_scoreboard(MemorySource([rows("a", (1, 2))], calibrated=[low]))
    assert (
        "24 labelled pairs of recall (a truth file, not people) kappa is 0.49 [0.07, 0.83]" in said(board)["Judge"]
    )
    assert said(board)["Judge"].endswith("0.8 is asked: uncalibrated.")


def test_proven_differences_are_counted() -> None:
    board = build_scoreboard(MemorySource([rows("a", (2, 2, 2, 1) * 5), rows("b", (0, 0, 1, 0) * 5)]))
    assert said(board)["Differences"].startswith("1 of 1 differences of recall are beyond chance")


def test_it_stands_before_the_contents_and_links_only_to_what_is_there(tmp_path: Path) -> None:
    html = write_report(sample_board(), sample_details(), tmp_path).html.read_text("utf-8")
    assert html.index("How far to trust these numbers") < html.index('aria-label="Contents"')
    assert '<dt><a href="#judge">Judge</a></dt>' in html
    bare = build_scoreboard(MemorySource([rows("a", (1, 2))]))
    page = write_report(bare, Details("Bare"), tmp_path / "bare").html.read_text("utf-8")
    assert 'id="left-out"' not in page
    assert 'href="#left-out"' not in page
