"""The question gates against a person's notes on 50 real proposals: the table of docs/gold.md.

    python benchmarks/gates.py [FOLDER]    FOLDER holds factual_candidates.jsonl and factual_gold.jsonl

"Leave-one-out" fits the leak score anew without each question in turn (logistic, a ridge on all but the constant)
and scores that question with it.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from answertrail_pipeline.gold import gates

DATA = Path(__file__).resolve().parents[2] / "shared/data/answertrail"
RIDGE = 0.1
Vector = NDArray[np.float64]


def read(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]


def given_away(row: dict[str, Any]) -> bool:
    """Whether the person's note says that the question gives its answer away."""
    note = row["human_note"].lower()
    return any(words in note for words in ("overlap", "leak", "basically the claim"))


def auc(scores: Vector, given: NDArray[np.bool_]) -> float:
    above = scores[given][:, None] > scores[~given][None, :]
    equal = scores[given][:, None] == scores[~given][None, :]
    return float((above + 0.5 * equal).mean())


def fit(features: NDArray[np.float64], given: NDArray[np.bool_]) -> Vector:
    """Return the weights of a logistic score, the constant last."""
    table, sign = np.column_stack([features, np.ones(len(features))]), np.where(given, 1.0, -1.0)

    def loss(weights: Vector) -> float:
        return float(np.logaddexp(0, -sign * (table @ weights)).sum() + RIDGE / 2 * (weights[:-1] ** 2).sum())

    return np.asarray(minimize(loss, np.zeros(table.shape[1])).x, np.float64)


def leave_one_out(features: NDArray[np.float64], given: NDArray[np.bool_]) -> Vector:
    scores = []
    for at in range(len(features)):
        others = np.arange(len(features)) != at
        weights = fit(features[others], given[others])
        scores.append(1 / (1 + np.exp(-(features[at] @ weights[:-1] + weights[-1]))))
    return np.array(scores)


def line(name: str, scores: Vector, given: NDArray[np.bool_], cut: float) -> None:
    found, alarms = int((scores[given] >= cut).sum()), int((scores[~given] >= cut).sum())
    print(f"{name:42} AUC {auc(scores, given):.3f}  at {cut:g}: found {found}/{given.sum()}, "
          f"false alarms {alarms}/{(~given).sum()}")  # fmt: skip


def warned(row: dict[str, Any]) -> dict[str, bool]:
    question, claim = row["question"], row["claim"]
    return {
        "gives away": gates.gives_away(question, [claim]) is not None,
        "unspecific": gates.unspecific(question) is not None,
        "unnatural": gates.unnatural(question) is not None,
        "unanswered": gates.unanswered(question, claim) is not None,
    }


def against_cut(name: str, flagged: set[str], cut: set[str]) -> None:
    hits = len(flagged & cut)
    precision = f"{hits / len(flagged):.2f}" if flagged else "-"
    print(f"{name:12} precision {precision} ({hits}/{len(flagged)})  recall {hits / len(cut):.2f} "
          f"({hits}/{len(cut)})")  # fmt: skip


def main(folder: Path) -> None:
    proposals = read(folder, "factual_candidates.jsonl")
    kept = {row["question_id"] for row in read(folder, "factual_gold.jsonl")}
    judged = [row for row in proposals if given_away(row) or row["question_id"] in kept]
    given = np.array([given_away(row) for row in judged])
    features = np.array([gates.leak_features(row["question"], row["claim"]) for row in judged], np.float64)
    line("share of the claim's words alone", features[:, 0], given, 0.55)
    for name, columns in (("words and numbers, leave-one-out", [0, 1]), ("the score, leave-one-out", [0, 1, 2])):
        line(name, leave_one_out(features[:, columns], given), given, gates.MAX_LEAK)
    shipped = np.array([gates.leak_score(row["question"], row["claim"]) for row in judged])
    line("the score as shipped", shipped, given, gates.MAX_LEAK)
    print("fitted on all (share, numbers, run, constant):", np.round(fit(features, given), 2))
    cut = {row["question_id"] for row in proposals} - kept
    by_gate = {row["question_id"]: warned(row) for row in proposals}
    gate_names: Sequence[str] = list(next(iter(by_gate.values())))
    for name in gate_names:
        against_cut(name, {key for key, said in by_gate.items() if said[name]}, cut)
    against_cut("any of these", {key for key, said in by_gate.items() if any(said.values())}, cut)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)
