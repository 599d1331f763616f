"""The demonstration's own questions, put to agents of other people beside `single_shot`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from answertrail_pipeline.corpus.snapshot import snapshot
from answertrail_pipeline.demo.run import CHANNEL, copy_demo
from answertrail_pipeline.demo.truth import GOLD_NAME, Places, load_truth, truth_gold
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.gold.versions import store_version
from answertrail_pipeline.pipeline.channel_pass import Pass
from answertrail_pipeline.pipeline.project import Project, open_project
from answertrail_pipeline.pipeline.run import evaluate_channels
from answertrail_pipeline.pipeline.watch import Silent
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.agents.test_external import agent_server

# It knows the facts and what was said about them, and has no view on views.
PYTHON_AGENT = """
import json
from pathlib import Path

TRUTH = json.loads(Path(__file__).with_name("truth.json").read_text("utf-8"))


def answer(question):
    [asked] = [one for one in TRUTH["questions"] if one["question"] == question["question"]]
    if asked["tier"] != "factual":
        return {"answer": "I do not know.", "abstained": True, "retrieved": []}
    said = [(nugget["text"], piece["quote"]) for nugget in asked["nuggets"] for piece in nugget["evidence"]]
    texts = [{"id": f"note-{number}", "text": quote} for number, (_, quote) in enumerate(said)]
    return {"answer": " ".join(dict.fromkeys(words for words, _ in said)), "retrieved": texts}
"""
ARMS = ("single-shot", "theirs-file", "theirs-http", "theirs-python")


@pytest.fixture
def demo(tmp_path: Path, database: Database) -> Iterator[Path]:
    """The demonstration's captions, truth file and configuration; the environment points at its database."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", database.engine.url.render_as_string(hide_password=False))
        patch.setenv("ANSWERTRAIL_DAGSTER_URL", database.dagster_url.render_as_string(hide_password=False))
        yield copy_demo(tmp_path / "demo").parent


def freeze_the_written_gold(project: Project) -> GoldVersion:
    """Ingest the captions and store the truth file's questions as gold, as `answertrail demo` does."""
    project.run(Pass(project, CHANNEL, Silent()).ingest())
    with project.database.begin() as connection:
        rows = connection.execute(text("select video_id, chunk_id, start_seconds from chunks"))
        places = Places([(row.video_id, row.chunk_id, row.start_seconds) for row in rows])
        corpus = snapshot(project.database, CHANNEL)
        truth = load_truth(project.settings.root / "truth.json")
        gold = truth_gold(truth, CHANNEL, corpus.last_date, corpus.corpus_id, places)
        store_version(connection, gold, GOLD_NAME)
    return gold


@pytest.mark.slow
def test_an_http_a_python_and_a_finished_agent_are_scored_beside_single_shot_on_the_demonstration(
    demo: Path,
) -> None:
    with open_project(demo / "answertrail.toml") as project:
        gold = freeze_the_written_gold(project)
    knows = {question.text: question for question in gold.questions}

    def over_http(body: dict[str, Any], _headers: dict[str, str]) -> tuple[int, bytes]:
        """Say every nugget with the chunk that holds it."""
        nuggets = knows[body["question"]].nuggets
        said = " ".join(f"{nugget.text.removesuffix('.')} [{nugget.chunk_ids[0]}]." for nugget in nuggets)
        read = sorted({chunk_id for nugget in nuggets for chunk_id in nugget.chunk_ids})
        return 200, json.dumps({"answer": said, "retrieved": read}).encode()

    finished = [
        {"question_id": one.question_id, "answer": " ".join(nugget.text for nugget in one.nuggets)}
        for one in gold.questions
    ]
    (demo / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in finished), "utf-8")
    (demo / "mine.py").write_text(PYTHON_AGENT, "utf-8")
    with agent_server(over_http) as endpoint:
        with (demo / "answertrail.toml").open("a", encoding="utf-8") as config:
            config.write(
                f'\n[arms.theirs-http]\nagent = "external"\nendpoint = "{endpoint}"\nfamily = "acme"\n'
                '[arms.theirs-python]\nagent = "external"\nendpoint = "python:mine:answer"\n'
                '[arms.theirs-file]\nagent = "external"\nendpoint = "file:answers.jsonl"\n'
            )
        with open_project(demo / "answertrail.toml") as project:
            [report] = project.run(evaluate_channels(project, [CHANNEL], Silent(), ARMS, 1))
            with project.database.begin() as connection:
                rows = connection.execute(
                    text("select run_key, tier, metric, hits, total, value, reason from metrics")
                ).all()
    assert report.errors == {}, report.errors
    scored = {(row.run_key.split("/")[1], row.tier, row.metric): row for row in rows}
    assert {arm for arm, _, _ in scored} == set(ARMS)

    def counts(arm: str, tier: str, metric: str) -> tuple[int | None, int | None]:
        row = scored[arm, tier, metric]
        return row.hits, row.total

    # 38 facts in 20 questions and 18 views in 6 for everybody, however they answer.
    for arm in ARMS:
        assert counts(arm, "factual", "recall")[1] == 38
        assert counts(arm, "longitudinal", "recall")[1] == 18
        assert counts(arm, "factual", "recall")[0] == 38 or arm == "single-shot"  # they copy the key
    assert 0 < (counts("single-shot", "factual", "recall")[0] or 0) < 38
    # The same words in the same answer are the same number, whoever brings them and however.
    assert counts("theirs-http", "longitudinal", "recall") == counts("theirs-file", "longitudinal", "recall")
    assert counts("theirs-http", "longitudinal", "ceiling") == (18, 18)
    # One has no view on views, and read nothing about them.
    assert counts("theirs-python", "longitudinal", "recall") == (0, 18)
    assert counts("theirs-python", "longitudinal", "ceiling") == (0, 18)
    assert counts("theirs-python", "longitudinal", "answered_nothing") == (6, 6)
    # It reports texts and no ids: they are its evidence all the same.
    assert (counts("theirs-python", "factual", "ceiling")[0] or 0) > 30
    # Finished answers tell nothing of retrieval: null with a reason for what needs a trail.
    for metric in ("ceiling", "groundedness", "citation_precision"):
        row = scored["theirs-file", "factual", metric]
        assert (row.value, row.reason) == (None, "no trail")
