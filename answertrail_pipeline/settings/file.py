"""The shape of `answertrail.toml`, and what is known beside it."""

from pathlib import Path
from typing import Literal

from pydantic import Field

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
    min_kappa: float = Field(0.8, ge=-1, le=1)


class BudgetSettings(Strict):
    """Hard limits in US dollars; absent means that paid stages ask for `--yes`."""

    run_usd: float | None = Field(None, ge=0)
    day_usd: float | None = Field(None, ge=0)


class DatabaseSettings(Strict):
    """The embedded Postgres. With `DATABASE_URL` in the environment, that server is used instead."""

    bin_dir: Path | None = None
    """Folder with `postgres` and `initdb` of any Postgres >= 15 with pgvector; the packaged one where absent."""


class ScheduleSettings(Strict):
    """Scheduled re-evaluation."""

    cron: str = "0 6 * * 1"
    arms: tuple[Slug, ...] = ()
    """Arms that the schedule re-scores; all declared arms where empty."""


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
    schedule: ScheduleSettings = ScheduleSettings()
    workbench: WorkbenchSettings = WorkbenchSettings()


class Settings(FileSettings):
    """Everything configured, with paths made absolute against the folder of the file."""

    config: Path
    database_url: str | None = None
    dagster_url: str | None = None
    """Where Dagster keeps its own, beside a `database_url`; the database `dagster` of that server where None."""

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
