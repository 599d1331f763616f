"""Runs: an arm, a gold version, a corpus and a repetition; and the stage that asks an arm every question."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Protocol

from psycopg.types.json import Jsonb
from sqlalchemy import text

from answertrail_pipeline.agents.arms import Arm, arm_hash, make_arm
from answertrail_pipeline.agents.ask import AgentError, ReadyArm, ask, ready_arm
from answertrail_pipeline.agents.clean_claims import left_out
from answertrail_pipeline.agents.runs_of import donor_trails
from answertrail_pipeline.agents.trails import (
    StoredTrail,
    find_finished,
    trail_fingerprint,
    trail_hash,
    write_trail,
)
from answertrail_pipeline.corpus.snapshot import cut_of
from answertrail_pipeline.errors import UnitError, UserError
from answertrail_pipeline.gold.types import GoldQuestion, GoldVersion
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.embedders import Embedder
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.settings import ArmSettings, Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import join_key, run_key, split_key
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.store.stage_run import Computed, Stage, Unit

__all__ = [
    "Run", "agent_runs_stage", "arm_hash", "declare_run", "list_runs", "load_run", "questions_of", "run_unit_key",
]  # fmt: skip

AGENT_RUNS = "agent_runs"
AGENT_RUNS_VERSION = "1"


class CorpusLike(Protocol):
    """A snapshot of a channel, by its id and number."""

    @property
    def corpus_id(self) -> str:
        """Its hash."""

    @property
    def number(self) -> int:
        """Its number."""


@dataclass(frozen=True)
class Run:
    """An arm on a gold version over a corpus, once. `arm_config` is its `Arm` as JSON."""

    run_key: str
    channel: str
    arm: str
    arm_hash: str
    arm_config: dict[str, Any]
    gold_version: str
    corpus_id: str
    repetition: int
    epoch: int = 1

    @property
    def whole_arm(self) -> Arm:
        """The arm as it was declared."""
        return Arm.model_validate(self.arm_config)

    @property
    def family(self) -> str | None:
        """Who made the agent's model: None for rules, `unknown` where nobody says."""
        return self.whole_arm.family

    @property
    def is_biography(self) -> bool:
        """Whether it reconstructs careers: its answers are coded events, not prose."""
        return bool(self.arm_config["settings"]["agent"] == "biography")

    @property
    def donor(self) -> str | None:
        """The arm whose archive it is given; None for all but long-context baselines of biographies."""
        return self.whole_arm.settings.biography.donor if self.is_biography else None


def questions_of(settings: ArmSettings, gold: GoldVersion) -> list[GoldQuestion]:
    """Return the questions of a gold version that an arm is asked: careers by those that reconstruct them."""
    biography = settings.agent == "biography"
    return [question for question in gold.questions if (question.tier == "biography") == biography]


def declare_run(
    database: Database,
    channel: str,
    arm_name: str,
    settings: Settings,
    gold: GoldVersion,
    corpus: CorpusLike,
    repetition: int,
    epoch: int = 1,
) -> Run:
    """Store a run and return it; the same run again is the same row.

    An arm that was configured anew under its old name is taken over: the questions then become due again.

    Raises:
        UserError: the arm cannot be made (`make_arm`).
    """
    arm = make_arm(arm_name, settings, channel)
    run = Run(
        run_key=run_key(channel, arm_name, gold.gold_version, corpus.number, repetition, epoch),
        channel=channel,
        arm=arm_name,
        arm_hash=arm.hash,
        arm_config=arm.model_dump(mode="json"),
        gold_version=gold.gold_version,
        corpus_id=corpus.corpus_id,
        repetition=repetition,
        epoch=epoch,
    )
    values = {**vars(run), "arm_config": Jsonb(run.arm_config)}
    with database.begin() as connection:
        connection.execute(text(read_sql("queries/declare_run.sql")), values)
    return run


def list_runs(database: Database, channel: str) -> list[Run]:
    """Return a channel's runs, oldest first."""
    return _select(database, channel=channel)


def load_run(database: Database, key: str) -> Run:
    """Return a run by its key.

    Raises:
        UserError: there is none.
    """
    found = _select(database, run_key=key)
    if not found:
        raise UserError(f"No run `{key}`.", "List the runs with `answertrail runs`.")
    return found[0]


def _select(database: Database, channel: str | None = None, run_key: str | None = None) -> list[Run]:
    with database.begin() as connection:
        rows = connection.execute(text(read_sql("queries/runs.sql")), {"channel": channel, "run_key": run_key})
        return [Run(**row._mapping) for row in rows]


def run_unit_key(key: str, question_id: str) -> str:
    """Return the key of a question's unit in every stage of a run."""
    return join_key(*split_key(key), question_id)


