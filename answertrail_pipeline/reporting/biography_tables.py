"""The tables of a pool's report, each as rows of words: for HTML, Markdown, CSV and the terminal."""

import re
from collections.abc import Iterable, Sequence

from answertrail_pipeline.judging.agreement import Share
from answertrail_pipeline.reporting.tables import Cell, Table
from answertrail_pipeline.reporting.words import NONE, amount
from answertrail_pipeline.scoring.factnet.audit import AuditRow
from answertrail_pipeline.scoring.factnet.board import ALL, ArmRow, Board
from answertrail_pipeline.scoring.factnet.level_scores import LevelScore, Number
from answertrail_pipeline.scoring.factnet.paired import Paired

MAIN = (
    "condition", "arm", "region", "persons", "event P", "event R", "event F1", "attribute F1", "slot F1",
    "event F1, macro",
)  # fmt: skip
TRUTHS = (
    "arm", "region", "frozen base P", "frozen base R", "frozen base F1", "pool R", "R without own additions",
    "only this arm found", "own evidence", "F1 with what the reference tells", "F1, a year off", "duplicates",
    "told by the reference",
)  # fmt: skip
DIFFERENCES = ("difference", "value", "95% interval", "excludes 0", "persons", "left out", "method")
EFFORT = (
    "arm", "searches", "model calls", "tokens", "dollars", "seconds", "domains", "languages", "failed",
    "malformed replies", "F1 per 100k tokens", "nobody better",
)  # fmt: skip
AUDIT = (
    "purpose", "language", "pairs", "kappa", "false discovery share", "false positive rate", "the same, weighted",
    "sensitivity",
)  # fmt: skip
_WITH_MORE = re.compile(r"(\S+) (\[.*|\d+/\d+)")
_SPREADS = ("searches", "calls", "tokens", "cost_usd", "seconds", "domains", "languages")


def main_rows(board: Board) -> list[tuple[str, ...]]:
    """Return the main table: condition x arm x region, the whole before its parts."""
    return [
        (
            row.condition, row.arm, _region(row), str(row.persons), *_three(row.levels["event"]),
            number(row.levels["attribute"].f1), number(row.levels["slot"].f1),
            number(row.levels["event"].macro_f1),
        )
        for row in _ordered(board.rows)
    ]  # fmt: skip


def terminal_rows(board: Board) -> list[tuple[str, ...]]:
    """Return the main table as far as it fits a terminal: with counts, without intervals."""
    rows: list[tuple[str, ...]] = []
    for row in _ordered(board.rows):
        event = row.levels["event"]
        counts = event.counts
        rows.append(
            (
                row.condition, row.arm, _region(row),
                f"{plain(event.precision.value)} ({counts.tp}/{counts.tp + counts.fp})",
                f"{plain(event.recall.value)} ({counts.tp}/{counts.tp + counts.fn})",
                number(event.f1), plain(row.levels["attribute"].f1.value),
            )
        )  # fmt: skip
    return rows


def truth_rows(board: Board) -> list[tuple[str, ...]]:
    """Return each arm on the frozen base beside the pool, and how much of the pool it brought itself."""
    return [
        (
            row.arm, _region(row), *_three(row.frozen["event"]), plain(row.levels["event"].recall.value),
            plain(row.recall_own_out), f"{row.only_own}/{row.truth}", plain(row.grounded), plain(row.f1_full),
            plain(row.f1_one_year_off), str(row.duplicates), str(row.covered),
        )
        for row in _ordered(board.rows)
    ]  # fmt: skip


def difference_rows(board: Board) -> list[tuple[str, ...]]:
    """Return the paired differences in pooled event F1, and each arm's gap between the regions."""
    paired = [(f"{new} − {old}", *_paired(each)) for new, old, each in board.differences]
    return [
        *paired,
        *((f"{arm}: {board.first_region} − others", *_paired(each)) for arm, each in board.gaps.items()),
    ]


def effort_rows(board: Board) -> list[tuple[str, ...]]:
    """Return what each arm took a person: mean / median / 90th percentile."""
    return [
        (
            each.arm,
            *(" / ".join(map(_short, (found.mean, found.median, found.p90)))
              for found in (each.spreads[name] for name in _SPREADS)),
            str(each.failed), f"{each.malformed}/{each.replies}", _short(each.f1_per_100k_tokens),
            "yes" if each.best else "",
        )
        for each in board.efficiency
    ]  # fmt: skip


def audit_table_rows(board: Board) -> list[tuple[str, ...]]:
    """Return how the judge agrees with people, by purpose and language."""
    return [audit_cells(row) for row in board.audits]


def audit_cells(row: AuditRow) -> tuple[str, ...]:
    """Return one audit as the cells of its row."""
    found = row.audit
    return (
        row.purpose, row.language, str(found.pairs), plain(found.kappa), _share(found.false_discovery_share),
        _share(found.false_positive_rate), plain(found.weighted_rate), _share(found.sensitivity),
    )  # fmt: skip


def as_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], words: int, note: str = "") -> Table:
    """Return rows as a table of the report.

    Args:
        words: how many columns on the left hold words; the others are set to the right.
    """
    cells = tuple(tuple(_cell(cell) for cell in row) for row in rows)
    return Table(title, tuple(head), cells, frozenset(range(words, len(head))), note)


def _cell(words: str) -> Cell:
    """Return a number with its interval and counts on a second, smaller line."""
    found = _WITH_MORE.fullmatch(words)
    return Cell(found[1], found[2]) if found else Cell(words)


def number(each: Number) -> str:
    """Write a ratio with its interval, or a dash."""
    if each.value is None:
        return NONE
    low, high = each.interval.low, each.interval.high
    return f"{each.value:.3f}" if low is None or high is None else f"{each.value:.3f} [{low:.3f}, {high:.3f}]"


def plain(value: float | None) -> str:
    """Write a ratio, or a dash."""
    return NONE if value is None else f"{value:.3f}"


def _ordered(rows: Iterable[ArmRow]) -> list[ArmRow]:
    return sorted(rows, key=lambda row: (row.condition, row.arm, row.region != ALL, row.region))


def _region(row: ArmRow) -> str:
    return "all regions" if row.region == ALL else row.region


def _three(level: LevelScore) -> tuple[str, str, str]:
    counts = level.counts
    return (
        f"{number(level.precision)} {counts.tp}/{counts.tp + counts.fp}",
        f"{number(level.recall)} {counts.tp}/{counts.tp + counts.fn}",
        number(level.f1),
    )


def _paired(each: Paired) -> tuple[str, ...]:
    ends = NONE if each.bootstrap is None else f"[{each.bootstrap[0]:+.3f}, {each.bootstrap[1]:+.3f}]"
    flag = {None: NONE, True: "yes", False: "no"}[each.excludes_zero]
    value = NONE if each.difference is None else f"{each.difference:+.3f}"
    return value, ends, flag, str(each.persons), str(each.dropped), each.method


def _share(share: Share) -> str:
    if share.value is None or share.low is None or share.high is None:
        return NONE
    return f"{share.value:.3f} [{share.low:.3f}, {share.high:.3f}] {share.hits}/{share.total}"


def _short(value: float | None) -> str:
    return NONE if value is None else amount(value)
