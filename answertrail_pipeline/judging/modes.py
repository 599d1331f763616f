"""Does judging many claims in one call change what is said? Both modes on the same pairs: agreement and cost."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from sqlalchemy import text

from answertrail_pipeline.agents.runs import Run
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.judging.agreement import Agreement, Rated, agreement
from answertrail_pipeline.judging.ask import JudgedPair, JudgedText, all_of, judge_claims, store_pairs
from answertrail_pipeline.judging.judges import Judge, judge_of
from answertrail_pipeline.judging.types import Purpose
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.dry import DryDoor, PlannedCall
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.settings import ModelRole
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.tasks.judge import JudgedClaim

MODES: tuple[Literal["single", "batched"], ...] = ("single", "batched")


@dataclass(frozen=True)
class ModeCost:
    """What one mode took for the pairs.

    Attributes:
        cost_usd: None where a price is unknown; a repair's first reply is not in it.
    """

    calls: int
    prompt_tokens: int | None
    cost_usd: Decimal | None


@dataclass(frozen=True)
class ModeComparison:
    """Both modes on the same pairs: `single` is the first rater, `batched` the second."""

    agreement: Agreement
    unscored: dict[str, int]
    single: ModeCost
    batched: ModeCost


async def compare_modes(database: Database, door: Door, role: ModelRole, run: Run) -> ModeComparison:
    """Have what a run's judge judged judged again in both modes and compare; known verdicts cost nothing.

    Raises:
        UserError: the run has no verdicts.
        ModelError: the model cannot be had at all.
    """
    asked = _asked(database, run)
    single = await _judged(database, door, judge_of(role, "single"), run, asked)
    batched = await _judged(database, door, judge_of(role, "batched"), run, asked)
    with database.begin() as connection:
        store_pairs(connection, [*single.values(), *batched.values()])
    rated = [
        Rated(item[0], one.verdict.label, batched[item].verdict.label)  # type: ignore[arg-type]
        for item, one in sorted(single.items())
        if one.verdict.label and batched[item].verdict.label
    ]
    return ModeComparison(
        agreement(rated, f"modes/{run.run_key}/{role.model}"),
        {
            mode: sum(pair.verdict.label is None for pair in pairs.values())
            for mode, pairs in (("single", single), ("batched", batched))
        },
        _cost(database, single.values()),
        _cost(database, batched.values()),
    )


async def plan_modes(door: DryDoor, role: ModelRole, run: Run) -> list[PlannedCall]:
    """Return the calls that a comparison would make now, without making any.

    Raises:
        UserError: the run has no verdicts.
    """
    asked = _asked(door.database, run)
    for mode in MODES:
        await _judged(door.database, door, judge_of(role, mode), run, asked)
    return list(door.planned.values())


def _asked(database: Database, run: Run) -> dict[tuple[str, Purpose, JudgedText], dict[str, JudgedClaim]]:
    """Return the claims of a run by (question, purpose, text), by item.

    Raises:
        UserError: the run has no verdicts.
    """
    with database.begin() as connection:
        rows = connection.execute(text(read_sql("queries/judged_items.sql")), {"run_key": run.run_key}).all()
    if not rows:
        raise UserError(f"The run `{run.run_key}` has no verdicts to compare modes on.", "Judge it first.")
    asked: dict[tuple[str, Purpose, JudgedText], dict[str, JudgedClaim]] = {}
    for row in rows:
        judged = JudgedText(row.text, row.text_kind, row.question, row.language)
        claim = JudgedClaim(
            text=row.claim,
            kind=row.claim_kind,
            window=row.claim_window,
            window_from=row.window_from,
            window_to=row.window_to,
        )
        asked.setdefault((row.question_id, row.purpose, judged), {})[row.item_id] = claim
    return asked


async def _judged(
    database: Database,
    door: Door,
    judge: Judge,
    run: Run,
    asked: dict[tuple[str, Purpose, JudgedText], dict[str, JudgedClaim]],
) -> dict[tuple[str, Purpose, str], JudgedPair]:
    account = Account(run.channel, "modes", judge.judge_id, run.run_key, run.arm)
    found: dict[tuple[str, Purpose, str], JudgedPair] = {}
    answers = await all_of(
        judge_claims(database, door, judge, purpose, judged, claims, account)
        for (_, purpose, judged), claims in asked.items()
    )
    for (question_id, purpose, _), answer in zip(asked, answers, strict=True):
        found.update({(question_id, purpose, item): pair for item, pair in answer.items()})
    return found


def _cost(database: Database, pairs: Iterable[JudgedPair]) -> ModeCost:
    keys = sorted({pair.call_key for pair in pairs if pair.call_key})
    with database.begin() as connection:
        rows = connection.execute(
            text("select prompt_tokens, cost_usd from model_calls where call_key = any(:keys)"), {"keys": keys}
        ).all()
    tokens = [row.prompt_tokens for row in rows]
    costs = [row.cost_usd for row in rows]
    return ModeCost(
        len(rows), None if None in tokens else sum(tokens), None if None in costs else sum(costs, Decimal(0))
    )
