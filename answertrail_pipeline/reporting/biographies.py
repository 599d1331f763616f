"""The report of a PolitNuggets pool: Markdown for people, HTML with time lines, CSV and JSON for machines."""

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from html import escape
from io import StringIO
from pathlib import Path

from answertrail_pipeline.scoring.factnet.board import ArmRow, Board, Number
from answertrail_pipeline.scoring.factnet.paired import Paired

_MAIN = (
    "condition", "arm", "strategy", "region", "persons", "failed", "event P", "event R", "event F1 (pooled)",
    "event F1 (mean)", "attribute F1 (pooled)", "slot F1 (pooled)", "R on frozen base", "R without own additions",
    "only this arm found", "own evidence", "duplicates", "covered",
)  # fmt: skip
_DIFFERENCES = ("difference", "value", "95% interval", "excludes 0", "persons", "method")
_FACTS = ("arm", "measure", "mean", "median", "p90")


def write_report(board: Board, folder: Path) -> list[Path]:
    """Write the report's files and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {
        "politnuggets.md": markdown(board),
        "politnuggets.html": html(board),
        "politnuggets.csv": as_csv(_MAIN, main_rows(board)),
        "politnuggets.json": json.dumps(as_json(board), ensure_ascii=False, indent=1, sort_keys=True) + "\n",
    }
    for name, text in made.items():
        (folder / name).write_text(text, "utf-8")
    return [folder / name for name in made]


def main_rows(board: Board) -> list[tuple[str, ...]]:
    """Return the main table: one row an arm and region, conditions apart."""
    rows = sorted(board.rows, key=lambda row: (row.condition, row.arm, row.region != "all", row.region))
    return [_main_row(row) for row in rows]


def difference_rows(board: Board) -> list[tuple[str, ...]]:
    """Return the paired differences in pooled event F1, and each arm's gap between the regions."""
    paired = [(f"{new} - {old}", *_paired(each)) for new, old, each in board.differences]
    return [*paired, *((f"{arm}: first region - others", *_paired(each)) for arm, each in board.gaps.items())]


def efficiency_rows(board: Board) -> list[tuple[str, ...]]:
    """Return what each arm took a person."""
    rows = []
    for each in board.efficiency:
        rows += [
            (each.arm, name, *(_plain(value) for value in (found.mean, found.median, found.p90)))
            for name, found in each.spreads.items()
        ]
        rows.append((each.arm, "F1 per 100k tokens", _plain(each.f1_per_100k_tokens), "", ""))
        rows.append((each.arm, "malformed calls", str(each.malformed), "", ""))
        rows.append((each.arm, "nobody better in steps and F1", "yes" if each.best else "no", "", ""))
    return rows


def notes(board: Board) -> list[str]:
    """Return what every number is made from, in sentences."""
    return [
        f"Pool {board.pool_id[:12]} over base {board.base_version}: {len(board.run_keys)} runs. "
        "Scores of another pool are another measure and must not be compared with these.",
        f"Judge: {board.judge}. The truth is held fixed in every interval.",
        "Pooled (micro) numbers sum true and false positives over persons; `mean` is the mean of the persons' F1.",
        "Events that the reference text tells are left out on both sides (scope novel).",
        f"Runs: {', '.join(board.run_keys)}.",
    ]


def markdown(board: Board) -> str:
    """Return the report as Markdown."""
    parts = [
        f"# PolitNuggets: {board.channel}",
        "\n".join(f"- {note}" for note in notes(board)),
        "## Scores",
        _markdown_table(_MAIN, main_rows(board)),
        "## Differences in pooled event F1",
        _markdown_table(_DIFFERENCES, difference_rows(board)),
        "## What a person takes",
        _markdown_table(_FACTS, efficiency_rows(board)),
    ]
    return "\n\n".join(parts) + "\n"


