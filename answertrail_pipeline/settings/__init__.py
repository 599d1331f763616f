"""Typed settings: the file `answertrail.toml` plus the environment. Secrets come only from the environment."""

from answertrail_pipeline.settings.arms import ArmSettings, RetrieverSettings, WebSettings
from answertrail_pipeline.settings.channels import (
    ChannelSettings,
    CsvSource,
    DocumentsSource,
    FeedSource,
    FolderSource,
    JsonlSource,
    Source,
)
from answertrail_pipeline.settings.file import (
    CONFIG_NAME,
    BudgetSettings,
    FileSettings,
    GoldSettings,
    NotifySettings,
    ScheduleSettings,
    ScoringSettings,
    Settings,
)
from answertrail_pipeline.settings.load import find_config, load_settings
from answertrail_pipeline.settings.models import EmbedRole, ModelRole, ModelsSettings, PriceSettings

__all__ = [
    "CONFIG_NAME",
    "ArmSettings",
    "BudgetSettings",
    "ChannelSettings",
    "CsvSource",
    "DocumentsSource",
    "EmbedRole",
    "FeedSource",
    "FileSettings",
    "FolderSource",
    "GoldSettings",
    "JsonlSource",
    "ModelRole",
    "ModelsSettings",
    "NotifySettings",
    "PriceSettings",
    "RetrieverSettings",
    "ScheduleSettings",
    "ScoringSettings",
    "Settings",
    "Source",
    "WebSettings",
    "find_config",
    "load_settings",
]
