"""Labels from the truth file: what a text really states, known without any judge.

A nugget is stated by a text that holds the words of a piece of its evidence; an extract by a text that
holds its words. What is neither clearly there nor clearly absent is `unsure`: a file does not read like a person.
"""

from collections.abc import Mapping

from answertrail_pipeline.demo.truth import AUTHOR, TruthNugget
from answertrail_pipeline.judging.pairs import BlindPair, blind_pairs, store_labels
from answertrail_pipeline.language.words import find_words
from answertrail_pipeline.store.database import Database

HELD = 90.0
"""Least similarity (0-100) of words to their best place in a text that holds them; recognition drops a word."""
ABSENT = 60.0
"""Below this they are not in the text."""


def label_from_truth(database: Database, channel: str, nuggets: Mapping[str, TruthNugget]) -> int:
    """Label every drawn pair that the truth file can decide; return how many.

    Args:
        nuggets: the hand-written nuggets by their text.
    """
    labels = []
    for pair in blind_pairs(database, channel, AUTHOR):
        label = _label(pair, nuggets)
        if label:
            labels.append((pair.pair_id, label, "by the words of the captions"))
    store_labels(database, labels, AUTHOR)
    return len(labels)


def _label(pair: BlindPair, nuggets: Mapping[str, TruthNugget]) -> str | None:
    if pair.purpose in ("recall", "ceiling"):
        nugget = nuggets.get(pair.claim)
        if nugget is None:
            return None
        held = [_holds(pair.text, planted.quote) for planted in nugget.evidence]
        if nugget.kind in ("shift", "no_change"):
            return "HIT" if all(held) else "MISS" if not any(held) else "unsure"
        return "HIT" if any(held) else "MISS"
    if pair.purpose in ("grounded", "cited"):
        likeness = _likeness(pair.text, pair.claim)
        return "HIT" if likeness >= HELD else "MISS" if likeness < ABSENT else "unsure"
    return None


def _holds(text: str, quote: str) -> bool:
    return _likeness(text, quote) >= HELD


def _likeness(text: str, words: str) -> float:
    from rapidfuzz import fuzz

    return fuzz.partial_ratio(_plain(words), _plain(text))


def _plain(text: str) -> str:
    return " ".join(word.text.casefold() for word in find_words(text))
