"""Claims as a second index: what is found by them, what never is, and what a search without them costs."""

import math
from datetime import date

import pytest
from pydantic import ValidationError
from sqlalchemy import text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.retrieval.claims import CLAIM_WEIGHT
from answertrail_pipeline.retrieval.index import build_index, claim_index_stage, term_stats_stage
from answertrail_pipeline.retrieval.search import search
from answertrail_pipeline.retrieval.types import Query, SearchResult
from answertrail_pipeline.settings import RetrieverSettings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import video_key
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.store.stage_run import run_stage
from answertrail_pipeline_tests.retrieval.conftest import CHANNEL, WordEmbedder, add_video

CLAIMS = {
    "jan": {"jan#c001": ("The device forgets.", ("jan:00000",)), "jan#c002": ("It rained.", ("jan:00030",))},
    "mar": {"mar#c001": ("Gizmos plan ahead.", ("mar:00030", "mar:00060"))},
    "mar2": {},
    "jun": {"jun#c001": ("A gizmo works.", ("jun:00000",)), "jun#c002": ("Gizmo prices rise.", ("jun:00030",))},
}
"""By video: claims that spell out what the chunks only mean. No chunk says `gizmo`."""


async def put_claims(database: Database, embedder: WordEmbedder, claims=CLAIMS) -> None:
    with database.begin() as connection:
        for video_id, said in claims.items():
            rows = [
                {"channel": CHANNEL, "claim_id": claim_id, "video_id": video_id, "text": words,
                 "confidence": "high", "chunk_ids": list(chunk_ids), "topics": [], "entities": []}
                for claim_id, (words, chunk_ids) in said.items()
            ]  # fmt: skip
            insert_rows(connection, "claims", rows)
            insert_rows(
                connection, "claim_numbers", [{"channel": CHANNEL, "video_id": video_id, "next_number": 9}]
            )
            connection.execute(
                text("insert into stage_run (stage, key, channel, input_hash, code_version, output_hash, state)"
                     " values ('claims', :key, :channel, '-', '1', :hash, 'done')"),
                {"key": video_key(CHANNEL, video_id), "channel": CHANNEL, "hash": str(sorted(said.items()))},
            )  # fmt: skip
    await run_stage(database, claim_index_stage(database, CHANNEL, embedder, "en"))


@pytest.fixture
async def claimed(corpus: Database, embedder: WordEmbedder) -> Database:
    await put_claims(corpus, embedder)
    return corpus


def run(database: Database, query: Query | str, left_out: tuple[str, ...] = (), **settings) -> SearchResult:
    chosen = RetrieverSettings(**{"kind": "trajectory", "claims": "clean", **settings})
    asked = query if isinstance(query, Query) else Query(query, k=20)
    return search(database, CHANNEL, "en", chosen, WordEmbedder(), asked, left_out=left_out)


def by_claims(result: SearchResult) -> dict[str, str]:
    """Return the chunks that were found by the words of a claim, each with that claim."""
    return {hit.chunk_id: hit.why["claims, bm25"]["claim"] for hit in result.hits if "claims, bm25" in hit.why}


@pytest.mark.parametrize("kind", ["hybrid", "trajectory"])
def test_a_claim_stands_for_the_chunks_that_state_it(claimed: Database, kind: str) -> None:
    assert by_claims(run(claimed, "gizmos", kind=kind)) == {
        "jun:00000": "jun#c001",
        "jun:00030": "jun#c002",
        "mar:00030": "mar#c001",
        "mar:00060": "mar#c001",
    }
    without = search(claimed, CHANNEL, "en", RetrieverSettings(kind=kind), WordEmbedder(), Query("gizmos", k=20))
    assert by_claims(without) == {}
    assert not any("claims, dense" in hit.why for hit in without.hits)


def test_a_claims_ranking_counts_half(claimed: Database) -> None:
    hits = {hit.chunk_id: hit for hit in run(claimed, "gizmos", kind="hybrid", rrf_k=60).hits}
    why = hits["jun:00000"].why
    expected = 1 / (60 + why["dense"]["rank"]) + CLAIM_WEIGHT * (
        1 / (60 + why["claims, dense"]["rank"]) + 1 / (60 + why["claims, bm25"]["rank"])
    )
    assert "bm25" not in why
    assert hits["jun:00000"].score == pytest.approx(expected)


