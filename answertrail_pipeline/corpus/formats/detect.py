"""Which caption format a text is: from its content, never from a file's name."""

import json
import re
from collections.abc import Callable
from functools import partial

from answertrail_pipeline.corpus.formats.cue_jsonl import read_cue_jsonl
from answertrail_pipeline.corpus.formats.json_files import JSON_READERS, json_format
from answertrail_pipeline.corpus.formats.reading import CaptionError, Parsed
from answertrail_pipeline.corpus.formats.stamped_text import is_stamped_text, read_stamped_text
from answertrail_pipeline.corpus.formats.stamps import STAMP
from answertrail_pipeline.corpus.formats.timed_lines import read_timed_lines
from answertrail_pipeline.corpus.formats.xml_files import read_xml, xml_format

_HEAD = 1 << 14
_ARROW = re.compile(rf"^[ \t]*{STAMP}[ \t]*-->", re.MULTILINE)
_SBV = re.compile(rf"^[ \t]*{STAMP}[ \t]*,[ \t]*{STAMP}[ \t]*$", re.MULTILINE)
_LIVE_CHAT = ('"replayChatItemAction"', '"liveChatTextMessageRenderer"')


def find_reader(text: str) -> tuple[str, Callable[[], Parsed]]:
    """Return the name of a text's format and what reads it.

    A new format is one module with a `read(text) -> Parsed`, and one line here.

    Raises:
        CaptionError: `no_captions`, `unknown_format`, `live_chat`, or `cut_off` for JSON that breaks off.
    """
    head = text[:_HEAD].lstrip()
    if not head:
        raise CaptionError("no_captions", "The file holds nothing but white space.")
    if any(sign in head for sign in _LIVE_CHAT):
        raise CaptionError("live_chat", "A live chat is not captions.")
    if head.startswith("WEBVTT"):
        return "vtt", partial(read_timed_lines, text, "vtt")
    if head[0] == "<" and (name := xml_format(head)):
        return name, partial(read_xml, text)
    if head[0] in "{[" and (found := _json_reader(text, head)):
        return found
    if _ARROW.search(text):
        return "srt", partial(read_timed_lines, text, "srt")
    if _SBV.search(text):
        return "sbv", partial(read_timed_lines, text, "sbv")
    if is_stamped_text(head):
        return "stamped_text", partial(read_stamped_text, text)
    raise CaptionError("unknown_format", f"Not a caption format that is known; it begins with {head[:40]!r}.")


def _json_reader(text: str, head: str) -> tuple[str, Callable[[], Parsed]] | None:
    first = head.partition("\n")[0]
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise CaptionError("malformed", "JSON that is nested too deeply.") from error
    except ValueError as error:
        if first.startswith("{") and _is_json_object(first):
            return "cue_jsonl", partial(read_cue_jsonl, text)
        if head.startswith(('{"', "[{")) or re.match(r"[\[{]\s*[\"{]", head):
            raise CaptionError("cut_off", f"JSON that breaks off: {error}.", lost=1) from error
        return None
    if value in ([], {}):
        raise CaptionError("no_captions", "The file is an empty JSON value.")
    name = json_format(value)
    if name:
        return name, partial(JSON_READERS[name], value)
    if isinstance(value, dict) and "text" in value:
        return "cue_jsonl", partial(read_cue_jsonl, text)
    raise CaptionError("unknown_format", "JSON without captions in it.")


def _is_json_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
