"""What scoring needs of a gold version: each nugget's kind and author, and where its evidence lies."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from answertrail_pipeline.gold.types import GoldQuestion, GoldVersion


@dataclass(frozen=True)
class IndexedQuestion:
    """One gold question, indexed.

    Attributes:
        nuggets: by nugget id: (kind, author).
        videos: of the gold's evidence; `months` as YYYY-MM.
    """

    question_id: str
    tier: str
    state: Literal["kept", "segregated"]
    unanswerable: bool
    nuggets: Mapping[str, tuple[str, str]]
    videos: frozenset[str]
    months: frozenset[str]


def index_gold(gold: GoldVersion, video_months: Mapping[str, str]) -> dict[str, IndexedQuestion]:
    """Return the questions of a gold version by id.

    Args:
        video_months: month (YYYY-MM) of every video of the channel.
    """
    return {q.question_id: _index(q, gold.reviewers, video_months) for q in gold.questions}


def author(written_by: str, reviewers: Collection[str]) -> str:
    """Return the kind of author: `person`, `rules`, `unknown` (an imported file), or `model` for any model's name.

    >>> author("ada", ["ada"]), author("baseline", []), author("openai/gpt-5", ["ada"]), author("nuggetizer", [])
    ('person', 'rules', 'model', 'unknown')
    """
    if written_by in reviewers or written_by.startswith("person"):
        return "person"
    if written_by in ("unknown", "nuggetizer") or written_by.startswith("file "):
        return "unknown"
    return "rules" if written_by in ("baseline", "rules") else "model"


def _index(question: GoldQuestion, reviewers: Collection[str], video_months: Mapping[str, str]) -> IndexedQuestion:
    videos = frozenset(chunk_id.rpartition(":")[0] for chunk_id in _evidence(question))
    return IndexedQuestion(
        question.question_id,
        question.tier,
        question.state,
        question.detail.get("unanswerable") is True,
        {nugget.nugget_id: (nugget.kind, author(nugget.written_by, reviewers)) for nugget in question.nuggets},
        videos,
        frozenset(video_months[video] for video in videos if video in video_months),
    )


def _evidence(question: GoldQuestion) -> set[str]:
    return {*question.chunk_ids, *(chunk for nugget in question.nuggets for chunk in nugget.chunk_ids)}
