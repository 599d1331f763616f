"""Which caption format a text is: from its content, never from a file's name."""

import re

from answertrail_pipeline.corpus.formats.reading import CaptionError
from answertrail_pipeline.corpus.formats.stamps import STAMP

_HEAD = 1 << 16
_ARROW = re.compile(rf"^\s*{STAMP}[ \t]*-->", re.MULTILINE)
_SBV = re.compile(rf"^\s*{STAMP}[ \t]*,[ \t]*{STAMP}[ \t]*$", re.MULTILINE)
_CUE_LINE = re.compile(r'\s*\{[^\n]*"text"[^\n]*\}\s*(?:\n|\Z)')


def detect(text: str) -> str:
    """Return the name of the format, a key of `read.READERS`.

    Raises:
        CaptionError: `no_captions`, `unknown_format` or `live_chat`.
    """
    head = text[:_HEAD].lstrip()
    if head.startswith("WEBVTT"):
        return "vtt"
    if head.startswith("{") and _CUE_LINE.match(head):
        return "cue_jsonl"
    if _ARROW.search(text):
        return "srt"
    if _SBV.search(text):
        return "sbv"
    raise CaptionError("unknown_format", f"Not a caption format that is known; it begins with {head[:40]!r}.")
