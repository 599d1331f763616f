"""Cue JSONL: one JSON object a line with `start`, `duration` or `end`, and `text`; seconds."""

import json
import reprlib

from answertrail_pipeline.corpus.formats.clean import clean, storable
from answertrail_pipeline.corpus.formats.json_values import as_seconds
from answertrail_pipeline.corpus.formats.reading import Loss, Parsed, RawCue


def read_cue_jsonl(text: str) -> Parsed:
    """Read one cue a line; a line that is no cue is a loss."""
    parsed = Parsed()
    for number, line in enumerate(text.split("\n"), 1):
        if line and not line.isspace():
            add_cue_line(parsed, line, f"line {number}")
    return parsed


def add_cue_line(parsed: Parsed, line: str | bytes, where: str) -> None:
    """Add the cue of one JSON line."""
    try:
        item = json.loads(line)
    except (ValueError, RecursionError):
        parsed.losses.append(Loss("bad_json", where, str(line[:80])))
        return
    add_cue(parsed, item, where)


def add_cue(parsed: Parsed, item: object, where: str) -> None:
    """Add a cue object with `text`, `start`, and `end` or `duration`; anything else is a loss."""
    if not isinstance(item, dict) or not isinstance(text := item.get("text"), str | None):
        parsed.losses.append(Loss("not_a_cue", where, reprlib.repr(item)))
        return
    words = clean(storable(text)) if text else ""  # a JSON escape may spell any character
    if not words:
        parsed.empty += 1
        return
    start = as_seconds(item.get("start"))
    if start is None or start < 0:
        parsed.losses.append(Loss("bad_time", where, f"start {reprlib.repr(item.get('start'))}"))
        return
    end = as_seconds(item.get("end"))
    duration = as_seconds(item.get("duration", item.get("dur")))
    if end is None and duration is not None:
        end = round(start + duration, 3)
    parsed.cues.append(RawCue(start, end, words))
