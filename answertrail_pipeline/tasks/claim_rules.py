"""The rules that pick claims out of speech: sentences that stand alone and say something."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from answertrail_pipeline.language.numbers import numbers
from answertrail_pipeline.language.phrases import Phrase, noun_phrases
from answertrail_pipeline.language.tokens import base_language
from answertrail_pipeline.tasks.claim_cues import CUES
from answertrail_pipeline.tasks.speech import SpokenSentence, spoken_sentences

KEEP = 1.1
"""Score from which a sentence is a claim."""
MAX_PER_CHUNK, FREE_CLAIMS = 1.2, 20
"""Claims of a video, at most, for each of its chunks; no limit where they are this few."""
MAX_TOPICS = 8
MIN_WORDS, MAX_WORDS = 4, 45
MAX_BROKEN = 0.8
"""How broken a sentence of high confidence may be: two fillers, or an open end and a repetition."""
MAX_LEAD_WORDS = 6
"""Words that may stand before the comma ahead of a subject ("In 2026, it ...")."""
_AT_START = r"^(?:{})\b"
_OPENERS = r"^(?:(?:{})\b[,.]?\s+)+"


@dataclass(frozen=True)
class FoundClaim:
    """A sentence that the rules take for a claim."""

    text: str
    chunks: tuple[int, ...]
    topics: tuple[str, ...]
    entities: tuple[str, ...]
    score: float
    is_high: bool


def find_claims(chunks: Sequence[str], language: str) -> list[FoundClaim]:
    """Return the claims of a video in order of time.

    A sentence scores for numbers, names, noun-like phrases, comparison, opinion, change, and for being a plain
    statement; it loses for fillers, repetitions, greetings, talk about the talk, and for being too long. What
    remains above `KEEP` is a claim, word for word as spoken: with high confidence if it stands alone, with low if
    its subject is a word that hangs on its neighbours ("it", "that") or the speech is broken.
    """
    spoken = spoken_sentences(chunks, language)
    code = base_language(language)
    speakers = {word for sentence in spoken for word in (sentence.speaker or "").casefold().split()}
    said = [_trim(sentence.text, code) for sentence in spoken]
    phrases = noun_phrases(said, language, without=speakers)
    found = [
        claim
        for sentence, text, here in zip(spoken, said, phrases, strict=True)
        if (claim := _claim(sentence, text, here, code))
    ]
    limit = max(FREE_CLAIMS, round(MAX_PER_CHUNK * len(chunks)))
    best = sorted(range(len(found)), key=lambda i: (-found[i].score, i))[:limit]
    return [found[i] for i in sorted(best)]


def _claim(sentence: SpokenSentence, text: str, phrases: Sequence[Phrase], language: str) -> FoundClaim | None:
    words = text.split()
    if text.endswith("?") or (len(words) < MIN_WORDS and not _is_unspaced(text)):
        return None
    topics = _outermost(phrases)
    broken = _broken(text, words, language)
    score = _substance(text, topics, language) - broken
    if score < KEEP:
        return None
    spoken = f"{sentence.speaker}: {text}" if sentence.speaker else text
    tags = tuple(phrase.text for phrase in sorted(_own(phrases), key=_rank)[:MAX_TOPICS])
    entities = tuple(dict.fromkeys(_as_written(topic.text, text) for topic in topics if topic.is_name))
    is_high = bool(topics) and broken < MAX_BROKEN and not _hangs(text, language)
    return FoundClaim(spoken, sentence.chunks, tags, entities, round(score, 2), is_high)


def is_substantial(text: str, language: str) -> bool:
    """Whether a sentence on its own says enough to be a claim."""
    code = base_language(language)
    topics = _outermost(noun_phrases([text], language)[0])
    return _substance(text, topics, code) - _broken(text, text.split(), code) >= KEEP


def _substance(text: str, topics: Sequence[Phrase], language: str) -> float:
    lower = text.casefold()
    quantities = [quantity for quantity in numbers(text, language) if not quantity.weak]
    score = min(1.5, 0.9 * len(quantities)) + min(1.2, 0.4 * sum(topic.is_name for topic in topics))
    score += min(1.0, 0.5 * sum(" " in topic.text for topic in topics))
    score += min(0.6, 0.3 * sum(" " not in topic.text for topic in topics))
    score += 0.6 * bool(_cue("comparison", language).search(lower))
    score += 0.8 * bool(_cue("opinion", language).search(lower))
    score += 0.4 * bool(_cue("change", language).search(lower))
    score += 0.4 * bool(_cue("statement", language).search(lower))
    return score - 0.3 * _hangs(text, language)


def _broken(text: str, words: Sequence[str], language: str) -> float:
    """Return how far a sentence is from one that could be written down: by fillers, greetings, no end."""
    lower = text.casefold()
    broken = 0.4 * len(_cue("filler", language).findall(lower)) + 2.0 * bool(_cue("noise", language).search(lower))
    broken += 0.5 * _repetitions(lower.split()) + 0.5 * (len(words) > MAX_WORDS) + 0.3 * (not _ends(text))
    return broken


def _hangs(text: str, language: str) -> bool:
    """Whether the subject of a sentence is a word that only its neighbours explain, first or behind a lead."""
    lower = text.casefold()
    lead, comma, rest = lower.partition(", ")
    hanging = _cue("hanging", language, _AT_START)
    behind = bool(comma) and len(lead.split()) <= MAX_LEAD_WORDS and bool(hanging.match(rest))
    return behind or bool(hanging.match(lower))


def _outermost(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Return the phrases that are no part of a longer one."""
    return [phrase for phrase in phrases if not any(_is_part(phrase, other) for other in phrases)]


