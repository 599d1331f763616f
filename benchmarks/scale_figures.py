"""Figures by name: how they are taken, how they grow from one size to the next, and whether the goals hold."""

import itertools
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

Figures = dict[str, float]


@contextmanager
def clock(figures: Figures, name: str) -> Iterator[None]:
    """Note how long a block takes."""
    start = time.perf_counter()
    yield
    figures[f"{name}, s"] = time.perf_counter() - start


def check(holds: bool, otherwise: str) -> None:
    """Stop where what is measured is not what it should be."""
    if not holds:
        raise SystemExit(f"Not measured: {otherwise}")


def exponent(small: Figures, large: Figures, name: str) -> float | None:
    """Return how a figure grows with the number of videos."""
    if min(small.get(name, 0), large.get(name, 0)) <= 0 or small["videos"] == large["videos"]:
        return None
    return math.log(large[name] / small[name]) / math.log(large["videos"] / small["videos"])


def show(measured: list[Figures]) -> None:
    """Print a line a figure: by size, then the exponent from each size to the next."""
    heads = [f"{figures['videos']:,.0f}" for figures in measured]
    grows = [f"{old}->{new}" for old, new in itertools.pairwise(heads)]
    print(f"{'':<44}" + "".join(f"{head:>14}" for head in (*heads, *grows)))
    names = list(dict.fromkeys(name for figures in measured for name in figures))
    for name in names:
        values = [_shown(figures.get(name)) for figures in measured]
        growth = [exponent(old, new, name) for old, new in itertools.pairwise(measured)]
        grown = ["-" if one is None else f"{one:.2f}" for one in growth]
        print(f"{name:<44}" + "".join(f"{value:>14}" for value in (*values, *grown)))
    for figures in measured:
        goals(figures)


def _shown(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.3g}" if value < 100 else f"{value:,.0f}"


def goals(figures: Figures) -> None:
    """Print how the goals of the issue stand at one size."""
    first, videos = figures["first run, s"], figures["videos"]
    no_op = figures["no-op rerun, s"] / first
    constant = figures["one changed video, s"] - first / videos
    said = [
        f"a no-op rerun is {no_op:.2%} of the first (goal 2%)",
        f"one changed video is 1/N of the first run + {constant:.1f} s",
        f"dense {figures['dense p50, ms']:.0f} ms, bm25 {figures['bm25 p50, ms']:.0f} ms (goal 500)"
        f", trajectory {figures['trajectory p50, ms']:.0f} ms",
    ]
    if "partitions" in figures:
        pages = max(value for name, value in figures.items() if name.startswith("asset page"))
        said.append(f"idle tick {figures['idle automation tick, s']:.1f} s (goal 5), page {pages:.1f} s (goal 6)")
    print(f"{videos:,.0f} videos: " + "; ".join(said))
