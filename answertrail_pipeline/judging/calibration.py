"""Calibration: how far a judge agrees with people, per purpose and tier, and whether that is enough.

A judge is calibrated for one purpose by its id (prompt, model, parameters, mode): a changed prompt starts anew.
People's labels stay, since they are kept by what people saw.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, get_args

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.judging.agreement import Agreement, Rated, agreement, kappa_bounds
from answertrail_pipeline.judging.types import Label, Purpose
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import join_key, split_key
from answertrail_pipeline.store.rows import replace_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.store.stage_run import Computed, Gate, Stage, Unit

CODE_VERSION = "2"
GATE = "judge_calibrated"
TRUTH_FILE = "truth file, not a person"
"""The `person` of labels that come from the file a demonstration was made from."""


@dataclass(frozen=True)
class LabelledPair:
    """A pair with a judge's word and people's."""

    pair_id: str
    purpose: Purpose
    tier: str
    question_id: str
    weight: float
    negative_control: bool
    drawn_by: bool
    claim: str
    judge: Label | None
    judge_reason: str
    labels: tuple[tuple[str, str, str | None], ...]
    """(person, label, reason), by person."""

    @property
    def person(self) -> Label | None:
        """The label that all who gave one agree on; None where they differ, are unsure, or nobody labelled it."""
        given = {label for _, label, _ in self.labels}
        one = next(iter(given)) if len(given) == 1 else None
        return one if one in get_args(Label) else None  # type: ignore[return-value]


@dataclass(frozen=True)
class Calibration:
    """What labels say of one judge on one purpose.

    Attributes:
        pairs: labelled pairs that count: one label of people, one of the judge, no control.
        unsure: pairs where a person was unsure; left out of kappa, with what it would be at worst and at best.
        split: pairs where people differ; left out too.
        unscored: labelled pairs that the judge gave no label.
        tiers: the same by tier.
        controls: negative controls that people called MISS: how many the judge did too, of how many.
        people: who labelled, and how many.
        between_people: by two people, how far they agree.
        disagreements: every pair on which judge and people differ, with both reasons.
        by_verdict: the pairs were drawn by this judge's own verdicts: PPV and NPV are population values, the
            shares of people's HIT that the judge finds are not.
        calibrated: kappa reaches `min_kappa`.
        reason: why it is not calibrated.
    """

    judge_id: str
    purpose: Purpose
    overall: Agreement
    tiers: dict[str, Agreement]
    unsure: int
    split: int
    unscored: int
    unlabelled: int
    worst: float | None
    best: float | None
    controls: tuple[int, int]
    people: dict[str, int]
    between_people: dict[str, Agreement]
    disagreements: tuple[dict[str, Any], ...]
    by_verdict: bool
    min_kappa: float
    calibrated: bool
    reason: str | None

    @property
    def words(self) -> str:
        """One line to print beside every number that rests on this judge and purpose."""
        kappa = self.overall.kappa
        counts = self.overall.counts
        said = f"agreement {counts.both + counts.neither:.0f}/{counts.total:.0f}"
        if kappa is not None:
            said = f"kappa {kappa:.2f}, {said}"
            if self.overall.low is not None and self.overall.high is not None:
                said = said.replace(",", f" [{self.overall.low:.2f}, {self.overall.high:.2f}],", 1)
        who = f", {TRUTH_FILE}" if TRUTH_FILE in self.people else ""
        if self.calibrated:
            return f"judge: calibrated ({said}{who})"
        return f"judge: uncalibrated ({self.reason}; {said}{who})"


def calibration_status(
    database: Database, channel: str, judge_id: str, purpose: Purpose, min_kappa: float
) -> Calibration:
    """Return the calibration of one judge on one purpose; without pairs all is None and it is uncalibrated."""
    with database.begin() as connection:
        pairs = labelled_pairs(connection, channel)
    return calibrate(judge_id, purpose, pairs.get((judge_id, purpose), []), min_kappa)


def calibrations(database: Database, channel: str, min_kappa: float) -> list[Calibration]:
    """Return the calibration of every judge and purpose that has pairs, by judge and purpose."""
    with database.begin() as connection:
        pairs = labelled_pairs(connection, channel)
    return [calibrate(*key, found, min_kappa) for key, found in sorted(pairs.items())]


def labelled_pairs(connection: Connection, channel: str) -> dict[tuple[str, Purpose], list[LabelledPair]]:
    """Return a channel's pairs by judge and purpose, by pair id."""
    rows = connection.execute(text(read_sql("queries/pair_labels.sql")), {"channel": channel}).mappings()
    grouped: dict[tuple[str, str], list[Any]] = {}
    for row in rows:
        grouped.setdefault((row["judge_id"], row["pair_id"]), []).append(row)
    found: dict[tuple[str, Purpose], list[LabelledPair]] = {}
    for (judge_id, _), several in grouped.items():
        first = several[0]
        pair = LabelledPair(
            **{name: first[name] for name in (
                "pair_id", "purpose", "tier", "question_id", "weight", "negative_control", "claim", "judge",
            )},
            drawn_by=bool(first["drawn_by"]),
            judge_reason=first["judge_reason"] or "",
            labels=tuple((row["person"], row["label"], row["reason"]) for row in several if row["person"]),
        )  # fmt: skip
        found.setdefault((judge_id, pair.purpose), []).append(pair)
    return found


