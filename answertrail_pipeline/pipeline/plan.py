"""What a pass would do now and what it would cost, without doing it: `answertrail plan`."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

from sqlalchemy import text

from answertrail_pipeline.agents.arms import Arm, make_arm
from answertrail_pipeline.agents.clean_claims import left_out
from answertrail_pipeline.agents.corpus_view import CorpusView
from answertrail_pipeline.agents.limits import question_limits
from answertrail_pipeline.agents.past_costs import past_costs
from answertrail_pipeline.agents.runs import list_runs, questions_of
from answertrail_pipeline.corpus.snapshot import snapshot
from answertrail_pipeline.corpus.sources import list_videos
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.models.dry import DryDoor, plan_stage
from answertrail_pipeline.models.embedders import PACKAGED as PACKAGED_EMBEDDERS
from answertrail_pipeline.models.estimate import NOTHING, CostRange, agent_cost_range
from answertrail_pipeline.pipeline.evaluation import arms_for
from answertrail_pipeline.pipeline.lineage import DEPENDS_ON
from answertrail_pipeline.pipeline.plan_careers import plan_careers
from answertrail_pipeline.pipeline.plan_runs import plan_runs
from answertrail_pipeline.pipeline.planned import Planned
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.stages import (
    CHANNEL_STAGES,
    CLAIM_INDEX,
    VIDEO_STAGES,
    channel_stage,
    stage_of_run,
    video_stage,
)
from answertrail_pipeline.settings import EmbedRole, ModelRole, Settings
from answertrail_pipeline.store.stage_run import due

_CORPUS = ("chunks", "embeddings", "term_stats")
ENOUGH = 10
"""Questions that an arm must have been asked before, and that are to be asked, for the past to speak for them."""


async def plan_channel(project: Project, channel: str) -> list[Planned]:
    """Return what is due in a channel, stage by stage, the arms that would run on its newest gold, and what is
    due again in runs that were made.

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
    if any(arm.retriever.claims != "none" for arm in project.settings.arms.values()):
        lines.append(await _plan_claim_index(dry, door, channel, claims_due="claims" in waiting))
    settled = _settled(project, channel, waiting)
    arms = list(_plan_arms(project, door, channel, settled=settled))
    lines += [*arms, *await plan_careers(dry, door, channel, arms)]
    if settled:
        lines += await plan_runs(dry, door, channel)
    await door.close()
    return lines


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


async def _plan_claim_index(project: Project, door: DryDoor, channel: str, *, claims_due: bool) -> Planned:
    if claims_due:
        return Planned(channel, CLAIM_INDEX, None, None, NOTHING, "not yet estimable: see the stages above")
    return await _plan_stage(project, door, CLAIM_INDEX, channel)


def _settled(project: Project, channel: str, waiting: set[str]) -> bool:
    """Return whether gold and corpus are those that a pass would use; a gold of careers hangs on no claims."""
    gold = load_gold(project.database, channel)
    of_careers = gold is not None and all(each.tier == "biography" for each in gold.questions)
    return not (waiting & set(_CORPUS) if of_careers else waiting)


def _plan_arms(project: Project, door: DryDoor, channel: str, *, settled: bool) -> Iterator[Planned]:
    """Yield what each arm would be asked.

    Args:
        settled: nothing is due before the agents, so that gold and corpus are those that a pass would use.
    """
    gold = load_gold(project.database, channel)
    if gold is None:
        yield Planned(channel, "agent_runs", None, None, NOTHING, "not yet estimable: no gold is frozen")
        return
    if not _has_chunks(project, channel):
        yield Planned(channel, "agent_runs", None, None, NOTHING, "not yet estimable: there are no chunks")
        return
    ran = {(run.arm, run.gold_version) for run in list_runs(project.database, channel)}
    shared = _shared_models(project)
    for name in arms_for(project, gold):
        arm = make_arm(name, project.settings, channel)
        asked = questions_of(arm.settings, gold)
        everything = len(asked) * project.settings.repetitions
        questions = _questions_due(project, channel, arm, gold, len(asked)) if settled else everything
        if not questions:
            yield Planned(channel, f"arm {name}", 0, 0, NOTHING, "it has run on this gold and corpus")
            continue
        if arm.settings.agent == "external":
            yield Planned(channel, f"arm {name}", questions, None, CostRange(None, None), "your agent's own cost")
            continue
        cost, why = _arm_cost(project, door, channel, name, arm, gold, questions)
        if arm.role.model in shared:
            cost = replace(cost, low_usd=None if cost.low_usd is None else Decimal(0))
        if not settled and (name, gold.gold_version) in ran:
            why = f"{why}; unless nothing changed: it has run on this gold".removeprefix("; ")
        yield Planned(channel, f"arm {name}", questions, None, cost, why)


