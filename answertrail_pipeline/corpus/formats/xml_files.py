"""Caption formats in XML: YouTube's srv1, srv2 and srv3, and TTML/DFXP.

YouTube's three have no library. For TTML, `ttconv` 1.2.3 shows a paragraph without an end twice, refuses DFXP's
namespace and took 1.2 s for a file that is read here in 0.013 s; `pysubs2` 1.8.1 stops at a paragraph without an
end, at ticks and at `&nbsp;`, and finds nothing in DFXP.
"""

import io
import re
from collections.abc import Iterator
from typing import cast
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from answertrail_pipeline.corpus.formats.clean import clean
from answertrail_pipeline.corpus.formats.json_values import as_seconds
from answertrail_pipeline.corpus.formats.reading import Loss, Parsed, RawCue
from answertrail_pipeline.corpus.formats.ttml_time import TtmlClock

_ROOT = re.compile(r"<(?:[A-Za-z_][\w.-]{0,30}:)?(transcript|timedtext|tt)(?=[\s>/])")
# An ampersand that no XML entity follows: `AT&T`, or HTML's `&nbsp;`, which XML does not know.
_LOOSE_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)")
_NUMERIC = re.compile(r"&#(?:([0-9]{1,7})|x([0-9a-fA-F]{1,6}));")
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_METADATA = "{http://www.w3.org/ns/ttml#metadata}"
_LEVELS_LEFT = 1  # the XML parser decodes one level of entities


def xml_format(head: str) -> str | None:
    """Return which caption format the beginning of an XML text is, or None."""
    root = _ROOT.search(head)
    if not root:
        return None
    if root[1] == "tt":
        return "ttml"
    if root[1] == "transcript":
        return "srv1"
    return "srv3" if re.search(r"<(?:body|p|head)[\s>/]", head) else "srv2"


def read_xml(text: str) -> Parsed:
    """Read srv1 (`<text start dur>`, seconds), srv2 (`<text t d>`) or srv3 (`<p t d>`, milliseconds), or TTML.

    Which units an element's times have is told by its attributes, element by element. A text that breaks off or
    is no XML is `cut_off` where the parser stopped; entity declarations are refused (`forbidden_xml`).
    """
    parsed = Parsed()
    try:
        _read(text, parsed)
    except ParseError as error:
        line, column = error.position
        reason = str(error).partition(":")[0]
        parsed.cut_off = Loss("cut_off", f"line {line}, column {column}", reason)
    except ValueError as error:  # defusedxml's refusals; its messages quote the declaration
        parsed.cut_off = Loss("forbidden_xml", "its prologue", type(error).__name__, cues=0)
    return parsed


def _read(text: str, parsed: Parsed) -> None:
    clock = TtmlClock({})
    offsets: list[float] = []
    number = 0
    for event, element in _events(text):
        name = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
        if event == "start":
            if name == "tt":
                clock = TtmlClock(element.attrib)
                parsed.language = element.get(_LANGUAGE) or None
            elif name in ("body", "div"):
                offsets.append(clock.seconds(element.get("begin")) or 0.0)
            if element.get("timeContainer") == "seq":
                parsed.cut_off = Loss("unsupported", f"<{name}>", "timeContainer='seq'")
        elif name in ("body", "div"):
            offsets.pop()
        elif name in ("text", "p"):
            number += 1
            for timed in _timed(element):
                _add(parsed, timed, clock, sum(offsets), f"<{name}> {number}")
            element.clear()


def _events(text: str) -> Iterator[tuple[str, Element]]:
    from defusedxml.ElementTree import DefusedXMLParser, iterparse

    # the text is decoded already: whatever encoding its declaration names, the parser gets UTF-8
    parser = DefusedXMLParser(target=TreeBuilder(), encoding="utf-8")
    source = io.BytesIO(_mended(text).encode("utf-8"))
    return cast(Iterator[tuple[str, Element]], iterparse(source, events=("start", "end"), parser=parser))


def _mended(text: str) -> str:
    """Return the text with what sloppy writers leave unescaped made XML."""
    text = text.lstrip()
    if "&" in text:
        text = _NUMERIC.sub(_xml_character, _LOOSE_AMPERSAND.sub("&amp;", text))
    return text


def _xml_character(match: re.Match[str]) -> str:
    code = int(match[1]) if match[1] else int(match[2], 16)
    allowed = code in (9, 10, 13) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000
    return match[0] if allowed else "\ufffd"


def _timed(element: Element) -> list[Element]:
    """Return the element itself, or those of its spans that have times where it has none (TTML)."""
    if any(element.get(name) is not None for name in ("start", "t", "begin")):
        return [element]
    return [child for child in element if child.get("begin") is not None] or [element]


def _add(parsed: Parsed, element: Element, clock: TtmlClock, offset: float, where: str) -> None:
    if any(child.get("ac") or child.get("t") for child in element):
        parsed.automatic = True
    words = clean(_text(element), _LEVELS_LEFT)
    if not words:
        parsed.empty += 1
        return
    start, end = _times(element, clock, offset)
    if start is None or start < 0:
        parsed.losses.append(Loss("bad_time", where, str(dict(element.attrib))[:80]))
    else:
        parsed.cues.append(RawCue(round(start, 3), None if end is None else round(end, 3), words))


def _times(element: Element, clock: TtmlClock, offset: float) -> tuple[float | None, float | None]:
    """Return start and end in seconds, by whichever attributes the element has."""
    if element.get("start") is not None:
        start, duration = as_seconds(element.get("start")), as_seconds(element.get("dur"))
    elif element.get("t") is not None:
        start, duration = _thousandth(element.get("t")), _thousandth(element.get("d"))
    else:
        begin = clock.seconds(element.get("begin"))
        if begin is None:
            return (offset, None) if offset and element.get("begin") is None else (None, None)
        end = clock.seconds(element.get("end"))
        if end is not None:
            return offset + begin, offset + end
        start, duration = offset + begin, clock.seconds(element.get("dur"))
    return start, None if start is None or duration is None else start + duration


def _thousandth(value: str | None) -> float | None:
    seconds = as_seconds(value)
    return None if seconds is None else seconds / 1000


def _text(element: Element) -> str:
    for child in element.iter():
        if isinstance(child.tag, str):
            if child.tag.rpartition("}")[2] == "br":
                child.text = "\n"
            elif child.tag.startswith(_METADATA):
                child.text = None
    return "".join(element.itertext())
