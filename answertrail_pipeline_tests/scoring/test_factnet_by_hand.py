"""Small careers whose scores are worked out by hand, each for one rule; the arithmetic is beside the numbers."""

from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from answertrail_pipeline.language.career_events import CareerEvent, event_from_json
from answertrail_pipeline.scoring.factnet.level_scores import level_score
from answertrail_pipeline.scoring.factnet.matchers import KeyMatcher
from answertrail_pipeline.scoring.factnet.pools import build_pool
from answertrail_pipeline.scoring.factnet.relations import LexiconMatcher
from answertrail_pipeline.scoring.factnet.scores import PersonScore, leave_own_out, only_found_by, score_run
from answertrail_pipeline.scoring.factnet.types import Counts, Match, Matcher, Row
from answertrail_pipeline.scoring.metrics import resampling
from answertrail_pipeline.settings import ScoringSettings

KEYS = KeyMatcher()


def event(role: str, place: str, start: str | None, end: str | None = None, title: str = "") -> CareerEvent:
    return event_from_json({"role": role, "organization": place, "start": start, "end": end, "title": title})


def guess(*told: CareerEvent) -> list[Row]:
    """Rows that nothing supports: they are scored and add nothing to the truth."""
    return [Row(each, supported=False) for each in told]


def against(base: Iterable[Row], rows: list[Row], matcher: Matcher = KEYS) -> PersonScore:
    return score_run("run", build_pool(base, {"run": rows}, matcher), matcher)


def levels(score: PersonScore) -> tuple[Counts, Counts, Counts]:
    return score.event, score.attribute, score.slot


def test_a_year_where_the_truth_has_a_month_is_a_slot_missed_not_a_wrong_one() -> None:
    base = [
        Row(event("mayor", "Town", "2001-03", "2004-06", "Mayor of Town")),
        Row(event("clerk", "Court", "1995", "1999", "Clerk")),
    ]
    score = against(
        base,
        guess(
            event("mayor", "Town", "2001", "2004", "Mayor of Town"),
            event("clerk", "Court", "1995-02", "1999", "Clerk"),
        ),
    )
    # The mayor's months are not told: no attribute. The clerk's truth defines a title only, which is right.
    # Slots defined: 3 + 1; right: two titles; nothing told is wrong: a month is not judged where truth has a year.
    assert levels(score) == (Counts(2, 0, 0), Counts(1, 1, 1), Counts(2, 0, 2))
    assert score.slot.f1 == pytest.approx(4 / 6)


@pytest.mark.parametrize(
    ("end", "attribute", "slot"),
    [
        ("Present", Counts(3, 0, 0), Counts(4, 0, 0)),
        (None, Counts(2, 1, 1), Counts(3, 0, 1)),  # nothing said: missed
        ("2015-06", Counts(2, 1, 1), Counts(3, 1, 1)),  # said and wrong: false and missed
    ],
)
def test_only_an_end_that_the_truth_knows_is_judged(end: str | None, attribute: Counts, slot: Counts) -> None:
    base = [
        Row(event("minister", "Finance", "2010-05", "ongoing")),
        Row(event("member", "Assembly", "2008-01", "NA")),
        Row(event("judge", "Court", "2000-01")),
    ]  # slots: start and end, start, start
    told = guess(
        event("minister", "Finance", "2010-05", end),
        event("member", "Assembly", "2008-01", "Present"),
        event("judge", "Court", "2000-01", "2003-02"),
    )
    assert levels(against(base, told)) == (Counts(3, 0, 0), attribute, slot)


@pytest.mark.parametrize("coarse_title", ["", "Chief", "Head", "Boss", "Lord"])
def test_one_event_told_three_times_is_one_with_the_finest_dates(coarse_title: str) -> None:
    base = [Row(event("mayor", "Town", "2001-03", "2004-06", "Mayor"))]
    score = against(
        base,
        guess(
            event("mayor", "Town", "2001", None, coarse_title),
            event("Mayor", "town", "2001-03-15", "2004", "Mayor"),
            event("mayor", "Town", "2001", "2004-06", coarse_title),
        ),
    )
    # Counted naively recall would be 3/1. Start and title are the second row's (the finest), the end the third's.
    assert levels(score) == (Counts(1, 0, 0), Counts(1, 0, 0), Counts(3, 0, 0))
    assert score.duplicates == 2


