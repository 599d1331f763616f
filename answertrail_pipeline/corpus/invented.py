"""Runs of repeated text that speech recognition invents over silence or music."""

from collections.abc import Sequence

from answertrail_pipeline.corpus.types import Cue

MIN_RUN = 4
"""So many cues in a row with the same words are a run."""
SAME_SECONDS = 0.05
"""Invented cues follow a clock: their lengths differ by no more. People who repeat themselves do not."""
MIN_LOOP = 8
"""A phrase that one cue says so often and nothing else is a loop."""
MAX_PHRASE = 4
"""Words of a phrase that loops."""


def mark_invented(cues: Sequence[Cue]) -> list[bool]:
    """Return for each cue whether its text was invented.

    A run is at least `MIN_RUN` neighbouring cues with the same words, whatever their case and punctuation, and
    nearly the same length in time. A cue that says one phrase of up to `MAX_PHRASE` words at least `MIN_LOOP`
    times and nothing else is invented too.
    """
    marked = [_loops(cue.text) for cue in cues]
    begin = 0
    for k in range(1, len(cues) + 1):
        if k < len(cues) and _repeats(cues[begin], cues[k]):
            continue
        if k - begin >= MIN_RUN:
            marked[begin:k] = [True] * (k - begin)
        begin = k
    return marked


def _repeats(first: Cue, other: Cue) -> bool:
    if abs((first.end - first.start) - (other.end - other.start)) > SAME_SECONDS:
        return False
    return first.text == other.text or _letters(first.text) == _letters(other.text)


def _loops(text: str) -> bool:
    words = text.split()
    if len(words) < MIN_LOOP or len(set(words)) > len(words) // 2:
        return False  # nearly every cue, told cheaply
    words = [_letters(word) for word in words]
    return any(
        len(words) >= MIN_LOOP * length and all(a == b for a, b in zip(words, words[length:], strict=False))
        for length in range(1, MAX_PHRASE + 1)
    )


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
