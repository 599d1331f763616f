"""Who judges: model, parameters, prompt and mode, under one id that every verdict and calibration carries."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from psycopg.types.json import Jsonb
from sqlalchemy import Connection

from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.models.families import family_of
from answertrail_pipeline.settings import ModelRole, Settings
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.tasks.judge import JUDGE
from answertrail_pipeline.tasks.judge_batch import JUDGE_BATCH
from answertrail_pipeline.tasks.judge_rules import RULES_VERSION

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


def judge_of(role: ModelRole, mode: Literal["single", "batched"] = "single") -> Judge:
    """Return the judge that a role makes; the rule-based one knows no mode."""
    return Judge(role, "rules" if role.is_baseline else mode)


def configured_judge(settings: Settings) -> Judge:
    """Return the judge that the settings name."""
    return judge_of(settings.models.judge, settings.scoring.judge_mode)


def store_judge(connection: Connection, judge: Judge) -> None:
    """Keep what a judge id stands for."""
    row = {
        "judge_id": judge.judge_id,
        "model": judge.role.model,
        "family": judge.family,
        "mode": judge.mode,
        "prompt_hash": judge.prompt_hash,
        "config": Jsonb(judge.config),
    }
    insert_rows(connection, "judges", [row], skip_existing=True)
