"""How fast the workbench's pages answer on a channel with 5,000 proposed questions.

    .venv/bin/python benchmarks/workbench.py

Makes an embedded Postgres in a temporary folder, fills it with generated rows and asks each page through the whole
application (security, database, template; no network). Prints the median and the slowest of the answers, and ends
with 1 if a page's median is above 200 ms.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import text
from starlette.testclient import TestClient

from answertrail_pipeline.hashing import text_sha256
from answertrail_pipeline.judging.judges import judge_of, store_judge
from answertrail_pipeline.pipeline.project import Project, open_project
from answertrail_pipeline.settings import ModelRole
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.workbench.access import Access
from answertrail_pipeline.workbench.app import build_app

CHANNEL = "many"
QUESTIONS = 5_000
VIDEOS = 475
CHUNKS = 40
CLAIMS = 55
PAIRS = 600
REPEATS = 15
LIMIT_MS = 200
WORDS = [
    "kiln", "rent", "mug", "glaze", "clay", "wheel", "market", "studio", "price", "oven", "winter", "summer",
    "lamp", "river", "stamp", "bottle",
]  # fmt: skip


def main() -> None:
    """Fill a channel and time its pages."""
    with tempfile.TemporaryDirectory() as folder, project_in(Path(folder)) as project:
        began = time.perf_counter()
        fill(project)
        took = time.perf_counter() - began
        print(f"{QUESTIONS:,} proposed questions, {VIDEOS * CLAIMS:,} claims; filled in {took:.0f} s")
        slow = measure(project)
    sys.exit(1 if slow else 0)


@contextmanager
def project_in(folder: Path) -> Iterator[Project]:
    folder.chmod(0o755)
    config = folder / "answertrail.toml"
    config.write_text(f'[channels.{CHANNEL}]\nsource = {{ kind = "folder", path = "captions" }}\n', "utf-8")
    with open_project(config) as project:
        yield project


def fill(project: Project) -> None:
    first = datetime(2024, 1, 1, 12, tzinfo=UTC)
    videos, texts, chunks, claims, questions, nuggets = [], [], [], [], [], []
    for v in range(VIDEOS):
        video_id = f"video{v:04d}"
        videos.append({
            "channel": CHANNEL, "video_id": video_id, "title": f"Talk {v}", "published_precision": "second",
            "published_at": first + timedelta(days=2 * v), "published_source": "made", "language": "en",
            "content_sha256": video_id, "url": f"https://videos.example/watch?v={video_id}",
        })  # fmt: skip
        for c in range(CHUNKS):
            words = " ".join(WORDS[(v + c * k) % len(WORDS)] for k in range(1, 70))
            chunk = {"channel": CHANNEL, "chunk_id": f"{video_id}:{30 * c:05d}", "text_sha256": text_sha256(words)}
            texts.append({**chunk, "text": words})
            chunks.append({
                **chunk, "video_id": video_id, "position": c, "start_seconds": 30.0 * c,
                "end_seconds": 30.0 * c + 30, "spoken_text": words,
            })  # fmt: skip
        claims += [{
            "channel": CHANNEL, "claim_id": f"{video_id}#c{c:03d}", "video_id": video_id, "confidence": "high",
            "text": f"The {WORDS[c % 16]} {WORDS[v % 16]} cost {v + c} dollars in talk {v}.", "entities": [],
            "chunk_ids": [f"{video_id}:{30 * (c % CHUNKS):05d}"], "topics": [WORDS[c % 16]],
        } for c in range(CLAIMS)]  # fmt: skip
    for q in range(QUESTIONS):
        behind = [f"video{(q + 60 * k) % VIDEOS:04d}" for k in range(5 if q % 4 == 0 else 1)]
        evidence = {
            "channel": CHANNEL, "question_id": f"q-{q:06d}", "claim_ids": [f"{v}#c001" for v in behind],
            "chunk_ids": [f"{v}:00030" for v in behind], "written_by": "baseline",
        }  # fmt: skip
        warnings = [{"gate": "unspecific", "message": "It does not say what it is about."}] * (q % 3)
        questions.append({
            **evidence, "detail": Jsonb({"warnings": warnings}),
            "tier": "longitudinal" if q % 4 == 0 else "factual",
            "text": f"What did the {WORDS[q % 16]} of the {WORDS[q // 16 % 16]} cost in talk {q % VIDEOS}, {q}?",
        })  # fmt: skip
        nuggets += [{
            **evidence, "nugget_id": f"n{n}", "kind": "fact", "text": f"It cost {q + n} dollars.",
            "detail": Jsonb({"warnings": warnings}),
        } for n in range(1, 4)]  # fmt: skip
    with project.database.begin() as connection:
        for table, rows in {
            "videos": videos, "chunk_texts": texts, "chunks": chunks, "claims": claims, "questions": questions,
            "nuggets": nuggets,
        }.items():  # fmt: skip
            for at in range(0, len(rows), 2_000):
                insert_rows(connection, table, rows[at : at + 2_000])
        insert_rows(connection, "threads", [{
            "channel": CHANNEL, "thread_id": word, "topic": word, "videos": VIDEOS, "first_date": date(2024, 1, 1),
            "claim_ids": [f"video{v:04d}#c{WORDS.index(word):03d}" for v in range(VIDEOS)],
            "last_date": date(2026, 7, 1),
        } for word in WORDS])  # fmt: skip
        connection.execute(text("update questions set state = 'kept' where question_id >= 'q-004000'"))
        connection.execute(text(
            "insert into adjudications (channel, item_kind, item_id, item_sha256, decision, reviewer)"
            " select channel, 'question', question_id, '', 'keep', 'Ada' from questions where state = 'kept'"
        ))  # fmt: skip
        connection.execute(text("update questions set state = 'proposed'"))
        connection.execute(text("update questions set state = 'kept' where question_id >= 'q-004900'"))
        fill_pairs(connection)
    with project.database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("analyze"))


def fill_pairs(connection: Any) -> None:
    store_judge(connection, judge_of(ModelRole()))
    answers = [f"Answer {n}: " + " ".join(WORDS) * 20 for n in range(PAIRS)]
    insert_rows(connection, "judged_texts", [{"text_sha256": text_sha256(a), "text": a} for a in answers])
    insert_rows(connection, "calibration_pairs", [{
        "pair_id": text_sha256(f"pair {n}"), "channel": CHANNEL, "purpose": "recall", "tier": "factual",
        "question_id": "q-000000", "stratum": "recall/factual/control", "weight": 0.0, "claim": f"It cost {n}.",
        "claim_kind": "fact", "text_kind": "answer", "text_sha256": text_sha256(answers[n]), "design": Jsonb({}),
    } for n in range(PAIRS)])  # fmt: skip


def measure(project: Project) -> list[str]:
    access = Access(hosts=("testserver",))
    pages = {
        "overview": "",
        "questions": "/questions",
        "questions, found": "/questions?find=glaze&queue=all",
        "questions, last page": "/questions?page=98",
        "questions, second reviewer": "/questions?queue=mine",
        "a factual question": "/questions/q-000001",
        "a longitudinal question": "/questions/q-000004?queue=mine",
        "nuggets": "/nuggets",
        "nuggets of a question": "/nuggets/q-004904",
        "differences": "/differences",
        "gold": "/gold",
        "label": "/label",
        "trails": "/trails",
        "videos": "/videos",
        "a video": "/videos/video0100",
        "claims": "/claims",
        "claims, found": "/claims?find=glaze",
        "threads": "/threads",
        "a thread of 475 claims": "/threads/kiln",
        "quarantine": "/quarantine",
    }
    slow = []
    with TestClient(
        build_app(project, access), cookies={access.cookie: access.session, "answertrail_name": "Bob"}
    ) as client:
        for name, path in pages.items():
            took = [ask(client, path) for _ in range(REPEATS + 1)][1:]
            median = statistics.median(took)
            print(f"{name:<28} median {median:6.0f} ms   slowest {max(took):6.0f} ms")
            if median > LIMIT_MS:
                slow.append(name)
    print(f"above {LIMIT_MS} ms: {', '.join(slow) or 'none'}")
    return slow


def ask(client: TestClient, path: str) -> float:
    began = time.perf_counter()
    response = client.get(f"/c/{CHANNEL}{path}")
    took = 1000 * (time.perf_counter() - began)
    if response.status_code != 200:
        raise RuntimeError(f"{path} answered {response.status_code}")
    return took


if __name__ == "__main__":
    main()
