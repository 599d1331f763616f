"""The rules that say whether a text states a claim."""

import pytest

from answertrail_pipeline.language.entailment import Ruling, rule
from answertrail_pipeline.language.reading import Reading

TEXT = (
    "so the people at Stanford tested the new reader on forty one videos and it found nearly half of the"
    " claims that is 48 percent and it did not need any training it is much faster than what we had before"
)
QUESTION = "What did Stanford find when they tested the reader?"


def ruled(claim: str, text: str = TEXT, question: str = QUESTION) -> Ruling:
    return rule(claim, Reading(text), question)


@pytest.mark.parametrize(
    "claim",
    [
        "The reader was tested on 41 videos.",
        "It found 48% of the claims.",
        "The reader did not need training.",
        "The reader needs no training.",
        "The new reader is faster than the one before.",
    ],
)
def test_what_is_stated_is_supported(claim: str) -> None:
    assert ruled(claim).supported


@pytest.mark.parametrize(
    ("claim", "named"),
    [
        ("The reader was tested on 42 videos.", "42"),
        ("The reader found 84% of the claims.", "84"),
        ("The reader of Princeton was tested on 41 videos.", "Princeton"),
        ("The reader was never tested on 41 videos.", "never"),
        ("The new reader needs training before.", "denies"),
        ("The new reader is slower than the one before.", "slower"),
    ],
)
def test_what_disagrees_is_contradicted_and_says_why(claim: str, named: str) -> None:
    made = ruled(claim)
    assert (made.supported, made.detail) == (False, "contradicted")
    assert named in made.reason


def test_a_quotation_is_supported_whatever_stands_around_it() -> None:
    text = Reading(
        "2025-05-03\nOh no. I told Ansa Murrow, and she went pink. hundred and twelve people said hello"
    )
    for claim in (
        "I told Ansa Murrow, and she went pink.",
        "In May 2025: hundred and twelve people said hello.",
    ):
        assert rule(claim, text).reason == "The text says it word for word."
    assert not rule("In June 2025: hundred and twelve people said hello.", text).supported


def test_a_quotation_that_is_denied_is_none() -> None:
    claim = "The lamp is better than oil."
    assert rule(claim, Reading("He said the lamp is better than oil.")).supported
    assert not rule(claim, Reading("It is not true that the lamp is better than oil.")).supported
    assert rule(claim, Reading("I would never go back, the lamp is better than oil.")).supported


@pytest.mark.parametrize(
    ("before", "claim"),
    [
        ("the boats had left without us ", "then we walked home along the canal"),
        ("it was forty crates and not ten, ", "so that the cook could feed the harbour"),
        ("summer is nothing ", "but when it rains the road is a river"),
        ("any news no ", "and if you hear some write to the paper"),
    ],
)
def test_a_clause_that_begins_anew_is_not_denied_by_the_words_before(before: str, claim: str) -> None:
    """Captions run on without full stops: what is denied is what went before."""
    assert rule(claim, Reading(f"{before}{claim} and so on")).reason == "The text says it word for word."


def test_a_clause_that_is_denied_itself_is() -> None:
    claim = "because the lamp was too dear for us"
    assert not rule(claim, Reading(f"we left it not {claim} but for the wind")).supported


def test_a_denial_ends_with_its_sentence() -> None:
    text = Reading("Did it rain? No. The new lamp was lit for forty days in the tower.")
    assert rule("The lamp was lit in the tower for 40 days, new as it was.", text).supported


def test_on_topic_is_not_enough() -> None:
    made = ruled("The reader that Stanford tested misread handwriting and Latin script.")
    assert (made.supported, made.detail) == (False, "not_found")


def test_words_that_are_spread_over_a_long_text_are_no_passage() -> None:
    filler = "and people talked of many other things " * 30
    far = f"the keeper painted a door {filler} it was green in spring {filler} after the storm came a visitor"
    claim = "The keeper painted a door green in spring after the storm, a visitor says."
    assert not rule(claim, Reading(far)).supported
    assert rule(claim, Reading(far.replace(filler, ""))).supported


def test_a_claim_without_words_is_not_found() -> None:
    assert ruled("It is so.").detail == "not_found"
    assert ruled("").detail == "not_found"


def test_other_scripts_are_compared_too() -> None:
    text = Reading("東京タワーは高さ333メートルで、1958年に完成した。", "ja")
    assert rule("東京タワーの高さは333メートルである。", text).supported
    assert not rule("東京タワーの高さは334メートルである。", text).supported


def test_without_a_question_a_subject_of_several_words_may_be_called_it() -> None:
    said = "it took the lift down to the cellar and then up to the roof in nine moves without a single mistake"
    claim = "OmegaNet 4 took the lift down to the cellar and up to the roof in nine moves without a mistake."
    assert ruled(claim, said, "").supported
    assert not ruled(claim, said, "How did Qwen do?").supported  # here the question says of whom it is
    other = ruled(claim, f"OmegaNet 3 {said}", "")  # named, but as another one
    assert (other.supported, other.detail) == (False, "contradicted")
