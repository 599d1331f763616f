"""Does the trajectory retriever find evidence spread over time? Figures of docs/retrieval.md.

    python benchmarks/retrieval.py S E --cache build/vectors
    python benchmarks/retrieval.py L F --cache build/vectors
    python benchmarks/retrieval.py E --cache build/vectors --budgets   # only how long a search takes

Every ranking comes from the product's own SQL on a real Postgres; the arms are put together from these rankings by
the product's fusion. Sets (../shared/data; notes/retrieval.md section 3):
S  774 chunks of the seed's creator, 23 scored questions, 69 stance nuggets
L  S among 24,627 chunks of two other channels (25,401 in all)
E  26,941 chunks of 261 Ethereum calls, 30 topics with time-stamped labels
F  L and the 156 other chunks that the seed's 50 factual candidates name: what factual questions lose
"""

import argparse
import asyncio
import gzip
import json
import os
import random
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
from scipy.stats import bootstrap
from sqlalchemy import text

from answertrail_pipeline.corpus.chunking import ChunkRules, chunk_cues
from answertrail_pipeline.corpus.cues import normalize
from answertrail_pipeline.corpus.formats.cue_jsonl import add_cue
from answertrail_pipeline.corpus.formats.reading import Parsed
from answertrail_pipeline.hashing import text_sha256
from answertrail_pipeline.language.tokens import tokens, word_pairs
from answertrail_pipeline.models.embedders import MiniLm
from answertrail_pipeline.retrieval.claims import CLAIM_WEIGHT, rank_claims
from answertrail_pipeline.retrieval.fusion import best, reciprocal_ranks, spread
from answertrail_pipeline.retrieval.index import build_index, claim_index_stage
from answertrail_pipeline.retrieval.periods import make_periods
from answertrail_pipeline.retrieval.rankings import ALWAYS, Period, Ranked, Scope, bm25_ranking, dense_ranking
from answertrail_pipeline.retrieval.search import search
from answertrail_pipeline.retrieval.span import find_span
from answertrail_pipeline.retrieval.topic import core_topic
from answertrail_pipeline.retrieval.trajectory import PERIOD_DEPTH
from answertrail_pipeline.retrieval.types import Query
from answertrail_pipeline.settings import RetrieverSettings
from answertrail_pipeline.store.database import Database, make_engine
from answertrail_pipeline.store.keys import video_key
from answertrail_pipeline.store.migrate import migrate
from answertrail_pipeline.store.postgres import EmbeddedPostgres
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.store.stage_run import run_stage
from answertrail_pipeline.tasks.claim_rules import find_claims

DATA = Path(__file__).resolve().parents[2] / "shared/data"
SETTINGS = RetrieverSettings(kind="trajectory", k=40)
NEAR_SECONDS = 45
SLICES = 6
OTHERS = 24_627
CLAIM_WINDOW = 40
RESAMPLES = 10_000
E_FRAME = "How did the discussion of {} evolve from {} through {}?"
E_SUBQUERIES = (
    "{} decision agreed",
    "{} problem concern",
    "{} proposal discussion",
    "{} status update progress",
)


@dataclass(frozen=True)
class Text:
    chunk_id: str
    day: str
    words: str


@dataclass(frozen=True)
class Question:
    """A question with its sub-queries; `measures` holds, by name, the sets of chunks that each answer one unit."""

    key: str
    words: str
    subqueries: tuple[str, ...]
    measures: dict[str, list[set[str]]]


