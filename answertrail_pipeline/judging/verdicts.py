"""The stage `verdicts`: every nugget and assertion of a run judged, question by question.

recall: nugget x answer. ceiling: nugget x retrieved chunks (not for `shift` and `no_change`, which no single
passage states). grounded: assertion x retrieved chunks. cited: assertion x the chunks that it cites.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, text

from answertrail_pipeline.agents.runs import Run, run_unit_key
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.types import GoldNugget, GoldQuestion, GoldVersion
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.judging.ask import JudgedPair, JudgedText, all_of, by_rule, judge_claims, store_pairs
from answertrail_pipeline.judging.assertions import (
    ASSERTIONS_STAGE,
    ASSERTIONS_VERSION,
    assertions_stage,
    trail_units,
)
from answertrail_pipeline.judging.judged_trail import JudgedTrail, StoredAssertion, load_trail
from answertrail_pipeline.judging.judges import AnyJudge, configured_judge
from answertrail_pipeline.judging.kinship import kin_to_agent, kinship_gates
from answertrail_pipeline.judging.miss_kinds import MissKind, miss_kinds
from answertrail_pipeline.judging.types import PASSING_CODES, Purpose
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import replace_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.store.stage_run import Computed, Stage, Unit, UnitState, output_hashes
from answertrail_pipeline.tasks.judge import JudgedClaim
from answertrail_pipeline.tasks.miss_kind import MISS_KIND

__all__ = ["ASSERTIONS_VERSION", "VERDICTS_VERSION", "assertions_stage", "check_nugget_ids", "verdicts_stage"]

VERDICTS_STAGE = "verdicts"
VERDICTS_VERSION = "1"
_NO_CEILING = ("shift", "no_change")


def verdicts_stage(database: Database, door: Door, settings: Settings, run: Run, gold: GoldVersion) -> Stage:
    """Return the stage that judges one run; a unit is `run_key/question_id`, as in `agent_runs`.

    Nothing is asked where a rule decides: an empty answer, nothing retrieved, a question without nuggets. A unit
    with an unscored verdict ends `unscored`, and is due again where the judge was only silent. Where the judge is
    kin to the agent every unit is blocked, unasked.

    Raises:
        UserError: two nuggets of a question have the same id.
    """
    check_nugget_ids(gold)
    judging = _Judging(database, door, settings, run, configured_judge(settings))
    questions = {run_unit_key(run.run_key, question.question_id): question for question in gold.questions}
    gates = kinship_gates(judging.judge, run, gold)

    async def compute(unit: Unit) -> Computed:
        computed = await judging.compute(unit.key, questions[unit.key])
        return Computed(**{**vars(computed), "gates": gates})

    return Stage(
        VERDICTS_STAGE,
        run.channel,
        VERDICTS_VERSION,
        lambda: judging.units(questions),
        compute,
        settings.models.max_concurrency,
    )


def check_nugget_ids(gold: GoldVersion) -> None:
    """Refuse nugget ids that a reply or a reader could take for each other.

    Raises:
        UserError: two ids of one question differ at most in case and white space, or one is empty.
    """
    for question in gold.questions:
        seen: dict[str, int] = {}
        for position, nugget in enumerate(question.nuggets, 1):
            plain = "".join(nugget.nugget_id.split()).casefold()
            if not plain:
                raise UserError(
                    f"Nugget {position} of question `{question.question_id}` has an empty id.", "Give it an id."
                )
            if plain in seen:
                first = question.nuggets[seen[plain] - 1].nugget_id
                raise UserError(
                    f"Nuggets {seen[plain]} and {position} of question `{question.question_id}` have the same id:"
                    f" {first!r} and {nugget.nugget_id!r}.",
                    "Give each nugget of a question its own id and freeze the gold again.",
                )
            seen[plain] = position


def nugget_claim(nugget: GoldNugget) -> JudgedClaim:
    """Return a nugget as the judge is asked about it."""
    return JudgedClaim(
        text=nugget.text,
        kind=nugget.kind,
        window=nugget.window_text,
        window_from=nugget.window_from,
        window_to=nugget.window_to,
    )


def lacking_questions(connection: Connection, run_key: str) -> set[str]:
    """Return the questions of a run for which a later try may bring a verdict that is lacking."""
    values = {"run_key": run_key, "codes": sorted(PASSING_CODES)}
    return set(connection.execute(text(read_sql("queries/verdicts_to_try_again.sql")), values).scalars())


@dataclass(frozen=True)
class _Judging:
    """Judges the questions of one run."""

    database: Database
    door: Door
    settings: Settings
    run: Run
    judge: AnyJudge

    def units(self, questions: Mapping[str, GoldQuestion]) -> list[Unit]:
        kin = kin_to_agent(self.judge, self.run)
        with self.database.begin() as connection:
            trails = {key: (made, why) for key, made, why in trail_units(connection, self.run)}
            assertions = output_hashes(connection, ASSERTIONS_STAGE, self.run.channel)
            lacking = lacking_questions(connection, self.run.run_key)
        units = []
        for key, question in sorted(questions.items()):
            trail, blocked = trails.get(key, (None, "the question was not asked yet"))
            if not blocked and key not in assertions:
                blocked = "its assertions are not made yet"
            made_from = [
                question.text,
                [nugget_claim(n).model_dump(mode="json") | {"id": n.nugget_id} for n in question.nuggets],
                trail,
                assertions.get(key),
                self.judge.judge_id,
                MISS_KIND.prompt_hash,
            ]
            units.append(Unit(key, fingerprint(made_from), kin or blocked, question.question_id in lacking))
        return units

    async def compute(self, key: str, question: GoldQuestion) -> Computed:
        account = Account(self.run.channel, VERDICTS_STAGE, key, self.run.run_key, self.run.arm)
        with self.database.begin() as connection:
            trail = load_trail(connection, self.run.run_key, question.question_id)
        pairs: dict[Purpose, dict[str, JudgedPair]] = {}
        if question.nuggets:
            recall, ceiling, grounded, cited = await all_of(
                [
                    self._recall(question, trail, account),
                    self._ceiling(question, trail, account),
                    self._grounded(question, trail, account),
                    self._cited(question, trail, account),
                ]
            )
            pairs = {"recall": recall, "ceiling": ceiling, "grounded": grounded, "cited": cited}
        kinds = await miss_kinds(
            self.door, self.judge, question, trail, pairs.get("recall", {}), account, self._language
        )
        return self._computed(question.question_id, pairs, kinds)

    @property
    def _language(self) -> str:
        return self.run.whole_arm.language

    async def _recall(self, question: GoldQuestion, trail: JudgedTrail, account: Account) -> dict[str, JudgedPair]:
        claims = {nugget.nugget_id: nugget_claim(nugget) for nugget in question.nuggets}
        judged = JudgedText(trail.answer, "answer", question.text, self._language)
        if trail.is_empty:
            return by_rule(self.judge, "recall", judged, claims, "empty answer")
        return await self._ask("recall", judged, claims, account)

    async def _ceiling(
        self, question: GoldQuestion, trail: JudgedTrail, account: Account
    ) -> dict[str, JudgedPair]:
        if trail.evidence != "retrieved":
            return {}
        claims = {n.nugget_id: nugget_claim(n) for n in question.nuggets if n.kind not in _NO_CEILING}
        return await self._against_chunks("ceiling", trail.chunk_set, question, claims, account)

    async def _grounded(
        self, question: GoldQuestion, trail: JudgedTrail, account: Account
    ) -> dict[str, JudgedPair]:
        if trail.evidence == "none":
            return {}
        claims = {str(one.ordinal): _assertion_claim(one) for one in trail.assertions}
        return await self._against_chunks("grounded", trail.chunk_set, question, claims, account)

    async def _cited(self, question: GoldQuestion, trail: JudgedTrail, account: Account) -> dict[str, JudgedPair]:
        """Judge each assertion that cites something; assertions with the same citations share a text."""
        by_text: dict[str, dict[str, JudgedClaim]] = {}
        for one in trail.assertions:
            if one.cited_chunk_ids and trail.evidence != "none":
                by_text.setdefault(trail.cited_set(one), {})[str(one.ordinal)] = _assertion_claim(one)
        calls = [
            self._against_chunks("cited", text, question, claims, account) for text, claims in by_text.items()
        ]
        made: dict[str, JudgedPair] = {}
        for found in await all_of(calls):
            made.update(found)
        return made

    async def _against_chunks(
        self,
        purpose: Purpose,
        chunk_set: str,
        question: GoldQuestion,
        claims: Mapping[str, JudgedClaim],
        account: Account,
    ) -> dict[str, JudgedPair]:
        judged = JudgedText(chunk_set, "chunks", question.text, self._language)
        if not chunk_set:
            return by_rule(self.judge, purpose, judged, claims, "nothing retrieved")
        return await self._ask(purpose, judged, claims, account)

    async def _ask(
        self, purpose: Purpose, judged: JudgedText, claims: Mapping[str, JudgedClaim], account: Account
    ) -> dict[str, JudgedPair]:
        return await judge_claims(self.database, self.door, self.judge, purpose, judged, claims, account)

    def _computed(
        self,
        question_id: str,
        pairs: Mapping[Purpose, Mapping[str, JudgedPair]],
        kinds: Mapping[str, MissKind],
    ) -> Computed:
        verdicts = [
            (purpose, item, pair)
            for purpose, found in sorted(pairs.items())
            for item, pair in sorted(found.items())
        ]
        unscored = [pair.verdict for _, _, pair in verdicts if pair.verdict.label is None]
        where = {"run_key": self.run.run_key, "question_id": question_id}

        def write(connection: Connection) -> None:
            store_pairs(connection, [pair for _, _, pair in verdicts])
            replace_rows(connection, "run_verdicts", where, [
                {**where, "purpose": purpose, "item_id": item, "verdict_id": pair.verdict.verdict_id}
                for purpose, item, pair in verdicts
            ])  # fmt: skip
            replace_rows(connection, "miss_kinds", where, [
                {**where, "nugget_id": nugget_id, "kind": kind.kind, "reason": kind.reason}
                for nugget_id, kind in sorted(kinds.items())
            ])  # fmt: skip

        reasons = Counter(verdict.unscored for verdict in unscored)
        return Computed(
            fingerprint([_word(*verdict) for verdict in verdicts], {key: k.kind for key, k in kinds.items()}),
            write,
            UnitState.UNSCORED if unscored else UnitState.DONE,
            ", ".join(f"{count} {code}" for code, count in sorted(reasons.items())) or None,
            _counts(pairs, unscored=len(unscored)),
        )


def _assertion_claim(one: StoredAssertion) -> JudgedClaim:
    return JudgedClaim(text=one.text, kind="assertion")


def _word(purpose: Purpose, item: str, pair: JudgedPair) -> list[Any]:
    verdict = pair.verdict
    return [purpose, item, verdict.label, verdict.unscored, verdict.detail, verdict.by_rule]


def _counts(pairs: Mapping[Purpose, Mapping[str, JudgedPair]], unscored: int) -> dict[str, int]:
    counts = {f"{purpose}": len(found) for purpose, found in pairs.items()}
    made = [pair.verdict for found in pairs.values() for pair in found.values()]
    return {
        **counts,
        "hits": sum(verdict.label == "HIT" for verdict in made),
        "by_rule": sum(verdict.by_rule for verdict in made),
        "unscored": unscored,
    }
