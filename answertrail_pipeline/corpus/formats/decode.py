"""Bytes to text: UTF-8, UTF-16 and UTF-32 are recognized; anything else is a guess and says so."""

import codecs
from typing import NamedTuple

from answertrail_pipeline.corpus.formats.clean import storable
from answertrail_pipeline.corpus.formats.reading import Loss

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 1 << 16
# Neighbours of windows-1252 that share its letters with the western languages: the commoner one is taken.
_WESTERN = {"cp1250", "cp1252", "cp1254", "cp1257", "latin_1", "iso8859_1", "iso8859_2", "iso8859_3", "iso8859_4",
            "iso8859_9", "iso8859_10", "iso8859_13", "iso8859_14", "iso8859_15", "iso8859_16", "hp_roman8",
            "mac_roman", "ascii"}  # fmt: skip


class Decoded(NamedTuple):
    """Text with `\\n` as its only line end, and how it was decoded."""

    text: str
    encoding: str
    guessed: bool
    losses: list[Loss]


def decode(data: bytes) -> Decoded:
    """Return the text of a file, whatever its bytes; what could not be decoded is a U+FFFD and a loss."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding, guessed=False, offset=len(mark))
    wide = _wide_without_mark(data)
    if wide:
        return _decoded(data, wide, guessed=True)
    try:
        return Decoded(_lines(data.decode("utf-8")), "utf-8", False, [])
    except UnicodeDecodeError:
        pass
    if _is_damaged_utf8(data):
        return _decoded(data, "utf-8", guessed=True)
    return _decoded(data, _guess(data), guessed=True)


def _decoded(data: bytes, encoding: str, *, guessed: bool, offset: int = 0) -> Decoded:
    try:
        return Decoded(_lines(data.decode(encoding)), encoding, guessed, [])
    except UnicodeDecodeError as error:
        where = f"byte {offset + error.start}"
        what = f"{data[error.start : error.end].hex(' ')} is not {encoding}"
        return Decoded(
            _lines(data.decode(encoding, "replace")), encoding, guessed, [Loss("bad_bytes", where, what, cues=0)]
        )


def _lines(text: str) -> str:
    if "\r" in text:
        text = text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")
    return storable(text)


def _wide_without_mark(data: bytes) -> str | None:
    """Return UTF-16's byte order where every other byte of ASCII text is zero."""
    sample = data[:_SAMPLE]
    if len(sample) < 4 or b"\0" not in sample:
        return None
    zeros_even, zeros_odd = sample[::2].count(0), sample[1::2].count(0)
    if zeros_odd * 4 > len(sample[1::2]) and not zeros_even:
        return "utf-16-le"
    if zeros_even * 4 > len(sample[::2]) and not zeros_odd:
        return "utf-16-be"
    return None


def _is_damaged_utf8(data: bytes) -> bool:
    """Whether most bytes above 127 form UTF-8 all the same: a file cut inside a letter, or one bad byte."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    return sum(1 for character in text[:_SAMPLE] if character > "\x7f" and character != "\ufffd") > bad


def _guess(data: bytes) -> str:
    import charset_normalizer

    best = charset_normalizer.from_bytes(_non_ascii_lines(data)).best()
    if best is None or best.encoding in _WESTERN:
        return "cp1252"
    return best.encoding


def _non_ascii_lines(data: bytes) -> bytes:
    """Return the first lines that tell something about the encoding, bounded so that guessing stays quick."""
    picked: list[bytes] = []
    size = 0
    for line in data[: 8 * _SAMPLE].split(b"\n"):
        if not line.isascii():
            picked.append(line[:1000])
            size += len(picked[-1])
            if size > _SAMPLE // 4:
                break
    return b"\n".join(picked) or data[:1000]
