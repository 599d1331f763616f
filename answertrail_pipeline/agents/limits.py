"""The most that an agent can ask of its model for one question: what its loop, retries and searches allow."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text

from answertrail_pipeline.agents.arms import Arm
from answertrail_pipeline.agents.corpus_view import CorpusView
from answertrail_pipeline.agents.react import MAX_PARALLEL, opening, tools
from answertrail_pipeline.agents.session import WRITING_ATTEMPTS
from answertrail_pipeline.agents.types import Asked
from answertrail_pipeline.gold.biographies.people import load_people
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.tasks.code_events import CODE_EVENTS
from answertrail_pipeline.tasks.focus_search import FOCUS_SEARCH
from answertrail_pipeline.tasks.plan_gaps import PLAN_GAPS
from answertrail_pipeline.tasks.plan_searches import PLAN_SEARCHES
from answertrail_pipeline.tasks.write_answer import WRITE_ANSWER

_BYTES_PER_TOKEN = 3
"""As long_context has it: 4 in English, about 3 in Chinese and Japanese."""
_LABEL_TOKENS = 20
"""Brackets, date and `(read before)` of a passage."""
_REPLY_TOKENS = 100
"""What stands around the passages of one search, or a call that is refused, the model's own words apart."""
_PERIOD_TOKENS = 60
"""A period without a passage, as a trajectory search tells of it."""
_REPAIR_TOKENS = 500
"""What is wrong with a reply, the model's own words apart."""

Count = Callable[[str], int]
"""Counts the tokens of a text."""


@dataclass(frozen=True)
class Limits:
    """What one question may take.

    Attributes:
        least: tokens of the shortest prompt that a question is begun with.
        prompts: the most tokens of each prompt, in order, if every call that can be made is made.
    """

    least: int
    prompts: tuple[int, ...]


def question_limits(arm: Arm, corpus: CorpusView, questions: Sequence[str], count: Count) -> Limits:
    """Return the limits of an arm with a model of its own over a corpus.

    Args:
        questions: the longest of them is the limit, the shortest the least.

    Raises:
        UserError: the corpus has no chunks.
    """
    size = _Size.of(corpus)
    agent, tokens = arm.settings.agent, [count(question) for question in questions]
    asked = max(tokens)
    if agent == "react":
        first = _first_step(arm, corpus, "", count)
        steps, seen = _loop(arm, size, first + asked)
        prompts = [*steps, *_writing(arm, size, seen, asked, count)]
        return Limits(min(first, count(WRITE_ANSWER.full_system_prompt)) + min(tokens), tuple(prompts))
    if agent == "biography":
        return _biography(arm, corpus, size, count)
    planned = list(_planning(arm, asked, count)) if agent == "single_shot" else []
    seen = size.chunks if agent == "long_context" else min(size.chunks, arm.settings.retriever.k)
    begun = PLAN_SEARCHES if planned else WRITE_ANSWER
    prompts = [*planned, *_writing(arm, size, seen, asked, count)]
    return Limits(count(begun.full_system_prompt) + min(tokens), tuple(prompts))


@dataclass(frozen=True)
class _Size:
    """Chunks of a corpus, and tokens of all their texts, of the longest text and of the longest label."""

    chunks: int
    texts: int
    longest_text: int
    longest_label: int

    @classmethod
    def of(cls, corpus: CorpusView) -> "_Size":
        corpus.extent  # noqa: B018 - refuses an empty corpus
        with corpus.database.begin() as connection:
            row = connection.execute(text(read_sql("queries/corpus_size.sql")), {"channel": corpus.channel}).one()
        label = _tokens(row.longest_label) + _LABEL_TOKENS
        return cls(row.chunks, _tokens(row.texts), _tokens(row.longest_text), label)

    def passages(self, chunks: int) -> int:
        """Return the most tokens of so many different chunks with their labels."""
        return min(chunks * self.longest_text, self.texts) + chunks * self.longest_label


def _tokens(size: int) -> int:
    return size // _BYTES_PER_TOKEN + 1


def _first_step(arm: Arm, corpus: CorpusView, question: str, count: Count) -> int:
    extent = corpus.extent
    asked = Asked("", question, corpus.channel, "", arm.language, extent.first_date, extent.last_date, "")
    said = [message.content or "" for message in opening(arm, asked)]
    called = [json.dumps(tool.model_dump()) for tool in tools(arm.settings.retriever)]
    return sum(map(count, (*said, *called)))


def _loop(arm: Arm, size: _Size, first: int) -> tuple[list[int], int]:
    """Return the most tokens of each step's prompt, and how many chunks can be seen in all.

    A step adds what the model wrote, at most as much again where its calls are refused (a refusal is no longer
    than the call), and the results of `MAX_PARALLEL` searches. A text is shown once, its label every time.
    """
    retriever, written = arm.settings.retriever, arm.role.max_output_tokens
    around = _REPLY_TOKENS + (_PERIOD_TOKENS * retriever.most if retriever.kind == "trajectory" else 0)
    prompts, seen, said = [], 0, first
    for _step in range(arm.settings.max_steps):
        prompts.append(said + size.passages(seen))
        found = MAX_PARALLEL * retriever.most
        seen_before, seen = seen, min(size.chunks, seen + found)
        again = found - (seen - seen_before)
        said += 2 * written + MAX_PARALLEL * around + again * size.longest_label
    return prompts, seen


def _writing(arm: Arm, size: _Size, seen: int, asked: int, count: Count) -> Iterator[int]:
    """Yield the prompts of the answer: every attempt, each repaired once.

    An attempt after a refusal is shown the answer and each wrong citation: five times what was written at most.
    """
    written = arm.role.max_output_tokens
    first = count(WRITE_ANSWER.full_system_prompt) + asked + _REPLY_TOKENS + size.passages(seen)
    for attempt in range(WRITING_ATTEMPTS):
        prompt = first + (5 * written if attempt else 0)
        yield prompt
        yield prompt + written + _REPAIR_TOKENS


def _planning(arm: Arm, asked: int, count: Count) -> Iterator[int]:
    """Yield the prompts of the sub-queries that one trajectory search is given."""
    retriever = arm.settings.retriever
    if retriever.kind == "trajectory" and retriever.subqueries:
        prompt = count(PLAN_SEARCHES.full_system_prompt) + 2 * asked + _REPLY_TOKENS
        yield prompt
        yield prompt + arm.role.max_output_tokens + _REPAIR_TOKENS


def _biography(arm: Arm, corpus: CorpusView, size: _Size, count: Count) -> Limits:
    """Return the limits of a career: a call sees at most the corpus, the reference and all that was written."""
    how, written = arm.settings.biography, arm.role.max_output_tokens
    with corpus.database.begin() as connection:
        people = load_people(connection, corpus.channel).values()
    known = max((_tokens(_bytes(person.names) + _bytes(person.reference)) for person in people), default=0)
    prompts: dict[str, int] = {t.name: count(t.full_system_prompt) for t in (PLAN_GAPS, FOCUS_SEARCH, CODE_EVENTS)}
    begun = max(prompts.values()) + known + _REPLY_TOKENS + size.passages(size.chunks)
    calls = how.max_calls if how.strategy in ("agent", "agent_no_archive") else 1
    every = [
        begun + 2 * made * written + repair for made in range(calls) for repair in (0, written + _REPAIR_TOKENS)
    ]
    return Limits(min(prompts.values()), tuple(every))


def _bytes(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode()) if value else 0
