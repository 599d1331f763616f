"""One agent at work on one question: what it may use, and the answer that it ends with."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from answertrail_pipeline.agents.arms import Arm
from answertrail_pipeline.agents.citations import citation_problems, cited_ids
from answertrail_pipeline.agents.corpus_view import CorpusView
from answertrail_pipeline.agents.events import AnswerFinished, AnswerRejected, ModelReplied, Recorder
from answertrail_pipeline.agents.search_tool import SearchTool
from answertrail_pipeline.agents.types import Asked, Trail
from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.errors import ModelError
from answertrail_pipeline.models.types import NO_USAGE, Account, Usage, add_usage
from answertrail_pipeline.retrieval.topic import core_topic
from answertrail_pipeline.retrieval.types import Hit
from answertrail_pipeline.tasks.run_task import run_task
from answertrail_pipeline.tasks.task import In, Out, Task
from answertrail_pipeline.tasks.write_answer import (
    WRITE_ANSWER,
    EvidenceItem,
    RejectedAnswer,
    WriteAnswerInput,
    WrittenAnswer,
)

Purpose = Literal["plan", "step", "answer"]
WRITING_ATTEMPTS = 3
"""One try and two retries with the reason; then the unit fails."""


@dataclass
class Session:
    """What an agent has at hand for one question.

    Attributes:
        steps: turns of the loop so far.
        model_calls, usage, cost_usd: of all replies so far, also of those that the ledger gave again: what the
            trail takes, whoever paid for it.
    """

    asked: Asked
    arm: Arm
    door: Door
    account: Account
    recorder: Recorder
    search: SearchTool
    corpus: CorpusView
    steps: int = 0
    model_calls: int = 0
    usage: Usage = NO_USAGE
    cost_usd: Decimal | None = Decimal(0)

    async def run(self, purpose: Purpose, task: Task[In, Out], given: In) -> Out:
        """Have a task done by the arm's model and record it; what a failure took is taken in too."""
        try:
            done = await run_task(self.door, task, given, self.arm.role, self.account, salt=self.asked.salt)
        except ModelError as error:
            self.take_in(len(error.raw_replies), error.usage, error.cost_usd)
            raise
        self.note_reply(purpose, done.call_key, len(done.raw_replies), done.usage, done.cost_usd)
        return done.output

    def note_reply(
        self, purpose: Purpose, call_key: str, calls: int, usage: Usage, cost_usd: Decimal | None
    ) -> None:
        """Record that the model, or the rules in its place, replied, and what it took."""
        self.take_in(calls, usage, cost_usd)
        self.recorder.record(ModelReplied(purpose=purpose, model=self.arm.role.model, call_key=call_key))

    def take_in(self, calls: int, usage: Usage, cost_usd: Decimal | None) -> None:
        """Add what somebody's calls took: the model's, or an agent's that reported them."""
        self.model_calls += calls
        self.usage = add_usage(self.usage, usage)
        self.cost_usd = None if self.cost_usd is None or cost_usd is None else self.cost_usd + cost_usd

    def trail(self, written: WrittenAnswer | None, **more: Any) -> Trail:
        """Return the trail so far; without an answer where none could be had.

        Args:
            more: fields of the trail that only the agent knows.
        """
        cited = cited_ids(written.answer) if written else ()
        searches = self.search.searches
        detail = {
            "repeated_searches": searches - self.search.distinct_searches,
            "malformed_calls": self.recorder.count("tool_refused"),
            "refused_ready": self.recorder.count("ready_refused"),
            "rejected_answers": self.recorder.count("answer_rejected"),
            **more.pop("detail", {}),
        }
        known: dict[str, Any] = {
            "answer": written.answer if written else "",
            "citations": cited,
            "abstained": bool(written and written.abstained),
            "retrieved": tuple(self.search.retrieved.values()),
            "events": self.recorder.as_json(),
            "searches": searches,
            "steps": self.steps,
            "model_calls": self.model_calls,
            "prompt_tokens": self.usage.prompt_tokens,
            "completion_tokens": self.usage.completion_tokens,
            "cost_usd": self.cost_usd,
        }
        return Trail(**{**known, **more}, detail=detail)


Agent = Callable[[Session], Awaitable[Trail]]


async def write_answer(session: Session, evidence: Sequence[Hit]) -> WrittenAnswer:
    """Have the answer written from evidence, with citations that exist and were retrieved.

    Args:
        evidence: best first.

    Raises:
        UnitError: `bad_citations` after two retries with the reason.
    """
    items = tuple(
        EvidenceItem(chunk_id=hit.chunk_id, title=hit.title, date=hit.published_at.date(), text=hit.text)
        for hit in evidence
    )
    rejected: RejectedAnswer | None = None
    problems: list[str] = []
    for attempt in range(1, WRITING_ATTEMPTS + 1):
        written = await session.run(
            "answer",
            WRITE_ANSWER,
            WriteAnswerInput(
                question=session.asked.text,
                topic=core_topic(session.asked.text, session.asked.language),
                language=session.asked.language,
                evidence=items,
                rejected=rejected,
            ),
        )
        problems = check_citations(session, written, {item.chunk_id for item in items})
        if not problems:
            finish(session.recorder, written)
            return written
        session.recorder.record(AnswerRejected(attempt=attempt, answer=written.answer, problems=tuple(problems)))
        rejected = RejectedAnswer(answer=written.answer, problems=tuple(problems))
    raise UnitError("bad_citations", f"after {WRITING_ATTEMPTS} attempts: {' '.join(problems)}")


def check_citations(session: Session, written: WrittenAnswer, retrieved: Collection[str]) -> list[str]:
    """Return what is wrong with the citations of an answer, asking the corpus which ids exist."""
    cited = {*cited_ids(written.answer), *written.citations}
    existing = session.corpus.chunks(cited).keys() | (cited & set(retrieved))
    return citation_problems(written.answer, written.citations, written.abstained, retrieved, existing)


def finish(recorder: Recorder, written: WrittenAnswer) -> None:
    """Record that an answer stands."""
    recorder.record(
        AnswerFinished(answer=written.answer, citations=cited_ids(written.answer), abstained=written.abstained)
    )
