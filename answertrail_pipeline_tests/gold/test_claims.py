from answertrail_pipeline.gold.claims import (
    Claim,
    merge_claims,
    number_claims,
    resolve_claim,
    unheard_names,
    window_starts,
)
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.tasks.extract_claims import ExtractedClaim
from answertrail_pipeline_tests.gold.channel import make_claims, put_video, rows

FIRST = (
    "Hello everyone. The kiln at Harwick costs 240 dollars a month now. Glaze tests are cheaper than kiln time."
)
SECOND = "I think the kiln should be fired at 1220 degrees. Thanks for watching and subscribe."
CLAIMS = (
    "select claim_id, text, chunk_ids, confidence, flags from claims where channel = :channel order by claim_id"
)


def claim(text: str, *chunk_ids: str) -> Claim:
    return Claim(text, chunk_ids or ("v:00000",), (), (), "high")


def test_windows_cover_a_long_video_and_share_their_edges() -> None:
    assert window_starts(0) == []
    assert window_starts(100) == [0]
    assert window_starts(120) == [0]
    # 121 chunks: the second window begins 4 before the end of the first (120 - 4 = 116)
    assert window_starts(121) == [0, 116]
    assert window_starts(240) == [0, 116, 232]


def test_a_claim_keeps_only_the_chunks_that_exist() -> None:
    given = ExtractedClaim(text="The kiln costs 240 dollars.", chunks=(7, 1, -1, 1), confidence="high")
    found = resolve_claim(given, ["v:00000", "v:00030"], ["", "the kiln costs 240 dollars"])
    assert found is not None
    assert found.chunk_ids == ("v:00030",)
    nowhere = given.model_copy(update={"chunks": (2, 9)})
    assert resolve_claim(nowhere, ["v:00000", "v:00030"], ["", ""]) is None


def test_a_name_that_the_chunks_do_not_have_is_flagged() -> None:
    heard = "so q1 2.5 got better than llama three at this"
    assert unheard_names("The speaker says Qwen 2.5 beats Llama 3.", heard) == ["Qwen"]
    assert unheard_names("The speaker says Llama wins.", heard) == []


def test_claims_that_say_the_same_are_merged_and_another_number_is_another_claim() -> None:
    merged = merge_claims(
        [
            claim("The kiln costs 240 dollars a month.", "v:00000"),
            claim("The kiln costs 260 dollars a month.", "v:00030"),
            claim("the kiln costs 240 dollars a month", "v:00060"),
        ],
        "en",
    )
    assert [(c.text, c.chunk_ids) for c in merged] == [
        ("The kiln costs 240 dollars a month.", ("v:00000", "v:00060")),
        ("The kiln costs 260 dollars a month.", ("v:00030",)),
    ]


def test_an_unchanged_claim_keeps_its_number_and_no_number_is_given_twice() -> None:
    before = [(1, "The kiln costs 240 dollars a month."), (2, "Glaze is cheap."), (4, "Clay is heavy.")]
    now = [claim("Clay is heavy."), claim("The kiln costs 260 dollars a month."), claim("Glaze is cheap!")]
    assert number_claims(now, before, 5, "en") == [4, 5, 2]


async def test_a_video_is_read_once_and_again_only_when_its_chunks_change(
    database: Database, door: Door, settings: Settings
) -> None:
    put_video(database, "v", "2025-01-02", [FIRST, SECOND, "INVENTED The kiln costs 999 dollars a month in 2031."])
    assert (await make_claims(database, door, settings)).computed == 1
    first = rows(database, CLAIMS)
    assert [(row["claim_id"], row["text"], row["chunk_ids"]) for row in first] == [
        ("v#c001", "The kiln at Harwick costs 240 dollars a month now.", ["v:00000"]),
        ("v#c002", "Glaze tests are cheaper than kiln time.", ["v:00000"]),
        ("v#c003", "I think the kiln should be fired at 1220 degrees.", ["v:00030"]),
    ]
    assert (await make_claims(database, door, settings)).computed == 0
    hashes = "select output_hash from stage_run where stage = 'claims' and channel = :channel"
    before = rows(database, hashes)

    put_video(database, "v", "2025-01-02", [FIRST + " Okay then.", SECOND])
    assert (await make_claims(database, door, settings)).computed == 1
    assert rows(database, CLAIMS) == first
    assert rows(database, hashes) == before  # a cosmetic change stops here

    put_video(database, "v", "2025-01-02", [FIRST.replace("240", "260"), SECOND])
    await make_claims(database, door, settings)
    assert [row["claim_id"] for row in rows(database, CLAIMS)] == ["v#c002", "v#c003", "v#c004"]
    assert rows(database, hashes) != before


async def test_a_blocked_video_is_skipped(database: Database, door: Door, settings: Settings) -> None:
    put_video(database, "good", "2025-01-02", [FIRST])
    put_video(database, "bad", "2025-01-02", [FIRST], blocked="no captions")
    report = await make_claims(database, door, settings)
    assert (report.computed, report.blocked) == (1, 1)
    assert {row["claim_id"] for row in rows(database, CLAIMS)} == {"good#c001", "good#c002"}
