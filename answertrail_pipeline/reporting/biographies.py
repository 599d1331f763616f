"""The report of a PolitNuggets pool: HTML and Markdown for people, CSV and JSON for machines."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path

from pydantic import TypeAdapter

from answertrail_pipeline.reporting import biography_tables as rows_of
from answertrail_pipeline.reporting.biography_tables import as_table, number
from answertrail_pipeline.reporting.figures.career import career, tenure
from answertrail_pipeline.reporting.figures.svg import NARROW, WIDE
from answertrail_pipeline.reporting.html import write_html
from answertrail_pipeline.reporting.markdown import write_markdown
from answertrail_pipeline.reporting.page import Figure, Headline, Page, Section
from answertrail_pipeline.reporting.write import write_whole
from answertrail_pipeline.scoring.factnet.audit import corrected_by_share
from answertrail_pipeline.scoring.factnet.board import ALL, Board

_BOARD: TypeAdapter[Board] = TypeAdapter(Board)
MOST_CAREERS = 40
"""So many careers are drawn, in order of their ids; all of them are in the JSON and in the workbench."""


def write_report(board: Board, folder: Path) -> list[Path]:
    """Write the report's files and return their paths."""
    made = {
        "politnuggets.md": markdown(board),
        "politnuggets.html": html(board),
        "politnuggets.csv": as_csv(rows_of.MAIN, rows_of.main_rows(board)),
        "politnuggets.json": _BOARD.dump_json(board, indent=1).decode() + "\n",
    }
    for name, text in made.items():
        write_whole(folder / name, text)
    return [folder / name for name in made]


def markdown(board: Board) -> str:
    """Return the report as Markdown, without the drawings."""
    page = make_page(board)
    plain = tuple(
        Section(each.key, each.title, each.says, (), each.tables) for each in page.sections if each.tables
    )
    return write_markdown(Page(page.title, page.subtitle, page.notes, page.headlines, plain))


def html(board: Board) -> str:
    """Return the report as one page; every text that is not ours is escaped."""
    return write_html(make_page(board), _arms(board))


def make_page(board: Board) -> Page:
    """Return the report of a pool."""
    agreed = board.by_person
    audits = as_table("Audit", rows_of.AUDIT, rows_of.audit_table_rows(board), 2)
    sections = (
        Section("scores", "Scores", SCORES, tables=(
            as_table("Scores", rows_of.MAIN, rows_of.main_rows(board), 3),
        )),
        Section("truth", "The frozen base beside the pool", TRUTHS, tables=(
            as_table("The frozen base beside the pool", rows_of.TRUTHS, rows_of.truth_rows(board), 2),
        )),
        Section("differences", "Differences in pooled event F1", DIFFERENCES, tables=(
            as_table("Differences in pooled event F1", rows_of.DIFFERENCES, rows_of.difference_rows(board), 1),
        )),
        Section("effort", "What a person takes", EFFORT, tables=(
            as_table("What a person takes", rows_of.EFFORT, rows_of.effort_rows(board), 1),
        )),
        Section("audit", "The judge against people", _audit_words(board), tables=(audits,) * bool(board.audits)),
        Section("careers", "Careers", CAREERS, figures=tuple(_careers(board))),
    )  # fmt: skip
    notes = [f"judge: {board.judge}", *board.judge_words]
    if board.base_note:
        notes.append(f"base {board.base_note}; it favours the arms it was made from")
    if agreed is not None and agreed.correlation is not None:
        notes.append(f"F1 by judge and by people: r = {agreed.correlation:.2f} over {agreed.persons} persons")
    return Page(
        f"PolitNuggets: {board.channel}",
        f"Pool {board.pool_id[:12]} of {len(board.run_keys)} runs over base {board.base_version}."
        " Scores of another pool are another measure and must not be compared with these.",
        tuple(notes),
        tuple(_headlines(board)),
        sections,
    )


