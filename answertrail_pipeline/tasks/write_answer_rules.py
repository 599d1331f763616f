"""The rule-based writer: quotes the evidence that shares most with the question. The floor for every model."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from answertrail_pipeline.language.sentences import sentences
from answertrail_pipeline.language.tokens import base_language, tokens
from answertrail_pipeline.tasks.topic_parts import asks_over_time

MAX_FACTUAL = 5
"""Quotes in an answer about one fact: about as many statements as published agents make."""
MAX_OVER_TIME = 14
"""Quotes in an answer about a development."""
MIN_TOKENS = 12
MAX_TOKENS = 45
RANK_WEIGHT = 2.0
"""A passage's rank counts as much as this many average words of the question, at the first rank."""
MAX_OVERLAP = 0.6
"""Quotes that share more of their words (Jaccard) say the same."""
NOTHING_FOUND = "The transcripts do not say."


@dataclass(frozen=True)
class Passage:
    """One chunk, in order of rank."""

    chunk_id: str
    date: date | None
    text: str


@dataclass(frozen=True)
class _Quote:
    passage: Passage
    rank: int
    first: int
    pieces: tuple[str, ...]
    words: frozenset[str]
    score: float = 0.0


def extract(question: str, passages: Sequence[Passage], language: str) -> tuple[str, tuple[str, ...]]:
    """Return an answer made of quotes, and the ids it cites; no ids where nothing shares a word with the question.

    Args:
        passages: in order of rank.
    """
    asked = frozenset(tokens(question, language))
    quotes = [quote for rank, passage in enumerate(passages, 1) for quote in _quotes(passage, rank, language)]
    scored = _scored(quotes, asked, len(passages))
    if asks_over_time(question, language):
        chosen = _spread(scored, MAX_OVER_TIME)
    else:
        chosen = _distinct(scored)[:MAX_FACTUAL]
    if not chosen:
        return NOTHING_FOUND, ()
    if asks_over_time(question, language):
        chosen.sort(key=lambda quote: (quote.passage.date or date.min, quote.passage.chunk_id, quote.first))
    return _prose(chosen, language), tuple(dict.fromkeys(quote.passage.chunk_id for quote in chosen))


def _quotes(passage: Passage, rank: int, language: str) -> list[_Quote]:
    """Cut a passage into runs of whole sentences, each long enough to be understood alone."""
    found: list[_Quote] = []
    pieces: list[str] = []
    words: list[str] = []
    whole = sentences(_without_marks(passage.text), language)
    for at, sentence in enumerate(whole):
        more = tokens(sentence, language)
        if pieces and len(words) + len(more) > MAX_TOKENS:
            found.append(_Quote(passage, rank, at - len(pieces), tuple(pieces), frozenset(words)))
            pieces, words = [], []
        pieces.append(sentence)
        words += more
        if len(words) >= MIN_TOKENS:
            found.append(_Quote(passage, rank, at - len(pieces) + 1, tuple(pieces), frozenset(words)))
            pieces, words = [], []
    if pieces:
        found.append(_Quote(passage, rank, len(whole) - len(pieces), tuple(pieces), frozenset(words)))
    return found


def _scored(quotes: list[_Quote], asked: frozenset[str], passages: int) -> list[_Quote]:
    """Weigh each quote by the rare words that it shares with the question and by its passage's rank."""
    in_passages: Counter[str] = Counter()
    by_passage: dict[str, set[str]] = {}
    for quote in quotes:
        by_passage.setdefault(quote.passage.chunk_id, set()).update(quote.words)
    for words in by_passage.values():
        in_passages.update(words & asked)
    weight = {word: math.log(1 + passages / count) for word, count in in_passages.items()}
    average = sum(weight.values()) / len(weight) if weight else 0.0
    scored = []
    for quote in quotes:
        shared = sum(weight[word] for word in sorted(quote.words & asked))
        around = sum(weight[word] for word in sorted(by_passage[quote.passage.chunk_id] & asked))
        if around:
            bonus = average * RANK_WEIGHT / math.sqrt(quote.rank)
            scored.append(_with_score(quote, shared + around / 2 + bonus))
    return sorted(scored, key=lambda quote: (-quote.score, quote.rank, quote.first))


def _with_score(quote: _Quote, score: float) -> _Quote:
    return _Quote(quote.passage, quote.rank, quote.first, quote.pieces, quote.words, score)


def _distinct(quotes: list[_Quote]) -> list[_Quote]:
    """Drop each quote that says nearly the same as a better one."""
    chosen: list[_Quote] = []
    for quote in quotes:
        if all(_overlap(quote.words, other.words) <= MAX_OVERLAP for other in chosen):
            chosen.append(quote)
    return chosen


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def _spread(quotes: list[_Quote], most: int) -> list[_Quote]:
    """Return the best quote of each month, months in order of their best quote, then the next best of any."""
    by_month: dict[str, _Quote] = {}
    distinct = _distinct(quotes)
    for quote in distinct:
        by_month.setdefault(_month(quote), quote)
    first = sorted(by_month.values(), key=lambda quote: (-quote.score, quote.rank, quote.first))
    picked = {id(quote) for quote in first}
    return (first + [quote for quote in distinct if id(quote) not in picked])[:most]


def _month(quote: _Quote) -> str:
    return quote.passage.date.isoformat()[:7] if quote.passage.date else ""


def _prose(quotes: list[_Quote], language: str) -> str:
    """Write the quotes as paragraphs of one month each, with the id after each sentence."""
    paragraphs: list[list[str]] = []
    before: str | None = None
    for quote in quotes:
        if _month(quote) != before:
            before = _month(quote)
            paragraphs.append([_said_when(quote.passage.date, language)] if quote.passage.date else [])
        paragraphs[-1] += [_cited(piece, quote.passage.chunk_id) for piece in quote.pieces]
    return "\n\n".join(" ".join(paragraph) for paragraph in paragraphs)


def _said_when(day: date, language: str) -> str:
    return f"In {day:%B %Y}:" if base_language(language) == "en" else f"{day:%Y-%m}:"


def _cited(sentence: str, chunk_id: str) -> str:
    stop = sentence[-1] if sentence[-1] in ".!?。！？।" else "."
    return f"{sentence.rstrip('.!?。！？।… ')} [{chunk_id}]{stop}"


def _without_marks(text: str) -> str:
    """Take square brackets out of a transcript, so that nothing said in it looks like a citation."""
    return text.replace("[", "(").replace("]", ")")