@pytest.mark.parametrize("kind", ["hybrid", "trajectory"])
def test_a_claim_that_is_left_out_finds_nothing_and_weighs_no_word(claimed: Database, kind: str) -> None:
    cited = ("jun#c001", "mar#c001")
    result = run(claimed, "gizmos", cited, kind=kind)
    assert by_claims(result) == {"jun:00030": "jun#c002"}
    assert not {hit.why["claims, dense"]["claim"] for hit in result.hits if "claims, dense" in hit.why} & set(
        cited
    )
    # Left are 3 claims: "the device forgets" (2 terms), "it rained" (1), "gizmo prices rise" (3): 2 on average.
    # "gizmo" is in one of them: ln(1 + (3 - 1 + .5) / (1 + .5)) * 1 / (1 + 1.2 * (.25 + .75 * 3 / 2)).
    [hit] = [hit for hit in result.hits if hit.chunk_id == "jun:00030"]
    assert hit.why["claims, bm25"]["score"] == pytest.approx(
        math.log(1 + 2.5 / 1.5) / (1 + 1.2 * (0.25 + 0.75 * 3 / 2)), abs=1e-6
    )


def test_a_claim_is_found_in_its_videos_window_and_state_only(claimed: Database) -> None:
    spring = Query("gizmos", k=20, since=date(2025, 3, 1), until=date(2025, 3, 31))
    assert set(by_claims(run(claimed, spring))) == {"mar:00030", "mar:00060"}
    until = search(
        claimed, CHANNEL, "en", RetrieverSettings(kind="trajectory", claims="clean"), WordEmbedder(),
        Query("gizmos", k=20), until=date(2025, 5, 1),
    )  # fmt: skip
    assert set(by_claims(until)) == {"mar:00030", "mar:00060"}
    with claimed.begin() as connection:
        connection.execute(text("update videos set state = 'retired' where video_id = 'mar'"))
    assert set(by_claims(run(claimed, "gizmos"))) == {"jun:00000", "jun:00030"}


async def test_chunks_are_searched_as_if_there_were_no_claims(corpus: Database, embedder: WordEmbedder) -> None:
    queries = [Query("price of agents", k=20), Query("memory", k=3)]

    def everything() -> list[SearchResult]:
        return [
            search(corpus, CHANNEL, "en", RetrieverSettings(kind=kind), WordEmbedder(), query)
            for kind in ("dense", "bm25", "hybrid", "trajectory")
            for query in queries
        ]

    before = everything()
    await put_claims(corpus, embedder)
    assert (await run_stage(corpus, term_stats_stage(corpus, CHANNEL))).computed == 0
    assert everything() == before


async def test_only_claims_that_changed_are_indexed_again(claimed: Database, embedder: WordEmbedder) -> None:
    stage = claim_index_stage(claimed, CHANNEL, embedder, "en")
    assert (await run_stage(claimed, stage)).computed == 0
    with claimed.begin() as connection:
        connection.execute(text("update claims set text = 'Widgets plan.' where claim_id = 'mar#c001'"))
        connection.execute(
            text("update stage_run set output_hash = 'new' where stage = 'claims' and key = :key"),
            {"key": video_key(CHANNEL, "mar")},
        )
    assert (await run_stage(claimed, stage)).computed == 1
    assert set(by_claims(run(claimed, "widgets"))) == {"mar:00030", "mar:00060"}


async def test_an_unfinished_index_of_claims_is_named(corpus: Database, embedder: WordEmbedder) -> None:
    with pytest.raises(UserError, match="claims of 4 of 4 videos of channel `talks` are not extracted"):
        run(corpus, "agents")
    await put_claims(corpus, embedder)
    add_video(corpus, "new", "2025-07-01", ["agents agents"])
    await build_index(corpus, CHANNEL, embedder, "en")
    with pytest.raises(UserError, match="claims of 1 of 5 videos"):
        run(corpus, "agents")

    class Other(WordEmbedder):
        model_id = "words-2"

    await build_index(corpus, CHANNEL, Other(), "en")
    with corpus.begin() as connection:
        insert_rows(connection, "claim_numbers", [{"channel": CHANNEL, "video_id": "new", "next_number": 1}])
    settings = RetrieverSettings(kind="trajectory", claims="clean")
    with pytest.raises(
        UserError, match="claims of 3 of 5 videos of channel `talks` are not indexed with `words-2`"
    ):
        search(corpus, CHANNEL, "en", settings, Other(), Query("agents"))


@pytest.mark.parametrize("kind", ["dense", "bm25"])
def test_a_retriever_of_one_ranking_takes_no_claims(kind: str) -> None:
    with pytest.raises(ValidationError, match="searched by `hybrid` and `trajectory`"):
        RetrieverSettings(kind=kind, claims="clean")
