"""The demonstration's truth file against its raw caption files, read without any room's code."""

import html
import json
import re
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

DEMO = Path(__file__).resolve().parents[2] / "examples" / "demo"
CAPTIONS = DEMO / "captions"
TRUTH: dict[str, Any] = json.loads((DEMO / "truth.json").read_text("utf-8"))
INFOS = {
    info["id"]: info for info in map(json.loads, (p.read_text("utf-8") for p in CAPTIONS.glob("*.info.json")))
}
TOLERANCE_SECONDS = 45

TIMING = re.compile(r"(\d+):(\d\d):(\d\d)[.,](\d{3}) --> (\d+):(\d\d):(\d\d)[.,](\d{3})")


class Word(NamedTuple):
    """A spoken word and the second at which its cue starts."""

    text: str
    second: float


def _seconds(hours: str, minutes: str, seconds: str, milliseconds: str) -> float:
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + int(milliseconds) / 1000


def _cues(path: Path) -> list[tuple[float, str]]:
    """Return (start, text) of each cue; of a rolling cue only the line that is new in it."""
    raw = path.read_text("utf-8")
    if path.suffix == ".json":
        return [(cue["start"], cue["text"]) for cue in json.loads(raw)]
    rolling = "<c>" in raw
    found = []
    for block in raw.split("\n\n"):
        timing = TIMING.search(block)
        if timing is None:
            continue
        start, end = _seconds(*timing.groups()[:4]), _seconds(*timing.groups()[4:])
        lines = block[timing.end() :].split("\n")[1:]
        if rolling and end - start < 0.02:  # the 10 ms in which a line moves up
            continue
        found.append((start, lines[-1] if rolling else " ".join(lines)))
    return found


def _plain(text: str) -> list[str]:
    """Return the words of a text without tags, sound marks and the punctuation around each word."""
    text = re.sub(r"\[[^\]]*\]", " ", html.unescape(re.sub(r"<[^>]*>", "", text)))
    return [word for token in text.lower().split() if (word := token.strip(".,:;!?'\"()>"))]


def spoken(video_id: str) -> list[Word]:
    """Return the words of a video, each once."""
    (path,) = (p for p in CAPTIONS.glob(f"{video_id}.en.*") if p.suffix in {".vtt", ".srt", ".json"})
    return [Word(word, start) for start, text in _cues(path) for word in _plain(text)]


def starts_of(quote: str, words: list[Word]) -> list[float]:
    """Return the seconds at which the words of a quote begin, one after the other, in a video."""
    wanted = _plain(quote)
    texts = [word.text for word in words]
    return [words[i].second for i in range(len(texts) - len(wanted) + 1) if texts[i : i + len(wanted)] == wanted]