def _questions_due(project: Project, channel: str, arm: Arm, gold: GoldVersion, asked: int) -> int:
    """Return how many questions an arm has not answered on a gold version over the corpus of today."""
    corpus = snapshot(project.database, channel)
    made = {
        run.repetition: run
        for run in list_runs(project.database, channel)
        if (run.arm_hash, run.gold_version, run.corpus_id) == (arm.hash, gold.gold_version, corpus.corpus_id)
    }
    count = 0
    for repetition in range(1, project.settings.repetitions + 1):
        run = made.get(repetition)
        count += len(due(project.database, stage_of_run(project, "agent_runs", run))[0]) if run else asked
    return count


def _has_chunks(project: Project, channel: str) -> bool:
    with project.database.begin() as connection:
        found = connection.execute(
            text("select exists (select from chunks where channel = :channel)"), {"channel": channel}
        )
        return bool(found.scalar())


def _arm_cost(
    project: Project, door: DryDoor, channel: str, name: str, arm: Arm, gold: GoldVersion, asked: int
) -> tuple[CostRange, str]:
    """Return what an arm may cost, and how that is known: from its past questions, or from its limits.

    Args:
        asked: how often it is asked one of the gold's questions.
    """
    if arm.role.is_baseline:
        return NOTHING, "rules"
    past = past_costs(project.database, channel, name, arm.hash, left_out(arm.settings.retriever, gold))
    if past and past.questions >= ENOUGH and asked >= ENOUGH:
        cost = CostRange(asked * past.least_usd, asked * past.most_usd)
        return cost, f"as {past.questions} questions took before, each as the cheapest or as the dearest"
    corpus = CorpusView(project.database, channel)
    model, count = arm.role.model, door.provider.litellm.token_counter
    questions = [each.text for each in questions_of(arm.settings, gold)]
    limits = question_limits(arm, corpus, questions, lambda text: int(count(model=model, text=text)))
    cost = agent_cost_range(door.provider, arm.role, asked, limits.least, limits.prompts)
    return cost, f"from one call a question to all {len(limits.prompts)} that it can make"


def _shared_models(project: Project) -> set[str]:
    """Return the agents' models whose calls may be in the ledger already, paid by another arm or earlier run."""
    arms = project.settings.arms.values()
    used = Counter((arm.model or project.settings.models.agent).model for arm in arms if arm.agent != "external")
    with project.database.begin() as connection:
        paid = connection.execute(text("select distinct model from model_calls where stage = 'agent_runs'"))
        return {model for model, arms_of_it in used.items() if arms_of_it > 1} | set(paid.scalars())


ROLES = {"claims": ("extract",), "questions": ("select", "compose"), "nuggets": ("nuggets",)}
"""The roles of `[models]` that a stage of the gold uses."""


def spends(project: Project, stage: str) -> bool:
    """Return whether a stage calls a model that may cost money."""
    models = project.settings.models
    if stage in ("embeddings", CLAIM_INDEX):
        return models.embed.model not in PACKAGED_EMBEDDERS
    return any(not role.is_baseline for role in (getattr(models, each) for each in ROLES.get(stage, ())))


def paid_models(project: Project) -> list[str]:
    """Return the names of all models in use that may cost money, in order."""
    return sorted({role.model for role in paid_roles(project.settings)})


def paid_roles(settings: Settings) -> list[ModelRole | EmbedRole]:
    """Return every role in use whose model may cost money."""
    models, arms = settings.models, settings.arms.values()
    roles = [models.extract, models.select, models.compose, models.nuggets, models.assertions, models.judge]
    roles += [arm.model or models.agent for arm in arms if arm.agent != "external"]
    paid: list[ModelRole | EmbedRole] = [role for role in roles if not role.is_baseline]
    return [*paid, models.embed] if models.embed.model not in PACKAGED_EMBEDDERS else paid


def refuse_to_spend(project: Project, *, yes: bool = False) -> None:
    """Refuse where models would be paid and nobody said how much, or the day's budget is spent.

    Args:
        yes: a person said to go on without a budget.

    Raises:
        UserError: a paid model is configured, with neither a budget that is left nor `yes`.
    """
    budget = project.settings.budget
    paid = paid_models(project)
    if not paid:
        return
    if not yes and budget.run_usd is None and budget.day_usd is None:
        raise UserError(
            f"This may call paid models ({', '.join(paid)}).",
            "`answertrail plan` shows what it would cost. Set a [budget], or say --yes.",
        )
    if budget.day_usd is not None and _spent_today(project) >= Decimal(str(budget.day_usd)):
        raise UserError(
            f"Today's budget of ${budget.day_usd:g} is spent.", "Wait until tomorrow (UTC), or raise `day_usd`."
        )


def _spent_today(project: Project) -> Decimal:
    with project.database.begin() as connection:
        spent: Decimal | None = connection.execute(
            text("select spent_usd + reserved_usd from budgets where budget = :day"),
            {"day": f"day {datetime.now(UTC):%Y-%m-%d}"},
        ).scalar()
    return spent or Decimal(0)
