"""Agents of other people, scored side by side with one of ours: over HTTP, in Python, and finished answers."""

import json
from typing import Any

from sqlalchemy import text

from answertrail_pipeline.pipeline.run import evaluate_channels
from answertrail_pipeline.pipeline.watch import Silent
from answertrail_pipeline_tests.agents.test_external import agent_server
from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.library import QUESTIONS, write_config

RIVETS, PRICE, VIEW = (words for _, _, words, _ in QUESTIONS)
ALL_RIGHT = {
    RIVETS: "It has 318 rivets on each side [paint-00002:00000].",
    PRICE: "A tin of zinc primer costs 31 crowns [paint-00003:00000].",
    VIEW: "Lead primer is the best primer for iron bridges [paint-00001:00000]."
    " Zinc primer is the best primer for iron bridges [paint-00005:00000].",
}
# Right about the rivets, wrong about the price, silent on the second half of the view.
PYTHON_AGENT = """
SAID = {
    "rivets": "It has 318 rivets on each side.",
    "tin": "A tin of zinc primer costs 13 crowns.",
    "view": "Lead primer is the best primer for iron bridges.",
}


def answer(question):
    [said] = [words for key, words in SAID.items() if key in question["question"]]
    read = {"id": "mine", "text": "Today the Teal Bridge. It has 318 rivets on each side."}
    return {"answer": said, "retrieved": [read]}
"""


def over_http(body: dict[str, Any], _headers: dict[str, str]) -> tuple[int, bytes]:
    said = ALL_RIGHT[body["question"]]
    cited = [part.split("]")[0] for part in said.split("[")[1:]]
    return 200, json.dumps({"answer": said, "citations": cited, "retrieved": cited}).encode()


def test_an_http_a_python_and_a_finished_agent_are_scored_beside_single_shot(workplace: Workplace) -> None:
    (workplace.root / "mine.py").write_text(PYTHON_AGENT, "utf-8")
    finished = [
        {"question_id": question_id, "answer": ALL_RIGHT[words].partition(" [")[0] + "."}
        for question_id, _, words, _ in QUESTIONS
    ]
    (workplace.root / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in finished), "utf-8")
    workplace.freeze()
    with agent_server(over_http) as endpoint:
        write_config(
            workplace.root,
            f'[arms.theirs-http]\nagent = "external"\nendpoint = "{endpoint}"\nfamily = "acme"\n'
            '[arms.theirs-python]\nagent = "external"\nendpoint = "python:mine:answer"\n'
            '[arms.theirs-file]\nagent = "external"\nendpoint = "file:answers.jsonl"\n',
        )
        arms = ("single-shot", "theirs-http", "theirs-python", "theirs-file")
        with workplace.open() as project:
            [report] = project.run(evaluate_channels(project, ["bridges"], Silent(), arms, 1))
            with project.database.begin() as connection:
                rows = connection.execute(
                    text("select run_key, metric, hits, total, value, reason from metrics where tier = 'factual'")
                ).all()
    assert report.errors == {}
    scored = {
        (row.run_key.split("/")[1], row.metric): (row.hits, row.total, row.value, row.reason) for row in rows
    }
    assert {arm for arm, _ in scored} == set(arms)
    assert all(scored[arm, "recall"][1] == 2 for arm in arms), "the same two questions for everybody"
    # Two facts, two questions. The Python agent is wrong about the price and read the rivets only, as a text.
    assert scored["theirs-http", "recall"][:2] == (2, 2)
    assert scored["theirs-http", "ceiling"][:2] == (2, 2)
    assert scored["theirs-python", "recall"][:2] == (1, 2)
    assert scored["theirs-python", "ceiling"][:2] == (1, 2)
    # Finished answers tell nothing of retrieval: recall, and null with a reason for what needs a trail.
    assert scored["theirs-file", "recall"][:2] == (2, 2)
    for metric in ("ceiling", "groundedness", "citation_precision"):
        assert scored["theirs-file", metric][2:] == (None, "no trail")
