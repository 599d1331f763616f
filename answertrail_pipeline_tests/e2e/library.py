"""A small library of captions for end-to-end tests: seven short videos of a bridge painter, over ten months."""

import json
from datetime import date
from pathlib import Path

from answertrail_pipeline.gold.types import GoldNugget, GoldQuestion, GoldVersion
from answertrail_pipeline.time_windows import parse_window

SPEECH = {
    "paint-00001": (
        "2025-01-10",
        "Hello. I painted the Corrow Bridge with lead primer for 12 years. I think lead primer is the best "
        "primer for iron bridges. One tin of lead primer covers 14 square metres. The Corrow Bridge was opened in "
        "1911 by Marta Quell. I will never use zinc primer on a bridge.",
    ),
    "paint-00002": (
        "2025-03-02",
        "Today the Teal Bridge. It has 318 rivets on each side. Zinc primer came off after 4 months, so I still "
        "think lead primer is better. The wind speed limit for painting is 9 metres per second. Marta Quell also "
        "designed the Teal Bridge in 1914.",
    ),
    "paint-00003": (
        "2025-05-20",
        "I was wrong about something. The new zinc primer from Hobb and Sons held through the winter. I am not "
        "sure about lead primer any more. A tin of zinc primer costs 31 crowns and covers 16 square metres.",
    ),
    "paint-00004": (
        "2025-07-15",
        "A short one. The Orn Bridge needs 41 litres of primer. I counted 77 swallows under the Orn Bridge. "
        "Lead primer makes my hands hurt, and zinc primer does not.",
    ),
    "paint-00005": (
        "2025-09-09",
        "I have switched. I now think zinc primer is the best primer for iron bridges. I painted half of the "
        "Corrow Bridge with zinc primer in 6 days. I will not use lead primer again.",
    ),
    "paint-00006": (
        "2025-10-30",
        "The Corrow Bridge is finished. Zinc primer has held for 7 weeks without one bubble. Hobb and Sons sold "
        "900 tins of zinc primer this year.",
    ),
}


QUESTIONS = (
    (
        "q1",
        "factual",
        "How many rivets does the Teal Bridge have on each side?",
        ["It has 318 rivets on each side."],
    ),
    ("q2", "factual", "What does a tin of zinc primer cost?", ["A tin of zinc primer costs 31 crowns."]),
    (
        "q3",
        "longitudinal",
        "How did the view of primer for iron bridges change?",
        ["Lead primer is the best primer for iron bridges.", "Zinc primer is the best primer for iron bridges."],
    ),
)
WINDOWS = ("early 2025", "late 2025")


def gold_version(channel: str) -> GoldVersion:
    """Return a hand-written answer key for the library."""
    questions = []
    for question_id, tier, asked, nuggets in QUESTIONS:
        kind = "stance" if tier == "longitudinal" else "fact"
        made = []
        for number, (words, written) in enumerate(zip(nuggets, WINDOWS, strict=False), 1):
            window = parse_window(written) if kind == "stance" else None
            made.append(
                GoldNugget(
                    nugget_id=f"n{number}",
                    kind=kind,
                    text=words,
                    window_text=written if window else None,
                    window_from=window.start if window else None,
                    window_to=window.end if window else None,
                    written_by="person",
                )
            )
        questions.append(
            GoldQuestion(question_id=question_id, tier=tier, text=asked, state="kept", nuggets=tuple(made))
        )
    return GoldVersion(
        channel=channel,
        gold_version="v1",
        as_of=date(2025, 10, 30),
        corpus_id=None,
        policy="people",
        questions=tuple(questions),
    )


def write_library(folder: Path, only: int | None = None) -> None:
    """Write the captions as SRT with their metadata, as yt-dlp does."""
    folder.mkdir(parents=True, exist_ok=True)
    for video_id, (day, speech) in list(SPEECH.items())[:only]:
        write_video(folder, video_id, day, speech)


def write_video(folder: Path, video_id: str, day: str, speech: str) -> None:
    """Write one video: a cue of eight words every four seconds."""
    words = speech.split()
    cues = [" ".join(words[i : i + 8]) for i in range(0, len(words), 8)]
    blocks = [f"{n + 1}\n{_stamp(4 * n)} --> {_stamp(4 * n + 4)}\n{cue}\n" for n, cue in enumerate(cues)]
    (folder / f"{video_id}.en.srt").write_text("\n".join(blocks), "utf-8")
    record = {"id": video_id, "title": f"Bridges, {day}", "upload_date": day.replace("-", ""), "language": "en"}
    (folder / f"{video_id}.info.json").write_text(json.dumps(record), "utf-8")


def write_config(root: Path, more: str = "") -> Path:
    """Write a configuration for the library in `root/captions`."""
    path = root / "answertrail.toml"
    path.write_text(
        '[channels.bridges]\nsource = {kind = "folder", path = "captions"}\n'
        '[arms.single-shot]\nagent = "single_shot"\n'
        '[arms.react-hybrid]\nagent = "react"\nretriever = {kind = "hybrid"}\n' + more,
        "utf-8",
    )
    return path


def _stamp(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02},000"
