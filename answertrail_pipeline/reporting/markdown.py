"""The report as Markdown: the same sentences and tables; the figures as SVG files beside it."""

from answertrail_pipeline.reporting.page import Page
from answertrail_pipeline.reporting.tables import Cell, Table
from answertrail_pipeline.reporting.words import file_name

_SPECIAL = "\\`*_{}[]<>#|!~"


def write_markdown(page: Page) -> str:
    """Return the report as Markdown. Everything that is not ours is escaped."""
    parts = [f"# {_escaped(page.title)}", _escaped(page.subtitle)]
    parts += ["\n".join(f"- {_escaped(note)}" for note in page.notes)] if page.notes else []
    parts.append(
        "\n".join(
            f"- {one.tier}, {_escaped(one.arm)}: **{one.value}** {_escaped(one.interval)}, {_escaped(one.counts)}"
            f" {one.of}" + "".join(f"; {_escaped(note)}" for note in one.notes)
            for one in page.headlines
        )
    )
    if page.cautions:
        parts.append("**How far to trust these numbers**")
        parts.append("\n".join(f"- {one.about}: {_escaped(one.says)}" for one in page.cautions))
    parts += [f"[{words}]({file.replace('.html', '.md')})" for file, words in page.links]
    for section in page.sections:
        parts.append(f"## {section.title}")
        parts += [section.says] if section.says else []
        for figure in section.figures:
            heading = f"{figure.heading}: " if figure.heading else ""
            parts.append(f"![{_escaped(heading + figure.caption)}](figures/{file_name(figure.name)}.svg)")
        for table in section.tables:
            parts += [f"### {table.title}"] if table.title != section.title else []
            parts.append(_table(table))
            parts += [table.note] if table.note else []
    return "\n\n".join(parts) + "\n"


def _table(table: Table) -> str:
    rule = ["---:" if place in table.numeric else "---" for place in range(len(table.columns))]
    lines = [
        [_escaped(column) for column in table.columns],
        rule,
        *([_cell(cell) for cell in row] for row in table.rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(cell: Cell) -> str:
    words = _escaped(cell.words)
    linked = f"[{words}]({cell.href})" if cell.href else words
    return f"{linked} <br> {_escaped(cell.small)}" if cell.small else linked


def _escaped(words: str) -> str:
    flat = " ".join(words.split())
    return "".join(f"\\{letter}" if letter in _SPECIAL else letter for letter in flat)
