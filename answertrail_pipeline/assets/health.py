"""How the project's Dagster stands: storage, the daemon's heartbeat, Celery's workers. It changes nothing."""

from collections.abc import Iterator
from datetime import UTC, datetime

import dagster as dg
from sqlalchemy import create_engine, inspect
from sqlalchemy.exc import OperationalError

from answertrail_pipeline.assets.instance import open_instance
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.pipeline.doctor import Finding, Health
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database

PREPARE = "answertrail migrate"
PING_SECONDS = 3.0


def examine_dagster(settings: Settings, database: Database) -> Iterator[Finding]:
    """Examine Dagster's storage and daemon, and the workers where runs go to Celery."""
    storage = _storage(database)
    if storage:
        yield storage
    else:
        with open_instance(Project(settings, database, Door(database, settings))) as instance:
            yield _schema(instance)
            yield _daemon(instance)
    if settings.celery_broker:
        yield _workers(settings.celery_broker)


def _storage(database: Database) -> Finding | None:
    """Return what is wrong with Dagster's database before an instance may be opened, which would fill it."""
    engine = create_engine(database.dagster_url)
    try:
        if inspect(engine).has_table("runs"):
            return None
    except OperationalError as error:
        says = " ".join(str(error.orig).split())
        return Finding("Dagster storage", Health.FAIL, f"cannot be reached: {says}", PREPARE)
    finally:
        engine.dispose()
    return Finding("Dagster storage", Health.WARN, "empty: nothing has been told to Dagster yet", PREPARE)


def _schema(instance: dg.DagsterInstance) -> Finding:
    storages = (instance.run_storage, instance.event_log_storage, instance.schedule_storage)
    versions = [storage.alembic_version() for storage in storages if storage is not None]
    if any(found != newest for found, newest in (version for version in versions if version is not None)):
        return Finding("Dagster storage", Health.FAIL, "its schema is of another Dagster version", PREPARE)
    return Finding("Dagster storage", Health.OK, f"the schema of Dagster {dg.__version__}")


def _daemon(instance: dg.DagsterInstance) -> Finding:
    beats = instance.get_daemon_statuses()
    seen = [status.last_heartbeat.timestamp for status in beats.values() if status.last_heartbeat]
    start = "answertrail dev (or, in production: docker compose up -d daemon)"
    if not seen:
        return Finding("daemon", Health.WARN, "has never run: nothing is launched by itself", start)
    silent = sorted(name for name, status in beats.items() if not status.healthy)
    last = datetime.fromtimestamp(max(seen), UTC)
    if silent:
        says = f"no heartbeat of {', '.join(silent)}; the last of any at {last:%Y-%m-%d %H:%M} UTC"
        return Finding("daemon", Health.FAIL, says, start)
    return Finding("daemon", Health.OK, f"last heartbeat at {last:%Y-%m-%d %H:%M:%S} UTC")


def _workers(broker: str) -> Finding:
    from celery import Celery
    from kombu.exceptions import OperationalError as BrokerError

    app = Celery(broker=broker, broker_transport_options={"socket_connect_timeout": PING_SECONDS})
    try:
        workers = app.control.ping(timeout=PING_SECONDS)
    except BrokerError as error:
        return Finding("workers", Health.FAIL, f"the broker cannot be reached: {error}", "start Redis, or unset "
                       "ANSWERTRAIL_CELERY_BROKER")  # fmt: skip
    if not workers:
        return Finding("workers", Health.FAIL, "none answers, so runs wait for ever", "answertrail worker")
    return Finding("workers", Health.OK, f"{len(workers)} answer")
