"""Labelled (claim, text) pairs made by script from the published proposals and gold of `../shared/data`.

A claim or nugget against its own chunks is a HIT. MISS are: the same against the nearest chunks of another video;
with one number changed; denied; with one name swapped for one from another question.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

from answertrail_pipeline.hashing import stable_seed
from answertrail_pipeline.language.names import names
from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.tasks.judge import JUDGE, JudgedClaim, JudgeInput, LabelledChunk, chunk_set_text

Kind = Literal["own chunks", "other video", "number changed", "denied", "name swapped"]


class Pair(NamedTuple):
    kind: Kind
    question_id: str
    question: str
    claim: str
    chunks: dict[str, str]

    @property
    def supported(self) -> bool:
        return self.kind == "own chunks"


def real_pairs(data: Path) -> list[Pair]:
    candidates = [json.loads(line) for line in (data / "factual_candidates.jsonl").open(encoding="utf-8")]
    gold = [json.loads(line) for line in (data / "factual_gold.jsonl").open(encoding="utf-8")]
    nuggets = {row["question_id"]: [nugget["text"] for nugget in row["nuggets"]] for row in gold}
    pool = {chunk_id: text for row in candidates for chunk_id, text in row["chunks"].items()}
    words = {chunk_id: frozenset(tokens(text, "en")) for chunk_id, text in pool.items()}
    all_names = sorted({(name.text, row["question_id"]) for row in candidates for name in names(row["claim"])})
    pairs: list[Pair] = []
    for row in candidates:
        own = {chunk_id: row["chunks"][chunk_id] for chunk_id in row["claim_chunk_ids"]}
        for claim in [row["claim"], *nuggets.get(row["question_id"], [])]:
            head = (row["question_id"], row["question"])
            pairs.append(Pair("own chunks", *head, claim, own))
            pairs.append(
                Pair("other video", *head, claim, _nearest(claim, row["claim_id"].split("#")[0], pool, words))
            )
            random = Random(stable_seed("pairs", claim))
            pairs += [Pair("number changed", *head, changed, own) for changed in _change_number(claim, random)]
            pairs += [Pair("denied", *head, denied, own) for denied in _deny(claim, random)]
            others = [name for name, question_id in all_names if question_id != row["question_id"]]
            pairs += [Pair("name swapped", *head, swapped, own) for swapped in _swap_name(claim, others, random)]
    return pairs


def _nearest(claim: str, video_id: str, pool: dict[str, str], words: dict[str, frozenset[str]]) -> dict[str, str]:
    """The two chunks of one other video that share most words with the claim."""
    wanted = set(tokens(claim, "en"))
    shared = {
        chunk_id: len(wanted & there) for chunk_id, there in words.items() if not chunk_id.startswith(video_id)
    }
    best = max(shared, key=lambda chunk_id: (shared[chunk_id], chunk_id)).rpartition(":")[0]
    ranked = sorted((c for c in shared if c.startswith(best)), key=lambda c: (-shared[c], c))
    return {chunk_id: pool[chunk_id] for chunk_id in sorted(ranked[:2])}


_NUMBER = re.compile(r"(?<![\w.,-])\d+(?:[.,]\d+)*(?=\W|$|[KMBx%])")


def _change_number(claim: str, random: Random) -> Iterator[str]:
    found = list(_NUMBER.finditer(claim))
    if not found:
        return
    match = random.choice(found)
    digits = match.group()
    at = random.choice([index for index, letter in enumerate(digits) if letter.isdigit()])
    other = random.choice([d for d in "123456789" if d != digits[at]])
    changed = digits[:at] + other + digits[at + 1 :]
    yield claim[: match.start()] + changed + claim[match.end() :]


_AUXILIARIES = r"\b(is|are|was|were|can|will|has|have|must|should|could)\b"
_VERBS = {
    "achieves": "achieve", "achieved": "achieve", "scores": "score", "scored": "score", "uses": "use",
    "used": "use", "outperforms": "outperform", "improves": "improve", "improved": "improve",
    "introduces": "introduce", "requires": "require", "runs": "run", "claimed": "claim", "causes": "cause",
    "caused": "cause", "rises": "rise", "reaches": "reach", "grows": "grow", "shrinks": "shrink",
    "measures": "measure", "recovers": "recover", "automates": "automate", "updates": "update",
    "produced": "produce", "collapses": "collapse", "overwhelmed": "overwhelm", "proposes": "propose",
    "comprises": "comprise", "supports": "support", "predicted": "predict", "provides": "provide",
    "fails": "fail", "found": "find", "shows": "show", "latches": "latch", "rank": "rank", "added": "add",
}  # fmt: skip


def _deny(claim: str, random: Random) -> Iterator[str]:
    if re.search(r"\b(not|no|never|without|cannot|zero|rarely|rather than)\b|n't", claim):
        return
    auxiliary = re.search(_AUXILIARIES, claim)
    verb = next((m for m in re.finditer(r"\w+", claim) if m.group() in _VERBS and m.start() > 0), None)
    if auxiliary and (verb is None or auxiliary.start() < verb.start()):
        yield claim[: auxiliary.end()] + random.choice([" not", " never"]) + claim[auxiliary.end() :]
    elif verb:
        helper = random.choice(["did not", "does not", "never did", "failed to"])
        yield claim[: verb.start()] + f"{helper} {_VERBS[verb.group()]}" + claim[verb.end() :]


def _swap_name(claim: str, others: list[str], random: Random) -> Iterator[str]:
    found = [name.text for name in names(claim)]
    if not found:
        return
    old = random.choice(found)
    new = random.choice([name for name in others if name.casefold() not in claim.casefold()])
    yield re.sub(rf"\b{re.escape(old)}\b", new, claim)


class Rates(NamedTuple):
    """Right verdicts and pairs by kind, and kappa on a balanced mix of HIT and MISS pairs."""

    right: dict[Kind, tuple[int, int]]
    kappa: float

    def share(self, kind: Kind) -> float:
        right, total = self.right[kind]
        return right / total


def measure(pairs: list[Pair], *, with_question: bool) -> Rates:
    """Judge pairs by the rules, as the stage does.

    On a mix with as many HIT as MISS pairs (the MISS pairs in their shares here) chance agrees in half
    of them, whatever the judge says, so kappa = 2 x accuracy - 1 = accepted HIT + rejected MISS - 1.
    """
    right: dict[Kind, tuple[int, int]] = {}
    for pair in pairs:
        chunks = [LabelledChunk(chunk_id, None, text) for chunk_id, text in pair.chunks.items()]
        given = JudgeInput(
            claim=JudgedClaim(text=pair.claim),
            text=chunk_set_text(chunks),
            text_kind="chunks",
            question=pair.question if with_question else None,
        )
        said = JUDGE.baseline(given).label == "HIT"
        before, total = right.get(pair.kind, (0, 0))
        right[pair.kind] = (before + (said == pair.supported), total + 1)
    miss = [counts for kind, counts in right.items() if kind != "own chunks"]
    rejected = sum(hits for hits, _ in miss) / sum(total for _, total in miss)
    accepted = right["own chunks"][0] / right["own chunks"][1]
    return Rates(right, accepted + rejected - 1)


def halves(pairs: list[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Split by question: odd numbers were looked at when the rules were written, even ones were not."""
    odd = [pair for pair in pairs if int(pair.question_id[-4:]) % 2]
    return odd, [pair for pair in pairs if pair not in odd]
