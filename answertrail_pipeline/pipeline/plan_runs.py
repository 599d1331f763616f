"""What is due in runs that were made already: the code of a step changed, or a judge's prompt or model did."""

from collections.abc import Iterator, Sequence

from answertrail_pipeline.agents.runs import Run, list_runs
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.models.dry import DryDoor, PlannedCall, plan_stage
from answertrail_pipeline.models.estimate import NOTHING
from answertrail_pipeline.pipeline.lineage import DEPENDS_ON
from answertrail_pipeline.pipeline.planned import Planned
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.stages import RUN_STAGES, SCORE_STAGES, channel_stage, stage_of_run
from answertrail_pipeline.scoring.factnet.stage import POOLS
from answertrail_pipeline.store.keys import split_key
from answertrail_pipeline.store.stage_run import due

AGENTS = "the code or an input changed; its arm is priced above"
LATER = "not yet estimable: see the stages above"


async def plan_runs(project: Project, door: DryDoor, channel: str) -> list[Planned]:
    """Return what a pass would compute again of the newest gold's runs over the newest corpus; nothing as a rule.

    Args:
        project: with `door` in place of its own.
    """
    runs = list(_current_runs(project, channel))
    lines: list[Planned] = []
    waiting: set[str] = set()
    for name in RUN_STAGES if runs else ():
        if waiting & set(DEPENDS_ON[name]):
            waiting.add(name)
            lines.append(Planned(channel, name, None, None, NOTHING, LATER))
            continue
        line = await _plan_stage_of_runs(project, door, name, runs)
        if line.units:
            waiting.add(name)
            lines.append(line)
    for name in SCORE_STAGES if runs else ():
        if waiting & set(DEPENDS_ON[name]):
            waiting.add(name)
            lines.append(Planned(channel, name, None, 0, NOTHING, LATER))
        elif (line := await _plan_scores(project, door, name, channel)).units:
            waiting.add(name)
            lines.append(line)
    return lines


async def _plan_scores(project: Project, door: DryDoor, name: str, channel: str) -> Planned:
    """Plan a stage of the scores; of these only the pools may ask the judge, whether two events are one."""
    stage = channel_stage(project, name, channel)
    if name != POOLS:
        return Planned(channel, name, len(due(project.database, stage)[0]), 0, NOTHING, "no model is asked")
    plan = await plan_stage(door, stage)
    cost = sum((call.quote.cost for call in plan.calls), NOTHING)
    return Planned(channel, name, plan.units, len(plan.calls), cost, _about(plan.calls))


def _about(calls: Sequence[PlannedCall]) -> str:
    return "tokens are approximate" if calls else "by rules, or paid already"


async def _plan_stage_of_runs(project: Project, door: DryDoor, name: str, runs: list[Run]) -> Planned:
    units, cost = 0, NOTHING
    calls: list[PlannedCall] = []
    for run in runs:
        stage = stage_of_run(project, name, run)
        if name == "agent_runs":  # each call of an agent depends on the reply before it
            units += len(due(project.database, stage)[0])
            continue
        plan = await plan_stage(door, stage)
        units, calls = units + plan.units, [*calls, *plan.calls]
        cost = sum((call.quote.cost for call in plan.calls), cost)
    if name == "agent_runs":
        return Planned(runs[0].channel, name, units, None, NOTHING, AGENTS)
    return Planned(runs[0].channel, name, units, len(calls), cost, _about(calls))


def _current_runs(project: Project, channel: str) -> Iterator[Run]:
    """Yield the newest run of each arm and repetition on the newest gold: what a pass would bring up."""
    gold = load_gold(project.database, channel)
    if gold is None:
        return
    newest: dict[tuple[str, int], Run] = {}
    for run in sorted(list_runs(project.database, channel), key=_corpus_number):
        if run.gold_version == gold.gold_version and run.arm in project.settings.arms:
            newest[run.arm, run.repetition] = run
    for (_, repetition), run in sorted(newest.items()):
        if repetition <= project.settings.repetitions:
            yield run


def _corpus_number(run: Run) -> int:
    return int(split_key(run.run_key)[3].removeprefix("c"))
