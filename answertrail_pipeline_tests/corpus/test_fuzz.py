"""No bytes raise anything but the typed error, nor take more than linear time."""

import json
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answertrail_pipeline.corpus.documents import read_document
from answertrail_pipeline.corpus.formats.read import read_captions
from answertrail_pipeline.corpus.formats.reading import CaptionError
from answertrail_pipeline_tests.corpus.writers import WRITERS

SOME = [(1000, 2000, "alpha beta"), (2500, 4000, "gamma\ndelta"), (100_000, 101_000, "omega")]
FILES = [write(SOME).encode() for write in WRITERS.values()]
PIECES = [
    b"WEBVTT\n", b"-->", b"00:00:01.000 --> 00:00:02.000\n", b"1\n", b"\n\n", b"<c>", b"</c>",
    b"<00:00:01.000>", b"&amp;", b"&#39;", b"&#xD800;", b"NOTE", b"\xff\xfe", b"\xef\xbb\xbf", b"\x00",
    b"\r\n", b"<transcript>", b"<p t='", b'{"events":[', b'"segs":[{"utf8":"', b"]}", b"[{", b'"text":',
    b"NaN", b"1e999", b"-1", b"99999999999999999999", b"\\ud800", b"<tt", b" begin='1h'",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"[00:01] ", b"\xc3", b"0:00:01.0,0:00:02.0\n",
]  # fmt: skip


JSON_FILES = [WRITERS[name]([(1000, 2000, "MARK here"), (3000, 4000, "and there")]).encode()
              for name in ("json3", "transcript_api", "whisper", "cue_jsonl")]  # fmt: skip


@given(st.sampled_from(JSON_FILES), st.text(st.characters(codec=None), max_size=8))
@settings(max_examples=200, deadline=None)
def test_json_may_spell_any_character(data: bytes, word: str) -> None:
    read(data.replace(b"MARK", json.dumps(word)[1:-1].encode()))


def read(data: bytes) -> None:
    try:
        reading = read_captions(data)
    except CaptionError:
        return
    assert reading.cues
    for cue in reading.cues:
        assert cue.text == cue.text.strip()
        assert cue.text
        assert 0 <= cue.start <= cue.end
        cue.text.encode("utf-8")  # storable: no half of a surrogate pair
        assert "\0" not in cue.text


@given(st.binary(max_size=400))
@settings(max_examples=300, deadline=None)
def test_any_bytes(data: bytes) -> None:
    read(data)


@given(st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join))
@settings(max_examples=400, deadline=None)
def test_any_mixture_of_what_formats_are_made_of(data: bytes) -> None:
    read(data)


@given(st.sampled_from(FILES), st.data())
@settings(max_examples=500, deadline=None)
def test_real_files_with_bytes_changed(data: bytes, draw: st.DataObject) -> None:
    changed = bytearray(data)
    for _ in range(draw.draw(st.integers(1, 6))):
        at = draw.draw(st.integers(0, len(changed) - 1))
        changed[at : at + draw.draw(st.integers(0, 8))] = draw.draw(
            st.one_of(st.binary(max_size=6), st.sampled_from(PIECES))
        )
        if not changed:
            break
    read(bytes(changed))


@given(st.lists(st.one_of(st.binary(max_size=20), st.sampled_from(PIECES)), max_size=20).map(b"".join),
       st.sampled_from([".md", ".html", ".txt"]))  # fmt: skip
@settings(max_examples=200, deadline=None)
def test_any_document(data: bytes, suffix: str) -> None:
    try:
        document = read_document(data, suffix)
    except CaptionError:
        return
    assert all(document.paragraphs)


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "one long line": lambda n: b"WEBVTT\n\n00:01.000 --> 00:02.000\n" + b"word " * n,
    "open tags": lambda n: b"1\n00:00:01,000 --> 00:00:02,000\n" + b"<c " * n,
    "angle brackets": lambda n: b"1\n00:00:01,000 --> 00:00:02,000\n" + b"<" * 3 * n,
    "ampersands": lambda n: b"1\n00:00:01,000 --> 00:00:02,000\n" + b"&amp" * n,
    "braces": lambda n: b"1\n00:00:01,000 --> 00:00:02,000\n" + b"{\\" * n,
    "brackets": lambda n: b"1\n00:00:01,000 --> 00:00:02,000\n" + b"[(*" * n,
    "spaces": lambda n: b"1\n00:00:01,000 --> 00:00:02,000\na" + b" " * 4 * n + b"b",
    "ideographs and spaces": lambda n: b"1\n00:00:01,000 --> 00:00:02,000\n" + "中 ".encode() * n,
    "blank lines": lambda n: b"1\n00:00:01,000 --> 00:00:02,000\n" + b"\n" * 4 * n,
    "arrows": lambda n: b"WEBVTT\n\n" + b"--> " * n,
    "time lines": lambda n: b"WEBVTT\n\n" + b"00:00:01.000 --> 00:00:02.000\n" * (n // 8),
    "digits": lambda n: b"WEBVTT\n\n" + b"1" * 4 * n + b":00.000 --> 00:01.000",
    "nested JSON": lambda n: b'{"events": ' + b"[" * 4 * n,
    "nested XML": lambda n: b"<timedtext><body>" + b"<p>" * n,
    "XML paragraphs": lambda n: b"<timedtext><body>" + b"<p t='1'>a</p>" * (n // 4),
    "XML attributes": lambda n: b"<timedtext><p " + b"a='1' " * n,
    "stamps": lambda n: b"0:01 a\n" * n,
    "minutes": lambda n: b"0:01 a\n" + b"1:" * 2 * n,
    "bytes above 127": lambda n: b"\xe9\xe8 " * n,
    "cut letters": lambda n: b"\xc3" * 4 * n,
    "carriage returns": lambda n: b"WEBVTT" + b"\r" * 4 * n,
    "zeros": lambda n: b"\0" * 4 * n,
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_time_grows_no_faster_than_the_file(name: str) -> None:
    """Eight times the bytes may take at most 8 x 4 the time: quadratic growth would take 64 x."""
    small, large = HOSTILE[name](10_000), HOSTILE[name](80_000)
    assert _seconds(large) < 32 * max(_seconds(small), 0.004)


def _seconds(data: bytes) -> float:
    best = 9.0
    for _ in range(2):
        begin = time.process_time()
        read(data)
        best = min(best, time.process_time() - begin)
    return best


def test_an_entity_bomb_is_refused() -> None:
    bomb = '<!DOCTYPE t [<!ENTITY a "ha">' + "".join(
        f'<!ENTITY {chr(98 + k)} "{f"&{chr(97 + k)};" * 10}">' for k in range(9)
    )
    source = f"{bomb}]><transcript><text start='0' dur='1'>&j;</text></transcript>"
    with pytest.raises(CaptionError) as caught:
        read_captions(source.encode())
    assert caught.value.code == "forbidden_xml"


@pytest.mark.slow
def test_a_line_of_50_megabytes_and_a_million_cues() -> None:
    begin = time.process_time()
    long_line = b"1\n00:00:01,000 --> 00:00:02,000\n" + b"word " * 10_000_000
    assert len(read_captions(long_line).cues[0].text) == 50_000_000 - 1
    cues = b"".join(b"00:00:01,000 --> 00:00:02,000\nw%d\n\n" % k for k in range(1_000_000))
    assert len(read_captions(cues).cues) == 1_000_000
    assert time.process_time() - begin < 120
