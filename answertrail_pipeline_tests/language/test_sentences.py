"""Sentences in any script, in lists, and in speech without punctuation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answertrail_pipeline.language.sentences import sentences


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("今日は良い天気です。明日は雨？はい！", "ja", ["今日は良い天気です。", "明日は雨？", "はい！"]),
        ("वह गया। वह आया।", "hi", ["वह गया।", "वह आया।"]),
        ("他来了。他走了。", "zh", ["他来了。", "他走了。"]),
        (
            "The screen is 13.6 inches. Dr. Lee bought it.",
            "en",
            ["The screen is 13.6 inches.", "Dr. Lee bought it."],
        ),
        ("- one thing\n- two things. More.\n1. three", "en", ["one thing", "two things.", "More.", "three"]),
        ("* a point\n  that goes on\n• another", "en", ["a point that goes on", "another"]),
        ("## Title\nwrapped\nline here. Next", "en", ["Title", "wrapped line here.", "Next"]),
        ("It is tall [x:00010]. It is old. [y:00020]", "en", ["It is tall [x:00010].", "It is old. [y:00020]"]),
        ("", "en", []),
        (" \n\n ", "en", []),
    ],
)
def test_sentences(text: str, language: str, expected: list[str]) -> None:
    assert sentences(text, language) == expected


def test_speech_without_punctuation_is_cut_at_words_that_open_a_thought() -> None:
    speech = (
        "we looked at the model and it was really slow on every task that we gave it in the first week so now"
        " we have another one that is much faster on the same machine but it needs twice the memory of the old"
        " one and then we measured everything again in spring"
    )
    cut = sentences(speech)
    assert [piece.split()[0] for piece in cut] == ["we", "so", "but", "and"]
    assert " ".join(cut) == speech


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_nothing_but_white_space_and_list_marks_is_lost(text: str) -> None:
    letters = [letter for letter in text if letter.isalpha()]
    kept = [letter for sentence in sentences(text) for letter in sentence if letter.isalpha()]
    # A list mark `a)` or `b.` may hold one letter a line.
    assert len(letters) - text.count("\n") - text.count("\r") - 1 <= len(kept) <= len(letters)
