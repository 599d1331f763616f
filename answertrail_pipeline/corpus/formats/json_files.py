"""Caption formats that are one JSON value: json3, youtube-transcript-api, Whisper and its relatives.

Own code, for there is no library that reads them: yt-dlp only downloads json3, youtube-transcript-api only writes
its format, Whisper's packages only write theirs.
"""

import reprlib
from collections.abc import Callable, Mapping
from typing import Any

from answertrail_pipeline.corpus.formats.clean import clean, storable
from answertrail_pipeline.corpus.formats.cue_jsonl import add_cue
from answertrail_pipeline.corpus.formats.json_values import as_seconds
from answertrail_pipeline.corpus.formats.reading import Loss, Parsed, RawCue
from answertrail_pipeline.corpus.formats.stamps import parse_stamp


def json_format(value: object) -> str | None:
    """Return which caption format a JSON value is, or None."""
    if isinstance(value, Mapping):
        if isinstance(value.get("events"), list):
            return "json3"
        if any(isinstance(value.get(name), list) for name in ("segments", "chunks", "transcription")):
            return "whisper"
        if isinstance(value.get("snippets"), list):
            return "transcript_api"
        return None
    if isinstance(value, list) and all(isinstance(item, Mapping) and "text" in item for item in value):
        return "whisper" if any("end" in item for item in value) else "transcript_api"
    return None


def read_json3(value: Any) -> Parsed:
    """Read YouTube's json3: events in milliseconds, each with segments of text.

    An event without `segs` is a window, and one whose segments hold only a line break scrolls the screen: neither
    is a cue.
    """
    parsed = Parsed()
    for number, event in enumerate(value["events"]):
        where = f"event {number}"
        if not isinstance(event, Mapping):
            parsed.losses.append(Loss("not_a_cue", where, reprlib.repr(event)))
            continue
        segments = event.get("segs")
        if not isinstance(segments, list):
            continue
        pieces = [segment.get("utf8") for segment in segments if isinstance(segment, Mapping)]
        words = clean(storable("".join(piece for piece in pieces if isinstance(piece, str))))
        if any("tOffsetMs" in segment for segment in segments if isinstance(segment, Mapping)):
            parsed.automatic = True
        if words:
            _add_milliseconds(parsed, event.get("tStartMs"), event.get("dDurationMs"), words, where)
        elif not event.get("aAppend"):
            parsed.empty += 1
    return parsed


def _add_milliseconds(parsed: Parsed, start: object, duration: object, words: str, where: str) -> None:
    begin, length = as_seconds(start), as_seconds(duration)
    if begin is None or begin < 0:
        parsed.losses.append(Loss("bad_time", where, f"tStartMs {reprlib.repr(start)}"))
        return
    end = None if length is None else round((begin + length) / 1000, 3)
    parsed.cues.append(RawCue(round(begin / 1000, 3), end, words))


def read_transcript_api(value: Any) -> Parsed:
    """Read youtube-transcript-api's list of `text`, `start`, `duration`, or its object with `snippets`."""
    parsed = Parsed()
    if isinstance(value, Mapping):
        language, generated = value.get("language_code"), value.get("is_generated")
        parsed.language = language if isinstance(language, str) else None
        parsed.automatic = generated if isinstance(generated, bool) else None
        value = value["snippets"]
    for number, item in enumerate(value):
        add_cue(parsed, item, f"item {number}")
    return parsed


def read_whisper(value: Any) -> Parsed:
    """Read Whisper JSON and its relatives: `segments` (Whisper, WhisperX, faster-whisper), `chunks` with
    `timestamp` pairs (Hugging Face), `transcription` with `timestamps` or `offsets` (whisper.cpp), or a bare list.
    """
    parsed = Parsed(automatic=True)
    items = value
    if isinstance(value, Mapping):
        items = next(
            value[name] for name in ("segments", "chunks", "transcription") if isinstance(value.get(name), list)
        )
        language = value.get("language")
        parsed.language = language if isinstance(language, str) else None
    for number, item in enumerate(items):
        add_cue(parsed, _with_times(item) if isinstance(item, Mapping) else item, f"segment {number}")
    return parsed


def _with_times(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return a segment with `start` and `end` in seconds, wherever it keeps them."""
    start, end = item.get("start"), item.get("end")
    match item:
        case {"timestamp": [begin, finish]}:
            start, end = begin, finish
        case {"offsets": {"from": begin, "to": finish}}:
            start, end = _thousandth(begin), _thousandth(finish)
        case {"timestamps": {"from": str(begin), "to": str(finish)}}:
            start, end = parse_stamp(begin), parse_stamp(finish)
    return {"text": item.get("text"), "start": start, "end": end}


def _thousandth(value: object) -> float | None:
    seconds = as_seconds(value)
    return None if seconds is None else round(seconds / 1000, 3)


JSON_READERS: dict[str, Callable[[Any], Parsed]] = {
    "json3": read_json3,
    "transcript_api": read_transcript_api,
    "whisper": read_whisper,
}
