"""Whether a run's words on a person are all there: judged, failed (which scores 0), or still to come."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, text

from answertrail_pipeline.agents.runs import AGENT_RUNS, Run, run_unit_key
from answertrail_pipeline.judging.verdicts import VERDICTS_STAGE

FAILED = "failed"


class Standing(NamedTuple):
    """How a run stands on one person.

    Attributes:
        made: output hash of the verdicts; `failed` where the agent gave no answer.
        waits_for: why it cannot be scored yet, or None.
    """

    made: str
    waits_for: str | None = None


def standing(connection: Connection, run: Run, people: Iterable[str]) -> dict[str, Standing]:
    """Return by person how a run stands."""
    rows = connection.execute(
        text(
            "select stage, key, state, output_hash, reason from stage_run"
            " where stage in ('agent_runs', 'verdicts') and channel = :channel and starts_with(key, :prefix)"
        ),
        {"channel": run.channel, "prefix": f"{run.run_key}/"},
    )
    units = {(row.stage, row.key): row for row in rows}
    made: dict[str, Standing] = {}
    for person in people:
        key = run_unit_key(run.run_key, person)
        asked, judged = units.get((AGENT_RUNS, key)), units.get((VERDICTS_STAGE, key))
        if asked is not None and asked.state == "error":
            made[person] = Standing(FAILED)
        elif judged is not None and judged.state == "done":
            made[person] = Standing(judged.output_hash)
        else:
            state = f"{judged.state}: {judged.reason}" if judged is not None else "open"
            made[person] = Standing("open", f"the verdicts of {key} are {state}")
    return made


def judged_by_others(connection: Connection, run_keys: Iterable[str], judge_id: str) -> list[str]:
    """Return the runs that hold verdicts of another judge: they must be judged anew before they are pooled."""
    rows = connection.execute(
        text(
            "select distinct run_verdicts.run_key from run_verdicts join verdicts using (verdict_id)"
            " where run_key = any(:runs) and judge_id <> :judge order by 1"
        ),
        {"runs": sorted(run_keys), "judge": judge_id},
    )
    return list(rows.scalars())
