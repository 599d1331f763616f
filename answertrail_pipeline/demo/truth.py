"""What is planted in the demonstration: the file `examples/demo/truth.json`, typed."""

from datetime import date
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from answertrail_pipeline.gold.types import GoldNugget, GoldQuestion, GoldVersion, NuggetKind, Tier
from answertrail_pipeline.time_windows import parse_window

AUTHOR = "truth file, not a person"
GOLD_NAME = "truth"


class _Read(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Planted(_Read):
    """Words that are really spoken: a video, a second, the quote."""

    video_id: str
    start_second: float
    quote: str


class Fact(Planted):
    """A planted plain fact."""

    id: str
    fact: str


class Topic(_Read):
    """A topic with her dated statements; `shift` says how the view changed, or it never did."""

    topic: str
    aliases: tuple[str, ...] = ()
    statements: tuple[Planted, ...]
    shift: str | None = None


class TruthNugget(_Read):
    """A nugget of the hand-written gold."""

    kind: NuggetKind
    text: str
    window: str | None = None
    evidence: tuple[Planted, ...]


class TruthQuestion(_Read):
    """A question of the hand-written gold."""

    id: str
    tier: Tier
    state: Literal["kept", "segregated"]
    question: str
    nuggets: tuple[TruthNugget, ...]


class HardCase(Planted):
    """A planted case that rules should miss."""

    kind: str
    note: str


class Truth(_Read):
    """All that is planted."""

    topics: tuple[Topic, ...]
    facts: tuple[Fact, ...]
    hard_cases: tuple[HardCase, ...]
    questions: tuple[TruthQuestion, ...]


def load_truth(path: Path) -> Truth:
    """Read a truth file."""
    return Truth.model_validate_json(path.read_bytes())


class Places:
    """Finds the chunk in which something is said.

    Args:
        chunks: (video_id, chunk_id, start second) of every chunk.
    """

    def __init__(self, chunks: list[tuple[str, str, float]]) -> None:
        self._starts: dict[str, list[tuple[float, str]]] = {}
        for video_id, chunk_id, start in sorted(chunks, key=lambda row: (row[0], row[2])):
            self._starts.setdefault(video_id, []).append((start, chunk_id))

    def of(self, planted: Planted) -> list[str]:
        """Return the chunk that the quote begins in, and the next where it may run over."""
        chunks = self._starts.get(planted.video_id, [])
        begun = [i for i, (start, _) in enumerate(chunks) if start <= planted.start_second]
        last = begun[-1] if begun else 0
        seconds = len(planted.quote.split()) / WORDS_A_SECOND
        return [
            chunk_id
            for start, chunk_id in chunks[last : last + 2]
            if start <= planted.start_second or start < planted.start_second + seconds
        ]


WORDS_A_SECOND = 2.5


def truth_gold(truth: Truth, channel: str, as_of: date, corpus_id: str, places: Places) -> GoldVersion:
    """Return the hand-written questions as a gold version, every nugget tied to the chunks that state it."""
    questions = []
    for asked in truth.questions:
        nuggets = tuple(_nugget(asked.id, i, nugget, places) for i, nugget in enumerate(asked.nuggets, 1))
        chunk_ids = sorted({chunk_id for nugget in nuggets for chunk_id in nugget.chunk_ids})
        questions.append(
            GoldQuestion(
                question_id=asked.id,
                tier=asked.tier,
                text=asked.question,
                state=asked.state,
                nuggets=nuggets,
                chunk_ids=tuple(chunk_ids),
                written_by=AUTHOR,
            )
        )
    return GoldVersion(
        channel=channel,
        gold_version=GOLD_NAME,
        as_of=as_of,
        corpus_id=corpus_id,
        policy="people",
        reviewers=(AUTHOR,),
        questions=tuple(questions),
    )


def _nugget(question_id: str, number: int, nugget: TruthNugget, places: Places) -> GoldNugget:
    window = parse_window(nugget.window) if nugget.window else None
    chunk_ids: dict[str, Any] = dict.fromkeys(c for planted in nugget.evidence for c in places.of(planted))
    return GoldNugget(
        nugget_id=f"{question_id}_n{number}",
        kind=nugget.kind,
        text=nugget.text,
        window_text=nugget.window,
        window_from=window.start if window else None,
        window_to=window.end if window else None,
        chunk_ids=tuple(chunk_ids),
        written_by=AUTHOR,
    )
