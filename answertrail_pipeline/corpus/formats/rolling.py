"""YouTube's automatic WebVTT, where every spoken line is shown two or three times as it scrolls up.

A cue's screen has two lines: the one carried over from before, and the new one with a time for each word. Between
two cues a hold of 10 ms repeats the finished line. Only what is new on the screen was spoken then.
"""

import re
from collections.abc import Sequence
from typing import Protocol

WORD_TIME = re.compile(r"<[0-9]+:[0-9][0-9]:[0-9][0-9]\.[0-9]{3}>")
HOLD_SECONDS = 0.05
_TAG = re.compile(r"<[^<>]*>")


class _Timed(Protocol):
    @property
    def start(self) -> float | None: ...
    @property
    def end(self) -> float: ...


class RollingScreen:
    """What the screen showed last, to tell what a cue adds to it."""

    def __init__(self) -> None:
        self._shown: list[str] = []

    def new_lines(self, body: Sequence[str]) -> list[str]:
        """Return the lines of a cue that were not on the screen before.

        A line with word times is new even where it repeats the line above it: the speaker said it again. So is a
        line below an empty first line: the screen was cleared.
        """
        lines = list(body)
        while lines and not _plain(lines[-1]):
            lines.pop()
        plain = [_plain(line) for line in lines]
        untimed = 0
        while untimed < len(lines) and not WORD_TIME.search(lines[untimed]):
            untimed += 1
        most = min(untimed, len(self._shown))
        carried = next((n for n in range(most, 0, -1) if plain[:n] == self._shown[-n:]), 0)
        if plain:
            self._shown = [line for line in plain if line]
        return lines[carried:]


def _plain(line: str) -> str:
    return " ".join(_TAG.sub("", line).split())


def rolls(times: Sequence[_Timed], bodies: Sequence[Sequence[str]]) -> bool:
    """Whether a file without word times scrolls all the same, as converters leave it.

    At least a quarter of its cues are holds, and after most holds the next cue begins with the held line.
    """
    holds = carried = 0
    for k in range(len(times) - 1):
        start = times[k].start
        if start is None or times[k].end - start > HOLD_SECONDS:
            continue
        held = [plain for line in bodies[k] if (plain := _plain(line))]
        following = [plain for line in bodies[k + 1] if (plain := _plain(line))]
        if held:
            holds += 1
            # A next cue of this line alone is a speaker who says it again.
            carried += len(following) > 1 and following[0] == held[-1]
    return holds >= 3 and holds * 4 >= len(times) - 1 and carried * 4 >= holds * 3
