"""Export in castorini/nuggetizer's JSON lines: nuggets a question, and assignments a question and run.

A headline nugget is `vital`, any other `okay`; HIT is `support`, MISS is `not_support`: so its
`strict_vital_score` of a question is our recall of it. Unscored nuggets have no assignment and are left out.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.types import HEADLINE_KIND, GoldQuestion, GoldVersion
from answertrail_pipeline.scoring.types import ScoredVerdict

_ASSIGNMENT = {"HIT": "support", "MISS": "not_support"}
_LABEL = {"support": "HIT", "partial_support": "MISS", "not_support": "MISS"}


def nugget_lines(gold: GoldVersion) -> Iterator[str]:
    """Yield the kept questions with their nuggets, one JSON object a line."""
    for question in sorted(gold.questions, key=lambda question: question.question_id):
        if question.counts:
            yield _line({"query": question.text, "qid": question.question_id, "nuggets": _nuggets(question)})


def assignment_lines(
    gold: GoldVersion, run_id: str, answers: Mapping[str, str], verdicts: Iterable[ScoredVerdict]
) -> Iterator[str]:
    """Yield one run's assignments, one JSON object a question.

    Args:
        answers: by question id.
        verdicts: of the run; those of purpose recall are used.
    """
    labels = {
        (row.question_id, row.item_id): row.label
        for row in verdicts
        if row.purpose == "recall" and row.label is not None
    }
    for question in sorted(gold.questions, key=lambda question: question.question_id):
        if not question.counts:
            continue
        answer = answers.get(question.question_id, "")
        nuggets = [
            {**nugget, "assignment": _ASSIGNMENT[label]}
            for nugget in _nuggets(question)
            if (label := labels.get((question.question_id, nugget["nugget_id"])))
        ]
        yield _line(
            {
                "query": question.text,
                "qid": question.question_id,
                "answer_text": answer,
                "response_length": len(answer.split()),
                "run_id": run_id,
                "nuggets": nuggets,
            }
        )


@dataclass(frozen=True)
class Assigned:
    """One nugget of one answer as a nuggetizer file has it; `partial_support` counts as a MISS, strictly."""

    run_id: str
    question_id: str
    text: str
    vital: bool
    label: str


def read_assignments(lines: Iterable[str]) -> list[Assigned]:
    """Read nuggetizer assignments, ours or theirs.

    Raises:
        UserError: a line is no JSON object, lacks a field, or has an assignment that is not known.
    """
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            found += [
                Assigned(
                    row.get("run_id", ""), row["qid"], nugget["text"], nugget["importance"] == "vital",
                    _LABEL[nugget["assignment"]],
                )
                for nugget in row["nuggets"]
            ]  # fmt: skip
        except (ValueError, TypeError, AttributeError) as error:
            raise UserError(
                f"Line {number} is no nuggetizer record: {error}.", "One JSON object a line."
            ) from error
        except KeyError as error:
            raise UserError(
                f"Line {number} lacks or does not know {error}.",
                "Each nugget has text, importance and assignment (support, partial_support, not_support).",
            ) from error
    return found


def _nuggets(question: GoldQuestion) -> list[dict[str, Any]]:
    headline = HEADLINE_KIND[question.tier]
    return [
        {
            "nugget_id": nugget.nugget_id,
            "text": nugget.text,
            "importance": "vital" if nugget.kind == headline else "okay",
        }
        for nugget in question.nuggets
    ]


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"
