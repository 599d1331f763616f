"""Advisory gates on proposed questions and nuggets: pure functions that sort and warn, and never decide.

Measured on 50 real proposals with a person's notes in docs/gold.md.
"""

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from answertrail_pipeline.gold.likeness import NEAR_QUESTION, jaccard
from answertrail_pipeline.language.names import NameIndex, names
from answertrail_pipeline.language.negation import denials
from answertrail_pipeline.language.numbers import Quantity, numbers
from answertrail_pipeline.language.tokens import base_language, content_words, tokens
from answertrail_pipeline.language.words import find_words
from answertrail_pipeline.time_windows import find_windows

MAX_LEAK = 0.4
"""Leak score from which a question is said to give its answer away."""
MAX_QUESTION_WORDS = 45
MAX_NUGGET_WORDS = 45
COPIED_RUN = 7
MAX_HOLE_SHARE, MAX_HOLE_DAYS = 0.5, 120
END_DAYS, LONG_SPAN_DAYS = 60, 240
SINGLE_END_DAYS = 30
SAME_STORY = 0.5

_FRAMES = {
    "en": "creator state states stated claim claims explain explains argue argues conclude concludes paper study"
    " author authors research researcher researchers found finds finding describe describes speaker say says said"
    " connection develop evolve change"
}
_VAGUE_HEADS = (
    "benchmark|test|puzzle|model|approach|method|dataset|paper|study|system|technique|experiment|workflow|example|tool"
    "|evaluation|task|setup|comparison|training|researcher|author"
)
_VAGUE = {
    "en": re.compile(
        rf"\b(?:the|this|these|those|that)(?: \w+)? (?:{_VAGUE_HEADS})s?(?: tested| used| mentioned| cited)?"
        r"(?=[,?.]|$)"
        rf"|\b(?:the )?other (?:{_VAGUE_HEADS})s?\b|\bother (?:forms|types|kinds) of\b"
        r"|\bcited by\b|\b(?:the|one|a) benchmark comparison\b",
        re.IGNORECASE,
    )
}
_UNNATURAL = re.compile(
    r"\b(?:the (?:creator|speaker|video|transcript)|this video|the claim says|as (?:mentioned|stated))\b",
    re.IGNORECASE,
)
_BUNDLED = re.compile(r"; |, (?:and|but|while|whereas) | (?:whereas|while) |\bas well as\b", re.IGNORECASE)


@dataclass(frozen=True)
class Warned:
    """One gate's warning."""

    gate: str
    message: str


def leak_score(question: str, answer: str, language: str = "en") -> float:
    """Return how far a question gives its answer away, from 0 to 1.

    A logistic score of `leak_features`, fitted on the 50 proposals (`benchmarks/gates.py`).
    """
    features = leak_features(question, answer, language)
    if features is None:
        return 0.0
    share, unsaid, run = features
    return 1 / (1 + math.exp(3.83 - 2.9 * share + 1.75 * unsaid - 0.45 * run))


def leak_features(question: str, answer: str, language: str = "en") -> tuple[float, int, int] | None:
    """Return what the score is made of; None of an answer without words.

    The share of the answer's words that the question says, the numbers that it leaves out (two at most), and the
    longest run of words that both have.
    """
    frames = _frames(language)
    said = tokens(question, language)
    wanted = [word for word in tokens(answer, language) if word not in frames]
    if not wanted:
        return None
    share = sum(word in set(said) for word in dict.fromkeys(wanted)) / len(set(wanted))
    asked_numbers = {quantity.value for quantity in _strong_numbers(question, language)}
    unsaid = {quantity.value for quantity in _strong_numbers(answer, language)} - asked_numbers
    return share, min(2, len(unsaid)), longest_run(tokens(answer, language), said)


def gives_away(question: str, answers: Sequence[str], language: str = "en") -> Warned | None:
    """Warn where a question gives away every one of its answers: the claim, later the nuggets."""
    if not answers:
        return None
    score = min(leak_score(question, answer, language) for answer in answers)
    if score < MAX_LEAK:
        return None
    return Warned("gives_away", f"The question seems to give its answer away (score {score:.2f}).")


def unspecific(question: str, language: str = "en") -> Warned | None:
    """Warn where a question points at something without naming it ("the benchmarks tested"), or names nothing."""
    pattern = _VAGUE.get(base_language(language))
    found = pattern.search(question) if pattern else None
    if found:
        return Warned("unspecific", f"“{found[0].strip()}” is not named.")
    if (
        not names(question)
        and not _strong_numbers(question, language)
        and len(set(tokens(question, language))) < 6
    ):
        return Warned("unspecific", "The question names nothing that only one answer fits.")
    return None


def unnatural(question: str) -> Warned | None:
    """Warn where nobody would ask it so: it speaks of the video or the claim, or runs on."""
    found = _UNNATURAL.search(question)
    if found:
        return Warned("unnatural", f"Nobody outside would say “{found[0].strip()}”.")
    words = len(question.split())
    if words > MAX_QUESTION_WORDS:
        return Warned("unnatural", f"The question has {words} words.")
    return None


def unanswered(question: str, claim: str, language: str = "en") -> Warned | None:
    """Warn where the question asks for an amount and its claim has none."""
    asks = re.search(
        r"\bhow (?:many|much|often|long|far)\b|\bwhat (?:score|percentage|accuracy|rate)\b", question, re.I
    )
    if asks and base_language(language) == "en" and not numbers(claim, language):
        return Warned("unanswered", f"It asks “{asks[0]}”, but the claim has no number.")
    return None


