import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.time_windows import Window, find_windows, parse_window

RULES = [  # the table of docs/gold.md
    ("early 2025", "2025-01-01", "2025-04-30"),
    ("mid 2025", "2025-05-01", "2025-08-31"),
    ("late-2025", "2025-09-01", "2025-12-31"),
    ("the end of 2025", "2025-12-01", "2025-12-31"),
    ("early/mid-2025", "2025-01-01", "2025-08-31"),
    ("early-to-mid 2026", "2026-01-01", "2026-08-31"),
    ("spring-mid 2025", "2025-03-01", "2025-08-31"),
    ("Sept 2025", "2025-09-01", "2025-09-30"),
    ("Feb. 2024", "2024-02-01", "2024-02-29"),
    ("late January 2025", "2025-01-21", "2025-01-31"),
    ("5 January 2025", "2025-01-05", "2025-01-05"),
    ("January 5th, 2025", "2025-01-05", "2025-01-05"),
    ("2025-09", "2025-09-01", "2025-09-30"),
    ("2025-09-14", "2025-09-14", "2025-09-14"),
    ("2025-09 - 2025-11", "2025-09-01", "2025-11-30"),
    ("Q3 2025", "2025-07-01", "2025-09-30"),
    ("2025 Q3", "2025-07-01", "2025-09-30"),
    ("second quarter of 2025", "2025-04-01", "2025-06-30"),
    ("H2 2025", "2025-07-01", "2025-12-31"),
    ("the first half of 2025", "2025-01-01", "2025-06-30"),
    ("late Q1 2026", "2026-03-01", "2026-03-31"),
    ("the summer of 2025", "2025-06-01", "2025-08-31"),
    ("winter 2025", "2025-12-01", "2026-02-28"),
    ("winter 2025/26", "2025-12-01", "2026-02-28"),
    ("mid 2025 - March 2026", "2025-05-01", "2026-03-31"),
    ("Jan - Dec 2025", "2025-01-01", "2025-12-31"),
    ("Dec - Feb 2026", "2025-12-01", "2026-02-28"),
    ("2024-2026", "2024-01-01", "2026-12-31"),
    ("2024-25", "2024-01-01", "2025-12-31"),
    ("~2025 - Apr 2026", "2025-01-01", "2026-04-30"),
    ("between March and May 2025", "2025-03-01", "2025-05-31"),
    ("Jan 2025 onward", "2025-01-01", "9999-12-31"),
    ("since March 2025", "2025-03-01", "9999-12-31"),
    ("March 2025 - present", "2025-03-01", "9999-12-31"),
    ("after March 2025", "2025-04-01", "9999-12-31"),
    ("before May 2025", "0001-01-01", "2025-04-30"),
    ("until May 2025", "0001-01-01", "2025-05-31"),
    ("début 2025", "2025-01-01", "2025-04-30"),
    ("de janvier 2012 à mai 2013", "2012-01-01", "2013-05-31"),
    ("Mitte März 2025", "2025-03-11", "2025-03-20"),
    ("finales de 2025", "2025-09-01", "2025-12-31"),
    ("outubro de 2024", "2024-10-01", "2024-10-31"),
    ("2025年3月", "2025-03-01", "2025-03-31"),
    ("late 2024 to early 2025", "2024-09-01", "2025-04-30"),
    ("late 2024–early 2025", "2024-09-01", "2025-04-30"),
    ("between late 2024 and early 2025", "2024-09-01", "2025-04-30"),
    ("June 2025 → Sept 2025", "2025-06-01", "2025-09-30"),
    ("Nov 2024 - Feb", "2024-11-01", "2025-02-28"),
    ("Jan '25 - Mar '26", "2025-01-01", "2026-03-31"),
    ("Q1’25", "2025-01-01", "2025-03-31"),
    ("3Q25", "2025-07-01", "2025-09-30"),
    ("1H 2025", "2025-01-01", "2025-06-30"),
    ("Q3/2025", "2025-07-01", "2025-09-30"),
    ("2025-H2", "2025-07-01", "2025-12-31"),
    ("2025-Q1 2026", "2025-01-01", "2026-03-31"),
    ("Q1 and Q2 2025", "2025-01-01", "2025-06-30"),
    ("February & March 2025", "2025-02-01", "2025-03-31"),
    ("last quarter of 2025", "2025-10-01", "2025-12-31"),
    ("the latter half of 2025", "2025-07-01", "2025-12-31"),
    ("premier trimestre 2025", "2025-01-01", "2025-03-31"),
    ("winter 2024–2025", "2024-12-01", "2025-02-28"),
    ("2024-26", "2024-01-01", "2026-12-31"),
    ("2011/12", "2011-01-01", "2012-12-31"),
    ("the late 1990s", "1996-09-01", "1999-12-31"),
    ("mid-year 2025", "2025-05-01", "2025-08-31"),
    ("year-end 2025", "2025-12-01", "2025-12-31"),
    ("the first half of May 2025", "2025-05-01", "2025-05-15"),
    ("last week of May 2025", "2025-05-25", "2025-05-31"),
    ("first three months of 2025", "2025-01-01", "2025-03-31"),
    ("5-7 Feb 2025", "2025-02-05", "2025-02-07"),
    ("Feb 5–7, 2025", "2025-02-05", "2025-02-07"),
    ("Feb 5 - 10 March 2025", "2025-02-05", "2025-03-10"),
    ("2025/09/14", "2025-09-14", "2025-09-14"),
    ("14.09.2025", "2025-09-14", "2025-09-14"),
    ("09/2025", "2025-09-01", "2025-09-30"),
    ("starting in May 2025", "2025-05-01", "9999-12-31"),
    ("from May 2025 on", "2025-05-01", "9999-12-31"),
    ("May 2025 or later", "2025-05-01", "9999-12-31"),
    ("June 2025 to the present", "2025-06-01", "9999-12-31"),
    ("until the end of 2025", "0001-01-01", "2025-12-31"),
    ("prior to May 2025", "0001-01-01", "2025-04-30"),
    ("post-2025", "2026-01-01", "9999-12-31"),
]


