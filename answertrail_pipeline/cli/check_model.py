"""`answertrail check-model`: puts a model to items with right answers, after showing what that costs."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from answertrail_pipeline.cli.main import app
from answertrail_pipeline.cli.terminal import dollars, out, print_json, table
from answertrail_pipeline.errors import UserError

if TYPE_CHECKING:
    from answertrail_pipeline.pipeline.project import Project
    from answertrail_pipeline.tasks.check_model.check import TaskCheck


@app.command("check-model")
def check_model(
    model: Annotated[str, typer.Argument(help="A LiteLLM model name, or `baseline` for the rules.")],
    task: Annotated[list[str] | None, typer.Option(help="Only this task; may be given more than once.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Spend the money that is shown.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, for programs.")] = False,
) -> None:
    """Say how well a model does each task, on about 30 invented items a task; exit with 1 if one is failed."""
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project:
        if model != "baseline":
            _show_price(project, model, task or [], yes=yes, quiet=as_json)
        checks = project.run(_check(project, model, task or []))
    if as_json:
        print_json([{**vars(check), "problems": dict(check.problems), "passed": check.passed} for check in checks])
    else:
        _print(checks, model)
    if not all(check.passed for check in checks):
        sys.exit(1)


def _show_price(project: "Project", model: str, names: list[str], *, yes: bool, quiet: bool) -> None:
    import asyncio

    from answertrail_pipeline.models.dry import DryDoor
    from answertrail_pipeline.models.estimate import NOTHING
    from answertrail_pipeline.tasks.check_model.check import plan_check, tasks_to_check

    door = DryDoor(project.database, project.settings)
    planned = asyncio.run(plan_check(door, tasks_to_check(project.settings.models, model, names)))
    asyncio.run(door.close())
    cost = sum((call.quote.cost for call in planned), NOTHING)
    price = dollars(cost.low_usd, cost.high_usd)
    if not quiet:
        out.print(f"{len(planned)} calls of {model}: {price}, more where a reply has to be repaired.")
    if planned and not yes:
        raise UserError(f"This calls {model} {len(planned)} times ({price}).", "Say --yes to go on.")


async def _check(project: "Project", model: str, names: list[str]) -> "list[TaskCheck]":
    from answertrail_pipeline.tasks.check_model.check import check_task, store_check, tasks_to_check

    checks = []
    for task, role in tasks_to_check(project.settings.models, model, names):
        check = await check_task(project.door, task, role)
        with project.database.begin() as connection:
            store_check(connection, check, role)
        checks.append(check)
    return checks


def _print(checks: "list[TaskCheck]", model: str) -> None:
    shown = table("task", "right", "of clean controls", "kappa", "cost", "")
    for check in checks:
        shown.add_row(
            check.task,
            f"{check.right} of {check.items}",
            f"{check.right_controls} of {check.controls}" if check.controls else "-",
            "-" if check.kappa is None else f"{check.kappa:.2f}",
            dollars(check.cost_usd, check.cost_usd),
            "[green]passed[/]" if check.passed else "[red]failed[/]",
        )
    out.print(f"{'The rules' if model == 'baseline' else model} on items with right answers:")
    out.print(shown)
    for check in checks:
        for number, problem in list(check.problems.items())[:3]:
            out.print(f"  {check.task} {number}: {problem[:200]}", markup=False)
