"""Whether runs may be pooled. A failure is never a MISS: an open or failed unit refuses, and says which."""

from collections import Counter
from collections.abc import Iterable, Sequence

from answertrail_pipeline.scoring.items import Tally
from answertrail_pipeline.scoring.types import ScoredTrail


def refusals(tallies: Iterable[Tally], trails: Sequence[ScoredTrail], max_unscored_share: float) -> list[str]:
    """Return why these runs must not be pooled; empty where they may.

    Args:
        trails: every question of every run, those without a trail as `open`.
        max_unscored_share: of a run's verdicts of one purpose.
    """
    by_question = {(made.run_key, made.question_id): made for made in tallies}
    return [
        *_unfinished(trails),
        *_unjudged(by_question, trails),
        *_too_many_unscored(by_question.values(), max_unscored_share),
    ]


def _unfinished(trails: Iterable[ScoredTrail]) -> list[str]:
    return [
        f"{trail.run_key} question {trail.question_id} is {trail.state}"
        + (f" ({trail.error})" if trail.error else "")
        for trail in trails
        if trail.state != "done"
    ]


def _unjudged(by_question: dict[tuple[str, str], Tally], trails: Iterable[ScoredTrail]) -> list[str]:
    reasons = []
    for trail in trails:
        if not trail.counts or trail.state != "done":
            continue
        made = by_question.get((trail.run_key, trail.question_id))
        judged = made.verdicts["recall"] if made else 0
        if judged != trail.nuggets:
            reasons.append(
                f"{trail.run_key} question {trail.question_id} has {judged} recall verdicts for"
                f" {trail.nuggets} nuggets"
            )
    return reasons


def _too_many_unscored(tallies: Iterable[Tally], limit: float) -> list[str]:
    verdicts: Counter[tuple[str, str]] = Counter()
    unscored: Counter[tuple[str, str]] = Counter()
    for made in tallies:
        for purpose, number in made.verdicts.items():
            verdicts[made.run_key, purpose] += number
            unscored[made.run_key, purpose] += made.unscored[purpose]
    return [
        f"{run_key} has {unscored[run_key, purpose]} of {number} {purpose} verdicts unscored"
        f" ({unscored[run_key, purpose] / number:.1%}, more than max_unscored_share = {limit:g})"
        for (run_key, purpose), number in sorted(verdicts.items())
        if unscored[run_key, purpose] > limit * number
    ]
