"""A generated channel of any size whose truth is known: planted views that change once, facts, and filler.

The same size gives the same bytes. The planted parts do not grow with the corpus, so that scores of two sizes can
be compared: only the filler around them grows.
"""

import json
import random
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path

import numpy as np

from answertrail_pipeline.gold.types import GoldNugget, GoldQuestion, GoldVersion
from answertrail_pipeline.hashing import stable_seed

FIRST_DAY, DAYS = date(2022, 1, 1), 1400
CHUNKS, WINDOW, WORDS_A_CHUNK = 50, 30, 75  # 25 minutes of speech
TOPICS = ("primer", "varnish", "solder", "mortar", "enamel", "linseed", "resin", "lacquer", "putty", "gypsum")
SPEAKS = 6  # videos that speak of a topic
SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "lan", "per", "stin", "mek")


@dataclass(frozen=True)
class Shift:
    """A view that changed: what was said until a day, and what since."""

    topic: str
    before: str
    after: str
    fact: str
    days: tuple[date, ...]

    @property
    def turned(self) -> date:
        """The day of the first video with the new view."""
        return self.days[SPEAKS // 2]


def shifts() -> list[Shift]:
    """Return the planted views, the same for every size."""
    made = []
    for place, topic in enumerate(TOPICS):
        days = tuple(FIRST_DAY + timedelta(days=40 + 37 * place + 150 * n) for n in range(SPEAKS))
        made.append(
            Shift(
                topic,
                f"I think Oldham {topic} is the best {topic} for iron bridges.",
                f"I think Newark {topic} is the best {topic} for iron bridges.",
                f"A tin of Oldham {topic} costs {31 + place} crowns.",
                days,
            )
        )
    return made


@cache
def vocabulary() -> tuple[list[str], list[float]]:
    """Return made-up words, with the running sums of frequencies that fall like those of speech (Zipf)."""
    draw = random.Random(stable_seed("scale", "vocabulary"))
    words = ["".join(draw.choices(SYLLABLES, k=draw.randint(2, 4))) for _ in range(20_000)]
    return words, np.cumsum([1 / (rank + 5) for rank in range(len(words))]).tolist()


def sentence(draw: random.Random) -> str:
    """Return ten words."""
    words, sums = vocabulary()
    return f"{' '.join(draw.choices(words, cum_weights=sums, k=10)).capitalize()}."


def video_id(number: int) -> str:
    """Return the id of a video by its place."""
    return f"scale-{number:06}"


def write_channel(folder: Path, videos: int) -> None:
    """Write `videos.jsonl` and one cue file a video."""
    (folder / "captions").mkdir(parents=True, exist_ok=True)
    planted = _planted(videos)
    with (folder / "videos.jsonl").open("w", encoding="utf-8") as records:
        for number in range(videos):
            write_video(folder, number, planted.get(number, []))
            day = FIRST_DAY + timedelta(days=number * DAYS // videos)
            record = {
                "video_id": video_id(number),
                "title": f"Day {number}",
                "published_at": f"{day}T12:00:00Z",
                "language": "en",
                "captions_file": f"captions/{video_id(number)}.jsonl",
            }
            records.write(json.dumps(record) + "\n")


def own_fact(number: int) -> str:
    """Return the one fact that only this video tells."""
    words, _ = vocabulary()
    name = words[number % len(words)].capitalize()
    return (
        f"The {name} Bridge was opened in {1800 + number % 200} by Marta {words[-1 - number % 7000].capitalize()}."
    )


def write_video(folder: Path, number: int, said: list[str]) -> None:
    """Write the cues of one video: filler, with what is planted spread over it."""
    draw = random.Random(stable_seed("scale", number))
    cues = []
    said = [own_fact(number), *said]
    for place in range(CHUNKS * 3):  # three cues a chunk, of two or three sentences
        words = " ".join(sentence(draw) for _ in range(2 + place % 2))
        if place % 15 == 5 and said:
            words = f"{said.pop(0)} {words}"
        start = place * WINDOW / 3
        cues.append({"video_id": video_id(number), "start": start, "end": start + WINDOW / 3, "text": words})
    path = folder / "captions" / f"{video_id(number)}.jsonl"
    path.write_text("".join(json.dumps(cue) + "\n" for cue in cues), "utf-8")


def add_video(folder: Path, number: int) -> None:
    """Add a video on the day after the last."""
    write_video(folder, number, ["A tin of Newark primer now costs 99 crowns."])
    record = {
        "video_id": video_id(number), "title": f"Day {number}", "language": "en",
        "published_at": f"{FIRST_DAY + timedelta(days=DAYS + 1)}T12:00:00Z",
        "captions_file": f"captions/{video_id(number)}.jsonl",
    }  # fmt: skip
    with (folder / "videos.jsonl").open("a", encoding="utf-8") as records:
        records.write(json.dumps(record) + "\n")


def _planted(videos: int) -> dict[int, list[str]]:
    """Return what is planted in which video."""
    said: dict[int, list[str]] = {}
    for shift in shifts():
        for place, day in enumerate(shift.days):
            number = min(videos - 1, (day - FIRST_DAY).days * videos // DAYS)
            view = shift.after if day >= shift.turned else shift.before
            said.setdefault(number, []).extend([view, shift.fact] if place == 0 else [view])
    return said


def gold(channel: str) -> GoldVersion:
    """Return the planted truth as an answer key: a fact and a change of view for each topic."""
    questions = []
    for place, shift in enumerate(shifts()):
        fact = GoldNugget(nugget_id="n1", kind="fact", text=shift.fact, written_by="person")
        questions.append(
            GoldQuestion(
                question_id=f"f{place:02}",
                tier="factual",
                text=f"What does a tin of Oldham {shift.topic} cost?",
                state="kept",
                nuggets=(fact,),
            )
        )
        ends = ((shift.days[0], shift.turned - timedelta(days=1)), (shift.turned, shift.days[-1]))
        views = tuple(
            GoldNugget(
                nugget_id=f"n{number}", kind="stance", text=view.removeprefix("I think "), written_by="person",
                window_text=f"{window[0]:%B %Y} to {window[1]:%B %Y}", window_from=window[0], window_to=window[1],
            )
            for number, (view, window) in enumerate(zip((shift.before, shift.after), ends, strict=True), 1)
        )  # fmt: skip
        questions.append(
            GoldQuestion(
                question_id=f"v{place:02}",
                tier="longitudinal",
                state="kept",
                nuggets=views,
                text=f"How did the view of {shift.topic} for iron bridges change?",
            )
        )
    as_of = FIRST_DAY + timedelta(days=DAYS)
    return GoldVersion(
        channel=channel, gold_version="v1", as_of=as_of, corpus_id=None, policy="people",
        questions=tuple(questions),
    )  # fmt: skip


class GeneratedVectors:
    """Stands for an embedding model: each word has a random direction, a text is the sum of its words."""

    model_id = "generated-384"

    def __init__(self) -> None:
        self._known: dict[str, np.ndarray] = {}

    def embed_documents(self, texts: list[str]) -> np.ndarray:
        """Return a vector of length 1 for each text."""
        made = np.stack([self._sum(text) for text in texts]) if texts else np.zeros((0, 384), np.float32)
        return made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-9)

    def embed_query(self, text: str) -> np.ndarray:
        """Return the vector of a query."""
        vector: np.ndarray = self.embed_documents([text])[0]
        return vector

    def _sum(self, text: str) -> np.ndarray:
        total = np.full(384, 1e-6, np.float32)
        for word in text.lower().replace(".", "").split():
            if word not in self._known:
                draw = np.random.default_rng(stable_seed("vector", word))
                self._known[word] = draw.standard_normal(384).astype(np.float32)
            total += self._known[word]
        return total
