import json
import math
from datetime import date
from pathlib import Path

import pytest

from answertrail_pipeline.gold import gates


def test_the_leak_score_is_what_its_formula_says() -> None:
    # words of the answer (stemmed, without stop words): kiln, cost, 240, dollar. The question says kiln and cost:
    # 2/4; one number is left out; the longest shared run is "kiln cost", 2 words.
    score = gates.leak_score("What does the kiln cost?", "The kiln costs 240 dollars.")
    exponent = 3.83 - 2.9 * 2 / 4 + 1.75 * 1 - 0.45 * 2
    assert score == pytest.approx(1 / (1 + math.exp(exponent)))
    assert gates.leak_score("Anything?", "") == 0.0


def test_only_a_question_that_gives_every_answer_away_is_warned_of() -> None:
    question = "Does the blue glaze crack when the north kiln cools in under nine hours?"
    told = "The blue glaze cracks when the north kiln cools in under nine hours."
    assert gates.gives_away(question, [told]) is not None
    assert gates.gives_away(question, [told, "Nobody bought 300 cups."]) is None
    assert gates.gives_away(question, []) is None


@pytest.mark.parametrize(
    ("question", "warned"),
    [
        ("How did scores change across the benchmarks tested?", True),
        ("What did the model score on ARC-AGI-2?", False),
        ("How did Vera do compared to other models?", True),
        ("What was better?", True),
    ],
)
def test_what_is_pointed_at_must_be_named(question: str, warned: bool) -> None:
    assert (gates.unspecific(question) is not None) is warned


def test_an_amount_asked_for_must_be_in_the_claim() -> None:
    assert gates.unanswered("How many mugs were sold?", "Many mugs were sold.") is not None
    assert gates.unanswered("How many mugs were sold?", "Forty mugs were sold.") is None


def test_near_duplicates_are_told_without_frame_and_window() -> None:
    others = [("lc-1", "How did what was said about glaze develop from May 2025 through July 2026?")]
    same = gates.near_duplicate(
        "How did what was said about glaze develop from June 2025 through May 2026?", others
    )
    assert same is not None
    assert "lc-1" in same.message
    assert (
        gates.near_duplicate("How did what was said about kilns develop from May 2025 through July 2026?", others)
        is None
    )


def test_holes_and_ends_of_a_span() -> None:
    days = [date(2025, 1, 1), date(2025, 1, 20), date(2025, 12, 1), date(2025, 12, 20)]
    # 315 of 353 days without evidence; nothing farther than 60 days from both ends
    assert {warned.gate for warned in gates.span_holes(days)} == {"span_hole", "end_points_only"}
    lonely = [date(2025, 1, 1), date(2025, 3, 1), date(2025, 4, 20), date(2025, 5, 1)]
    (warned,) = gates.span_holes(lonely)
    assert (warned.gate, warned.message) == ("single_video_end", "One video alone shows the start.")


def test_nuggets_are_read_against_their_claims_and_chunks() -> None:
    claim = "Opus scores 62 percent and Sonnet scores 69 percent on the kiln test in Harwick."
    assert gates.bundled("Opus scores 62 percent, while Sonnet scores 69 percent.") is not None
    assert gates.bundled("Opus scores 62 percent.") is None
    assert gates.not_entailed("Opus scores 63 percent.", [claim]) is not None
    assert gates.not_entailed("On the test Gemini scores 62 percent.", [claim]) is not None
    assert gates.not_entailed("Opus scores 62 percent.", [claim]) is None
    opposite = gates.says_opposite("Short answers do not use therefore.", ["Short answers use therefore a lot."])
    assert opposite is not None
    assert gates.says_opposite("Short answers use therefore.", ["Short answers use therefore a lot."]) is None
    assert gates.copied("Opus scores 62 percent and Sonnet scores 69 percent.", [claim]) is not None
    assert gates.copied("Sonnet is seven points ahead of Opus.", [claim]) is None


def test_the_direction_of_a_change_must_not_be_in_the_question() -> None:
    statements = ["He moved from warm praise of ceramic shelves to plain dismissal."]
    leaking = "How did warm praise of ceramic shelves fade from May to July 2025?"
    assert gates.names_direction(leaking, statements) is not None
    assert (
        gates.names_direction("How did the view of ceramic shelves evolve from May to July 2025?", statements)
        is None
    )


def test_longest_run() -> None:
    assert gates.longest_run(["a", "b", "c", "d"], ["x", "b", "c", "y", "a"]) == 2
    assert gates.longest_run([], ["a"]) == 0


def given_away(row: dict[str, str]) -> bool:
    note = row["human_note"].lower()
    return "overlap" in note or "leak" in note or "basically the claim" in note


def auc(positive: list[float], negative: list[float]) -> float:
    pairs = [(p > n) + 0.5 * (p == n) for p in positive for n in negative]
    return sum(pairs) / len(pairs)


def test_the_gates_against_a_persons_notes(shared_data: Path) -> None:
    folder = shared_data / "answertrail"
    proposals = [
        json.loads(line) for line in (folder / "factual_candidates.jsonl").read_text("utf-8").splitlines()
    ]
    kept_ids = {
        json.loads(line)["question_id"] for line in (folder / "factual_gold.jsonl").read_text("utf-8").splitlines()
    }
    leaks = [gates.leak_score(p["question"], p["claim"]) for p in proposals if given_away(p)]
    kept = [gates.leak_score(p["question"], p["claim"]) for p in proposals if p["question_id"] in kept_ids]
    assert (len(leaks), len(kept)) == (11, 25)
    assert auc(leaks, kept) >= 0.9
    assert sum(score >= gates.MAX_LEAK for score in leaks) >= 9
    assert sum(score >= gates.MAX_LEAK for score in kept) <= 3
    warned = {
        p["question_id"]
        for p in proposals
        if gates.gives_away(p["question"], [p["claim"]])
        or gates.unspecific(p["question"])
        or gates.unnatural(p["question"])
        or gates.unanswered(p["question"], p["claim"])
    }
    cut = {p["question_id"] for p in proposals} - kept_ids
    precision, recall = len(warned & cut) / len(warned), len(warned & cut) / len(cut)
    assert precision >= 0.75
    assert recall >= 0.6