class CachedMiniLm(MiniLm):
    """MiniLM that keeps its vectors on disk, by text."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / f"{self.model_id}.npz"
        folder.mkdir(parents=True, exist_ok=True)
        self.known: dict[str, np.ndarray] = {}
        if self.file.exists():
            stored = np.load(self.file)
            self.known = dict(zip(stored["keys"].tolist(), stored["vectors"], strict=True))

    def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
        keys = [text_sha256(one) for one in texts]
        missing = sorted({key: one for key, one in zip(keys, texts, strict=True) if key not in self.known}.items())
        for at in range(0, len(missing), 1024):
            batch = missing[at : at + 1024]
            made = super().embed_documents([one for _, one in batch])
            self.known.update(zip([key for key, _ in batch], made, strict=True))
            if len(missing) > 1024:
                print(f"  embedded {at + len(batch):,} of {len(missing):,}", flush=True)
                self.save()
        return np.stack([self.known[key] for key in keys]) if keys else np.zeros((0, 384), np.float32)

    def save(self) -> None:
        np.savez(self.file, keys=np.array(list(self.known)), vectors=np.stack(list(self.known.values())))


# --- the sets


def lines(path: str) -> list[dict]:
    return [json.loads(line) for line in (DATA / path).read_text("utf-8").splitlines()]


def channel_chunks(corpus: str) -> dict[str, str]:
    """Return a real channel's chunks as the product cuts them."""
    parsed: dict[str, Parsed] = defaultdict(Parsed)
    with gzip.open(DATA / f"corpus-real/captions/{corpus}.jsonl.gz", "rt", encoding="utf-8") as cues:
        for line in cues:
            cue = json.loads(line)
            add_cue(parsed[cue["video_id"]], cue, "")
    chunks = {}
    for video_id in sorted(parsed):
        cues_ = normalize(parsed[video_id].cues)
        for chunk in chunk_cues(video_id, cues_, [False] * len(cues_), ChunkRules(30, 30.0, "en")):
            chunks[chunk.chunk_id] = chunk.spoken_text
    return chunks


def seed_texts() -> list[Text]:
    return [
        Text(r["chunk_id"], r["published_at"], r["text"]) for r in lines("answertrail/longitudinal_chunks.jsonl")
    ]


def large_texts() -> list[Text]:
    """Return S among the other channels; Lexicap's days are drawn inside the span of S, per video."""
    seed = seed_texts()
    days = sorted(date.fromisoformat(one.day) for one in seed)
    draw = random.Random("lexicap days")
    video_days = {}
    for video in lines("corpus-real/videos.jsonl"):
        drawn = days[0] + timedelta(draw.randrange((days[-1] - days[0]).days + 1))
        video_days[video["video_id"]] = video["published_at"] if video["corpus"] == "turing-post" else str(drawn)
    turing, lexicap = channel_chunks("turing-post"), channel_chunks("lexicap")
    there = {one.chunk_id for one in seed}
    others = [(key, words) for key, words in sorted(turing.items()) if key not in there]
    pool = [
        (key, words) for key, words in sorted(lexicap.items()) if key not in there and len(words.split()) >= 10
    ]
    others += random.Random("lexicap chunks").sample(pool, OTHERS - len(others))
    return seed + [Text(key, video_days[key.rpartition(":")[0]], words) for key, words in others]


def factual_texts() -> list[Text]:
    """Return L with the chunks of the factual candidates; a video without a known day gets one inside the span."""
    texts = large_texts()
    there = {one.chunk_id for one in texts}
    days = {one.chunk_id.rpartition(":")[0]: one.day for one in seed_texts()}
    first, last = date.fromisoformat(min(days.values())), date.fromisoformat(max(days.values()))
    chunks = {
        key: words for row in lines("answertrail/factual_candidates.jsonl") for key, words in row["chunks"].items()
    }
    draw = random.Random("factual days")
    for key in sorted(chunks.keys() - there):
        day = days.setdefault(
            key.rpartition(":")[0], str(first + timedelta(draw.randrange((last - first).days + 1)))
        )
        texts.append(Text(key, day, chunks[key]))
    return texts


def calls_texts() -> list[Text]:
    days = {video["video_id"]: video["published_at"] for video in lines("corpus-real/videos.jsonl")}
    chunks = channel_chunks("ethereum-protocol")
    return [Text(key, days[key.rpartition(":")[0]], words) for key, words in chunks.items()]


def seed_questions() -> list[Question]:
    phrases = {row["question_id"]: row["subqueries"] for row in lines("answertrail/subqueries.jsonl")}
    questions = []
    for row in lines("answertrail/longitudinal_gold.jsonl"):
        if row["question_id"] == "lc-0130":
            continue  # segregated: asked and shown, in no denominator
        nuggets: dict[str, set[str]] = defaultdict(set)
        months: dict[str, set[str]] = defaultdict(set)
        for milestone in row["milestones"]:
            if milestone["status"] not in ("DEMOTED", "ORPHAN"):
                months[milestone["date"][:7]] |= set(milestone["chunk_ids"])
                for nugget_id in milestone["supports"]:
                    nuggets[nugget_id] |= set(milestone["chunk_ids"])
        stance = [nuggets[n["nugget_id"]] for n in row["nuggets"] if n["type"] == "stance"]
        chunks = [{chunk_id} for chunk_id in sorted(set().union(*months.values()))]
        measures = {"nuggets": stance, "chunks": chunks, "months": list(months.values())}
        questions.append(
            Question(row["question_id"], row["question"], tuple(phrases[row["question_id"]]), measures)
        )
    return questions


