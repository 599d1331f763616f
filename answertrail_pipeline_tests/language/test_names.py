"""Names, and finding them in texts that speech recognition wrote."""

import pytest

from answertrail_pipeline.language.names import NameIndex, name_key, names
from answertrail_pipeline.language.words import find_words


def test_names_of_a_claim() -> None:
    found = [
        name.text for name in names("The creator states that Peking University used o3-mini, GPT-5.2 and Qwen 3.")
    ]
    assert found == ["Peking", "University", "o3", "GPT", "Qwen"]


def test_a_capital_at_the_start_of_a_sentence_is_no_name_by_itself() -> None:
    assert names("Entropy collapses. Scaling helps: Training too.") == []
    assert [name.text for name in names("Stanford's paper. AutoGen ran. Deep Retrieval won.")] == [
        "Stanford", "AutoGen", "Deep", "Retrieval",
    ]  # fmt: skip


def test_numbers_with_a_unit_are_no_names() -> None:
    assert names("a 27B model, 50k rows, 10x faster, the 3rd") == []


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("ReasonFlux", "they call it reason flux", True),
        ("DeepSeek", "so deep seek is open", True),
        ("Anthropic", "what antropic showed us", True),
        ("LLM", "a large language model", True),
        ("LLMs", "only one llm here", True),
        ("S1", "the S1 model", True),
        ("S1", "the S2 model", False),
        ("Princeton", "Peking University", False),
        ("Qwen", "the one with the q1 2.5", False),
        ("Gemma", "Gemini", False),
    ],
)
def test_a_name_is_found_however_it_was_heard(name: str, text: str, found: bool) -> None:
    assert bool(NameIndex(find_words(text)).find(name_key(name))) is found
