"""How numbers are written: always with their counts and their interval, or with the reason why there is none."""

import re
from collections.abc import Iterable

from answertrail_pipeline.scoring.board import BoardComparison, BoardInterval, BoardMetric

NONE = "–"
METHODS = {"BCa": "BCa", "percentile": "percentile", "linearised t": "t", "Monte Carlo": "Monte Carlo"}


def percent(share: float) -> str:
    """Write a share in percent with one decimal.

    >>> percent(97 / 306)
    '31.7%'
    """
    return f"{100 * share:.1f}%"


def amount(value: float) -> str:
    """Write a mean or a price with three figures that matter.

    >>> amount(9.04), amount(0.0512), amount(12345.6)
    ('9.04', '0.0512', '12,346')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def count(value: float) -> str:
    """Write a count: whole numbers as they are, sums of dollars or tokens shortened.

    >>> count(306), count(1.754)
    ('306', '1.75')
    """
    return f"{value:,}" if float(value).is_integer() else amount(value)


def counts(metric: BoardMetric) -> str:
    """Write what a number is made of: hits/total, or how many questions a macro mean is over."""
    if metric.total is None:
        return ""
    if metric.hits is None:
        return f"{count(metric.total)} questions"
    return f"{count(metric.hits)}/{count(metric.total)}"


def interval(found: BoardInterval, *, share: bool) -> str:
    """Write an interval with how it was made, or why there is none."""
    if found.low is None or found.high is None:
        return f"no interval: {found.reason}"
    low, high = (f"{100 * end:.1f}" if share else amount(end) for end in (found.low, found.high))
    return f"[{low}, {high}] {method(found)}"


def method(found: BoardInterval) -> str:
    """Write how an interval was made, in one word that the report explains; few questions make it indicative."""
    word = next((short for begin, short in METHODS.items() if found.method.startswith(begin)), found.method)
    return f"{word}, indicative" if found.indicative else word


def value(metric: BoardMetric, *, share: bool) -> str:
    """Write the number itself, or a dash."""
    if metric.value is None:
        return NONE
    return percent(metric.value) if share else amount(metric.value)


def number(metric: BoardMetric, *, share: bool) -> str:
    """Write a number with interval and counts, or the reason why it is undefined.

    Unscored items are told with the bounds that they leave.
    """
    if metric.value is None:
        return f"{NONE} ({metric.reason})"
    written = f"{value(metric, share=share)} {interval(metric.interval, share=share)} {counts(metric)}"
    return written + (f", {bounds(metric)}" if metric.unscored else "")


def brief(metric: BoardMetric) -> str:
    """Write a share with interval and counts in one short line; unscored items are only counted."""
    if metric.value is None:
        return metric.reason or NONE
    written = f"{value(metric, share=True)} {interval(metric.interval, share=True)} {counts(metric)}"
    return written + (f" +{metric.unscored} unscored" if metric.unscored else "")


def bounds(metric: BoardMetric) -> str:
    """Write how many items are unscored and between what the number would lie with them."""
    if metric.bound_low is None or metric.bound_high is None:
        return f"{metric.unscored} unscored"
    return f"{metric.unscored} unscored: {percent(metric.bound_low)} to {percent(metric.bound_high)}"


def detectable(difference: float | None) -> str:
    """Write the smallest difference that could show, in points; more than there are cannot.

    >>> detectable(0.2134), detectable(3.38), detectable(None)
    ('21.3', 'over 100', '–')
    """
    if difference is None:
        return NONE
    return f"{100 * difference:.1f}" if difference <= 1 else "over 100"


def points(difference: float) -> str:
    """Write a difference of shares in points, with its sign.

    >>> points(-0.0327), points(-0.0001)
    ('−3.3', '0.0')
    """
    rounded = round(100 * difference, 1)
    return f"{rounded:+.1f}".replace("-", "−") if rounded else "0.0"


def difference(one: BoardComparison) -> str:
    """Write a difference with its interval, or a dash."""
    if one.difference is None:
        return NONE
    if one.interval.low is None or one.interval.high is None:
        return f"{points(one.difference)} (no interval: {one.interval.reason})"
    ends = f"[{points(one.interval.low)}, {points(one.interval.high)}] {method(one.interval)}"
    return f"{points(one.difference)} {ends}"


def probability(p: float | None) -> str:
    """Write a p value.

    >>> probability(0.0312), probability(0.00001), probability(None)
    ('0.031', '< 0.001', '–')
    """
    if p is None:
        return NONE
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def listed(words: Iterable[str]) -> str:
    """Join words by commas."""
    return ", ".join(words)


def file_name(name: str) -> str:
    """Return a name that is a file name everywhere and needs no escape in a link.

    >>> file_name("time-../é")
    'time-..~2f~e9'
    """
    return re.sub(r"[^A-Za-z0-9_.-]|^\.", lambda found: f"~{ord(found[0]):x}", name)
