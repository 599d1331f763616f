from datetime import date

from answertrail_pipeline.gold.threads import DatedClaim, by_month, make_threads
from answertrail_pipeline.gold.topics import TopicRules
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.settings import GoldSettings, Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.gold.channel import make_claims, make_threads_of, put_video, rows

RULES = TopicRules({}, ())


def claim(video: str, day: str, *topics: str, number: int = 1) -> DatedClaim:
    return DatedClaim(f"{video}#c{number:03d}", video, date.fromisoformat(day), "said", topics)


def test_a_thread_needs_videos_and_days() -> None:
    claims = [
        claim("a", "2025-01-01", "kiln", "glaze", "clay"),
        claim("b", "2025-02-01", "Kilns", "glaze", "clay"),
        claim("c", "2025-04-01", "kiln", "clay"),  # 90 days after the first: 30 + 28 + 31 + 1
        claim("d", "2025-03-31", "glaze"),  # glaze: 3 videos, but 89 days
    ]
    (clay, kiln) = make_threads(claims, RULES, GoldSettings(), videos=4)
    assert (clay.topic, kiln.topic) == ("clay", "kiln")
    assert (kiln.videos, kiln.days) == (3, 90)
    assert [c.claim_id for c in kiln.claims] == ["a#c001", "b#c001", "c#c001"]
    assert by_month(kiln.claims) == {"2025-01": 1, "2025-02": 1, "2025-04": 1}


def test_what_more_than_half_the_videos_speak_of_is_no_thread() -> None:
    claims = [claim(f"v{i}", f"2025-{i:02d}-01", "pottery", *(["kiln"] if i < 6 else [])) for i in range(1, 13)]
    assert [thread.topic for thread in make_threads(claims, RULES, GoldSettings(), videos=12)] == ["kiln"]
    # in a channel of fewer than ten videos everything may be common
    few = make_threads(claims[:4], RULES, GoldSettings(), videos=4)
    assert [thread.topic for thread in few] == ["kiln", "pottery"]


def test_a_part_of_a_longer_topic_is_no_thread_of_its_own() -> None:
    claims = [claim(f"v{i}", f"2025-{3 * i:02d}-01", "hugging face", "face") for i in range(1, 4)]
    assert [thread.topic for thread in make_threads(claims, RULES, GoldSettings(), videos=3)] == ["hugging face"]


def spoken(number: int, said: str, *topics: str) -> DatedClaim:
    return claim(f"v{number:02d}", f"2025-{number:02d}-01", *topics)._replace(text=said)


def test_who_speaks_is_no_topic() -> None:
    claims = [spoken(i, "Ada Lane: Ada Lane and Rustin fire a kiln.", "Ada Lane", "rustin") for i in (1, 4, 8)]
    assert [thread.topic for thread in make_threads(claims, RULES, GoldSettings(), videos=3)] == ["rustin"]


def test_a_word_whose_claims_speak_of_longer_topics_is_no_thread() -> None:
    claims = [claim(f"c{i}", f"2025-{3 * i:02d}-01", "cork seal", "seal") for i in (1, 2, 3)]
    claims += [claim(f"r{i}", f"2025-{3 * i:02d}-02", "rubber seal", "seal") for i in (1, 2, 3)]
    claims += [claim(f"s{i}", f"2025-{3 * i:02d}-03", "seal") for i in (1, 2, 3)]
    # 6 of the 9 claims of "seal" (0.67) speak of two longer topics; neither alone covers it
    assert [t.topic for t in make_threads(claims, RULES, GoldSettings(), videos=9)] == ["cork seal", "rubber seal"]
    claims += [claim(f"s{i}", f"2025-{i:02d}-04", "seal") for i in (5, 6)]  # 6 of 11: 0.55
    assert "seal" in [t.topic for t in make_threads(claims, RULES, GoldSettings(), videos=9)]


def test_a_common_word_that_is_scattered_is_no_thread_but_a_name_or_a_matter_is() -> None:
    claims = [spoken(i, "The report of Pellam names a barrel.", "report", "pellam", "barrel") for i in (1, 4, 8)]
    again = [spoken(i, "A barrel leaks.", "barrel")._replace(claim_id=f"v{i:02d}#c002") for i in (1, 4, 8)]
    found = make_threads([*claims, *again], RULES, GoldSettings(), videos=12)
    assert [t.topic for t in found] == ["barrel", "pellam"]  # a barrel twice in each video, a report once


async def test_the_stage_follows_the_claims_and_stops_where_nothing_changes(
    database: Database, door: Door, settings: Settings
) -> None:
    for video, day, price in [("a", "2025-01-01", 240), ("b", "2025-03-01", 260), ("c", "2025-06-01", 300)]:
        said = f"The kiln rent is {price} dollars a month now, much more than before. I paid the kiln rent."
        put_video(database, video, day, [said])
    await make_claims(database, door, settings)
    assert (await make_threads_of(database, settings)).computed == 1
    (thread,) = rows(database, "select * from threads where channel = :channel and topic = 'kiln rent'")
    assert (thread["videos"], str(thread["first_date"]), str(thread["last_date"])) == (
        3,
        "2025-01-01",
        "2025-06-01",
    )
    assert (await make_threads_of(database, settings)).computed == 0
    put_video(database, "c", "2025-06-01", ["Nothing about pottery is said here."])
    await make_claims(database, door, settings)
    assert (await make_threads_of(database, settings)).computed == 1
    assert rows(database, "select 1 from threads where channel = :channel and topic = 'kiln rent'") == []
