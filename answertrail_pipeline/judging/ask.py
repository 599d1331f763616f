"""Asking a judge: claims against one text in, verdicts out, each pair asked at most once and kept for ever.

A failure is never a MISS: where no label could be had the verdict is unscored, with the reason and raw replies.
"""

import asyncio
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.hashing import fingerprint, text_sha256
from answertrail_pipeline.judging.judges import AnyJudge, Judge, Panel, store_judge
from answertrail_pipeline.judging.panel import vote
from answertrail_pipeline.judging.types import Purpose, Verdict
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.errors import ModelError
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.tasks.judge import JUDGE, JudgedClaim, JudgeInput, Judgement
from answertrail_pipeline.tasks.judge_batch import (
    JUDGE_BATCH,
    JudgeBatchInput,
    NumberedClaim,
    complete_verdicts,
)
from answertrail_pipeline.tasks.judge_rules import TextKind
from answertrail_pipeline.tasks.run_task import run_task

T = TypeVar("T")

MAX_BATCH = 20
"""Claims in one call of mode `batched`: more risk a reply that is cut off."""
UNSCORED_CODES = frozenset({"truncated", "schema", "no_valid_object", "refused", "too_long", "timeout"})
"""Failures that belong to the pair: its verdict is unscored. Any other is the unit's error and is tried again."""


@dataclass(frozen=True)
class JudgedText:
    """A text that claims are judged against, with what the judge is told about it."""

    text: str
    kind: TextKind
    question: str | None = None
    language: str = "en"


@dataclass(frozen=True)
class JudgedPair:
    """A verdict with the pair that it is about.

    Attributes:
        call_key: the ledger's row that holds the reply; None where there is none.
        votes: of a panel's verdict, those of its members.
    """

    verdict: Verdict
    claim: JudgedClaim
    judged: JudgedText
    judge: AnyJudge
    raw_replies: tuple[str, ...] = ()
    call_key: str | None = None
    votes: tuple["JudgedPair", ...] = ()


async def judge_claims(
    database: Database,
    door: Door,
    judge: AnyJudge,
    purpose: Purpose,
    judged: JudgedText,
    claims: Mapping[str, JudgedClaim],
    account: Account,
) -> dict[str, JudgedPair]:
    """Return a verdict on each claim, by the key of the claim; pairs that were judged before cost nothing.

    Nothing is stored: give the pairs to `store_pairs`.

    Args:
        claims: by any key of the caller's; the judge never sees the keys.

    Raises:
        ModelError: the model cannot be had at all (budget, wrong key, no patience left).
    """
    if isinstance(judge, Panel):
        votes = await all_of(
            judge_claims(database, door, member, purpose, judged, claims, account) for member in judge.members
        )
        return {
            key: _by_vote(judge, purpose, judged, claims, key, [one[key] for one in votes])
            for key in sorted(claims)
        }
    groups = _groups(judge, sorted(claims))
    ids = {key: verdict_id(judge, purpose, judged, claims, key, group) for group in groups for key in group}
    with database.begin() as connection:
        known = _known(connection, ids.values())
    pairs = {
        key: JudgedPair(known[ids[key]][0], claims[key], judged, judge, call_key=known[ids[key]][1])
        for key in claims
        if ids[key] in known
    }
    calls = [
        _ask(door, judge, purpose, judged, {key: claims[key] for key in group}, ids, account)
        for group in groups
        if any(key not in pairs for key in group)
    ]
    for answer in await all_of(calls):
        pairs = {**answer, **pairs}
    return dict(sorted(pairs.items()))


async def all_of(work: Iterable[Awaitable[T]]) -> list[T]:
    """Await everything to its end, then raise the first error, so that no call is left running unseen."""
    made = await asyncio.gather(*work, return_exceptions=True)
    for one in made:
        if isinstance(one, BaseException):
            raise one
    return [one for one in made if not isinstance(one, BaseException)]


def _by_vote(
    judge: Panel,
    purpose: Purpose,
    judged: JudgedText,
    claims: Mapping[str, JudgedClaim],
    key: str,
    votes: Sequence[JudgedPair],
) -> JudgedPair:
    identity = verdict_id(judge, purpose, judged, claims, key, [key])
    verdict = vote(judge, identity, purpose, [one.verdict for one in votes])
    return JudgedPair(verdict, claims[key], judged, judge, votes=tuple(votes))


def by_rule(
    judge: AnyJudge,
    purpose: Purpose,
    judged: JudgedText,
    claims: Mapping[str, JudgedClaim],
    reason: str,
) -> dict[str, JudgedPair]:
    """Return a MISS on each claim without asking: there is nothing that could support it."""
    made = {}
    for key, claim in sorted(claims.items()):
        identity = verdict_id(judge, purpose, judged, claims, key, [key])
        verdict = Verdict(identity, purpose, "MISS", reason, by_rule=True, detail="not_found")
        made[key] = JudgedPair(verdict, claim, judged, judge)
    return made


def verdict_id(
    judge: AnyJudge,
    purpose: Purpose,
    judged: JudgedText,
    claims: Mapping[str, JudgedClaim],
    key: str,
    group: Sequence[str],
) -> str:
    """Return the fingerprint of everything that a verdict depends on.

    Args:
        group: keys of the claims that share the call, `key` among them. In mode `batched` they are part of it.
    """
    shared = [text_sha256(judged.text), judged.kind, judged.question, judged.language]
    together = [claims[one].model_dump(mode="json") for one in group] if judge.mode == "batched" else []
    return fingerprint(judge.judge_id, purpose, shared, claims[key].model_dump(mode="json"), together)


