"""The cases of docs/corpus.md, by their numbers. The right value is the test."""

import json

import pytest

from answertrail_pipeline.corpus.chunking import ChunkRules, chunk_cues
from answertrail_pipeline.corpus.formats.read import read_captions
from answertrail_pipeline.corpus.formats.reading import CaptionError
from answertrail_pipeline_tests.corpus.writers import json3, srt, srv3, vtt


def texts(source: str | bytes) -> list[str]:
    return [cue.text for cue in read_captions(source if isinstance(source, bytes) else source.encode()).cues]


def times(source: str) -> list[tuple[float, float]]:
    return [(cue.start, cue.end) for cue in read_captions(source.encode()).cues]


def chunks(source: str) -> list[tuple[str, str]]:
    cues = read_captions(source.encode()).cues
    rules = ChunkRules(30, 15, "en")
    return [(chunk.chunk_id, chunk.text) for chunk in chunk_cues("v", cues, [False] * len(cues), rules)]


ROLLING = """WEBVTT
Kind: captions
Language: en

00:00:01.000 --> 00:00:03.000 align:start position:0%
·
we<00:00:01.300><c> sailed</c><00:00:01.900><c> north</c>

00:00:03.000 --> 00:00:03.010 align:start position:0%
we sailed north
·

00:00:03.010 --> 00:00:05.000 align:start position:0%
we sailed north
we<00:00:03.400><c> sailed</c><00:00:03.900><c> north</c>

00:00:05.000 --> 00:00:05.010 align:start position:0%
we sailed north
·

00:00:05.010 --> 00:00:06.000 align:start position:0%
we sailed north
yes

00:00:06.000 --> 00:00:06.010 align:start position:0%
yes
·

00:00:09.000 --> 00:00:10.000 align:start position:0%
·
yes
""".replace("·", " ")  # a line of one space


def test_1_rolling_lines_once_and_real_repeats_twice() -> None:
    reading = read_captions(ROLLING.encode())
    # the second "we sailed north" has word times of its own; the second "yes" stands below a cleared line
    assert [cue.text for cue in reading.cues] == ["we sailed north", "we sailed north", "yes", "yes"]
    assert [cue.start for cue in reading.cues] == [1.0, 3.01, 5.01, 9.0]
    assert min(cue.end - cue.start for cue in reading.cues) > 0.9
    assert reading.automatic is True


def test_1_rolling_that_a_converter_left_without_word_times() -> None:
    lines = ["one two", "three", "four five", "six", "seven eight"]
    shown, at = [], 0
    for k, line in enumerate(lines):
        shown.append((at, at + 1990, f"{lines[k - 1]}\n{line}" if k else line))
        shown.append((at + 1990, at + 2000, line))
        at += 2000
    assert texts(srt(shown)) == lines


def test_2_blank_payload_lines_of_an_automatic_file_end_no_cue() -> None:
    source = (
        "WEBVTT\n\n00:01.000 --> 00:02.000\n\nout<00:01.200><c> there</c>\n\n"
        "00:02.000 --> 00:03.000\n \nin<00:02.500><c> here</c>\n"
    )
    assert texts(source) == ["out there", "in here"]


def test_3_display_time_ends_at_the_next_start() -> None:
    cues = [(0, 5000, "a"), (2000, 7000, "b"), (4000, 9000, "c")]
    assert times(srt(cues)) == [(0, 2), (2, 4), (4, 9)]  # 9 seconds of speech, not 15


def test_4_json3_windows_and_line_breaks_are_no_cues() -> None:
    events = [
        {"tStartMs": 0, "dDurationMs": 1_816_859, "id": 1},
        {"tStartMs": 10, "dDurationMs": 100, "segs": [{"utf8": "I'm"}, {"utf8": " here", "tOffsetMs": 50}]},
        {"tStartMs": 90, "dDurationMs": 20, "aAppend": 1, "segs": [{"utf8": "\n"}]},
    ]
    assert texts(json.dumps({"events": events})) == ["I'm here"]


