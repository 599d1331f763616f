"""Recall by other judges: how much of a score is the judge's doing, and its maker's."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from answertrail_pipeline.scoring.folding import Line
from answertrail_pipeline.scoring.intervals import Resampling
from answertrail_pipeline.scoring.items import Outcome, tally
from answertrail_pipeline.scoring.metrics import TIERS, share_metrics, with_intervals
from answertrail_pipeline.scoring.source import Source
from answertrail_pipeline.scoring.types import JudgeUsed, Metric, ScoredVerdict


@dataclass(frozen=True)
class JudgedAlso:
    """Headline recall of a line by another judge, over the same nuggets and answers."""

    judge: JudgeUsed
    recall: Metric


def judged_also(source: Source, line: Line, how: Resampling) -> list[JudgedAlso]:
    """Return recall by every other judge that labelled each counted nugget of each run of a line.

    A judge that saw only a part is left out: its number would be over other nuggets.
    """
    found: dict[JudgeUsed, list[ScoredVerdict]] = {}
    for one in line.folded:
        for judge, verdicts in source.other_judges(one.run):
            found.setdefault(judge, []).extend(verdicts)
    wanted = {(t.run_key, t.question_id, t.tier): t.nuggets for t in line.trails if t.counts}
    return [
        made
        for judge in sorted(found, key=lambda judge: judge.judge_id)
        for tier in TIERS
        if (made := _by(judge, tier, found[judge], {k[:2]: n for k, n in wanted.items() if k[2] == tier}, how))
    ]


def _by(
    judge: JudgeUsed,
    tier: str,
    verdicts: Sequence[ScoredVerdict],
    wanted: dict[tuple[str, str], int],
    how: Resampling,
) -> JudgedAlso | None:
    outcomes: dict[str, Counter[Outcome]] = {}
    for made in tally(sorted(verdicts, key=lambda verdict: (verdict.run_key, verdict.question_id))):
        if wanted.get((made.run_key, made.question_id)) == made.verdicts["recall"]:
            del wanted[made.run_key, made.question_id]
            outcomes.setdefault(made.question_id, Counter()).update(made.outcomes)
    if wanted or not outcomes:
        return None
    [recall] = [metric for metric in share_metrics(tier, outcomes) if metric.name == "recall"]
    return JudgedAlso(judge, with_intervals(tier, [recall], how)[0])
