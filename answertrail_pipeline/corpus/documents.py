"""Dated documents: Markdown, HTML and plain text to paragraphs, with the metadata in their head."""

import html
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from answertrail_pipeline.corpus.formats.clean import storable
from answertrail_pipeline.corpus.formats.decode import decode
from answertrail_pipeline.corpus.formats.reading import CaptionError

MAX_FRONT_MATTER = 1 << 16
_HTML = (".html", ".htm", ".xhtml")
_FENCES = {"---": "---", "+++": "+++"}
_SKIPPED = {"script", "style", "template", "noscript", "svg", "head", "nav", "iframe"}
_INLINE = {
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins", "kbd",
    "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
}  # fmt: skip
_DATE_NAMES = ("article:published_time", "datepublished", "date", "dc.date", "dcterms.created", "pubdate")


@dataclass(frozen=True)
class Document:
    """The paragraphs of a document in order, and what its head says (title, date, ...)."""

    paragraphs: tuple[str, ...]
    record: Mapping[str, Any]


def read_document(data: bytes, suffix: str) -> Document:
    """Read a document.

    Args:
        data: its bytes.
        suffix: of its name. `.md` and `.markdown` are Markdown, HTML is known by its suffix or content, anything
            else is plain text with an empty line between paragraphs.

    Raises:
        CaptionError: `no_captions` for an empty one, `malformed` where its markup cannot be read.
    """
    if not data.strip():
        raise CaptionError("no_captions", f"The document holds nothing: {len(data)} bytes.")
    text = decode(data).text
    head, body = front_matter(text)
    if suffix.lower() in _HTML or body[:200].lstrip().lower().startswith(("<!doctype html", "<html")):
        paragraphs, found = _html(body)
        head = {**found, **head}
    elif suffix.lower() in (".md", ".markdown"):
        paragraphs = _markdown(body)
    else:
        paragraphs = body.split("\n\n")
    words = [" ".join(storable(paragraph).split()) for paragraph in paragraphs]
    kept = tuple(paragraph for paragraph in words if paragraph)
    if not kept:
        raise CaptionError("valid_but_empty", "The document has no text.")
    return Document(kept, head)


def front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Return the metadata at the head of a document (YAML between `---`, TOML between `+++`), and the rest.

    Raises:
        CaptionError: `malformed`: it is there and cannot be read.
    """
    first, _, rest = text.lstrip().partition("\n")
    fence = _FENCES.get(first.strip())
    if fence is None:
        return {}, text
    end = re.search(rf"^{re.escape(fence)}[ \t]*$", rest[:MAX_FRONT_MATTER], re.MULTILINE)
    if not end:
        return {}, text
    raw, body = rest[: end.start()], rest[end.end() :]
    head = _toml(raw) if fence == "+++" else _yaml(raw)
    if not isinstance(head, dict):
        return {}, text
    return {str(key): value for key, value in head.items()}, body


def _toml(raw: str) -> object:
    try:
        return tomllib.loads(raw)
    except (ValueError, RecursionError) as error:
        raise CaptionError("malformed", f"The TOML front matter cannot be read: {error}.") from error


def _yaml(raw: str) -> object:
    import yaml

    try:
        return yaml.load(raw, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        first = str(error).partition("\n")[0]
        raise CaptionError("malformed", f"The YAML front matter cannot be read: {first}.") from error


def _markdown(text: str) -> list[str]:
    from markdown_it import MarkdownIt

    paragraphs: list[str] = []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "inline":
            pieces = []
            for child in token.children or ():
                if child.type in ("softbreak", "hardbreak"):
                    pieces.append(" ")
                elif child.type in ("text", "code_inline", "image"):
                    pieces.append(child.content)
            paragraphs.append("".join(pieces))
        elif token.type in ("fence", "code_block"):
            paragraphs.append(token.content)
        elif token.type == "html_block":
            paragraphs += _html(token.content)[0]
    return paragraphs


def _html(text: str) -> tuple[list[str], dict[str, Any]]:
    """Return a page's paragraphs and what its head says.

    lxml, because html.parser takes quadratic time on unclosed tags, and selectolax on nested ones.
    """
    from lxml import etree

    parser = etree.HTMLParser(no_network=True, remove_comments=True, remove_pis=True, encoding="utf-8")
    try:
        root = etree.fromstring(text.encode("utf-8"), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise CaptionError("malformed", f"The HTML cannot be read: {error}.") from error
    too_deep = next((entry for entry in parser.error_log if "depth" in entry.message), None)
    if too_deep:
        raise CaptionError(
            "malformed", f"The HTML cannot be read: {too_deep.message.strip()} (line {too_deep.line})."
        )
    if root is None:
        return [], {}
    return _paragraphs(root), _head(root)


def _paragraphs(root: Any) -> list[str]:
    paragraphs: list[str] = []
    pieces: list[str] = []
    skipping = 0

    def flush() -> None:
        paragraphs.append("".join(pieces))
        pieces.clear()

    from lxml import etree

    for event, element in etree.iterwalk(root, events=("start", "end")):
        name = element.tag if isinstance(element.tag, str) else ""
        if event == "start":
            skipping += name in _SKIPPED
            if name not in _INLINE:
                flush()
            if not skipping and element.text:
                pieces.append(element.text)
        else:
            if name not in _INLINE:
                flush()
            skipping -= name in _SKIPPED
            if not skipping and element.tail:
                pieces.append(element.tail)
    flush()
    return paragraphs


def _head(root: Any) -> dict[str, Any]:
    record: dict[str, Any] = {}
    title = root.findtext(".//title")
    if title:
        record["title"] = html.unescape(title)
    language = root.get("lang")
    if language:
        record["language"] = language
    for meta in root.iterfind(".//meta"):
        name = (meta.get("property") or meta.get("name") or meta.get("itemprop") or "").lower()
        if name in _DATE_NAMES and meta.get("content"):
            record.setdefault("date", meta.get("content"))
    return record
