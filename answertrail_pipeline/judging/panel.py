"""A panel of judges: how votes become one verdict, and how far the members agree."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, text

from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.judging.judges import Panel
from answertrail_pipeline.judging.types import PASSING_CODES, Label, Purpose, Verdict
from answertrail_pipeline.store.shipped import read_sql


def vote(panel: Panel, identity: str, purpose: Purpose, votes: Sequence[Verdict]) -> Verdict:
    """Return the verdict that the members' verdicts give.

    By majority, a label needs more than half of all members; by unanimity, HIT needs all and one MISS is a MISS.
    Where a majority is tied or members without a label could still turn it, the verdict is unscored:
    `no_majority` or `no_unanimity`, or the reason of a vote that a later try may bring (`timeout`).
    """
    counts = Counter(verdict.label for verdict in votes)
    hits, misses, all_of_them = counts["HIT"], counts["MISS"], len(votes)
    label: Label | None = None
    if panel.rule == "majority":
        label = "HIT" if 2 * hits > all_of_them else "MISS" if 2 * misses > all_of_them else None
    elif misses:
        label = "MISS"
    elif hits == all_of_them:
        label = "HIT"
    told = f"{hits} HIT, {misses} MISS of {all_of_them}"
    if label is None:
        passing = sorted({verdict.unscored for verdict in votes if verdict.unscored} & PASSING_CODES)
        unscored = passing[0] if passing else f"no_{panel.rule}"
        parts = sorted(verdict.verdict_id for verdict in votes)
        return Verdict(fingerprint(identity, "unscored", unscored, parts), purpose, None, told, unscored=unscored)
    agreeing = [verdict for verdict in votes if verdict.label == label]
    details = {verdict.detail for verdict in agreeing}
    detail = next(iter(details)) if len(details) == 1 else None
    return Verdict(identity, purpose, label, f"{told}. {agreeing[0].reason}", detail=detail)


@dataclass(frozen=True)
class PanelAgreement:
    """How far judges agree on the pairs that at least two of them labelled.

    Attributes:
        alpha: Krippendorff's, nominal; None with `reason`.
        unanimous: pairs on which all labels are the same.
    """

    pairs: int
    judges: int
    unanimous: int
    alpha: float | None
    reason: str | None = None


def panel_agreement(votes: Mapping[str, Mapping[str, Label | None]]) -> PanelAgreement:
    """Return how far judges agree.

    Args:
        votes: by pair: by judge id, its label, or None where it gave none.
    """
    judges = sorted({judge for labels in votes.values() for judge in labels})
    shared = {key: labels for key, labels in sorted(votes.items()) if sum(map(bool, labels.values())) >= 2}
    said = [{label for label in labels.values() if label} for labels in shared.values()]
    unanimous = sum(len(labels) == 1 for labels in said)
    if not shared:
        return PanelAgreement(0, len(judges), 0, None, "no pair has two labels")
    if len(set().union(*said)) == 1:
        return PanelAgreement(len(shared), len(judges), unanimous, None, "one label only")
    return PanelAgreement(len(shared), len(judges), unanimous, _alpha(judges, list(shared.values())))


def _alpha(judges: Sequence[str], votes: Sequence[Mapping[str, Label | None]]) -> float:
    import krippendorff
    import numpy as np

    number = {"HIT": 1.0, "MISS": 0.0, None: np.nan}
    table = np.array([[number[labels.get(judge)] for labels in votes] for judge in judges])
    return float(krippendorff.alpha(reliability_data=table, level_of_measurement="nominal"))


def stored_votes(connection: Connection, panel: Panel, channel: str) -> dict[str, dict[str, Label | None]]:
    """Return the members' labels on what a panel judged in a channel's runs, by the panel's verdict."""
    rows = connection.execute(
        text(read_sql("queries/panel_votes.sql")),
        {
            "channel": channel,
            "panel": panel.judge_id,
            "members": [judge.judge_id for judge in panel.members],
        },
    )
    votes: dict[str, dict[str, Label | None]] = {}
    for row in rows:
        votes.setdefault(row.pair, {})[row.judge_id] = row.label
    return votes
