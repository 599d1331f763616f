"""Deciding by plain forms: keep, cut, edit, undo, split; and two people at once."""

import re

from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.gold.channel import CHANNEL, rows
from answertrail_pipeline_tests.workbench import library
from answertrail_pipeline_tests.workbench.conftest import Enter

FIRST = f"/c/{CHANNEL}/questions/fc-00000000"


def log(database: Database) -> list[tuple[str, str, str]]:
    found = rows(database, "select item_id, decision, reviewer from adjudications order by adjudication_id")
    return [(row["item_id"], row["decision"], row["reviewer"]) for row in found]


def states(database: Database, table: str = "questions") -> list[str]:
    order = "question_id" if table == "questions" else "question_id, length(nugget_id), nugget_id"
    return [row["state"] for row in rows(database, f"select state from {table} order by {order}")]


def test_somebody_without_a_name_is_asked_for_it_and_comes_back(enter: Enter, database: Database) -> None:
    library.put_library(database, 1)
    nobody = enter("")
    asked = nobody.client.get(f"{FIRST}?queue=all")
    assert asked.url.path == "/name"
    assert nobody.submit(asked.text, "/name", name=" Ada  Byron ").count("Ada Byron") == 1
    refused = nobody.client.post(f"/c/{CHANNEL}/decide", data={"csrf": nobody.csrf(), "item_id": "fc-00000000",
                                                              "kind": "question", "decision": "keep"})  # fmt: skip
    assert refused.status_code == 200
    assert log(database) == [("fc-00000000", "keep", "Ada Byron")]


def test_keeping_leads_to_the_next_and_counts_down(enter: Enter, database: Database) -> None:
    library.put_library(database, 3)
    ada = enter("Ada")
    page = ada.get(FIRST)
    assert "<b>3</b> questions left" in page
    page = ada.submit(page, "/decide", ("decision", "keep"))
    assert "studio 1 &lt;script" in page
    assert "<b>2</b> questions left" in page
    page = ada.submit(page, "/undo")
    assert "studio 0 &lt;script" in page
    assert states(database) == ["proposed"] * 3
    assert log(database) == [("fc-00000000", "keep", "Ada"), ("fc-00000000", "undo", "Ada")]


def test_the_queue_goes_round_to_what_was_passed_over(enter: Enter, database: Database) -> None:
    library.put_library(database, 3)
    ada = enter("Ada")
    page = ada.submit(ada.get(f"/c/{CHANNEL}/questions/fc-00000002"), "/decide", ("decision", "keep"))
    assert "studio 0 &lt;script" in page
    page = ada.submit(page, "/decide", ("decision", "segregate"))
    assert "studio 1 &lt;script" in page
    page = ada.submit(page, "/decide", reason_code="unspecific", reason="of what?", decision="cut")
    assert "Nothing waits for you" in page
    assert states(database) == ["segregated", "cut", "kept"]


def test_proposals_with_warnings_come_last(enter: Enter, database: Database) -> None:
    library.put_library(database, 5)  # the fourth has a warning
    listed = re.findall(r"<code>(fc-\d+)</code>", enter("Ada").get(f"/c/{CHANNEL}/questions"))
    assert [key[-1] for key in listed] == ["0", "1", "2", "4", "3"]


def test_the_list_is_filtered_by_words(enter: Enter, database: Database) -> None:
    library.put_library(database, 12)
    page = enter("Ada").get(f"/c/{CHANNEL}/questions?find=STUDIO+1")  # studio 1, 10, 11
    assert re.findall(r"<code>fc-0+(\d+)</code>", page) == ["1", "10", "11"]
    assert "No question here" in enter("Bob").get(f"/c/{CHANNEL}/questions?find=100%25_")


def test_a_cut_without_a_reason_is_refused_on_its_page(enter: Enter, database: Database) -> None:
    library.put_library(database, 1)
    ada = enter("Ada")
    assert "A cut needs a reason." in ada.submit(ada.get(FIRST), "/decide", decision="cut")
    assert log(database) == []


def test_an_edit_keeps_the_old_text_and_may_keep_at_once(enter: Enter, database: Database) -> None:
    library.put_library(database, 2)
    ada = enter("Ada")
    page = ada.submit(ada.get(FIRST), "/decide", ("then", "keep"), new_text="What was the rent?", decision="edit")
    assert "studio 1 &lt;script" in page
    assert log(database) == [("fc-00000000", "edit", "Ada"), ("fc-00000000", "keep", "Ada")]
    found = rows(database, "select text, state from questions where question_id = 'fc-00000000'")
    assert [(row["text"], row["state"]) for row in found] == [("What was the rent?", "kept")]
    assert "<del>What was the kiln rent of studio 0 &lt;script" in ada.get(f"{FIRST}?queue=all")


def test_a_decision_on_a_text_that_changed_is_refused_and_what_was_typed_is_kept(
    enter: Enter, database: Database
) -> None:
    library.put_library(database, 1)
    ada, bob = enter("Ada"), enter("Bob")
    before = bob.get(FIRST)
    ada.submit(ada.get(FIRST), "/decide", ("then", ""), new_text="What was the rent?", decision="edit")
    page = bob.submit(before, "/decide", ("then", "keep"), new_text="My own words?", decision="edit")
    assert "has changed since you saw it" in page
    assert "My own words?" in page
    assert ">What was the rent?</h1>" in page
    assert log(database) == [("fc-00000000", "edit", "Ada")]