def factual_questions() -> list[Question]:
    """Return the seed's 50 proposals; answered by any chunk of the claim, and by each of them."""
    return [
        Question(
            row["question_id"],
            row["question"],
            (),
            {"answered": [set(row["claim_chunk_ids"])], "chunks": [{one} for one in row["claim_chunk_ids"]]},
        )
        for row in lines("answertrail/factual_candidates.jsonl")
    ]


def calls_questions(texts: Iterable[Text]) -> list[Question]:
    """Return one question a topic: time-even milestones (the item nearest to the middle of each sixth), months."""
    starts: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for one in texts:
        video_id, _, second = one.chunk_id.rpartition(":")
        starts[video_id].append((int(second), one.chunk_id))

    def near(item: dict) -> set[str]:
        return {key for second, key in starts[item["video_id"]] if abs(second - item["t"]) <= NEAR_SECONDS}

    questions = []
    for row in lines("trajectory/eth_silver.jsonl"):
        items = sorted(row["items"], key=lambda item: (item["date"], item["video_id"], item["t"]))
        first, last = date.fromisoformat(items[0]["date"]), date.fromisoformat(items[-1]["date"])
        slices: dict[int, list[tuple[float, int]]] = defaultdict(list)
        months: dict[str, set[str]] = defaultdict(set)
        for at, item in enumerate(items):
            place = SLICES * (date.fromisoformat(item["date"]) - first).days / ((last - first).days + 1)
            slices[int(place)].append((abs(place - int(place) - 0.5), at))
            months[item["date"][:7]] |= near(item)
        milestones = [near(items[min(places)[1]]) for places in slices.values()]
        ends = [months[items[0]["date"][:7]], months[items[-1]["date"][:7]]]
        name = re.sub(r"\(.*?\)", "", row["topic"]).strip()
        questions.append(
            Question(
                row["topic"],
                E_FRAME.format(row["topic"], f"{first:%B %Y}", f"{last:%B %Y}"),
                tuple(template.format(name) for template in E_SUBQUERIES),
                {"milestones": milestones, "months": list(months.values()), "ends": ends},
            )
        )
    return questions


# --- the index


def fill(database: Database, texts: Sequence[Text]) -> None:
    """Put texts into the corpus as the stage `chunks` leaves it."""
    by_video: dict[str, list[Text]] = defaultdict(list)
    for one in sorted(texts, key=lambda one: one.chunk_id):
        by_video[one.chunk_id.rpartition(":")[0]].append(one)
    with database.begin() as connection:
        for video_id, chunks in by_video.items():
            insert_rows(connection, "videos", [{
                "channel": "b", "video_id": video_id, "title": video_id, "language": "en",
                "published_at": datetime.fromisoformat(chunks[0].day).replace(tzinfo=UTC),
                "published_precision": "day", "published_source": "benchmark", "content_sha256": "-",
            }])  # fmt: skip
            hashes = [text_sha256(one.words) for one in chunks]
            insert_rows(connection, "chunk_texts", [
                {"channel": "b", "chunk_id": one.chunk_id, "text_sha256": made, "text": one.words}
                for one, made in zip(chunks, hashes, strict=True)
            ])  # fmt: skip
            insert_rows(connection, "chunks", [
                {"channel": "b", "chunk_id": one.chunk_id, "video_id": video_id, "position": at,
                 "start_seconds": int(one.chunk_id.rpartition(":")[2]), "end_seconds": 0, "text_sha256": made,
                 "spoken_text": one.words}
                for at, (one, made) in enumerate(zip(chunks, hashes, strict=True))
            ])  # fmt: skip
            connection.execute(
                text("insert into stage_run (stage, key, channel, input_hash, code_version, output_hash, state)"
                     " values ('chunks', :key, 'b', '-', '1', :hash, 'done')"),
                {"key": video_key("b", video_id), "hash": text_sha256("".join(hashes))},
            )  # fmt: skip


