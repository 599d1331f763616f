"""What must hold of every pool: order never matters, and building it again adds nothing."""

import random
from collections.abc import Mapping, Sequence
from itertools import permutations

import pytest

from answertrail_pipeline.language.career_events import event_from_json
from answertrail_pipeline.scoring.factnet.joining import join_rows
from answertrail_pipeline.scoring.factnet.matchers import JudgedMatcher, KeyMatcher, unsure_pairs
from answertrail_pipeline.scoring.factnet.pools import build_pool, consolidated_base, pool_rows
from answertrail_pipeline.scoring.factnet.scores import PersonScore, leave_own_out, only_found_by, score_run
from answertrail_pipeline.scoring.factnet.types import ALL_SLOTS, Match, Matcher, Pool, Row

ROLES = ("minister", "mayor", "member", "director", "judge")
PLACES = ("Finance", "Town", "Assembly", "Harbour Board")
STARTS = ("1999", "1999-03", "2001", "2001-02", "2001-03", "2004-06", None)
ENDS = ("2001-02", "2004", "2004-06", "ongoing", "unknown", None)


class SureOfSome:
    """Equal keys are the same; other roles at one place are unsure, and the judge's word is not transitive."""

    version = "test"

    def match(self, a, b, *, one_source=False):
        keys = KeyMatcher()
        if keys.match(a, b) is Match.YES:
            return Match.YES
        same_place = a.organization == b.organization and a.start and b.start and a.start.year == b.start.year
        return Match.UNSURE if same_place else Match.NO


def random_rows(draw: random.Random, source: str) -> list[Row]:
    rows = []
    for _ in range(draw.randint(0, 7)):
        event = event_from_json(
            {
                "role": draw.choice(ROLES),
                "organization": draw.choice(PLACES),
                "start": draw.choice(STARTS),
                "end": draw.choice(ENDS),
                "title": draw.choice(("Minister", "Mayor of Town", "mayor of  town", "")),
            }
        )
        slots = frozenset(slot for slot in ALL_SLOTS if draw.random() < 0.8)
        base = source == "base"
        rows.append(
            Row(
                event,
                supported=base or draw.random() < 0.6,
                covered=draw.random() < 0.2,
                slots=ALL_SLOTS if base else slots,
                sources=frozenset((source if base else draw.choice(("x.example", "y.example")),)),
            )
        )
    return rows


def random_case(seed: int) -> tuple[Matcher, list[Row], dict[str, list[Row]]]:
    draw = random.Random(seed)
    base = random_rows(draw, "base")
    runs = {f"run{number}": random_rows(draw, f"run{number}") for number in range(draw.randint(1, 4))}
    events = [row.event for rows in (base, *runs.values()) for row in rows]
    unsure = unsure_pairs(events, SureOfSome())
    return JudgedMatcher(SureOfSome(), {pair: draw.random() < 0.4 for pair in sorted(unsure)}, "test"), base, runs


def numbers(score: PersonScore) -> tuple[object, ...]:
    return (
        score.event, score.attribute, score.slot, score.duplicates, score.covered, score.grounded, score.truth,
    )  # fmt: skip


def all_numbers(base: Sequence[Row], runs: Mapping[str, Sequence[Row]], matcher: Matcher) -> dict[str, object]:
    pool = build_pool(base, runs, matcher)
    made: dict[str, object] = {"truth": [(c.event.content_hash, c.truth) for c in pool.clusters]}
    for run in sorted(runs):
        for scope in ("novel", "full"):
            made[f"{run} {scope}"] = numbers(score_run(run, pool, matcher, scope))
        made[f"{run} own out"] = numbers(leave_own_out({}, run, base, runs, matcher))
        made[f"{run} alone"] = only_found_by(pool, {run})
    return made


@pytest.mark.parametrize("seed", range(10))
def test_300_shuffles_of_runs_rows_and_base_change_no_number(seed: int) -> None:
    matcher, base, runs = random_case(seed)
    expected = all_numbers(base, runs, matcher)
    draw = random.Random(1000 + seed)
    for _ in range(30):
        names = draw.sample(sorted(runs), len(runs))
        shuffled = {name: draw.sample(runs[name], len(runs[name])) for name in names}
        assert all_numbers(draw.sample(base, len(base)), shuffled, matcher) == expected


@pytest.mark.parametrize("seed", range(60))
def test_feeding_a_pool_back_as_base_adds_nothing(seed: int) -> None:
    _judged, base, runs = random_case(seed)
    matcher = KeyMatcher()
    pool = build_pool(base, runs, matcher)
    again = build_pool(pool_rows(pool), runs, matcher)
    assert contents(again) == contents(pool)
    for run in runs:
        assert numbers(score_run(run, again, matcher)) == numbers(score_run(run, pool, matcher))


def contents(pool: Pool) -> list[tuple[object, ...]]:
    """What the truth is, but for who found it."""
    return sorted(
        (
            sorted({(row.event.role, row.event.organization) for member in each.members for row in member.rows}),
            *(sorted(values) for values in (each.truth.starts, each.truth.ends, each.truth.titles)),
        )
        for each in pool.clusters
    )


