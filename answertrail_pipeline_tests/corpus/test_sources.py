"""Where videos come from, and what is said about bad input."""

import gzip
import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import text

from answertrail_pipeline.corpus.build import Built, build
from answertrail_pipeline.corpus.ingest import chunks_stage
from answertrail_pipeline.corpus.listing import Listing
from answertrail_pipeline.corpus.retire import retire_missing
from answertrail_pipeline.corpus.sources import list_videos
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.settings import (
    ChannelSettings,
    CsvSource,
    DocumentsSource,
    FolderSource,
    JsonlSource,
    Source,
)
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.stage_run import run_stage
from answertrail_pipeline_tests.corpus.writers import json3, srt, vtt

CUES = [(1000, 3000, "first words"), (31_000, 33_000, "later words")]


def listed(source: Source, language: str = "en") -> tuple[Listing, dict[str, Built]]:
    channel = ChannelSettings(source=source, language=language)
    listing = list_videos(channel)
    built = {}
    for video in listing.videos:
        material = video.load()
        assert material.source_hash == video.source_hash
        built[video.video_id] = build(video.video_id, material, channel)
    return listing, built


def codes(listing: Listing) -> list[str]:
    return [problem.code for problem in listing.problems]


def info(folder: Path, stem: str, **fields: object) -> None:
    (folder / f"{stem}.info.json").write_text(json.dumps({"upload_date": "20240102", **fields}))


def jsonl(
    folder: Path, videos: Sequence[dict[str, object]], cues: Sequence[dict[str, object]], packed: bool
) -> None:
    (folder / "captions").mkdir(exist_ok=True)
    (folder / "videos.jsonl").write_text("".join(json.dumps(video) + "\n" for video in videos))
    data = "".join(json.dumps(cue) + "\n" for cue in cues).encode()
    name = folder / "captions" / ("c.jsonl.gz" if packed else "c.jsonl")
    name.write_bytes(gzip.compress(data) if packed else data)


def test_names_as_ytdlp_and_youtube_dl_write_them(tmp_path: Path) -> None:
    info(tmp_path, "abc", id="abc", title="One")
    (tmp_path / "abc.en.vtt").write_text(vtt(CUES))
    info(tmp_path, "A talk. Part 2 [dQw4w9WgXcQ]", id="dQw4w9WgXcQ", title="Two")
    (tmp_path / "A talk. Part 2 [dQw4w9WgXcQ].en-GB.srt").write_text(srt(CUES))
    info(tmp_path, "other-name", id="L6YqHxYHa7A", title="Three")
    (tmp_path / "Old title-L6YqHxYHa7A.en.json3").write_text(json3(CUES))
    (tmp_path / "sub").mkdir()
    info(tmp_path / "sub", "-x_y", id="-x_y", title="Four\n<b>")
    (tmp_path / "sub" / "-x_y.webm.srt").write_text(srt(CUES))
    (tmp_path / "abc.live_chat.json").write_text('{"replayChatItemAction": {}}\n')
    (tmp_path / "abc.webp").write_bytes(b"picture")
    listing, built = listed(FolderSource(path=tmp_path))
    assert list(built) == ["-x_y", "L6YqHxYHa7A", "abc", "dQw4w9WgXcQ"]
    assert all(len(one.chunks) == 2 for one in built.values())
    assert built["-x_y"].video and built["-x_y"].video.title == "Four <b>"  # noqa: PT018
    assert codes(listing) == ["ignored_files", "ids_start_with_dash"]


def test_17_regional_manual_beats_automatic(tmp_path: Path) -> None:
    info(tmp_path, "v", id="v", subtitles={"en-GB": [], "de": []}, automatic_captions={"en": [], "fr": []})
    for language in ("en", "en-GB", "de"):
        (tmp_path / f"v.{language}.vtt").write_text(vtt([(0, 900, f"words in {language}")]))
    _, built = listed(FolderSource(path=tmp_path))
    video = built["v"].video
    assert video is not None
    assert video.track == {
        "file": "v.en-GB.vtt",
        "format": "vtt",
        "language": "en-GB",
        "kind": "manual",
        "why": "manual, of 3 usable",
    }
    assert built["v"].chunks[0].text == "words in en-GB"