def store_pairs(connection: Connection, pairs: Iterable[JudgedPair]) -> None:
    """Keep verdicts with their texts and judges; what is there already stays as it is."""
    kept = [one for pair in pairs for one in (pair, *pair.votes)]
    for judge in {pair.judge.judge_id: pair.judge for pair in kept}.values():
        store_judge(connection, judge)
    texts = {text_sha256(pair.judged.text): pair.judged.text for pair in kept}
    insert_rows(
        connection,
        "judged_texts",
        [{"text_sha256": sha256, "text": body} for sha256, body in sorted(texts.items())],
        skip_existing=True,
    )
    rows = {pair.verdict.verdict_id: _row(pair) for pair in kept}
    insert_rows(connection, "verdicts", [rows[key] for key in sorted(rows)], skip_existing=True)


def _row(pair: JudgedPair) -> dict[str, object]:
    verdict = pair.verdict
    return {
        "verdict_id": verdict.verdict_id,
        "purpose": verdict.purpose,
        "claim": pair.claim.text,
        "claim_kind": pair.claim.kind,
        "claim_window": pair.claim.window,
        "window_from": pair.claim.window_from,
        "window_to": pair.claim.window_to,
        "question": pair.judged.question,
        "text_kind": pair.judged.kind,
        "language": pair.judged.language,
        "text_sha256": text_sha256(pair.judged.text),
        "judge_id": pair.judge.judge_id,
        "label": verdict.label,
        "reason": verdict.reason,
        "detail": verdict.detail,
        "by_rule": verdict.by_rule,
        "unscored": verdict.unscored,
        "raw_replies": Jsonb(list(pair.raw_replies)),
        "call_key": pair.call_key,
    }


def _groups(judge: Judge, keys: Sequence[str]) -> list[list[str]]:
    """Return the keys of each call: all at once for the rules, one by one, or in batches."""
    size = {"single": 1, "batched": MAX_BATCH, "rules": max(len(keys), 1)}[judge.mode]
    return [list(keys[at : at + size]) for at in range(0, len(keys), size)]


def _known(connection: Connection, ids: Iterable[str]) -> dict[str, tuple[Verdict, str | None]]:
    """Return the labelled verdicts among some ids, each with the key of its call."""
    rows = connection.execute(
        text(
            "select verdict_id, purpose, label, reason, by_rule, detail, call_key from verdicts"
            " where verdict_id = any(:ids) and label is not null"
        ),
        {"ids": sorted(ids)},
    )
    return {
        row.verdict_id: (
            Verdict(row.verdict_id, row.purpose, row.label, row.reason, row.by_rule, row.detail),
            row.call_key,
        )
        for row in rows
    }


async def _ask(
    door: Door,
    judge: Judge,
    purpose: Purpose,
    judged: JudgedText,
    claims: Mapping[str, JudgedClaim],
    ids: Mapping[str, str],
    account: Account,
) -> dict[str, JudgedPair]:
    """Have one call made; where it brings no usable reply, its claims are unscored."""
    found: Mapping[str, Judgement] = {}
    call_key: str | None = None
    failure: ModelError | None = None
    try:
        found, call_key = await _judgements(door, judge, judged, claims, account)
    except ModelError as error:
        if error.code not in UNSCORED_CODES:
            raise
        failure = error
        if error.code == "truncated" and judge.mode == "batched" and error.raw_replies:
            numbered = _batch(judged, claims)
            whole = complete_verdicts(numbered, error.raw_replies[-1])
            found = {
                key: whole[item.id] for key, item in zip(claims, numbered.claims, strict=True) if item.id in whole
            }
    return {
        key: JudgedPair(
            _verdict(ids[key], purpose, found.get(key), failure), claim, judged, judge, _raw(failure), call_key
        )
        for key, claim in claims.items()
    }


async def _judgements(
    door: Door, judge: Judge, judged: JudgedText, claims: Mapping[str, JudgedClaim], account: Account
) -> tuple[dict[str, Judgement], str]:
    """Return the judgements by the claims' keys, and the key of the call that brought them."""
    if judge.mode == "single":
        ((key, claim),) = claims.items()
        given = JudgeInput(
            claim=claim,
            text=judged.text,
            text_kind=judged.kind,
            question=judged.question,
            language=judged.language,
        )
        one = await run_task(door, JUDGE, given, judge.role, account)
        return {key: one.output}, one.call_key
    batch = _batch(judged, claims)
    done = await run_task(door, JUDGE_BATCH, batch, judge.role, account)
    by_id = {made.id: made for made in done.output.verdicts}
    return {
        key: Judgement(label=by_id[item.id].label, reason=by_id[item.id].reason, detail=by_id[item.id].detail)
        for key, item in zip(claims, batch.claims, strict=True)
    }, done.call_key


def _batch(judged: JudgedText, claims: Mapping[str, JudgedClaim]) -> JudgeBatchInput:
    numbered = tuple(NumberedClaim(id=f"c{n}", claim=claim) for n, claim in enumerate(claims.values(), 1))
    return JudgeBatchInput(
        claims=numbered,
        text=judged.text,
        text_kind=judged.kind,
        question=judged.question,
        language=judged.language,
    )


def _raw(failure: ModelError | None) -> tuple[str, ...]:
    return failure.raw_replies if failure else ()


def _verdict(identity: str, purpose: Purpose, made: Judgement | None, failure: ModelError | None) -> Verdict:
    if made:
        detail = made.detail if made.label == "MISS" else None
        return Verdict(identity, purpose, made.label, made.reason, detail=detail)
    code, message = (failure.code, failure.message) if failure else ("no_valid_object", "")
    # A later try may bring a label: an unscored row must not stand in its place.
    unscored_id = fingerprint(identity, "unscored", code, list(_raw(failure)))
    return Verdict(unscored_id, purpose, None, message, unscored=code)