def test_additions_are_true_for_all_and_an_arm_added_later_lowers_recall() -> None:
    a, b, x, y, z = (event("member", place, "2001") for place in ("Aa", "Bb", "Xx", "Yy", "Zz"))
    base = [Row(a), Row(b)]
    two = {"X": [Row(a), Row(x), *guess(y)], "Y": [Row(b), Row(x)]}
    three = {**two, "Z": [Row(b), Row(z)]}
    before, after = build_pool(base, two, KEYS), build_pool(base, three, KEYS)
    assert (len(before.clusters), len(after.clusters)) == (3, 4)  # a, b, x; then z too
    assert score_run("X", before, KEYS).event == Counts(2, 1, 1)  # a and x; y is unsupported; b missed
    assert score_run("Y", before, KEYS).event == Counts(2, 0, 1)
    assert score_run("X", after, KEYS).event == Counts(2, 1, 2)  # recall 2/3 becomes 2/4
    assert score_run("Y", after, KEYS).event == Counts(2, 0, 2)
    assert score_run("Z", after, KEYS).event == Counts(2, 0, 2)
    # Without Z's own additions the truth is a, b, x: Z has b, and z counts as false.
    assert leave_own_out({}, "Z", base, three, KEYS).event == Counts(1, 1, 2)
    # x is found by Y as well, so X loses nothing; two repetitions of one arm are one finder.
    assert leave_own_out({}, "X", base, three, KEYS).event == Counts(2, 1, 2)
    assert leave_own_out({"X": "one", "Y": "one"}, "X", base, three, KEYS).event == Counts(1, 2, 2)
    assert [only_found_by(after, runs) for runs in ({"Z"}, {"X"}, {"X", "Y"})] == [1, 0, 1]


def test_what_the_reference_tells_leaves_both_sides() -> None:
    a, b, c, q, z = (event("member", place, "2001") for place in ("Aa", "Bb", "Cc", "Qq", "Zz"))
    base = [Row(a, covered=True), Row(b), Row(c)]
    rows = [Row(a), Row(b), Row(q, covered=True), *guess(z)]
    pool = build_pool(base, {"run": rows}, KEYS)
    novel, full = (score_run("run", pool, KEYS, scope) for scope in ("novel", "full"))
    # Truth b, c. Asked b and z: a is the base's covered event, q is told by its own verdict.
    assert (novel.event, novel.covered, novel.truth) == (Counts(1, 1, 1), 2, 2)
    # Truth a, b, c; all four rows: q is no event of the base, so here it counts as false.
    assert (full.event, full.truth) == (Counts(2, 2, 1), 3)


@dataclass(frozen=True)
class Named:
    """Two roles are one event where a pair says so."""

    same: frozenset[frozenset[str]]
    version: str = "test"

    def match(self, a: CareerEvent, b: CareerEvent, *, one_source: bool = False) -> Match:
        """Compare by the pairs."""
        alike = a.role == b.role or frozenset((a.role, b.role)) in self.same
        return Match.YES if alike else Match.NO


def test_the_assignment_matches_as_many_as_can_be_and_then_the_most_slots() -> None:
    matcher = Named(frozenset({frozenset("pA"), frozenset("pB"), frozenset("qA")}))
    base = [Row(event("A", "Town", "2001-02")), Row(event("B", "Town", "2001-09"))]
    p, q = event("p", "Town", "2001-02"), event("q", "Town", "2001-05")
    # p could take A, with its month right; then q, which can only be A, would find no place. Two matches go first.
    score = against(base, guess(p, q), matcher)
    assert levels(score) == (Counts(2, 0, 0), Counts(0, 2, 2), Counts(0, 2, 2))
    # Alone, p takes the one whose month it has, wherever that stands in the list.
    for listed in (base, base[::-1]):
        for month, role in (("2001-02", "A"), ("2001-09", "B")):
            alone = against(listed, guess(event("p", "Town", month)), matcher)
            assert levels(alone) == (Counts(1, 0, 1), Counts(1, 0, 1), Counts(1, 0, 1))
            assert [each.event.role for each in alone.missed] == ["B" if role == "A" else "A"]


