"""The worked examples of ../shared/data/politnuggets, exactly, each through the same functions as a real score."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from answertrail_pipeline.language.career_events import event_from_json
from answertrail_pipeline.scoring.factnet.matchers import KeyMatcher
from answertrail_pipeline.scoring.factnet.pools import build_pool
from answertrail_pipeline.scoring.factnet.scores import PersonScore, leave_own_out, score_run
from answertrail_pipeline.scoring.factnet.types import Counts, Match, Matcher, Row

Examples = Mapping[str, dict[str, Any]]


@pytest.fixture(scope="module")
def examples(shared_data: Path) -> Examples:
    listed = json.loads((shared_data / "politnuggets/worked_examples.json").read_text("utf-8"))
    return {example["id"]: example for example in listed}


def rows(given: list[dict[str, Any]], matcher: Matcher, reference: list[dict[str, Any]], source: str) -> list[Row]:
    """Rows of an example: the reference is a list of events there, and the base is supported by itself."""
    told = [event_from_json(each) for each in reference]
    made = []
    for each in given:
        event = event_from_json(each)
        covered = any(matcher.match(event, other) is Match.YES for other in told)
        supported = source == "base" or bool(each.get("supported"))
        made.append(Row(event, supported=supported, covered=covered, sources=frozenset((source,))))
    return made


def case(example: dict[str, Any], matcher: Matcher) -> tuple[list[Row], dict[str, list[Row]]]:
    reference = example.get("reference", [])
    runs = example.get("runs") or {"run": example["predictions"]}
    return (
        rows(example.get("base") or example.get("truth") or [], matcher, reference, "base"),
        {name: rows(given, matcher, reference, name) for name, given in runs.items()},
    )


def check(counts: Counts, expected: dict[str, Any]) -> None:
    ratios = (counts.precision, counts.recall, counts.f1)
    made = [None if ratio is None else round(ratio, 4) for ratio in ratios]
    assert (counts.tp, counts.fp, counts.fn, *made) == tuple(
        expected[name] for name in ("tp", "fp", "fn", "p", "r", "f1")
    )


def check_score(score: PersonScore, expected: dict[str, Any]) -> None:
    for level in ("event", "attribute", "slot"):
        if level in expected:
            check(score.counts(level), expected[level])
    for name, value in (("n_duplicates", score.duplicates), ("n_covered", score.covered)):
        if name in expected:
            assert value == expected[name], name


def test_w1_two_systems_meet_one_pooled_truth(examples: Examples) -> None:
    example = examples["W1"]
    matcher = KeyMatcher()
    base, runs = case(example, matcher)
    pool = build_pool(base, runs, matcher)
    assert len(pool.clusters) == example["expect"]["n_truth"]
    for run in runs:
        check_score(score_run(run, pool, matcher), example["expect"][run])
        own = leave_own_out({}, run, base, runs, matcher)
        check(own.event, example["expect"]["leave_own_out"][run])


def test_w2_a_truth_that_grows_in_turn_depends_on_the_turn(examples: Examples) -> None:
    expect = examples["W2"]["expect"]
    matcher = KeyMatcher()
    base, runs = case(examples["W1"], matcher)

    def against(run: str, *additions: str) -> Counts:
        pool = build_pool(base, {name: runs[name] for name in additions}, matcher)
        from answertrail_pipeline.scoring.factnet.joining import join_rows
        from answertrail_pipeline.scoring.factnet.scores import score_rows

        return score_rows(join_rows(run, runs[run], matcher), pool, matcher).event

    check(against("A", "A"), expect["A_then_B"]["A"])
    check(against("B", "A", "B"), expect["A_then_B"]["B"])
    check(against("B", "B"), expect["B_then_A"]["B"])
    check(against("A", "A", "B"), expect["B_then_A"]["A"])
    for run in runs:
        check(against(run, run), expect["own_additions_only"][run])
        check(against(run), expect["static"][run])


@pytest.mark.parametrize("name", ["W3", "W4", "W6 no predictions", "W6 no truth", "W6 neither"])
def test_one_run_against_a_given_truth(examples: Examples, name: str) -> None:
    matcher = KeyMatcher()
    base, runs = case(examples[name], matcher)
    score = score_run("run", build_pool(base, runs, matcher), matcher)
    check_score(score, examples[name]["expect"])


def test_w7_real_rows_without_and_with_a_lexicon(examples: Examples) -> None:
    example = examples["W7"]
    for name, matcher in (
        ("without", KeyMatcher()),
        ("with_lexicon", KeyMatcher(example["roles"], example["orgs"])),
    ):
        base, runs = case(example, matcher)
        check_score(score_run("run", build_pool(base, runs, matcher), matcher), example["expect"][name])


def test_w8_a_tenure_in_two_rows_is_one_span(examples: Examples) -> None:
    example = examples["W8"]
    matcher = KeyMatcher(example["roles"], example["orgs"])
    base, runs = case(example, matcher)
    pool = build_pool(base, runs, matcher)
    assert len(pool.clusters) == example["expect"]["n_truth"]
    assert pool.clusters[0].truth.starts == {"2017-05"}
    assert pool.clusters[0].truth.ends == {"2020-07"}
    check_score(score_run("run", pool, matcher), example["expect"])
