"""Which videos factual questions are drawn from: a draw made once over a stored frame, even over time."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.threads import DatedClaim, read_claims
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.settings import GoldSettings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import insert_rows

FIRST = "first"


@dataclass(frozen=True)
class Sample:
    """A draw: the videos of each bin of time, in the order of drawing."""

    name: str
    seed: int
    bins: tuple[tuple[str, ...], ...]

    def videos(self, per_bin: int, passed_over: frozenset[str] = frozenset()) -> list[str]:
        """Return the videos to write questions for.

        Those for which no question could be written stay in the list, and the next of their bin take their place.
        """
        drawn: list[str] = []
        for order in self.bins:
            left = per_bin
            for video_id in order:
                if left == 0:
                    break
                drawn.append(video_id)
                left -= video_id not in passed_over
        return drawn


def draw(claims: Sequence[DatedClaim], name: str, seed: int, bins: int) -> Sample:
    """Draw: videos in order of date, in `bins` of equal count, each ordered by a hash of seed and video id.

    Args:
        claims: high-confidence claims: a video without one can have no question.
    """
    days = {claim.video_id: claim.day for claim in claims}
    videos = sorted(days, key=lambda video_id: (days[video_id], video_id))
    edges = [round(i * len(videos) / bins) for i in range(bins + 1)]
    return Sample(
        name,
        seed,
        tuple(
            tuple(sorted(videos[start:end], key=lambda video_id: fingerprint(seed, video_id)))
            for start, end in itertools.pairwise(edges)
        ),
    )


def current_sample(connection: Connection, channel: str, settings: GoldSettings) -> Sample:
    """Return the newest stored draw, or the one that would be made now."""
    row = connection.execute(
        text(
            "select name, seed, bins from question_samples where channel = :channel"
            " order by drawn_at desc, name limit 1"
        ),
        {"channel": channel},
    ).first()
    if row:
        return Sample(row.name, row.seed, tuple(tuple(order) for order in row.bins))
    return draw(read_claims(connection, channel, "high"), FIRST, settings.seed, settings.factual_bins)


def store_sample(connection: Connection, channel: str, sample: Sample) -> None:
    """Store a draw; one of that name that is there already stays as it is."""
    row = {
        "channel": channel,
        "name": sample.name,
        "seed": sample.seed,
        "bins": Jsonb([list(order) for order in sample.bins]),
    }
    insert_rows(connection, "question_samples", [row], skip_existing=True)


def new_sample(database: Database, channel: str, name: str, settings: GoldSettings) -> Sample:
    """Make a new named draw over the videos of today (`answertrail gold sample NAME`).

    Questions that a person decided on stay; the videos of the new draw get questions beside them.

    Raises:
        UserError: the name is taken, or no video has a claim to ask for.
    """
    with database.begin() as connection:
        taken = connection.execute(
            text("select 1 from question_samples where channel = :channel and name = :name"),
            {"channel": channel, "name": name},
        ).first()
        if taken:
            raise UserError(f"The draw `{name}` of {channel} is made already.", "Give the new draw another name.")
        seed = int(fingerprint(settings.seed, name)[:12], 16)
        sample = draw(read_claims(connection, channel, "high"), name, seed, settings.factual_bins)
        if not any(sample.bins):
            raise UserError(f"No video of {channel} has a claim yet.", "Run `answertrail run` first.")
        store_sample(connection, channel, sample)
    return sample
