from datetime import date

from answertrail_pipeline.retrieval.search import search
from answertrail_pipeline.retrieval.types import Query
from answertrail_pipeline.settings import RetrieverSettings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.retrieval.conftest import CHANNEL, WordEmbedder
from answertrail_pipeline_tests.retrieval.test_search import ids, run

QUESTION = "How did the creator's view of agents evolve from January 2025 through June 2025?"


def test_with_a_floor_no_period_is_silent(corpus: Database) -> None:
    # Budget 10: 4 floors at most (40%), so quarters, of which the span touches two: Jan-Mar and Apr-Jun.
    result = run(corpus, "trajectory", Query(QUESTION, k=10))
    assert result.log["queries"] == ["agents"]
    assert result.log["span"] == {"since": "2025-01-10", "until": "2025-06-01", "from": "question"}
    assert [row["period"] for row in result.coverage] == ["2025 Q1", "2025 Q2"]
    assert sum(row["chunks"] for row in result.coverage) == len(result.hits) == 10
    assert [hit.published_at for hit in result.hits] == sorted(hit.published_at for hit in result.hits)
    # Budget 3: one floor at most, so one period; March says most of agents and takes every place ...
    assert {one.split(":")[0] for one in ids(run(corpus, "trajectory", Query(QUESTION, k=3)))} == {"mar"}
    # ... while a budget of 5 gives each quarter a floor: the one chunk of June that speaks of agents comes in.
    five = run(corpus, "trajectory", Query(QUESTION, k=5), floor=1, spread=1)
    assert "jun:00000" in ids(five)
    [june] = [hit for hit in five.hits if hit.chunk_id == "jun:00000"]
    assert june.why["period"] == "2025 Q2"
    assert june.why["inside"]["dense"]["rank"] == 1


def test_a_loud_month_leaves_room_for_a_silent_one(corpus: Database) -> None:
    # By meaning and by words "agents": March holds four of the five best, June the sixth.
    assert "jun:00000" not in ids(run(corpus, "trajectory", Query(QUESTION, k=5), spread=1))
    assert "jun:00000" in ids(run(corpus, "trajectory", Query(QUESTION, k=5), spread=0.5))


def test_the_topic_is_ranked_by_its_pairs_of_words_too(corpus: Database) -> None:
    # "models remember" is a pair of one chunk; "memory of models" holds no pair of the query.
    hits = {hit.chunk_id: hit for hit in run(corpus, "trajectory", Query("models remember models", k=20)).hits}
    assert hits["mar2:00000"].why["pairs"]["rank"] == 1
    assert [one for one, hit in hits.items() if "pairs" in hit.why] == ["mar2:00000"]
    asked = run(corpus, "trajectory", Query("models", k=20), ("models remember",))
    assert not [hit for hit in asked.hits if "pairs" in hit.why], "sub-queries are not ranked by pairs"


def test_months_that_hold_no_video_are_reported(corpus: Database) -> None:
    result = run(corpus, "trajectory", Query(QUESTION, k=50))
    by_month = {row["period"]: row for row in result.coverage}
    assert list(by_month) == ["2025-01", "2025-02", "2025-03", "2025-04", "2025-05", "2025-06"]
    assert [name for name, row in by_month.items() if row["empty"]] == ["2025-02", "2025-04", "2025-05"]
    assert (by_month["2025-03"]["videos"], by_month["2025-03"]["chunks"]) == (2, 6)
    assert by_month["2025-02"]["best_score"] is None
    gap = by_month["2025-06"]
    window = Query("agents", k=5, since=date.fromisoformat(gap["since"]), until=date.fromisoformat(gap["until"]))
    assert ids(run(corpus, "trajectory", window)) == ["jun:00000", "jun:00030"]


def test_subqueries_are_added_to_the_topic_and_counted(corpus: Database) -> None:
    asked = ("prices of agents", "agents", "weather report")

    def queries(most: int) -> list[str]:
        settings = RetrieverSettings(kind="trajectory", k=3, subqueries=most)
        return search(corpus, CHANNEL, "en", settings, WordEmbedder(), Query(QUESTION), asked).log["queries"]

    assert queries(3) == ["agents", "prices of agents", "weather report"]
    assert queries(0) == ["agents"]


def test_without_spreading_it_is_the_fused_ranking(corpus: Database) -> None:
    plain = run(corpus, "hybrid", Query("agents", k=5))
    bare = run(corpus, "trajectory", Query("agents", k=5), spread=1, rrf_k=60)
    assert {(hit.chunk_id, hit.score) for hit in bare.hits} == {(hit.chunk_id, hit.score) for hit in plain.hits}
