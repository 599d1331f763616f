"""Speed and memory of reading captions to chunks, against two libraries that merely parse the same files.

    python benchmarks/captions.py [FOLDER]

FOLDER holds `captions/ethereum-protocol.jsonl.gz` (default: ../shared/data/corpus-real). The cues of its 261
videos are written once as WebVTT and once as SubRip. Timed are the whole way from bytes to chunks, and
`webvtt-py` on the WebVTT files plus `pysubs2` on the SubRip files; each the best of three rounds of CPU seconds.
`--cases` instead prints which of the cases of docs/corpus.md the libraries pass.
"""

import gzip
import json
import sys
import tempfile
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pysubs2
import webvtt

from answertrail_pipeline.corpus.chunking import ChunkRules, chunk_cues
from answertrail_pipeline.corpus.formats.read import read_captions
from answertrail_pipeline.corpus.invented import mark_invented

ROUNDS = 3
RULES = ChunkRules(30, 15, "en")
CASES = {
    "2: blank payload line": ("vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n\nout there\n", ["out there"]),
    "6: double entities": ("srt", "1\n00:00:01,000 --> 00:00:02,000\nit&amp;#39;s\n", ["it's"]),
    "8: a note between cues": (
        "vtt",
        "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\nNOTE x\ny\n\n00:02.000 --> 00:03.000\nb\n",
        ["a", "b"],
    ),
    "10: blank line inside a cue": (
        "srt",
        "1\n00:00:01,000 --> 00:00:02,000\na\n\nb\n\n9\n00:00:03,000 --> 00:00:04,000\nc\n",
        ["a b", "c"],
    ),
    "11: a cue that says 2012": (
        "srt",
        "1\n00:00:01,000 --> 00:00:02,000\n2012\n\n00:00:03,000 --> 00:00:04,000\nb\n",
        ["2012", "b"],
    ),
    "13: one-digit hour": ("vtt", "WEBVTT\n\n1:29:36.800 --> 1:29:37.000\na\n", ["a"]),
    "13: short fraction": ("srt", "1\n00:00:0,500 --> 00:00:01,000\na\n", ["a"]),
    "13: no fraction": ("srt", "1\n00:00:05 --> 00:00:06\na\n", ["a"]),
    "14: hour 100": ("srt", "1\n100:00:00,000 --> 100:00:01,000\na\n", ["a @360000"]),
}


def main(arguments: list[str]) -> None:
    if "--cases" in arguments:
        print_cases()
        return
    folder = Path(arguments[0] if arguments else "../shared/data/corpus-real")
    with tempfile.TemporaryDirectory() as target:
        files = write_files(folder / "captions" / "ethereum-protocol.jsonl.gz", Path(target))
        cues = sum(1 for path in files["srt"] for line in path.open() if "-->" in line)
        print(f"{len(files['vtt'])} videos, {cues} cues, {ROUNDS} rounds, best CPU seconds")
        ours = best(lambda: [to_chunks(path) for kind in ("vtt", "srt") for path in files[kind]])
        webvtt_seconds = best(lambda: [webvtt.read(str(path)) for path in files["vtt"]])
        pysubs2_seconds = best(lambda: [pysubs2.load(str(path)) for path in files["srt"]])
        print(f"  to chunks, both formats   {ours:8.2f}")
        print(f"  webvtt-py, parsing only   {webvtt_seconds:8.2f}")
        print(f"  pysubs2, parsing only     {pysubs2_seconds:8.2f}")
        print(f"ratio {ours / (webvtt_seconds + pysubs2_seconds):.2f} (goal: at most 1.50)")
        ordered = sorted(files["vtt"], key=lambda path: path.stat().st_size, reverse=True)
        print(f"peak memory: the 50 largest files {peak(ordered[:50]):.1f} MB, all {peak(ordered):.1f} MB")


def write_files(captions: Path, target: Path) -> dict[str, list[Path]]:
    videos: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    with gzip.open(captions, "rt", encoding="utf-8") as lines:
        for line in lines:
            cue = json.loads(line)
            begin = round(cue["start"] * 1000)
            videos[cue["video_id"]].append((begin, begin + round(cue["duration"] * 1000), cue["text"].strip()))
    files: dict[str, list[Path]] = {"vtt": [], "srt": []}
    for video_id, cues in sorted(videos.items()):
        for kind, head, point in (("vtt", "WEBVTT\n\n", "."), ("srt", "", ",")):
            body = "".join(
                f"{n}\n{stamp(begin, point)} --> {stamp(end, point)}\n{text}\n\n"
                for n, (begin, end, text) in enumerate(cues, 1)
            )
            path = target / f"{video_id}.{kind}"
            path.write_text(head + body, "utf-8")
            files[kind].append(path)
    return files


def stamp(milliseconds: int, point: str) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{point}{rest:03d}"


def to_chunks(path: Path) -> int:
    cues = read_captions(path.read_bytes()).cues
    return len(chunk_cues(path.stem, cues, mark_invented(cues), RULES))


def best(work: Callable[[], object]) -> float:
    def rounds() -> Iterator[float]:
        for _ in range(ROUNDS):
            begin = time.process_time()
            work()
            yield time.process_time() - begin

    return min(rounds())


def peak(paths: list[Path]) -> float:
    tracemalloc.start()
    for path in paths:
        to_chunks(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6


def print_cases() -> None:
    readers: dict[str, Callable[[Path], list[tuple[float, str]]]] = {
        "ours": lambda path: [(cue.start, cue.text) for cue in read_captions(path.read_bytes()).cues],
        "pysubs2": lambda path: [(event.start / 1000, event.plaintext) for event in pysubs2.load(str(path))],
        "webvtt-py": lambda path: [
            (caption.start_in_seconds, caption.text)
            for caption in (webvtt.from_srt if path.suffix == ".srt" else webvtt.read)(str(path))
        ],
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, (kind, source, wanted) in CASES.items():
            path = Path(folder) / f"case.{kind}"
            path.write_text(source, "utf-8")
            print(
                f"{name:30}", *(f"{reader}: {outcome(read, path, wanted):32}" for reader, read in readers.items())
            )


def outcome(read: Callable[[Path], list[tuple[float, str]]], path: Path, wanted: list[str]) -> str:
    try:
        cues = read(path)
    except Exception as error:  # noqa: BLE001  (whatever a library raises is its outcome)
        return f"{type(error).__name__}"
    found = [" ".join(text.split()) for _, text in cues]
    timed = [f"{text} @{start:.0f}" for (start, _), text in zip(cues, found, strict=True)]
    return "right" if wanted in (found, timed) else f"wrong: {timed}"[:32]


if __name__ == "__main__":
    main(sys.argv[1:])