def near_duplicate(question: str, others: Sequence[tuple[str, str]], language: str = "en") -> Warned | None:
    """Warn where another question (id, text) shares most of its words."""
    words = _asked(question, language)
    alike = [(jaccard(words, _asked(text, language)), key) for key, text in others]
    best, key = max(alike, default=(0.0, ""))
    if best < NEAR_QUESTION:
        return None
    return Warned("near_duplicate", f"{key} asks nearly the same ({best:.0%} of the words shared).")


def _asked(question: str, language: str) -> frozenset[str]:
    """Return the words of what a question asks for, without the frame that every question has."""
    for window in find_windows(question):
        question = question.replace(window.text, " ")
    return frozenset(tokens(question, language)) - _frames(language)


def same_story(claim: str, others: Sequence[tuple[str, str]], language: str = "en") -> Warned | None:
    """Warn where the claim behind another question (id, claim) tells the same story."""
    words = frozenset(tokens(claim, language))
    alike = [(jaccard(words, frozenset(tokens(text, language))), key) for key, text in others]
    best, key = max(alike, default=(0.0, ""))
    return Warned("same_story", f"{key} was written from nearly the same claim.") if best >= SAME_STORY else None


def span_holes(days: Sequence[date]) -> list[Warned]:
    """Warn of dated evidence that leaves a hole, stands only at the ends, or hangs on one video at an end."""
    days = sorted(days)
    if len(days) < 2 or days[0] == days[-1]:
        return []
    span = (days[-1] - days[0]).days
    hole = max((after - before).days for before, after in itertools.pairwise(days))
    found = []
    if hole > MAX_HOLE_SHARE * span and hole > MAX_HOLE_DAYS:
        found.append(Warned("span_hole", f"{hole} of {span} days are without evidence."))
    inside = [day for day in days if (day - days[0]).days > END_DAYS and (days[-1] - day).days > END_DAYS]
    if span > LONG_SPAN_DAYS and not inside:
        found.append(Warned("end_points_only", f"No evidence lies more than {END_DAYS} days from both ends."))
    lonely = [
        name
        for name, end in (("start", days[0]), ("end", days[-1]))
        if sum(abs((day - end).days) <= SINGLE_END_DAYS for day in days) == 1
    ]
    if lonely:
        found.append(Warned("single_video_end", f"One video alone shows the {' and the '.join(lonely)}."))
    return found


def names_direction(question: str, statements: Sequence[str], language: str = "en") -> Warned | None:
    """Warn where a longitudinal question holds words of the change: a run of three of a statement's own words."""
    said = content_words(question, language)
    for statement in statements:
        if longest_run(content_words(statement, language), said) >= 4:
            return Warned("gives_away", "The question repeats a step of the change.")
    return None


def bundled(nugget: str, language: str = "en") -> Warned | None:
    """Warn where a nugget has two checkable parts."""
    parts = [part for part in _BUNDLED.split(nugget) if part.strip()]
    checkable = [part for part in parts if _strong_numbers(part, language) or names(part)]
    if len(parts) > 1 and len(checkable) > 1:
        return Warned("bundled", f"It holds {len(checkable)} checkable parts.")
    words = len(nugget.split())
    return Warned("bundled", f"It has {words} words.") if words > MAX_NUGGET_WORDS else None


def not_entailed(nugget: str, claims: Sequence[str], language: str = "en") -> Warned | None:
    """Warn where a nugget has a number or a name that none of its claims has."""
    source = " ".join(claims)
    there = {quantity.value for quantity in numbers(source, language)}
    odd = [q for q in _strong_numbers(nugget, language) if q.value not in there]
    index = NameIndex(find_words(source))
    strange = [name.text for name in names(nugget) if not index.find(name.key)]
    if odd or strange:
        what = ", ".join([*(str(quantity.value) for quantity in odd), *strange])
        return Warned("not_entailed", f"Its claims do not have: {what}.")
    return None


def says_opposite(nugget: str, chunks: Sequence[str], language: str = "en") -> Warned | None:
    """Warn where a nugget denies what the nearest sentence of its chunks does not, or the other way round."""
    words = set(tokens(nugget, language))
    pieces = [piece for chunk in chunks for piece in re.split(r"(?<=[.!?])\s+", chunk)]
    nearest = max(pieces, key=lambda piece: len(words & set(tokens(piece, language))), default="")
    shared = len(words & set(tokens(nearest, language)))
    if not words or shared < 0.6 * len(words):
        return None
    if len(denials(nugget, language)) % 2 != len(denials(nearest, language)) % 2:
        return Warned(
            "says_opposite", "The nugget and its passage do not deny alike: read them against each other."
        )
    return None


def copied(nugget: str, claims: Sequence[str], language: str = "en") -> Warned | None:
    """Warn where a nugget copies a run of seven words of a claim."""
    said = [word.text.casefold() for word in find_words(nugget)]
    run = max((longest_run([w.text.casefold() for w in find_words(claim)], said) for claim in claims), default=0)
    return Warned("copied_run", f"It copies {run} words of its claim.") if run >= COPIED_RUN else None


def longest_run(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the length of the longest run of words that both have."""
    best, row = 0, [0] * (len(b) + 1)
    for word in a:
        row = [0, *((row[j] + 1) if word == other else 0 for j, other in enumerate(b))]
        best = max(best, *row)
    return best


def _strong_numbers(text: str, language: str) -> list[Quantity]:
    return [quantity for quantity in numbers(text, language) if not quantity.weak]


def _frames(language: str) -> frozenset[str]:
    return frozenset(tokens(_FRAMES.get(base_language(language), ""), language))
