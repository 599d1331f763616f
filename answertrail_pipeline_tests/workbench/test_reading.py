"""Label blind, read trails, ask, search, browse."""

import asyncio
import re

from psycopg.types.json import Jsonb

from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.retrieval.index import build_index
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.workbench.evidence import clock, mark, second_link, time_line
from answertrail_pipeline.workbench.narrate import answer_pieces, searches_of
from answertrail_pipeline_tests.gold.channel import CHANNEL, rows
from answertrail_pipeline_tests.workbench import library
from answertrail_pipeline_tests.workbench.conftest import Enter


def test_labels_are_given_blind_and_resumed(enter: Enter, database: Database) -> None:
    library.put_pairs(database, 3)
    ada = enter("Ada")
    page = ada.get(f"/c/{CHANNEL}/label")
    assert "Claim 0" in page
    for told in (library.SECRET_REASON, "verdict", "recall/factual/HIT", "baseline", "judge"):
        assert told not in page
    page = ada.submit(page, "/label", ("label", "MISS"), reason="not there")
    assert "Claim 1" in page
    assert "<b>2</b> pairs left" in page
    # another person starts at the beginning, and Ada goes on where she stopped
    assert "Claim 0" in enter("Bob").get(f"/c/{CHANNEL}/label")
    assert "Claim 1" in ada.get(f"/c/{CHANNEL}/label")
    # the one before is labelled again: the last word counts, both are kept
    again = re.search(r'href="(/c/talks/label\?pair=\w+)"', ada.get(f"/c/{CHANNEL}/label"))
    assert again
    ada.submit(ada.get(again.group(1)), "/label", ("label", "HIT"))
    found = rows(database, "select person, label, reason from labels order by label_id")
    assert [(row["person"], row["label"], row["reason"]) for row in found] == [
        ("Ada", "MISS", "not there"),
        ("Ada", "HIT", None),
    ]
    page = ada.submit(ada.get(f"/c/{CHANNEL}/label"), "/label", ("label", "unsure"))
    page = ada.submit(page, "/label", ("label", "HIT"))
    assert "You labelled all 3 pairs" in page
    assert "is no label" in ada.post(f"/c/{CHANNEL}/label", 400, pair_id="00" + "a" * 30, label="PERHAPS")


def test_the_overview_says_what_check_model_found_of_each_model(enter: Enter, database: Database) -> None:
    assert "check-model" not in enter("Ada").get(f"/c/{CHANNEL}")
    call = {"kind": "chat", "channel": CHANNEL, "task_version": "1", "model": "openai/a", "pool": "p",
            "stage": "s", "unit_key": "u", "state": "done", "request": "{}", "prompt_hash": "1"}  # fmt: skip
    with database.begin() as connection:
        insert_rows(connection, "model_calls", [
            {**call, "call_key": "1", "task": "extract_claims"}, {**call, "call_key": "2", "task": "assertions"},
        ])  # fmt: skip
        insert_rows(connection, "model_checks", [
            {"task": "assertions", "prompt_hash": "1", "model": "openai/a", "config": Jsonb({}), "items": 30,
             "right_items": 28, "detail": Jsonb({})},
        ])  # fmt: skip
    page = enter("Ada").get(f"/c/{CHANNEL}")
    assert "<li>openai/a: checked 28/30 assertions; unchecked (extract_claims)</li>" in page


def test_a_trail_shows_what_was_done_and_the_verdicts_beside_the_nuggets(
    enter: Enter, project: Project, database: Database
) -> None:
    library.put_library(database, 1)
    library.put_runs(database, project.settings)
    ada = enter("Ada")
    ada.post(f"/c/{CHANNEL}/decide", kind="question", item_id="fc-00000000", decision="keep")
    ada.post(f"/c/{CHANNEL}/decide", kind="nugget", item_id="fc-00000000/n1", decision="keep")
    ada.post(f"/c/{CHANNEL}/gold", name="v1")
    assert "1 of 1</b> nuggets stated" in ada.get(f"/c/{CHANNEL}/trails?run={library.RUN}")
    page = ada.get(f"/c/{CHANNEL}/trail?run={library.RUN}&question=fc-00000000")
    # a citation leads to a chunk of the page, which opens
    assert 'href="#a-v1%3A00000"' in page
    assert 'id="a-v1:00000"' in page
    assert 'class="verdict HIT">HIT</span>' in page
    assert library.SECRET_REASON in page
    assert "1,234 tokens" in page
    assert "cost unknown" in page
    assert page.index("kiln rent &lt;script") < page.index("kiln rent later")
    assert page.count("1 new of") == 2
    assert "1 new of 2" in page
    both = ada.get(f"/c/{CHANNEL}/trail?run={library.RUN}&question=fc-00000000&beside={library.RUN_B}")
    assert "<h2>words</h2>" in both
    assert "<h2>again</h2>" in both
    assert 'id="b-v1:00000"' in both
    opened = ada.client.get(f"/trails/{library.RUN}/fc-00000000")  # as the report links it
    assert opened.url.path == f"/c/{CHANNEL}/trail"


def test_a_run_of_another_channel_is_not_shown(enter: Enter, project: Project, database: Database) -> None:
    library.put_library(database, 1)
    library.put_runs(database, project.settings)
    with database.begin() as connection:
        connection.exec_driver_sql(f"update runs set channel = 'other' where run_key = '{library.RUN_B}'")
    enter("Ada").get(f"/c/{CHANNEL}/trail?run={library.RUN_B}&question=fc-00000000", 404)


