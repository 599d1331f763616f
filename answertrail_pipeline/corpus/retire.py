"""Videos that a source no longer offers: retired, unless the listing itself looks wrong."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, text

from answertrail_pipeline.corpus.ingest import STAGE
from answertrail_pipeline.corpus.listing import Listing
from answertrail_pipeline.settings import ChannelSettings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import video_key
from answertrail_pipeline.store.rows import replace_rows


@dataclass(frozen=True)
class Retirement:
    """What `retire_missing` did.

    Attributes:
        retired: ids of the videos that are no longer searched.
        warning: why videos that are missing were kept, or None.
    """

    retired: Sequence[str]
    warning: str | None = None


def retire_missing(
    database: Database, channel: str, listing: Listing | None, settings: ChannelSettings
) -> Retirement:
    """Retire the videos that are gone, and keep the listing's problems in the quarantine.

    A retired video keeps its rows for old scores, and is no longer searched; its unit of the stage `chunks` is
    forgotten, so that it becomes active again when it comes back. Nothing is retired by a listing that failed, is
    empty, shows only the newest (a feed), or is smaller than the active videos by more than `max_listing_loss`.

    Args:
        database: holds the videos.
        channel: whose.
        listing: what the source offers; None where listing it failed.
        settings: the channel's, for `max_listing_loss`.
    """
    with database.begin() as connection:
        if listing is not None:
            _keep_problems(connection, channel, listing)
        known = _known(connection, channel)
        present = {video.video_id for video in listing.videos} if listing else set()
        missing = sorted(known - present)
        if not missing:
            return Retirement(())
        warning = _doubt(listing, len(known), len(missing), settings.max_listing_loss)
        if warning:
            return Retirement((), warning)
        if listing is None or not listing.complete:
            return Retirement(())
        _retire(connection, channel, missing)
        return Retirement(missing)


def _known(connection: Connection, channel: str) -> set[str]:
    """Return the videos that a listing is held against: all with rows, and all in quarantine."""
    rows = connection.execute(
        text("select video_id from videos where channel = :channel and state <> 'retired'"
             " union select video_id from quarantine"
             " where channel = :channel and found_in = 'reading' and video_id is not null"),
        {"channel": channel},
    )  # fmt: skip
    return set(rows.scalars())


def _doubt(listing: Listing | None, known: int, missing: int, limit: float) -> str | None:
    if listing is None:
        return "The source could not be listed; nothing is retired."
    if not listing.complete:
        return None
    if not listing.videos:
        return f"The listing is empty, {known} videos are known; nothing is retired."
    offered = len(listing.videos)
    if offered < (1 - limit) * known:
        return (
            f"The listing has {offered} videos, {known} are known: over {limit:.0%} fewer, so the {missing}"
            " that are missing are not retired. If they were removed on purpose, raise `max_listing_loss` once."
        )
    return None


def _retire(connection: Connection, channel: str, missing: Sequence[str]) -> None:
    ids = {"channel": channel, "ids": list(missing)}
    keys = {"channel": channel, "stage": STAGE, "keys": [video_key(channel, video_id) for video_id in missing]}
    connection.execute(
        text("update videos set state = 'retired' where channel = :channel and video_id = any(:ids)"), ids
    )
    for table in ("caption_files", "quarantine"):
        connection.execute(
            text(f"delete from {table} where channel = :channel and video_id = any(:ids)"),  # noqa: S608
            ids,
        )
    for table in ("stage_run", "gates"):
        connection.execute(
            text(f"delete from {table} where channel = :channel and stage = :stage and key = any(:keys)"),  # noqa: S608
            keys,
        )


def _keep_problems(connection: Connection, channel: str, listing: Listing) -> None:
    rows = {
        (problem.file, problem.code): {
            "channel": channel,
            "found_in": "listing",
            "file": problem.file,
            "video_id": problem.video_id,
            "code": problem.code,
            "message": problem.message,
        }
        for problem in listing.problems
        if problem.warning
    }
    replace_rows(connection, "quarantine", {"channel": channel, "found_in": "listing"}, rows.values())
