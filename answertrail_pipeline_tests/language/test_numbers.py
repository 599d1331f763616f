"""Numbers and dates as values, however they are written or spoken."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answertrail_pipeline.language.numbers import numbers


def values(text: str, language: str = "en") -> list[tuple[str, str]]:
    found = [(q.kind, f"{q.value.normalize():f}") for q in numbers(text, language) if not q.weak]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("forty one percent", [("percent", "41")]),
        ("41 %", [("percent", "41")]),
        ("４１％", [("percent", "41")]),
        ("in twenty sixteen", [("number", "2016")]),
        ("nineteen ninety nine and twenty oh five", [("number", "1999"), ("number", "2005")]),
        ("three and a half hours", [("number", "3.5")]),
        ("two point five billion", [("number", "2500000000")]),
        ("8 billion parameters", [("number", "8000000000")]),
        ("a 27B model with 4k tokens", [("number", "27000000000"), ("number", "4000")]),
        ("20,000 of 1.5 million", [("number", "20000"), ("number", "1500000")]),
        ("one hundred and twenty three", [("number", "123")]),
        ("GPT-5.2 beats o3-mini", [("number", "5.2")]),
        ("13.6 inches", [("number", "13.6")]),
        ("a 15-press solution", [("number", "15")]),
        ("version 1.2.3", []),
        ("the second of the first", []),
        ("one of them", []),
    ],
)
def test_numbers(text: str, expected: list[tuple[str, str]]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    "text",
    ["February 10th, 2025", "on 10 February 2025", "2025-02-10", "Feb 10 2025", "the 10th of February 2025"],
)
def test_a_date_gives_its_parts(text: str) -> None:
    assert set(values(text)) == {("month", "2"), ("number", "10"), ("number", "2025")}


def test_may_and_march_are_months_only_beside_a_number() -> None:
    assert values("You may march on") == []
    assert values("in May 2025 and March 2026")[::2] == [("month", "5"), ("month", "3")]


def test_other_languages_write_numbers_their_way() -> None:
    assert values("3,5 Milliarden und 1.234.567", "de") == [("number", "3500000000"), ("number", "1234567")]
    assert values("vingt pour cent", "fr") == [("percent", "20")]
    assert values("2016年5月", "ja") == [("number", "2016"), ("number", "5"), ("month", "5")]


def test_half_is_found_where_a_claim_says_50_percent() -> None:
    weak = [(q.kind, q.value) for q in numbers("half of the cases") if q.weak]
    assert ("percent", Decimal(50)) in weak


@given(st.integers(0, 10**9))
def test_any_whole_number_is_read_with_and_without_separators(number: int) -> None:
    for written in (str(number), f"{number:,}"):
        assert [q.value for q in numbers(f"about {written} people")] == [Decimal(number)]


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    for quantity in numbers(text):
        assert quantity.at < quantity.end
        assert quantity.value.is_finite()