def _evidence(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [item for question in questions for nugget in question["nuggets"] for item in nugget["evidence"]]


STATEMENTS = [statement for topic in TRUTH["topics"] for statement in topic["statements"]]
QUOTED = STATEMENTS + TRUTH["facts"] + TRUTH["hard_cases"] + _evidence(TRUTH["questions"])


@pytest.mark.parametrize("video_id", sorted(INFOS))
def test_each_quote_is_spoken_where_the_truth_says(video_id: str) -> None:
    words = spoken(video_id)
    here = [item for item in QUOTED if item["video_id"] == video_id]
    assert here
    for item in here:
        starts = starts_of(item["quote"], words)
        near = [start for start in starts if abs(start - item["start_second"]) <= TOLERANCE_SECONDS]
        assert near, f"{item['quote']!r} is spoken at {starts}, not near {item['start_second']} s"


def test_the_reading_gives_each_word_of_a_rolling_caption_once() -> None:
    """`v4KcT9wbHgE` opens with a mark and two rolling lines, which its file shows five times in all."""
    opening = " ".join(word.text for word in spoken("v4KcT9wbHgE")[:15])
    assert opening == "right good evening i have a cup of tea and a list of charges so"
    assert starts_of("good evening right", spoken("v4KcT9wbHgE")) == []


def test_every_quote_belongs_to_a_video_of_the_library() -> None:
    assert {item["video_id"] for item in QUOTED} == set(INFOS)


def test_the_library_is_as_described() -> None:
    days = sorted(date.fromisoformat(info["upload_date"]) for info in INFOS.values())
    assert len(days) == 24
    assert (days[0], days[-1]) == (date(2025, 3, 4), date(2026, 6, 20))
    assert len({(later - earlier).days for earlier, later in pairwise(days)}) > 5  # uneven, as real creators are
    lengths = [len(spoken(video_id)) for video_id in INFOS]
    assert sum(lengths) >= 12_000
    assert min(lengths) >= 400
    assert max(lengths) <= 700
    kinds = [next(CAPTIONS.glob(f"{video_id}.en.*")).suffix for video_id in INFOS]
    assert (kinds.count(".vtt"), kinds.count(".srt"), kinds.count(".json")) == (14, 8, 2)
    assert sum("<c>" in path.read_text("utf-8") for path in CAPTIONS.glob("*.vtt")) == 8


@pytest.mark.parametrize("topic", TRUTH["topics"], ids=lambda topic: topic["topic"])
def test_each_topic_spans_the_videos_and_days_of_a_thread(topic: dict[str, Any]) -> None:
    statements = topic["statements"]
    days = [date.fromisoformat(statement["published_at"][:10]) for statement in statements]
    assert days == sorted(days)
    assert len({statement["video_id"] for statement in statements}) >= 3
    assert (days[-1] - days[0]).days > 90
    windows = {statement["window"] for statement in statements}
    assert len(windows) == 1 if "no_change" in topic else len(windows) >= 3
    for statement in statements:
        assert statement["published_at"].startswith(_iso(INFOS[statement["video_id"]]["upload_date"]))


def _iso(upload_date: str) -> str:
    return f"{upload_date[:4]}-{upload_date[4:6]}-{upload_date[6:]}"


def test_each_video_has_plain_facts() -> None:
    assert len(TRUTH["facts"]) >= 60
    for video_id in INFOS:
        assert sum(fact["video_id"] == video_id for fact in TRUTH["facts"]) >= 3
    questions = [fact["question"] for fact in TRUTH["facts"]]
    assert len(set(questions)) == len(questions)


def test_the_hand_written_gold_has_every_kind_of_nugget() -> None:
    factual = [q for q in TRUTH["questions"] if q["tier"] == "factual"]
    kept = [q for q in TRUTH["questions"] if q["tier"] == "longitudinal" and q["state"] == "kept"]
    (trap,) = (q for q in TRUTH["questions"] if q["state"] == "segregated")
    assert len(factual) == 20
    for question in factual:
        assert 1 <= len(question["nuggets"]) <= 3
        assert {nugget["kind"] for nugget in question["nuggets"]} == {"fact"}
    assert {q["topic"] for q in kept} == {topic["topic"] for topic in TRUTH["topics"] if "shift" in topic}
    for question in kept:
        assert [nugget["kind"] for nugget in question["nuggets"]] == ["stance", "stance", "stance", "shift"]
        assert all(nugget["window"] for nugget in question["nuggets"] if nugget["kind"] == "stance")
    assert [nugget["kind"] for nugget in trap["nuggets"]] == ["no_change"]
    assert all(nugget["evidence"] for question in TRUTH["questions"] for nugget in question["nuggets"])


def test_what_is_planted_as_hard_is_hard() -> None:
    """Paraphrases share no telling word with their topic; a garbled name nowhere has its right spelling."""
    telling = {"night", "release", "dark", "rake", "rakes", "weir", "keeper"}
    for case in TRUTH["hard_cases"]:
        words = set(_plain(case["quote"]))
        if case["kind"] == "paraphrase":
            assert not words & telling
        if case["kind"] == "garbled_name":
            assert not {word.text for word in spoken(case["video_id"])} & {"amberley", "murrow", "thrane"}
        if case["kind"] == "number_in_words":
            assert not re.search(r"\d", case["quote"])
