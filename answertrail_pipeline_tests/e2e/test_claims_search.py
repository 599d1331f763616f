"""Arms that search claims: the key is never in the search of a clean one, and whoever shares it says so."""

from pathlib import Path

import pytest
from sqlalchemy import text

from answertrail_pipeline.agents.arms import make_arm
from answertrail_pipeline.agents.clean_claims import cited_claims
from answertrail_pipeline.agents.runs import list_runs
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.gold.versions import load_gold, store_version
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.pipeline.plan import plan_channel
from answertrail_pipeline.pipeline.run import evaluate_channels, run_channels
from answertrail_pipeline.pipeline.watch import Silent
from answertrail_pipeline.scoring.scoreboard import scoreboard
from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.library import write_config
from answertrail_pipeline_tests.e2e.test_run import computed

ARMS = "".join(
    f'[arms.{claims}]\nagent = "single_shot"\nretriever = {{kind = "trajectory", k = 40, claims = "{claims}"}}\n'
    for claims in ("clean", "all", "none")
)


def found_by(workplace: Workplace, arm: str) -> set[str]:
    """Return the claims by which an arm's chunks were found, over all its runs."""
    with workplace.open() as project, project.database.begin() as connection:
        rows = connection.execute(
            text("select why from trail_chunks join runs using (run_key) where arm = :arm"), {"arm": arm}
        )
        return {
            one["claim"] for row in rows for one in row.why.values() if isinstance(one, dict) and "claim" in one
        }


def own_gold(workplace: Workplace) -> GoldVersion:
    with workplace.open() as project:
        gold = load_gold(project.database, "bridges")
    assert gold
    return gold


def test_the_key_is_not_in_the_search_of_a_clean_arm(workplace: Workplace) -> None:
    write_config(workplace.root, ARMS)
    with workplace.open() as project:
        [report] = project.run(run_channels(project, ["bridges"], "auto", Silent()))
        assert report.errors == {}
        assert computed(report)["claim_index"] == 6
        assert {line.units for line in project.run(plan_channel(project, "bridges"))} == {0}
        board = scoreboard(project.database, "bridges", project.settings, None)
    cited = set(cited_claims(own_gold(workplace)))
    assert cited
    assert found_by(workplace, "clean")
    assert not found_by(workplace, "clean") & cited
    assert found_by(workplace, "all") & cited
    assert not found_by(workplace, "none")
    shared = {arm.arm for arm in board.arms if "index shares claims with gold" in arm.notes}
    assert shared == {"all"}


def test_another_gold_hides_other_claims_so_only_clean_arms_are_asked_again(workplace: Workplace) -> None:
    write_config(workplace.root, ARMS)
    with workplace.open() as project:
        project.run(run_channels(project, ["bridges"], "auto", Silent()))
        gold = own_gold(workplace)
        fewer = gold.model_copy(
            update={
                "gold_version": "v9",
                "questions": tuple(
                    question.model_copy(update={"nuggets": question.nuggets[:1]}) for question in gold.questions
                ),
            }
        )
        assert set(cited_claims(fewer)) < set(cited_claims(gold))
        with project.database.begin() as connection:
            store_version(connection, fewer, "v9")
        arms = ("all", "clean", "none")
        [report] = project.run(evaluate_channels(project, ["bridges"], Silent(), arms, 1, gold_version="v9"))
        assert report.errors == {}
        with project.database.begin() as connection:
            rows = connection.execute(
                text("select arm, bool_and(adopted_from is not null) as adopted"
                     " from trails join runs using (run_key) where gold_version = 'v9' group by arm")
            )  # fmt: skip
            assert {row.arm: row.adopted for row in rows} == {"all": True, "clean": False, "none": True}
        assert len(list_runs(project.database, "bridges")) == 2 * 3 + 2  # and the two arms of the library


def test_claims_that_are_not_extracted_stop_the_evaluation(workplace: Workplace) -> None:
    write_config(workplace.root, ARMS)
    workplace.freeze()
    with workplace.open() as project, pytest.raises(UserError, match="claims of 6 of 6 videos"):
        project.run(evaluate_channels(project, ["bridges"], Silent(), ("clean",), 1))


def test_an_arm_without_claims_has_the_hash_that_it_had(workplace: Workplace, tmp_path: Path) -> None:
    write_config(workplace.root, ARMS)
    with workplace.open() as project:
        arms = {name: make_arm(name, project.settings, "bridges") for name in ("none", "clean", "all")}
    before = arms["none"].model_dump(mode="json")
    del before["claims_from"], before["settings"]["timeout_seconds"]
    assert arms["none"].hash == fingerprint(before)
    assert arms["clean"].claims_from
    assert len({arm.hash for arm in arms.values()}) == 3
