"""Who judges: model, parameters, prompt and mode, under one id that every verdict and calibration carries."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from psycopg.types.json import Jsonb
from sqlalchemy import Connection

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.models.families import family_of
from answertrail_pipeline.settings import ModelRole, Settings
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.tasks.judge import JUDGE
from answertrail_pipeline.tasks.judge_batch import JUDGE_BATCH
from answertrail_pipeline.tasks.judge_rules import RULES_VERSION

PanelRule = Literal["majority", "unanimity"]
JudgeMode = Literal["single", "batched", "rules"]
"""`rules` is the rule-based judge: it reads a text once and judges each claim alone."""
_SHAPES_REPLIES = {"model", "api_base", "reasoning_effort", "temperature", "max_output_tokens"}


def shapes_replies(role: ModelRole) -> dict[str, Any]:
    """Return what of a role can change a reply: a longer patience or a declared family cannot."""
    return role.model_dump(mode="json", include=_SHAPES_REPLIES)


@dataclass(frozen=True)
class Judge:
    """One judge. A change of anything in it is another judge, with verdicts and a calibration of its own."""

    role: ModelRole
    mode: JudgeMode

    @property
    def prompt_hash(self) -> str:
        """Hash of the prompt and schema that its mode uses, or of the rules."""
        if self.mode == "rules":
            return fingerprint("rules of judge", RULES_VERSION)
        return JUDGE_BATCH.prompt_hash if self.mode == "batched" else JUDGE.prompt_hash

    @property
    def members(self) -> tuple["Judge", ...]:
        """Itself, as the only one who votes."""
        return (self,)

    @property
    def model(self) -> str:
        """The model's name."""
        return self.role.model

    @property
    def family(self) -> str | None:
        """Who made the model; None for the rules."""
        return family_of(self.role)

    @cached_property
    def config(self) -> dict[str, Any]:
        """What of the role can change a verdict."""
        return shapes_replies(self.role)

    @cached_property
    def judge_id(self) -> str:
        """Fingerprint of prompt, model, parameters and mode."""
        return fingerprint(self.prompt_hash, self.config, self.mode)

    @property
    def name(self) -> str:
        """How the judge is called in front of people."""
        return "rule-based" if self.mode == "rules" else f"{self.role.model} ({self.mode})"


@dataclass(frozen=True)
class Panel:
    """Several judges who vote on each pair; a judge of its own, with a calibration of its own."""

    members: tuple[Judge, ...]
    rule: PanelRule = "majority"

    @property
    def mode(self) -> str:
        """How the judge works, for people."""
        return f"panel by {self.rule}"

    @cached_property
    def judge_id(self) -> str:
        """Fingerprint of the members and the rule."""
        return fingerprint("panel", [judge.judge_id for judge in self.members], self.rule)

    @property
    def prompt_hash(self) -> str:
        """Hash of the members' prompts."""
        return fingerprint(sorted({judge.prompt_hash for judge in self.members}))

    @property
    def family(self) -> str | None:
        """Who made the members' models, joined by `+`."""
        return "+".join(sorted({judge.family for judge in self.members if judge.family})) or None

    @property
    def config(self) -> dict[str, Any]:
        """The members and the rule."""
        return {"members": [judge.judge_id for judge in self.members], "rule": self.rule}

    @property
    def model(self) -> str:
        """The members' models."""
        return " + ".join(judge.role.model for judge in self.members)

    @property
    def name(self) -> str:
        """How the judge is called in front of people."""
        return f"panel of {len(self.members)} by {self.rule}: {', '.join(judge.name for judge in self.members)}"


AnyJudge = Judge | Panel


def judge_of(role: ModelRole, mode: Literal["single", "batched"] = "single") -> Judge:
    """Return the judge that a role makes; the rule-based one knows no mode."""
    return Judge(role, "rules" if role.is_baseline else mode)


def configured_judge(settings: Settings) -> AnyJudge:
    """Return the judge that the settings name, or their panel.

    Raises:
        UserError: a panel of one, or one that holds the same judge twice.
    """
    scoring = settings.scoring
    if not scoring.panel:
        return judge_of(settings.models.judge, scoring.judge_mode)
    members = tuple(judge_of(role, scoring.judge_mode) for role in scoring.panel)
    if len({judge.judge_id for judge in members}) < max(len(members), 2):
        raise UserError(
            f"The panel in [scoring] has {len(members)} judges, not all of them different.",
            "Name at least two different judges, or remove `panel` to use [models.judge].",
        )
    return Panel(members, scoring.panel_rule)


def store_judge(connection: Connection, judge: AnyJudge) -> None:
    """Keep what a judge id stands for, of a panel its members too."""
    kept: dict[str, AnyJudge] = {one.judge_id: one for one in (*judge.members, judge)}
    rows = [
        {
            "judge_id": one.judge_id,
            "model": one.model,
            "family": one.family,
            "mode": one.mode,
            "prompt_hash": one.prompt_hash,
            "config": Jsonb(one.config),
        }
        for one in kept.values()
    ]
    insert_rows(connection, "judges", rows, skip_existing=True)
