"""Every missed stance nugget sorted into timing and substance; a part of them sorted would be no split at all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from answertrail_pipeline.gold.types import GoldNugget, GoldQuestion
from answertrail_pipeline.judging.ask import UNSCORED_CODES, JudgedPair, all_of
from answertrail_pipeline.judging.judged_trail import JudgedTrail
from answertrail_pipeline.judging.judges import AnyJudge
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.errors import ModelError
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.tasks.miss_kind import MISS_KIND, MissKindInput
from answertrail_pipeline.tasks.run_task import run_task


@dataclass(frozen=True)
class MissKind:
    """Why a stance nugget was missed; None where the reason could not be had."""

    kind: Literal["timing", "substance"] | None
    reason: str


async def miss_kinds(
    door: Door,
    judge: AnyJudge,
    question: GoldQuestion,
    trail: JudgedTrail,
    recall: Mapping[str, JudgedPair],
    account: Account,
    language: str,
) -> dict[str, MissKind]:
    """Return the kind of every missed stance nugget of a question, by nugget id.

    Args:
        judge: who sorts the misses; of a panel, its first member.
        recall: verdicts of purpose recall, by nugget id.

    Raises:
        ModelError: the model cannot be had at all.
    """
    missed = [
        nugget
        for nugget in question.nuggets
        if nugget.kind == "stance" and recall[nugget.nugget_id].verdict.label == "MISS"
    ]

    async def one(nugget: GoldNugget) -> MissKind:
        if trail.is_empty:
            return MissKind("substance", "empty answer")
        if not nugget.window_text and not nugget.window_from and not nugget.window_to:
            return MissKind("substance", "the nugget has no time to be missed")
        given = MissKindInput(
            nugget=nugget.text,
            window=nugget.window_text,
            window_from=nugget.window_from,
            window_to=nugget.window_to,
            question=question.text,
            answer=trail.answer,
            reason=recall[nugget.nugget_id].verdict.reason,
            language=language,
        )
        try:
            made = (await run_task(door, MISS_KIND, given, judge.members[0].role, account)).output
        except ModelError as error:
            if error.code not in UNSCORED_CODES:
                raise
            return MissKind(None, str(error))
        return MissKind(made.kind, made.reason)

    kinds = await all_of(one(nugget) for nugget in missed)
    return {nugget.nugget_id: kind for nugget, kind in zip(missed, kinds, strict=True)}
