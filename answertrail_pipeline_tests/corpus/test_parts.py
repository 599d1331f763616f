"""Chunking, marks, invented text, dates, tracks and document windows, each alone."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from answertrail_pipeline.corpus.chunking import ChunkRules, chunk_cues
from answertrail_pipeline.corpus.dates import published
from answertrail_pipeline.corpus.document_chunks import chunk_document
from answertrail_pipeline.corpus.files import file_hash, read_bytes
from answertrail_pipeline.corpus.formats.read import read_captions
from answertrail_pipeline.corpus.formats.reading import CaptionError
from answertrail_pipeline.corpus.invented import mark_invented
from answertrail_pipeline.corpus.marks import without_marks
from answertrail_pipeline.corpus.splitting import split_at_windows
from answertrail_pipeline.corpus.types import Chunk, Cue, chunk_second


def chunks(cues: list[Cue], window: int = 30) -> list[Chunk]:
    return chunk_cues("v", cues, mark_invented(cues), ChunkRules(window, 15, "en"))


def test_a_cue_belongs_to_the_window_of_its_start_and_silence_makes_no_chunk() -> None:
    made = chunks([Cue(29.9, 34.0, "late"), Cue(34.0, 35.0, "then"), Cue(95.2, 96.0, "after silence")])
    assert [(chunk.chunk_id, chunk.text, chunk.start_seconds, chunk.position) for chunk in made] == [
        ("v:00000", "late", 29.9, 0),
        ("v:00030", "then", 34.0, 1),
        ("v:00090", "after silence", 95.2, 2),
    ]
    assert [chunk_second(chunk.chunk_id) for chunk in made] == [0, 30, 90]


def test_a_long_cue_is_split_at_sentence_ends_with_interpolated_times() -> None:
    # 40 characters over 40 s from second 10: a second a character. The second sentence begins at character 21,
    # second 31: the first after the border at 30.
    text = "Twenty letters long. And twenty more now"
    assert split_at_windows(Cue(10, 50, text), 30, 15, "en") == [
        Cue(10, 31, "Twenty letters long."),
        Cue(31, 50, "And twenty more now"),
    ]


def test_a_long_sentence_is_cut_between_words() -> None:
    # 50 characters over 100 s: 2 s a character. The borders at 30, 60 and 90 s are characters 15, 30 and 45, where
    # words begin.
    text = "aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjjj"
    pieces = split_at_windows(Cue(0, 100, text), 30, 15, "en")
    assert [(piece.start, piece.text) for piece in pieces] == [
        (0, "aaaa bbbb cccc"),
        (30, "dddd eeee ffff"),
        (60, "gggg hhhh iiii"),
        (90, "jjjjj"),
    ]


def test_a_long_cue_of_a_script_without_spaces_is_cut_between_characters() -> None:
    pieces = split_at_windows(
        Cue(0, 60, "我们今天出发去山里"), 30, 15, "zh"
    )  # 9 characters, 6.67 s each: cut at the 5th
    assert [piece.text for piece in pieces] == ["我们今天出", "发去山里"]


def test_short_cues_and_cues_within_a_window_stay_whole() -> None:
    whole = "One. Two. Three."
    assert [chunk.text for chunk in chunks([Cue(20, 35, whole)])] == [whole]  # 15 s: not longer than the limit
    assert split_at_windows(Cue(1, 29, whole), 30, 15, "en") == [Cue(1, 29, whole)]


@pytest.mark.parametrize(
    ("text", "spoken", "marks"),
    [
        ("[Music]", "", 1),
        ("(Applaudissements)", "", 1),
        ("*** Applaudissements ***", "", 1),
        ("♪ we sail tonight ♪", "we sail tonight", 2),
        ("♪♪", "", 1),
        ("so [ __ ] then [Laughter] yes", "so then yes", 2),
        ("( clock ticking )", "", 1),
        ("the law (of 2012) passed", "the law (of 2012) passed", 0),
        ("well (laughs) yes", "well yes", 1),
        ("【音楽】 はじめます", "はじめます", 1),
        ("issue #4 is open", "issue #4 is open", 0),
    ],
)
def test_marks_are_left_out_of_what_is_spoken(text: str, spoken: str, marks: int) -> None:
    assert without_marks(text) == (spoken, marks)


def test_marks_stay_in_the_transcript() -> None:
    (chunk, music) = chunks([Cue(0, 2, "[Music]"), Cue(2, 4, "welcome"), Cue(31, 40, "[Music]")])
    assert (chunk.text, chunk.spoken_text, chunk.marks) == ("[Music] welcome", "welcome", 1)
    assert (music.text, music.spoken_text, music.marks, music.invented) == ("[Music]", "", 1, False)


def test_invented_runs_are_marked_and_stay_in_the_transcript() -> None:
    loop = [Cue(30 + 2 * k, 32 + 2 * k, "Thank you." if k % 2 else "thank you") for k in range(5)]
    made = chunks([Cue(0, 2, "Thank you."), Cue(3, 4, "Now."), *loop, Cue(60, 62, "Back.")])
    assert [(chunk.text, chunk.spoken_text, chunk.invented) for chunk in made] == [
        ("Thank you. Now.", "Thank you. Now.", False),
        ("thank you Thank you. thank you Thank you. thank you", "", True),
        ("Back.", "Back.", False),
    ]
    assert mark_invented([Cue(0, 9, "So, " * 7 + "so."), Cue(9, 12, "no, no, no, no, no, no")]) == [True, False]
    assert mark_invented([Cue(0, 9, "thank you. " * 8)]) == [True]
    # three times is how people speak, and so are four of uneven length
    assert not any(mark_invented(loop[:3]))
    assert not any(
        mark_invented([Cue(0, 1, "Yeah."), Cue(1, 1.4, "Yeah."), Cue(2, 3.2, "Yeah."), Cue(4, 4.3, "Yeah.")])
    )


@pytest.mark.parametrize(
    ("record", "at", "precision", "source", "conflict"),
    [
        ({"timestamp": 1567540830, "upload_date": "20190903"}, "2019-09-03T20:00:30", "second", "timestamp", None),
        # 23:30 in New York is the next day in UTC; the epoch wins and the day string is counted
        ({"timestamp": 1567567800, "upload_date": "20190903"}, "2019-09-04T03:30:00", "second", "timestamp",
         "upload_date=2019-09-03"),
        ({"release_timestamp": 1567540830, "timestamp": 1567000000, "upload_date": "20190828"},
         "2019-09-03T20:00:30", "second", "release_timestamp", "timestamp=2019-08-28, upload_date=2019-08-28"),
        ({"release_date": "20190905", "upload_date": "20190903", "live_status": "was_live"},
         "2019-09-05T00:00:00", "day", "release_date", "upload_date=2019-09-03"),
        ({"release_date": "19800101", "upload_date": "20190903"}, "2019-09-03T00:00:00", "day", "upload_date",
         None),
        ({"published_at": "2024-01-02"}, "2024-01-02T00:00:00", "day", "published_at", None),
        ({"published_at": "2024-01-02T03:04:05+02:00"}, "2024-01-02T01:04:05", "second", "published_at", None),
        ({"timestamp": None, "upload_date": "20190903"}, "2019-09-03T00:00:00", "day", "upload_date", None),
        ({"timestamp": 1567540830000, "upload_date": "20190903"}, "2019-09-03T00:00:00", "day", "upload_date",
         None),
    ],
)  # fmt: skip
def test_16_dates(record: dict[str, object], at: str, precision: str, source: str, conflict: str | None) -> None:
    found = published(record)
    assert found is not None
    assert found.at == datetime.fromisoformat(at).replace(tzinfo=UTC)
    assert (found.precision, found.source, found.conflict) == (precision, source, conflict)


@pytest.mark.parametrize(
    "value", [None, "", "NA", 0, -1e30, "20191345", "2019", True, float("nan"), [], "yesterday"]
)
def test_what_is_no_date_is_none(value: object) -> None:
    assert published({"timestamp": value, "upload_date": value, "epoch": 1567540830}) is None


def test_document_windows_end_on_paragraphs() -> None:
    paragraphs = [" ".join(["word"] * n) for n in (60, 50, 40, 100, 10)]
    made = chunk_document("d", paragraphs, 120, 400, "en")
    # 60 + 50 + 40 = 150 words fill the first window (110 do not yet); 100 and 10 are left for the second.
    # The first three paragraphs hold 60*5-1 = 299, 249 and 199 characters and newlines: the fourth is at 750.
    assert [(chunk.chunk_id, len(chunk.text.split())) for chunk in made] == [("d:00000", 150), ("d:00750", 110)]
    assert "\n".join(paragraphs)[750:].startswith(made[1].text[:20])


def test_document_windows_of_a_script_without_spaces() -> None:
    paragraphs = ["山" * 390, "川" * 20, "海" * 400]
    made = chunk_document("d", paragraphs, 120, 400, "zh")
    assert [(chunk.chunk_id, len(chunk.text)) for chunk in made] == [("d:00000", 411), ("d:00412", 400)]


def test_a_long_paragraph_of_a_document_is_cut_at_sentence_ends() -> None:
    sentence = "This sentence has exactly ten words in it, as counted. "
    made = chunk_document("d", [(sentence * 30).strip()], 120, 400, "en")  # 300 words: windows of 120, 120 and 60
    assert [len(chunk.text.split()) for chunk in made] == [120, 120, 60]
    assert [chunk.chunk_id for chunk in made] == [
        "d:00000",
        f"d:{12 * len(sentence):05d}",
        f"d:{24 * len(sentence):05d}",
    ]


def test_what_cannot_be_opened_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(CaptionError) as caught:
        read_bytes(tmp_path, "a folder")
    assert caught.value.code == "unreadable"
    assert file_hash(tmp_path).startswith("unreadable")


def test_transcript_with_ranges_minutes_above_59_and_a_title() -> None:
    source = "A title\n\n[00:01.000 --> 00:02.500] first\n75:30 - second\nand on\n(1:30:00) third\n"
    reading = read_captions((source + "0:99 lost\nwith this\n").encode())
    assert [(cue.start, cue.text) for cue in reading.cues] == [
        (1, "first"),
        (4530, "second and on"),
        (5400, "third"),
    ]
    assert reading.cues[0].end == 2.5
    assert [str(loss) for loss in reading.losses] == [
        "text_before_first_time at line 1: A title",
        "bad_time at line 7: 0:99 lost",
    ]
    assert reading.lost == 1


def test_damaged_utf8_is_read_and_says_where() -> None:
    reading = read_captions(
        "1\n00:00:01,000 --> 00:00:02,000\nÉté à Genève\n".encode().replace(b"t\xc3\xa9", b"t\xc3")
    )
    assert reading.cues[0].text == "Ét\ufffd à Genève"
    assert reading.encoding_guessed
    assert str(reading.losses[0]) == "bad_bytes at byte 35: c3 is not utf-8"  # 2 + 30 + "É" (2) + "t"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('{"segments": [{"start": 1.5, "end": 2.5, "text": " a"}], "language": "de"}', (1.5, 2.5, "de")),
        ('{"chunks": [{"timestamp": [1.5, null], "text": "a"}]}', (1.5, 2.5, None)),
        ('{"transcription": [{"timestamps": {"from": "00:00:01,500", "to": "00:00:02,500"}, "text": "a"}]}',
         (1.5, 2.5, None)),
        ('{"transcription": [{"offsets": {"from": 1500, "to": 2500}, "text": "a"}]}', (1.5, 2.5, None)),
        ('[{"start": 1.5, "end": 2.5, "text": "a"}]', (1.5, 2.5, None)),
    ],
)  # fmt: skip
def test_relatives_of_whisper(source: str, expected: tuple[float, float, str | None]) -> None:
    reading = read_captions(source.encode())
    assert (reading.cues[0].start, reading.cues[0].end, reading.language) == expected


def test_ttml_clocks_and_offsets() -> None:
    head = (
        '<tt xmlns="http://www.w3.org/2006/10/ttaf1" xmlns:ttp="http://www.w3.org/ns/ttml#parameter"'
        ' ttp:frameRate="25" ttp:tickRate="1000"><body><div begin="10s">'
    )
    times = ['begin="00:00:01:05" end="2s"', 'begin="3000t" dur="500ms"', 'begin="0.1m"', "", 'begin="late"']
    body = "".join(f"<p {time}>a</p>" for time in times)
    reading = read_captions(f"{head}{body}</div></body></tt>".encode())
    # frame 5 of 25 is 0.2 s; ticks of a thousandth; 0.1 minutes are 6 s; no time is the div's own
    assert [cue.start for cue in reading.cues] == [10.0, 11.2, 13.0, 16.0]
    assert [str(loss) for loss in reading.losses] == ["bad_time at <p> 5: {'begin': 'late'}"]
