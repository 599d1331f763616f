import re
from datetime import date

import pytest

from answertrail_pipeline.tasks.change_rules import Change, Said, find_change
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
        ("2025-01-01", "In summer the Harwick kiln burns 14 crates."),
        ("2025-03-01", "In summer the Harwick kiln burns 12 crates."),
        ("2025-06-01", "In summer the Harwick kiln burns 9 crates."),
    )
    assert find_change(moved, "kiln", "en") == Change("amount", (0, 1, 2))
    assert find_change(moved[:2], "kiln", "en") is None  # two statements are no development
    same = said(*((str(item.day), re.sub(r"\b(?:12|9)\b", "14", item.text)) for item in moved))
    assert find_change(same, "kiln", "en") is None
    apart = said(
        ("2025-01-01", "The kiln costs as much as 240 buckets."),
        ("2025-03-01", "A kiln of glaze fills 30 buckets."),
        ("2025-06-01", "To clean the kiln takes 3 buckets."),
    )
    assert find_change(apart, "kiln", "en") is None


def test_a_topics_own_figure_moves_one_way() -> None:
    lines = said(
        ("2025-01-01", "Ola Brandt: The kiln rent is 240 dollars."),
        ("2025-02-01", "Ola Brandt: The workshop kiln rent is 90 dollars."),  # another rent
        ("2025-03-01", "Ada Lane: If the kiln rent is 900 dollars, I leave."),  # supposed
        ("2025-05-01", "Ada Lane: The kiln rent is now 275 dollars."),
        ("2025-08-01", "Ola Brandt: The kiln rent went up to 310 dollars."),
    )
    assert find_change(lines, "kiln rent", "en") == Change("figure", (0, 3, 4))
    shares = said(
        ("2025-01-01", "We have 87% participation."),
        ("2025-03-01", "Participation is up to 94 percent."),
        ("2025-08-01", "Participation is about 99%, and the room is cold."),
    )
    assert find_change(shares, "participation", "en") == Change("figure", (0, 1, 2))
    restless = said(
        *(
            (f"2025-0{month}-01", f"The kiln rent is ${rent}.")
            for month, rent in enumerate((240, 310, 100, 300, 90), 1)
        )
    )
    assert find_change(restless, "kiln rent", "en") is None


def test_a_plan_is_put_off_where_the_later_date_is_named_before_the_earlier_is_over() -> None:
    lines = said(
        ("2025-07-10", "We plan to open the Harwick kiln in October."),
        ("2025-09-02", "The Harwick kiln will not open in October."),
        ("2025-10-16", "We aim to open the Harwick kiln on December 3rd."),
    )
    assert find_change(lines, "Harwick kiln", "en") == Change("date", (0, 1, 2))
    # a new date after the old one is over is another event
    again = [*lines[:2], Said(date(2025, 11, 16), "We aim to open the Harwick kiln in December.")]
    assert find_change(again, "Harwick kiln", "en") != Change("date", (0, 1, 2))
    # many kilns open: the topic must be particular
    assert find_change([Said(s.day, s.text.replace("Harwick ", "")) for s in lines], "kiln", "en") is None


def test_what_somebody_does_no_longer_is_a_change() -> None:
    lines = said(
        ("2025-01-01", "We buy ceramic shelves."),
        ("2025-04-01", "We always buy thin ceramic shelves."),
        ("2025-08-01", "We no longer buy any ceramic shelves."),
    )
    assert find_change(lines, "ceramic shelves", "en") == Change("practice", (0, 1, 2))
    back = [*lines[:1], Said(date(2025, 2, 1), lines[2].text), Said(date(2025, 8, 1), lines[1].text)]
    assert find_change(back, "ceramic shelves", "en") is None


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
    assert find_change(turned, "cork seal", "en") == Change("verdict", (0, 2, 3))  # the price is no view
    # what is only reported of the same topic is nobody's change of view
    told = said(
        *lines[1:2], ("2025-06-01", "Ines Tarr sold cork seals in Pellam."), ("2025-08-01", "Cork seals burn.")
    )
    assert find_change(told, "cork seal", "en") is None
    # to and fro is a debate
    assert find_change(said(*lines, ("2025-08-01", "I think cork seals are great.")), "cork seal", "en") is None


def test_two_peoples_views_are_no_change_of_either() -> None:
    lines = (
        ("2025-01-01", "Ada Lane: I think cork seals are great."),
        ("2025-03-01", "Ada Lane: I think cork seals are the best."),
        ("2025-08-01", "Ada Lane: I was wrong about cork seals."),
    )
    assert find_change(said(*lines), "cork seal", "en") == Change("verdict", (0, 1, 2))
    others = said(*lines[:2], ("2025-08-01", "Ola Brandt: I think cork seals are bad."))
    assert find_change(others, "cork seal", "en") is None


def test_a_denial_of_the_same_matter_is_a_change() -> None:
    lines = said(
        ("2025-01-01", "Cork seals leak in cold cellars."),
        ("2025-03-01", "In cold cellars cork seals leak."),
        ("2025-06-01", "Cork seals do not leak in cold cellars when they are waxed."),
    )
    assert find_change(lines, "cork seal", "en") == Change("saying", (0, 1, 2))
    assert find_change([*lines[:1], *lines[2:]], "cork seal", "en") is None
