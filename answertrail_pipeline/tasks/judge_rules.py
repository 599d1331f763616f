"""The rule-based judge: what `judge` and `judge_batch` do without a model. The floor for every model.

A claim is looked for in passages: the chunks of one video, or a stretch of an answer that speaks of one time. A
time window is part of the claim: it is compared with the chunks' dates, or with the times that the answer gives.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.language.entailment import Ruling, rule
from answertrail_pipeline.language.lexicon import reporting
from answertrail_pipeline.language.reading import Reading
from answertrail_pipeline.language.sentences import sentences
from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.time_windows import Window, find_windows, parse_window

ClaimKind = Literal["fact", "stance", "shift", "no_change", "event", "assertion"]
TextKind = Literal["answer", "chunks", "document", "event"]

RULES_VERSION = "4"
"""Raised by hand when the rules, here or in `language/`, change some verdict: part of the rules' judge id."""

_NO_DATE = "no date"
_LABEL = re.compile(r"^\[(\S+)\] (\d{4}-\d{2}-\d{2}|no date)$", re.MULTILINE)
_MARKER = re.compile(r"\[[^\[\]\s]+:\d{5,}\]")
_PHASES = re.compile(
    r"\b(?:from|to|towards?|through|then|into|culminating|before|while)\b|[;,]|->|→", re.IGNORECASE
)
_CHANGE = re.compile(
    r"\b(moved|shift\w*|chang\w+|evolv\w+|became|turned|revers\w+|no longer|initially|at first|originally|later"
    r"|from .{3,80} to|used to|earlier|now|harden\w*|soften\w*|temper\w*|abandon\w*|instead)\b",
    re.IGNORECASE | re.DOTALL,
)
_CONSTANT = re.compile(
    r"\b(still|always|consistent\w*|constant\w*|throughout|unchanged|no change|not change\w*|did not move|same"
    r"|repeated\w*|kept|again|remain\w*|steady|steadily|stable|continu\w+|never wavered|no evolution)\b",
    re.IGNORECASE,
)
_MIN_PHASE_TOKENS = 2
_MIN_APART_DAYS = 60
"""Two passages that say the same at least this far apart convey that a view did not change."""


@dataclass(frozen=True)
class Claim:
    """A claim as the rules read it."""

    text: str
    kind: ClaimKind = "fact"
    window: str | None = None
    window_from: date | None = None
    window_to: date | None = None

    def when(self) -> Window | None:
        """Return the window as dates; None where there is none, or none that can be read."""
        if self.window_from or self.window_to:
            return Window(self.window_from or date.min, self.window_to or date.max, self.window or "")
        if not self.window:
            return None
        try:
            return parse_window(self.window)
        except UserError:
            return None


class _Passage(NamedTuple):
    """Text of one time; `times` is empty where the text gives none."""

    reading: Reading
    times: tuple[Window, ...]


