import csv
import json
import re
from io import StringIO
from pathlib import Path

import jsonschema
import pytest
from rich.console import Console

from answertrail_pipeline.reporting.details import Details
from answertrail_pipeline.reporting.figures.cost import effort, pareto
from answertrail_pipeline.reporting.figures.heat import worst_first
from answertrail_pipeline.reporting.terminal import print_scoreboard
from answertrail_pipeline.reporting.words import bounds, file_name, number
from answertrail_pipeline.reporting.write import ReportPaths, write_report
from answertrail_pipeline.scoring.board import Scoreboard
from answertrail_pipeline.scoring.build import build_scoreboard
from answertrail_pipeline_tests.reporting.sample import HOSTILE, sample_board, sample_details
from answertrail_pipeline_tests.scoring.factory import Rows
from answertrail_pipeline_tests.scoring.memory import MemorySource

CHROMIUM = Path("/usr/bin/chromium")
CHROMIUM_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> ReportPaths:
    return write_report(sample_board(), sample_details(), tmp_path_factory.mktemp("report"))


def test_the_html_needs_nothing_from_outside(paths: ReportPaths) -> None:
    html = paths.html.read_text("utf-8")
    assert "<script" not in html
    assert not re.search(r"(?:src|href)=\"(?!#|data:,|http://127\.0\.0\.1:3000/workbench/)", html)
    assert "url(" not in html
    assert "@import" not in html


def test_what_people_and_models_wrote_is_escaped(paths: ReportPaths) -> None:
    html = paths.html.read_text("utf-8")
    assert HOSTILE not in html
    assert "&lt;script&gt;alert" in html
    assert "<script>" not in paths.markdown.read_text("utf-8")


def test_every_figure_of_the_issue_is_there(paths: ReportPaths) -> None:
    html = paths.html.read_text("utf-8")
    for name in ("recall", "decomposition", "differences", "cost-factual", "cost-longitudinal",
                 "questions-factual", "questions-longitudinal", "time-lc-003"):  # fmt: skip
        assert f'id="figure-{name}"' in html
        assert any(path.stem == file_name(name) for path in paths.figures)


def test_published_numbers_stand_in_html_markdown_and_csv(paths: ReportPaths) -> None:
    import pandas as pd

    for text in (paths.html.read_text("utf-8"), paths.markdown.read_text("utf-8").replace("\\", "")):
        for figure in ("97/306", "31.7%", "135/411", "32.8%", "133/306", "43.5%", "1,465/1,495", "29.3%"):
            assert figure in text
    metrics = pd.read_csv(next(path for path in paths.tables if path.stem == "metrics"))
    row = metrics[(metrics.arm == "react-dense") & (metrics.tier == "longitudinal") & (metrics.name == "recall")]
    assert row[["hits", "total"]].values.tolist() == [[97, 306]]
    assert row.notes.item() == "policy: auto (no person decided this gold); judge: rule-based"


def test_micro_and_macro_are_both_named(paths: ReportPaths) -> None:
    page = paths.markdown.read_text("utf-8")
    for name in ("Recall", "Recall with shift", "Retrieval ceiling", "Groundedness"):
        assert f"{name}, micro" in page
        assert f"{name}, macro" in page
    assert "stance nuggets stated, micro" in paths.html.read_text("utf-8")


def test_every_number_in_the_csv_carries_its_notes_counts_and_interval(paths: ReportPaths) -> None:
    import pandas as pd

    metrics = pd.read_csv(next(path for path in paths.tables if path.stem == "metrics"))
    shown = metrics[metrics.value.notna()]
    assert shown.total.notna().all()
    assert (shown.low.notna() | shown.interval_reason.notna()).all()
    assert metrics.notes.str.contains("policy: auto").all()
    assert metrics[metrics.value.isna()].reason.notna().all()
    ceiling = metrics[metrics.name == "ceiling"]
    assert ceiling.notes.str.contains(r"judge: uncalibrated \(ceiling\)").all()


def test_whole_numbers_stay_whole_and_nothing_hides_another_column(paths: ReportPaths) -> None:
    tables = {path.stem: path.read_text("utf-8") for path in paths.tables}
    assert not re.search(r"(?:^|,)-?\d+\.0(?:,|$)", "\n".join(tables.values()), re.MULTILINE)
    corrections = list(csv.DictReader(StringIO(tables["corrections"])))
    assert {row["correction"] for row in corrections} == {"PPBoot", "PPV/NPV plug-in"}
    assert any(row["method"].startswith("BCa") for row in corrections)
    of_recall = next(row for row in csv.DictReader(StringIO(tables["calibrations"])) if row["purpose"] == "recall")
    assert (of_recall["controls_called_miss"], of_recall["controls"]) == ("0", "0")


def test_the_json_fits_its_schema_and_reads_back(paths: ReportPaths) -> None:
    board = Scoreboard.model_validate_json(paths.json.read_bytes())
    assert board == sample_board()
    schema, content = (json.loads(path.read_text("utf-8")) for path in (paths.schema, paths.json))
    jsonschema.validate(content, schema)
    del content["arms"][0]["metrics"][0]["interval"]
    with pytest.raises(jsonschema.ValidationError, match="interval"):
        jsonschema.validate(content, schema)


def test_the_same_input_gives_the_same_bytes(paths: ReportPaths, tmp_path: Path) -> None:
    again = write_report(sample_board(), sample_details(), tmp_path)
    for first, second in zip(_all(paths), _all(again), strict=True):
        assert first.read_bytes() == second.read_bytes(), first.name


def _all(paths: ReportPaths) -> list[Path]:
    return [paths.html, paths.markdown, paths.json, paths.schema, *paths.tables, *paths.figures]


