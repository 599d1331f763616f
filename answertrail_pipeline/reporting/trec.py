"""TREC run and qrels files for chunk retrieval, as trec_eval and ir_measures read them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote

from answertrail_pipeline.gold.types import GoldVersion


class Ranked(NamedTuple):
    """A chunk that a run retrieved for a question, in the order of its finding."""

    question_id: str
    chunk_id: str
    first_step: int
    rank: int


def qrels_lines(gold: GoldVersion) -> Iterator[str]:
    """Yield `question 0 chunk 1` for every chunk that the gold cites, of the questions that count."""
    for question in sorted(gold.questions, key=lambda question: question.question_id):
        if question.counts:
            cited = {*question.chunk_ids, *(chunk for nugget in question.nuggets for chunk in nugget.chunk_ids)}
            for chunk in sorted(cited):
                yield f"{_token(question.question_id)} 0 {_token(chunk)} 1\n"


def run_lines(run_key: str, retrieved: Iterable[Ranked]) -> Iterator[str]:
    """Yield `question Q0 chunk rank score run` for all that a run retrieved.

    Chunks stand in the order in which the run found them: by search, then by rank in it. The score falls with the
    place, because readers sort by score.
    """
    by_question: dict[str, list[Ranked]] = {}
    for one in retrieved:
        by_question.setdefault(one.question_id, []).append(one)
    for question_id in sorted(by_question):
        places: Sequence[Ranked] = sorted(
            by_question[question_id], key=lambda one: (one.first_step, one.rank, one.chunk_id)
        )
        for place, one in enumerate(places, 1):
            yield f"{_token(question_id)} Q0 {_token(one.chunk_id)} {place} {1 / place:.6f} {_token(run_key)}\n"


def _token(name: str) -> str:
    """Return a name without white space, which separates columns; ids of ours stay as they are."""
    return quote(name, safe="/:#@!$&'()*+,;=-_.~")