def rule_based_claims(texts: Sequence[Text], kept: Path) -> list[tuple[str, list[str]]]:
    """Return what the rules take for claims in stretches of neighbouring chunks, each with its chunks."""
    if kept.exists():
        return [tuple(row) for row in json.loads(kept.read_text("utf-8"))]
    claims = []
    stretches: list[list[Text]] = []
    for one in sorted(texts, key=lambda one: one.chunk_id):
        last = stretches[-1][-1].chunk_id.rpartition(":") if stretches else ("", "", "0")
        video_id, _, second = one.chunk_id.rpartition(":")
        near = video_id == last[0] and int(second) - int(last[2]) <= 30
        if near and len(stretches[-1]) < CLAIM_WINDOW:
            stretches[-1].append(one)
        else:
            stretches.append([one])
    for stretch in stretches:
        for claim in find_claims([one.words for one in stretch], "en"):
            claims.append((claim.text, [stretch[at].chunk_id for at in claim.chunks]))
    kept.write_text(json.dumps(claims), "utf-8")
    return claims


def fill_claims(database: Database, claims: Sequence[tuple[str, list[str]]], videos: Iterable[str]) -> None:
    """Put claims into the corpus as the stage `claims` leaves it."""
    by_video: dict[str, list[tuple[str, list[str]]]] = {video_id: [] for video_id in videos}
    for words, chunk_ids in claims:
        by_video[chunk_ids[0].rpartition(":")[0]].append((words, chunk_ids))
    with database.begin() as connection:
        for video_id, said in by_video.items():
            insert_rows(connection, "claim_numbers", [
                {"channel": "b", "video_id": video_id, "next_number": len(said) + 1}
            ])  # fmt: skip
            insert_rows(connection, "claims", [
                {"channel": "b", "claim_id": f"{video_id}#c{number:03d}", "video_id": video_id, "text": words,
                 "confidence": "high", "chunk_ids": chunk_ids, "topics": [], "entities": []}
                for number, (words, chunk_ids) in enumerate(said, 1)
            ])  # fmt: skip
            connection.execute(
                text("insert into stage_run (stage, key, channel, input_hash, code_version, output_hash, state)"
                     " values ('claims', :key, 'b', '-', '1', :hash, 'done')"),
                {"key": video_key("b", video_id), "hash": text_sha256(json.dumps(said))},
            )  # fmt: skip


# --- the arms


