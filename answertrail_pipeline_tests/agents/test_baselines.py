"""The agents without a model, over the real index and the real embedding model."""

from pathlib import Path
from typing import Any

import pytest

from answertrail_pipeline.agents.long_context import fit
from answertrail_pipeline.agents.runs import agent_runs_stage, declare_run
from answertrail_pipeline.agents.trails import load_trails
from answertrail_pipeline.corpus.snapshot import snapshot
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.embedders import load_embedder
from answertrail_pipeline.retrieval.index import build_index
from answertrail_pipeline.retrieval.types import Hit
from answertrail_pipeline.store.keys import video_key
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.store.stage_run import run_stage
from answertrail_pipeline_tests.agents.little import (
    ACCOUNT,
    CHANGE,
    CHANNEL,
    CHUNKS,
    FACT,
    VIDEOS,
    gold,
    ready,
    settings,
)


async def index(door: Door, root: Path) -> Any:
    """Index the little corpus as the pipeline would."""
    with door.database.begin() as connection:
        insert_rows(connection, "stage_run", [
            {"stage": "chunks", "key": video_key(CHANNEL, video), "channel": CHANNEL, "input_hash": "0",
             "code_version": "1", "output_hash": video, "state": "done"}
            for video in VIDEOS
        ])  # fmt: skip
    embedder = load_embedder(settings(root).models.embed, "en")
    await build_index(door.database, CHANNEL, embedder, "en")
    return embedder


@pytest.mark.parametrize("kind", ["dense", "bm25", "hybrid", "trajectory"])
async def test_both_agents_answer_by_rules_with_every_retriever(door: Door, tmp_path: Path, kind: str) -> None:
    embedder = await index(door, tmp_path)
    for agent in ("single_shot", "react"):
        given = settings(tmp_path, agent=agent, retriever={"kind": kind})
        corpus = snapshot(door.database, CHANNEL)
        run = declare_run(door.database, CHANNEL, "arm", given, gold(), corpus, 1)
        stage = agent_runs_stage(door.database, door, given, embedder, run, gold())
        report = await run_stage(door.database, stage)
        assert dict(report.errors) == {}
        fact, change = load_trails(door.database, run.run_key)
        assert "thirty one metres tall" in fact.trail.answer
        assert "jan:00000" in fact.trail.citations
        told = [
            change.trail.answer.find(each) for each in ("In January 2025:", "In June 2025:", "In November 2025:")
        ]
        assert -1 not in told
        assert told == sorted(told)
        for trail in (fact.trail, change.trail):
            assert set(trail.citations) <= {chunk.hit.chunk_id for chunk in trail.retrieved}
            assert (trail.model_calls, trail.prompt_tokens, trail.cost_usd) == (0, 0, 0)
        assert fact.trail.searches == 1 if agent == "single_shot" else fact.trail.searches >= 2


async def test_the_same_run_gives_the_same_trail(door: Door, tmp_path: Path) -> None:
    from answertrail_pipeline.agents.ask import ask

    arm = ready(door, tmp_path, agent="react")
    first, second = [await ask(arm, CHANGE, ACCOUNT) for _ in range(2)]
    assert (first.answer, first.events, first.retrieved) == (second.answer, second.events, second.retrieved)


async def test_a_long_context_holds_everything_and_is_checked_against_what_it_cites(
    door: Door, tmp_path: Path
) -> None:
    from answertrail_pipeline.agents.ask import ask

    trail = await ask(ready(door, tmp_path, agent="long_context"), FACT, ACCOUNT)
    assert trail.evidence == "cited"
    assert [chunk.hit.chunk_id for chunk in trail.retrieved] == list(trail.citations)
    assert "jan:00000" in trail.citations
    assert {name: trail.detail[name] for name in ("shown_videos", "shown_chunks", "cut_videos", "cut_chunks")} == {
        "shown_videos": 3,
        "shown_chunks": len(CHUNKS),
        "cut_videos": 0,
        "cut_chunks": 0,
    }


def test_what_does_not_fit_is_cut_evenly_over_time() -> None:
    def video(name: str) -> list[Hit]:
        return [Hit(f"{name}:00000", "0", name, "t", next(iter(VIDEOS.values()))[0], 0.0, "x" * 70, 0.0)]

    videos = [video(f"v{at}") for at in range(5)]
    # a label `[v0:00000] 2000-01-01 | t` with its three line breaks has 10 + 1 + 10 + 3 + 1 + 3 = 28 bytes
    assert [each[0].video_id for each in fit(videos, 5 * 98)] == ["v0", "v1", "v2", "v3", "v4"]
    assert [each[0].video_id for each in fit(videos, 5 * 98 - 1)] == ["v0", "v1", "v3", "v4"]
    assert [each[0].video_id for each in fit(videos, 3 * 98)] == ["v0", "v2", "v4"]
    assert [each[0].video_id for each in fit(videos, 2 * 98)] == ["v0", "v4"]
    assert fit(videos, 97) == []


@pytest.mark.parametrize(
    "question",
    [
        "灯台の高さは何メートルですか",
        "'; drop table chunks; -- & | ! ( ) <-> :* lighthouse",
        "lighthouse " * 10_000,
        "What was said about the lamp in 1850?",
        "???",
    ],
)
async def test_odd_questions_get_an_answer_or_an_abstention(door: Door, tmp_path: Path, question: str) -> None:
    from answertrail_pipeline.agents.arms import make_arm
    from answertrail_pipeline.agents.ask import ask, ready_arm

    embedder = await index(door, tmp_path)
    for kind in ("hybrid", "trajectory"):
        given = settings(tmp_path, agent="react", retriever={"kind": kind})
        arm = ready_arm(door, given, embedder, CHANNEL, make_arm("arm", given, CHANNEL))
        trail = await ask(arm, question, ACCOUNT)
        assert trail.abstained is (not trail.citations)
        assert trail.answer
