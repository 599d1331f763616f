from datetime import date

import pytest
from sqlalchemy import text

from answertrail_pipeline.errors import UserError
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
    # "agents" is (1.1, .1, .1, .1, .1, .1), and so is "agents again": cosine 1. "agents agents" comes next. "agents
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


@pytest.mark.parametrize("kind", KINDS)
def test_only_active_videos_in_the_window_and_of_the_named_ones(corpus: Database, kind: str) -> None:
    assert not any(one.startswith("old") for one in ids(run(corpus, kind, Query("agents", k=50))))
    spring = run(corpus, kind, Query("agents models", k=50, since=date(2025, 3, 1), until=date(2025, 3, 20)))
    assert {one.split(":")[0] for one in ids(spring)} == {"mar", "mar2"}
    until_5th = run(corpus, kind, Query("agents models", k=50, until=date(2025, 3, 5)))
    assert {one.split(":")[0] for one in ids(until_5th)} == {"jan", "mar"}
    june = run(corpus, kind, Query("agents", k=50, video_ids=("jun",)))
    assert {one.split(":")[0] for one in ids(june)} == {"jun"}


@pytest.mark.parametrize("kind", KINDS)
def test_the_fiftieth_search_equals_the_first(corpus: Database, kind: str) -> None:
    query = Query("how did the view of agents and models evolve", k=5)
    first = run(corpus, kind, query)
    assert all(run(corpus, kind, query) == first for _ in range(12))


def test_results_do_not_hang_on_prepared_statements(corpus: Database) -> None:
    query = Query("agents", k=3, since=date(2025, 3, 1), until=date(2025, 3, 31))
    unprepared = [run(corpus, kind, query) for kind in KINDS]
    with corpus.engine.connect() as connection:
        connection.connection.driver_connection.prepare_threshold = 0  # type: ignore[union-attr]
    prepared = [[run(corpus, kind, query) for kind in KINDS] for _ in range(12)]
    assert all(results == unprepared for results in prepared)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "words",
    [
        "'; drop table chunks; -- \" \\ %s %(x)s :name {x}",
        "a & b | !c:* <-> (d) 'e",
        "エージェントについて",
        "агенты",
        "\x00 \ud800 nul",
        "??? --- !!!",
        "agents " * 10_000,
        " ".join(f"word{n}" for n in range(10_000)),
    ],
)
def test_any_query_is_only_a_query(corpus: Database, kind: str, words: str) -> None:
    result = run(corpus, kind, Query(words, k=3))
    assert len(result.hits) <= 3
    with corpus.begin() as connection:
        assert connection.execute(text("select count(*) from chunks")).scalar() == 12


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_index_is_named(database: Database, kind: str) -> None:
    with pytest.raises(UserError, match="0 chunks in the index of channel `talks`"):
        run(database, kind, Query("agents"))


async def test_an_unfinished_or_foreign_index_is_named(corpus: Database) -> None:
    class Other(WordEmbedder):
        model_id = "other"

    with pytest.raises(UserError, match="0 of 11 chunks of channel `talks` are embedded with `other`"):
        search(corpus, CHANNEL, "en", RetrieverSettings(kind="dense"), Other(), Query("agents"))
    assert search(corpus, CHANNEL, "en", RetrieverSettings(kind="bm25"), Other(), Query("agents")).hits


def test_an_empty_query_finds_nothing(corpus: Database) -> None:
    assert run(corpus, "dense", Query("  ")).hits == ()


def test_what_is_not_indexed_yet_is_not_found(corpus: Database) -> None:
    add_video(corpus, "new", "2025-07-01", ["agents agents"])
    assert not any(one.startswith("new") for one in ids(run(corpus, "hybrid", Query("agents", k=50))))
