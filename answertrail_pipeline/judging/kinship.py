"""The judge must not be the agent's kin; kin to the gold writer is told: a model favours what its like wrote."""

from answertrail_pipeline.agents.runs import Run
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.judging.judges import AnyJudge
from answertrail_pipeline.models.families import UNKNOWN, are_kin
from answertrail_pipeline.settings import ModelRole
from answertrail_pipeline.store.stage_run import Gate

AGENT_GATE = "judge_not_kin_to_agent"
GOLD_GATE = "judge_not_kin_to_gold"
_NO_MODEL = ("person", "source:", "promoted:")
"""How the names of people and of data sets begin."""
_NOBODY = ("baseline", "rules", "unknown", "")


def kinship_gates(judge: AnyJudge, run: Run, gold: GoldVersion) -> list[Gate]:
    """Return the word on both kinships: the agent's blocks; the gold writer's warns, and every number says so.

    The rule-based judge has no family and is nobody's kin. An agent or a judge of unknown family passes with a
    warning: declare `family`.
    """
    return [_agent_gate(judge, run), _gold_gate(judge, gold)]


def kin_to_agent(judge: AnyJudge, run: Run) -> str | None:
    """Return why the judge must not judge this run, or None."""
    gate = _agent_gate(judge, run)
    return None if gate.passed else gate.description


def _agent_gate(judge: AnyJudge, run: Run) -> Gate:
    numbers = {"judge": judge.family, "agent": run.family}
    if any(are_kin(one.role, _agent_role(run)) for one in judge.members):
        return Gate(
            AGENT_GATE,
            False,
            f"The judge {judge.model} ({judge.family}) is kin to the agent of `{run.arm}` ({run.family})."
            " Choose a judge of another family.",
            blocking=True,
            numbers=numbers,
        )
    unknown = [who for who, family in numbers.items() if family and UNKNOWN in family.split("+")]
    if unknown:
        word = f"The family of the {' and the '.join(unknown)} is unknown: kinship cannot be ruled out."
    else:
        word = "The judge is not kin to the agent."
    return Gate(AGENT_GATE, True, word, blocking=True, numbers={**numbers, "unknown": unknown})


def _agent_role(run: Run) -> ModelRole:
    """Return the agent's model with its declared family, for an external agent too."""
    role, family = run.whole_arm.role, run.family
    if run.whole_arm.settings.agent != "external":
        return role
    return ModelRole(model="external", family=None if family == UNKNOWN else family)


def _gold_gate(judge: AnyJudge, gold: GoldVersion) -> Gate:
    kin = [
        writer
        for writer in writers(gold)
        if any(are_kin(one.role, ModelRole(model=writer)) for one in judge.members)
    ]
    if kin:
        return Gate(
            GOLD_GATE,
            False,
            f"The judge {judge.model} ({judge.family}) is kin to what wrote gold {gold.gold_version}:"
            f" {', '.join(kin)}.",
            numbers={"judge": judge.family, "writers": kin},
        )
    return Gate(GOLD_GATE, True, "The judge is not kin to what wrote the gold.", numbers={"judge": judge.family})


def writers(gold: GoldVersion) -> list[str]:
    """Return the models that wrote questions or nuggets of a gold version; people and rules are no models."""
    names = {question.written_by for question in gold.questions}
    names |= {nugget.written_by for question in gold.questions for nugget in question.nuggets}
    return sorted(name for name in names if name not in _NOBODY and not name.startswith(_NO_MODEL))
