"""The framing words of questions, read from `topic_words.toml`, which says what each list is for."""

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class FrameWords:
    """Lower-case words of one language, and `phrases`: patterns that are cut out before words are looked at."""

    asking: frozenset[str]
    holders: frozenset[str]
    notions: frozenset[str]
    links: frozenset[str]
    changes: frozenset[str]
    times: frozenset[str]
    clauses: frozenset[str]
    phrases: tuple[str, ...]


def frame_words(language: str) -> FrameWords | None:
    """Return a language's framing words, or None where there are none."""
    lists = _table().get(language)
    if lists is None or "patterns" in lists:
        return None
    words = {field.name for field in fields(FrameWords)} - {"phrases"}
    return FrameWords(
        **{name: frozenset(lists[name].split()) for name in words}, phrases=tuple(lists.get("phrases", ()))
    )


def frame_patterns(language: str) -> tuple[str, ...]:
    """Return the patterns of framing words of a language whose words are not written apart; none for others."""
    return tuple(_table().get(language, {}).get("patterns", ()))


@cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("answertrail_pipeline.retrieval").joinpath("topic_words.toml").read_text("utf-8"))
