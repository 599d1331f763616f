"""`answertrail calibration ...` and `answertrail compare-modes`: how far the judge can be trusted."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from answertrail_pipeline.cli.main import app
from answertrail_pipeline.cli.run import Yes, refuse_to_spend
from answertrail_pipeline.cli.terminal import dollars, out, table
from answertrail_pipeline.errors import UserError

if TYPE_CHECKING:
    from answertrail_pipeline.agents.runs import Run
    from answertrail_pipeline.judging.modes import ModeCost
    from answertrail_pipeline.pipeline.project import Project

calibration = typer.Typer(
    help="The judge against people: pairs to label, and what labels say.", no_args_is_help=True
)
app.add_typer(calibration, name="calibration")

OneChannel = Annotated[str, typer.Option("--channel", help="Which channel; needed only where there are several.")]


@calibration.command("draw")
def draw(
    channel: OneChannel = "",
    per_stratum: Annotated[
        int, typer.Option(min=1, help="Pairs of each purpose, tier and label of the judge.")
    ] = 10,
    controls: Annotated[int, typer.Option(min=0, help="Negative controls of each purpose and tier.")] = 4,
    purpose: Annotated[
        list[str] | None, typer.Option(help="Only this purpose; may be given more than once.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed draws other pairs; the same one draws the same.")] = 0,
    yes: Yes = False,
) -> None:
    """Draw pairs from the judge's verdicts for people to label blind in the workbench."""
    from answertrail_pipeline.judging.drawing import Design
    from answertrail_pipeline.judging.judge_pairs import judge_pairs
    from answertrail_pipeline.judging.judges import configured_judge
    from answertrail_pipeline.judging.pairs import draw_pairs
    from answertrail_pipeline.pipeline.chosen import one_channel
    from answertrail_pipeline.pipeline.project import open_project

    every = Design().purposes
    if unknown := sorted(set(purpose or ()) - set(every)):
        raise UserError(f"Nothing is judged for `{unknown[0]}`.", f"Purposes: {', '.join(every)}.")
    design = Design(per_stratum, controls, tuple(one for one in every if one in (purpose or every)), seed)
    with open_project() as project:
        refuse_to_spend(project, yes=yes)
        name, judge = one_channel(project, channel), configured_judge(project.settings)
        drawn = draw_pairs(project.database, name, judge, design)
        project.run(judge_pairs(project.database, project.door, judge, name))
    shown = table("purpose / tier / judge says", "pairs", "drawn")
    for stratum, (population, taken) in drawn.strata.items():
        shown.add_row(stratum, str(population), str(taken))
    for cell, made in drawn.controls.items():
        shown.add_row(f"{cell}/control", "", str(made))
    out.print(shown)
    out.print(f"{drawn.pairs} pairs. Label them in `answertrail workbench`, then `answertrail calibration show`.")


@calibration.command("judge")
def judge_again(channel: OneChannel = "", yes: Yes = False) -> None:
    """Have the judge that is configured now judge every pair that it has no word on: labels serve any judge."""
    from answertrail_pipeline.judging.judge_pairs import judge_pairs
    from answertrail_pipeline.judging.judges import configured_judge
    from answertrail_pipeline.pipeline.chosen import one_channel
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project:
        refuse_to_spend(project, yes=yes)
        judge = configured_judge(project.settings)
        made = project.run(judge_pairs(project.database, project.door, judge, one_channel(project, channel)))
    unscored = sum(pair.verdict.label is None for pair in made.values())
    out.print(f"{judge.name} judged {len(made)} pairs, {unscored} of them unscored.")


