"""What the rules take for a claim, how sure they are of it, and what they say it is about."""

import pytest

from answertrail_pipeline.tasks.claim_rules import FoundClaim, find_claims, is_substantial


def the_claims(*sentences: str) -> dict[str, FoundClaim]:
    return {claim.text: claim for claim in find_claims([" ".join(sentences)], "en")}


def test_plain_facts_opinions_and_what_we_did_are_claims_that_stand_alone() -> None:
    said = (
        "A crate of cork seals costs 19 florins.",
        "The Pellam Brewery was founded by Ines Tarr in 1923.",
        "I now think cork seals are the best seals for cider bottles.",
        "We moved our bottling line to the Pellam Brewery.",
        "Glass stoppers do not leak in cold cellars.",
        "I will never buy glass stoppers again.",
    )
    found = the_claims(*said)
    assert list(found) == list(said)
    assert all(claim.is_high for claim in found.values())


def test_a_subject_that_hangs_on_its_neighbours_makes_a_claim_of_low_confidence() -> None:
    found = the_claims(
        "The Pellam Brewery has a new cellar.",
        "It holds 412 barrels of cider.",
        "In 2024, it held only 300 barrels of cider.",
    )
    assert [claim.is_high for claim in found.values()] == [True, False, False]
    assert "barrels" in found["It holds 412 barrels of cider."].topics


@pytest.mark.parametrize(
    "sentence",
    [
        "Hello everyone and welcome back to the cider channel.",
        "Please like the video and leave a note in the comment section.",
        "Let's move on to the second bottle.",
        "Can you see the 3 bottles on my screen?",
        "Give me one second, I need to find the right bottle.",
        "It was like, you know, kind of that.",
        "Three short ones.",
    ],
)
def test_greetings_questions_fillers_and_talk_about_the_talk_are_none(sentence: str) -> None:
    assert the_claims(sentence) == {}
    assert not is_substantial(sentence, "en")


def test_a_dense_short_speech_loses_nothing() -> None:
    said = [f"The cellar number {n} of Pellam holds {n + 200} barrels." for n in range(2, 14)]
    assert list(the_claims(*said)) == said


def test_a_topic_need_not_recur_and_names_and_phrases_come_before_single_words() -> None:
    (claim,) = the_claims("The Pellam Brewery seals its cider bottles with beeswax.").values()
    assert claim.topics == ("pellam brewery", "cider bottles", "beeswax")
    assert claim.entities == ("Pellam Brewery",)


def test_the_verb_behind_a_phrase_is_no_part_of_it() -> None:
    (claim,) = the_claims("In cold cellars the cork seals cover the whole neck.").values()
    assert "cork seals" in claim.topics
    assert not any("cover" in topic for topic in claim.topics)


def test_a_general_word_describes_but_names_nothing_alone() -> None:
    (claim,) = the_claims("A world model needs 40 hours of driving.").values()
    assert "world model" in claim.topics
    assert "world" not in claim.topics