def html(board: Board) -> str:
    """Return the report as one page; every text that is not ours is escaped."""
    lines = "".join(_timeline(board, person) for person in sorted(board.truth))
    tables = "".join(
        f"<h2>{escape(title)}</h2>{_html_table(head, rows)}"
        for title, head, rows in (
            ("Scores", _MAIN, main_rows(board)),
            (
                "Differences in pooled event F1",
                _DIFFERENCES,
                difference_rows(board),
            ),
            ("What a person takes", _FACTS, efficiency_rows(board)),
        )
    )
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes(board))
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>PolitNuggets: {escape(board.channel)}</title><style>{_STYLE}</style>"
        f"<h1>PolitNuggets: {escape(board.channel)}</h1><ul>{listed}</ul>"
        f"{tables}<h2>Time lines</h2>{lines}</html>\n"
    )


def as_json(board: Board) -> dict[str, object]:
    """Return the board as JSON values, counts and all."""
    return {
        "channel": board.channel,
        "pool_id": board.pool_id,
        "base_version": board.base_version,
        "judge": board.judge,
        "run_keys": list(board.run_keys),
        "rows": [asdict(row) for row in board.rows],
        "differences": [{"new": new, "old": old, **asdict(each)} for new, old, each in board.differences],
        "gaps": {arm: asdict(each) for arm, each in board.gaps.items()},
        "efficiency": [asdict(each) for each in board.efficiency],
        "truth": {person: list(events) for person, events in board.truth.items()},
    }


def as_csv(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as CSV; a cell that a spreadsheet would run is quoted with an apostrophe."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([f"'{cell}" if cell[:1] in ("=", "+", "@", "\t") else cell for cell in row] for row in rows)
    return out.getvalue()


def _main_row(row: ArmRow) -> tuple[str, ...]:
    event, attribute, slot = row.levels["event"], row.levels["attribute"], row.levels["slot"]
    counts = event.counts
    return (
        row.condition,
        row.arm,
        row.strategy,
        row.region,
        str(row.persons),
        str(row.failed),
        f"{_number(event.precision)} ({counts.tp}/{counts.tp + counts.fp})",
        f"{_number(event.recall)} ({counts.tp}/{counts.tp + counts.fn})",
        _number(event.f1),
        _number(event.macro_f1),
        _number(attribute.f1),
        _number(slot.f1),
        _number(row.frozen["event"].recall),
        _plain(row.recall_own_out),
        f"{row.only_own}/{row.truth}",
        _plain(row.grounded),
        str(row.duplicates),
        str(row.covered),
    )


def _number(number: Number) -> str:
    if number.value is None:
        return "-"
    low, high = number.interval.low, number.interval.high
    return f"{number.value:.3f}" if low is None or high is None else f"{number.value:.3f} [{low:.3f}, {high:.3f}]"


def _paired(each: Paired) -> tuple[str, ...]:
    ends = "-" if each.bootstrap is None else f"[{each.bootstrap[0]:+.3f}, {each.bootstrap[1]:+.3f}]"
    flag = {None: "-", True: "yes", False: "no"}[each.excludes_zero]
    value = "-" if each.difference is None else f"{each.difference:+.3f}"
    return value, ends, flag, str(each.persons), each.method


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")


def _markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _html_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<div class=wide><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"


def _timeline(board: Board, person: str) -> str:
    """Return one person's truth: base, pool, what the reference tells, and who found it."""
    rows = [
        (
            str(each["event"]["start"] or "?"),
            str(each["event"]["end"]),
            each["event"]["role"],
            each["event"]["organization"],
            "told by the reference" if each["covered"] else each["origin"],
            ", ".join(sorted({key.split("/")[1] for key in each["found_by"]})) or "nobody",
        )
        for each in sorted(board.truth[person], key=lambda each: str(each["event"]["start"]))
    ]
    head = ("from", "to", "role", "organization", "truth", "supported in the archive of")
    return f"<h3>{escape(person)}</h3>{_html_table(head, rows)}"


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem;color:#1b1b1b}"
    "table{border-collapse:collapse;font-size:.85rem}"
    "th,td{border:1px solid #ccc;padding:.25rem .5rem;text-align:left}"
    "th{background:#f3f3f3}.wide{overflow-x:auto}"
)