def test_5_xml_dialects_are_told_apart_by_content() -> None:
    assert times('<transcript><text start="12.5" dur="2.5">a</text></transcript>') == [(12.5, 15.0)]
    assert times('<timedtext format="3"><body><p t="12500" d="2500">a</p></body></timedtext>') == [(12.5, 15.0)]
    assert times('<timedtext><text t="12500" d="2500">a</text></timedtext>') == [(12.5, 15.0)]
    # without `d`: until the next paragraph, and the last as long as slow speech: 1 character, at least a second
    assert times('<timedtext><body><p t="1000">ab</p><p t="1500">c</p></body></timedtext>') == [
        (1.0, 1.5),
        (1.5, 2.5),
    ]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("it&#39;s", "it's"),
        ("it&amp;#39;s", "it's"),
        ("a&nbsp;b", "a b"),
        ("a&amp;nbsp;b", "a b"),
        ("a &amp;amp;amp; b", "a &amp; b"),  # three levels: two are decoded
        ("AT&T &parameter", "AT&T &parameter"),
    ],
)
def test_6_entities_are_decoded_up_to_twice(written: str, meant: str) -> None:
    assert texts(f"1\n00:00:01,000 --> 00:00:02,000\n{written}\n") == [meant]
    assert texts(f'<transcript><text start="1" dur="1">{written}</text></transcript>') == [meant]


def test_7_one_space_at_borders_and_line_breaks_and_none_between_cjk() -> None:
    assert chunks(srt([(0, 900, "one\ntwo"), (1000, 2000, "three")])) == [("v:00000", "one two three")]
    assert chunks(srt([(0, 900, "我们\n今天"), (1000, 2000, "出发。"), (2000, 3000, "OK")])) == [
        ("v:00000", "我们今天出发。 OK")
    ]
    assert chunks(srt([(0, 900, "우리는"), (1000, 2000, "오늘")])) == [
        ("v:00000", "우리는 오늘")
    ]  # Korean has spaces


def test_8_headers_and_blocks_are_no_text() -> None:
    source = """WEBVTT - a title
X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000
Kind: captions
LastUpdated: 2016-10-07

STYLE
::cue { color: red }

REGION
id:bottom

NOTE a remark
over two lines

intro
00:01.000 --> 00:02.000 line:0
first

NOTE
another remark

2
00:02.000 --> 00:03.000
second
"""
    assert texts(source) == ["first", "second"]


@pytest.mark.parametrize(
    ("encoding", "prefix", "guessed"),
    [("utf-8", b"", False), ("utf-8", b"\xef\xbb\xbf", False), ("utf-16-le", b"\xff\xfe", False),
     ("utf-16-be", b"\xfe\xff", False), ("utf-16-le", b"", True), ("cp1252", b"", True)],
)  # fmt: skip
def test_9_encodings_and_a_guess_is_marked(encoding: str, prefix: bytes, guessed: bool) -> None:
    lines = ["Où était-il passé, l'été dernier ?", "Le théâtre était fermé.", "Ça a été réglé à Besançon."]
    source = srt([(k * 1000, k * 1000 + 900, line) for k, line in enumerate(lines)]).replace("\n", "\r\n")
    reading = read_captions(prefix + source.encode(encoding))
    assert [cue.text for cue in reading.cues] == lines
    assert reading.encoding_guessed is guessed


def test_10_a_blank_line_inside_a_cue_and_numbers_that_jump() -> None:
    source = "7\n00:00:01,000 --> 00:00:02,000\nfirst\n\nhalf\n\n40\n00:00:03,000 --> 00:00:04,000\nlast\n"
    assert texts(source) == ["first half", "last"]
    double_spaced = "\n\n".join(
        ["1", "00:00:01,000 --> 00:00:02,000", "a", "2", "00:00:03,000 --> 00:00:04,000", "b"]
    )
    assert texts(double_spaced) == ["a", "b"]


def test_11_no_cue_is_a_number_or_a_time_line() -> None:
    source = (
        "1\n00:00:00,000 --> 00:00:00,000\n\n2\n00:00:01,000 --> 00:00:02,000\nwords\n3\n"
        "00:00:02,000 --> 00:00:03,000\n4\n00:00:03,000 --> 00:00:04,000\n2012\n\n5\n"
        "00:00:05,000 --> 00:00:06,000\nend"
    )
    assert texts(source) == ["words", "2012", "end"]  # 2012 is speech: a blank line and the number 5 follow it


def test_11_arrows_as_people_mistype_them_are_time_lines() -> None:
    source = (
        "1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:02,000 -> 00:00:03,000\nb\n\n3\n0:3:0:1 -- > 0:4\nc\n"
    )
    reading = read_captions(source.encode())
    assert [(cue.start, cue.text) for cue in reading.cues] == [(1, "a"), (2, "b")]
    assert [str(loss) for loss in reading.losses] == ["bad_time at line 10: 0:3:0:1 -- > 0:4"]
    assert texts("1\n00:00:01,000 --> 00:00:02,000\nfrom a --> to b, 3 > 2\n") == ["from a --> to b, 3 > 2"]


