"""What Dagster launches and tells by itself: re-evaluations, nuggets after decisions, failed runs."""

import json
from collections.abc import Iterator

import dagster as dg
import pytest

from answertrail_pipeline.assets.schedules import reevaluation
from answertrail_pipeline.assets.sensors import adjudications, run_failures
from answertrail_pipeline.gold.adjudication import decide
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.pipeline.run import run_channels
from answertrail_pipeline.pipeline.watch import Silent
from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.library import write_config, write_video
from answertrail_pipeline_tests.e2e.orchestra import Orchestra
from answertrail_pipeline_tests.pipeline.test_notify import Hook, hook

__all__ = ["hook"]

PAID = '[models]\nnuggets = {model = "openai/gpt-5.4"}\nagent = {model = "openai/gpt-5.4"}\n'


@pytest.fixture
def orchestra(workplace: Workplace) -> Iterator[Orchestra]:
    with dg.instance_for_test() as instance:  # a schedule must be able to find it
        yield Orchestra(workplace, instance)


def schedule(orchestra: Orchestra) -> list[dg.RunRequest] | str:
    """Evaluate the schedule once; return what it requests, or why nothing."""
    context = dg.build_schedule_context(instance=orchestra.instance, resources={"project": orchestra.project})
    found = reevaluation("0 6 * * 1")(context)
    return str(found.skip_message) if isinstance(found, dg.SkipReason) else found


def test_the_schedule_requests_both_corpora_of_each_arm_once(orchestra: Orchestra) -> None:
    workplace = orchestra.workplace
    assert "has no chunks" in schedule(orchestra) or "No gold" in schedule(orchestra)
    workplace.freeze()
    write_video(workplace.captions, "paint-00007", "2025-11-20", "A tin of zinc primer now costs 45 crowns.")
    with workplace.open() as project:
        project.run(run_channels(project, ["bridges"], "people", Silent()))
    requests = schedule(orchestra)
    assert [request.partition_key for request in requests] == [  # type: ignore[union-attr]
        "bridges/react-hybrid/v1/c2/r1",
        "bridges/single-shot/v1/c2/r1",
        "bridges/react-hybrid/v1/c1/r1",
        "bridges/single-shot/v1/c1/r1",
    ]
    assert schedule(orchestra) == requests, "the same re-evaluation: Dagster launches no run key twice"
    for request in requests:
        job = orchestra.definitions.resolve_job_def("evaluate")
        partition = request.partition_key  # type: ignore[union-attr]
        assert job.execute_in_process(instance=orchestra.instance, partition_key=partition).success
    result = orchestra.materialize("series")
    assert result.success
    [check] = result.get_asset_check_evaluations()
    assert (check.check_name, check.passed) == ("regression", True)


def test_nothing_paid_is_scheduled_without_a_budget(orchestra: Orchestra) -> None:
    orchestra.workplace.freeze()
    write_config(orchestra.workplace.root, PAID)
    assert "This may call paid models (openai/gpt-5.4)" in schedule(orchestra)


def sense(orchestra: Orchestra) -> dg.RunRequest | str:
    context = dg.build_sensor_context(
        instance=orchestra.instance,
        resources={"project": orchestra.project},
        definitions=orchestra.definitions,
    )
    found = adjudications(context)
    return str(found.skip_message) if isinstance(found, dg.SkipReason) else found


def test_decisions_have_nuggets_proposed_and_nothing_frozen(orchestra: Orchestra) -> None:
    workplace = orchestra.workplace
    with workplace.open() as project:
        project.run(run_channels(project, ["bridges"], "people", Silent()))
        with project.database.begin() as connection:
            from sqlalchemy import text

            question = connection.execute(text("select min(question_id) from questions")).scalar_one()
    assert sense(orchestra) == "No kept question waits for nuggets."
    with workplace.open() as project:
        decide(project.database, "bridges", "question", question, "keep", "Ada")
    requested = sense(orchestra)
    assert isinstance(requested, dg.RunRequest)
    assert requested.run_key == "nuggets after decision 1"
    write_config(workplace.root, PAID)
    assert "1 kept questions wait for nuggets. This may call paid models" in str(sense(orchestra))
    write_config(workplace.root)
    assert orchestra.materialize("nuggets").success
    assert sense(orchestra) == "No kept question waits for nuggets."
    with workplace.open() as project:
        assert load_gold(project.database, "bridges") is None, "a person freezes, never a sensor"


def test_a_failed_run_is_told_with_what_failed(orchestra: Orchestra, hook: Hook) -> None:
    webhook = hook.settings().webhook
    assert webhook is not None
    write_config(orchestra.workplace.root, f'[notify]\nwebhook = "{webhook.get_secret_value()}"\n')
    job = orchestra.definitions.resolve_job_def("evaluate")
    orchestra.instance.add_dynamic_partitions("runs", ["bridges/nobody/v1/c1/r1"])
    failed = job.execute_in_process(
        instance=orchestra.instance, partition_key="bridges/nobody/v1/c1/r1", raise_on_error=False
    )
    assert not failed.success
    context = dg.build_run_status_sensor_context(
        sensor_name="run_failures",
        dagster_instance=orchestra.instance,
        dagster_run=failed.dagster_run,
        dagster_event=failed.get_run_failure_event(),
        resources={"project": orchestra.project},
    ).for_run_failure()
    run_failures(context)
    told = json.loads(hook.bodies[0])["text"]
    assert told.startswith("*evaluate failed on bridges/nobody/v1/c1/r1*\n• agent_runs: ")
    assert "No run `bridges/nobody/v1/c1/r1`" in told
    assert failed.run_id in told
