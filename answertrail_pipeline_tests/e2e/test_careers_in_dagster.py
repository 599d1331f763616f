"""Careers through Dagster's assets, pools among them, end in the rows of the command line."""

from dataclasses import replace
from pathlib import Path

import dagster as dg
import pytest
from sqlalchemy import text

from answertrail_pipeline.corpus.snapshot import snapshot
from answertrail_pipeline.gold.biographies.base import freeze_base
from answertrail_pipeline.gold.biographies.people import read_people, store_people
from answertrail_pipeline.pipeline.evaluation import declare_runs
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.stages import RUN_STAGES, SCORE_STAGES
from answertrail_pipeline.scoring.factnet.board import Board
from answertrail_pipeline.scoring.factnet.kept import load_kept_board
from answertrail_pipeline.scoring.factnet.stage import declare_set
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.orchestra import Orchestra
from answertrail_pipeline_tests.e2e.rows import all_rows
from answertrail_pipeline_tests.pipeline.careers import CHANNEL, little_demo, run

pytestmark = pytest.mark.slow
ARMS = ("agent-no-reference", "memory-only", "no-archive", "short-archive")
COMPARED = (
    "assertions", "base_coverage", "biography_scores", "coded_events", "declared_pools",
    "metrics", "pool_events", "pools", "run_verdicts", "runs", "same_events", "trails", "verdicts",
)  # fmt: skip


def declare(project: Project) -> list[str]:
    """Import people, freeze their base and declare the runs and their set, as a person does before a daemon."""
    people = read_people(project.settings.root / "people.jsonl")
    corpus = snapshot(project.database, CHANNEL)
    with project.database.begin() as connection:
        store_people(connection, CHANNEL, people)
        gold = freeze_base(connection, CHANNEL, people, corpus.last_date, corpus.corpus_id)
    keys = [each.run_key for each in declare_runs(project, CHANNEL, gold, ARMS, 1)]
    declare_set(project.database, gold, keys)
    return keys


def without_seconds(board: Board) -> Board:
    spreads = [{**effort.spreads, "seconds": None} for effort in board.efficiency]
    return replace(board, efficiency=tuple(map(str, spreads)))


def pooled_at(database: Database) -> list[object]:
    with database.begin() as connection:
        return list(
            connection.execute(text("select key, finished_at from stage_run where stage = 'pools' order by key"))
        )


def test_careers_through_the_assets_are_the_rows_of_the_command_line(
    database: Database, second_database: Database, tmp_path: Path
) -> None:
    by_hand = little_demo(database, tmp_path / "hand")
    assert not run(by_hand, *ARMS).errors
    by_assets = little_demo(second_database, tmp_path / "assets")
    workplace = Workplace(by_assets.settings.root, second_database)
    with workplace.environment(), dg.DagsterInstance.ephemeral() as instance:
        orchestra = Orchestra(workplace, instance)
        orchestra.sense()
        videos = sorted(instance.get_dynamic_partitions("videos"))
        assert orchestra.materialize("chunks", "embeddings", partitions=videos).success
        assert orchestra.materialize("term_stats").success
        keys = declare(by_assets)
        instance.add_dynamic_partitions("runs", keys)
        for name in RUN_STAGES:
            for key in keys:  # those that take an archive come last
                assert orchestra.materialize(name, partitions=[key]).success, (name, key)
        for name in SCORE_STAGES:
            assert orchestra.materialize(name).success, name
        before = pooled_at(second_database)
        assert orchestra.materialize("pools").success
        assert pooled_at(second_database) == before, "the set is pooled already"
    with database.begin() as one, second_database.begin() as other:
        wanted, found = all_rows(one), all_rows(other)
        boards = [load_kept_board(each, CHANNEL) for each in (one, other)]
    assert without_seconds(boards[0]) == without_seconds(boards[1])
    assert {name for name in COMPARED if not wanted[name]} <= {"same_events"}
    for name in COMPARED:
        assert found[name] == wanted[name], name