def test_12_an_empty_first_line_and_nothing_invented() -> None:
    assert texts("1\n00:00:01,000 --> 00:00:02,000\n\nwords\n") == ["words"]
    source = json.dumps([{"text": None, "start": 0, "duration": 1}, {"text": "a", "start": 1, "duration": None}])
    assert texts(source) == ["a"]
    assert times(source) == [(1.0, 2.0)]


@pytest.mark.parametrize(
    ("stamp", "seconds"),
    [("00:01.889", 1.889), ("1:29:36.800", 5376.8), ("00:00:0,500", 0.5), ("00:00:05", 5.0), ("00:00:01.5", 1.5),
     ("00:00:01.250", 1.25), ("-1:00:00,000", None), ("00:99:00.000", None), ("00:00:61,000", None)],
)  # fmt: skip
def test_13_stamps_are_right_or_counted(stamp: str, seconds: float | None) -> None:
    source = f"1\n00:00:00,000 --> 00:00:00,100\nfirst\n\n2\n{stamp} --> 99:00:00,000\nwords\n"
    reading = read_captions(source.encode())
    if seconds is None:
        assert [cue.text for cue in reading.cues] == ["first"]
        assert (reading.lost, str(reading.losses[0])) == (1, f"bad_time at line 6: {stamp} --> 99:00:00,000")
    else:
        assert (reading.cues[-1].start, reading.lost) == (seconds, 0)


def test_14_hours_above_99() -> None:
    # 100 h = 360 000 s, a border of the grid of 30 s
    assert chunks("WEBVTT\n\n100:00:00.000 --> 100:00:01.000\nlate\n") == [("v:360000", "late")]


def test_15_odd_orders_keep_every_text() -> None:
    source = srt([(5000, 4000, "back"), (1000, 1000, "none"), (3000, 4000, "late"), (3000, 3500, "same")])
    reading = read_captions(source.encode())
    assert [(cue.start, cue.text) for cue in reading.cues] == [(1, "none"), (3, "late"), (3, "same"), (5, "back")]
    assert all(cue.end >= cue.start for cue in reading.cues)


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "no_captions"), (b" \n\n", "no_captions"), (b"WEBVTT", "no_captions"), (b"WEBVTT\n\n", "no_captions"),
     (b"[]", "no_captions"), (b"\xef\xbb\xbf", "no_captions"),
     (b"WEBVTT\n\n00:01.000 --> 00:02.000\n\n", "valid_but_empty"),
     (b'{"events": []}', "no_captions"), (b'[{"text": " ", "start": 0, "duration": 1}]', "valid_but_empty"),
     (b"<!DOCTYPE html><html>sorry</html>", "unknown_format"), (b"\x89PNG\r\n\x1a\n\0\0", "unknown_format"),
     (b'{"replayChatItemAction": {}}', "live_chat"), (b"1\n00:99:00,000 --> 1:00:00,000\na", "malformed"),
     (b'{"events": [{"tStartMs"', "cut_off"), (b"<transcript><text start='1' dur='1'>a</text>", "cut_off")],
)  # fmt: skip
def test_18_what_holds_no_captions_is_told_apart(data: bytes, code: str) -> None:
    with pytest.raises(CaptionError) as caught:
        read_captions(data)
    assert caught.value.code == code


def test_18_a_file_that_breaks_off_says_where_and_counts() -> None:
    with pytest.raises(CaptionError) as caught:
        read_captions(b"<transcript>\n<text start='1' dur='1'>a</text>\n<text start='2' du")
    assert (caught.value.kept, caught.value.lost) == (1, 1)
    assert "line 3" in caught.value.message


def test_19_the_same_words_make_the_same_chunks_in_every_format() -> None:
    cues = [
        (1000, 3000, "It's the first line,\nin two parts"),
        (29_500, 31_000, "over the border"),
        (31_000, 33_000, "and on"),
    ]
    expected = [("v:00000", "It's the first line, in two parts over the border"), ("v:00030", "and on")]
    assert chunks(vtt(cues)) == chunks(srt(cues)) == chunks(json3(cues)) == chunks(srv3(cues)) == expected
    hashes = {read_captions(write(cues).encode()).content_sha256 for write in (vtt, srt, json3, srv3)}
    assert len(hashes) == 1