async def test_asking_shows_the_searches_and_a_cited_answer(
    enter: Enter, project: Project, database: Database
) -> None:
    library.put_library(database, 1)
    await build_index(database, CHANNEL, project.embedder(CHANNEL), "en")
    ada = enter("Ada")
    page = ada.post(f"/c/{CHANNEL}/ask", question="What is the kiln rent?", arm="again")
    live = re.search(r'data-live="([^"]+)"', page)
    for _ in range(300 if live else 0):
        await asyncio.sleep(0.1)
        shown = ada.client.get(live.group(1))
        page = shown.text
        if shown.headers["x-done"] == "yes":
            break
    assert "dollars a month" in page
    assert re.search(r'class="cite" href="#x-v\d%3A00000"', page)
    assert "new of" in page
    assert "<script>alert" not in page
    assert "What is the kiln rent?" in ada.get(f"/c/{CHANNEL}/ask")
    booked = rows(database, "select distinct stage from model_calls")
    assert {row["stage"] for row in booked} <= {"asked", "embeddings"}


def test_nothing_is_asked_by_surprise_or_of_nobody(enter: Enter, database: Database) -> None:
    library.put_library(database, 1)
    ada = enter("Ada")
    assert "costs money" in ada.post(f"/c/{CHANNEL}/ask", 400, question="What?", arm="paid")
    assert "No arm `x`" in ada.post(f"/c/{CHANNEL}/ask", 400, question="What?", arm="x")
    assert "0 characters" in ada.post(f"/c/{CHANNEL}/ask", 400, question=" ", arm="words")


async def test_searching_marks_the_words(enter: Enter, project: Project, database: Database) -> None:
    library.put_library(database, 1)
    await build_index(database, CHANNEL, project.embedder(CHANNEL), "en")
    ada = enter("Ada")
    page = ada.get(f"/c/{CHANNEL}/search?find=kiln+rents&by=bm25&since=2025-05-01")
    assert "<mark>kiln rent</mark>" in page
    assert "v2:00000" in page
    assert "v1:00000" not in page
    assert "is no day" in ada.get(f"/c/{CHANNEL}/search?find=x&since=yesterday", 400)


def test_a_chunks_address_leads_to_its_place_in_the_video(enter: Enter, database: Database) -> None:
    library.put_library(database, 1)
    ada = enter("Ada")
    sent = ada.client.get(f"/c/{CHANNEL}/chunks/v2:00030", follow_redirects=False)
    assert sent.headers["location"] == f"/c/{CHANNEL}/videos/v2#t30"
    assert 'id="t30"' in ada.get(f"/c/{CHANNEL}/videos/v2")


def test_words_are_marked_by_their_stems_and_joined() -> None:
    assert mark("The rents rose, kilns too.", frozenset({"rent", "kiln"}), "en") == (
        ("The ", False),
        ("rents", True),
        (" rose, ", False),
        ("kilns", True),
        (" too.", False),
    )
    assert mark("kiln rent", frozenset({"rent", "kiln"}), "en") == (("kiln rent", True),)
    assert mark("", frozenset(), "en") == ()


def test_links_open_at_the_second() -> None:
    assert second_link("https://v.example/w?v=1", 61.9) == "https://v.example/w?v=1&t=61s"
    assert second_link("https://v.example/a#x", 5) == "https://v.example/a#t=5"
    assert second_link("javascript:alert(1)", 5) is None
    assert second_link(None, 5) is None
    assert [clock(5), clock(65), clock(3661)] == ["0:05", "1:05", "1:01:01"]


def test_dates_lie_on_the_line_in_proportion() -> None:
    from datetime import date

    line = time_line([(date(2025, 1, 1), "a"), (date(2025, 1, 26), "b"), (date(2025, 4, 11), "c")])
    assert line is not None
    assert [dot.x for dot in line.dots] == [0, 25, 100]  # day 0, 25 and 100 of 100
    assert time_line([(date(2025, 1, 1), "a"), (date(2025, 1, 1), "b")]) is None


def test_an_answer_is_cut_into_words_and_numbered_citations() -> None:
    assert answer_pieces("Two [b:00030, a:00000] and one [a:00000] but [sic].") == [
        ("Two", ""), ("1", "b:00030"), ("2", "a:00000"), (" and one", ""), ("2", "a:00000"), (" but [sic].", ""),
    ]  # fmt: skip


def test_searches_tell_what_was_new_while_they_go_on() -> None:
    events = [
        {"kind": "search_started", "number": 1, "query": "x"},
        {"kind": "search_started", "number": 2, "query": "y", "since": "2025-01-01", "until": "2025-02-01"},
        {"kind": "search_finished", "number": 2, "chunk_ids": ["a", "b"]},
    ]
    first, second = searches_of(events)
    assert (first.finished, first.new) == (False, [])
    assert (second.new, second.period) == (["a", "b"], "2025-01-01 to 2025-02-01")
    first, second = searches_of([*events, {"kind": "search_finished", "number": 1, "chunk_ids": ["a"]}])
    assert (first.new, second.new) == (["a"], ["b"])  # the earlier search found it first