def test_an_unreadable_track_gives_way_to_the_next_and_is_named(tmp_path: Path) -> None:
    info(tmp_path, "v", id="v", subtitles={"en-GB": []}, automatic_captions={"en": []})
    (tmp_path / "v.en-GB.vtt").write_bytes(b"")
    (tmp_path / "v.en.vtt").write_text(vtt(CUES))
    _, built = listed(FolderSource(path=tmp_path))
    assert built["v"].video and built["v"].video.track["file"] == "v.en.vtt"  # noqa: PT018
    assert [(row.file, row.code) for row in built["v"].quarantine] == [("v.en-GB.vtt", "no_captions")]


def test_no_track_in_the_wanted_language_uses_another_and_says_so(tmp_path: Path) -> None:
    info(tmp_path, "v", id="v")
    (tmp_path / "v.de.srt").write_text(srt(CUES))
    _, built = listed(FolderSource(path=tmp_path))
    video = built["v"].video
    assert video is not None
    assert (video.language, video.track["why"]) == ("de", "manual, no usable track in en")


def test_without_date_or_captions_nothing_is_guessed(tmp_path: Path) -> None:
    (tmp_path / "2024-01-02 talk.en.vtt").write_text(vtt(CUES))
    info(tmp_path, "silent", id="silent")
    _, built = listed(FolderSource(path=tmp_path))
    undated, silent = built["2024-01-02 talk"], built["silent"]
    assert undated.video is None
    assert [(row.code, row.cues_kept) for row in undated.quarantine] == [("no_date", 2)]
    assert [row.code for row in silent.quarantine] == ["no_captions"]


def test_losses_up_to_the_limit_are_used_and_named(tmp_path: Path) -> None:
    cues = [(k * 1000, k * 1000 + 900, f"w{k}") for k in range(10)]
    broken = srt(cues) + "11\n00:99:00,000 --> 00:99:01,000\nlost\n"  # 1 of 11 is 9.1 %, the limit is 10 %
    info(tmp_path, "v", id="v")
    (tmp_path / "v.en.srt").write_text(broken)
    _, built = listed(FolderSource(path=tmp_path))
    (row,) = built["v"].quarantine
    assert (row.code, row.cues_kept, row.cues_lost) == ("cues_lost", 10, 1)
    assert row.message == "bad_time at line 42: 00:99:00,000 --> 00:99:01,000"
    assert built["v"].blocked is None
    (tmp_path / "v.en.srt").write_text(broken + "12\n00:99:00,000 --> 00:99:01,000\nlost\n")  # 2 of 12: 17 %
    _, built = listed(FolderSource(path=tmp_path))
    assert built["v"].blocked == "v.en.srt: cues_lost"


def test_bad_input_of_a_folder_is_named(tmp_path: Path) -> None:
    folder, outside = tmp_path / "channel", tmp_path / "outside.en.vtt"
    folder.mkdir()
    outside.write_text(vtt(CUES))
    (folder / "secret.en.vtt").symlink_to(outside)
    (folder / "gone.en.vtt").symlink_to(folder / "nothing")
    (folder / "loop").symlink_to(folder)
    (folder / "inside.en.vtt").symlink_to(folder / "a" / "V.en.vtt")
    (folder / "a").mkdir()
    for stem in ("a/V", "v"):
        info(folder, stem, id=stem[-1:])
        (folder / f"{stem}.en.vtt").write_text(vtt(CUES))
    info(folder, "a/copy", id="V")
    listing, built = listed(FolderSource(path=folder))
    assert sorted(built) == ["V", "inside", "v"]
    named = {problem.code: problem for problem in listing.problems}
    assert sorted(named) == ["broken_link", "duplicate_id", "ids_differ_in_case", "link_outside", "link_to_folder"]
    assert named["link_outside"].file == "secret.en.vtt"
    assert "V, v differ only in case" in named["ids_differ_in_case"].message


@pytest.mark.parametrize(
    ("name", "problem"), [("missing", "does not exist"), ("file", "is not a folder"), ("empty", "holds no video")]
)
def test_a_source_that_offers_nothing_is_a_user_error(tmp_path: Path, name: str, problem: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match=problem):
        list_videos(ChannelSettings(source=FolderSource(path=tmp_path / name)))


