"""Time expressions of TTML (W3C Timed Text Markup Language 2, section 12.3.1 <timing>)."""

import re
from collections.abc import Mapping

from answertrail_pipeline.corpus.formats.json_values import MAX_SECONDS, as_seconds

_CLOCK = re.compile(
    r"([0-9]{1,6}):([0-9]{1,2}):([0-9]{1,2})(?:[.,]([0-9]{1,9})|:([0-9]{1,4})(?:\.[0-9]{1,4})?)?\Z"
)
_OFFSET = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,9})?)(h|ms|m|s|f|t)?\Z")
_PARAMETER = "{http://www.w3.org/ns/ttml#parameter}"


class TtmlClock:
    """Turns a document's time expressions into seconds, by the frame and tick rates of its root element."""

    def __init__(self, root: Mapping[str, str]) -> None:
        frame_rate = _positive(root.get(_PARAMETER + "frameRate"))
        sub_frames = _positive(root.get(_PARAMETER + "subFrameRate")) or 1.0
        self._frames = (frame_rate or 30.0) * _multiplier(root.get(_PARAMETER + "frameRateMultiplier"))
        self._ticks = _positive(root.get(_PARAMETER + "tickRate")) or (
            frame_rate * sub_frames if frame_rate else 1.0
        )

    def seconds(self, expression: str | None) -> float | None:
        """Return the seconds of `00:01:02.5`, `00:01:02:12` (frames), `62.5s`, `1500ms`, `900f` or `12000t`.

        None where it is malformed; a bare number is seconds.

        >>> TtmlClock({}).seconds("00:01:02:15"), TtmlClock({}).seconds("1500ms"), TtmlClock({}).seconds("x")
        (62.5, 1.5, None)
        """
        if expression is None:
            return None
        clock = _CLOCK.match(expression.strip())
        if clock:
            hours, minutes, whole, fraction, frames = clock.groups()
            if int(minutes) > 59 or int(whole) > 59:
                return None
            seconds = int(hours) * 3600 + int(minutes) * 60 + int(whole) + float(f"0.{fraction or 0}")
            return round(seconds + int(frames or 0) / self._frames, 3)
        offset = _OFFSET.match(expression.strip())
        if not offset:
            return None
        unit = {"h": 3600.0, "m": 60.0, "s": 1.0, None: 1.0, "ms": 0.001}.get(offset[2])
        if unit is None:
            unit = 1 / (self._frames if offset[2] == "f" else self._ticks)
        seconds = float(offset[1]) * unit
        return round(seconds, 3) if seconds < MAX_SECONDS else None


def _positive(value: str | None) -> float | None:
    number = as_seconds(value)
    return number if number is not None and number > 0 else None


def _multiplier(value: str | None) -> float:
    """Return `1000 1001` (or `1000:1001`) as a factor."""
    parts = [_positive(part) for part in (value or "").replace(":", " ").split()]
    if len(parts) == 2 and parts[0] and parts[1]:
        return parts[0] / parts[1]
    return 1.0
