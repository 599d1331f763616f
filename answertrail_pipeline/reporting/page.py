"""The report as one value: sections with sentences, figures and tables; HTML and Markdown write it down."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from urllib.parse import quote

from answertrail_pipeline.reporting import tables, words
from answertrail_pipeline.reporting.calibrations import calibrations
from answertrail_pipeline.reporting.details import MOST_TIMELINES, Details, QuestionDetail
from answertrail_pipeline.reporting.figures.cost import cost, effort
from answertrail_pipeline.reporting.figures.decomposition import decomposition
from answertrail_pipeline.reporting.figures.forest import forest
from answertrail_pipeline.reporting.figures.heat import MOST, heat
from answertrail_pipeline.reporting.figures.recall import recall
from answertrail_pipeline.reporting.figures.svg import NARROW, WIDE, Layout
from answertrail_pipeline.reporting.figures.timeline import timeline
from answertrail_pipeline.reporting.tables import Table
from answertrail_pipeline.reporting.trust import Caution, cautions
from answertrail_pipeline.scoring.board import Scoreboard


@dataclass(frozen=True)
class Figure:
    """A drawing for wide and for narrow screens, with what it shows."""

    name: str
    caption: str
    wide: str
    narrow: str
    heading: str = ""


@dataclass(frozen=True)
class Section:
    """One part of the report."""

    key: str
    title: str
    says: str = ""
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    keep_figures_apart: bool = False


@dataclass(frozen=True)
class Headline:
    """The first thing to read: an arm's recall in a tier, with interval and counts."""

    tier: str
    arm: str
    value: str
    interval: str
    counts: str
    of: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Page:
    """The whole report."""

    title: str
    subtitle: str
    notes: tuple[str, ...]
    headlines: tuple[Headline, ...]
    sections: tuple[Section, ...] = field(default_factory=tuple)
    cautions: tuple[Caution, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    """Other pages beside this one: file name and words."""

    def has(self, key: str) -> bool:
        """Return whether there is a section with this key."""
        return any(section.key == key for section in self.sections)


def make_page(board: Scoreboard, details: Details) -> Page:
    """Return the report of a scoreboard. Sections with nothing to show are left out."""
    href = _href(details.workbench)
    sections = [
        _recall(board),
        _decomposition(board),
        _differences(board),
        _cost(board),
        _questions(board, details, href),
        _timelines(board, details),
        _one_by_one(board, details, href),
        _judge(board, details),
        _all_numbers(board),
        Section("left-out", "What was left out, and why", tables=(tables.left_out(board),)),
        Section("provenance", "Provenance", tables=(tables.provenance(board, details),)),
        Section("meaning", "How to read the numbers", METHOD, tables=(tables.definitions(board),)),
    ]
    return Page(
        details.title,
        f"Scored on gold {board.gold_version}, as of {board.gold_as_of}",
        board_notes(board),
        tuple(_headlines(board)),
        tuple(made for section in sections if (made := _without_empty(section))),
        cautions(board),
    )


METHOD = (
    "Every share is pooled (micro): hits over all nuggets or assertions, summed over questions and runs. Its"
    " interval resamples whole questions, because nuggets and runs of one question hang together. Macro"
    " means count each question the same and are named so. A number that cannot be had is a dash with its reason."
    " BCa and percentile are bootstraps of questions; t is the linearised t interval, used below 20 questions;"
    " below 10 it is marked indicative."
)


def _without_empty(section: Section) -> Section | None:
    kept = tuple(tables.filled(section.tables))
    if not kept and not section.figures:
        return None
    return Section(section.key, section.title, section.says, section.figures, kept, section.keep_figures_apart)


def board_notes(board: Scoreboard) -> tuple[str, ...]:
    """Return what stands over the page: notes of the gold, of all arms, of single arms, and of the judge."""
    notes = list(board.notes)
    for arm in board.arms:
        for note in arm.notes:
            everywhere = all(note in one.notes for one in board.arms)
            said = note if everywhere else f"{arm.name}: {note}"
            if said not in notes:
                notes.append(said)
    return (*notes, *_of_purposes(board), *board.broken_identities)


def _of_purposes(board: Scoreboard) -> list[str]:
    """Return the notes of single numbers, each once, with all the purposes that it is said of."""
    purposes: dict[str, set[str]] = {}
    for note in sorted({note for arm in board.arms for metric in arm.metrics for note in metric.notes}):
        said, _, of = note.partition(" (")
        purposes.setdefault(said, set()).update(of.rstrip(")").split(", "))
    return [f"{said} ({words.listed(sorted(of))})" for said, of in purposes.items()]


def _headlines(board: Scoreboard) -> list[Headline]:
    made = []
    for tier in board.tiers:
        for arm in board.arms:
            metric = arm.metric(tier, "recall")
            if metric is not None:
                made.append(
                    Headline(
                        tier,
                        arm.name,
                        words.value(metric, share=True),
                        words.interval(metric.interval, share=True)
                        if metric.value is not None
                        else metric.reason or "",
                        words.counts(metric) + (f", {words.bounds(metric)}" if metric.unscored else ""),
                        {"factual": "fact nuggets stated, micro", "longitudinal": "stance nuggets stated, micro"}[
                            tier
                        ],
                        metric.notes,
                    )
                )
    return made


def figure(name: str, caption: str, draw: Callable[[Layout], str | None], heading: str = "") -> tuple[Figure, ...]:
    """Return a figure drawn for wide and for narrow screens, or nothing where there is nothing to draw."""
    wide, narrow = draw(WIDE), draw(NARROW)
    return (Figure(name, caption, wide, narrow, heading),) if wide and narrow else ()


def _recall(board: Scoreboard) -> Section:
    caption = (
        "Dot: headline recall, pooled over questions and runs. Bar: its interval over questions. Upright mark: the"
        " retrieval ceiling, what the retrieved chunks would have allowed."
    )
    return Section("recall", "Recall", figures=figure("recall", caption, partial(recall, board)))


def _decomposition(board: Scoreboard) -> Section:
    caption = "Counts are stated / retrieved but unused / never retrieved, over the headline nuggets of all runs."
    says = "A nugget that is missed was either never retrieved, or retrieved and not used."
    drawn = figure("decomposition", caption, partial(decomposition, board))
    return Section("decomposition", "Where nuggets are lost", says, drawn)


def _differences(board: Scoreboard) -> Section:
    caption = (
        "Differences over the questions that both arms have, in points; bars are intervals over questions. Filled:"
        " planned before the runs. Hollow: found afterwards. p after Holm's correction."
    )
    drawn = figure("differences", caption, partial(forest, board))
    return Section("differences", "Differences between arms", "", drawn, (tables.comparisons(board),))


def _cost(board: Scoreboard) -> Section:
    figures: tuple[Figure, ...] = ()
    for tier in board.tiers:
        chosen = effort(board, tier)
        if chosen is None:
            continue
        why = "" if chosen[0] == "cost_usd" else " Prices are not known or zero for every arm."
        caption = f"Ringed and joined: arms that no other beats on both.{why}"
        figures += figure(f"cost-{tier}", caption, partial(cost, board, tier), tier.capitalize())
    return Section("cost", "Recall against cost", "", figures)


def _questions(board: Scoreboard, details: Details, href: tables.Href) -> Section:
    figures: tuple[Figure, ...] = ()
    for tier in board.tiers:
        counted = sum(question.tier == tier and not question.out for question in board.questions)
        caption = (
            "Columns are questions, worst first; rows are runs; the fuller the cell, the more nuggets are stated."
        )
        if counted > MOST:
            caption += f" The worst {MOST} of {counted} are drawn; all are in tables/questions.csv."
        figures += figure(f"questions-{tier}", caption, partial(heat, board, tier, href), tier.capitalize())
    listed = tuple(tables.worst(board, details, tier, href) for tier in board.tiers)
    return Section("questions", "Question by question", "", figures, listed)


def _timelines(board: Scoreboard, details: Details) -> Section:
    shown = [
        question
        for question in details.questions.values()
        if question.tier == "longitudinal"
        and (question.retrieved or any(nugget.stated for nugget in question.nuggets))
    ]
    days = [day for question in shown for day in _days(question)]
    if not days:
        return Section("time", "Over time")
    span, arms = (min(days), max(days)), [arm.name for arm in board.arms]
    says = (
        "Each line is a nugget with its time window; dots at its end are arms, in their colours: full where every"
        " run states it, hollow where none does, dotted between. Diamonds are the dates of the gold's evidence,"
        " ticks the dates that an arm retrieved."
    )
    if len(shown) > MOST_TIMELINES:
        says += f" The first {MOST_TIMELINES} of {len(shown)} questions are drawn."
    figures: tuple[Figure, ...] = ()
    for question in sorted(shown, key=lambda one: one.question_id)[:MOST_TIMELINES]:
        drawn = partial(timeline, question, arms, span)
        figures += figure(f"time-{question.question_id}", question.text, drawn, question.question_id)
    return Section("time", "Over time", says, figures, keep_figures_apart=True)


def _days(question: QuestionDetail) -> list[date]:
    windows = [day for nugget in question.nuggets for day in (nugget.window_from, nugget.window_to) if day]
    return [*question.evidence, *windows, *(day for days in question.retrieved.values() for day in days)]


def _one_by_one(board: Scoreboard, details: Details, href: tables.Href) -> Section:
    found = (tables.findings(board, details, "violation", href), tables.findings(board, details, "unscored", href))
    says = "An answer that states what no retrieved chunk supports knows it from elsewhere, or the judge erred."
    return Section("read", "To be read one by one", says, (), found)


def _judge(board: Scoreboard, details: Details) -> Section:
    found = (
        calibrations(board),
        tables.sensitivity(board),
        tables.corrections(board),
        tables.disagreements(details),
    )
    says = "Corrected scores stand beside the raw ones and never alone."
    return Section("judge", "The judge", says, (), found)


def _all_numbers(board: Scoreboard) -> Section:
    found = (*(tables.numbers(board, tier) for tier in board.tiers), tables.runs(board))
    return Section("numbers", "All numbers", "", (), found)


def _href(workbench: str | None) -> tables.Href:
    if workbench is None:
        return lambda _run_key, _question_id: None
    return lambda run_key, question_id: f"{workbench}/trails/{run_key}/{quote(question_id, safe='')}"
