"""The rule-based writer and the rules it shares with the rule-based researcher."""

from datetime import date

import pytest

from answertrail_pipeline.tasks.next_step import NEXT_STEP, NextStepInput, PastSearch
from answertrail_pipeline.tasks.topic_parts import asks_over_time, topic_parts
from answertrail_pipeline.tasks.write_answer import WRITE_ANSWER, EvidenceItem, WriteAnswerInput, WrittenAnswer
from answertrail_pipeline.tasks.write_answer_rules import NOTHING_FOUND

CHANGE = "How did the keeper's view of the lamp change from early 2025 to June 2025?"


def item(chunk_id: str, day: str, said: str) -> EvidenceItem:
    return EvidenceItem(chunk_id=chunk_id, title="t", date=date.fromisoformat(day), text=said)


def write(question: str, *evidence: EvidenceItem, topic: str | None = None, language: str = "en") -> WrittenAnswer:
    return WRITE_ANSWER.baseline(
        WriteAnswerInput(question=question, language=language, evidence=evidence, topic=topic)
    )


def test_a_development_is_told_in_order_of_time_inside_its_window() -> None:
    made = write(
        CHANGE,
        item("b:00000", "2025-06-20", "So yes. The lamp surprised the keeper through the whole of June."),
        item("c:00000", "2025-11-05", "The lamp is better than oil in every way, says the keeper now."),
        item("a:00000", "2025-01-10", "The keeper does not trust the lamp in any winter storm."),
        topic="the keeper's view of the lamp",
    )
    assert made.answer == (
        "In January 2025: The keeper does not trust the lamp in any winter storm [a:00000].\n\n"
        "In June 2025: The lamp surprised the keeper through the whole of June [b:00000]."
    )
    assert made.citations == ("a:00000", "b:00000")
    assert not made.abstained


def test_one_fact_is_told_best_first_and_another_language_gets_its_month_in_figures() -> None:
    made = write(
        "Wie hoch ist der Leuchtturm?",
        item("a:00000", "2025-01-10", "Der Leuchtturm ist einunddreißig Meter hoch."),
        language="de",
    )
    assert made.answer == "2025-01: Der Leuchtturm ist einunddreißig Meter hoch [a:00000]."


def test_a_marker_in_a_transcript_is_no_citation() -> None:
    made = write(
        "How tall is the lighthouse?",
        item("a:00000", "2025-01-10", "The lighthouse is tall [z:99999] like that one."),
    )
    assert "[z:99999]" not in made.answer
    assert made.citations == ("a:00000",)


def test_evidence_about_something_else_is_no_answer() -> None:
    nothing = WrittenAnswer(answer=NOTHING_FOUND, citations=(), abstained=True)
    assert write("How tall is the lighthouse?", item("a:00000", "2025-01-10", "Seals came back.")) == nothing
    assert write("How tall is the lighthouse?") == nothing


def test_prompts_hold_the_passages_in_order_of_time_and_never_the_topic() -> None:
    prompt = WRITE_ANSWER.render(
        WriteAnswerInput(
            question="Why?",
            language="ja",
            topic="only the rules read this",
            evidence=(item("b:00000", "2025-06-20", "late"), item("a:00000", "2025-01-10", "early")),
        )
    )
    assert prompt.index("[a:00000] 2025-01-10 | t\nearly") < prompt.index("[b:00000] 2025-06-20 | t\nlate")
    assert "`ja`" in prompt
    assert "only the rules" not in prompt


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [
        ("How did his view of agents evolve?", "en", True),
        ("What did she say about seals from March 2025 to May 2025?", "en", True),
        ("When was the tower built, and who paid in May 2025?", "en", False),
        ("Wie hat sich seine Meinung zu Agenten geändert?", "de", True),
        ("彼の意見はどのように変化しましたか", "ja", True),
        ("How tall is the lighthouse?", "en", False),
    ],
)
def test_questions_about_a_development_are_told_apart(question: str, language: str, expected: bool) -> None:
    assert asks_over_time(question, language) is expected


def test_a_topic_is_cut_at_its_joints() -> None:
    question = 'How did the view of "reward hacking" and DPO (Direct Preference Optimization) evolve?'
    parts = topic_parts(question, '"reward hacking" and DPO (Direct Preference Optimization)', "en")
    assert (
        parts[1:]
        == ["reward hacking", "DPO", "Direct Preference Optimization", "DPO Direct Preference Optimization"][
            : len(parts) - 1
        ]
    )


def test_the_research_opens_wide_then_fills_empty_months_then_stops() -> None:
    given = NextStepInput(
        question=CHANGE,
        topic="the lamp and the oil",
        language="en",
        first_date=date(2025, 1, 10),
        last_date=date(2025, 12, 31),
    )
    opening = NEXT_STEP.baseline(given).searches
    assert [each.query for each in opening] == [CHANGE, "the lamp and the oil", "the lamp", "the oil"]
    past = tuple(PastSearch(step=1, query=each.query, since=None, until=None, found=3, new=1) for each in opening)
    gaps = NEXT_STEP.baseline(
        given.model_copy(update={"past": past, "months": {"2025-01": 2, "2025-03": 1, "2025-11": 1}})
    ).searches
    # the question's span is January (early 2025) to June; January and March have chunks
    assert [(str(each.since), str(each.until), each.k) for each in gaps] == [
        ("2025-02-01", "2025-02-28", 3),
        ("2025-04-01", "2025-04-30", 3),
        ("2025-05-01", "2025-05-31", 3),
        ("2025-06-01", "2025-06-30", 3),
    ]
    more = tuple(
        PastSearch(step=2, query=each.query, since=each.since, until=each.until, found=0, new=0) for each in gaps
    )
    assert NEXT_STEP.baseline(given.model_copy(update={"past": (*past, *more)})).searches == ()


def test_one_fact_needs_no_search_by_months() -> None:
    past = (PastSearch(step=1, query="q", since=None, until=None, found=3, new=3),)
    given = NextStepInput(
        question="How tall is the lighthouse?",
        topic="tall lighthouse",
        language="en",
        first_date=date(2025, 1, 10),
        last_date=date(2025, 12, 31),
        past=past,
    )
    assert NEXT_STEP.baseline(given).searches == ()
