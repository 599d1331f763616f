"""WebVTT, SubRip and SBV: a line with two times, then the cue's lines.

Why not a library (`benchmarks/captions.py --cases` runs these): `pysubs2` 1.8.1 reads hour 100 as second 0, takes
a NOTE for speech and refuses times without a fraction; `webvtt-py` 0.6.0 loses what follows a blank payload line,
a cue after one that says a number, and times without a fraction. Neither tells which cue was lost, nor where.
"""

import re
from typing import NamedTuple

from answertrail_pipeline.corpus.formats.clean import clean
from answertrail_pipeline.corpus.formats.reading import Loss, Parsed, RawCue
from answertrail_pipeline.corpus.formats.rolling import WORD_TIME, RollingScreen, rolls
from answertrail_pipeline.corpus.formats.stamps import STAMP, seconds

_ARROW_LINE = re.compile(rf"\s*{STAMP}[ \t]*-{{1,3}}[ \t]?>[ \t]*{STAMP}(?:[ \t]+(.*))?[ \t]*\Z")
_SBV_LINE = re.compile(rf"\s*{STAMP}[ \t]*,[ \t]*{STAMP}()[ \t]*\Z")
# Meant as a time line: digits with a colon before the arrow, a digit after it.
_MEANT = re.compile(r"\s*[-+]?[0-9][0-9.,\s]*:[^>]*>\s*[-+]?[0-9]")
_SBV_MEANT = re.compile(r"\s*[0-9]+:[0-9:.]*,[0-9]+:[0-9:.]*\s*\Z")
_SETTING = re.compile(r"[A-Za-z][A-Za-z0-9]*:\S+\Z")
_BLOCKS = ("NOTE", "STYLE", "REGION", "WEBVTT", "X-TIMESTAMP-MAP")


class TimeLine(NamedTuple):
    """A line that says from when to when; `start` None where it is malformed."""

    line: int
    start: float | None
    end: float
    rest: str


def read_timed_lines(text: str, dialect: str) -> Parsed:
    """Read WebVTT (`vtt`), SubRip (`srt`) or SBV (`sbv`).

    All lines up to the next time line belong to a cue, blank ones inside it too, except the next cue's number or
    identifier and WebVTT's blocks. A malformed time line is a loss and takes its lines with it.

    Args:
        text: decoded, with `\\n` as the only line end.
        dialect: `vtt`, `srt` or `sbv`.
    """
    lines = text.split("\n")
    times = _time_lines(lines, dialect)
    parsed = Parsed()
    if WORD_TIME.search(text):
        parsed.automatic = True
    has_identifiers = dialect == "vtt" and not parsed.automatic
    bodies = _bodies(lines, times, dialect, has_identifiers)
    screen = RollingScreen() if parsed.automatic or rolls(times, bodies) else None
    for time, body in zip(times, bodies, strict=True):
        if time.start is None:
            parsed.losses.append(Loss("bad_time", f"line {time.line + 1}", lines[time.line].strip()[:80]))
            continue
        words = clean("\n".join(screen.new_lines(body) if screen else body))
        if words:
            parsed.cues.append(RawCue(time.start, time.end, words))
        elif not screen:
            parsed.empty += 1
    if screen and times and not parsed.cues:
        parsed.empty = len(times)
    return parsed


def _time_lines(lines: list[str], dialect: str) -> list[TimeLine]:
    if dialect == "sbv":
        found = [(i, line) for i, line in enumerate(lines) if "," in line and _SBV_MEANT.match(line)]
        return [_time_line(i, _SBV_LINE.match(line)) for i, line in found]
    found = [(i, line) for i, line in enumerate(lines) if ">" in line]
    times = [(i, line, _ARROW_LINE.match(line)) for i, line in found]
    return [_time_line(i, match) for i, line, match in times if match or _MEANT.match(line)]


def _time_line(line: int, match: re.Match[str] | None) -> TimeLine:
    if match:
        parts = match.groups()
        start, end = seconds(*parts[:4]), seconds(*parts[4:8])
        if start is not None and end is not None:
            return TimeLine(line, start, end, _words_of(parts[8]))
    return TimeLine(line, None, 0.0, "")


def _words_of(rest: str | None) -> str:
    """Return what follows the times on their line, unless it is cue settings."""
    if not rest or all(_SETTING.match(token) for token in rest.split()):
        return ""
    return rest


def _bodies(lines: list[str], times: list[TimeLine], dialect: str, has_identifiers: bool) -> list[list[str]]:
    bodies = []
    before_first = [line for line in lines[: times[0].line] if line.strip()] if times else []
    number = _as_number(before_first[-1]) if before_first else None
    for k, time in enumerate(times):
        is_last = k + 1 == len(times)
        body = lines[time.line + 1 : len(lines) if is_last else times[k + 1].line]
        if not is_last:
            number = _drop_next_number(body, number, has_identifiers)
        if dialect == "vtt" and len(body) > 1:
            body = _without_blocks(body)
        bodies.append([time.rest, *body] if time.rest else body)
    return bodies


def _drop_next_number(body: list[str], number: int | None, has_identifiers: bool) -> int | None:
    """Take the next cue's number or identifier off the end of a cue's lines; return the number."""
    last = len(body) - 1
    if last >= 0 and body[last].strip():
        found = _as_number(body[last])
        if found is not None:
            del body[last]
            return found
        if has_identifiers and last > 0 and not body[last - 1].strip():
            del body[last]
        return number
    while last >= 0 and not body[last].strip():
        last -= 1
    if last >= 0 and number is not None and _as_number(body[last]) == number + 1:
        # a file with a blank line after every line, numbers included
        del body[last:]
        return number + 1
    return number


def _as_number(line: str) -> int | None:
    line = line.strip()
    return int(line) if line.isdecimal() and len(line) <= 9 else None


def _without_blocks(body: list[str]) -> list[str]:
    kept: list[str] = []
    after_blank = skipping = False
    for line in body:
        if not line.strip():
            after_blank, skipping = True, False
        elif after_blank and not skipping:
            word = line.split(None, 1)[0]
            skipping = word in _BLOCKS[:4] and (word == "NOTE" or line.strip() == word or word == "WEBVTT")
            after_blank = False
        if not skipping and not line.startswith(_BLOCKS[4]):
            kept.append(line)
    return kept
