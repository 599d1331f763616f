"""Plain text with a time before each paragraph: `12:34 words`, `[00:12:34] words`, or a time on its own line.

Own code: no library reads it.
"""

import re

from answertrail_pipeline.corpus.formats.clean import clean
from answertrail_pipeline.corpus.formats.reading import Loss, Parsed, RawCue

_STAMP = r"(?:([0-9]{1,6}):)?([0-9]{1,4}):([0-9]{2})(?:[.,]([0-9]{1,3}))?"
_RANGE = rf"{_STAMP}(?:[ \t]*(?:-->|[-–—])[ \t]*{_STAMP})?"
_LINE = re.compile(rf"[ \t]*[\[(]?[ \t]?{_RANGE}[ \t]?[\])]?(?:[ \t]*[-–—|:][ \t]+|[ \t]+|$)(.*)\Z")
_HEAD_LINES = 20


def is_stamped_text(head: str) -> bool:
    """Whether a text is a transcript with times: it begins with one, or two of its first lines do."""
    lines = [line for line in head.split("\n") if line.strip()][:_HEAD_LINES]
    found = [bool(_LINE.match(line)) for line in lines]
    return bool(found) and (found[0] or sum(found) >= 2)


def read_stamped_text(text: str) -> Parsed:
    """Read a transcript; lines without a time belong to the time before them. Minutes may run above 59."""
    parsed = Parsed()
    start: float | None = None
    end: float | None = None
    pending: list[str] = []
    first_line = 0

    def flush() -> None:
        words = clean("\n".join(pending))
        pending.clear()
        if not words:
            parsed.empty += start is not None
        elif start is None:
            parsed.losses.append(Loss("text_before_first_time", f"line {first_line}", words[:80], cues=0))
        else:
            parsed.cues.append(RawCue(start, end, words))

    malformed = False
    for number, line in enumerate(text.split("\n"), 1):
        match = _LINE.match(line)
        if not match:
            if not malformed:
                first_line = first_line or number
                pending.append(line)
            continue
        flush()
        parts = match.groups()
        seconds = _seconds(*parts[:4])
        malformed = seconds is None
        if seconds is None:
            parsed.losses.append(Loss("bad_time", f"line {number}", line.strip()[:80]))
            continue
        start = seconds
        end = _seconds(*parts[4:8]) if parts[5] else None
        pending.append(parts[8])
    flush()
    return parsed


def _seconds(hours: str | None, minutes: str, whole: str, fraction: str | None) -> float | None:
    if int(whole) > 59 or (hours and int(minutes) > 59):
        return None
    milliseconds = int(fraction.ljust(3, "0")) if fraction else 0
    return ((int(hours or 0) * 60 + int(minutes)) * 60_000 + int(whole) * 1000 + milliseconds) / 1000
