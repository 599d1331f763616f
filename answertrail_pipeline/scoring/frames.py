"""The scoreboard as pandas frames, one a table: what the report shows and the CSV files hold."""

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from answertrail_pipeline.scoring.board import BoardMetric, Scoreboard
from answertrail_pipeline.scoring.board_calibration import BoardCalibration, BoardRaters

if TYPE_CHECKING:
    from pandas import DataFrame

_NOTES = "; "


def frames(board: Scoreboard) -> "dict[str, DataFrame]":
    """Return the tables of a scoreboard by name: metrics, runs, comparisons, corrections, questions, findings,
    left_out, calibrations, raters, judges, definitions.

    Every line of `metrics` carries its counts, its interval with the method, and all notes that belong to it.
    """
    rows: dict[str, list[dict[str, Any]]] = {
        "metrics": [
            {"arm": arm.name, **_metric(metric), "notes": _NOTES.join((*board.notes, *arm.notes, *metric.notes))}
            for arm in board.arms
            for metric in arm.metrics
        ],
        "runs": [{"arm": arm.name, **one.model_dump()} for arm in board.arms for one in arm.by_run],
        "comparisons": [_flat(one) for one in board.comparisons],
        "corrections": [{**_flat(one), "correction": one.method} for one in board.corrections],
        "questions": [
            {
                "question_id": question.question_id,
                "tier": question.tier,
                "nuggets": question.nuggets,
                "out": question.out,
                **cell.model_dump(),
            }
            for question in board.questions
            for cell in question.cells
        ],
        "findings": [one.model_dump() for one in board.findings],
        "left_out": [one.model_dump() for one in board.left_out],
        "calibrations": [_calibration(one) for one in board.calibrations],
        "raters": [_raters(calibration, one) for calibration in board.calibrations for one in calibration.raters],
        "judges": [one.model_dump() for one in board.judges],
        "definitions": [one.model_dump() for one in board.definitions],
    }
    return {name: _frame(found) for name, found in rows.items()}


def _frame(rows: list[dict[str, Any]]) -> "DataFrame":
    import pandas as pd

    return pd.DataFrame(rows, dtype=object)  # a whole number beside a missing one stays whole


def _metric(metric: BoardMetric) -> dict[str, Any]:
    flat = _flat(metric)
    del flat["questions"], flat["notes"]
    return {**flat, "left_out": " ".join(metric.left_out)}


def _calibration(one: BoardCalibration) -> dict[str, Any]:
    right, controls = one.controls
    return {**one.model_dump(exclude={"raters"}), "controls": controls, "controls_called_miss": right}


def _raters(calibration: BoardCalibration, raters: BoardRaters) -> dict[str, Any]:
    """Return how far two raters agree in one line: each number with its interval or the reason beside it."""
    flat: dict[str, Any] = {"judge_id": calibration.judge_id, "purpose": calibration.purpose}
    for name, value in raters.model_dump().items():
        parts = value if isinstance(value, dict) else {"value": value}
        flat |= {name if part == "value" else f"{name}_{part}": found for part, found in parts.items()}
    return flat


def _flat(model: BaseModel) -> dict[str, Any]:
    """Return a model's fields with its interval's beside them (`method` is the interval's); lists become words."""
    fields = model.model_dump()
    interval = fields.pop("interval")
    flat = {key: " ".join(value) if isinstance(value, tuple) else value for key, value in fields.items()}
    return {
        **flat,
        "low": interval["low"],
        "high": interval["high"],
        "method": interval["method"],
        "interval_reason": interval["reason"],
        "interval_questions": interval["questions"],
        "indicative": interval["indicative"],
    }
