"""A channel with proposals, pairs and a trail, as the stages leave them, full of hostile text."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from psycopg.types.json import Jsonb

from answertrail_pipeline.agents.arms import make_arm
from answertrail_pipeline.agents.runs import Run
from answertrail_pipeline.agents.trails import StoredTrail, write_trail
from answertrail_pipeline.agents.types import RetrievedChunk, Trail
from answertrail_pipeline.gold.types import GoldNugget, GoldQuestion, GoldVersion
from answertrail_pipeline.gold.versions import store_version
from answertrail_pipeline.hashing import text_sha256
from answertrail_pipeline.judging.judges import judge_of, store_judge
from answertrail_pipeline.retrieval.types import Hit
from answertrail_pipeline.settings import ModelRole, Settings, load_settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline_tests.gold.channel import CHANNEL, put_video

SCRIPT = "<script>alert('owned')</script>"
RUN = f"{CHANNEL}/words/v1/c1/r1"
RUN_B = f"{CHANNEL}/again/v1/c1/r1"
DAYS = {"v1": "2025-01-10", "v2": "2025-05-20", "v3": "2025-09-30"}
SECRET_REASON = "the-judge-said-this"


def write_config(root: Path, workbench: str = "") -> Settings:
    """Write a project of one channel with two rule-based arms and read it."""
    path = root / "answertrail.toml"
    path.write_text(
        f'[channels.{CHANNEL}]\ntitle = "Kiln talks"\nsource = {{ kind = "folder", path = "captions" }}\n'
        '[arms.words]\nagent = "single_shot"\nretriever = { kind = "bm25" }\n'
        '[arms.again]\nagent = "react"\nretriever = { kind = "bm25" }\n'
        '[arms.paid]\nagent = "react"\nmodel = { model = "openai/some-model" }\n' + workbench,
        "utf-8",
    )
    return load_settings(path, {})


def put_library(database: Database, questions: int = 20) -> None:
    """Three videos with a claim each, and proposed questions with one proposed nugget each."""
    for number, (video_id, day) in enumerate(DAYS.items()):
        rent = 240 + 10 * number
        said = [f"The kiln rent is {rent} dollars a month now {SCRIPT}.", f"Mugs sold well in {video_id}."]
        put_video(
            database,
            video_id,
            day,
            said,
            title=f"Talk {video_id} {SCRIPT}",
            url=f"https://v.example/w?v={video_id}",
        )
    claims = [
        {
            "channel": CHANNEL, "claim_id": f"{video_id}#c001", "video_id": video_id,
            "text": f"The kiln rent is {240 + 10 * n} dollars a month {SCRIPT}.", "confidence": "high",
            "chunk_ids": [f"{video_id}:00000"], "topics": ["kiln rent"], "entities": [],
            "flags": ["unheard:Harwick"],
        }
        for n, video_id in enumerate(DAYS)
    ]  # fmt: skip
    thread = {
        "channel": CHANNEL, "thread_id": "kiln rent", "topic": f"kiln rent {SCRIPT}", "videos": 3,
        "claim_ids": [claim["claim_id"] for claim in claims], "first_date": date(2025, 1, 10),
        "last_date": date(2025, 9, 30),
    }  # fmt: skip
    with database.begin() as connection:
        insert_rows(connection, "claims", claims)
        insert_rows(connection, "threads", [thread])
        insert_rows(connection, "questions", [_question(n) for n in range(questions)])
        insert_rows(connection, "nuggets", [_nugget(n) for n in range(questions)])
        insert_rows(connection, "quarantine", [
            {"channel": CHANNEL, "file": f"bad{SCRIPT}.vtt", "code": "no_cues", "found_in": "reading",
             "video_id": None, "message": "It holds no cue."}
        ])  # fmt: skip


def _question(number: int) -> dict[str, Any]:
    video_id = list(DAYS)[number % 3]
    warnings = [{"gate": "unspecific", "message": f"It does not say what it is about {SCRIPT}."}]
    return {
        "channel": CHANNEL,
        "question_id": f"fc-{number:08d}",
        "tier": "factual",
        "text": f"What was the kiln rent of studio {number} {SCRIPT}?",
        "unit_key": f"{CHANNEL}/factual/{number}",
        "claim_ids": [f"{video_id}#c001"],
        "chunk_ids": [f"{video_id}:00000"],
        "detail": Jsonb({"warnings": warnings if number % 4 == 3 else []}),
        "written_by": "baseline",
    }


def _nugget(number: int) -> dict[str, Any]:
    video_id = list(DAYS)[number % 3]
    return {
        "channel": CHANNEL,
        "question_id": f"fc-{number:08d}",
        "nugget_id": "n1",
        "kind": "fact",
        "text": f"It was {240 + number} dollars, and it was paid late {SCRIPT}.",
        "claim_ids": [f"{video_id}#c001"],
        "chunk_ids": [f"{video_id}:00000"],
        "detail": Jsonb({"warnings": [{"gate": "bundled", "message": "It holds 2 checkable parts."}]}),
        "written_by": "baseline",
    }


def put_runs(database: Database, settings: Settings, question_id: str = "fc-00000000") -> None:
    """Two finished runs on gold `v1` with a trail each; the first one's nugget is judged a HIT by rules."""
    for key, arm in ((RUN, "words"), (RUN_B, "again")):
        whole = make_arm(arm, settings, CHANNEL)
        run = Run(key, CHANNEL, arm, whole.hash, whole.model_dump(mode="json"), "v1", "c" * 64, 1)
        with database.begin() as connection:
            insert_rows(connection, "runs", [{**vars(run), "arm_config": Jsonb(run.arm_config)}])
            write_trail(connection, CHANNEL, StoredTrail(key, question_id, f"What rent {SCRIPT}?", _trail(), key))
    judge = judge_of(ModelRole())
    answer = text_sha256("the answer")
    verdict = _verdict("verdict-recall", "recall", "It was 240 dollars.", answer, judge.judge_id)
    with database.begin() as connection:
        store_judge(connection, judge)
        insert_rows(connection, "judged_texts", [{"text_sha256": answer, "text": "the answer"}])
        insert_rows(connection, "verdicts", [verdict])
        insert_rows(connection, "run_verdicts", [
            {"run_key": RUN, "question_id": question_id, "purpose": "recall", "item_id": "n1",
             "verdict_id": "verdict-recall"}
        ])  # fmt: skip