@pytest.mark.parametrize("seed", range(60))
def test_a_pool_of_two_halves_is_the_pool_of_the_whole(seed: int) -> None:
    _judged, base, runs = random_case(seed)
    matcher = KeyMatcher()
    names = sorted(runs)
    half = {name: runs[name] for name in names[: len(names) // 2]}
    grown = build_pool(pool_rows(build_pool(base, half, matcher)), runs, matcher)
    assert contents(grown) == contents(build_pool(base, runs, matcher))


@pytest.mark.parametrize("seed", range(60))
def test_counts_fit_together(seed: int) -> None:
    matcher, base, runs = random_case(seed)
    pool = build_pool(base, runs, matcher)
    for run, rows in runs.items():
        score = score_run(run, pool, matcher)
        joined = join_rows(run, rows, matcher)
        assert score.event.tp + score.event.fn == len(pool.clusters) == score.truth
        assert score.event.tp + score.event.fp == len(joined) - score.covered
        assert score.attribute.tp <= score.event.tp
        assert score.attribute.tp + score.attribute.fp == score.event.tp + score.event.fp
        assert len(joined) + score.duplicates == len(rows)
        full = score_run(run, pool, matcher, "full")
        assert full.event.tp + full.event.fn == len(pool.clusters) + len(pool.covered)


def test_a_new_arm_asks_the_judge_only_of_new_pairs() -> None:
    _matcher, base, runs = random_case(3)
    events = [row.event for rows in (base, *runs.values()) for row in rows]
    before = unsure_pairs(events, SureOfSome())
    new = [event_from_json({"role": "clerk", "organization": "Town", "start": "2001"})]
    after = unsure_pairs([*events, *new], SureOfSome())
    assert before.items() <= after.items()
    assert all(new[0].content_hash in pair for pair in after.keys() - before.keys())


def test_a_consolidated_base_needs_the_evidence_of_two_runs() -> None:
    mayor = event_from_json({"role": "mayor", "organization": "Town", "start": "2000", "title": "Mayor"})
    judge = event_from_json({"role": "judge", "organization": "Court", "start": "2005", "title": "Judge"})
    runs = {"a": [Row(mayor), Row(judge)], "b": [Row(mayor)], "c": [Row(judge, supported=False)]}
    assert {row.event.role for row in consolidated_base(runs, KeyMatcher())} == {"mayor"}
    assert {row.event.role for row in consolidated_base(runs, KeyMatcher(), at_least=1)} == {"mayor", "judge"}


def test_first_come_clustering_would_depend_on_order_and_linkage_does_not() -> None:
    """A chain: a is b and b is c by the judge, but a is not c. Three orders gave three results; here it is one.

    Which run has which event changes nothing either: the order is that of the events.
    """
    events = [event_from_json({"role": role, "organization": "Town", "start": "2001"}) for role in ("a", "b", "c")]
    a, b, c = events
    same = {pair: pair != pair_of(a, c) for pair in unsure_pairs(events, SureOfSome())}
    matcher = JudgedMatcher(SureOfSome(), same, "test")
    shapes = set()
    for order in permutations((a, b, c)):
        runs = {f"run{at}": [Row(event)] for at, event in enumerate(order)}
        pool = build_pool([], runs, matcher)
        shapes.add(frozenset(frozenset(m.event.role for m in each.members) for each in pool.clusters))
    assert len(shapes) == 1
    assert len(next(iter(shapes))) == 2


def pair_of(a, b):
    return tuple(sorted((a.content_hash, b.content_hash)))


def test_where_sources_disagree_what_most_attest_is_right() -> None:
    def told(start: str, end: str, source: str) -> Row:
        event = event_from_json(
            {"role": "mayor", "organization": "Town", "start": start, "end": end, "title": "Mayor"}
        )
        return Row(event, sources=frozenset((source,)))

    runs = {
        "a": [told("2001-02", "2004-06", "x.example")],
        "b": [told("2001-02", "2004-07", "y.example")],
        "c": [told("2001-03", "2004-07", "z.example")],
        "d": [told("2001-02", "ongoing", "x.example")],
    }
    (truth,) = (each.truth for each in build_pool([], runs, KeyMatcher()).clusters)
    assert truth.starts == {"2001-02"}  # x and y against z
    assert truth.ends == {"2004-07"}  # y and z; x attests two others, once each


def test_a_slot_without_its_own_support_is_no_truth() -> None:
    event = event_from_json(
        {"role": "mayor", "organization": "Town", "start": "2001-02", "end": "2004-06", "title": "M"}
    )
    (cluster,) = build_pool([], {"a": [Row(event, slots=frozenset(("title",)))]}, KeyMatcher()).clusters
    assert (cluster.truth.starts, cluster.truth.ends, cluster.truth.titles) == (frozenset(), frozenset(), {"m"})
