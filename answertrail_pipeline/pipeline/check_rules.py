"""The rules that data must keep, stage by stage; `checks.py` runs them. Most are a statement of `sql/checks`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, text

from answertrail_pipeline.gold.topics import load_topic_rules
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.gold.versions import content_hash
from answertrail_pipeline.judging.calibration import calibrations
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.store.checks import Severity, Violation, find_violations
from answertrail_pipeline.store.keys import split_key, video_key
from answertrail_pipeline.store.shipped import read_sql


@dataclass(frozen=True)
class Scope:
    """What a check looks at: a channel, or one run of it."""

    project: Project
    channel: str
    run_key: str | None = None


Find = Callable[[Connection, Scope], list[Violation]]


def statement(name: str) -> Find:
    """Return what runs `sql/checks/NAME.sql`, which returns each thing that breaks the rule."""

    def find(connection: Connection, scope: Scope) -> list[Violation]:
        return find_violations(connection, name, _parameters(scope))

    return find


@dataclass(frozen=True)
class Check:
    """One rule about what a stage made.

    Attributes:
        of: what the violations are counted among: a column of `sql/checks/of.sql`.
        severity: of a violation.
        blocking: whether what hangs on the stage waits until the rule holds again.
        tolerated: share of `of` up to which violations are only a warning; None: none is an error.
        limits: the settings that the rule reads, told with its numbers.
        fails_run: whether a Dagster run fails by it though nothing waits for it.
    """

    stage: str
    name: str
    description: str
    of: str
    severity: Severity = "error"
    blocking: bool = False
    find: Find | None = None
    tolerated: Callable[[Scope], float] | None = None
    limits: Callable[[Scope], Mapping[str, Any]] = field(default=lambda _scope: {})
    fails_run: bool = False

    @property
    def per_run(self) -> bool:
        """Whether it looks at one run at a time."""
        return self.stage in ("agent_runs", "verdicts", "metrics")


def _parameters(scope: Scope) -> dict[str, Any]:
    """Return all that a statement of `sql/checks` may read."""
    settings, channel = scope.project.settings, scope.channel
    rules = load_topic_rules(settings.gold, settings.channel(channel).language)
    return {
        "channel": channel,
        "run_key": scope.run_key,
        "min_videos": settings.gold.thread_min_videos,
        "min_days": settings.gold.thread_min_days,
        "stopped": [topic for topic in rules.stopped if not topic.endswith(" *")],
        "stopped_starts": [topic.removesuffix("*") for topic in rules.stopped if topic.endswith(" *")],
        "max_unscored_share": settings.scoring.max_unscored_share,
        "max_interval_width": settings.scoring.max_interval_width,
    }


def _words(connection: Connection, scope: Scope) -> list[Violation]:
    """Count the words of each video's chunks anew, against what its cues had.

    Only of videos that were made since the last time that all was well, so that one new video does not have a
    whole library counted again.
    """
    since = connection.execute(
        text(
            "select checked_at from check_outcomes"
            " where channel = :channel and run_key = '' and check_name = 'words_covered' and passed"
        ),
        {"channel": scope.channel},
    ).scalar()
    given = {"channel": scope.channel, "since": since}
    counted = {
        split_key(row.key)[1]: row.words
        for row in connection.execute(text(read_sql("checks/words_of_cues.sql")), given)
    }
    if not counted:
        return []
    rows = connection.execute(
        text(read_sql("checks/words_of_chunks.sql")), {"channel": scope.channel, "video_ids": sorted(counted)}
    )
    chunked = {row.video_id: row.words for row in rows}
    return [
        Violation(
            video_key(scope.channel, video_id), f"{chunked.get(video_id, 0)} words in chunks, {words} in cues"
        )
        for video_id, words in sorted(counted.items())
        if chunked.get(video_id, 0) != words
    ]


def _frozen(connection: Connection, scope: Scope) -> list[Violation]:
    """Find gold versions whose content is no longer what was frozen."""
    rows = connection.execute(
        text(
            "select gold_version, content, content_sha256 from gold_versions where channel = :channel order by 1"
        ),
        {"channel": scope.channel},
    )
    return [
        Violation(f"{scope.channel}/{row.gold_version}", "holds another content than what was frozen")
        for row in rows
        if content_hash(GoldVersion.model_validate(row.content)) != row.content_sha256
    ]


def _calibrated(connection: Connection, scope: Scope) -> list[Violation]:
    """Find judges whose verdicts count though no labels of people stand behind them for that purpose."""
    settings = scope.project.settings
    known = {
        (one.judge_id, one.purpose): one
        for one in calibrations(scope.project.database, scope.channel, settings.scoring.min_kappa)
    }
    used = connection.execute(text(read_sql("checks/judges_used.sql")), {"channel": scope.channel})
    violations = []
    for row in used:
        found = known.get((row.judge_id, row.purpose))
        if found is None or not found.calibrated:
            why = (found.reason if found else None) or "nobody has labelled pairs of it"
            violations.append(Violation(f"{row.model} {row.purpose}", f"is not calibrated: {why}"))
    return violations


def _scoring(name: str) -> Callable[[Scope], Mapping[str, Any]]:
    return lambda scope: {name: getattr(scope.project.settings.scoring, name)}


def _gold(*names: str) -> Callable[[Scope], Mapping[str, Any]]:
    return lambda scope: {name: getattr(scope.project.settings.gold, name) for name in names}


def _unreadable(scope: Scope) -> float:
    return scope.project.channel(scope.channel).max_unreadable_share


CHECKS = (
    Check(
        "chunks", "captions_readable",
        "Caption files can be read. Some in quarantine are a warning, more than `max_unreadable_share` an error.",
        "files", tolerated=_unreadable,
        limits=lambda scope: {"max_unreadable_share": _unreadable(scope)},
    ),
    Check(
        "chunks", "chunk_windows",
        "Every active video has chunks in order, each after the one before it and with an end.", "chunks",
        blocking=True,
    ),
    Check(
        "chunks", "words_covered",
        "Counted anew, the chunks of a video have exactly the words of its cues.", "videos",
        blocking=True, find=_words,
    ),
    Check(
        "embeddings", "embeddings_complete",
        "Every spoken chunk of an indexed video has a vector and postings.", "spoken_chunks", blocking=True,
    ),
    Check(
        "embeddings", "embeddings_of_one_model", "All vectors of a channel are of one model.", "vectors",
        blocking=True,
    ),
    Check("claims", "claim_citations", "Every claim cites chunks of its own video.", "claims", blocking=True),
    Check(
        "claims", "claims_per_video",
        "No video has far more or fewer claims for its length than the channel's own band: its quartiles and three"
        " times the range between them, from eight videos on.",
        "videos", severity="warn",
    ),
    Check(
        "threads", "no_stop_topics", "No thread is of a topic on the stop list.", "threads", blocking=True,
        limits=_gold("stop_topics"),
    ),
    Check(
        "threads", "thread_rule",
        "A thread's claims exist and are of high confidence, its figures are theirs, and it spans the videos and"
        " days that a thread needs.",
        "threads", blocking=True, limits=_gold("thread_min_videos", "thread_min_days"),
    ),
    Check(
        "questions", "no_leaks", "No question that may be kept gives its answer away.", "questions",
        severity="warn",
    ),
    Check(
        "nuggets", "no_bundles", "No nugget that may be kept holds two checkable parts.", "nuggets",
        severity="warn",
    ),
    Check(
        "nuggets", "nuggets_have_windows", "Every stance nugget that may be kept has a time window.", "nuggets",
        severity="warn",
    ),
    Check(
        "nuggets", "gold_frozen", "Every gold version still holds what was frozen.", "gold_versions",
        blocking=True, find=_frozen,
    ),
    Check(
        "nuggets", "gold_adjudicated",
        "What a gold version of policy `people` took from the proposals was decided by a person.", "gold_items",
        blocking=True,
    ),
    Check(
        "nuggets", "gold_by_people", "The newest gold was decided by people, not by policy `auto`.",
        "gold_versions", severity="warn",
    ),
    Check(
        "agent_runs", "citations_retrieved", "Every citation was retrieved in the same run.", "trails",
        blocking=True,
    ),
    Check(
        "verdicts", "units_finished",
        "No unit of a run failed or is open; its metrics wait until all are finished.", "run_units",
    ),
    Check(
        "verdicts", "unscored_within_limit",
        "Of a run's verdicts of one purpose no larger share is unscored than `max_unscored_share`; its metrics"
        " refuse otherwise.",
        "verdicts", limits=_scoring("max_unscored_share"),
    ),
    Check(
        "verdicts", "judge_not_kin", "The judge's model is of another family than the agent's.", "run_units",
        blocking=True,
    ),
    Check(
        "verdicts", "judge_not_kin_to_gold", "The judge's model is of another family than what wrote the gold.",
        "run_units", severity="warn",
    ),
    Check(
        "metrics", "score_identities", "The numbers of a run agree with each other.", "metrics", blocking=True
    ),
    Check(
        "metrics", "interval_width",
        "No headline recall has an interval wider than `max_interval_width`: more questions would narrow it.",
        "metrics", severity="warn", limits=_scoring("max_interval_width"),
    ),
    Check(
        "calibration", "judge_calibrated",
        "For each purpose the judge agrees with people's blind labels, on its prompt and model of today.",
        "judges_by_purpose", severity="warn", find=_calibrated, limits=_scoring("min_kappa"),
    ),
    Check(
        "series", "regression",
        "In the newest re-evaluation no arm fell by more than the margin against the one before.", "points",
        fails_run=True,
        limits=lambda scope: {"margin": scope.project.settings.schedule.margin},
    ),
)  # fmt: skip