def calibrate(judge_id: str, purpose: Purpose, pairs: Sequence[LabelledPair], min_kappa: float) -> Calibration:
    """Return what labelled pairs say of a judge."""
    real = [pair for pair in pairs if not pair.negative_control]
    labelled = [pair for pair in real if pair.labels]
    rated = {tier: _rated(p for p in labelled if p.tier == tier) for tier in sorted({p.tier for p in labelled})}
    everything = [one for found in rated.values() for one in found]
    key = f"{judge_id}/{purpose}"
    overall = agreement(everything, key)
    unsure = [pair for pair in labelled if pair.person is None and any(v == "unsure" for _, v, _ in pair.labels)]
    split = [pair for pair in labelled if pair.person is None and pair not in unsure]
    left_out: list[Label] = [pair.judge for pair in [*unsure, *split] if pair.judge]
    worst, best = kappa_bounds(everything, left_out)
    reason = _why_not(overall, min_kappa)
    controls = [pair for pair in pairs if pair.negative_control and pair.person == "MISS" and pair.judge]
    return Calibration(
        judge_id=judge_id,
        purpose=purpose,
        overall=overall,
        tiers={tier: agreement(found, f"{key}/{tier}") for tier, found in rated.items()},
        unsure=len(unsure),
        split=len(split),
        unscored=sum(pair.judge is None for pair in labelled),
        unlabelled=sum(not pair.labels for pair in real),
        worst=worst,
        best=best,
        controls=(sum(pair.judge == "MISS" for pair in controls), len(controls)),
        people=dict(sorted(Counter(person for pair in labelled for person, _, _ in pair.labels).items())),
        between_people=_between_people(labelled, key),
        disagreements=tuple(_disagreement(pair) for pair in labelled if _differ(pair)),
        by_verdict=bool(labelled) and all(pair.drawn_by for pair in labelled),
        min_kappa=min_kappa,
        calibrated=reason is None,
        reason=reason,
    )


def _rated(pairs: Iterable[LabelledPair]) -> list[Rated]:
    return [
        Rated(pair.question_id, pair.judge, pair.person, pair.weight)
        for pair in pairs
        if pair.judge and pair.person
    ]


def _why_not(overall: Agreement, min_kappa: float) -> str | None:
    if overall.kappa is None:
        return f"no kappa: {overall.reason}"
    if overall.kappa < min_kappa:
        return f"kappa {overall.kappa:.2f} is below {min_kappa:g}"
    return None


def _between_people(pairs: Sequence[LabelledPair], key: str) -> dict[str, Agreement]:
    """Return how far each two people agree, on pairs where neither was unsure."""
    rated: dict[tuple[str, str], list[Rated]] = {}
    for pair in pairs:
        sure = [(person, label) for person, label, _ in pair.labels if label != "unsure"]
        for (one, first), (other, second) in combinations(sure, 2):
            rated.setdefault((one, other), []).append(Rated(pair.question_id, first, second, pair.weight))  # type: ignore[arg-type]
    return {" and ".join(two): agreement(found, f"{key}/{two}") for two, found in sorted(rated.items())}


def _differ(pair: LabelledPair) -> bool:
    return bool(pair.judge and pair.person and pair.judge != pair.person)


def _disagreement(pair: LabelledPair) -> dict[str, Any]:
    return {
        "pair_id": pair.pair_id,
        "question_id": pair.question_id,
        "claim": pair.claim,
        "judge": pair.judge,
        "judge_reason": pair.judge_reason,
        "person": pair.person,
        "reasons": {person: reason for person, _, reason in pair.labels},
    }


def calibration_stage(database: Database, channel: str, settings: Settings) -> Stage:
    """Return the stage that calibrates every judge with labelled pairs; a unit is channel/judge/purpose."""
    min_kappa = settings.scoring.min_kappa

    def units() -> list[Unit]:
        with database.begin() as connection:
            pairs = labelled_pairs(connection, channel)
        return [
            Unit(join_key(channel, judge_id, purpose), fingerprint(min_kappa, [_plain(pair) for pair in found]))
            for (judge_id, purpose), found in sorted(pairs.items())
        ]

    async def compute(unit: Unit) -> Computed:
        _, judge_id, purpose = split_key(unit.key)
        made = calibration_status(database, channel, judge_id, purpose, min_kappa)  # type: ignore[arg-type]
        content = asdict(made)
        key = {"channel": channel, "judge_id": judge_id, "purpose": purpose}
        return Computed(
            fingerprint(content),
            lambda connection: replace_rows(connection, "calibrations", key, [{**key, "content": Jsonb(content)}]),
            counts={"pairs": made.overall.pairs, "unsure": made.unsure, "unlabelled": made.unlabelled},
            gates=[calibration_gate(made)],
        )

    return Stage("calibration", channel, CODE_VERSION, units, compute)


def calibration_gate(made: Calibration) -> Gate:
    """Return the word on whether a judge is calibrated for a purpose; it warns and never blocks."""
    numbers = {"kappa": made.overall.kappa, "pairs": made.overall.pairs, "min_kappa": made.min_kappa}
    return Gate(GATE, made.calibrated, f"{made.purpose}: {made.words}", numbers=numbers)


def _plain(pair: LabelledPair) -> list[Any]:
    return [pair.pair_id, pair.tier, pair.question_id, pair.weight, pair.judge, [list(one) for one in pair.labels]]