@pytest.mark.parametrize("packed", [True, False])
def test_jsonl_groups_lines_by_video_and_tracks_by_language(tmp_path: Path, packed: bool) -> None:
    videos = [
        {"video_id": "b,1", "title": "B", "published_at": "2024-01-02", "corpus": "x", "language": "fr"},
        {"video_id": "b,2", "title": "B2", "published_at": "2024-01-03", "corpus": "x"},
        {"video_id": "c", "title": "C", "published_at": "2024-01-03", "corpus": "other"},
    ]
    cues = [
        {"video_id": "b,1", "language": "fr", "track": "t", "start": 0, "duration": 2, "text": "bonjour"},
        {"video_id": "b,2", "start": 0.5, "duration": 2, "text": "hello"},
        {"video_id": "b,1", "language": "en", "track": "u", "start": 0, "duration": 2, "text": "translated"},
        {"video_id": "b,1", "language": "fr", "track": "t", "start": 40, "duration": 2, "text": "encore"},
        {"video_id": "nobody", "start": 0, "duration": 2, "text": "stray"},
    ]
    jsonl(tmp_path, videos, cues, packed)
    _, built = listed(JsonlSource(path=tmp_path, corpus="x"), "fr")
    assert [[chunk.text for chunk in one.chunks] for one in built.values()] == [["bonjour", "encore"], ["hello"]]
    before = hashes(tmp_path)
    jsonl(tmp_path, videos, [*cues[:4], {**cues[1], "start": 3}], packed)
    after = hashes(tmp_path)
    assert [name for name in before if before[name] != after[name]] == ["b,2"]


def hashes(folder: Path) -> dict[str, str]:
    channel = ChannelSettings(source=JsonlSource(path=folder, corpus="x"))
    return {video.video_id: video.source_hash for video in list_videos(channel).videos}


def test_bad_lines_of_jsonl_are_named_and_the_rest_is_used(tmp_path: Path) -> None:
    video = {"video_id": "a", "title": "A", "published_at": "2024-01-02"}
    jsonl(tmp_path, [video, video], [{"video_id": "a", "start": 0, "duration": 1, "text": "ok"}], False)
    with (tmp_path / "videos.jsonl").open("a") as file:
        file.write("no json\n")
    with (tmp_path / "captions" / "c.jsonl").open("a") as file:
        file.write('{"video_id": "a", "start": 1, \n[[[\n')
    listing, built = listed(JsonlSource(path=tmp_path))
    assert [(problem.code, problem.file) for problem in listing.problems] == [
        ("duplicate_id", "videos.jsonl:2"),
        ("bad_record", "videos.jsonl:3"),
        ("bad_record", "captions/c.jsonl:3"),
    ]
    # the half line begins with the video's id, so it is the video's: one of two cues is lost, above the limit
    assert [(row.code, row.cues_kept, row.cues_lost) for row in built["a"].quarantine] == [("cues_lost", 1, 1)]


def test_a_gzip_that_breaks_off_blocks_the_video_it_breaks_in(tmp_path: Path) -> None:
    videos = [{"video_id": name, "title": name, "published_at": "2024-01-02"} for name in "abc"]
    cues = [
        {"video_id": name, "start": k, "duration": 1, "text": f"{name} {k * 7919 % 1000003:x}"}
        for name in "abc"
        for k in range(4000)
    ]
    jsonl(tmp_path, videos, cues, True)
    path = tmp_path / "captions" / "c.jsonl.gz"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    listing, built = listed(JsonlSource(path=tmp_path))
    assert codes(listing) == ["cut_off"]
    assert built["a"].blocked is None
    assert [row.code for row in built["b"].quarantine] == ["cut_off"]
    assert [row.code for row in built["c"].quarantine] == ["no_captions"]


