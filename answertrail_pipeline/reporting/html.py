"""The report as one HTML file that opens anywhere, offline: no script, no outside resource."""

from collections.abc import Sequence
from importlib.resources import files

from answertrail_pipeline.reporting.figures.svg import ARM_COLOURS
from answertrail_pipeline.reporting.page import Page


def write_html(page: Page, arms: Sequence[str]) -> str:
    """Return the report as HTML. Everything that is not ours (questions, reasons, names) is escaped.

    Args:
        arms: names in the order that sets their colours.
    """
    from jinja2 import Environment

    templates = files("answertrail_pipeline.reporting").joinpath("templates")
    environment = Environment(autoescape=True, keep_trailing_newline=True)
    template = environment.from_string(templates.joinpath("report.html.j2").read_text("utf-8"))
    colours = {arm: place % ARM_COLOURS for place, arm in enumerate(arms)}
    return template.render(page=page, css=stylesheet(), colours=colours)


def stylesheet() -> str:
    """Return the stylesheet of the report and of its figures."""
    return files("answertrail_pipeline.reporting").joinpath("templates/report.css").read_text("utf-8")


def standalone(svg: str) -> str:
    """Return a figure as an SVG file of its own, with the colours that it needs."""
    return svg.replace("><title>", f"><style>{stylesheet()}</style><title>", 1)
