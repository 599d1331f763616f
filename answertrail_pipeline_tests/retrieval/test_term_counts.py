"""The counts of terms are kept by difference, and always those that a count over all postings gives."""

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from answertrail_pipeline.retrieval.index import (
    IndexUnit,
    build_index,
    embeddings_stage,
    index_units,
    term_stats_stage,
)
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.stage_run import run_stage
from answertrail_pipeline_tests.retrieval.conftest import CHANNEL, WordEmbedder, add_video, put_chunks

WORDS = [f"w{number}" for number in range(30)]
FULL = """
    select postings.term, count(*)
    from postings
    join unit_lengths using (unit)
    join videos using (channel, video_id)
    where videos.state = 'active' and channel = :channel
    group by postings.term"""


def said(draw: random.Random) -> list[str]:
    """Return what the chunks of a video say: one to four, of one to eight words."""
    return [" ".join(draw.choices(WORDS, k=draw.randint(1, 8))) for _ in range(draw.randint(1, 4))]


def counts(database: Database) -> tuple[dict[int, int], dict[int, int]]:
    """Return the kept counts, and those of all postings of active videos."""
    with database.begin() as connection:
        kept = connection.execute(text("select term, units from term_stats")).all()
        full = connection.execute(text(FULL), {"channel": CHANNEL}).all()
    return {row[0]: row[1] for row in kept}, {row[0]: row[1] for row in full}


def sizes(database: Database) -> list[tuple[int, float]]:
    """Return number and average length of the counted units, and of those of active videos."""
    with database.begin() as connection:
        kept = connection.execute(text("select units, average_terms from corpus_stats")).one()
        full = connection.execute(
            text("select count(*), avg(terms) from unit_lengths join videos using (channel, video_id)"
                 " where state = 'active'")
        ).one()  # fmt: skip
    return [(kept[0], round(float(kept[1]), 9)), (full[0], round(float(full[1]), 9))]


def change(database: Database, draw: random.Random, known: list[str], number: int) -> None:
    """Add a video, say something else in one, or turn one's state over."""
    what = draw.choice(("add", "replace", "turn")) if known else "add"
    if what == "add":
        known.append(f"v{number}")
        add_video(database, known[-1], "2025-01-01", said(draw))
        return
    with database.begin() as connection:
        if what == "replace":
            put_chunks(connection, draw.choice(known), said(draw))
        else:
            turn = "update videos set state = case state when 'active' then 'retired' else 'active' end"
            connection.execute(
                text(f"{turn} where video_id = :video_id"), {"video_id": draw.choice(known[1:] or known)}
            )


@pytest.mark.parametrize("seed", range(3))
async def test_after_random_changes_the_counts_are_those_of_a_full_count(
    database: Database, embedder: WordEmbedder, seed: int
) -> None:
    draw, known = random.Random(seed), []
    add_video(database, "always", "2025-01-01", said(draw))
    for number in range(25):
        change(database, draw, known, number)
        if draw.random() < 0.4:
            await run_stage(database, embeddings_stage(database, CHANNEL, embedder, "en"))
        if draw.random() < 0.6:  # often several changes behind, and between the two stages
            await build_index(database, CHANNEL, embedder, "en")
            kept, full = counts(database)
            assert kept == full
            assert len({*sizes(database)}) == 1
    report = await run_stage(database, term_stats_stage(database, CHANNEL))
    await build_index(database, CHANNEL, embedder, "en")
    assert (await run_stage(database, term_stats_stage(database, CHANNEL))).computed == 0
    kept, full = counts(database)
    assert kept == full
    assert report.units == 1


async def test_a_change_that_was_taken_back_between_the_stages_is_counted(
    database: Database, embedder: WordEmbedder
) -> None:
    """As after a kill: the video is as it was when the counts were made, but they no longer hold it."""
    for video_id in ("a", "b"):
        add_video(database, video_id, "2025-01-01", ["agents plan"])
    await build_index(database, CHANNEL, embedder, "en")
    before = counts(database)[0]
    for words in ("weather", "agents plan"):
        with database.begin() as connection:
            put_chunks(connection, "b", [words])
        await run_stage(database, embeddings_stage(database, CHANNEL, embedder, "en"))
    assert counts(database)[0] != before
    assert (await run_stage(database, term_stats_stage(database, CHANNEL))).computed == 1
    assert counts(database)[0] == before == counts(database)[1]


async def test_a_write_that_was_cut_short_leaves_the_counts_alone(
    database: Database, embedder: WordEmbedder
) -> None:
    add_video(database, "a", "2025-01-01", ["agents plan"])
    await build_index(database, CHANNEL, embedder, "en")
    made = await index_units(CHANNEL, "chunk", "a", [IndexUnit("a:00000", "weather")], embedder, "en")
    with database.engine.connect() as connection:  # never commits
        made.write(connection)
        assert connection.execute(text("select count(*) from term_stats")).scalar() == 0
    kept, full = counts(database)
    assert kept == full
    assert len(kept) == 3  # agents, plan, and the pair


def test_two_workers_at_once_lose_nothing(database: Database, embedder: WordEmbedder) -> None:
    draw = random.Random(5)
    videos = [f"v{number}" for number in range(8)]
    for video_id in videos:
        add_video(database, video_id, "2025-01-01", said(draw))
    asyncio.run(build_index(database, CHANNEL, embedder, "en"))

    def work(at: int) -> None:
        own = random.Random(at)
        for _ in range(6):
            for video_id in own.sample(videos[at::2], 2):
                with database.begin() as connection:
                    put_chunks(connection, video_id, said(own))
            asyncio.run(build_index(database, CHANNEL, embedder, "en"))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, range(2)))
    asyncio.run(build_index(database, CHANNEL, embedder, "en"))
    kept, full = counts(database)
    assert kept == full
