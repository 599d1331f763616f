from datetime import date

from answertrail_pipeline.gold.adjudication import decide
from answertrail_pipeline.gold.questions import as_written, changed_share, evenly, recompose
from answertrail_pipeline.gold.sample import Sample, draw, new_sample
from answertrail_pipeline.gold.store import StoredClaim
from answertrail_pipeline.gold.threads import DatedClaim
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.gold.channel import CHANNEL, put_video, rows
from answertrail_pipeline_tests.gold.made import propose, put_pottery, questions


def stored(number: int, day: str) -> StoredClaim:
    return StoredClaim(f"v#c{number:03d}", "v", date.fromisoformat(day), "said", (), (), ("v:00000",), ())


def test_a_long_thread_is_sampled_evenly_over_time() -> None:
    # nine claims on one day and one on the last: two are taken, one from each half
    claims = [*(stored(i, "2025-01-01") for i in range(1, 10)), stored(10, "2025-12-31")]
    assert [claim.claim_id for claim in evenly(claims, 2)] == ["v#c001", "v#c010"]
    assert evenly(claims, 10) == claims


def test_the_share_of_changed_claims_counts_what_came_went_and_changed() -> None:
    # of a, b, c, d: b changed, c went, d came
    assert changed_share({"a": "1", "b": "1", "c": "1"}, {"a": "1", "b": "2", "d": "1"}) == 3 / 4
    assert changed_share({}, {}) == 0.0


def test_a_topic_is_written_as_the_claims_write_it() -> None:
    assert as_written("gpt 5", ["GPT-5 is out", "gpt-5", "GPT-5 again"]) == "GPT-5"
    assert as_written("kiln", ["nothing"]) == "kiln"


def test_the_draw_has_bins_of_equal_count_and_an_upload_moves_nothing() -> None:
    claims = [
        DatedClaim(f"v{i:02d}#c001", f"v{i:02d}", date(2025, 1 + i // 2, 1 + i % 2), "said", ()) for i in range(20)
    ]
    first = draw(claims, "first", 7, 5)
    assert [len(order) for order in first.bins] == [4, 4, 4, 4, 4]
    assert set(first.bins[0]) == {"v00", "v01", "v02", "v03"}
    assert first == draw(list(reversed(claims)), "first", 7, 5)
    assert first.bins != draw(claims, "first", 8, 5).bins


def test_a_video_without_a_question_is_followed_by_the_next_of_its_bin() -> None:
    sample = Sample("first", 7, (("a", "b", "c"), ("d", "e", "f")))
    assert sample.videos(1) == ["a", "d"]
    assert sample.videos(1, frozenset({"a"})) == ["a", "b", "d"]
    assert sample.videos(2, frozenset({"d", "e"})) == ["a", "b", "d", "e", "f"]


async def test_proposals_are_made_once_and_an_upload_redraws_nothing(
    database: Database, door: Door, settings: Settings
) -> None:
    put_pottery(database)
    report = await propose(database, door, settings)
    assert (report.computed, dict(report.errors)) == (report.units, {})
    factual, longitudinal = questions(database, tier="factual"), questions(database, tier="longitudinal")
    assert len(factual) == 3
    assert {row["text"] for row in longitudinal} >= {
        "How did the figures given for kiln rent develop from January 2025 through September 2025?"
    }
    assert all(row["claim_ids"] and row["chunk_ids"] for row in factual + longitudinal)
    assert (await propose(database, door, settings)).computed == 0
    put_video(
        database, "d", "2025-10-30", ["The wheel costs 900 dollars, more than the Harwick wheel before."] * 2
    )
    await propose(database, door, settings)
    assert questions(database, tier="factual") == factual
    new_sample(database, CHANNEL, "second", settings.gold)
    await propose(database, door, settings)
    assert len(questions(database, tier="factual")) == 4


async def test_a_decided_proposal_is_never_replaced_and_a_newer_one_stands_beside_it(
    database: Database, door: Door, settings: Settings
) -> None:
    put_pottery(database)
    await propose(database, door, settings)
    (kept,) = questions(database, unit_key=f"{CHANNEL}/factual/a")
    (open_one,) = questions(database, unit_key=f"{CHANNEL}/factual/b")
    decide(database, CHANNEL, "question", kept["question_id"], "keep", "Ada")
    for video in ("a", "b"):
        put_video(
            database, video, "2025-01-10", ["The Harwick market sells 5000 bowls a year, more than 40 mugs."] * 2
        )
    report = await propose(database, door, settings)
    after = questions(database, unit_key=f"{CHANNEL}/factual/a")
    assert [row["text"] for row in after] == [kept["text"]]
    (replaced,) = questions(database, unit_key=f"{CHANNEL}/factual/b")
    assert replaced["text"] != open_one["text"]
    recompose(database, CHANNEL, f"{CHANNEL}/factual/a")
    report = await propose(database, door, settings)
    assert report.computed == 1
    both = questions(database, unit_key=f"{CHANNEL}/factual/a")
    (revision,) = (row for row in both if row["question_id"] != kept["question_id"])
    assert revision["detail"]["revises"] == [kept["question_id"]]
    assert revision["state"] == "proposed"


async def test_a_small_change_of_a_thread_opens_nothing(
    database: Database, door: Door, settings: Settings
) -> None:
    said = "The kiln rent is {} dollars a month now, much more than before. We paid the kiln rent."
    for i in range(1, 9):  # as many videos on something else, or the topic would be what the channel is about
        put_video(
            database, f"other{i}", "2025-01-01", ["The Harwick studio sold 900 mugs, more than Harwick before."]
        )
    for i in range(1, 6):
        put_video(database, f"v{i}", f"2025-{i:02d}-01", [said.format(200 + i)])
    await propose(database, door, settings)
    before = questions(database, tier="longitudinal")
    put_video(database, "v6", "2025-06-01", [said.format(300)])  # 1 of 6 changed: 0.17 is less than 0.2
    await propose(database, door, settings)
    assert questions(database, tier="longitudinal") == before
    for i in range(7, 9):  # 3 of 8
        put_video(database, f"v{i}", f"2025-{i:02d}-01", [said.format(300 + i)])
    await propose(database, door, settings)
    (after,) = (row for row in questions(database, tier="longitudinal") if row["thread_id"] == "kiln-rent")
    assert "August 2025" in after["text"]


async def test_why_a_thread_was_rejected_is_kept(database: Database, door: Door, settings: Settings) -> None:
    for i in (1, 5, 9):
        said = "The kiln shelf is made of 12 bricks in Harwick. The kiln shelf is in Harwick."
        put_video(database, f"v{i}", f"2025-0{i}-01", [said])
    await propose(database, door, settings)
    rejected = rows(database, "select unit_key, reason from compositions where channel = :channel"
                              " and outcome = 'rejected'")  # fmt: skip
    assert f"{CHANNEL}/longitudinal/kiln-shelf" in {row["unit_key"] for row in rejected}
    assert all(row["reason"] for row in rejected)