def test_csv_of_videos(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("00:01 words\n00:40 more\n")
    (tmp_path / "two.srt").write_text(srt(CUES))
    rows = "video_id;title;published_at;captions;language\na;Ä;2024-01-02T10:00:00+02:00;one.txt;en\n"
    rows += "a;again;2024-01-02;two.srt;en\nb;B;2024-01-02;../x.srt;en\nc;C;2024-01-02;none.srt;en\n;D;;;\n"
    (tmp_path / "videos.csv").write_bytes(rows.encode("utf-8-sig"))
    listing, built = listed(CsvSource(path=tmp_path / "videos.csv"))
    assert [(problem.code, problem.file) for problem in listing.problems] == [
        ("duplicate_id", "videos.csv:3"),
        ("bad_record", "videos.csv:6"),
        ("no_file", "../x.srt"),
        ("no_file", "none.srt"),
    ]
    video = built["a"].video
    assert video is not None
    assert (video.title, video.published_at.isoformat()) == ("Ä", "2024-01-02T08:00:00+00:00")
    assert [chunk.chunk_id for chunk in built["a"].chunks] == ["a:00000", "a:00030"]
    (tmp_path / "bad.csv").write_text("id,name\n1,2\n")
    with pytest.raises(UserError, match="no column video_id, title, published_at, captions; it has id, name"):
        list_videos(ChannelSettings(source=CsvSource(path=tmp_path / "bad.csv")))


def test_documents_of_each_kind(tmp_path: Path) -> None:
    (tmp_path / "posts").mkdir()
    (tmp_path / "posts" / "a b.md").write_text(
        "---\ntitle: Tides\ndate: 2024-01-02\n---\n# Head\n\nThe [tide](http://x) *rises*.\n\n![map](m.png)\n"
    )
    (tmp_path / "page.html").write_text(
        '<html lang="fr"><head><title>Page &amp; co</title><meta property="article:published_time" '
        'content="2024-03-01T12:00:00Z"><script>var x</script></head><body><p>Un<b>deux</b><br>trois</p>quatre'
        "<style>p{}</style></body></html>"
    )
    (tmp_path / "note.txt").write_text("+++\ndate = 2024-05-06T07:08:09Z\n+++\nfirst line\nsecond\n\nother\n")
    (tmp_path / "undated.txt").write_text("words without a date")
    (tmp_path / "empty.md").write_text("")
    listing, built = listed(DocumentsSource(path=tmp_path))
    assert not listing.problems
    shown = {
        name: (one.video.title, one.video.published_at.isoformat(), one.video.language, one.chunks[0].text)
        for name, one in built.items()
        if one.video
    }
    assert shown == {
        "note": ("note", "2024-05-06T07:08:09+00:00", "en", "first line second\nother"),
        "page": ("Page & co", "2024-03-01T12:00:00+00:00", "fr", "Undeux\ntrois\nquatre"),
        "posts/a-b": ("Tides", "2024-01-02T00:00:00+00:00", "en", "Head\nThe tide rises.\nmap"),
    }
    assert [row.code for row in (*built["undated"].quarantine, *built["empty"].quarantine)] == [
        "no_date",
        "no_captions",
    ]


def test_documents_of_a_csv(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("the words of an episode")
    (tmp_path / "list.csv").write_text("id,title,published_at,file,url\nep 1,One,2024-01-02,t.txt,https://x/1\n")
    _, built = listed(DocumentsSource(path=tmp_path / "list.csv"))
    video = built["ep 1"].video
    assert video is not None
    assert (video.kind, video.url, built["ep 1"].chunks[0].chunk_id) == ("document", "https://x/1", "ep 1:00000")


async def test_hostile_records_reach_the_database_as_plain_text(tmp_path: Path, database: Database) -> None:
    odd = "x\u0000\ud800"
    videos = [
        {
            "video_id": "a",
            "title": f"T{odd}",
            "published_at": "2024-01-02",
            "language": odd,
            "url": "javascript:x",
        },
        {"video_id": f"b{odd}", "title": "B", "published_at": "2024-01-02"},
        {"video_id": "c[1]", "title": "C", "published_at": "2024-01-02"},
    ]
    cues = [
        {"video_id": "a", "start": 1, "duration": 1, "text": f"w{odd}", "language": [1], "track": odd},
        {"video_id": "a", "start": [[1]], "duration": 1, "text": odd, "track": odd},
    ]
    jsonl(tmp_path, videos, cues, False)
    channel = ChannelSettings(source=JsonlSource(path=tmp_path), max_lost_share=0.5)
    listing = list_videos(channel)
    assert codes(listing) == ["bad_id", "bad_id"]
    report = await run_stage(database, chunks_stage(database, "talks", channel, listing))
    retire_missing(database, "talks", listing, channel)
    assert (report.computed, report.errors) == (1, {})
    with database.begin() as connection:
        row = connection.execute(
            text("select title, language, url, spoken_text from videos join chunks using (video_id)")
        )
        assert tuple(row.one()) == ("Tx\ufffd", "en", None, "wx\ufffd")


def test_names_that_are_no_utf8_are_named(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path)
    with open(folder + b"/caf\xe9.en.vtt", "w") as file:  # noqa: PTH123
        file.write(vtt(CUES))
    (tmp_path / "good.en.vtt").write_text(vtt(CUES))
    listing, built = listed(FolderSource(path=tmp_path))
    assert list(built) == ["good"]
    assert codes(listing) == ["bad_id"]
