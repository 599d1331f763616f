"""The plain baseline: one retrieval on the raw question, one call that writes the answer."""

from answertrail_pipeline.agents.events import GatheringEnded
from answertrail_pipeline.agents.session import Session, write_answer
from answertrail_pipeline.agents.types import Trail
from answertrail_pipeline.retrieval.topic import core_topic
from answertrail_pipeline.retrieval.types import Query
from answertrail_pipeline.tasks.plan_searches import PLAN_SEARCHES, PlanSearchesInput


async def answer(session: Session) -> Trail:
    """Answer with one retrieval; a trajectory retriever gets sub-queries where a model can write them."""
    session.steps = 1
    phrases = await _subqueries(session)
    await session.search.run(1, [Query(session.asked.text)], phrases)
    hits = session.search.best_first()
    session.recorder.record(GatheringEnded(step=1, reason="one_search", chunks=len(hits)))
    written = await write_answer(session, hits)
    return session.trail(written)


async def _subqueries(session: Session) -> tuple[str, ...]:
    retriever = session.arm.settings.retriever
    if retriever.kind != "trajectory" or session.arm.role.is_baseline or not retriever.subqueries:
        return ()
    asked = session.asked
    planned = await session.run(
        "plan",
        PLAN_SEARCHES,
        PlanSearchesInput(
            question=asked.text,
            topic=core_topic(asked.text, asked.language),
            language=asked.language,
            first_date=asked.first_date,
            last_date=asked.last_date,
            maximum=retriever.subqueries,
        ),
    )
    return planned.phrases