@dataclass(frozen=True)
class Judged:
    """A text read once, to be asked about many claims."""

    text: str
    kind: TextKind
    language: str = "en"

    def rule(self, claim: Claim, question: str = "") -> Ruling:
        """Say whether the text states the claim.

        Args:
            question: what was asked: a name that it gives need not be repeated.
        """
        if claim.kind == "shift":
            return self._shift(claim, question)
        if claim.kind == "no_change":
            return self._no_change(claim, question)
        window = claim.when()
        if window is None or self.kind not in ("answer", "chunks"):
            return _best(claim.text, self._whole, question)
        return self._in_window(_without_times(claim.text), window, question)

    def rule_without_time(self, claim: Claim, question: str = "") -> Ruling:
        """Say whether the text states the claim at whatever time."""
        return _best(_without_times(claim.text), self._whole, question)

    @cached_property
    def _whole(self) -> list[_Passage]:
        """The passages without regard to time."""
        if self.kind == "chunks":
            return self._timed
        return [_Passage(Reading(_MARKER.sub(" ", self.text), self.language), ())]

    @cached_property
    def _timed(self) -> list[_Passage]:
        """The passages, each of one time."""
        pieces = _videos(self.text) if self.kind == "chunks" else _sections(self.text, self.language)
        return [_Passage(Reading(text, self.language), times) for times, text in pieces]

    def _in_window(self, text: str, window: Window, question: str) -> Ruling:
        inside = [passage for passage in self._timed if any(time.overlaps(window) for time in passage.times)]
        found = _best(text, inside, question)
        if found.supported:
            return found
        anywhere = _best(text, self._whole, question)
        if not anywhere.supported:
            return anywhere
        if self.kind == "answer" and not any(passage.times for passage in self._timed):
            return anywhere._replace(
                supported=False, detail="not_found", reason=f"It is stated, but not when ({window.text})."
            )
        return anywhere._replace(
            supported=False,
            detail="contradicted",
            reason=f"It is stated, but for another time than {window.text}.",
        )

    def _shift(self, claim: Claim, question: str) -> Ruling:
        """A change is conveyed by its first and last phase in order of time, or in its own words."""
        whole = _best(_without_times(claim.text), self._whole, question)
        if whole.supported and self.kind != "chunks" and _CHANGE.search(self.text):
            return whole._replace(reason=f"{whole.reason} The text speaks of a change.")
        phases = [part for part in _PHASES.split(_without_times(claim.text)) if self._is_phase(part)]
        if len(phases) < 2:
            return whole._replace(supported=False, detail="not_found", reason="No change is conveyed.")
        first, last = (self._places(phase, question) for phase in (phases[0], phases[-1]))
        if any(early < late for early in first for late in last):
            return Ruling(
                True, None, "The first and the last phase are both stated, in order of time.", whole.coverage
            )
        return Ruling(
            False, "not_found", "The first and the last phase are not both stated in order.", whole.coverage
        )

    def _is_phase(self, part: str) -> bool:
        """Whether a part of a claim says what was held, and not only that something moved."""
        meaning = set(tokens(_CHANGE.sub(" ", part), self.language)) - reporting()
        return len(meaning) >= _MIN_PHASE_TOKENS

    def _places(self, text: str, question: str) -> list[int]:
        return [at for at, passage in enumerate(self._timed) if rule(text, passage.reading, question).supported]

    def _no_change(self, claim: Claim, question: str) -> Ruling:
        """Constancy is conveyed in words, or by passages that say the same at times far apart."""
        text = _CONSTANT.sub(" ", _without_times(claim.text))
        whole = _best(text, self._whole, question)
        if not whole.supported:
            return whole
        if self.kind != "chunks" and _CONSTANT.search(self.text):
            return whole._replace(reason=f"{whole.reason} The text says that it stayed so.")
        days = [
            time.start
            for at in self._places(text, question)
            for time in self._timed[at].times
            if time.start > date.min
        ]
        if days and (max(days) - min(days)).days >= _MIN_APART_DAYS:
            return whole._replace(reason=f"It is stated at times {(max(days) - min(days)).days} days apart.")
        return whole._replace(
            supported=False, detail="not_found", reason="It is stated, but not that it stayed so."
        )


@lru_cache(maxsize=32)
def read_once(text: str, kind: TextKind, language: str) -> Judged:
    """Return a text, read once also where its claims come one by one: each event of a career has its own call."""
    return Judged(text, kind, language)


def _best(text: str, passages: Iterable[_Passage], question: str) -> Ruling:
    """Return the best ruling over the passages: a support, else the one that holds most of the claim."""
    rulings = [rule(text, passage.reading, question) for passage in passages]
    nothing = Ruling(False, "not_found", "No passage is of that time.", 0.0)
    return max(rulings, key=lambda found: (found.supported, found.coverage), default=nothing)


def _videos(text: str) -> list[tuple[tuple[Window, ...], str]]:
    """Return the chunks of each video in order of time, each chunk headed by its date."""
    found: dict[tuple[str, str], list[str]] = {}
    labels = list(_LABEL.finditer(text))
    for at, label in enumerate(labels):
        end = labels[at + 1].start() if at + 1 < len(labels) else len(text)
        video = label.group(1).rpartition(":")[0]
        said = text[label.end() : end].strip()
        dated = said if label.group(2) == _NO_DATE else f"{label.group(2)}\n{said}"
        found.setdefault((video, label.group(2)), []).append(dated)
    return [(_day(label), "\n".join(chunks)) for (_, label), chunks in found.items()]


def _day(label: str) -> tuple[Window, ...]:
    if label == _NO_DATE:
        return ()
    day = date.fromisoformat(label)
    return (Window(day, day, label),)


def _sections(text: str, language: str) -> list[tuple[tuple[Window, ...], str]]:
    """Cut an answer where it speaks of another time; a sentence without a time belongs to the one before it."""
    found: list[tuple[tuple[Window, ...], list[str]]] = [((), [])]
    for sentence in sentences(_MARKER.sub(" ", text), language):
        times = tuple(find_windows(sentence))
        if times and times != found[-1][0]:
            found.append((times, []))
        found[-1][1].append(sentence)
    return [(times, "\n".join(lines)) for times, lines in found if lines]


def _without_times(text: str) -> str:
    """Return a claim without its times, which the window says."""
    for window in find_windows(text):
        text = text.replace(window.text, " ", 1)
    return text
