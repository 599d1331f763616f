"""The search index: vectors and postings of every video, and the statistics that BM25 needs over all of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from anyio import to_thread
from sqlalchemy import Connection, text

from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.language.tokens import TOKENS_VERSION, tokens, word_pairs
from answertrail_pipeline.models.embedders import Embedder
from answertrail_pipeline.retrieval.term_counts import bring_up_counts, counts_lag, take_out
from answertrail_pipeline.retrieval.vectors import vector_texts
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import split_key, video_key
from answertrail_pipeline.store.rows import delete_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.store.stage_run import Computed, Stage, Unit, blocked_keys, output_hashes, run_stage

CLAIM_INDEX_VERSION = "1"
EMBEDDINGS_VERSION = "2"
TERM_STATS_VERSION = "2"


@dataclass(frozen=True)
class IndexUnit:
    """A text to be searched: a chunk or a claim."""

    unit_id: str
    text: str


def embeddings_stage(
    database: Database, channel: str, embedder: Embedder, language: str, concurrency: int = 1
) -> Stage:
    """Return the stage that indexes each video's chunks: their vectors, their postings and their lengths.

    What a chunk says is indexed (`spoken_text`); a chunk of nothing but non-speech marks is not.

    Args:
        language: of the channel, for the tokenizer.
        concurrency: videos in work at once; more than 1 only pays with a remote model.
    """

    made_from = _MadeFrom("chunks", "chunk", "search/video_chunks.sql")
    return _index_stage(
        "embeddings", EMBEDDINGS_VERSION, made_from, database, channel, embedder, language, concurrency
    )


def claim_index_stage(
    database: Database, channel: str, embedder: Embedder, language: str, concurrency: int = 1
) -> Stage:
    """Return the stage that indexes each video's claims; only an arm that searches claims needs it."""
    made_from = _MadeFrom("claims", "claim", "queries/claims_of_video.sql")
    return _index_stage(
        "claim_index", CLAIM_INDEX_VERSION, made_from, database, channel, embedder, language, concurrency
    )


class _MadeFrom(NamedTuple):
    stage: str
    kind: str
    query: str  # ids and texts of a video's units


def _index_stage(
    name: str,
    version: str,
    made_from: _MadeFrom,
    database: Database,
    channel: str,
    embedder: Embedder,
    language: str,
    concurrency: int,
) -> Stage:
    def units() -> Sequence[Unit]:
        with database.begin() as connection:
            texts = output_hashes(connection, made_from.stage, channel)
            blocked = blocked_keys(connection, made_from.stage, channel)
            keys = [video_key(channel, video_id) for video_id in _active_videos(connection, channel)]
        how = (embedder.model_id, TOKENS_VERSION, language)
        return [
            Unit(key, fingerprint(texts.get(key), *how), blocked.get(key))
            for key in sorted(keys)
            if key in texts or key in blocked
        ]

    async def compute(unit: Unit) -> Computed:
        video_id = split_key(unit.key)[1]
        with database.begin() as connection:
            rows = connection.execute(text(read_sql(made_from.query)), {"channel": channel, "video_id": video_id})
            found = [IndexUnit(*row) for row in rows]
        return await index_units(channel, made_from.kind, video_id, found, embedder, language)

    return Stage(name, channel, version, units, compute, concurrency)


async def index_units(
    channel: str, kind: str, video_id: str, units: Sequence[IndexUnit], embedder: Embedder, language: str
) -> Computed:
    """Make the index rows of one video's units, replacing what the video had under this kind.

    Pairs of neighbouring words are terms too; the length of a unit counts words only.

    Raises:
        UnitError: a remote model gave no vectors.
    """
    vectors = await to_thread.run_sync(embedder.embed_documents, [unit.text for unit in units])
    words = [tokens(unit.text, language) for unit in units]
    terms = [[*said, *word_pairs(said)] for said in words]
    ids = [unit.unit_id for unit in units]
    place = {"channel": channel, "kind": kind, "video_id": video_id}

    def write(connection: Connection) -> None:
        take_out(connection, channel, kind, video_id)
        connection.execute(text(read_sql("search/delete_postings.sql")), place)
        for table in ("embeddings", "unit_lengths"):
            delete_rows(connection, table, place)
        connection.execute(
            text(read_sql("search/insert_embeddings.sql")),
            {**place, "model": embedder.model_id, "unit_ids": ids, "vectors": vector_texts(vectors)},
        )
        connection.execute(
            text(read_sql("search/insert_unit_lengths.sql")),
            {**place, "unit_ids": ids, "lengths": [len(said) for said in words]},
        )
        connection.execute(
            text(read_sql("search/insert_postings.sql")),
            {**place, "unit_ids": ids, "terms": ["\n".join(said) for said in terms]},
        )

    # Vectors and postings follow from the texts; hashing these keeps the fingerprint equal on every machine.
    made = fingerprint(embedder.model_id, TOKENS_VERSION, language, [[unit.unit_id, unit.text] for unit in units])
    return Computed(made, write, counts={"units": len(units), "postings": sum(len(set(said)) for said in terms)})


def term_stats_stage(database: Database, channel: str) -> Stage:
    """Return the stage that counts, over all active videos, in how many units each term occurs.

    Only videos that the counts lack, or that are no longer active, are looked at.
    """

    def units() -> Sequence[Unit]:
        with database.begin() as connection:
            active = {video_key(channel, video_id) for video_id in _active_videos(connection, channel)}
            made = output_hashes(connection, "embeddings", channel)
            lag = counts_lag(connection, channel)
        indexed = {key: made_of for key, made_of in made.items() if key in active}
        return [Unit(channel, fingerprint(indexed), try_again=lag)]

    async def compute(unit: Unit) -> Computed:
        return Computed(unit.input_hash, lambda connection: bring_up_counts(connection, channel))

    return Stage("term_stats", channel, TERM_STATS_VERSION, units, compute)


async def build_index(database: Database, channel: str, embedder: Embedder, language: str) -> None:
    """Bring a channel's index up to date: both stages, one after the other."""
    await run_stage(database, embeddings_stage(database, channel, embedder, language))
    await run_stage(database, term_stats_stage(database, channel))


def _active_videos(connection: Connection, channel: str) -> list[str]:
    rows = connection.execute(
        text("select video_id from videos where channel = :channel and state = 'active'"), {"channel": channel}
    )
    return list(rows.scalars())
