from datetime import date

import bm25s
import numpy as np
import pytest
from sqlalchemy import text

from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.retrieval.index import build_index, embeddings_stage, term_stats_stage
from answertrail_pipeline.retrieval.rankings import ALWAYS, Period, Ranked, Scope, bm25_ranking, dense_ranking
from answertrail_pipeline.settings import RetrieverSettings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import video_key
from answertrail_pipeline.store.stage_run import run_stage
from answertrail_pipeline_tests.retrieval.conftest import CHANNEL, WordEmbedder, add_video, put_chunks


async def test_only_a_changed_video_is_indexed_again(corpus: Database, embedder: WordEmbedder) -> None:
    stage = embeddings_stage(corpus, CHANNEL, embedder, "en")
    assert (await run_stage(corpus, stage)).computed == 0
    assert (await run_stage(corpus, term_stats_stage(corpus, CHANNEL))).computed == 0
    with corpus.begin() as connection:
        put_chunks(connection, "jun", ["weather only"])
    report = await run_stage(corpus, embeddings_stage(corpus, CHANNEL, embedder, "en"))
    assert (report.computed, report.units) == (1, 4)
    assert (await run_stage(corpus, term_stats_stage(corpus, CHANNEL))).computed == 1
    with corpus.begin() as connection:
        count = "select count(*) from {} where channel = :c and video_id = 'jun'"
        left = [connection.execute(text(count.format(name)), {"c": CHANNEL}).scalar()
                for name in ("embeddings", "unit_lengths join postings using (unit)", "unit_lengths")]  # fmt: skip
    assert left == [1, 1, 1]  # one chunk; its one term besides the stop word "only"


async def test_another_model_or_a_retired_video_changes_what_is_due(
    corpus: Database, embedder: WordEmbedder
) -> None:
    class Other(WordEmbedder):
        model_id = "words-2"

    assert (await run_stage(corpus, embeddings_stage(corpus, CHANNEL, Other(), "en"))).computed == 4
    await run_stage(corpus, term_stats_stage(corpus, CHANNEL))
    with corpus.begin() as connection:
        connection.execute(text("update videos set state = 'retired' where video_id = 'mar'"))
    assert (await run_stage(corpus, embeddings_stage(corpus, CHANNEL, Other(), "en"))).computed == 0
    assert (await run_stage(corpus, term_stats_stage(corpus, CHANNEL))).computed == 1
    with corpus.begin() as connection:
        # "agent" is left in jan (2 chunks) and jun (1); 7 units in all
        df = connection.execute(
            text("select units from term_stats where term = term_key('talks', 'chunk', 'agent')")
        ).scalar()
        assert (df, connection.execute(text("select units from corpus_stats")).scalar()) == (3, 7)


async def test_blocked_videos_are_passed_over_and_empty_chunks_left_out(
    database: Database, embedder: WordEmbedder
) -> None:
    add_video(database, "good", "2025-01-01", ["agents", "", "models"])
    add_video(database, "bad", "2025-01-02", ["agents"])
    with database.begin() as connection:
        connection.execute(
            text("update stage_run set state = 'blocked', reason = 'half of it is missing' where key = :key"),
            {"key": video_key(CHANNEL, "bad")},
        )
    report = await run_stage(database, embeddings_stage(database, CHANNEL, embedder, "en"))
    assert (report.computed, report.blocked) == (1, 1)
    with database.begin() as connection:
        rows = connection.execute(text("select unit_id from embeddings order by unit_id")).scalars().all()
    assert rows == ["good:00000", "good:00060"]


async def test_bm25_equals_bm25s(database: Database, embedder: WordEmbedder) -> None:
    rng = np.random.default_rng(7)
    words = [f"w{n}" for n in range(60)]
    chance = 1 / np.arange(1, 61)
    texts = [" ".join(rng.choice(words, size=rng.integers(1, 40), p=chance / chance.sum())) for _ in range(80)]
    for video in range(4):
        add_video(database, f"v{video}", f"2025-0{video + 1}-01", texts[20 * video : 20 * video + 20])
    await build_index(database, CHANNEL, embedder, "en")
    ids = [f"v{video}:{30 * at:05d}" for video in range(4) for at in range(20)]

    reference = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    reference.index([tokens(said, "en") for said in texts], show_progress=False)
    for query in ("w0 w7", "w3 w3 w41", "w59", "w1 w2 w5 w20 w33 unknown"):
        expected = dict(zip(ids, reference.get_scores(tokens(query, "en")), strict=True))
        with database.begin() as connection:
            scope = Scope(CHANNEL, "chunk", "en", embedder.model_id)
            ranking = bm25_ranking(connection, scope, [tokens(query, "en")], [ALWAYS], 80, RetrieverSettings())
        assert {one.unit_id: one.score for one in ranking} == pytest.approx(
            {unit_id: score for unit_id, score in expected.items() if score > 0}, abs=1e-4
        )
        assert [one.rank for one in ranking] == list(range(1, len(ranking) + 1))


@pytest.mark.parametrize("kind", ["dense", "bm25"])
def test_one_pass_ranks_over_all_periods_and_inside_each(
    corpus: Database, embedder: WordEmbedder, kind: str
) -> None:
    queries = ["agents", "memory of models"]
    spring = Period(date(2025, 1, 1), date(2025, 3, 31))
    summer = Period(date(2025, 4, 1), date(2025, 6, 30))

    def ranked(periods: list[Period], depth: int, inside: int) -> list[Ranked]:
        with corpus.begin() as connection:
            scope = Scope(CHANNEL, "chunk", "en", embedder.model_id)
            if kind == "bm25":
                asked = [tokens(query, "en") for query in queries]
                return bm25_ranking(connection, scope, asked, periods, depth, RetrieverSettings(), inside)
            vectors = embedder.embed_documents(queries)
            return dense_ranking(connection, scope, vectors, periods, depth, inside)

    both = ranked([spring, summer], 3, 1)
    over_all = sorted((one.query, one.rank, one.unit_id) for one in both if one.rank <= 3)
    assert over_all == [(one.query, one.rank, one.unit_id) for one in ranked([ALWAYS], 3, 0)]
    for number, period in enumerate((spring, summer)):
        first = [(one.query, one.unit_id) for one in both if one.period == number and one.inside == 1]
        assert first == [(one.query, one.unit_id) for one in ranked([period], 1, 0)]
    # Agents fill the first three places in March, so June's best comes in by its place inside alone.
    assert [one.unit_id for one in both if one.query == 0 and one.period == 1] == ["jun:00000"]
    assert [one.rank > 3 for one in both if one.query == 0 and one.period == 1] == [True]


@pytest.mark.parametrize("window", [ALWAYS, Period(date(2025, 3, 1), date(2025, 3, 31))])
def test_one_query_in_one_window_is_ranked_as_among_others(
    corpus: Database, embedder: WordEmbedder, window: Period
) -> None:
    scope = Scope(CHANNEL, "chunk", "en", embedder.model_id, left_out=("mar:00000",))
    vectors = embedder.embed_documents(["agents", "memory of models"])
    with corpus.begin() as connection:
        alone = [dense_ranking(connection, scope, vectors[at : at + 1], [window], 4) for at in (0, 1)]
        together = dense_ranking(connection, scope, vectors, [window], 4)
    assert [one._replace(query=at) for at in (0, 1) for one in alone[at]] == together
    assert len(together) == 8