def test_two_at_once_lose_nothing_and_the_later_sees_the_conflict(enter: Enter, database: Database) -> None:
    library.put_library(database, 2)
    ada, bob = enter("Ada"), enter("Bob")
    seen_by_ada, seen_by_bob = ada.get(FIRST), bob.get(FIRST)
    assert "studio 1" in ada.submit(seen_by_ada, "/decide", ("decision", "keep"))
    page = bob.submit(seen_by_bob, "/decide", decision="cut", reason_code="unnatural")
    assert "Somebody else decided on this while you looked at it" in page
    assert "studio 0 &lt;script" in page  # Bob stays
    assert "<b>Ada</b> said" in page
    assert log(database) == [("fc-00000000", "keep", "Ada"), ("fc-00000000", "cut", "Bob")]

    ada.submit(ada.get(f"/c/{CHANNEL}/questions/fc-00000001"), "/decide", ("decision", "keep"))
    for item in ("fc-00000001/n1",):
        ada.post(f"/c/{CHANNEL}/decide", kind="nugget", item_id=item, decision="keep")
    assert "on 1 item reviewers differ" in ada.post(f"/c/{CHANNEL}/gold", 400, policy="people")

    third = enter("Carol")
    page = third.get(f"/c/{CHANNEL}/differences")
    assert "<dt>Ada</dt>" in page
    assert "<dt>Bob</dt>" in page
    assert "nobody would ask it so" in page
    page = third.submit(page, "/decide", ("decision", "keep"))
    assert "Nobody differs" in page
    assert states(database) == ["kept", "kept"]


def test_a_second_reviewer_decides_without_seeing_the_first(enter: Enter, database: Database) -> None:
    library.put_library(database, 2)
    ada, bob = enter("Ada"), enter("Bob")
    ada.submit(ada.get(FIRST), "/decide", reason_code="unspecific", reason="ada-says-so", decision="cut")
    page = bob.get(f"{FIRST}?queue=mine")
    for told in ("ada-says-so", "Ada", 'class="state cut"'):
        assert told not in page
    assert "<b>2</b> questions left" in page
    page = bob.submit(page, "/decide", ("decision", "keep"))
    assert "studio 1 &lt;script" in page  # no word of the difference until he has decided on all
    assert "<b>1</b> question left" in page
    assert "<dt>Ada</dt>" in bob.get(f"/c/{CHANNEL}/differences")


def test_a_bundled_nugget_is_split_and_a_window_is_read(enter: Enter, database: Database) -> None:
    library.put_library(database, 1)
    ada = enter("Ada")
    ada.submit(ada.get(FIRST), "/decide", ("decision", "keep"))
    page = ada.get(f"/c/{CHANNEL}/nuggets/fc-00000000")
    assert "at least two" in ada.submit(page, "/split", parts="It was 240 dollars.")
    page = ada.submit(page, "/split", parts="It was 240 dollars.\n\nIt was paid late.\n")
    assert "All 3 nuggets are decided." in page
    assert states(database, "nuggets") == ["cut", "kept", "kept"]
    made = rows(
        database, "select text, written_by, chunk_ids from nuggets where nugget_id <> 'n1' order by nugget_id"
    )
    assert [(row["text"], row["written_by"], row["chunk_ids"]) for row in made] == [
        ("It was 240 dollars.", "Ada", ["v1:00000"]),
        ("It was paid late.", "Ada", ["v1:00000"]),
    ]


def test_the_windows_line_says_how_words_are_read(enter: Enter) -> None:
    client = enter("Ada").client
    read = client.get("/window", params={"text": "early 2025"})
    assert read.text == "1 January 2025 to 30 April 2025"  # early is January to April
    assert read.headers["x-readable"] == "yes"
    read = client.get("/window", params={"text": "soonish"})
    assert "not a time that can be read" in read.text
    assert read.headers["x-readable"] == "no"


def test_an_added_nugget_must_have_words_and_a_kind(enter: Enter, database: Database) -> None:
    library.put_library(database, 1)
    ada = enter("Ada")
    fields = {"question_id": "fc-00000000", "kind": "fact", "text": "It was 240 dollars."}
    assert "has no words" in ada.post(f"/c/{CHANNEL}/nugget", 400, **{**fields, "text": " "})
    assert "no kind of nugget" in ada.post(f"/c/{CHANNEL}/nugget", 400, **{**fields, "kind": "joke"})
    assert "It was 240 dollars." in ada.post(f"/c/{CHANNEL}/nugget", **fields)
    assert states(database, "nuggets") == ["proposed", "kept"]


def test_gold_is_frozen_and_compared(enter: Enter, database: Database) -> None:
    library.put_library(database, 2)
    ada = enter("Ada")
    assert "2 questions wait" in ada.get(f"/c/{CHANNEL}/gold")
    for key in ("fc-00000000", "fc-00000001"):
        ada.post(f"/c/{CHANNEL}/decide", kind="question", item_id=key, decision="keep")
        ada.post(f"/c/{CHANNEL}/decide", kind="nugget", item_id=f"{key}/n1", decision="keep")
    assert "no name for a gold version" in ada.post(f"/c/{CHANNEL}/gold", 400, name="No Name")
    assert "Frozen as <b>first</b>" in ada.post(f"/c/{CHANNEL}/gold", name="first")
    ada.post(f"/c/{CHANNEL}/decide", kind="question", item_id="fc-00000001", decision="cut", reason_code="wrong")
    ada.post(f"/c/{CHANNEL}/gold", name="second")
    page = ada.get(f"/c/{CHANNEL}/gold?from=first&to=second")
    assert "Removed (2)" in page  # the question and its nugget
    assert "fc-00000001/n1" in page