def agent_runs_stage(
    database: Database, door: Door, settings: Settings, embedder: Embedder, run: Run, gold: GoldVersion
) -> Stage:
    """Return the stage that asks a run's arm every question of the gold that is for it, kept and segregated.

    A unit is made from the question's words, the arm, the corpus, repetition and epoch: not from the nuggets or
    the gold's name; but, where an arm searches clean claims, from those that it leaves out. A finished trail of
    another run with the same fingerprint is adopted at no cost. An arm that is given another's archive waits for
    it, and is asked again when the archive changes.

    Raises:
        UserError: the channel has no chunks, or the agent cannot be reached at all.
    """
    arm = run.whole_arm
    questions = {run_unit_key(run.run_key, each.question_id): each for each in questions_of(arm.settings, gold)}

    def ready(until: date | None) -> ReadyArm:
        return ready_arm(door, settings, embedder, run.channel, arm, until, gold)

    asker = _Asker(database, settings, run, ready, left_out(arm.settings.retriever, gold))

    def units() -> Sequence[Unit]:
        given = donor_trails(database, run.run_key, run.donor) if run.donor else None
        return [_unit(key, asker.fingerprint(each), each, given) for key, each in sorted(questions.items())]

    async def compute(unit: Unit) -> Computed:
        return await asker.compute(unit, questions[unit.key])

    concurrency = settings.models.max_concurrency
    return Stage(AGENT_RUNS, run.channel, AGENT_RUNS_VERSION, units, compute, concurrency)


def _unit(key: str, made_from: str, question: GoldQuestion, given: Mapping[str, str] | None) -> Unit:
    if given is None:
        return Unit(key, made_from)
    waits_for = None if question.question_id in given else "the donor's trail is not there yet"
    return Unit(key, fingerprint(made_from, given.get(question.question_id)), waits_for)


class _Asker:
    """Asks one run's questions.

    Args:
        ready: makes the arm ready to be asked about the corpus, or about its part up to a day.
        hidden: the claims that the arm leaves out.
    """

    def __init__(
        self,
        database: Database,
        settings: Settings,
        run: Run,
        ready: Callable[[date | None], ReadyArm],
        hidden: Sequence[str],
    ) -> None:
        self._database = database
        self._settings = settings
        self._run = run
        self._hidden = hidden
        self._make_ready = ready
        self._ready = ready(None)
        self._moved: UnitError | None = None
        self._checked = False

    def fingerprint(self, question: GoldQuestion) -> str:
        run = self._run
        return trail_fingerprint(
            question.text, run.arm_hash, run.corpus_id, run.repetition, run.epoch, self._hidden
        )

    async def compute(self, unit: Unit, question: GoldQuestion) -> Computed:
        run = self._run
        with self._database.begin() as connection:
            made = find_finished(connection, run.channel, unit.input_hash, run.run_key)
        if made:
            source = made.adopted_from or made.run_key
            return self._computed(
                replace(made, run_key=run.run_key, question_id=question.question_id, adopted_from=source)
            )
        self._refuse_if_moved()
        account = Account(run.channel, AGENT_RUNS, unit.key, run.run_key, run.arm)
        salt = f"r{run.repetition}e{run.epoch}"
        try:
            trail = await ask(self._ready, question.text, account, question_id=question.question_id, salt=salt)
        except AgentError as error:
            failed = StoredTrail(
                run.run_key, question.question_id, question.text, error.trail, unit.input_hash, str(error)
            )
            with self._database.begin() as connection:
                write_trail(connection, run.channel, failed)
            raise
        return self._computed(
            StoredTrail(run.run_key, question.question_id, question.text, trail, unit.input_hash)
        )

    def _computed(self, stored: StoredTrail) -> Computed:
        trail = stored.trail
        return Computed(
            output_hash=trail_hash(trail),
            write=lambda connection: write_trail(connection, self._run.channel, stored),
            counts={
                "searches": trail.searches,
                "chunks": len(trail.retrieved),
                "citations": len(trail.citations),
                "adopted": int(stored.adopted_from is not None),
            },
        )

    def _refuse_if_moved(self) -> None:
        """Refuse to ask where the answer would not be the declared run's: its corpus or its arm is gone."""
        if not self._checked:
            self._checked = True
            try:
                self._go_back_to_the_corpus()
            except UnitError as moved:
                self._moved = moved
        if self._moved:
            raise self._moved

    def _go_back_to_the_corpus(self) -> None:
        run = self._run
        if arm_hash(run.arm, self._settings, run.channel) != run.arm_hash:
            raise UnitError(
                "run_is_past", f"The arm `{run.arm}` is configured otherwise now; evaluate again to declare it."
            )
        until = cut_of(self._database, run.channel, run.corpus_id)
        if until is not None:
            self._ready = self._make_ready(until)
