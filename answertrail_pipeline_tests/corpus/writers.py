"""Writers of every caption format, for tests: cues as (start ms, end ms, text) to a file's text."""

import html
import json
from collections.abc import Callable, Sequence

Timed = tuple[int, int, str]


def stamp(ms: int, fraction: str = ".", width: int = 2) -> str:
    seconds, rest = divmod(ms, 1000)
    return f"{seconds // 3600:0{width}d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{fraction}{rest:03d}"


def vtt(cues: Sequence[Timed]) -> str:
    body = "".join(f"{stamp(a)} --> {stamp(b)}\n{html.escape(text, quote=False)}\n\n" for a, b, text in cues)
    return f"WEBVTT\nKind: captions\nLanguage: en\n\n{body}"


def srt(cues: Sequence[Timed]) -> str:
    return "".join(
        f"{n}\n{stamp(a, ',')} --> {stamp(b, ',')}\n{text}\n\n" for n, (a, b, text) in enumerate(cues, 1)
    )


def sbv(cues: Sequence[Timed]) -> str:
    return "".join(f"{stamp(a, width=1)},{stamp(b, width=1)}\n{text}\n\n" for a, b, text in cues)


def json3(cues: Sequence[Timed]) -> str:
    events: list[dict[str, object]] = [{"tStartMs": 0, "dDurationMs": 9_999_999, "id": 1, "wpWinPosId": 1}]
    for a, b, text in cues:
        events.append({"tStartMs": a, "dDurationMs": b - a, "wWinId": 1, "segs": [{"utf8": text}]})
        events.append({"tStartMs": b, "dDurationMs": 10, "wWinId": 1, "aAppend": 1, "segs": [{"utf8": "\n"}]})
    return json.dumps({"wireMagic": "pb3", "events": events}, ensure_ascii=False)


def srv1(cues: Sequence[Timed]) -> str:
    body = "".join(
        f'<text start="{a / 1000}" dur="{(b - a) / 1000}">{html.escape(html.escape(text, quote=False))}</text>'
        for a, b, text in cues
    )
    return f'<?xml version="1.0" encoding="utf-8" ?><transcript>{body}</transcript>'


def srv2(cues: Sequence[Timed]) -> str:
    body = "".join(f'<text t="{a}" d="{b - a}">{html.escape(text)}</text>' for a, b, text in cues)
    return f'<?xml version="1.0" encoding="utf-8" ?><timedtext>{body}</timedtext>'


def srv3(cues: Sequence[Timed]) -> str:
    body = "".join(
        f'<p t="{a}" d="{b - a}">{html.escape(text)}</p>\n<p t="{b}" a="1">\n</p>' for a, b, text in cues
    )
    return f'<?xml version="1.0" encoding="utf-8" ?><timedtext format="3">\n<body>\n{body}</body></timedtext>'


def ttml(cues: Sequence[Timed]) -> str:
    body = "".join(
        f'<p begin="{stamp(a)}" end="{stamp(b)}">\n {html.escape(text).replace(chr(10), "<br/>")}\n</p>'
        for a, b, text in cues
    )
    return f'<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><body><div>{body}</div></body></tt>'


def transcript_api(cues: Sequence[Timed]) -> str:
    return json.dumps([{"text": t, "start": a / 1000, "duration": (b - a) / 1000} for a, b, t in cues])


def whisper(cues: Sequence[Timed]) -> str:
    segments = [{"id": n, "start": a / 1000, "end": b / 1000, "text": f" {t}"} for n, (a, b, t) in enumerate(cues)]
    return json.dumps({"text": "all", "segments": segments, "language": "en"}, ensure_ascii=False)


def cue_jsonl(cues: Sequence[Timed]) -> str:
    return "".join(
        json.dumps({"video_id": "v", "start": a / 1000, "duration": (b - a) / 1000, "text": t}) + "\n"
        for a, b, t in cues
    )


def stamped_text(cues: Sequence[Timed]) -> str:
    return "".join(f"[{stamp(a)}] {text}\n\n" for a, _, text in cues)


WRITERS: dict[str, Callable[[Sequence[Timed]], str]] = {
    "vtt": vtt,
    "srt": srt,
    "sbv": sbv,
    "json3": json3,
    "srv1": srv1,
    "srv2": srv2,
    "srv3": srv3,
    "ttml": ttml,
    "transcript_api": transcript_api,
    "whisper": whisper,
    "cue_jsonl": cue_jsonl,
    "stamped_text": stamped_text,
}
