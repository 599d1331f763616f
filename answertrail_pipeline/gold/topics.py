"""Topics made comparable: case, hyphens, plurals and one alias file, and never more than that.

Version and size tokens survive ("GPT-5" is not "GPT-4", "llama 3 8b" not "llama 3 70b"): a missed merge costs a
thread some claims, an over-merge invents a change of view that nobody had.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.language.tokens import base_language
from answertrail_pipeline.settings import GoldSettings

_KEEPS_S = ("ss", "us", "is", "as", "os")
_SEPARATORS = re.compile(r"[\s\-_–—/]+")
_NAME_AND_NUMBER = re.compile(r"(?<=[^\W\d_]{2})(?=\d)")


def normalize_topic(topic: str, language: str = "en") -> str:
    """Return a topic in the form that topics are compared in.

    >>> normalize_topic("Large-Language  Models"), normalize_topic("GPT-5"), normalize_topic("gpt5")
    ('large language model', 'gpt 5', 'gpt 5')
    """
    plain = unicodedata.normalize("NFKC", topic).casefold().replace("’", "'").strip(" .,;:!?\"'«»“”()[]#")
    words = _SEPARATORS.sub(" ", plain).strip().split(" ")
    spaced = " ".join(_NAME_AND_NUMBER.sub(" ", word) for word in words)
    return " ".join(_singular(word, base_language(language)) for word in spaced.split())


def _singular(word: str, language: str) -> str:
    if language != "en" or len(word) < 5 or not word.isalpha() or word[-1] != "s":
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word if word.endswith(_KEEPS_S) else word[:-1]


MIN_SINGULAR_SHARE = 0.2
"""How often a singular must be written for each time that its plural is: "gpu" beside "gpus", but not one "ga"
beside a hundred "gas"."""


def merge_plurals(topics: Iterable[str]) -> dict[str, str]:
    """Return what each topic is filed under: its singular where that is written often enough, else itself.

    For the plurals that no rule can tell ("gpus", "salaires", but not "paris"): only what occurs is merged into.

    Args:
        topics: each as often as it is written.
    """
    counts = Counter(topics)
    return {topic: _filed_under(topic, counts) for topic in counts}


def _filed_under(topic: str, counts: Mapping[str, int]) -> str:
    singular = topic[:-1]
    often = counts.get(singular, 0) >= MIN_SINGULAR_SHARE * counts[topic]
    return singular if topic[-1:] in ("s", "x") and singular in counts and often else topic


@dataclass(frozen=True)
class TopicRules:
    """Aliases and stopped topics, both normalized."""

    aliases: Mapping[str, str]
    stopped: tuple[str, ...]
    language: str = "en"

    def topic(self, written: str) -> str | None:
        """Return what a topic is filed under, or None for one that is too general."""
        topic = normalize_topic(written, self.language)
        topic = self.aliases.get(topic, topic)
        if len(topic) < 2 or topic in self._exact or topic.startswith(self._prefixes):
            return None
        return topic

    def as_json(self) -> list[object]:
        """Return the rules as values for a fingerprint."""
        return [sorted(self.aliases.items()), sorted(self.stopped), self.language]

    @cached_property
    def _exact(self) -> frozenset[str]:
        return frozenset(topic for topic in self.stopped if not topic.endswith(" *"))

    @cached_property
    def _prefixes(self) -> tuple[str, ...]:
        return tuple(topic.removesuffix("*") for topic in self.stopped if topic.endswith(" *"))


def load_topic_rules(settings: GoldSettings, language: str = "en") -> TopicRules:
    """Return the rules of a project: its own alias file and stop-list, or the shipped ones.

    Raises:
        UserError: the alias file cannot be read, or a line has no `=>`.
    """
    if settings.topic_aliases is None:
        aliases = _aliases(_shipped("topic_aliases.txt"), "topic_aliases.txt", language)
    else:
        aliases = _aliases(_read(settings.topic_aliases), str(settings.topic_aliases), language)
    stopped = _shipped("stop_topics.txt") if settings.stop_topics is None else list(settings.stop_topics)
    return TopicRules(aliases, tuple(sorted({_stop(line, language) for line in stopped})), language)


def _stop(line: str, language: str) -> str:
    starts = line.endswith(" *")
    return normalize_topic(line.removesuffix(" *"), language) + (" *" if starts else "")


def _aliases(lines: Sequence[str], name: str, language: str) -> dict[str, str]:
    aliases = {}
    for number, line in enumerate(lines, 1):
        written, arrow, filed = line.partition("=>")
        if not arrow or not written.strip() or not filed.strip():
            raise UserError(f"{name}: entry {number} is `{line}`.", "Write `written => filed under`.")
        aliases[normalize_topic(written, language)] = normalize_topic(filed, language)
    return aliases


def _shipped(name: str) -> list[str]:
    return _lines(files("answertrail_pipeline.gold").joinpath("data", name).read_text("utf-8"))


def _read(path: Path) -> list[str]:
    try:
        return _lines(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"Cannot read the topic aliases {path}: {error}.", "Mend gold.topic_aliases.") from error


def _lines(content: str) -> list[str]:
    return [line for raw in content.splitlines() if (line := raw.partition("#")[0].strip())]