@dataclass
class Bench:
    """Rankings of one set, each computed once."""

    database: Database
    embedder: CachedMiniLm
    first: date
    last: date
    kept: dict[tuple, list[list[Ranked]]] = field(default_factory=dict)

    @property
    def scope(self) -> Scope:
        return Scope("b", "chunk", "en", self.embedder.model_id)

    def rank(self, arm: str, query: str, periods: Sequence[Period], depth: int, inside: int = 0) -> list[Ranked]:
        key = (arm, query, tuple(periods), depth, inside)
        if key not in self.kept:
            with self.database.begin() as connection:
                if arm == "dense":
                    vectors = self.embedder.embed_query(query)[None, :]
                    self.kept[key] = dense_ranking(connection, self.scope, vectors, periods, depth, inside)
                else:
                    words = tokens(query, "en")
                    terms = word_pairs(words) if arm == "pairs" else words
                    self.kept[key] = bm25_ranking(
                        connection, self.scope, [terms], periods, depth, SETTINGS, inside
                    )
        return self.kept[key]

    def rank_claims(self, query: str, periods: Sequence[Period]) -> list[Ranked]:
        key = ("claims", query, tuple(periods))
        if key not in self.kept:
            vectors, words = self.embedder.embed_query(query)[None, :], [tokens(query, "en")]
            with self.database.begin() as connection:
                found = rank_claims(connection, self.scope, (), vectors, words, periods, SETTINGS.pool, SETTINGS)
            self.kept[key] = [one for ranking in found.values() for one in ranking]
        return self.kept[key]

    def fused(self, query: str, arms: Sequence[str]) -> dict[str, float]:
        ranked = [one for arm in arms for one in self.rank(arm, query, [ALWAYS], SETTINGS.pool)]
        return reciprocal_ranks(((one.unit_id, one.rank) for one in ranked), 60)

    def trajectory(
        self,
        question: Question,
        k: int,
        *,
        core: bool = True,
        subqueries: bool = True,
        arms: Sequence[str] = ("dense", "bm25"),
        pairs: bool = True,
        claims: bool = False,
        weight: float = SETTINGS.spread,
        floor: int = SETTINGS.floor,
        rrf_k: int = SETTINGS.fusion_k,
        equal: bool = False,
    ) -> list[str]:
        topic = core_topic(question.words, "en") if core else question.words
        queries = list(dict.fromkeys([topic, *(question.subqueries if subqueries else ())]))
        span = find_span(Query(question.words), self.first, self.last)
        assert span
        periods = make_periods(span.since, span.until, floor, k)
        asked = [(arm, query) for query in queries for arm in arms] + ([("pairs", topic)] if pairs else [])
        ranked = [
            one for arm, query in asked for one in self.rank(arm, query, periods, SETTINGS.pool, PERIOD_DEPTH)
        ]
        scores = reciprocal_ranks(((one.unit_id, one.rank) for one in ranked if one.rank <= SETTINGS.pool), rrf_k)
        by_claims = [one for query in queries for one in self.rank_claims(query, periods)] if claims else []
        for unit_id, score in reciprocal_ranks(((one.unit_id, one.rank) for one in by_claims), rrf_k).items():
            scores[unit_id] = scores.get(unit_id, 0) + CLAIM_WEIGHT * score
        inside: list[list[tuple[str, int]]] = [[] for _ in periods]
        for one in ranked:
            if one.inside <= PERIOD_DEPTH:
                inside[one.period].append((one.unit_id, one.inside))
        share = -(-k // len(periods)) if equal else floor
        first = [unit_id for ranks in inside for unit_id in best(reciprocal_ranks(ranks, rrf_k), share)]
        return spread(scores, {one.unit_id: one.period for one in [*ranked, *by_claims]}, weight, k, first)

    def agent(self, question: Question, k: int) -> list[str]:
        """Take the sub-queries' dense rankings in turn until there are k chunks."""
        rankings = [[one.unit_id for one in self.rank("dense", q, [ALWAYS], 400)] for q in question.subqueries]
        return list(dict.fromkeys(unit_id for row in zip(*rankings, strict=True) for unit_id in row))[:k]

    def mmr(self, question: Question, k: int, weight: float = 0.7) -> list[str]:
        """Maximal marginal relevance on the dense ranking of the raw question (Carbonell and Goldstein 1998)."""
        ranking = self.rank("dense", question.words, [ALWAYS], 200)
        with self.database.begin() as connection:
            rows = connection.execute(
                text("select unit_id, vector::text as vector from embeddings where unit_id = any(:ids)"),
                {"ids": [one.unit_id for one in ranking]},
            )
            vectors = {row.unit_id: np.array(json.loads(row.vector)) for row in rows}
        matrix = np.stack([vectors[one.unit_id] for one in ranking])
        relevance = np.array([one.score for one in ranking])
        redundancy = np.zeros(len(ranking))
        chosen: list[int] = []
        while len(chosen) < min(k, len(ranking)):
            gain = weight * relevance - (1 - weight) * redundancy
            gain[chosen] = -np.inf
            chosen.append(int(np.argmax(gain)))
            redundancy = np.maximum(redundancy, matrix @ matrix[chosen[-1]])
        return [ranking[at].unit_id for at in chosen]


Arm = Callable[[Bench, Question, int], list[str]]
ARMS: dict[str, Arm] = {
    "dense, raw question": lambda b, q, k: best(b.fused(q.words, ["dense"]), k),
    "bm25, raw question": lambda b, q, k: best(b.fused(q.words, ["bm25"]), k),
    "hybrid, raw question": lambda b, q, k: best(b.fused(q.words, ["dense", "bm25"]), k),
    "agent-like": lambda b, q, k: b.agent(q, k),
    "trajectory, no model": lambda b, q, k: b.trajectory(q, k, subqueries=False),
    "trajectory": lambda b, q, k: b.trajectory(q, k),
    "  + claims": lambda b, q, k: b.trajectory(q, k, claims=True),
    "  + claims, no model": lambda b, q, k: b.trajectory(q, k, subqueries=False, claims=True),
    "  - spreading": lambda b, q, k: b.trajectory(q, k, weight=1),
    "  - spreading, no model": lambda b, q, k: b.trajectory(q, k, subqueries=False, weight=1),
    "  - pairs": lambda b, q, k: b.trajectory(q, k, pairs=False),
    "  - pairs, no model": lambda b, q, k: b.trajectory(q, k, subqueries=False, pairs=False),
    "  - BM25": lambda b, q, k: b.trajectory(q, k, arms=["dense"], pairs=False),
    "  - dense": lambda b, q, k: b.trajectory(q, k, arms=["bm25"]),
    "  - core": lambda b, q, k: b.trajectory(q, k, core=False),
    "  + floor": lambda b, q, k: b.trajectory(q, k, floor=1),
    "  + floor, no model": lambda b, q, k: b.trajectory(q, k, subqueries=False, floor=1),
    "  fusion constant 60": lambda b, q, k: b.trajectory(q, k, rrf_k=60),
    "  equal quotas": lambda b, q, k: b.trajectory(q, k, equal=True, weight=1),
    "floor alone, constant 60": lambda b, q, k: b.trajectory(q, k, pairs=False, weight=1, floor=1, rrf_k=60),
    "MMR 0.7, raw question": lambda b, q, k: b.mmr(q, k),
}
BASE = "agent-like"
FACTUAL_ARMS = (
    "dense, raw question",
    "bm25, raw question",
    "hybrid, raw question",
    "trajectory, no model",
    "  + claims, no model",
    "  - pairs, no model",
)
FACTUAL_BASE = "hybrid, raw question"


# --- the figures


def counts(question: Question, found: Sequence[str], measure: str) -> tuple[int, int]:
    there = set(found)
    units = question.measures[measure]
    return sum(bool(unit & there) for unit in units), len(units)


def share(pairs: np.ndarray) -> float:
    return float(100 * pairs[..., 0].sum(-1) / pairs[..., 1].sum(-1))


def paired(one: np.ndarray, other: np.ndarray) -> tuple[float, float, float]:
    """Difference of pooled shares in points, with a 95% percentile bootstrap over questions."""

    def difference(at: np.ndarray, axis: int = -1) -> np.ndarray:
        del axis
        rows = at.astype(int)
        return 100 * (
            one[rows, 0].sum(-1) / one[rows, 1].sum(-1) - other[rows, 0].sum(-1) / other[rows, 1].sum(-1)
        )

    places = np.arange(len(one))
    made = bootstrap(
        (places,), difference, n_resamples=RESAMPLES, method="percentile", vectorized=True,
        rng=np.random.default_rng(20260713),
    ).confidence_interval  # fmt: skip
    return share(one) - share(other), float(made.low), float(made.high)


def measure(bench: Bench, questions: Sequence[Question], budgets: Sequence[int]) -> None:
    names = list(questions[0].measures)
    arms, base_arm = (ARMS, BASE) if questions[0].subqueries else (FACTUAL_ARMS, FACTUAL_BASE)
    found: dict[tuple[str, int], list[list[str]]] = {}
    for name in arms:
        for k in budgets:
            found[name, k] = [ARMS[name](bench, question, k) for question in questions]
            assert all(len(chunks) <= k for chunks in found[name, k])
    for k in budgets:
        print(
            f"\n@{k:<25}"
            + "".join(f"{name:>12}" for name in names)
            + f"   against {base_arm}: "
            + ", ".join(names)
        )
        for name in arms:
            table = {m: np.array([counts(q, f, m) for q, f in zip(questions, found[name, k], strict=True)])
                     for m in names}  # fmt: skip
            base = {m: np.array([counts(q, f, m) for q, f in zip(questions, found[base_arm, k], strict=True)])
                    for m in names}  # fmt: skip
            line = f"{name:26}" + "".join(f"{share(table[m]):12.1f}" for m in names) + "   "
            if name != base_arm:
                line += "  ".join("{:+.1f} [{:+.1f}, {:+.1f}]".format(*paired(table[m], base[m])) for m in names)
            print(line, flush=True)


def latency(bench: Bench, questions: Sequence[Question], claims: bool) -> None:
    """Print how long the product's own search takes, warm and with its embedding, and its ratio to plain dense.

    And its processor time, which a busy machine changes less: of this process and of its Postgres backends.
    """
    embedder = MiniLm()  # no cached vector spares a search its embedding
    taken: dict[str, list[float]] = defaultdict(list)
    worked: dict[str, list[float]] = defaultdict(list)
    asked = {
        "dense": SETTINGS.model_copy(update={"kind": "dense"}),
        "trajectory": SETTINGS,
    }
    if claims:
        asked["trajectory + claims"] = SETTINGS.model_copy(update={"claims": "clean"})
    for question in [questions[0], *questions]:
        for kind, settings in asked.items():
            start, before = time.perf_counter(), processor_time(bench.database)
            result = search(bench.database, "b", "en", settings, embedder, Query(question.words),
                            question.subqueries if kind != "dense" else ())  # fmt: skip
            taken[kind].append(1000 * (time.perf_counter() - start))
            worked[kind].append(1000 * (processor_time(bench.database) - before))
            if kind != "dense":  # the product and the arm above are one
                arm = bench.trajectory(question, SETTINGS.k, claims=settings.claims != "none")
                assert {hit.chunk_id for hit in result.hits} == set(arm)
    for name, times in (("wall", taken), ("processor", worked)):
        for kind, all_ in times.items():
            print(
                f"{kind}, {name}: p50 {np.percentile(all_[1:], 50):.0f} ms, p95 {np.percentile(all_[1:], 95):.0f}"
            )
        for kind in list(asked)[1:]:
            print(f"{kind}, ratio of medians: {np.median(times[kind][1:]) / np.median(times['dense'][1:]):.1f}")
    print("load: {:.1f}, {:.1f}, {:.1f}".format(*os.getloadavg()), flush=True)


def processor_time(database: Database) -> float:
    """Return the seconds of processor that this process and its idle or busy backends have used."""
    with database.begin() as connection:
        pids = connection.execute(
            text("select pid from pg_stat_activity where backend_type = 'client backend'"
                 " and datname = current_database()")
        ).scalars()  # fmt: skip
        backends = [int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in pids]  # nanoseconds
    return time.process_time() + sum(backends) / 1e9


def vacuum(database: Database) -> None:
    """Let the planner know what was filled in."""
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("vacuum analyze"))


