"""What is wrong and how to mend it, without changing anything: `answertrail doctor`."""

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

from sqlalchemy import text

from answertrail_pipeline.corpus.figures import channel_figures
from answertrail_pipeline.corpus.sources import list_videos
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.embedders import ENGLISH_DEFAULT, PACKAGED, check_weights, load_embedder
from answertrail_pipeline.models.keys import missing_keys
from answertrail_pipeline.pipeline.plan import paid_roles
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.stages import (
    CHANNEL_STAGES,
    CODE_VERSIONS,
    RUN_STAGES,
    VIDEO_STAGES,
    channel_stage,
    video_stage,
)
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database, require_pgvector
from answertrail_pipeline.store.migrate import schema_state
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.store.stage_run import due

GIB = 1 << 30
DISK_WARN, DISK_FAIL = 5 * GIB, GIB // 2
CLOCK_WARN, CLOCK_FAIL = timedelta(seconds=5), timedelta(seconds=60)


class Health(StrEnum):
    """How one thing stands."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True)
class Finding:
    """One line of the doctor.

    Attributes:
        says: what was found, with its figures; never a secret.
        mend: the command that mends it; empty where nothing is to be done.
    """

    name: str
    health: Health
    says: str
    mend: str = ""


def failure(name: str, error: UserError) -> Finding:
    """Return the finding of an error that is meant for people."""
    return Finding(name, Health.FAIL, error.problem, error.way_out)


def examine_settings(settings: Settings) -> Iterator[Finding]:
    """Examine what needs no database: the disk, the weights of the embedding models, keys."""
    yield Finding("configuration", Health.OK, str(settings.config))
    yield _disk(settings.data_dir)
    yield from _weights(settings)
    yield _keys(settings)


def examine_database(settings: Settings, database: Database, now: datetime | None = None) -> Iterator[Finding]:
    """Examine the server, the schema, the clock and, where the schema is the newest, the state of the work.

    Args:
        now: what this machine's clock says; for tests.
    """
    with database.begin() as connection:
        version = connection.execute(text("show server_version")).scalar()
    kind = "server of DATABASE_URL" if settings.database_url else "embedded"
    yield Finding("database", Health.OK, f"Postgres {version}, {kind}")
    yield _extension(database)
    schema = _schema(database)
    yield schema
    if schema.health is not Health.OK:
        yield Finding("work", Health.WARN, "not examined: the schema is not this version's", schema.mend)
        return
    yield _clock(database, now or datetime.now(UTC))
    project = Project(settings, database, Door(database, settings))
    try:
        yield from _stale(project)
    finally:
        project.run(_nothing())
    yield _quarantine(settings, database)
    yield _open_units(database)


def _disk(folder: Path) -> Finding:
    existing = next(each for each in (folder, *folder.parents) if each.exists())
    if not os.access(existing, os.W_OK):
        return Finding("disk", Health.FAIL, f"{existing} cannot be written", f"chown -R $USER {existing}")
    free = shutil.disk_usage(existing).free
    says = f"{free / GIB:.1f} GiB free for {folder}"
    if free < DISK_WARN:
        health = Health.FAIL if free < DISK_FAIL else Health.WARN
        return Finding("disk", health, says, f"df -h {existing}; free some, or move `data_dir`")
    return Finding("disk", Health.OK, says)


def _weights(settings: Settings) -> Iterator[Finding]:
    names = {_embedding_model(settings, each.language) for each in settings.channels.values()}
    for name in sorted(names or {ENGLISH_DEFAULT}):
        if name not in PACKAGED:
            yield Finding("embedding model", Health.OK, f"{name}, called through LiteLLM")
            continue
        try:
            check_weights(name)
        except UserError as error:
            yield failure("embedding model", error)
        except (ImportError, OSError) as error:
            mend = "pip install --require-hashes -r requirements.lock"
            yield Finding("embedding model", Health.FAIL, f"{name} cannot be read: {error}", mend)
        else:
            yield Finding("embedding model", Health.OK, f"the weights of {name} have the expected hash")


def _embedding_model(settings: Settings, language: str) -> str:
    role = settings.models.embed
    if role.model not in PACKAGED:
        return role.model
    model_id = load_embedder(role, language).model_id
    return next(name for name in PACKAGED if model_id.startswith(name))


def _keys(settings: Settings) -> Finding:
    roles = paid_roles(settings)
    if not roles:
        return Finding("keys", Health.OK, "no model needs one")
    missing = {role.model: missing_keys(role.model) for role in roles if not role.api_base}
    lacking = {model: keys for model, keys in missing.items() if keys}
    if lacking:
        told = "; ".join(f"{model} needs {' and '.join(keys)}" for model, keys in sorted(lacking.items()))
        first = sorted({key for keys in lacking.values() for key in keys})
        return Finding("keys", Health.FAIL, told, "; ".join(f"export {key}=..." for key in first))
    return Finding("keys", Health.OK, f"present for {', '.join(sorted({role.model for role in roles}))}")


def _extension(database: Database) -> Finding:
    try:
        offered = require_pgvector(database.engine)
    except UserError as error:
        return failure("extension", error)
    with database.begin() as connection:
        used = connection.execute(text("select extversion from pg_extension where extname = 'vector'")).scalar()
    if used and used != offered:
        says = f"pgvector {used} is in use, the server offers {offered}"
        return Finding("extension", Health.WARN, says, "psql \"$DATABASE_URL\" -c 'alter extension vector update'")
    return Finding("extension", Health.OK, f"pgvector {offered}")


def _schema(database: Database) -> Finding:
    state = schema_state(database.engine)
    if not state.known:
        says = f"the database has schema {state.current}, made by a newer version; this one knows {state.newest}"
        return Finding("migrations", Health.FAIL, says, "pip install --upgrade answertrail-pipeline")
    if state.missing:
        says = f"schema {state.current or 'none'}; {', '.join(state.missing)} would be applied"
        return Finding("migrations", Health.WARN, says, "answertrail migrate")
    return Finding("migrations", Health.OK, f"schema {state.newest}")


def _clock(database: Database, now: datetime) -> Finding:
    with database.begin() as connection:
        server, latest = connection.execute(
            text("select clock_timestamp(), (select max(finished_at) from stage_run)")
        ).one()
    apart = abs(now - server)
    ahead = latest - min(now, server) if latest else timedelta(0)
    mend = "timedatectl set-ntp true"
    if apart > CLOCK_WARN:
        says = f"this machine and the database are {apart.total_seconds():.0f} s apart"
        return Finding("clock", Health.FAIL if apart > CLOCK_FAIL else Health.WARN, says, mend)
    if ahead > CLOCK_FAIL:
        says = f"work was finished {ahead.total_seconds():.0f} s in the future: the clock was set back"
        return Finding("clock", Health.WARN, says, mend)
    return Finding("clock", Health.OK, f"{apart.total_seconds():.1f} s from the database's")


def _stale(project: Project) -> Iterator[Finding]:
    counts: dict[str, int] = {}
    for channel in sorted(project.settings.channels):
        try:
            listing = list_videos(project.settings.channels[channel])
        except UserError as error:
            yield failure(f"source of {channel}", error)
            continue
        for name in (*VIDEO_STAGES, *CHANNEL_STAGES):
            in_videos = name in VIDEO_STAGES
            stage = (
                video_stage(project, name, channel, listing)
                if in_videos
                else channel_stage(project, name, channel)
            )
            counts[name] = counts.get(name, 0) + len(due(project.database, stage)[0])
    with project.database.begin() as connection:
        for name in RUN_STAGES:  # a run is never reopened by a changed corpus, only by changed code
            old = text("select count(*) from stage_run where stage = :stage and code_version <> :version")
            found = connection.execute(old, {"stage": name, "version": CODE_VERSIONS[name]}).scalar()
            counts[name] = int(found or 0)
    stale = ", ".join(f"{count} of {name}" for name, count in counts.items() if count)
    if stale:
        yield Finding("stale partitions", Health.WARN, f"due: {stale}", "answertrail plan, then answertrail run")
    else:
        yield Finding("stale partitions", Health.OK, "everything is up to date with its sources")


def _quarantine(settings: Settings, database: Database) -> Finding:
    with database.begin() as connection:
        held = connection.execute(text("select count(*) from quarantine")).scalar() or 0
    if not held:
        return Finding("quarantine", Health.OK, "empty")
    beyond = [name for name, channel in sorted(settings.channels.items())
              if not channel_figures(database, name, channel).passed]  # fmt: skip
    says = f"{held} caption files" + (f"; above the limit in {', '.join(beyond)}" if beyond else "")
    return Finding("quarantine", Health.FAIL if beyond else Health.WARN, says, "answertrail ingest")


def _open_units(database: Database) -> Finding:
    with database.begin() as connection:
        rows = connection.execute(text(read_sql("queries/open_units.sql"))).all()
    if not rows:
        return Finding("open units", Health.OK, "none failed, none is open")
    told = ", ".join(f"{row.units} of {row.stage}" for row in rows)
    return Finding("open units", Health.FAIL, f"{told}; the first: {rows[0].reason or 'open'}", "answertrail run")


async def _nothing() -> None:
    """Closing a project's door is the end of any work on it."""


def worst(findings: Sequence[Finding]) -> Health:
    """Return the worst that was found."""
    return max((finding.health for finding in findings), key=list(Health).index, default=Health.OK)
