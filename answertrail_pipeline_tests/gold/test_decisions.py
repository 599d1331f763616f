from datetime import UTC, datetime
from typing import Any

from answertrail_pipeline.gold.decisions import Decision, differing, state_of, text_of, window_of


def log(*entries: dict[str, Any]) -> list[Decision]:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        Decision(**{"adjudication_id": i, "decided_at": now, "reviewer": "Ada", **entry})
        for i, entry in enumerate(entries, 1)
    ]


def test_the_last_verdict_that_holds_is_the_state() -> None:
    assert state_of([]) == "proposed"
    assert state_of(log({"decision": "keep"}, {"decision": "cut"})) == "cut"
    assert state_of(log({"decision": "keep"}, {"decision": "cut"}, {"decision": "undo", "undoes": 2})) == "kept"
    assert state_of(log({"decision": "keep"}, {"decision": "undo", "undoes": 1})) == "proposed"
    assert state_of(log({"decision": "edit", "new_text": "b", "old_text": "a"})) == "proposed"


def test_an_undone_edit_brings_the_words_back() -> None:
    first = {
        "decision": "edit",
        "old_text": "a",
        "new_text": "b",
        "old_window": "mid 2025",
        "new_window": "Q3 2025",
    }
    second = {
        "decision": "edit",
        "old_text": "b",
        "new_text": "c",
        "old_window": "Q3 2025",
        "new_window": "Q4 2025",
    }
    both = log(first, second)
    assert (text_of(both, "c"), window_of(both, "Q4 2025")) == ("c", "Q4 2025")
    one_back = log(first, second, {"decision": "undo", "undoes": 2})
    assert (text_of(one_back, "c"), window_of(one_back, "Q4 2025")) == ("b", "Q3 2025")
    all_back = log(first, second, {"decision": "undo", "undoes": 2}, {"decision": "undo", "undoes": 1})
    assert (text_of(all_back, "b"), window_of(all_back, "Q3 2025")) == ("a", "mid 2025")


def test_reviewers_differ_until_somebody_decides_having_seen_the_other() -> None:
    blind = log({"decision": "keep"}, {"decision": "cut", "reviewer": "Ben"})
    assert [decision.reviewer for decision in differing(blind)] == ["Ada", "Ben"]
    assert differing(log({"decision": "keep"}, {"decision": "keep", "reviewer": "Ben"})) == []
    seen = log({"decision": "keep"}, {"decision": "cut", "reviewer": "Ben", "seen": 1})
    assert differing(seen) == []
    third = log(
        {"decision": "keep"},
        {"decision": "cut", "reviewer": "Ben"},
        {"decision": "keep", "reviewer": "Cy", "seen": 2},
    )
    assert differing(third) == []
    taken_back = log(
        {"decision": "keep"}, {"decision": "cut", "reviewer": "Ben"}, {"decision": "undo", "undoes": 1}
    )
    assert differing(taken_back) == []
