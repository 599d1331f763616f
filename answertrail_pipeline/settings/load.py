"""Finding and reading `answertrail.toml`."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.settings.channels import ChannelSettings
from answertrail_pipeline.settings.file import CONFIG_NAME, FileSettings, NotifySettings, Settings
from answertrail_pipeline.settings.problems import first_problem


def find_config(start: Path | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the configuration file: `ANSWERTRAIL_CONFIG`, else `answertrail.toml` here or in a parent folder.

    Raises:
        UserError: there is none.
    """
    named = environ.get("ANSWERTRAIL_CONFIG")
    if named:
        return Path(named).absolute()
    folder = (start or Path.cwd()).absolute()
    for candidate in (folder, *folder.parents):
        if (candidate / CONFIG_NAME).is_file():
            return candidate / CONFIG_NAME
    raise UserError(
        f"No {CONFIG_NAME} in {folder} or above it.",
        "Make one with `answertrail init FOLDER_OF_CAPTIONS`, or name one with --config.",
    )


def load_settings(path: Path, environ: Mapping[str, str] = os.environ) -> Settings:
    """Read and check a configuration file.

    Raises:
        UserError: it cannot be read, is no TOML, or has a value or key that does not fit; an unknown key is
            named with the nearest valid one.
    """
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"Cannot read {path}: {error}.", "Check the path and its permissions.") from error
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path} is not valid TOML: {error}.", "Mend that line.") from error
    try:
        parsed = FileSettings.model_validate(raw)
    except ValidationError as error:
        raise UserError(f"{path}: {first_problem(error)}", "Mend the file and try again.") from error
    config = path.absolute()
    root = config.parent
    values = {name: getattr(parsed, name) for name in FileSettings.model_fields}
    values["data_dir"] = root / (environ.get("ANSWERTRAIL_DATA_DIR") or parsed.data_dir)
    values["notify"] = _notify(parsed.notify, environ)
    values["channels"] = {name: _absolute_source(c, root) for name, c in sorted(parsed.channels.items())}
    return Settings.model_construct(
        **values,
        config=config,
        database_url=environ.get("DATABASE_URL") or None,
        dagster_url=environ.get("ANSWERTRAIL_DAGSTER_URL") or None,
        celery_broker=environ.get("ANSWERTRAIL_CELERY_BROKER") or None,
        workbench_token=environ.get("ANSWERTRAIL_WORKBENCH_TOKEN") or None,
    )


def _notify(written: NotifySettings, environ: Mapping[str, str]) -> NotifySettings:
    """Return whom to tell: the address in the environment wins, and is never repeated in a message."""
    if not environ.get("ANSWERTRAIL_WEBHOOK"):
        return written
    try:
        return NotifySettings.model_validate(written.model_dump() | {"webhook": environ["ANSWERTRAIL_WEBHOOK"]})
    except ValidationError:
        raise UserError(
            "ANSWERTRAIL_WEBHOOK is no address for messages.", "Write https://..., without user or password."
        ) from None


def _absolute_source(channel: ChannelSettings, root: Path) -> ChannelSettings:
    source = channel.source
    return channel.model_copy(update={"source": source.model_copy(update={"path": root / source.path})})