def test_any_attested_title_is_exact_and_a_translation_is_not() -> None:
    base = [
        Row(event("minister", "Finance", "2010-05", "2012-06", "Minister of Finance"), sources=frozenset("s")),
        Row(event("minister", "Finance", "2010-05", "2012-07", "Ministre des Finances"), sources=frozenset("t")),
    ]  # one event; its sources disagree on the end, one vote each: both are right
    right = guess(event("minister", "Finance", "2010-05", "2012-07", "MINISTRE  DES FINANCES"))
    assert levels(against(base, right)) == (Counts(1, 0, 0), Counts(1, 0, 0), Counts(3, 0, 0))
    other = guess(event("minister", "Finance", "2010-06", "2012-06", "Finance Minister"))
    assert levels(against(base, other)) == (Counts(1, 0, 0), Counts(0, 1, 1), Counts(1, 2, 2))


def test_every_slot_of_an_unmatched_row_is_false_and_without_a_year_nothing_matches() -> None:
    base = [Row(event("mayor", "Town", "2001-03", "2004-06", "Mayor"))]
    score = against(
        base,
        guess(event("mayor", "Town", None, None, "Mayor"), event("cook", "Inn", "1999-01", "ongoing", "Cook")),
    )
    # Slots filled by rows without a match: 1 (title) + 3; of the truth's 3 none is right.
    assert levels(score) == (Counts(0, 2, 1), Counts(0, 2, 1), Counts(0, 4, 3))
    assert (score.event.precision, score.event.recall, score.event.f1) == (0.0, 0.0, 0.0)
    # Supported, it still is no truth: nobody could match it.
    found = build_pool([], {"run": [Row(event("mayor", "Town", None))]}, KEYS)
    assert found.clusters == ()


def test_spans_that_touch_are_one_and_with_a_gap_either_is_right() -> None:
    def stretch(start: str, end: str) -> Row:
        return Row(event("minister", "Roads", start, end, "Minister"))

    whole = guess(event("minister", "Roads", "2001-02", "2004-06", "Minister"))
    later = guess(event("minister", "Roads", "2001-09", "2004-06", "Minister"))
    touching = [stretch("2001-02", "2001-09"), stretch("2001-09", "2004-06")]
    assert against(touching, whole).slot == Counts(3, 0, 0)
    assert against(touching, later).slot == Counts(2, 1, 1)  # the start is 2001-02 alone
    gap = [stretch("2001-02", "2001-06"), stretch("2001-09", "2004-06")]
    assert against(gap, whole).slot == Counts(3, 0, 0)
    assert against(gap, later).slot == Counts(3, 0, 0)


def test_two_languages_are_one_addition_with_the_month_of_whoever_has_it() -> None:
    english = event_from_json(
        {"role": "Mayor", "organization": "Toulouse", "start": "2010", "title": "Mayor of Toulouse", "lang": "en"}
    )
    french = event_from_json(
        {"role": "Maire", "organization": "Toulouse", "start": "2010-03", "title": "Maire", "lang": "fr"}
    )
    matcher = LexiconMatcher()
    runs = {"en": [Row(english, sources=frozenset("a"))], "fr": [Row(french, sources=frozenset("b"))]}
    pool = build_pool([], runs, matcher)
    (only,) = pool.clusters
    assert (only.truth.starts, only.truth.titles) == ({"2010-03"}, {"mayor of toulouse", "maire"})
    assert levels(score_run("fr", pool, matcher)) == (Counts(1, 0, 0), Counts(1, 0, 0), Counts(2, 0, 0))
    assert levels(score_run("en", pool, matcher)) == (Counts(1, 0, 0), Counts(0, 1, 1), Counts(1, 0, 1))
    assert [only_found_by(pool, {run}) for run in runs] == [0, 0]


def test_pooled_and_mean_f1_have_their_own_names() -> None:
    persons = {"well": Counts(9, 1, 0), "badly": Counts(0, 0, 10), "empty": Counts(0, 0, 0)}
    score = level_score(persons, "seed", resampling(ScoringSettings()))
    assert score.counts == Counts(9, 1, 10)
    assert score.f1.value == pytest.approx(18 / 29)  # 2 x 9 / (18 + 1 + 10) = 0.621
    assert score.macro_f1.value == pytest.approx((18 / 19 + 0) / 2)  # 0.474; no truth and no row: in no mean
    assert score.left_out == 1
