"""How far additions to a pool can be trusted: the judge against people, by purpose and language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.judging.types import Label


@dataclass(frozen=True)
class AuditedPair:
    """One verdict that a person labelled blind."""

    purpose: str
    language: str
    judge: Label
    person: Label


@dataclass(frozen=True)
class Share:
    """A share with Wilson's interval; `value` None without a denominator."""

    hits: int
    total: int
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Audit:
    """The judge against people.

    Attributes:
        kappa: Cohen's; None where all labels are one.
        false_discovery_share: wrong among the judge's HITs.
        false_positive_rate: the judge's HITs among what people call MISS. Another number than the share.
        sensitivity: the judge's HITs among what people call HIT.
    """

    pairs: int
    kappa: float | None
    false_discovery_share: Share
    false_positive_rate: Share
    sensitivity: Share


def audit(pairs: Sequence[AuditedPair]) -> dict[tuple[str, str], Audit]:
    """Return the audit by purpose and language, and of each purpose over all languages (language `all`)."""
    groups: dict[tuple[str, str], list[AuditedPair]] = {}
    for pair in pairs:
        groups.setdefault((pair.purpose, pair.language), []).append(pair)
        groups.setdefault((pair.purpose, "all"), []).append(pair)
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


def wilson(hits: int, total: int) -> Share:
    """Return a share with Wilson's 95% score interval."""
    if not total:
        return Share(hits, total, None, None, None)
    from scipy.stats import binomtest

    found = binomtest(hits, total).proportion_ci(0.95, method="wilson")
    return Share(hits, total, hits / total, float(found.low), float(found.high))


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
    both = {(judge, person): 0 for judge in ("HIT", "MISS") for person in ("HIT", "MISS")}
    for pair in pairs:
        both[pair.judge, pair.person] += 1
    hit_hit, hit_miss = both["HIT", "HIT"], both["HIT", "MISS"]
    miss_hit, miss_miss = both["MISS", "HIT"], both["MISS", "MISS"]
    return Audit(
        len(pairs),
        _kappa(hit_hit, hit_miss, miss_hit, miss_miss),
        wilson(hit_miss, hit_hit + hit_miss),
        wilson(hit_miss, hit_miss + miss_miss),
        wilson(hit_hit, hit_hit + miss_hit),
    )


def _kappa(hit_hit: int, hit_miss: int, miss_hit: int, miss_miss: int) -> float | None:
    """Return Cohen's kappa of a two by two table."""
    n = hit_hit + hit_miss + miss_hit + miss_miss
    if not n:
        return None
    agreed = (hit_hit + miss_miss) / n
    judge, person = (hit_hit + hit_miss) / n, (hit_hit + miss_hit) / n
    by_chance = judge * person + (1 - judge) * (1 - person)
    return None if by_chance == 1 else (agreed - by_chance) / (1 - by_chance)
