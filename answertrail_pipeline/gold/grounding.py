"""Which chunks of its source videos answer a question: asked of the model, never of the retriever."""

import asyncio
import itertools
from collections.abc import Sequence

from sqlalchemy import text

from answertrail_pipeline.gold.store import StoredClaim
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.settings import ModelRole
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.tasks.ground_question import GROUND_QUESTION, GroundQuestionInput
from answertrail_pipeline.tasks.run_task import run_task


async def ground(
    database: Database,
    door: Door,
    channel: str,
    unit_key: str,
    question: str,
    claims: Sequence[StoredClaim],
    language: str,
    role: ModelRole,
) -> list[str]:
    """Return the ids of the chunks that answer a question, in order; its videos are read at once."""

    async def ground_in(video_id: str) -> list[str]:
        with database.begin() as connection:
            chunks = connection.execute(
                text(read_sql("queries/spoken_chunks.sql")), {"channel": channel, "video_id": video_id}
            ).all()
        given = GroundQuestionInput(
            question=question,
            language=language,
            chunks=tuple(chunk.spoken_text for chunk in chunks),
            claims=tuple(claim.text for claim in claims if claim.video_id == video_id),
        )
        done = await run_task(door, GROUND_QUESTION, given, role, Account(channel, "questions", unit_key))
        return [chunks[number].chunk_id for number in sorted(set(done.output.chunks))]

    videos = dict.fromkeys(claim.video_id for claim in claims)
    found = await asyncio.gather(*(ground_in(video_id) for video_id in videos))
    return list(itertools.chain.from_iterable(found))
