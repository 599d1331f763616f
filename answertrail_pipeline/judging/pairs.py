"""Calibration pairs: drawn from a judge's verdicts, labelled blind by people, kept for ever."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from random import Random
from typing import Any, Literal, get_args

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, RowMapping, text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.hashing import fingerprint, stable_seed
from answertrail_pipeline.judging.drawing import Design, draw_spread
from answertrail_pipeline.judging.judges import AnyJudge, store_judge
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.store.shipped import read_sql

PersonLabel = Literal["HIT", "MISS", "unsure"]
_CONTENT = (
    "purpose", "claim", "claim_kind", "claim_window", "window_from", "window_to", "question", "text_kind",
    "text_sha256", "language",
)  # fmt: skip


@dataclass(frozen=True)
class DrawReport:
    """What a draw took: by stratum, (pairs that could be drawn, pairs drawn); controls by purpose and tier."""

    strata: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    controls: Mapping[str, int] = field(default_factory=dict)

    @property
    def pairs(self) -> int:
        """All pairs drawn, controls too."""
        return sum(drawn for _, drawn in self.strata.values()) + sum(self.controls.values())


@dataclass(frozen=True)
class BlindPair:
    """What a person sees of a pair: neither verdict nor arm, nor whether it is a control."""

    pair_id: str
    purpose: str
    claim: str
    claim_kind: str
    claim_window: str | None
    window_from: date | None
    window_to: date | None
    question: str | None
    text_kind: str
    text: str
    language: str


def draw_pairs(database: Database, channel: str, judge: AnyJudge, design: Design | None = None) -> DrawReport:
    """Draw pairs from a judge's verdicts of a channel and store them; what is drawn already stays as it is.

    Pairs that a rule decided are not drawn: nobody was asked.

    Raises:
        UserError: the judge has no verdicts to draw from.
    """
    how = design or Design()
    with database.begin() as connection:
        rows = _population(connection, channel, judge, how)
        if not rows:
            raise UserError(
                f"The judge `{judge.name}` has no verdicts in {channel} to draw from.",
                "Judge a run first (`answertrail run`), or draw for the judge that judged it.",
            )
        drawn, report = _draw(channel, rows, how)
        store_judge(connection, judge)
        insert_rows(connection, "calibration_pairs", drawn, skip_existing=True)
        links = [
            {"pair_id": row["pair_id"], "judge_id": judge.judge_id, "verdict_id": row["verdict_id"]}
            for row in drawn
            if row["verdict_id"]
        ]
        insert_rows(connection, "pair_verdicts", links, skip_existing=True)
    return report


def _population(connection: Connection, channel: str, judge: AnyJudge, how: Design) -> list[RowMapping]:
    values = {"channel": channel, "judge_id": judge.judge_id, "purposes": list(how.purposes)}
    return list(connection.execute(text(read_sql("queries/calibration_population.sql")), values).mappings())


def _draw(channel: str, rows: Sequence[RowMapping], how: Design) -> tuple[list[dict[str, Any]], DrawReport]:
    strata: dict[str, dict[str, list[RowMapping]]] = {}
    cells: dict[str, dict[str, list[RowMapping]]] = {}
    for row in rows:
        cell = f"{row['purpose']}/{row['tier']}"
        language = f"/{row['language']}" if how.by_language else ""
        strata.setdefault(f"{cell}/{row['label']}{language}", {}).setdefault(row["question_id"], []).append(row)
        cells.setdefault(cell, {}).setdefault(row["question_id"], []).append(row)
    drawn: list[dict[str, Any]] = []
    taken: dict[str, tuple[int, int]] = {}
    for stratum, members in sorted(strata.items()):
        picks = draw_spread(members, how.per_stratum, _random("pairs", how.seed, stratum))
        taken[stratum] = (sum(map(len, members.values())), len(picks))
        drawn += [
            _pair(channel, dict(one.member), stratum, one.weight * one.member["items"], how, taken[stratum])
            for one in picks
        ]
    controls = {cell: _controls(channel, cell, members, how) for cell, members in sorted(cells.items())}
    drawn += [pair for made in controls.values() for pair in made]
    return drawn, DrawReport(taken, {cell: len(made) for cell, made in controls.items()})


def _controls(
    channel: str, cell: str, members: Mapping[str, Sequence[RowMapping]], how: Design
) -> list[dict[str, Any]]:
    """Return claims of one question with texts of another: hardly ever a HIT."""
    random = _random("controls", how.seed, cell)
    questions = sorted(members)
    if len(questions) < 2:
        return []
    made = []
    for _ in range(how.controls):
        one, other = random.sample(questions, 2)
        mixed = {**random.choice(members[one]), "text_sha256": random.choice(members[other])["text_sha256"]}
        made.append(
            {
                **_pair(channel, mixed, f"{cell}/control", 0.0, how, (len(questions), how.controls)),
                "verdict_id": None,
                "negative_control": True,
            }
        )
    real = {pair_id(channel, {name: row[name] for name in _CONTENT}) for rows in members.values() for row in rows}
    return list({pair["pair_id"]: pair for pair in made if pair["pair_id"] not in real}.values())


def _random(*key: object) -> Random:
    return Random(stable_seed(*key))  # noqa: S311  # drawn by a stated seed, nothing secret


def _pair(
    channel: str, row: Mapping[str, Any], stratum: str, weight: float, how: Design, sizes: tuple[int, int]
) -> dict[str, Any]:
    content = {name: row[name] for name in _CONTENT}
    design = {**asdict(how), "by_verdict": True, "population": sizes[0], "drawn": sizes[1]}
    return {
        "pair_id": pair_id(channel, content),
        "channel": channel,
        "verdict_id": row["verdict_id"],
        "tier": row["tier"],
        "question_id": row["question_id"],
        "stratum": stratum,
        "weight": weight,
        "negative_control": False,
        "design": Jsonb(design),
        **content,
    }


def pair_id(channel: str, content: Mapping[str, Any]) -> str:
    """Return the fingerprint of what a person sees of a pair."""
    plain = {name: str(value) if isinstance(value, date) else value for name, value in content.items()}
    return fingerprint("calibration pair", channel, plain)


def blind_pairs(
    database: Database,
    channel: str,
    person: str | None = None,
    purpose: str | None = None,
    language: str | None = None,
) -> list[BlindPair]:
    """Return a channel's pairs as people see them, in an order that tells nothing.

    Args:
        person: only pairs that this person has not labelled yet; all where None.
        purpose, language: only pairs of this purpose, and with a text in this language; all where None.
    """
    with database.begin() as connection:
        rows = connection.execute(
            text(read_sql("queries/blind_pairs.sql")),
            {"channel": channel, "person": person, "purpose": purpose, "language": language},
        )
        return [BlindPair(**row._mapping) for row in rows]


def store_label(database: Database, pair: str, person: str, label: str, reason: str | None = None) -> None:
    """Keep a person's label; a later one of the same person replaces it in what is counted.

    Raises:
        UserError: no such pair, another label than HIT, MISS or unsure, or no name.
    """
    store_labels(database, [(pair, label, reason)], person)


def store_labels(database: Database, labels: Iterable[tuple[str, str, str | None]], person: str) -> None:
    """Keep many labels (pair id, label, reason) of one person, all or none.

    Raises:
        UserError: as `store_label`.
    """
    rows = [
        {"pair_id": pair, "person": person.strip(), "label": label, "reason": reason}
        for pair, label, reason in labels
    ]
    if not person.strip():
        raise UserError("A label needs the name of who gives it.", "Say who you are.")
    wrong = next((row["label"] for row in rows if row["label"] not in get_args(PersonLabel)), None)
    if wrong is not None:
        raise UserError(f"`{wrong}` is no label.", "Use HIT, MISS or unsure.")
    with database.begin() as connection:
        connection.execute(text("set local synchronous_commit = on"))
        there = set(
            connection.execute(
                text("select pair_id from calibration_pairs where pair_id = any(:ids)"),
                {"ids": [row["pair_id"] for row in rows]},
            ).scalars()
        )
        lost = next((row["pair_id"] for row in rows if row["pair_id"] not in there), None)
        if lost is not None:
            raise UserError(f"There is no calibration pair `{lost}`.", "Draw pairs first.")
        insert_rows(connection, "labels", rows)
