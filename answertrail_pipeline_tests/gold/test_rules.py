from datetime import date

import pytest

from answertrail_pipeline.tasks.change_rules import Said, turning_points
from answertrail_pipeline.tasks.claim_rules import find_claims
from answertrail_pipeline.tasks.compose_longitudinal import (
    COMPOSE_LONGITUDINAL,
    ComposedLongitudinal,
    ComposeLongitudinalInput,
    DatedStatement,
)
from answertrail_pipeline.tasks.question_rules import amount_question, split_speaker
from answertrail_pipeline.tasks.speech import spoken_sentences
from answertrail_pipeline.tasks.write_nuggets import (
    WRITE_NUGGETS,
    AnsweringClaim,
    WriteNuggetsInput,
    WrittenNugget,
    WrittenNuggets,
    atomic_parts,
)


def test_a_sentence_over_two_chunks_names_both_and_its_speaker() -> None:
    chunks = [
        "Ada Lane: The first kiln cost 200. Ben Orr: I doubt it. Ada Lane: The second",
        "Ada Lane: kiln cost 400. Ben Orr: Fine. Ada Lane: Done. Ben Orr: There is one rule: never open it hot.",
    ]
    found = spoken_sentences(chunks, "en")
    assert [(s.speaker, s.text, s.chunks) for s in found] == [
        ("Ada Lane", "The first kiln cost 200.", (0,)),
        ("Ben Orr", "I doubt it.", (0,)),
        ("Ada Lane", "The second kiln cost 400.", (0, 1)),
        ("Ben Orr", "Fine.", (1,)),
        ("Ada Lane", "Done.", (1,)),
        ("Ben Orr", "There is one rule: never open it hot.", (1,)),
    ]


def test_what_says_nothing_is_no_claim() -> None:
    chunks = [
        "Hello and welcome back to the channel. It was like you know kind of that. What does the kiln cost today?",
        "The kiln in Harwick costs 240 dollars a month now. Thanks for watching, and subscribe to the 2 channels.",
    ]
    (claim,) = find_claims(chunks, "en")
    assert (claim.text, claim.chunks) == ("The kiln in Harwick costs 240 dollars a month now.", (1,))


@pytest.mark.parametrize(
    ("claim", "question"),
    [
        ("The north kiln takes about 14 hours to cool.", "How many hours does the north kiln take?"),
        ("Ada Lane: Mayo Clinic has digitized 12 million slides.", "How many slides has Mayo Clinic digitized?"),
        ("Opus scored 62% on the test.", "What percentage did Opus score?"),
        ("The kiln rent is 240 dollars a month.", "How much is the kiln rent?"),
        ("I think that Vera has 88 custom cores called Olympus.", "How many custom cores does Vera have?"),
        ("It costs 240 dollars.", None),
        ("In less than 5 days Sora got a million downloads.", None),
        ("The kiln is old.", None),
    ],
)
def test_an_amount_is_left_out_where_the_form_allows(claim: str, question: str | None) -> None:
    assert amount_question(claim) == question


def test_who_speaks_is_told_from_what_is_said() -> None:
    assert split_speaker("Ada Lane: We ship.") == ("Ada Lane", "We ship.")
    assert split_speaker("There is a rule. Yes: never.") == (None, "There is a rule. Yes: never.")


def said(*lines: tuple[str, str]) -> list[Said]:
    return [Said(date.fromisoformat(day), text) for day, text in lines]


def test_a_changed_number_of_one_matter_is_a_change_and_other_matters_are_none() -> None:
    moved = said(
        ("2025-01-01", "The rent of the Harwick studio is 240 dollars."),
        ("2025-03-01", "The Harwick studio has a cat."),
        ("2025-06-01", "The rent of the Harwick studio is 310 dollars."),
    )
    assert turning_points(moved, "kiln", "en") == [0, 1, 2]
    same = said(*((str(item.day), item.text.replace("310", "240")) for item in moved))
    assert turning_points(same, "kiln", "en") == []
    apart = said(
        ("2025-01-01", "The wheel costs 240 dollars."),
        ("2025-03-01", "Glaze is sold in Harwick."),
        ("2025-06-01", "A bus ticket is 3 dollars."),
    )
    assert turning_points(apart, "kiln", "en") == []


def test_opposite_words_and_turns_are_changes() -> None:
    before, between = (
        ("2025-01-01", "Ceramic shelves are great."),
        ("2025-04-01", "Ceramic shelves come in boxes."),
    )
    for after in ("Ceramic shelves are useless.", "We no longer buy ceramic shelves."):
        assert turning_points(said(before, between, ("2025-08-01", after)), "kiln", "en") == [0, 1, 2]


def test_a_models_longitudinal_question_must_state_a_window_and_real_evidence() -> None:
    claims = (DatedStatement(day=date(2025, 1, 1), text="a"), DatedStatement(day=date(2025, 6, 1), text="b"))
    given = ComposeLongitudinalInput(topic="kiln", claims=claims, language="en")
    made = ComposedLongitudinal(changed=True, question="How did it go?", statements=("x",), evidence=(0, 7))
    assert COMPOSE_LONGITUDINAL.check(given, made) == ["there is no claim 7", "the question states no time window"]
    fine = made.model_copy(update={"question": "How did it go in early 2025?", "evidence": (0, 1)})
    assert COMPOSE_LONGITUDINAL.check(given, fine) == []


def test_a_models_nuggets_must_have_windows_and_one_end() -> None:
    claims = (AnsweringClaim(day=date(2025, 1, 1), text="a"),)
    given = WriteNuggetsInput(tier="longitudinal", question="How?", claims=claims, language="en")
    made = WrittenNuggets(nuggets=(WrittenNugget(kind="stance", text="It was dear.", claims=(0, 3)),))
    assert WRITE_NUGGETS.check(given, made) == [
        "0 nuggets of kind `shift` or `no_change`, not one",
        "there is no claim 3",
        "a stance without a window: It was dear.",
    ]


def test_a_claim_is_cut_only_where_each_part_has_a_number() -> None:
    assert atomic_parts("Google has about 5% of the market, and Nvidia has 78% of it.", "en") == [
        "Google has about 5% of the market.",
        "Nvidia has 78% of it.",
    ]
    assert atomic_parts("Google has 5%, and that is little.", "en") == ["Google has 5%, and that is little."]


def test_two_views_of_a_topic_on_opposite_sides_are_a_change() -> None:
    lines = (
        ("2025-01-01", "I think cork seals are the best seals for cider."),
        ("2025-03-01", "A crate of cork seals costs 19 florins, and cork seals keep for years."),
        ("2025-06-01", "I am not sure about cork seals any more."),
    )
    turned = said(*lines, ("2025-08-01", "I will never use cork seals for cider again."))
    assert turning_points(turned, "cork seal", "en") == [0, 2, 3]  # the price is no view
    # what is only reported of the same topic is nobody's change of view
    told = said(
        *lines[1:2], ("2025-06-01", "Ines Tarr sold cork seals in Pellam."), ("2025-08-01", "Cork seals burn.")
    )
    assert turning_points(told, "cork seal", "en") == []


def test_a_denial_of_the_same_matter_is_a_change() -> None:
    lines = said(
        ("2025-01-01", "Cork seals leak in cold cellars."),
        ("2025-03-01", "Our cold cellars leak."),
        ("2025-06-01", "Cork seals do not leak in cold cellars when they are waxed."),
    )
    assert turning_points(lines, "cork seal", "en") == [0, 1, 2]
