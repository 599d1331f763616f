"""How far additions to a pool can be trusted: the judge against people, by purpose and language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.judging.agreement import Rated, Share, cohens_kappa, confusion, exact_share
from answertrail_pipeline.judging.types import Label, Purpose
from answertrail_pipeline.store.shipped import read_sql

AUDITED: tuple[Purpose, ...] = ("grounded", "coverage", "slot", "same_event")
"""What is asked about coded events, and so can be wrong in a pool."""
ALL = "all"


@dataclass(frozen=True)
class AuditedPair:
    """One verdict that a person labelled blind.

    Attributes:
        weight: how many verdicts it stands for, where pairs were drawn by the judge's label.
    """

    purpose: str
    language: str
    judge: Label
    person: Label
    question_id: str = ""
    weight: float = 1.0


@dataclass(frozen=True)
class Audit:
    """The judge against people, on the pairs as they were drawn.

    Attributes:
        kappa: Cohen's; None where all labels are one.
        false_discovery_share: wrong among the judge's HITs.
        false_positive_rate: the judge's HITs among what people call MISS. Another number than the share.
        sensitivity: the judge's HITs among what people call HIT.
        weighted_rate: the false positive rate of all that was judged: as many HITs as MISSes are drawn, so that
            the rate of the pairs themselves is too high where HITs are rare.
    """

    pairs: int
    kappa: float | None
    false_discovery_share: Share
    false_positive_rate: Share
    sensitivity: Share
    weighted_rate: float | None


@dataclass(frozen=True)
class AuditRow:
    """An audit with its purpose and language (`all`: over all of them)."""

    purpose: str
    language: str
    audit: Audit


def load_audited(connection: Connection, channel: str, judge_id: str) -> list[AuditedPair]:
    """Return the pairs of a channel that a judge and people labelled, without negative controls.

    A pair on which two people differ, or that anybody is unsure of, is left out.
    """
    rows = connection.execute(
        text(read_sql("queries/audited_pairs.sql")),
        {"channel": channel, "judge_id": judge_id, "purposes": list(AUDITED)},
    )
    return [AuditedPair(**row._mapping) for row in rows]


def audit_rows(pairs: Sequence[AuditedPair]) -> tuple[AuditRow, ...]:
    """Return the audits in order of purpose and language."""
    return tuple(AuditRow(*key, found) for key, found in audit(pairs).items())


def audit(pairs: Sequence[AuditedPair]) -> dict[tuple[str, str], Audit]:
    """Return the audit by purpose and language, and of each purpose over all languages (language `all`)."""
    groups: dict[tuple[str, str], list[AuditedPair]] = {}
    for pair in pairs:
        groups.setdefault((pair.purpose, pair.language), []).append(pair)
        groups.setdefault((pair.purpose, ALL), []).append(pair)
    return {key: _audit(group) for key, group in sorted(groups.items())}


def corrected_by_rate(candidates: int, hits: int, false_positive_rate: float, sensitivity: float = 1.0) -> float:
    """Return the expected number of true additions (Rogan and Gladen 1978).

    (hits - rate x candidates) / (sensitivity - rate), within 0 and the candidates.

    Raises:
        UserError: the judge is no better than chance.
    """
    if sensitivity <= false_positive_rate:
        raise UserError(
            f"Sensitivity {sensitivity} is not above the false positive rate {false_positive_rate}.",
            "Such a judge says nothing; use another.",
        )
    made = (hits - false_positive_rate * candidates) / (sensitivity - false_positive_rate)
    return min(float(candidates), max(0.0, made))


def corrected_by_share(hits: int, false_discovery_share: float) -> float:
    """Return the expected number of true additions where so large a share of HITs is wrong."""
    return hits * (1 - false_discovery_share)


def correlation(judged: Mapping[str, float], human: Mapping[str, float]) -> float | None:
    """Return Pearson's correlation over persons of judge-scored and human-scored F1; None where it has none."""
    import numpy as np

    persons = sorted(judged.keys() & human.keys())
    a = np.array([judged[person] for person in persons])
    b = np.array([human[person] for person in persons])
    if len(persons) < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    return float(np.corrcoef(a, b)[0, 1])


def _audit(pairs: Sequence[AuditedPair]) -> Audit:
    rated = [Rated(pair.question_id, pair.judge, pair.person, pair.weight) for pair in pairs]
    counts, weights = confusion(rated), confusion(rated, weighted=True)
    both, wrong, found, neither = (
        int(cell) for cell in (counts.both, counts.first_only, counts.second_only, counts.neither)
    )
    missed = weights.first_only + weights.neither
    return Audit(
        len(pairs),
        cohens_kappa(counts)[0],
        exact_share(wrong, both + wrong),
        exact_share(wrong, wrong + neither),
        exact_share(both, both + found),
        weights.first_only / missed if missed else None,
    )
