"""In how many units each term occurs, kept by difference: a changed video costs its own terms, not all postings.

Whoever replaces a video's postings first takes the old ones out of the counts, in the same transaction; the stage
`term_stats` takes in what is not counted. So the counts are those of the videos in `counted_videos` at any moment,
whenever a process is killed. One at a time changes the counts of a channel.
"""

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import Connection, text

from answertrail_pipeline.store.rows import delete_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.store.stage_run import wait_for_stage


def take_out(connection: Connection, channel: str, kind: str, video_id: str) -> None:
    """Take a video's units out of the counts, if they are in: its postings are about to be replaced."""
    wait_for_stage(connection, "term_stats", channel)
    _take_out(connection, channel, kind, [video_id])


def counts_lag(connection: Connection, channel: str) -> bool:
    """Return whether the counts lack an active video, or hold one that is not."""
    return bool(_uncounted(connection, channel))


def bring_up_counts(connection: Connection, channel: str) -> None:
    """Make the counts those of the active videos; the caller has waited for the stage `term_stats`."""
    for (sign, kind), video_ids in _uncounted(connection, channel).items():
        if sign < 0:
            _take_out(connection, channel, kind, video_ids)
        else:
            _take_in(connection, channel, kind, video_ids)
    delete_rows(connection, "corpus_stats", {"channel": channel})
    connection.execute(text(read_sql("search/corpus_stats.sql")), {"channel": channel})


def _take_out(connection: Connection, channel: str, kind: str, video_ids: Sequence[str]) -> None:
    counted = connection.execute(
        text("delete from counted_videos where channel = :channel and kind = :kind and video_id = any(:video_ids)"
             " returning video_id"),
        {"channel": channel, "kind": kind, "video_ids": list(video_ids)},
    ).scalars().all()  # fmt: skip
    _count(connection, channel, kind, counted, -1)


def _take_in(connection: Connection, channel: str, kind: str, video_ids: Sequence[str]) -> None:
    connection.execute(
        text("insert into counted_videos (channel, kind, video_id)"
             " select :channel, :kind, unnest(cast(:video_ids as text[]))"),
        {"channel": channel, "kind": kind, "video_ids": list(video_ids)},
    )  # fmt: skip
    _count(connection, channel, kind, video_ids, 1)


def _count(connection: Connection, channel: str, kind: str, video_ids: Sequence[str], sign: int) -> None:
    if video_ids:
        connection.execute(
            text(read_sql("search/count_terms.sql")),
            {"channel": channel, "kind": kind, "video_ids": list(video_ids), "sign": sign},
        )


def _uncounted(connection: Connection, channel: str) -> dict[tuple[int, str], list[str]]:
    """Return the videos to take in (sign 1) and out (sign -1), by sign and kind."""
    found: dict[tuple[int, str], list[str]] = defaultdict(list)
    for row in connection.execute(text(read_sql("search/uncounted_videos.sql")), {"channel": channel}):
        found[row.sign, row.kind].append(row.video_id)
    return found
