"""Writing the report's files into a folder: HTML, Markdown with figures, CSV tables, JSON with its schema."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from answertrail_pipeline.reporting.details import Details
from answertrail_pipeline.reporting.html import standalone, write_html
from answertrail_pipeline.reporting.markdown import write_markdown
from answertrail_pipeline.reporting.page import make_page
from answertrail_pipeline.reporting.series import make_series_page, series_frame, series_json
from answertrail_pipeline.reporting.words import file_name
from answertrail_pipeline.scoring.board import Scoreboard, to_bytes
from answertrail_pipeline.scoring.frames import frames


@dataclass(frozen=True)
class ReportPaths:
    """Where the files lie."""

    html: Path
    markdown: Path
    json: Path
    schema: Path
    tables: tuple[Path, ...]
    figures: tuple[Path, ...]
    series: tuple[Path, ...] = ()


def write_report(board: Scoreboard, details: Details, folder: Path) -> ReportPaths:
    """Write a scoreboard as files that open anywhere; the same scoreboard and details give the same bytes."""
    page = make_page(board, details)
    if details.series:
        page = replace(page, links=(("series.html", "Scores over time"),))
    paths = ReportPaths(
        html=folder / "report.html",
        markdown=folder / "report.md",
        json=folder / "scoreboard.json",
        schema=folder / "scoreboard.schema.json",
        tables=tuple(folder / "tables" / f"{name}.csv" for name in sorted(frames(board))),
        figures=tuple(
            folder / "figures" / f"{file_name(figure.name)}.svg"
            for section in page.sections
            for figure in section.figures
        ),
    )
    write_whole(paths.html, write_html(page, [arm.name for arm in board.arms]))
    write_whole(paths.markdown, write_markdown(page))
    write_whole(paths.json, to_bytes(board).decode())
    schema = json.dumps(Scoreboard.model_json_schema(), indent=1, sort_keys=True, ensure_ascii=False)
    write_whole(paths.schema, schema + "\n")
    for path, (_, frame) in zip(paths.tables, sorted(frames(board).items()), strict=True):
        write_whole(path, frame.to_csv(index=False, lineterminator="\n"))
    drawn = [figure for section in page.sections for figure in section.figures]
    for path, figure in zip(paths.figures, drawn, strict=True):
        write_whole(path, standalone(figure.wide))
    return replace(paths, series=tuple(_write_series(board, details, page.notes, folder)))


def _write_series(board: Scoreboard, details: Details, notes: Sequence[str], folder: Path) -> Iterator[Path]:
    """Write the page of re-evaluations and its files, where there were any; yield their paths."""
    points = details.series
    if not points:
        return
    page = replace(
        make_series_page(points, board, details.title, notes), links=(("report.html", "The newest scores"),)
    )
    texts = {
        "series.html": write_html(page, sorted({point.arm for point in points})),
        "series.md": write_markdown(page),
        "series.json": series_json(points),
        "tables/series.csv": series_frame(points).to_csv(index=False, lineterminator="\n"),
    }
    for section in page.sections:
        for figure in section.figures:
            texts[f"figures/{file_name(figure.name)}.svg"] = standalone(figure.wide)
    for name, content in texts.items():
        write_whole(folder / name, content)
        yield folder / name


def write_whole(path: Path, content: str) -> None:
    """Write a file whole: a reader sees the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.half")
    half.write_text(content, "utf-8", newline="\n")
    half.replace(path)
