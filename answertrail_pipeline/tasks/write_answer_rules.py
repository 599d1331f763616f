"""The rule-based writer: quotes the evidence that shares most with the question. The floor for every model.

Its numbers were chosen on the published questions with the rule-based judge (docs/agents.md).
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from answertrail_pipeline.language.sentences import sentences
from answertrail_pipeline.language.tokens import base_language, tokens
from answertrail_pipeline.tasks.topic_parts import asks_over_time
from answertrail_pipeline.time_windows import find_windows

MAX_FACTUAL = 5
"""Quotes in an answer about one fact: about as many statements as published agents make."""
MAX_OVER_TIME = 14
"""Quotes in an answer about a development."""
MAX_TOKENS = 35
"""Content words of one quote."""
MIN_TOKENS = 3
"""A sentence with fewer content words says nothing alone and is left out of a quote."""
RANK_WEIGHT = 2.0
"""The best passage's rank counts as much as sharing all of the topic's words, twice."""
RANK_DECAY = 5
"""Ranks after which the weight of the rank is halved."""
MONTH_SHARE = 0.6
"""A month's best passage is quoted before better ones of other months if its score is this share of the best."""
MIN_TOPIC = 0.2
"""With a smaller share of the topic's words in every passage, nothing was found."""
NOTHING_FOUND = "The transcripts do not say."


@dataclass(frozen=True)
class Passage:
    """One chunk."""

    chunk_id: str
    date: date | None
    text: str


@dataclass(frozen=True)
class _Scored:
    passage: Passage
    rank: int
    score: float


def extract(question: str, topic: str, passages: Sequence[Passage], language: str) -> tuple[str, tuple[str, ...]]:
    """Return an answer made of quotes, and the ids it cites; no ids where the passages are about something else.

    For a question about a development only passages of its stretch of time are quoted, in order of time.

    Args:
        topic: the question without its frame.
        passages: best first.
    """
    over_time = asks_over_time(question, language)
    if over_time:
        passages = _inside(question, passages)
    asked = frozenset(tokens(topic, language))
    weights, scored = _score(asked, passages, language)
    if not scored:
        return NOTHING_FOUND, ()
    if over_time:
        chosen = sorted(
            _spread(scored)[:MAX_OVER_TIME],
            key=lambda one: (one.passage.date or date.min, one.passage.chunk_id),
        )
    else:
        chosen = scored[:MAX_FACTUAL]
    quotes = [(one.passage, _quote(one.passage.text, weights, language)) for one in chosen]
    quotes = [(passage, quote) for passage, quote in quotes if quote]
    if not quotes:
        return NOTHING_FOUND, ()
    return _prose(quotes, language), tuple(dict.fromkeys(passage.chunk_id for passage, _quote in quotes))


def _inside(question: str, passages: Sequence[Passage]) -> Sequence[Passage]:
    """Return the passages of the stretch of time that the question names; all where none is inside it."""
    windows = find_windows(question)
    if not windows:
        return passages
    first, last = min(window.start for window in windows), max(window.end for window in windows)
    return [one for one in passages if one.date and first <= one.date <= last] or passages


def _score(
    asked: frozenset[str], passages: Sequence[Passage], language: str
) -> tuple[dict[str, float], list[_Scored]]:
    """Return the weight of each topic word, and the passages by the words they share and their rank.

    A word weighs more the fewer passages hold it.
    """
    shared = [asked & set(tokens(one.text, language)) for one in passages]
    if not asked or max(map(len, shared), default=0) < MIN_TOPIC * len(asked):
        return {}, []
    held = Counter(word for words in shared for word in words)
    weights = {word: math.log(1 + len(passages) / count) for word, count in sorted(held.items())}
    total = sum(weights.values())
    scored = []
    for rank, (passage, words) in enumerate(zip(passages, shared, strict=True), 1):
        by_words = sum(weights[word] for word in sorted(words)) / total
        by_rank = RANK_WEIGHT / (1 + (rank - 1) / RANK_DECAY)
        scored.append(_Scored(passage, rank, by_words + by_rank))
    return weights, sorted(scored, key=lambda one: (-one.score, one.rank))


def _spread(scored: Sequence[_Scored]) -> list[_Scored]:
    """Put the best passage of each month first, unless it is much worse than the best of all; then the others."""
    least = MONTH_SHARE * scored[0].score
    by_month: dict[str, _Scored] = {}
    for one in scored:
        if one.score >= least:
            by_month.setdefault(_month(one.passage), one)
    first = {one.rank for one in by_month.values()}
    return [*by_month.values(), *(one for one in scored if one.rank not in first)]


def _quote(text: str, weights: dict[str, float], language: str) -> list[str]:
    """Return neighbouring sentences of a passage around the one that shares most with the topic."""
    whole = [(sentence, tokens(sentence, language)) for sentence in sentences(_without_marks(text), language)]
    if not whole:
        return []
    shared = [sum(weights.get(word, 0.0) for word in sorted(set(words))) for _sentence, words in whole]
    first = last = max(range(len(whole)), key=lambda at: (shared[at], -at))
    size = len(whole[first][1])
    while True:
        around = [at for at in (last + 1, first - 1) if 0 <= at < len(whole)]
        around = [at for at in around if size + len(whole[at][1]) <= MAX_TOKENS]
        if not around:
            break
        at = max(around, key=lambda place: (shared[place], place))
        size += len(whole[at][1])
        first, last = min(first, at), max(last, at)
    return [sentence for sentence, words in whole[first : last + 1] if len(words) >= MIN_TOKENS]


def _month(passage: Passage) -> str:
    return passage.date.isoformat()[:7] if passage.date else ""


def _prose(quotes: Sequence[tuple[Passage, list[str]]], language: str) -> str:
    """Write the quotes in paragraphs of one month each, with the id after each sentence."""
    paragraphs: list[list[str]] = []
    before: str | None = None
    for passage, quote in quotes:
        if _month(passage) != before:
            before = _month(passage)
            paragraphs.append([_said_when(passage.date, language)] if passage.date else [])
        paragraphs[-1] += [_cited(sentence, passage.chunk_id) for sentence in quote]
    return "\n\n".join(" ".join(paragraph) for paragraph in paragraphs)


def _said_when(day: date, language: str) -> str:
    return f"In {day:%B %Y}:" if base_language(language) == "en" else f"{day:%Y-%m}:"


def _cited(sentence: str, chunk_id: str) -> str:
    stop = sentence[-1] if sentence[-1] in ".!?。！？।" else "."
    return f"{sentence.rstrip('.!?,;:。！？।、… ')} [{chunk_id}]{stop}"


def _without_marks(text: str) -> str:
    """Take square brackets out of a transcript, so that nothing said in it looks like a citation."""
    return text.replace("[", "(").replace("]", ")")