def test_calibration_is_told_by_tier_by_person_raw_and_weighted(paths: ReportPaths) -> None:
    import pandas as pd

    page = paths.markdown.read_text("utf-8").replace("\\", "")
    assert "33 / 4 / 0 / 29" in page
    assert "62 of 66 agree, 22 questions" in page
    assert "33/37 [0.75, 0.97]" in page  # Clopper-Pearson of 33/37: 0.746, 0.970
    assert "1 unsure, 1 where people differ" in page
    rows = pd.read_csv(StringIO((paths.html.parent / "tables" / "raters.csv").read_text("utf-8")))
    of_recall = rows[rows["purpose"] == "recall"].set_index(["raters", "tier"])
    assert list(of_recall.index) == [
        ("judge and people", "all"), ("judge and people", "factual"), ("judge and people", "longitudinal"),
        ("ada and bo", "all"),
    ]  # fmt: skip
    whole = of_recall.loc[("judge and people", "all")]
    # Weights 1, 2, 3, 4 in turn: 33 right HITs stand for 8 x 10 + 1 = 81 pairs, the four wrong ones for 10.
    assert whole["weighted_ppv"] == pytest.approx(81 / 91)
    assert whole["kappa_low"] < whole["kappa"] < whole["kappa_high"]
    between = of_recall.loc[("ada and bo", "all")]  # every third of 66 and the one on which they differ
    assert (between["pairs"], between["both"] + between["neither"]) == (23, 22)


def test_left_out_and_provenance_are_told(paths: ReportPaths) -> None:
    html = paths.html.read_text("utf-8")
    for told in ("lc-trap", "segregated: asked and shown, in no denominator", sample_board().gold_sha256,
                 sample_board().arms[0].corpus_id, "f" * 64, "0e91a2b5 (clean)",
                 "1 hypotheses, committed 2026-03-01"):  # fmt: skip
        assert told in html


def test_bounds_of_unscored_items_are_shown() -> None:
    recall = sample_board().arms[2].metric("factual", "recall")
    assert recall.unscored == 1
    assert bounds(recall) == "1 unscored: 77.4% to 79.2%"
    assert number(recall, share=True).endswith("41/52, 1 unscored: 77.4% to 79.2%")


def test_an_empty_board_still_makes_a_report(tmp_path: Path) -> None:
    rows = Rows("single")
    rows.trail("q1", nuggets=0)
    board = build_scoreboard(MemorySource([rows]))
    html = write_report(board, Details("Nothing to find"), tmp_path).html.read_text("utf-8")
    assert "no headline nuggets" in html
    assert "no nuggets: nothing to find" in html
    assert "NaN" not in html


def test_effort_falls_back_where_prices_are_zero() -> None:
    rows = Rows("single")
    rows.trail("q1", nuggets=1, cost_usd=None, prompt_tokens=None)
    rows.nugget("q1", "n1", "fact", "HIT", "HIT")
    assert effort(build_scoreboard(MemorySource([rows])), "factual") == ("chunks", "chunks retrieved a question")
    assert effort(sample_board(), "factual") == ("cost_usd", "dollars a question")


def test_pareto_keeps_what_nobody_beats() -> None:
    # 1 costs more than 0 and recalls less; 2 costs more and recalls more; 3 equals 0
    assert pareto([(1.0, 0.5), (2.0, 0.4), (3.0, 0.9), (1.0, 0.5)]) == {0, 2, 3}


def test_worst_questions_come_first_and_ties_by_id() -> None:
    rows = Rows("single")
    for question, hits in (("b", 1), ("a", 1), ("c", 0)):
        rows.trail(question, nuggets=2)
        for nugget in range(2):
            rows.nugget(question, f"n{nugget}", "fact", "HIT" if nugget < hits else "MISS", "HIT")
    board = build_scoreboard(MemorySource([rows]))
    assert [question.question_id for question in worst_first(board, "factual")] == ["c", "a", "b"]


def test_the_terminal_shows_counts_intervals_and_notes() -> None:
    printed = StringIO()
    print_scoreboard(sample_board(), Console(file=printed, width=160))
    text = printed.getvalue()
    for told in ("31.7%", "97/306", "BCa", "policy: auto", "left out: question lc-trap", "planned: loop-helps"):
        assert told in text


def test_file_names_are_safe_whatever_an_id_contains(paths: ReportPaths) -> None:
    assert file_name("time-../../etc") == "time-..~2f..~2fetc"
    assert file_name(".hidden") == "~2ehidden"
    drawn = re.findall(r"\(figures/(.+?)\)", paths.markdown.read_text("utf-8"))
    assert {path.name for path in paths.figures} == set(drawn)


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not on this machine")
@pytest.mark.parametrize(("scheme", "width"), [("light", 1100), ("dark", 1100), ("light", 390)])
def test_the_report_opens_in_a_browser(paths: ReportPaths, scheme: str, width: int) -> None:
    from playwright.sync_api import sync_playwright

    said: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=CHROMIUM_FLAGS)
        page = browser.new_context(
            color_scheme=scheme, viewport={"width": width, "height": 900}, offline=True
        ).new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(paths.html.as_uri())
        shown = ".narrow" if width < 640 else ".wide"
        for name in ("recall", "decomposition", "differences", "questions-factual", "time-lc-003"):
            box = page.locator(f"#figure-{name} {shown} svg").bounding_box()
            assert box is not None, name
            assert box["width"] > 300, name
            assert box["height"] > 40, name
        # nothing sticks out of the page, and texts of figures keep a readable size
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        text = page.locator(f"#figure-recall {shown} text.value").first.bounding_box()
        assert text is not None
        assert text["height"] >= 11
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert background == ("rgb(20, 23, 27)" if scheme == "dark" else "rgb(252, 251, 248)")
        browser.close()
    assert said == []