@pytest.mark.parametrize(("text", "start", "end"), RULES)
def test_every_rule_reads_to_its_days(text: str, start: str, end: str) -> None:
    window = parse_window(text)
    assert (window.start.isoformat(), window.end.isoformat()) == (start, end)


@pytest.mark.parametrize(
    "text",
    ["", "last year", "January", "Feb 30 2025", "2025-13", "May 2026 - Jan 2025", "early 2025 and then", "Q5 2025",
     "2025 tokens", "12345", "May 3 - 5", "FY2025", "fiscal year 2025", "Q2 of fiscal 2025", "03/04/2025",
     "late 2025 - early 2025", "Jan and June 2025", "between 2025", "to 2025", "2025 (early)"],
)  # fmt: skip
def test_what_no_rule_reads_is_refused(text: str) -> None:
    with pytest.raises(UserError) as refused:
        parse_window(text)
    assert f"`{text}`" in refused.value.problem


def test_an_open_window_ends_with_the_corpus() -> None:
    first, last = date(2025, 1, 2), date(2026, 4, 9)
    window = parse_window("Mar 2025 onward", first=first, last=last)
    assert (window.start, window.end) == (date(2025, 3, 1), last)
    assert parse_window("before May 2025", first=first, last=last).start == first
    with pytest.raises(UserError, match="ends before it starts"):
        parse_window("since May 2026", first=first, last=last)


def test_a_running_text_tells_its_windows_in_order() -> None:
    text = "What held from mid-2025 through the end of 2025, and again since Jan. 2026, for 3 May 2026?"
    found = find_windows(text, last=date(2026, 6, 1))
    assert found == [
        Window(date(2025, 5, 1), date(2025, 12, 31), "mid-2025 through the end of 2025"),
        Window(date(2026, 1, 1), date(2026, 6, 1), "since Jan. 2026"),
        Window(date(2026, 5, 3), date(2026, 5, 3), "3 May 2026"),
    ]


def test_two_times_that_do_not_adjoin_are_two_windows() -> None:
    found = find_windows("in January and June 2025, fiscal year 2025, Q4 FY2024 and on 05/06/2025")
    assert [window.text for window in found] == ["June 2025"]
    assert [w.text for w in find_windows("between March and May 2025 and in Q3 2025")] == [
        "between March and May 2025",
        "Q3 2025",
    ]


def test_a_bare_year_counts_only_behind_a_word_of_time() -> None:
    assert find_windows("a window of tokens, 2048 or 2025 of them") == []
    assert [window.text for window in find_windows("what was said in 2025 about 2048 tokens")] == ["2025"]
    assert [window.text for window in find_windows("it changed from 2012 to 2016")] == ["2012 to 2016"]


_MOMENTS = st.builds(
    lambda what, year: f"{what} {year}",
    st.sampled_from(
        ["", "early", "mid", "late", "Jan", "Sept", "spring", "winter", "Q1", "H2", "late May", "end of"]
    ),
    st.integers(1990, 2100),
)


@given(_MOMENTS, _MOMENTS, st.sampled_from([" - ", " to ", "–", " through ", " until "]))
def test_a_range_runs_from_the_first_day_to_the_last(left: str, right: str, join: str) -> None:
    first, second = parse_window(left), parse_window(right)
    text = f"{left}{join}{right}".strip()
    if first.start <= second.end:
        whole = parse_window(text)
        assert (whole.start, whole.end) == (first.start, second.end)
        (found,) = find_windows(f"what was said from {text}?")
        assert (found.start, found.end) == (whole.start, whole.end)
    else:
        with pytest.raises(UserError):
            parse_window(text)


@given(st.text(st.sampled_from("0123456789 -/,.QHearlymidtonJFebspgCsx~年月é"), max_size=40))
def test_any_text_can_be_searched_and_what_is_found_can_be_read_again(text: str) -> None:
    for window in find_windows(text):
        assert window.start <= window.end
        again = parse_window(window.text)
        assert (again.start, again.end) == (window.start, window.end)


def test_every_window_and_question_of_the_real_gold_is_read(shared_data: Path) -> None:
    lines = (shared_data / "answertrail" / "longitudinal_gold.jsonl").read_text("utf-8").splitlines()
    for item in map(json.loads, lines):
        (asked,) = find_windows(item["question"])
        for nugget in item["nuggets"]:
            window = parse_window(nugget["window"], last=date(2026, 12, 31))
            assert window.overlaps(asked), (item["question"], nugget["window"])
