"""A small corpus in a real index. Its embedder counts words, so that right orders can be worked out by hand."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import numpy as np
import pytest
from sqlalchemy import text

from answertrail_pipeline.hashing import text_sha256
from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.retrieval.index import build_index
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import video_key
from answertrail_pipeline.store.rows import insert_rows

CHANNEL = "talks"
TOPICS = ("agent", "model", "memori", "price", "weather")


class WordEmbedder:
    """One dimension a topic word, and one for everything else."""

    model_id = "words-1"

    def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.full((len(texts), len(TOPICS) + 1), 0.1, np.float32)
        for row, words in zip(rows, texts, strict=True):
            for word in tokens(words, "en"):
                row[TOPICS.index(word) if word in TOPICS else -1] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def embed_query(self, text: str) -> np.ndarray:
        return self.embed_documents([text])[0]


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


def add_video(database: Database, video_id: str, day: str, chunks: Sequence[str], state: str = "active") -> None:
    """Put a video of 30-second chunks into the corpus, as the stage `chunks` leaves it."""
    with database.begin() as connection:
        insert_rows(
            connection,
            "videos",
            [
                {
                    "channel": CHANNEL,
                    "video_id": video_id,
                    "title": f"Talk {video_id}",
                    "published_at": datetime.fromisoformat(day).replace(tzinfo=UTC),
                    "published_precision": "day",
                    "published_source": "test",
                    "language": "en",
                    "content_sha256": text_sha256("".join(chunks)),
                    "state": state,
                }
            ],
        )
        put_chunks(connection, video_id, chunks)


def put_chunks(connection, video_id: str, chunks: Sequence[str]) -> None:
    ids = [f"{video_id}:{30 * at:05d}" for at in range(len(chunks))]
    connection.execute(text("delete from chunks where video_id = :v"), {"v": video_id})
    insert_rows(
        connection,
        "chunk_texts",
        [
            {"channel": CHANNEL, "chunk_id": chunk_id, "text_sha256": text_sha256(said), "text": said}
            for chunk_id, said in zip(ids, chunks, strict=True)
        ],
        skip_existing=True,
    )
    insert_rows(
        connection,
        "chunks",
        [
            {
                "channel": CHANNEL,
                "chunk_id": chunk_id,
                "video_id": video_id,
                "position": at,
                "start_seconds": 30.0 * at,
                "end_seconds": 30.0 * at + 30,
                "text_sha256": text_sha256(said),
                "spoken_text": said,
            }
            for at, (chunk_id, said) in enumerate(zip(ids, chunks, strict=True))
        ],
    )
    connection.execute(
        text(
            "insert into stage_run (stage, key, channel, input_hash, code_version, output_hash, state)"
            " values ('chunks', :key, :channel, '-', '1', :hash, 'done')"
            " on conflict (stage, key) do update set output_hash = excluded.output_hash"
        ),
        {"key": video_key(CHANNEL, video_id), "channel": CHANNEL, "hash": text_sha256("|".join(chunks))},
    )


@pytest.fixture
async def corpus(database: Database, embedder: WordEmbedder) -> Callable[[], Database]:
    """Five videos over four months, indexed. March says most of agents, May nothing at all."""
    add_video(database, "jan", "2025-01-10", ["agents fail at memory", "weather report", "agents cost a price"])
    add_video(database, "mar", "2025-03-05", ["agents agents", "agents plan", "agents and models", "agents again"])
    add_video(database, "mar2", "2025-03-20", ["models remember", "memory of models"])
    add_video(database, "jun", "2025-06-01", ["one agent works", "prices rise"])
    add_video(database, "old", "2025-04-01", ["agents agents agents"], state="retired")
    await build_index(database, CHANNEL, embedder, "en")
    return database
