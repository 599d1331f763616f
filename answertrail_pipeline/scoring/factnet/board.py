"""The scoreboard of one pool: condition x arm x region, each number with its counts and interval."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.biographies.people import load_people
from answertrail_pipeline.scoring.factnet.audit import AuditRow, audit_rows, load_audited
from answertrail_pipeline.scoring.factnet.board_rows import (
    Scored,
    judge_words,
    load_costs,
    load_scores,
    load_truth,
)
from answertrail_pipeline.scoring.factnet.efficiency import PersonCost, Spread, pareto, spread
from answertrail_pipeline.scoring.factnet.level_scores import LEVELS, LevelScore, level_score
from answertrail_pipeline.scoring.factnet.paired import Paired, gap_between, paired_counts
from answertrail_pipeline.scoring.factnet.relabelled import PersonAgreement
from answertrail_pipeline.scoring.factnet.scores import Level
from answertrail_pipeline.scoring.factnet.types import Counts
from answertrail_pipeline.scoring.intervals import Resampling
from answertrail_pipeline.scoring.load import load_gold
from answertrail_pipeline.store.database import Database

ALL = "all"


@dataclass(frozen=True)
class ArmRow:
    """One arm in one region against one truth.

    Attributes:
        recall_own_out: recall against the truth without the arm's own additions.
        only_own: how many of the `truth` events only this arm found.
        grounded: share of matched events that the run's own archive supports.
        f1_full: event F1 with the events that the reference tells put back on both sides.
        f1_one_year_off: event F1 where years of start may differ by one: how much hangs on an exact year.
    """

    arm: str
    condition: str
    strategy: str
    region: str
    persons: int
    failed: int
    levels: Mapping[Level, LevelScore]
    frozen: Mapping[Level, LevelScore]
    recall_own_out: float | None
    only_own: int
    truth: int
    grounded: float | None
    duplicates: int
    covered: int
    f1_full: float | None = None
    f1_one_year_off: float | None = None


@dataclass(frozen=True)
class Efficiency:
    """What an arm took a person; failed runs count.

    Attributes:
        malformed: replies of the model that could not be used, of so many `replies`.
        best: no arm is better in mean search steps and F1.
    """

    arm: str
    spreads: Mapping[str, Spread]
    f1_per_100k_tokens: float | None
    failed: int
    malformed: int
    replies: int
    best: bool


@dataclass(frozen=True)
class Board:
    """Everything that is shown of one pool.

    Attributes:
        judge_words: by purpose, whether the judge is calibrated for it.
        audits: the judge against people's blind labels, by purpose and language.
        people: names by id.
        base_note: where the base comes from runs: it favours the arms that it was made from.
        by_person: F1 by the judge's words against F1 by people's, over persons.
    """

    channel: str
    pool_id: str
    base_version: str
    judge: str
    run_keys: tuple[str, ...]
    rows: tuple[ArmRow, ...]
    differences: tuple[tuple[str, str, Paired], ...]
    gaps: Mapping[str, Paired]
    efficiency: tuple[Efficiency, ...]
    truth: Mapping[str, tuple[dict[str, Any], ...]] = field(default_factory=dict)
    people: Mapping[str, str] = field(default_factory=dict)
    judge_words: tuple[str, ...] = ()
    audits: tuple[AuditRow, ...] = ()
    by_person: PersonAgreement | None = None
    first_region: str = ""
    base_note: str = ""


def load_board(database: Database, channel: str, pool_id: str, how: Resampling, min_kappa: float) -> Board:
    """Read a pool's scores and sum them up.

    Args:
        min_kappa: at which a judge counts as calibrated.

    Raises:
        UserError: there is no such pool, or not every person of it was scored.
    """
    with database.begin() as connection:
        pool = connection.execute(text("select * from pools where pool_id = :id"), {"id": pool_id}).one_or_none()
        if pool is None:
            raise UserError(f"No pool `{pool_id[:12]}` in {channel}.", "Make it: `answertrail politnuggets run`.")
        scored = load_scores(connection, pool_id, pool.run_keys)
        costs = load_costs(connection, pool.run_keys)
        people = {
            row.person_id: row.region
            for row in connection.execute(
                text("select person_id, region from people where channel = :channel"), {"channel": channel}
            )
        }
        arms = {
            row.arm: row.arm_config["settings"]["biography"]
            for row in connection.execute(
                text("select distinct on (arm) arm, arm_config from runs where run_key = any(:keys) order by arm"),
                {"keys": pool.run_keys},
            )
        }
        judge = connection.execute(
            text("select model, mode from judges where judge_id = :id"), {"id": pool.judge_id}
        ).one_or_none()
        truth = load_truth(connection, pool_id)
        names = {key: person.name for key, person in load_people(connection, channel).items()}
        audits = audit_rows(load_audited(connection, channel, pool.judge_id))
        gold = load_gold(connection, channel, pool.base_version)
        words = judge_words(connection, channel, pool.judge_id, min_kappa)
    regions = [ALL, *sorted({people[each.person] for each in scored})]
    rows = [
        _arm_row(arm, arms[arm], region, _within(scored, arm, region, people), costs, people, how)
        for arm in sorted(arms)
        for region in regions
    ]
    return Board(
        channel=channel,
        pool_id=pool_id,
        base_version=pool.base_version,
        judge="rule-based" if judge is None or judge.mode == "rules" else f"{judge.model} ({judge.mode})",
        run_keys=tuple(pool.run_keys),
        rows=tuple(rows),
        differences=_differences(sorted(arms), scored, how),
        gaps={arm: _gap(arm, scored, people, how) for arm in sorted(arms)},
        efficiency=_efficiency(rows, costs),
        truth=truth,
        people={person: names.get(person, person) for person in truth},
        judge_words=words,
        base_note=next((each for each in gold.reviewers if each.startswith("consolidated ")), ""),
        first_region=_first_region(people),
        audits=audits,
    )


def _within(scored: Sequence[Scored], arm: str, region: str, people: Mapping[str, str]) -> list[Scored]:
    return [each for each in scored if each.arm == arm and region in (ALL, people[each.person])]


def _by_person(scored: Sequence[Scored], *, pooled: bool, scope: str, level: Level) -> dict[str, Counts]:
    """Return counts by person; repetitions of one arm are summed within the person."""
    made: dict[str, Counts] = {}
    for each in scored:
        if (each.pooled, each.scope, each.level) == (pooled, scope, level):
            made[each.person] = made.get(each.person, Counts()) + each.counts
    return made


def _arm_row(
    arm: str, config: Mapping[str, Any], region: str, scored: Sequence[Scored], costs: Sequence[PersonCost],
    people: Mapping[str, str], how: Resampling,
) -> ArmRow:  # fmt: skip
    pooled = {level: _by_person(scored, pooled=True, scope="novel", level=level) for level in LEVELS}
    frozen = {level: _by_person(scored, pooled=False, scope="novel", level=level) for level in LEVELS}
    details = [each.detail for each in scored if (each.pooled, each.scope, each.level) == (True, "novel", "event")]
    own_out, full, loose = (
        sum(_by_person(scored, pooled=True, scope=scope, level="event").values(), Counts())
        for scope in ("own_out", "full", "one_year_off")
    )
    matched = sum(pooled["event"].values(), Counts()).tp
    mine = [cost for cost in costs if cost.arm == arm and region in (ALL, people[cost.person])]
    return ArmRow(
        arm=arm,
        condition="with reference" if config["with_reference"] else "without reference",
        strategy=config["strategy"] + (f" of {config['donor']}" if config["donor"] else ""),
        region=region,
        persons=len(pooled["event"]),
        failed=sum(cost.failed for cost in mine),
        levels={level: level_score(pooled[level], f"{arm}/{region}/{level}", how) for level in LEVELS},
        frozen={level: level_score(frozen[level], f"{arm}/{region}/frozen {level}", how) for level in LEVELS},
        recall_own_out=own_out.recall,
        only_own=sum(detail["only_own"] for detail in details),
        truth=sum(detail["truth"] for detail in details),
        grounded=sum(detail["grounded"] for detail in details) / matched if matched else None,
        duplicates=sum(detail["duplicates"] for detail in details),
        covered=sum(detail["covered"] for detail in details),
        f1_full=full.f1,
        f1_one_year_off=loose.f1,
    )


def _differences(
    arms: Sequence[str], scored: Sequence[Scored], how: Resampling
) -> tuple[tuple[str, str, Paired], ...]:
    """Return the differences in pooled event F1 of every two arms, over the persons that both have."""
    by_arm = {
        arm: _by_person([each for each in scored if each.arm == arm], pooled=True, scope="novel", level="event")
        for arm in arms
    }
    return tuple(
        (new, old, paired_counts(by_arm[old], by_arm[new], f"{new}/{old}", how))
        for at, old in enumerate(arms)
        for new in arms[at + 1 :]
    )


def _gap(arm: str, scored: Sequence[Scored], people: Mapping[str, str], how: Resampling) -> Paired:
    """Return the gap in pooled event F1 between the first region and all others, each resampled by itself."""
    counts = _by_person([each for each in scored if each.arm == arm], pooled=True, scope="novel", level="event")
    first = _first_region(people)
    here = {person: each for person, each in counts.items() if people[person] == first}
    there = {person: each for person, each in counts.items() if people[person] != first}
    return gap_between(here, there, f"{arm}/{first}", how)


def _first_region(people: Mapping[str, str]) -> str:
    return min(people.values(), key=lambda region: (region != "US", region), default="")


def _efficiency(rows: Sequence[ArmRow], costs: Sequence[PersonCost]) -> tuple[Efficiency, ...]:
    whole = {row.arm: row for row in rows if row.region == ALL}
    by_arm = {arm: [cost for cost in costs if cost.arm == arm] for arm in whole}
    points = {
        arm: (
            sum(cost.searches for cost in by_arm[arm]) / max(1, len(by_arm[arm])),
            row.levels["event"].f1.value or 0.0,
        )
        for arm, row in whole.items()
    }
    best = pareto(points)
    made = []
    for arm, row in sorted(whole.items()):
        tokens = [cost.tokens for cost in by_arm[arm] if cost.tokens is not None]
        mean_tokens = sum(tokens) / len(tokens) if tokens else 0.0
        f1 = row.levels["event"].f1.value
        made.append(
            Efficiency(
                arm=arm,
                spreads=spread(by_arm[arm]),
                f1_per_100k_tokens=f1 / (mean_tokens / 100_000) if f1 is not None and mean_tokens else None,
                failed=sum(cost.failed for cost in by_arm[arm]),
                malformed=sum(cost.malformed for cost in by_arm[arm]),
                replies=sum(cost.calls for cost in by_arm[arm]),
                best=arm in best,
            )
        )
    return tuple(made)
