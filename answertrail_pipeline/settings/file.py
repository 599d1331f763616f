"""The shape of `answertrail.toml`, and what is known beside it."""

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.settings.arms import ArmSettings
from answertrail_pipeline.settings.channels import ChannelSettings
from answertrail_pipeline.settings.models import ModelRole, ModelsSettings
from answertrail_pipeline.settings.strict import Slug, Strict

CONFIG_NAME = "answertrail.toml"


class GoldSettings(Strict):
    """How the answer key is proposed."""

    thread_min_videos: int = Field(3, ge=1)
    thread_min_days: int = Field(90, ge=0)
    factual_bins: int = Field(5, ge=1)
    factual_per_bin: int = Field(10, ge=0)
    max_longitudinal: int = Field(60, ge=0)
    max_thread_claims: int = Field(25, ge=2)
    recompose_share: float = Field(0.2, ge=0, le=1)
    topic_aliases: Path | None = None
    stop_topics: tuple[str, ...] | None = None
    """Topics too general to make a thread; the shipped list where absent."""
    seed: int = 20260713


class ScoringSettings(Strict):
    """How verdicts become numbers."""

    judge_mode: Literal["single", "batched"] = "single"
    panel: tuple[ModelRole, ...] = ()
    """Judges who vote, in place of `[models.judge]`; none where empty."""
    panel_rule: Literal["majority", "unanimity"] = "majority"
    max_unscored_share: float = Field(0.02, ge=0, le=1)
    confidence: float = Field(0.95, gt=0, lt=1)
    resamples: int = Field(10_000, ge=100)
    max_interval_width: float = Field(0.3, gt=0, le=1)
    """The check `interval_width` warns of headline recall that is known less exactly than this share."""
    min_kappa: float = Field(0.8, ge=-1, le=1)


class BudgetSettings(Strict):
    """Hard limits in US dollars; absent means that paid stages ask for `--yes`."""

    run_usd: float | None = Field(None, ge=0)
    day_usd: float | None = Field(None, ge=0)


class DatabaseSettings(Strict):
    """The embedded Postgres. With `DATABASE_URL` in the environment, that server is used instead."""

    bin_dir: Path | None = None
    """Folder with `postgres` and `initdb` of any Postgres >= 15 with pgvector; the packaged one where absent."""


class DagsterSettings(Strict):
    """How much Dagster does at once; the ledger limits calls by provider besides."""

    runs_at_once: int = Field(2, ge=1)
    """Runs in work over all machines. With Celery at most as many as the workers have slots."""
    model_steps_at_once: int = Field(1, ge=1)
    """Steps that may call models, over all runs."""


class ScheduleSettings(Strict):
    """Scheduled re-evaluation."""

    cron: str = "0 6 * * 1"
    arms: tuple[Slug, ...] = ()
    """Arms that are scored anew; all declared arms where empty."""
    margin: float = Field(0.03, ge=0, le=1)
    """The drop in recall against the last re-evaluation that the gate bears, as a share: 0.03 is 3 points."""
    noninferior: bool = False
    """Whether the gate fails unless a drop beyond the margin is excluded, rather than where one is proven."""


def _web_address(url: SecretStr) -> SecretStr:
    if not re.fullmatch(r"https?://[^/@\s]+(/\S*)?", url.get_secret_value()):
        raise ValueError("an address that begins with http:// or https:// and holds no user or password")
    return url


class NotifySettings(Strict):
    """Whom to tell when a run failed or a gate did not pass."""

    webhook: Annotated[SecretStr, AfterValidator(_web_address)] | None = None
    """Takes Slack's JSON ({"text": ...}). Better kept in ANSWERTRAIL_WEBHOOK: whoever knows it can post there."""
    timeout_seconds: float = Field(5, gt=0, le=60)


class WorkbenchSettings(Strict):
    """The web pages that people work in."""

    address: str = "http://127.0.0.1:3001"
    """Where the report's links lead, without a slash at the end."""
    user_header: str | None = None
    """Header in which a reverse proxy names the person; without one, the start-up link carries a token."""
    hosts: tuple[str, ...] = ()
    """Names besides loopback under which the proxy passes requests on."""


class FileSettings(Strict):
    """The shape of `answertrail.toml`."""

    data_dir: Path = Path(".answertrail")
    database: DatabaseSettings = DatabaseSettings()
    channels: dict[Slug, ChannelSettings] = Field(default_factory=dict)
    models: ModelsSettings = ModelsSettings()
    arms: dict[Slug, ArmSettings] = Field(default_factory=dict)
    repetitions: int = Field(1, ge=1)
    gold: GoldSettings = GoldSettings()
    scoring: ScoringSettings = ScoringSettings()
    budget: BudgetSettings = BudgetSettings()
    dagster: DagsterSettings = DagsterSettings()
    schedule: ScheduleSettings = ScheduleSettings()
    notify: NotifySettings = NotifySettings()
    workbench: WorkbenchSettings = WorkbenchSettings()


class Settings(FileSettings):
    """Everything configured, with paths made absolute against the folder of the file."""

    config: Path
    database_url: str | None = None
    dagster_url: str | None = None
    """Where Dagster keeps its own, beside a `database_url`; the database `dagster` of that server where None."""
    celery_broker: str | None = None
    """Redis through which Celery workers take Dagster's runs; the code server's machine runs them where None."""
    workbench_token: str | None = None
    """What the workbench's start-up link carries; drawn anew at each start where None."""

    @property
    def root(self) -> Path:
        """The folder of the file, against which relative paths hold."""
        return self.config.parent

    def channel(self, name: str) -> ChannelSettings:
        """Return a channel's settings.

        Raises:
            UserError: no channel of that name is configured.
        """
        if name not in self.channels:
            known = ", ".join(sorted(self.channels)) or "none"
            raise UserError(
                f"No channel `{name}` in {CONFIG_NAME}.",
                f"Known channels: {known}. Add a section [channels.{name}].",
            )
        return self.channels[name]
