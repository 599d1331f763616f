"""Scores a million stored verdict rows into a scoreboard with intervals; prints seconds and memory.

    python benchmarks/rescore.py [--rows 1000000] [--resamples 10000]

A server of its own is started in a temporary folder (or DATABASE_URL is used: an empty database), rows are made
inside it, and the scoreboard is built from them exactly as `answertrail score` does.
"""

import argparse
import resource
import tempfile
import time
from datetime import date
from pathlib import Path

from psycopg.types.json import Jsonb
from sqlalchemy import text

from answertrail_pipeline.agents.arms import Arm
from answertrail_pipeline.gold.types import GoldNugget, GoldQuestion, GoldVersion
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.scoring.board import to_bytes
from answertrail_pipeline.scoring.scoreboard import scoreboard
from answertrail_pipeline.settings import ArmSettings, ModelRole, ScoringSettings, Settings
from answertrail_pipeline.store.database import Database, open_database
from answertrail_pipeline.store.rows import insert_rows

ARMS = ("dense", "hybrid", "react", "single", "trajectory")
FACTUAL, LONGITUDINAL = 125, 125
# verdicts of one question in one run: 3 facts and 10 assertions, or 4 stances, a shift and 20 assertions
PER_FACTUAL, PER_LONGITUDINAL = 2 * 3 + 2 * 10, 2 * 4 + 1 + 2 * 20
PER_RUN = FACTUAL * PER_FACTUAL + LONGITUDINAL * PER_LONGITUDINAL

VERDICTS = """
insert into verdicts (verdict_id, purpose, claim, claim_kind, text_sha256, judge_id, label, unscored, reason)
select concat_ws('/', runs.run_key, item.question_id, item.purpose, item.item_id),
       item.purpose, 'claim', item.kind, '0', 'judge', word.label,
       case when word.label is null then 'timeout' end, 'because'
from runs
cross join item
cross join lateral (
    select case when draw.value < 0.001 then null when draw.value < 0.6 then 'HIT' else 'MISS' end as label
    from (select ('x' || substr(md5(runs.run_key || item.question_id || item.purpose || item.item_id), 1, 7))
                 ::bit(28)::int / 268435456.0 as value) as draw
) as word
"""
RUN_VERDICTS = """
insert into run_verdicts (run_key, question_id, purpose, item_id, verdict_id)
select runs.run_key, item.question_id, item.purpose, item.item_id,
       concat_ws('/', runs.run_key, item.question_id, item.purpose, item.item_id)
from runs cross join item
"""
MISS_KINDS = """
insert into miss_kinds (run_key, question_id, nugget_id, kind)
select run_verdicts.run_key, question_id, item_id, 'substance'
from run_verdicts join verdicts using (verdict_id)
where run_verdicts.purpose = 'recall' and claim_kind = 'stance' and label = 'MISS'
"""
TRAILS = """
insert into trails (run_key, question_id, state, question, answer, searches, steps, prompt_tokens,
                    completion_tokens, cost_usd, fingerprint)
select run_key, question_id, 'done', 'asked', 'answered', 4, 5, 900, 100, 0.05, run_key || question_id
from runs cross join (select distinct question_id from item) as questions
"""


def gold() -> GoldVersion:
    """Return a gold version of both tiers."""
    made = []
    for number in range(FACTUAL + LONGITUDINAL):
        factual = number < FACTUAL
        kinds = ["fact"] * 3 if factual else ["stance"] * 4 + ["shift"]
        made.append(
            GoldQuestion(
                question_id=f"q{number:04d}",
                tier="factual" if factual else "longitudinal",
                text="A question?",
                state="kept",
                nuggets=tuple(
                    GoldNugget(nugget_id=f"n{place}", kind=kind, text="A nugget.")
                    for place, kind in enumerate(kinds)
                ),
            )
        )
    return GoldVersion(
        channel="bench",
        gold_version="v1",
        as_of=date(2026, 1, 1),
        corpus_id="c",
        policy="people",
        questions=tuple(made),
    )