@calibration.command("show")
def show(channel: OneChannel = "") -> None:
    """Print how far each judge and people agree, by purpose, and what is left to label."""
    from rich.markup import escape

    from answertrail_pipeline.judging.calibration import TRUTH_FILE, calibrations
    from answertrail_pipeline.pipeline.chosen import one_channel
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.scoring.load import load_judge

    with open_project() as project:
        name = one_channel(project, channel)
        found = calibrations(project.database, name, project.settings.scoring.min_kappa)
        with project.database.begin() as connection:
            judges = {one.judge_id: load_judge(connection, one.judge_id) for one in found}
    shown = table("judge", "purpose", "gate", "agree", "PPV", "NPV", "unsure", "split", "open", "kappa")
    for one in found:
        made, counts = one.overall, one.overall.counts
        kappa = (made.reason or "-") if made.kappa is None else f"{made.kappa:.2f}"
        if made.low is not None and made.high is not None:
            kappa += f" [{made.low:.2f}, {made.high:.2f}]"
        shown.add_row(
            f"{judges[one.judge_id].model} {one.judge_id[:6]}",
            one.purpose,
            "[green]passed[/]" if one.calibrated else "[yellow]failed[/]",
            f"{counts.both + counts.neither:.0f}/{counts.total:.0f}",
            f"{made.ppv.hits}/{made.ppv.total}",
            f"{made.npv.hits}/{made.npv.total}",
            *(str(number) for number in (one.unsure, one.split, one.unlabelled)),
            escape(kappa),
        )
    out.print(shown if found else "No pairs yet. Draw some with `answertrail calibration draw`.")
    if any(TRUTH_FILE in one.people for one in found):
        out.print(f"Labels: {TRUTH_FILE}.")


@app.command("compare-modes")
def compare_modes(
    run: Annotated[str, typer.Argument(help="A judged run, as `answertrail runs` lists them.")],
    yes: Annotated[bool, typer.Option("--yes", help="Spend the money that is shown.")] = False,
) -> None:
    """Judge a run's pairs one by one and in batches, and print how far both agree and what each costs."""
    from answertrail_pipeline.judging.modes import compare_modes as compare
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project:
        role, chosen = project.settings.models.judge, _run(project, run)
        if role.is_baseline:
            raise UserError("The rule-based judge knows no modes.", "Name a model under [models] judge.")
        _refuse_to_compare(project, chosen, yes=yes)
        made = project.run(compare(project.database, project.door, role, chosen))
    agreed = made.agreement
    shown = table("mode", "calls", "prompt tokens", "cost", "unscored")
    for mode, cost in (("single", made.single), ("batched", made.batched)):
        shown.add_row(mode, *_costs(cost), str(made.unscored[mode]))
    out.print(shown)
    counts = agreed.counts
    told = "none" if agreed.kappa is None else f"{agreed.kappa:.2f}"
    ends = agreed.interval_reason if agreed.low is None else f"{agreed.low:.2f} to {agreed.high:.2f}"
    out.print(
        f"They agree on {counts.both + counts.neither:.0f} of {agreed.pairs} pairs"
        f" ({counts.first_only:.0f} HIT only one by one, {counts.second_only:.0f} only in batches);"
        f" kappa {told} ({ends})."
    )


def _run(project: "Project", key: str) -> "Run":
    from answertrail_pipeline.agents.runs import list_runs

    found = {run.run_key: run for name in project.settings.channels for run in list_runs(project.database, name)}
    if key not in found:
        raise UserError(f"There is no run `{key}`.", "`answertrail runs` lists them.")
    return found[key]


def _refuse_to_compare(project: "Project", run: "Run", *, yes: bool) -> None:
    """Say what the comparison costs, and ask for consent."""
    from answertrail_pipeline.judging.modes import plan_modes
    from answertrail_pipeline.models.dry import DryDoor
    from answertrail_pipeline.models.estimate import NOTHING

    door = DryDoor(project.database, project.settings)
    planned = asyncio.run(plan_modes(door, project.settings.models.judge, run))
    asyncio.run(door.close())
    cost = sum((call.quote.cost for call in planned), NOTHING)
    price = dollars(cost.low_usd, cost.high_usd)
    out.print(f"{len(planned)} calls: {price}, more where a reply has to be repaired.")
    if planned and not yes:
        raise UserError(
            f"This calls {project.settings.models.judge.model} {len(planned)} times ({price}).",
            "Say --yes to go on.",
        )


def _costs(cost: "ModeCost") -> tuple[str, str, str]:
    tokens = "unknown" if cost.prompt_tokens is None else f"{cost.prompt_tokens:,}"
    return str(cost.calls), tokens, dollars(cost.cost_usd, cost.cost_usd)
