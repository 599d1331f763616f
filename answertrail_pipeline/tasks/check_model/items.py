"""What an item is, and the invented passages that most items are made of."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from importlib.resources import files
from typing import Any

from pydantic import BaseModel


@dataclass(frozen=True)
class Item:
    """One input with a right answer.

    Attributes:
        problem: what is wrong with an output; None where it is right.
        control: nothing is to be found here: a model that always finds something fails.
        label: the right label, for tasks that label.
    """

    given: BaseModel
    problem: Callable[[Any], str | None]
    control: bool = False
    label: str | None = None


@dataclass(frozen=True)
class Passage:
    """Something that somebody says, a claim in it, and a claim that is wrong.

    Attributes:
        answer: the word of the claim that the question leaves out.
    """

    subject: str
    topic: str
    day: date
    passage: str
    claim: str
    answer: str
    wrong: str
    question: str


@dataclass(frozen=True)
class View:
    """A view that was turned round."""

    topic: str
    early: str
    late: str

    EARLY_DAY = date(2024, 2, 10)
    LATE_DAY = date(2025, 9, 20)


def passages() -> list[Passage]:
    """Return the invented passages."""
    return [Passage(**{**row, "day": date.fromisoformat(row["day"])}) for row in _rows("passages.jsonl")]


def views() -> list[View]:
    """Return the invented views."""
    return [View(**row) for row in _rows("views.jsonl")]


def housekeeping(count: int, start: int) -> list[str]:
    """Return `count` sentences that state nothing, from a different place of the list for each `start`."""
    lines = _text("housekeeping.txt").splitlines()
    return [lines[(start + offset) % len(lines)] for offset in range(count)]


def days_between(first: date, last: date, count: int) -> list[date]:
    """Return `count` days spread evenly from the first to the last."""
    return [first + timedelta(days=(last - first).days * n // (count - 1)) for n in range(count)]


def says(text: str, word: str) -> bool:
    """Return whether a text holds a word, by letters, whatever its case; digits must stand alone."""
    at = text.lower().find(word.lower())
    while at >= 0:
        around = text[max(0, at - 1) : at] + text[at + len(word) : at + len(word) + 1]
        if not (word.isdigit() and any(character.isdigit() for character in around)):
            return True
        at = text.lower().find(word.lower(), at + 1)
    return False


def missing(texts: Sequence[str], word: str) -> str | None:
    """Return a problem where no text holds a word."""
    return None if any(says(text, word) for text in texts) else f"nothing says `{word}`"


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in _text(name).splitlines()]


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")
