"""The table of how far the judge and people agree, and people among themselves."""

from answertrail_pipeline.reporting import words
from answertrail_pipeline.reporting.tables import Cell, Table
from answertrail_pipeline.scoring.board import Scoreboard
from answertrail_pipeline.scoring.board_calibration import BoardCalibration, BoardEstimate, BoardRaters, BoardShare

COLUMNS = ("purpose", "who labelled", "kappa", "HIT by both / first / second / none", "PPV", "NPV", "")


def calibrations(board: Scoreboard) -> Table:
    """Return a row for each purpose over all tiers, for each tier, and for each two people."""
    models = {judge.judge_id: judge.model for judge in board.judges}
    rows = []
    for one in board.calibrations:
        judge = models.get(one.judge_id, one.judge_id)
        rows += [_row(one, raters, judge, first=not place) for place, raters in enumerate(one.raters)]
    note = (
        f"Calibrated: a raw kappa of at least {board.min_kappa:g} over all tiers, for this purpose, prompt, model"
        " and mode. Counts: pairs by who said HIT. PPV, NPV: of the first one's HIT and MISS, the share that the"
        " second says too; in brackets exact intervals. Weighted: each pair counted for those that it stands for;"
        " no brackets where there are few questions or no errors to resample (tables/raters.csv says which)."
    )
    return Table("Calibration", COLUMNS, tuple(rows), frozenset({2, 3, 4, 5}), note)


def _row(calibration: BoardCalibration, raters: BoardRaters, judge: str, *, first: bool) -> tuple[Cell, ...]:
    counts = f"{raters.both} / {raters.first_only} / {raters.second_only} / {raters.neither}"
    agreeing = raters.both + raters.neither
    return (
        Cell(calibration.purpose, judge),
        Cell(raters.raters, "all tiers" if raters.tier == "all" else raters.tier),
        Cell(
            _value(raters.kappa.value),
            f"{_ends(raters.kappa) or raters.kappa.reason}{_weighted(raters.weighted_kappa)}",
        ),
        Cell(counts, f"{agreeing} of {raters.pairs} agree, {raters.questions} questions"),
        _share(raters.ppv, raters.weighted_ppv),
        _share(raters.npv, raters.weighted_npv),
        _gate(calibration) if first else Cell(""),
    )


def _share(share: BoardShare, weighted: BoardEstimate) -> Cell:
    if share.value is None:
        return Cell(words.NONE, weighted.reason or "")
    exact = f"{share.hits}/{share.total} [{_value(share.low)}, {_value(share.high)}]"
    return Cell(_value(share.value), f"{exact}{_weighted(weighted)}")


def _gate(calibration: BoardCalibration) -> Cell:
    """Return whether the gate is passed, with all that was left out of kappa."""
    said = [calibration.reason] if calibration.reason else []
    said += ["labels of a truth file, not of people"] if calibration.truth_file else []
    said += [] if calibration.by_verdict else ["drawn by another judge's verdicts: PPV and NPV are of the sample"]
    left_out = {"unsure": calibration.unsure, "where people differ": calibration.split}
    told = [f"{count} {word}" for word, count in left_out.items() if count]
    if told:
        ends = f"{_value(calibration.worst)} to {_value(calibration.best)}"
        said.append(f"left out: {words.listed(told)}; kappa with them {ends}")
    said += [f"{calibration.unscored} unscored by the judge"] if calibration.unscored else []
    said += [f"{calibration.unlabelled} not labelled yet"] if calibration.unlabelled else []
    right, controls = calibration.controls
    said += [f"controls: {right} of {controls} called MISS"] if controls else []
    return Cell("calibrated" if calibration.calibrated else "uncalibrated", " · ".join(said))


def _value(value: float | None) -> str:
    return words.NONE if value is None else f"{value:.2f}"


def _ends(estimate: BoardEstimate) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    return f"[{estimate.low:.2f}, {estimate.high:.2f}]"


def _weighted(estimate: BoardEstimate) -> str:
    return "" if estimate.value is None else f" · weighted {estimate.value:.2f} {_ends(estimate)}".rstrip()
