from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.topics import TopicRules, load_topic_rules, merge_plurals, normalize_topic
from answertrail_pipeline.settings import GoldSettings


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("Large-Language  Models", "large language model"),
        ("GPT-5", "gpt 5"),
        ("gpt5", "gpt 5"),
        ("GPT 4o", "gpt 4o"),
        ("Llama-3 70B", "llama 3 70b"),
        ("o1", "o1"),
        ("EIP-7702", "eip 7702"),
        ("studies", "study"),
        ("benchmarks", "benchmark"),
        ("ePBS", "epbs"),
        ("consensus", "consensus"),
        ("loss", "loss"),
        ("“world models”.", "world model"),
    ],
)
def test_case_hyphens_and_plurals_go_and_versions_stay(written: str, normal: str) -> None:
    assert normalize_topic(written) == normal


def test_versions_are_never_merged() -> None:
    written = ["GPT-5", "GPT-4", "GPT-5.2", "Llama 3 8B", "Llama 3 70B", "o1", "o3"]
    assert len({normalize_topic(topic) for topic in written}) == len(written)


@given(st.text(max_size=30))
def test_a_normal_topic_stays_as_it_is(written: str) -> None:
    once = normalize_topic(written)
    assert normalize_topic(once) in (once, normalize_topic(normalize_topic(once)))


def test_a_plural_is_filed_under_its_singular_only_where_that_occurs() -> None:
    assert merge_plurals(["gpus", "gpu", "paris"]) == {"gpus": "gpu", "gpu": "gpu", "paris": "paris"}


def test_general_topics_are_stopped_and_aliases_followed() -> None:
    rules = load_topic_rules(GoldSettings())
    assert rules.topic("Benchmark Results") is None
    assert rules.topic("creator opinion on agents") is None
    assert rules.topic("Large Language Models") == "llm"
    assert rules.topic("chain-of-thought reasoning") == "chain of thought"
    own = TopicRules({"cot": "chain of thought"}, ("kiln *",))
    assert (own.topic("CoT"), own.topic("kiln repair"), own.topic("kiln")) == ("chain of thought", None, "kiln")


def test_a_bad_alias_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "aliases.txt"
    path.write_text("# mine\ncot => chain of thought\nrag\n", "utf-8")
    with pytest.raises(UserError, match="entry 2 is `rag`"):
        load_topic_rules(GoldSettings(topic_aliases=path))
