"""Other people's captions, read from ../shared/data and never copied here."""

import html
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from answertrail_pipeline.corpus.build import build
from answertrail_pipeline.corpus.chunking import ChunkRules, chunk_cues
from answertrail_pipeline.corpus.formats.read import read_captions
from answertrail_pipeline.corpus.formats.reading import Reading
from answertrail_pipeline.corpus.sources import list_videos
from answertrail_pipeline.settings import ChannelSettings, FolderSource, JsonlSource

RULES = ChunkRules(30, 15, "en")


@pytest.fixture(scope="session")
def raw(shared_data: Path) -> Path:
    return shared_data / "captions-raw"


def read(path: Path) -> Reading:
    return read_captions(path.read_bytes())


def test_every_cue_of_the_odd_files_is_kept_or_counted(raw: Path) -> None:
    """`timing_lines` and the empty cues were counted by the collection itself, not by this code."""
    checked = 0
    for entry in json.loads((raw / "index.json").read_text()):
        if entry["format"] not in ("vtt", "srt") or not entry.get("timing_lines"):
            continue
        reading = read(raw / entry["file"])
        empty = next((int(name[5:]) for name in entry["detected"] if re.fullmatch(r"empty\d+", name)), 0)
        assert len(reading.cues) == entry["timing_lines"] - empty, entry["file"]
        checked += 1
    assert checked == 16


@pytest.mark.parametrize(
    ("file", "cues", "lost"),
    [("asr-json3-music.json3", 194, 0), ("asr-srv3-words.xml", 40, 0), ("timings-too-long.vtt", 2, 13)],
)
def test_counts_that_were_made_by_hand(raw: Path, file: str, cues: int, lost: int) -> None:
    # json3: 388 events, of them 1 window and 193 line breaks; the WPT file: 15 time lines, 2 of them well-formed
    reading = read(raw / file)
    assert (len(reading.cues), reading.lost) == (cues, lost)


@pytest.mark.parametrize("file", ["6s081-lec1", "colour-style", "punctuated-2025", "short"])
def test_rolling_files_say_each_line_once(raw: Path, file: str) -> None:
    """The words of all lines that bear word times, counted with a regular expression instead of a screen."""
    path = raw / f"auto-rolling-{file}.en.vtt"
    reading = read(path)
    timed = [line for line in path.read_text("utf-8").split("\n") if re.search(r"<\d\d:\d\d:\d\d\.\d{3}>", line)]
    said = Counter(word for line in timed for word in html.unescape(re.sub(r"<[^>]*>", "", line)).split())
    kept = Counter(word for cue in reading.cues for word in cue.text.split())
    assert not said - kept
    # what else is kept are lines of one word or a mark, which bear no times: each of them is a whole cue
    assert sum((kept - said).values()) <= sum(len(cue.text.split()) <= 2 for cue in reading.cues)
    assert min(cue.end - cue.start for cue in reading.cues) > 0.05
    assert reading.automatic is True


def test_the_same_talk_as_srt_and_as_srv3_makes_the_same_chunks(raw: Path) -> None:
    made = []
    for file in ("durations-as-display-time.en.srt", "asr-srv3-words.xml"):
        cues = [cue for cue in read(raw / file).cues if cue.start < 90]
        chunks = chunk_cues("v", cues, [False] * len(cues), RULES)
        made.append([(chunk.chunk_id, chunk.spoken_text) for chunk in chunks])
    assert made[0] == made[1]  # but for one [Music], which the maker of the SRT left out
    assert len(made[0]) == 3


def test_speech_time_is_not_inflated(raw: Path) -> None:
    cues = read(raw / "durations-as-display-time.en.srt").cues
    assert sum(cue.end - cue.start for cue in cues) <= cues[-1].end - cues[0].start


def test_the_folder_as_a_channel_names_every_file(raw: Path) -> None:
    channel = ChannelSettings(source=FolderSource(path=raw))
    listing = list_videos(channel)
    built = [build(video.video_id, video.load(), channel) for video in listing.videos]
    files = {file.file for one in built for file in one.files}
    assert files == {path.name for path in raw.iterdir() if not path.name.endswith(".info.json")}
    # none of them has a date beside it, so none becomes a video, and each says so
    assert all(one.blocked for one in built)


@pytest.mark.parametrize(
    ("corpus", "language", "videos"),
    [
        ("turing-post", "en", 87),
        ("jlm-fr", "fr", 221),
        pytest.param("ethereum-protocol", "en", 261, marks=pytest.mark.slow),
        pytest.param("lexicap", "en", 134, marks=pytest.mark.slow),
    ],
)
def test_every_video_becomes_chunks_and_no_word_is_lost(
    shared_data: Path, corpus: str, language: str, videos: int
) -> None:
    channel = ChannelSettings(
        source=JsonlSource(path=shared_data / "corpus-real", corpus=corpus), language=language
    )
    listing = list_videos(channel)
    assert len(listing.videos) == videos
    for video in listing.videos:
        material = video.load()
        built = build(video.video_id, material, channel)
        assert built.video is not None, built.blocked
        assert built.words_kept
        (used,) = [file for file in built.files if file.used]
        (track,) = [track for track in material.tracks if track.name == used.file]
        kept = Counter(word for chunk in built.chunks for word in chunk.text.split())
        assert kept == Counter(word for cue in track.read().cues for word in cue.text.split())
        assert [chunk.position for chunk in built.chunks] == list(range(len(built.chunks)))


def test_words_are_those_of_the_source(shared_data: Path) -> None:
    """A recount that uses nothing of the reader: words of the JSON lines against words of the chunks."""
    import gzip

    said: dict[str, Counter[str]] = {}
    with gzip.open(shared_data / "corpus-real" / "captions" / "turing-post.jsonl.gz", "rt") as lines:
        for line in lines:
            cue = json.loads(line)
            said.setdefault(cue["video_id"], Counter()).update(html.unescape(cue["text"]).split())
    channel = ChannelSettings(source=JsonlSource(path=shared_data / "corpus-real", corpus="turing-post"))
    for video in list_videos(channel).videos:
        built = build(video.video_id, video.load(), channel)
        kept = Counter(word for chunk in built.chunks for word in chunk.text.split())
        assert kept == said[video.video_id], video.video_id