def run(name: str, database: Database, embedder: CachedMiniLm, budgets: Sequence[int], cache: Path) -> None:
    texts = {"S": seed_texts, "L": large_texts, "E": calls_texts, "F": factual_texts}[name]()
    questions = {"E": lambda: calls_questions(texts), "F": factual_questions}.get(name, seed_questions)()
    units = {
        measure: sum(len(question.measures[measure]) for question in questions)
        for measure in questions[0].measures
    }
    print(f"\n== {name}: {len(texts):,} chunks, {len(questions)} questions, {units}")
    fill(database, texts)
    embedder.embed_documents([one.words for one in texts])
    started = time.perf_counter()
    asyncio.run(build_index(database, "b", embedder, "en"))
    print(f"index written in {time.perf_counter() - started:.0f} s (vectors from the cache)", flush=True)
    vacuum(database)
    days = sorted(date.fromisoformat(one.day) for one in texts)
    bench = Bench(database, embedder, days[0], days[-1])
    latency(bench, questions, claims=False)
    claims = rule_based_claims(texts, cache / f"claims-{name}.json")
    fill_claims(database, claims, sorted({one.chunk_id.rpartition(":")[0] for one in texts}))
    embedder.embed_documents([words for words, _ in claims])
    asyncio.run(run_stage(database, claim_index_stage(database, "b", embedder, "en")))
    print(f"{len(claims):,} claims by rules", flush=True)
    vacuum(database)
    if budgets:
        measure(bench, questions, budgets)
    latency(bench, questions, claims=True)
    embedder.save()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", choices=("S", "L", "E", "F"))
    parser.add_argument("--cache", type=Path, default=Path("build/vectors"))
    parser.add_argument("--budgets", type=int, nargs="*", default=[20, 40, 80], help="none: only the latency")
    arguments = parser.parse_args()
    embedder = CachedMiniLm(arguments.cache)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        server = EmbeddedPostgres(Path(folder) / "postgres")
        server.attach()
        try:
            for name in arguments.sets:
                admin = make_engine(server.url("postgres", "psycopg"))
                with admin.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                    connection.execute(text(f"create database set_{name.lower()}"))
                admin.dispose()
                engine = make_engine(server.url(f"set_{name.lower()}", "psycopg"))
                migrate(engine)
                run(
                    name,
                    Database(engine, server.url("dagster", "psycopg2")),
                    embedder,
                    arguments.budgets,
                    arguments.cache,
                )
                engine.dispose()
        finally:
            server.detach()


if __name__ == "__main__":
    main()