def items(version: GoldVersion) -> list[dict[str, str]]:
    """Return every (question, purpose, item) that is judged in a run."""
    rows = []
    for question in version.questions:
        for nugget in question.nuggets:
            purposes = ["recall"] if nugget.kind == "shift" else ["recall", "ceiling"]
            rows += [(question.question_id, purpose, nugget.nugget_id, nugget.kind) for purpose in purposes]
        assertions = 10 if question.tier == "factual" else 20
        rows += [
            (question.question_id, purpose, str(ordinal), "assertion")
            for purpose in ("grounded", "cited")
            for ordinal in range(assertions)
        ]
    return [dict(zip(("question_id", "purpose", "item_id", "kind"), row, strict=True)) for row in rows]


def fill(database: Database, rows: int) -> int:
    """Make the rows; return how many verdicts there are."""
    version = gold()
    content = version.model_dump(mode="json")
    settings = ArmSettings(agent="react", model=ModelRole())
    arm = Arm(settings=settings, embedder="minilm-int8", language="en", recipe="", prompts={})
    repetitions = max(1, round(rows / PER_RUN / len(ARMS)))
    with database.begin() as connection:
        insert_rows(connection, "gold_versions", [
            {"channel": "bench", "gold_version": "v1", "as_of": version.as_of, "corpus_id": "c",
             "policy": "people", "content": Jsonb(content), "content_sha256": fingerprint(content)}
        ])  # fmt: skip
        insert_rows(connection, "judges", [
            {"judge_id": "judge", "model": "baseline", "family": None, "mode": "rules", "prompt_hash": "p",
             "config": Jsonb({})}
        ])  # fmt: skip
        insert_rows(connection, "runs", [
            {"run_key": f"bench/{name}/v1/c1/r{repetition}", "channel": "bench", "arm": name, "arm_hash": name,
             "arm_config": Jsonb(arm.model_dump(mode="json")), "gold_version": "v1", "corpus_id": "c",
             "repetition": repetition}
            for name in ARMS for repetition in range(1, repetitions + 1)
        ])  # fmt: skip
        connection.execute(text("create table item (question_id text, purpose text, item_id text, kind text)"))
        insert_rows(connection, "item", items(version))
        for statement in (VERDICTS, RUN_VERDICTS, MISS_KINDS, TRAILS):
            connection.exec_driver_sql(statement)
        connection.execute(text("drop table item"))
        made: int = connection.execute(text("select count(*) from run_verdicts")).scalar_one()
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("analyze"))
    return made


def memory() -> float:
    """Return this process's peak memory in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Fill, score, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--resamples", type=int, default=10_000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        settings = Settings(
            config=Path(folder) / "answertrail.toml",
            data_dir=Path(folder) / "data",
            scoring=ScoringSettings(resamples=chosen.resamples),
        )
        with open_database(settings) as database:
            start = time.perf_counter()
            rows = fill(database, chosen.rows)
            print(f"{rows:,} verdict rows made in {time.perf_counter() - start:.1f} s")
            before, start = memory(), time.perf_counter()
            board = scoreboard(database, "bench", settings)
            seconds = time.perf_counter() - start
            numbers = sum(len(arm.metrics) for arm in board.arms) + len(board.comparisons)
            print(
                f"scoreboard of {len(board.arms)} arms, {sum(len(arm.runs) for arm in board.arms)} runs,"
                f" {numbers} numbers with intervals ({chosen.resamples:,} resamples):"
                f" {seconds:.1f} s, {rows / seconds:,.0f} rows/s"
            )
            print(f"memory: {before:.0f} MiB before, {memory():.0f} MiB at its peak")
            print(f"scoreboard: {len(to_bytes(board)) / 1e6:.1f} MB of JSON")


if __name__ == "__main__":
    main()
