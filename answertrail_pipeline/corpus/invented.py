"""Runs of repeated text that speech recognition invents over silence or music."""

from collections.abc import Sequence

from answertrail_pipeline.corpus.types import Cue

MIN_RUN = 4
"""So many cues in a row with the same words are a run."""
SAME_SECONDS = 0.05
"""Invented cues follow a clock: their lengths differ by no more. People who repeat themselves do not."""


def mark_invented(cues: Sequence[Cue]) -> list[bool]:
    """Return for each cue whether it belongs to a run of invented text.

    A run is at least `MIN_RUN` neighbouring cues with the same words (whatever their case and punctuation) and
    nearly the same length in time.
    """
    marked = [False] * len(cues)
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
    return first.text == other.text or _words(first.text) == _words(other.text)


def _words(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
