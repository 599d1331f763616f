"""Text of a cue: markup out, entities decoded, white space to single spaces, lines joined."""

import html
import re

# Only what caption formats use as markup; `a < b` and `<3` are words. Each alternative stops at the next `<` or
# `>`, so a line of a million `<` takes linear time.
TAG = re.compile(
    r"</?(?:c|v|i|b|u|s|lang|ruby|rt|font|span|p|div|em|strong)(?:[.\s][^<>]*)?/?>|<[0-9][0-9:.]*>", re.IGNORECASE
)
BREAK = re.compile(r"<br\s{0,4}/?>|\[br\]|\\[Nn]", re.IGNORECASE)
OVERRIDE = re.compile(r"\{\\[^{}]*\}")  # `{\an8}` of SubStation, found in SRT
ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# Not text, or not storable: control characters, a byte order mark inside, halves of a surrogate pair.
UNPRINTABLE = re.compile(r"[\x00-\x08\x0e-\x1b\x7f\x80-\x84\x86-\x9f\ufeff\ufffe\uffff]")
SURROGATE = re.compile(r"[\ud800-\udfff]")
INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u2060\u00ad"

# Scripts that are written without spaces: Han, kana, bopomofo and their punctuation. Korean has spaces.
CJK = "\u2e80-\u2fdf\u2ff0-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff9f\U00020000-\U0003ffff"  # noqa: E501
_CJK_CHARACTER = re.compile(f"[{CJK}]")
_CJK_LINE_BREAK = re.compile(f"(?<=[{CJK}])[ \t\u3000]*\n\\s*(?=[{CJK}])")
ENTITY_LEVELS = 2


def storable(text: str) -> str:
    """Return the text without characters that are no text: control characters, marks, lone surrogates."""
    return SURROGATE.sub("\ufffd", UNPRINTABLE.sub("", text))


def clean(text: str, levels: int = ENTITY_LEVELS) -> str:
    """Return the words of a cue: no markup, entities decoded, lines joined, single spaces.

    Args:
        text: as in the file, lines separated by a newline.
        levels: how often entities may still be decoded (an XML parser has decoded one level already).
    """
    if "<" in text or "{" in text or "[" in text or "\\" in text:
        text = _without_markup(text)
    if "&" in text:
        for _ in range(levels):
            decoded = ENTITY.sub(lambda match: html.unescape(match[0]), text)
            if decoded == text:
                break
            text = _without_markup(decoded)
        text = storable(text)
    if "\n" in text:
        text = _CJK_LINE_BREAK.sub("", text)
    text = " ".join(text.split())
    return text if text.strip(INVISIBLE) else ""


def _without_markup(text: str) -> str:
    return OVERRIDE.sub("", TAG.sub("", BREAK.sub("\n", text)))


def join(left: str, right: str) -> str:
    """Join two pieces of text with one space, or with none between CJK characters."""
    if not left or not right:
        return left or right
    if left[-1] > "\u2e7f" and right[0] > "\u2e7f" and is_cjk(left[-1]) and is_cjk(right[0]):
        return left + right
    return f"{left} {right}"


def join_all(texts: list[str]) -> str:
    """Join many pieces of text as `join` does, in linear time."""
    pieces: list[str] = []
    last = ""
    for text in texts:
        if not text:
            continue
        if last and not (last > "\u2e7f" and text[0] > "\u2e7f" and is_cjk(last) and is_cjk(text[0])):
            pieces.append(" ")
        pieces.append(text)
        last = text[-1]
    return "".join(pieces)


def is_cjk(character: str) -> bool:
    """Whether a character belongs to a script that is written without spaces."""
    return _CJK_CHARACTER.match(character) is not None
