"""The lexicon of offices: surface forms in any language to keys. A data file with a version, read once."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.language.scripts import SCRIPTS_VERSION, plain_spelling

Category = Literal["kind", "topic", "body", "government", "filler", "country", "word"]
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MIN_FOLDED = 4


class Item(NamedTuple):
    """A stretch of a text that the lexicon knows, or a word that it does not (`word`: the word is its own key).

    Attributes:
        form: as it was found.
        after: the word before it; empty at the start.
    """

    category: Category
    key: str
    form: str
    after: str = ""


@dataclass(frozen=True)
class Index:
    """Forms of some categories, ready to be found in texts."""

    phrases: Mapping[tuple[str, ...], tuple[Category, str]]
    inside: Mapping[str, tuple[Category, str]]
    longest_phrase: int
    longest_inside: int

    def read(self, plain: str) -> list[Item]:
        """Return a text as items in order, at each place the longest form."""
        words = [fold_word(word) for word in plain.split()]
        items: list[Item] = []
        at = 0
        while at < len(words):
            before = words[at - 1] if at else ""
            if UNSPACED.search(words[at]):
                items += self._read_inside(words[at], before)
                at += 1
                continue
            size = next(
                (n for n in range(min(self.longest_phrase, len(words) - at), 0, -1)
                 if tuple(words[at : at + n]) in self.phrases), 0,
            )  # fmt: skip
            form = words[at : at + max(1, size)]
            category, key = self.phrases[tuple(form)] if size else ("word", words[at])
            items.append(Item(category, key, " ".join(form), before))
            at += max(1, size)
        return items

    def _read_inside(self, word: str, before: str) -> Iterator[Item]:
        at, unknown = 0, ""
        while at < len(word):
            size = next(
                (
                    n
                    for n in range(min(self.longest_inside, len(word) - at), 0, -1)
                    if word[at : at + n] in self.inside
                ),
                0,
            )
            if not size:
                unknown += word[at]
                at += 1
                continue
            if unknown:
                yield Item("word", unknown, unknown, before)
                before, unknown = unknown, ""
            form = word[at : at + size]
            yield Item(*self.inside[form], form, before)
            before = form
            at += size
        if unknown:
            yield Item("word", unknown, unknown, before)


@dataclass(frozen=True, eq=False)
class Lexicon:
    """All that is known of what offices are called.

    Attributes:
        role, organization: the indexes for the two texts of an event.
        junior: forms of ministers of which a department has several.
        within: by topic, the wider topics that a department of that name may have charge of it under.
        terms: patterns of what tells a term of a body, not the body.
    """

    version: str
    role: Index
    organization: Index
    junior: frozenset[str]
    within: Mapping[str, frozenset[str]]
    terms: tuple["re.Pattern[str]", ...]

    def plain(self, text: str) -> str:
        """Return a text's plain spelling without numbered terms, apostrophes as spaces."""
        plain = plain_spelling(text).replace("'", " ")
        for pattern in self.terms:
            plain = pattern.sub(" ", plain)
        return " ".join(plain.split())


@cache
def shipped_lexicon() -> Lexicon:
    """Return the lexicon that is shipped with the program."""
    return read_lexicon(files("answertrail_pipeline.gold.biographies").joinpath("lexicon.toml").read_text("utf-8"))


def read_lexicon(text: str) -> Lexicon:
    """Return the lexicon of a TOML text."""
    return make_lexicon(tomllib.loads(text))


def make_lexicon(data: Mapping[str, Any]) -> Lexicon:
    """Return the lexicon of such a text's tables; its version is the fingerprint of all that they say."""
    kinds = _forms("kind", data["kinds"])
    topics = _forms("topic", data["portfolios"])
    bodies = _forms("body", data["bodies"])
    government = _plain_forms("government", data["government"])
    filler, countries = _plain_forms("filler", data["filler"]), _plain_forms("country", data["countries"])
    spokesperson = [(form, entry) for form, entry in kinds if entry[1] == "spokesperson"]
    return Lexicon(
        version=fingerprint("lexicon", data["version"], SCRIPTS_VERSION, data),
        role=_index([*filler, *countries, *bodies, *topics, *kinds]),
        organization=_index([*filler, *countries, *government, *topics, *bodies, *spokesperson]),
        junior=frozenset(" ".join(map(fold_word, form.split())) for form in _listed(data["junior"])),
        within={topic: frozenset(wider) for topic, wider in data["within"].items()},
        terms=tuple(re.compile(pattern) for pattern in data["terms"]["patterns"]),
    )


def fold_word(word: str) -> str:
    """Return a word without a final s or x: `affaires` and `affaire` are one form."""
    return word[:-1] if len(word) >= _MIN_FOLDED and word[-1] in "sx" and word.isascii() else word


def _forms(
    category: Category, entries: Mapping[str, Mapping[str, list[str]]]
) -> list[tuple[str, tuple[Category, str]]]:
    return [
        (form, (category, key)) for key, by_language in entries.items() for form in _listed(by_language)
    ]  # fmt: skip


def _plain_forms(
    category: Category, by_language: Mapping[str, list[str]]
) -> list[tuple[str, tuple[Category, str]]]:
    return [(form, (category, category)) for form in _listed(by_language)]


def _listed(by_language: Mapping[str, Any]) -> Iterator[str]:
    for _language, forms in sorted(by_language.items()):
        for form in forms:
            yield plain_spelling(form).replace("'", " ")


def _index(entries: Iterable[tuple[str, tuple[Category, str]]]) -> Index:
    """Return the index of forms; of two entries with the same form the later wins."""
    phrases: dict[tuple[str, ...], tuple[Category, str]] = {}
    inside: dict[str, tuple[Category, str]] = {}
    for form, entry in entries:
        if not form:
            continue
        if UNSPACED.search(form):
            inside[form.replace(" ", "")] = entry
        else:
            phrases[tuple(fold_word(word) for word in form.split())] = entry
    return Index(phrases, inside, max(map(len, phrases), default=0), max(map(len, inside), default=0))
