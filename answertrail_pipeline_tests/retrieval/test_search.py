from datetime import date

import pytest

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.retrieval.index import build_index
from answertrail_pipeline.retrieval.search import search
from answertrail_pipeline.retrieval.types import Query, SearchResult
from answertrail_pipeline.settings import RetrieverSettings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.retrieval.conftest import CHANNEL, WordEmbedder, add_video

KINDS = ("dense", "bm25", "hybrid", "trajectory")


def run(database: Database, kind: str, query: Query, subqueries: tuple[str, ...] = (), **settings) -> SearchResult:
    chosen = RetrieverSettings(kind=kind, **settings)
    return search(database, CHANNEL, "en", chosen, WordEmbedder(), query, subqueries)


def ids(result: SearchResult) -> list[str]:
    return [hit.chunk_id for hit in result.hits]


def test_dense_orders_by_cosine_and_ties_by_id(corpus: Database) -> None:
    # "agents" is (1.1, .1, .1, .1, .1, .1), and so is "agents again": cosine 1. Then "agents agents". "agents
    # plan" and "agents and models" hold the same numbers in another order: equal cosines, so the ids decide.
    result = run(corpus, "dense", Query("agents", k=4))
    assert ids(result) == ["mar:00090", "mar:00000", "mar:00030", "mar:00060"]
    assert result.hits[0].score == pytest.approx(1, abs=1e-3)
    assert result.hits[2].score == pytest.approx(result.hits[3].score, abs=1e-6)


def test_bm25_score_by_hand(corpus: Database) -> None:
    # Term "price": in 2 of the 11 active units: idf = ln(1 + (11 - 2 + .5) / (2 + .5)) = ln 4.8.
    # Lengths in terms: jan 3, 2, 3; mar 2, 2, 2, 1 ("again" is a stop word); mar2 2, 2; jun 3, 2: 24 in all.
    # "prices rise": tf 1, length 2: 1 / (1 + 1.2 * (.25 + .75 * 2 / (24 / 11))); "agents cost a price" is longer.
    import math

    result = run(corpus, "bm25", Query("price"))
    assert ids(result) == ["jun:00030", "jan:00060"]
    expected = math.log(4.8) / (1 + 1.2 * (0.25 + 0.75 * 2 / (24 / 11)))
    assert result.hits[0].score == pytest.approx(expected, abs=1e-9)


def test_hybrid_is_the_sum_of_reciprocal_ranks(corpus: Database) -> None:
    result = run(corpus, "hybrid", Query("price", k=20))
    top = result.hits[0]
    why = top.why
    assert top.score == pytest.approx(1 / (60 + why["dense"]["rank"]) + 1 / (60 + why["bm25"]["rank"]))
    assert {hit.chunk_id for hit in result.hits} >= {"jan:00060", "jun:00030"}


def test_only_active_videos_in_the_window_and_of_the_named_ones(corpus: Database) -> None:
    def videos(kind: str, query: Query) -> set[str]:
        return {chunk_id.split(":")[0] for chunk_id in ids(run(corpus, kind, query))}

    for kind in KINDS:
        assert "old" not in videos(kind, Query("agents", k=50))
        spring = Query("agents models", k=50, since=date(2025, 3, 1), until=date(2025, 3, 20))
        assert videos(kind, spring) == {"mar", "mar2"}
        assert videos(kind, Query("agents models", k=50, until=date(2025, 3, 5))) == {"jan", "mar"}
        assert videos(kind, Query("agents", k=50, video_ids=("jun",))) == {"jun"}
        assert videos(kind, Query("agents", k=50, since=date(2031, 1, 1))) == set()


def test_the_thirteenth_search_equals_the_first_prepared_or_not(corpus: Database) -> None:
    query = Query("how did the view of agents and models evolve", k=5)
    first = [run(corpus, kind, query) for kind in KINDS]
    assert all([run(corpus, kind, query) for kind in KINDS] == first for _ in range(12))
    with corpus.engine.connect() as connection:  # the pool's one connection, from here on preparing at once
        connection.connection.driver_connection.prepare_threshold = 0  # type: ignore[union-attr]
    assert all([run(corpus, kind, query) for kind in KINDS] == first for _ in range(12))


HOSTILE = [
    "'; drop table chunks; -- \" \\ %s %(x)s :name {x}",
    "a & b | !c:* <-> (d) 'e",
    "エージェントについて",
    "агенты",
    "\x00 \ud800 nul",
    "??? --- !!!",
    "agents " * 10_000,
    " ".join(f"word{n}" for n in range(10_000)),
]


def test_any_query_is_only_a_query(corpus: Database) -> None:
    for kind in KINDS:
        for words in HOSTILE:
            assert len(run(corpus, kind, Query(words, k=3)).hits) <= 3
    assert ids(run(corpus, "dense", Query("'; drop table chunks; --", k=1)))


def test_an_empty_index_is_named(database: Database) -> None:
    for kind in KINDS:
        with pytest.raises(UserError, match="0 chunks in the index of channel `talks`"):
            run(database, kind, Query("agents"))


def test_an_unfinished_or_foreign_index_is_named(corpus: Database) -> None:
    class Other(WordEmbedder):
        model_id = "other"

    with pytest.raises(UserError, match="0 of 11 chunks of channel `talks` are embedded with `other`"):
        search(corpus, CHANNEL, "en", RetrieverSettings(kind="dense"), Other(), Query("agents"))
    assert search(corpus, CHANNEL, "en", RetrieverSettings(kind="bm25"), Other(), Query("agents")).hits


def test_an_empty_query_finds_nothing(corpus: Database) -> None:
    assert run(corpus, "dense", Query("  ")).hits == ()


def test_what_is_not_indexed_yet_is_not_found(corpus: Database) -> None:
    add_video(corpus, "new", "2025-07-01", ["agents agents"])
    assert "new:00000" not in ids(run(corpus, "hybrid", Query("agents", k=50)))


@pytest.mark.parametrize("kind", KINDS)
async def test_a_corpus_cut_after_a_day_is_searched_as_it_was_on_that_day(corpus: Database, kind: str) -> None:
    queries = [Query("price of agents"), Query("memory of agents", since=date(2025, 3, 1)), Query("rise", k=3)]
    before = [run(corpus, kind, query) for query in queries]
    add_video(corpus, "late", "2025-06-02", ["price price price", "agents rise", "memory of agents and of models"])
    await build_index(corpus, CHANNEL, WordEmbedder(), "en")
    chosen = RetrieverSettings(kind=kind)
    cut = [
        search(corpus, CHANNEL, "en", chosen, WordEmbedder(), query, until=date(2025, 6, 1)) for query in queries
    ]
    assert cut == before, "scores too: words of later videos weigh nothing"
    full = [run(corpus, kind, query) for query in queries]
    assert "late:00000" in ids(full[0])