def _own(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Return the phrases that the video also says otherwise than as a part of one longer one."""
    return [p for p in phrases if not any(_is_part(p, other) and p.count == other.count for other in phrases)]


def _is_part(phrase: Phrase, other: Phrase) -> bool:
    return len(phrase.text) < len(other.text) and f" {phrase.text} " in f" {other.text} "


def _rank(phrase: Phrase) -> tuple[bool, bool, int, int, str]:
    """Sort what has two or three words first, names before others, then what the video says most often."""
    words = len(phrase.text.split())
    return (
        words == 1 and not phrase.is_name,
        not phrase.is_name,
        (2, 3, 1).index(words),
        -phrase.count,
        phrase.text,
    )


def _repetitions(words: Sequence[str]) -> int:
    """Count words said twice in a row ("it's it's"), alone or in pairs: speech that starts over."""
    once = sum(a.strip(",.") == b.strip(",.") for a, b in itertools.pairwise(words))
    return once + sum(words[i : i + 2] == words[i + 2 : i + 4] for i in range(len(words) - 3))


def _trim(text: str, language: str) -> str:
    """Take off the words that only open a turn ("So, yeah,"), and begin with a capital."""
    text = text.strip(' -–—"“”«»…')
    match = _cue("opener", language, _OPENERS).match(text.casefold())
    if match and len(text.casefold()) == len(text):
        text = text[match.end() :]
    return text[:1].upper() + text[1:]


def _ends(text: str) -> bool:
    return text.endswith((".", "!", "。", "！", '."', ".”"))


def _is_unspaced(text: str) -> bool:
    return len(text) > 12 * (text.count(" ") + 1)


def _as_written(phrase: str, text: str) -> str:
    at = text.casefold().find(phrase)
    return text[at : at + len(phrase)] if at >= 0 else phrase


@cache
def _cue(kind: str, language: str, form: str = r"\b(?:{})\b") -> re.Pattern[str]:
    words = " ".join(CUES.get(language, {}).get(kind, "").split()).split(" ; ")
    return re.compile(form.format("|".join(words)) if words != [""] else r"(?!)")