SCORES = (
    "Every number is pooled (micro): true and false positives are summed over persons before a ratio is made. Only"
    " the last column is the mean of the persons' F1, and says macro. An event counts if role, organization and"
    " year of start are right; an attribute only if every slot that the truth defines is right too: months, exact"
    " title. What the reference text tells is on neither side. Intervals resample persons; the truth is held fixed"
    " in them."
)
TRUTHS = (
    "Recall depends on who is in the pool. The frozen base is the same for everybody; without its own additions an"
    " arm meets what the base and others found; `only this arm found` is its own share of the truth. Own evidence:"
    " matched events that the run's own archive supports."
)
DIFFERENCES = (
    "Paired over the persons of both arms; the gap between regions is resampled within each. Values are shares:"
    " 0.010 is one point of F1."
)
EFFORT = (
    "Mean / median / 90th percentile over persons, failed ones included. Tokens and dollars are those of"
    " supervisor, searcher and coder, never of the judge. Domains and languages are those of the documents kept."
)
CAREERS = (
    "Dark: the frozen base. Light: added by the pool. Faint: told by the reference text. A dot at the right is"
    " an arm whose own archive supports the event, in the colours of the headlines."
)


def as_csv(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as CSV; a cell that a spreadsheet would run is quoted with an apostrophe."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([f"'{cell}" if cell[:1] in ("=", "+", "@", "\t") else cell for cell in row] for row in rows)
    return out.getvalue()


def _headlines(board: Board) -> list[Headline]:
    made = []
    for row in sorted(board.rows, key=lambda row: (row.condition, row.arm)):
        if row.region != ALL:
            continue
        event = row.levels["event"]
        value, _, interval = number(event.f1).partition(" ")
        counts = event.counts
        said = f"P {counts.tp}/{counts.tp + counts.fp}, R {counts.tp}/{counts.tp + counts.fn}"
        notes = (row.strategy, *((f"{row.failed} persons failed",) if row.failed else ()))
        made.append(Headline(row.condition, row.arm, value, interval, said, "event F1, pooled", notes))
    return made


def _audit_words(board: Board) -> str:
    said = (
        "False discovery share: wrong among the judge's HITs. False positive rate: HITs among what people call"
        " MISS. They are two numbers. As many HITs as MISSes are drawn, so the rate is also given weighted."
    )
    if not board.audits:
        return "Nobody has labelled verdicts of this pool's judge yet: " + said
    agreed = board.by_person
    said += _expected_additions(board)
    if agreed is None:
        return said
    r = "cannot be told" if agreed.correlation is None else f"is {agreed.correlation:.2f}"
    return (
        f"{said} The correlation over {agreed.persons} persons of F1 by the judge's words and by people's {r};"
        f" people labelled {agreed.labelled} of these persons' {agreed.verdicts} verdicts."
    )


def _expected_additions(board: Board) -> str:
    """Say how many of the pool's additions are true, if as many of the judge's HITs are wrong as people found."""
    added = sum(
        each["origin"] == "pooled" and not each["covered"] for events in board.truth.values() for each in events
    )
    found = next((row.audit for row in board.audits if (row.purpose, row.language) == ("grounded", ALL)), None)
    if not added or found is None or found.false_discovery_share.value is None:
        return ""
    true = corrected_by_share(added, found.false_discovery_share.value)
    return f" Of the {added} events that the pool added, {true:.1f} are expected to be true."


def _careers(board: Board) -> list[Figure]:
    arms = _arms(board)
    made = []
    for person in sorted(board.truth)[:MOST_CAREERS]:
        tenures = [
            tenure(
                each["event"],
                "covered" if each["covered"] else each["origin"],
                [arm for arm in arms if any(key.split("/")[1] == arm for key in each["found_by"])],
            )
            for each in board.truth[person]
        ]
        drawn = [each for each in tenures if each is not None]
        if drawn:
            name = board.people.get(person, person)
            wide, narrow = (career(name, drawn, arms, layout) for layout in (WIDE, NARROW))
            made.append(Figure(f"career-{person}", f"{len(drawn)} events", wide, narrow, name))
    return made


def _arms(board: Board) -> list[str]:
    return sorted({row.arm for row in board.rows})
