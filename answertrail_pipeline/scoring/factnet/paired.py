"""Differences over persons: paired means of any measure, paired pooled F1, and the unpaired gap of two regions."""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from answertrail_pipeline.hashing import stable_seed
from answertrail_pipeline.scoring.factnet.types import Counts
from answertrail_pipeline.scoring.intervals import Resampling, bootstrap_ends

if TYPE_CHECKING:
    import numpy as np

    from answertrail_pipeline.scoring.intervals import Array


@dataclass(frozen=True)
class Paired:
    """A difference, new minus old, with a percentile bootstrap over persons and a t interval beside it.

    Attributes:
        persons: how many both sides have (of a gap: on both sides together).
        dropped: persons of one side only.
        excludes_zero: of the bootstrap; None where there is none.
        relative: the difference as a share of the old value; None where that is 0.
    """

    difference: float | None
    bootstrap: tuple[float, float] | None
    t: tuple[float, float] | None
    persons: int
    dropped: int
    method: str
    relative: float | None = None

    @property
    def excludes_zero(self) -> bool | None:
        """Whether the bootstrap interval does not hold 0."""
        return None if self.bootstrap is None else not self.bootstrap[0] <= 0 <= self.bootstrap[1]


def paired_mean(old: Mapping[str, float], new: Mapping[str, float], key: str, how: Resampling) -> Paired:
    """Return the mean over persons of new minus old, for the persons that both have.

    Replicates are averaged within the person before. All resamples are enumerated where that is no more work than
    drawing them (n^n); else they are drawn from a seed made of the key. Percentiles are numpy's linear ones.
    """
    import numpy as np

    persons = sorted(old.keys() & new.keys())
    dropped = len(old.keys() ^ new.keys())
    if not persons:
        return Paired(None, None, None, 0, dropped, "none")
    differences = np.array([new[person] - old[person] for person in persons], dtype=np.float64)
    before = float(np.mean([old[person] for person in persons]))
    mean = float(differences.mean())
    ends, method = _mean_ends(differences, key, how)
    return Paired(
        mean, ends, _t(differences, how), len(persons), dropped, method, mean / before if before else None
    )


def paired_counts(old: Mapping[str, Counts], new: Mapping[str, Counts], key: str, how: Resampling) -> Paired:
    """Return the difference of two pooled F1: persons are resampled, both ratios made anew from tp, fp and fn."""
    import numpy as np

    persons = sorted(old.keys() & new.keys())
    dropped = len(old.keys() ^ new.keys())
    columns = tuple(
        np.array([part(side[person]) for person in persons], dtype=np.float64)[None]
        for side in (new, old)
        for part in (_above, _below)
    )
    if len(persons) < 2 or not columns[1].sum() or not columns[3].sum():
        return Paired(None, None, None, len(persons), dropped, "none")

    def difference(new: "Array", new_whole: "Array", old: "Array", old_whole: "Array") -> "Array":
        """Return the differences, given the sums over the persons drawn."""
        made: Array = new / new_whole - old / old_whole
        return made

    sums = [column.sum(axis=-1) for column in columns]
    value = float(difference(sums[0], sums[1], sums[2], sums[3])[0])
    rng = np.random.default_rng(stable_seed("paired F1", key))
    _bca, ((low, high),) = bootstrap_ends(columns, difference, rng, how)
    before = float(columns[2].sum() / columns[3].sum())
    ends = (low, high) if math.isfinite(low) and math.isfinite(high) else None
    return Paired(
        value, ends, None, len(persons), dropped, "percentile bootstrap over persons",
        value / before if before else None,
    )  # fmt: skip


def gap_between(here: Mapping[str, Counts], there: Mapping[str, Counts], key: str, how: Resampling) -> Paired:
    """Return the gap in pooled F1 of two groups of persons, `here` minus `there`, each resampled within itself."""
    import numpy as np

    rng = np.random.default_rng(stable_seed("gap", key))
    sides = [_resampled_f1(group, rng, how) for group in (here, there)]
    if sides[0] is None or sides[1] is None:
        return Paired(None, None, None, len(here) + len(there), 0, "none")
    (value_here, drawn_here), (value_there, drawn_there) = sides[0], sides[1]
    drawn = drawn_here - drawn_there
    tail = (1 - how.confidence) / 2 * 100
    low, high = np.nanpercentile(drawn, [tail, 100 - tail])
    difference = value_here - value_there
    return Paired(
        difference, (float(low), float(high)), None, len(here) + len(there), 0,
        "percentile bootstrap within each region", difference / value_there if value_there else None,
    )  # fmt: skip


def relative_change(old: float, new: float) -> float:
    """Return the change as a share of the old value: 0.626 to 0.538 is -0.141."""
    return (new - old) / old


def _resampled_f1(
    group: Mapping[str, Counts], rng: "np.random.Generator", how: Resampling
) -> "tuple[float, Array] | None":
    import numpy as np

    persons = sorted(group)
    above = np.array([_above(group[person]) for person in persons], dtype=np.float64)
    below = np.array([_below(group[person]) for person in persons], dtype=np.float64)
    if len(persons) < 2 or not below.sum():
        return None
    picks = rng.integers(0, len(persons), (how.resamples, len(persons)))
    with np.errstate(invalid="ignore"):
        return float(above.sum() / below.sum()), above[picks].sum(axis=1) / below[picks].sum(axis=1)


def _mean_ends(differences: "Array", key: str, how: Resampling) -> tuple[tuple[float, float] | None, str]:
    import numpy as np

    n = len(differences)
    if n < 2:
        return None, "none"
    if n**n <= how.resamples:
        means = np.array([differences[list(draw)].mean() for draw in itertools.product(range(n), repeat=n)])
        tail = (1 - how.confidence) / 2 * 100
        low, high = np.percentile(means, [tail, 100 - tail])
        return (float(low), float(high)), "percentile bootstrap over persons, all resamples"
    if np.ptp(differences) == 0:
        return (float(differences[0]), float(differences[0])), "percentile bootstrap over persons"
    rng = np.random.default_rng(stable_seed("paired mean", key))
    columns = (differences[None], np.ones_like(differences)[None])
    _bca, ((low, high),) = bootstrap_ends(columns, lambda total, count: total / count, rng, how)
    return (low, high), "percentile bootstrap over persons"


def _t(differences: "Array", how: Resampling) -> tuple[float, float] | None:
    from scipy.stats import t

    n = len(differences)
    if n < 2:
        return None
    half = float(t.ppf((1 + how.confidence) / 2, n - 1) * differences.std(ddof=1) / math.sqrt(n))
    mean = float(differences.mean())
    return mean - half, mean + half


def _above(counts: Counts) -> float:
    return 2.0 * counts.tp


def _below(counts: Counts) -> float:
    return 2.0 * counts.tp + counts.fp + counts.fn