def put_gold(database: Database) -> None:
    """The gold version that the runs name, with one question."""
    nugget = GoldNugget(nugget_id="n1", kind="fact", text=f"It was 240 dollars {SCRIPT}.")
    question = GoldQuestion(
        question_id="fc-00000000", tier="factual", text=f"What rent {SCRIPT}?", state="kept", nuggets=(nugget,)
    )
    gold = GoldVersion(
        channel=CHANNEL, gold_version="", as_of=date(2025, 9, 30), corpus_id="c" * 64, policy="people",
        questions=(question,),
    )  # fmt: skip
    with database.begin() as connection:
        store_version(connection, gold, "v1")


def _trail() -> Trail:
    said = f"The kiln rent is 240 dollars a month now {SCRIPT}."
    hits = [
        Hit(
            f"{video_id}:00000",
            text_sha256(text),
            video_id,
            f"Talk {video_id} {SCRIPT}",
            _noon(day),
            0.0,
            text,
            1.0,
        )
        for video_id, day, text in (
            ("v1", DAYS["v1"], said),
            ("v2", DAYS["v2"], said.replace("240", "250")),
        )
    ]
    return Trail(
        answer=f"It was 240 dollars [v1:00000], then 250 [v2:00000] {SCRIPT}.",
        citations=("v1:00000", "v2:00000"),
        retrieved=tuple(RetrievedChunk(hit, at, 1) for at, hit in enumerate(hits, start=1)),
        events=(
            {"kind": "search_started", "number": 1, "step": 1, "query": f"kiln rent {SCRIPT}"},
            {"kind": "search_finished", "number": 1, "chunk_ids": ["v1:00000"], "new": 1, "seen": 0},
            {"kind": "search_started", "number": 2, "step": 2, "query": "kiln rent later", "since": "2025-05-01"},
            {"kind": "search_finished", "number": 2, "chunk_ids": ["v1:00000", "v2:00000"], "new": 1, "seen": 1},
        ),
        searches=2,
        steps=2,
        model_calls=3,
        prompt_tokens=1000,
        completion_tokens=234,
    )


def _noon(day: str) -> datetime:
    return datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=UTC)


def put_pairs(database: Database, count: int = 12) -> None:
    """Pairs to label, each with a verdict whose reason must never reach a labelling page."""
    judge = judge_of(ModelRole())
    texts = [f"Answer {n}: the rent was {240 + n} dollars {SCRIPT}." for n in range(count)]
    ids = [f"{n:02d}" + "a" * 30 for n in range(count)]
    with database.begin() as connection:
        store_judge(connection, judge)
        insert_rows(
            connection, "judged_texts", [{"text_sha256": text_sha256(words), "text": words} for words in texts]
        )
        insert_rows(connection, "verdicts", [
            _verdict(f"v-{ids[n]}", "recall", f"Claim {n} {SCRIPT}", text_sha256(texts[n]), judge.judge_id)
            for n in range(count)
        ])  # fmt: skip
        insert_rows(connection, "calibration_pairs", [
            {"pair_id": ids[n], "channel": CHANNEL, "verdict_id": f"v-{ids[n]}", "purpose": "recall",
             "tier": "factual", "question_id": "fc-00000000", "stratum": "recall/factual/HIT", "weight": 1.0,
             "claim": f"Claim {n} {SCRIPT}", "claim_kind": "fact", "question": "What rent?",
             "text_kind": "answer", "text_sha256": text_sha256(texts[n]), "design": Jsonb({})}
            for n in range(count)
        ])  # fmt: skip


def _verdict(verdict_id: str, purpose: str, claim: str, sha: str, judge_id: str) -> dict[str, Any]:
    return {
        "verdict_id": verdict_id, "purpose": purpose, "claim": claim, "claim_kind": "fact", "text_sha256": sha,
        "judge_id": judge_id, "label": "HIT", "reason": SECRET_REASON,
    }  # fmt: skip
