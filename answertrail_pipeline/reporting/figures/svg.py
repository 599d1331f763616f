"""Drawing with few marks: SVG whose colours are classes, so that one stylesheet serves light, dark and print.

Every figure is drawn twice, for wide and for narrow screens, because text must not shrink with the page.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

ARM_COLOURS = 8


@dataclass(frozen=True)
class Layout:
    """How much room a figure has.

    Attributes:
        width: in units of which text is 12 high.
        left, right: where the plotting area begins and ends.
        stacked: labels stand above their row instead of beside it.
    """

    width: int
    left: int
    right: int
    stacked: bool


WIDE = Layout(width=900, left=270, right=606, stacked=False)
NARROW = Layout(width=350, left=6, right=344, stacked=True)


@dataclass
class Canvas:
    """Marks in drawing order; `height` grows as rows are added."""

    layout: Layout
    title: str
    height: float = 0.0
    marks: list[str] = field(default_factory=list)

    def add(self, tag: str, text: str | None = None, *, tip: str | None = None, **attributes: Any) -> None:
        """Add a mark. `klass` is its class; underscores in names stand for hyphens; `tip` shows on hovering."""
        attributes = {
            "class" if key == "klass" else key.replace("_", "-"): value for key, value in attributes.items()
        }
        written = " ".join(f'{key}="{escape(_number(value))}"' for key, value in attributes.items())
        inner = (f"<title>{escape(tip)}</title>" if tip else "") + escape(text or "", quote=False)
        self.marks.append(f"<{tag} {written}>{inner}</{tag}>" if inner else f"<{tag} {written}/>")

    def line(self, x1: float, y1: float, x2: float, y2: float, klass: str, **more: Any) -> None:
        """Add a line."""
        self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, klass=klass, **more)

    def text(self, x: float, y: float, words: str, klass: str = "label", anchor: str = "start") -> None:
        """Add a text whose baseline is at y."""
        self.add("text", words, x=x, y=y, klass=klass, text_anchor=anchor)

    def link(self, href: str, marks_before: int) -> None:
        """Make everything drawn since `marks_before` marks a link."""
        inside = "".join(self.marks[marks_before:])
        self.marks[marks_before:] = [f'<a href="{escape(href)}">{inside}</a>']

    def svg(self, klass: str = "") -> str:
        """Return the drawing as an `svg` element."""
        size = f'viewBox="0 0 {self.layout.width} {_number(self.height)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" class="figure {klass}">'
        return f"{head}<title>{escape(self.title)}</title>{''.join(self.marks)}</svg>"


def _number(value: Any) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Scale:
    """A linear scale from values to places."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the place of a value, kept within the plotting area."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + min(1.0, max(0.0, share)) * (self.end - self.start)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Return round numbers between two ends.

    >>> ticks(0, 1)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    from matplotlib.ticker import MaxNLocator

    found = MaxNLocator(nbins=about, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
    return [round(float(tick), 10) for tick in found if low - 1e-9 <= tick <= high + 1e-9]


def axis(canvas: Canvas, scale: Scale, top: float, bottom: float, marks: Sequence[tuple[float, str]]) -> None:
    """Draw vertical grid lines with their values under them."""
    for value, words in marks:
        x = scale(value)
        canvas.line(x, top, x, bottom, "grid")
        canvas.text(x, bottom + 15, words, "tick", "middle")


LABEL = 33
"""So many characters of a label stand beside a row; all of it shows on hovering."""


def row(canvas: Canvas, y: float, label: str, value: str) -> float:
    """Write a row's label and value; return the height at which its marks belong.

    Beside each other on a wide canvas; on a narrow one both stand above the marks, on two lines if they are long.
    """
    layout = canvas.layout
    if layout.stacked:
        canvas.text(layout.left, y + 13, label, "label")
        y += 16 if _long(label, value) else 0
        canvas.text(layout.right, y + 13, value, "value", "end")
        return y + 27
    short = label if len(label) <= LABEL else label[: LABEL - 1] + "…"
    canvas.add("text", short, x=layout.left - 14, y=y + 17, klass="label", text_anchor="end", tip=label)
    canvas.text(layout.right + 14, y + 17, value, "value")
    return y + 13


def row_height(layout: Layout, label: str, value: str) -> float:
    """Return how much room a row takes."""
    return (56.0 if _long(label, value) else 40.0) if layout.stacked else 27.0


def _long(label: str, value: str) -> bool:
    return len(label) * 7.6 + len(value) * 6.6 > NARROW.right - NARROW.left - 8


def heading(canvas: Canvas, y: float, words: str) -> float:
    """Write a heading over the rows that follow; return where they begin."""
    canvas.text(canvas.layout.left if canvas.layout.stacked else 0, y + 14, words, "heading")
    return y + 24


def legend(canvas: Canvas, entries: Sequence[tuple[str, str]]) -> float:
    """Draw swatches with their meaning; return where the figure begins below them."""
    x, y = float(canvas.layout.left if canvas.layout.stacked else 0), 4.0
    for klass, words in entries:
        width = 24 + 6.6 * len(words)
        if x + width > canvas.layout.width and x > canvas.layout.left:
            x, y = float(canvas.layout.left if canvas.layout.stacked else 0), y + 20
        canvas.add("rect", x=x, y=y, width=12, height=12, rx=2, klass=klass)
        canvas.text(x + 18, y + 10.5, words, "tick")
        x += width + 8
    return y + 26
