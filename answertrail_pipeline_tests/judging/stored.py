"""Runs with finished trails in a real database, and the stages that judge them."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import text

from answertrail_pipeline.agents.arms import Arm
from answertrail_pipeline.agents.runs import Run, run_unit_key
from answertrail_pipeline.agents.trails import StoredTrail, trail_hash, write_trail
from answertrail_pipeline.agents.types import RetrievedChunk, Trail
from answertrail_pipeline.gold.types import GoldNugget, GoldQuestion, GoldVersion
from answertrail_pipeline.hashing import text_sha256
from answertrail_pipeline.judging.assertions import assertions_stage
from answertrail_pipeline.judging.verdicts import verdicts_stage
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.retrieval.types import Hit
from answertrail_pipeline.settings import (
    ArmSettings,
    FileSettings,
    ModelRole,
    ModelsSettings,
    ScoringSettings,
    Settings,
)
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.store.stage_run import StageReport, run_stage

CHANNEL = "coast"
DAYS = {"jan": date(2025, 1, 10), "jun": date(2025, 6, 20), "nov": date(2025, 11, 5)}
CHUNKS = {
    "jan:00000": "The lighthouse at Pellan Point is thirty one metres tall and was built of granite.",
    "jan:00030": "I do not trust the electric lamp, it goes out in every storm we have had this winter.",
    "nov:00000": "Now I would never go back, the electric lamp is better than oil in every way, says the keeper.",
}
FACT = "How tall is the lighthouse at Pellan Point?"
CHANGE = "How did the keeper's view of the electric lamp change in 2025?"


def settings(root: Path, *, mode: str = "single", judge: ModelRole | None = None, **scoring: Any) -> Settings:
    models = ModelsSettings(judge=judge or ModelRole())
    parsed = FileSettings(models=models, scoring=ScoringSettings(judge_mode=mode, **scoring), data_dir=root)
    values = {name: getattr(parsed, name) for name in FileSettings.model_fields}
    return Settings.model_construct(**values, root=root, database_url=None)


def fact(*nuggets: str, question_id: str = "fc-1", ids: Sequence[str] | None = None) -> GoldQuestion:
    """A factual question whose nuggets are `n1`, `n2`, ..."""
    names = ids or [f"n{n}" for n in range(1, len(nuggets) + 1)]
    made = [GoldNugget(nugget_id=i, kind="fact", text=t) for i, t in zip(names, nuggets, strict=True)]
    return GoldQuestion(question_id=question_id, tier="factual", text=FACT, state="kept", nuggets=tuple(made))


def stance(nugget_id: str, text: str, window: str, start: date, end: date) -> GoldNugget:
    return GoldNugget(
        nugget_id=nugget_id, kind="stance", text=text, window_text=window, window_from=start, window_to=end
    )


def gold(*questions: GoldQuestion) -> GoldVersion:
    return GoldVersion(
        channel=CHANNEL, gold_version="v1", as_of=date(2025, 12, 1), corpus_id="c" * 64, policy="people",
        questions=questions,
    )  # fmt: skip


def declare(database: Database, arm: str = "plain", model: str = "baseline", **fields: Any) -> Run:
    """Store a run of an arm."""
    whole = Arm(
        settings=ArmSettings(**{"model": ModelRole(model=model), **fields}), embedder="none", language="en",
        recipe="", prompts={},
    )  # fmt: skip
    run = Run(f"coast/{arm}/v1/c1/r1", CHANNEL, arm, whole.hash, whole.model_dump(mode="json"), "v1", "c" * 64, 1)
    with database.begin() as connection:
        insert_rows(connection, "runs", [{**vars(run), "arm_config": Jsonb(run.arm_config)}])
        insert_rows(connection, "chunk_texts", [
            {"channel": CHANNEL, "chunk_id": each, "text_sha256": text_sha256(said), "text": said}
            for each, said in CHUNKS.items()
        ], skip_existing=True)  # fmt: skip
    return run


def answered(
    database: Database,
    run: Run,
    question: GoldQuestion,
    answer: str,
    chunks: Sequence[str] = tuple(CHUNKS),
    citations: Sequence[str] = (),
    **fields: Any,
) -> None:
    """Store the trail of one question as the stage `agent_runs` leaves it; an earlier one is replaced."""
    hits = [
        Hit(each, text_sha256(CHUNKS[each]), each.split(":")[0], "A round",
            datetime.combine(DAYS[each.split(":")[0]], datetime.min.time(), UTC), 0.0, CHUNKS[each], 1.0)
        for each in chunks
    ]  # fmt: skip
    retrieved = tuple(RetrievedChunk(hit, 1, rank) for rank, hit in enumerate(hits, 1))
    trail = Trail(answer, tuple(citations), retrieved, **fields)
    with database.begin() as connection:
        stored = StoredTrail(run.run_key, question.question_id, question.text, trail, f"f{run.run_key}")
        write_trail(connection, CHANNEL, stored)
        connection.execute(
            text(
                "insert into stage_run (stage, key, channel, input_hash, code_version, output_hash, state)"
                " values ('agent_runs', :key, :channel, '0', '1', :output_hash, 'done')"
                " on conflict (stage, key) do update set output_hash = excluded.output_hash"
            ),
            {"key": run_unit_key(run.run_key, question.question_id), "channel": CHANNEL,
             "output_hash": trail_hash(trail)},
        )  # fmt: skip


async def judge_run(
    database: Database, door: Door, configured: Settings, run: Run, version: GoldVersion
) -> tuple[StageReport, StageReport]:
    """Bring assertions and verdicts of a run up to date."""
    first = await run_stage(database, assertions_stage(database, door, configured, run))
    return first, await run_stage(database, verdicts_stage(database, door, configured, run, version))


def verdicts(database: Database, run: Run, purpose: str | None = None) -> dict[tuple[str, str, str], Any]:
    """Return the rows of a run's verdicts by (purpose, question, item)."""
    with database.begin() as connection:
        rows = connection.execute(
            text("select run_verdicts.question_id, item_id, verdicts.* from run_verdicts join verdicts"
                 " using (verdict_id, purpose) where run_key = :run_key"),
            {"run_key": run.run_key},
        ).all()  # fmt: skip
    return {(r.purpose, r.question_id, r.item_id): r for r in rows if purpose in (None, r.purpose)}


def unit_row(database: Database, run: Run, question_id: str, stage: str = "verdicts") -> Any:
    with database.begin() as connection:
        return connection.execute(
            text("select * from stage_run where stage = :stage and key = :key"),
            {"stage": stage, "key": run_unit_key(run.run_key, question_id)},
        ).one()
