"""Made rows put into a real database, as the other rooms would have left them."""

from collections.abc import Iterable
from datetime import UTC, date, datetime

from psycopg.types.json import Jsonb

from answertrail_pipeline.agents.arms import Arm
from answertrail_pipeline.gold.types import GoldNugget, GoldQuestion, GoldVersion
from answertrail_pipeline.hashing import fingerprint, text_sha256
from answertrail_pipeline.settings import ArmSettings, ModelRole
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import join_key
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline_tests.scoring.factory import Rows

CORPUS = "c" * 64
ARM = Arm(
    settings=ArmSettings(agent="react", model=ModelRole()),
    embedder="minilm-int8",
    language="en",
    recipe="",
    prompts={},
)
VIDEOS = {"v1": datetime(2025, 1, 15, tzinfo=UTC), "v2": datetime(2025, 6, 1, tzinfo=UTC)}


def gold_of(rows: Iterable[Rows], policy: str = "people") -> GoldVersion:
    """Return a gold version that has the questions and nuggets that the rows speak of."""
    nuggets: dict[str, dict[str, GoldNugget]] = {}
    states: dict[str, tuple[str, str]] = {}
    for one in rows:
        for trail in one.trails:
            states[trail.question_id] = (trail.tier, trail.question_state)
        for verdict in one.verdicts:
            if verdict.purpose == "recall":
                nuggets.setdefault(verdict.question_id, {})[verdict.item_id] = GoldNugget(
                    nugget_id=verdict.item_id, kind=verdict.item_kind, text=f"nugget {verdict.item_id}",
                    chunk_ids=("v1:00000",), written_by="baseline",
                )  # fmt: skip
    questions = tuple(
        GoldQuestion(
            question_id=question,
            tier=tier,
            state=state,
            text=f"What of {question}?",
            nuggets=tuple(nuggets.get(question, {}).values()),
            chunk_ids=("v1:00000", "v2:00030"),
        )
        for question, (tier, state) in sorted(states.items())
    )
    return GoldVersion(
        channel="talks",
        gold_version="v1",
        as_of=date(2025, 6, 1),
        corpus_id=CORPUS,
        policy=policy,
        questions=questions,
    )


def store(database: Database, arms: list[Rows], policy: str = "people") -> None:
    """Store the rows of several arms as runs, trails and verdicts, with their `stage_run` rows."""
    gold = gold_of(arms, policy).model_dump(mode="json")
    with database.begin() as connection:
        insert_rows(connection, "videos", [
            {"channel": "talks", "video_id": video, "title": video, "published_at": at,
             "published_precision": "day", "published_source": "test", "language": "en", "content_sha256": "0"}
            for video, at in VIDEOS.items()
        ])  # fmt: skip
        insert_rows(connection, "corpora", [
            {"channel": "talks", "corpus_id": CORPUS, "number": 1, "videos": 2, "chunks": 2,
             "last_date": date(2025, 6, 1)}
        ])  # fmt: skip
        insert_rows(connection, "gold_versions", [
            {"channel": "talks", "gold_version": "v1", "as_of": date(2025, 6, 1), "corpus_id": CORPUS,
             "policy": policy, "content": Jsonb(gold), "content_sha256": fingerprint(gold)}
        ])  # fmt: skip
        insert_rows(connection, "judges", [
            {"judge_id": "judge-1", "model": "baseline", "family": None, "mode": "rules", "prompt_hash": "f" * 64,
             "config": Jsonb({})}
        ])  # fmt: skip
        for rows in arms:
            _store_arm(connection, rows)


def _store_arm(connection, rows: Rows) -> None:
    for run_key, repetition in sorted({(trail.run_key, trail.repetition) for trail in rows.trails}):
        insert_rows(connection, "runs", [
            {"run_key": run_key, "channel": "talks", "arm": rows.arm, "arm_hash": text_sha256(rows.arm),
             "arm_config": Jsonb(ARM.model_dump(mode="json")),
             "gold_version": "v1", "corpus_id": CORPUS, "repetition": repetition}
        ])  # fmt: skip
    done = [trail for trail in rows.trails if trail.state != "open"]
    insert_rows(connection, "trails", [
        {"run_key": trail.run_key, "question_id": trail.question_id, "state": trail.state, "answer": "An answer.",
         "question": f"What of {trail.question_id}?", "searches": trail.searches, "steps": trail.steps,
         "prompt_tokens": trail.prompt_tokens, "completion_tokens": trail.completion_tokens,
         "cost_usd": trail.cost_usd, "error": trail.error, "fingerprint": f"{trail.run_key}/{trail.question_id}"}
        for trail in done
    ])  # fmt: skip
    chunks = {"v1:00000": "v1", "v1:00030": "v1"}
    insert_rows(connection, "trail_chunks", [
        {"run_key": trail.run_key, "question_id": trail.question_id, "chunk_id": chunk, "text_sha256": "0",
         "video_id": video, "title": video, "published_at": VIDEOS[video], "start_seconds": 0.0, "first_step": 1,
         "rank": 1}
        for trail in done for chunk, video in chunks.items()
    ])  # fmt: skip
    insert_rows(connection, "assertions", [
        {"run_key": verdict.run_key, "question_id": verdict.question_id, "ordinal": int(verdict.item_id),
         "text": "An assertion."}
        for verdict in rows.verdicts if verdict.purpose == "grounded"
    ])  # fmt: skip
    ids = [fingerprint(v.run_key, v.question_id, v.purpose, v.item_id) for v in rows.verdicts]
    insert_rows(connection, "verdicts", [
        {"verdict_id": key, "purpose": v.purpose, "claim": v.item_id, "claim_kind": v.item_kind,
         "text_sha256": "0", "judge_id": "judge-1", "label": v.label, "reason": "because",
         "detail": v.detail, "unscored": v.unscored}
        for key, v in zip(ids, rows.verdicts, strict=True)
    ])  # fmt: skip
    insert_rows(connection, "run_verdicts", [
        {"run_key": v.run_key, "question_id": v.question_id, "purpose": v.purpose, "item_id": v.item_id,
         "verdict_id": key}
        for key, v in zip(ids, rows.verdicts, strict=True)
    ])  # fmt: skip
    insert_rows(connection, "miss_kinds", [
        {"run_key": v.run_key, "question_id": v.question_id, "nugget_id": v.item_id, "kind": v.miss_kind}
        for v in rows.verdicts if v.miss_kind
    ])  # fmt: skip
    insert_rows(connection, "stage_run", [
        {"stage": stage, "key": f"{trail.run_key}/{join_key(trail.question_id)}", "channel": "talks",
         "input_hash": "0", "code_version": "1", "output_hash": f"{stage} {trail.question_id}", "state": "done"}
        for stage in ("agent_runs", "assertions", "verdicts") for trail in done
    ])  # fmt: skip
