"""The judge's kin: the agent's family blocks, the gold writer's warns, the rules are nobody's."""

import pytest

from answertrail_pipeline.agents.arms import Arm
from answertrail_pipeline.agents.runs import Run
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.judging.judges import AnyJudge, Panel, judge_of
from answertrail_pipeline.judging.kinship import kin_to_agent, kinship_gates, writers
from answertrail_pipeline.settings import ArmSettings, ModelRole
from answertrail_pipeline_tests.judging.stored import fact, gold


def run(**arm: object) -> Run:
    whole = Arm(settings=ArmSettings(**arm), embedder="none", language="en", recipe="", prompts={})  # type: ignore[arg-type]
    return Run("coast/a/v1/c1/r1", "coast", "a", whole.hash, whole.model_dump(mode="json"), "v1", "c" * 64, 1)


def judge(model: str, family: str | None = None) -> AnyJudge:
    return judge_of(ModelRole(model=model, family=family))


def written_by(name: str) -> GoldVersion:
    question = fact("It is tall.")
    nuggets = tuple(nugget.model_copy(update={"written_by": name}) for nugget in question.nuggets)
    return gold(question.model_copy(update={"nuggets": nuggets}))


CLAUDE = ModelRole(model="openrouter/anthropic/claude-sonnet-4")


@pytest.mark.parametrize(
    ("judged_by", "agent", "kin"),
    [
        (judge("bedrock/anthropic.claude-opus-4-v1:0"), run(model=CLAUDE), True),
        (judge("openai/gpt-5"), run(model=CLAUDE), False),
        (judge("baseline"), run(model=CLAUDE), False),
        (judge("baseline"), run(), False),
        (judge("openai/gpt-5"), run(), False),  # the agent runs by rules
        (judge("openai/house-judge", "anthropic"), run(model=CLAUDE), True),  # a declared family counts
        (judge("openai/gpt-5"), run(agent="external", endpoint="python:a:b", family="openai"), True),
        (judge("openai/gpt-5"), run(agent="external", endpoint="python:a:b"), False),
        (Panel((judge("openai/gpt-5"), judge("anthropic/claude-x"))), run(model=CLAUDE), True),  # type: ignore[arg-type]
    ],
)
def test_kin_of_the_agent(judged_by: AnyJudge, agent: Run, kin: bool) -> None:
    assert bool(kin_to_agent(judged_by, agent)) is kin
    first, _ = kinship_gates(judged_by, agent, written_by("baseline"))
    assert (first.passed, first.blocking) == (not kin, True)


def test_an_agent_of_unknown_family_passes_with_a_word() -> None:
    gate, _ = kinship_gates(
        judge("openai/gpt-5"), run(agent="external", endpoint="python:a:b"), written_by("baseline")
    )
    assert gate.passed
    assert gate.description == "The family of the agent is unknown: kinship cannot be ruled out."


@pytest.mark.parametrize(
    ("writer", "kin"),
    [("openai/gpt-4.1", True), ("anthropic/claude-x", False), ("baseline", False), ("person", False)],
)
def test_kin_of_the_gold_writer_warns_and_does_not_block(writer: str, kin: bool) -> None:
    version = written_by(writer)
    _, gate = kinship_gates(judge("azure/gpt-5"), run(model=CLAUDE), version)
    assert (gate.passed, gate.blocking) == (not kin, False)
    assert (writer in gate.description) is kin
    assert ("openai/gpt-4.1" in writers(version)) is (writer == "openai/gpt-4.1")
