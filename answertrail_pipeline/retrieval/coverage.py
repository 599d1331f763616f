"""What a trajectory search covered: for each period what there is, what came back, how near the nearest was."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, text

from answertrail_pipeline.retrieval.rankings import Period, Ranked, Scope, period_bounds
from answertrail_pipeline.retrieval.types import Hit
from answertrail_pipeline.store.shipped import read_sql


def cover_periods(
    connection: Connection, scope: Scope, periods: Sequence[Period], inside: Sequence[Ranked], hits: Sequence[Hit]
) -> tuple[dict[str, Any], ...]:
    """Return one report a period, as JSON values.

    `videos` are there and `chunks` came back; `empty` periods hold no video at all; `best_score` is the cosine of
    the period's nearest chunk to any of the queries, None where it is empty. An agent that finds a period thin
    can ask again with its `since` and `until` as the query's date window.

    Args:
        inside: dense ranking whose ranks were counted inside the periods.
    """
    rows = connection.execute(
        text(read_sql("search/period_videos.sql")),
        {"channel": scope.channel, "video_ids": list(scope.video_ids) or None, **period_bounds(periods)},
    )
    videos = {row.period: row.videos for row in rows}
    nearest: dict[int, float] = {}
    for one in inside:
        nearest[one.period] = max(one.score, nearest.get(one.period, one.score))
    days = [hit.published_at.date() for hit in hits]
    chunks = Counter(
        at for day in days for at, period in enumerate(periods) if period.since <= day <= period.until
    )
    return tuple(
        {
            "period": period.name,
            "since": period.since.isoformat(),
            "until": period.until.isoformat(),
            "videos": videos[at],
            "chunks": chunks[at],
            "best_score": round(nearest[at], 4) if at in nearest else None,
            "empty": videos[at] == 0,
        }
        for at, period in enumerate(periods)
    )
