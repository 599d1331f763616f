"""The page of re-evaluations: how scores moved while the corpus grew, and what the gate said each time."""

import json
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from answertrail_pipeline.reporting import words
from answertrail_pipeline.reporting.figures.series import SCOPE_WORDS, growth, series
from answertrail_pipeline.reporting.page import Headline, Page, Section, figure
from answertrail_pipeline.reporting.tables import Cell, Table
from answertrail_pipeline.scoring.board import Scoreboard
from answertrail_pipeline.scoring.series import SeriesPoint, newest

if TYPE_CHECKING:
    from pandas import DataFrame

_HOW = (
    "Each re-evaluation asks the same questions twice. On the corpus cut at the gold's date a change tells of"
    " the agent: the texts are those that the gold was made from. On the full corpus it may also tell of the"
    " creator, who may have changed his mind after the gold was made."
)


def make_series_page(points: Sequence[SeriesPoint], board: Scoreboard, title: str, notes: Sequence[str]) -> Page:
    """Return the page of a series.

    Args:
        board: the scoreboard of the same gold; names what its numbers mean.
        notes: what must be read with every number.
    """
    tiers = [tier for tier in ("factual", "longitudinal") if any(point.metric(tier) for point in points)]
    caption = (
        "Filled and solid: the full corpus. Hollow and dashed: the corpus cut at the gold's date. Bars are"
        " intervals over questions. Ringed: the gate failed. Points of one re-evaluation stand side by side."
    )
    figures = tuple(
        one
        for tier in tiers
        for one in figure(f"series-{tier}", caption, partial(series, points, tier), tier.capitalize())
    )
    sections = (
        Section("growth", "Recall against the growth of the corpus", _HOW, figures),
        Section("gate", "What the gate said", tables=(_gates(points),)),
        Section("points", "All points", tables=(_points(points, board),)),
    )
    return Page(
        f"{title}: scores over time",
        f"{len(growth(points))} evaluations on gold {board.gold_version}, as of {board.gold_as_of}",
        tuple(notes),
        tuple(_headlines(newest(points), tiers)),
        tuple(section for section in sections if section.figures or any(table.rows for table in section.tables)),
    )


def _headlines(last: Sequence[SeriesPoint], tiers: Sequence[str]) -> list[Headline]:
    made = []
    for tier in tiers:
        for point in last:
            metric = point.metric(tier)
            if metric is not None and metric.value is not None:
                value, interval = words.value(metric, share=True), words.interval(metric.interval, share=True)
                named = f"{SCOPE_WORDS[point.scope]}, {point.corpus.name}"
                counts = words.counts(metric)
                made.append(
                    Headline(tier, point.arm, value, interval, counts, "recall now", (named, *metric.notes))
                )
    return made


def _gates(points: Sequence[SeriesPoint]) -> Table:
    rows = tuple(
        (
            Cell(str(point.number), _day(point)),
            Cell(point.arm, SCOPE_WORDS[point.scope]),
            Cell(gate.word, gate.tier),
            Cell(gate.sentence),
        )
        for point in reversed(points)
        for gate in point.gates
    )
    note = "Each is held against the evaluation before, over the questions that both have; newest first."
    return Table("What the gate said", ("evaluation", "arm", "gate", ""), rows, note=note)


def _points(points: Sequence[SeriesPoint], board: Scoreboard) -> Table:
    rows = []
    for point in reversed(points):
        for metric in point.metrics:
            title = board.definition(metric.name).title
            corpus = f"{point.corpus.videos:,} videos, {point.corpus.chunks:,} chunks, to {point.corpus.last_date}"
            rows.append(
                (
                    Cell(str(point.number), _day(point)),
                    Cell(point.arm, SCOPE_WORDS[point.scope]),
                    Cell(point.corpus.name, corpus),
                    Cell(title, metric.tier),
                    Cell(words.value(metric, share=True), _with(metric)),
                )
            )
    columns = ("evaluation", "arm", "corpus", "number", "")
    return Table("All points", columns, tuple(rows), note="Evaluation 0 is what was scored before the first one.")


def _with(metric: Any) -> str:
    if metric.value is None:
        return metric.reason or ""
    return f"{words.interval(metric.interval, share=True)} · {words.counts(metric)}"


def _day(point: SeriesPoint) -> str:
    return str(point.declared) if point.declared else ""


def series_json(points: Sequence[SeriesPoint]) -> str:
    """Return the series as JSON with a fixed order and layout."""
    return (
        json.dumps([p.model_dump(mode="json") for p in points], sort_keys=True, ensure_ascii=False, indent=1)
        + "\n"
    )


def series_frame(points: Sequence[SeriesPoint]) -> "DataFrame":
    """Return the series as a table: a row a number of a point, with its counts, interval and the gate's word."""
    import pandas as pd

    rows = []
    for point in points:
        words_by_tier = {gate.tier: gate.word for gate in point.gates}
        for metric in point.metrics:
            rows.append(
                {
                    "number": point.number,
                    "declared": point.declared,
                    "arm": point.arm,
                    "scope": point.scope,
                    "corpus": point.corpus.name,
                    "corpus_id": point.corpus.corpus_id,
                    "videos": point.corpus.videos,
                    "chunks": point.corpus.chunks,
                    "last_date": point.corpus.last_date,
                    "tier": metric.tier,
                    "metric": metric.name,
                    "hits": metric.hits,
                    "total": metric.total,
                    "value": metric.value,
                    "low": metric.interval.low,
                    "high": metric.interval.high,
                    "method": metric.interval.method,
                    "unscored": metric.unscored,
                    "notes": "; ".join(metric.notes),
                    "gate": words_by_tier.get(metric.tier) if metric.name == "recall" else None,
                }
            )
    return pd.DataFrame.from_records(rows).astype(object)
