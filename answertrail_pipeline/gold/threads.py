"""The stage `threads`: high-confidence claims of one topic over many videos and months."""

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from sqlalchemy import Connection, text

from answertrail_pipeline.gold.topics import TopicRules, load_topic_rules, merge_plurals
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.settings import GoldSettings, Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import join_key
from answertrail_pipeline.store.rows import replace_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.store.stage_run import Computed, Stage, Unit, output_hashes
from answertrail_pipeline.tasks.question_rules import split_speaker

CODE_VERSION = "3"
MAX_VIDEO_SHARE = 0.5
"""A topic of more than this share of the videos is what the channel is about, and no thread."""
FEW_VIDEOS = 10
"""With fewer videos no topic is common for that reason."""
COVERED_SHARE = 0.6
"""A single word makes no thread if this share of its claims speaks of it in longer topics that recur ("agent" in
"coding agent", "browser agent"): those are what people mean."""
PARENT_SHARE = 0.9
"""A topic that nearly always comes with one longer topic ("face" with "hugging face") makes no thread."""
MIN_BURST = 2.0
"""Claims for each video that a common word must have at least: what is a matter comes back within a
video, what is a manner of speaking ("report", "promise") is scattered (Church and Gale, Poisson mixtures,
1995)."""


class DatedClaim(NamedTuple):
    """A claim with the day of its video."""

    claim_id: str
    video_id: str
    day: date
    text: str
    topics: tuple[str, ...]


@dataclass(frozen=True)
class Thread:
    """The claims of one topic in order of time."""

    thread_id: str
    topic: str
    claims: tuple[DatedClaim, ...]

    @property
    def videos(self) -> int:
        """How many videos it runs through."""
        return len({claim.video_id for claim in self.claims})

    @property
    def days(self) -> int:
        """Days from its first claim to its last."""
        return (self.claims[-1].day - self.claims[0].day).days


def threads_stage(database: Database, channel: str, settings: Settings) -> Stage:
    """Return the stage `threads`: one unit, the channel, made from all its claims and the topic rules."""
    rules = load_topic_rules(settings.gold, settings.channel(channel).language)
    key = join_key(channel)
    shape = [settings.gold.thread_min_videos, settings.gold.thread_min_days, rules.as_json()]

    def units() -> Sequence[Unit]:
        with database.begin() as connection:
            hashes = output_hashes(connection, "claims", channel)
            active = _active_videos(connection, channel)
        return [Unit(key, fingerprint(hashes, active, *shape))] if hashes else []

    async def compute(_unit: Unit) -> Computed:
        with database.begin() as connection:
            claims = read_claims(connection, channel, "high")
            videos = _claiming_videos(connection, channel)
        threads = make_threads(claims, rules, settings.gold, videos)
        rows = [_row(channel, thread) for thread in threads]
        return Computed(
            fingerprint([[row["thread_id"], row["claim_ids"]] for row in rows]),
            lambda connection: replace_rows(connection, "threads", {"channel": channel}, rows),
            counts={"threads": len(rows), "claims": len({c.claim_id for t in threads for c in t.claims})},
        )

    return Stage("threads", channel, CODE_VERSION, units, compute)


def make_threads(
    claims: Iterable[DatedClaim], rules: TopicRules, settings: GoldSettings, videos: int
) -> list[Thread]:
    """Return the threads of a set of high-confidence claims, sorted by topic; who speaks is no topic.

    Args:
        videos: how many videos make claims at all.
    """
    claims = list(claims)
    speakers = {rules.topic(who) for claim in claims if (who := split_speaker(claim.text)[0])}
    topics = [
        (name, claim)
        for claim in claims
        for topic in claim.topics
        if (name := rules.topic(topic)) and name not in speakers
    ]
    singular = merge_plurals(name for name, _ in topics)
    filed: dict[str, dict[str, DatedClaim]] = defaultdict(dict)
    for name, claim in topics:
        filed[singular[name]][claim.claim_id] = claim
    threads = [
        Thread(topic.replace(" ", "-"), topic, tuple(sorted(found.values(), key=lambda c: (c.day, c.claim_id))))
        for topic, found in sorted(filed.items())
    ]
    return [
        thread
        for thread in threads
        if thread.videos >= settings.thread_min_videos
        and thread.days >= settings.thread_min_days
        and (videos < FEW_VIDEOS or _is_particular(thread, videos))
        and not _belongs_to_longer(thread, filed)
    ]


def _is_particular(thread: Thread, videos: int) -> bool:
    """Whether a topic is neither what the whole channel is about nor a common word that is scattered over it."""
    if thread.videos > MAX_VIDEO_SHARE * videos:
        return False
    return not _is_common_word(thread) or len(thread.claims) >= MIN_BURST * thread.videos


def _is_common_word(thread: Thread) -> bool:
    """Whether a topic is one word that its claims mostly write small; one that they do not write is no word."""
    if " " in thread.topic:
        return False
    form = re.compile(rf"(?<!\w){re.escape(thread.topic)}(?:s|es)?(?!\w)", re.IGNORECASE)
    written: list[str] = [match for claim in thread.claims for match in form.findall(claim.text)]
    return sum(match.islower() for match in written) * 2 > len(written)


def _belongs_to_longer(thread: Thread, filed: dict[str, dict[str, DatedClaim]]) -> bool:
    """Whether a topic's claims nearly all carry one longer topic, or mostly some longer ones that recur."""
    own = {claim.claim_id for claim in thread.claims}
    longer = [
        found for topic, found in filed.items() if topic != thread.topic and f" {thread.topic} " in f" {topic} "
    ]
    if any(len(own & found.keys()) >= PARENT_SHARE * len(own) for found in longer):
        return True
    if " " in thread.topic:
        return False
    recurring = [found.keys() for found in longer if len({claim.video_id for claim in found.values()}) > 1]
    covered: set[str] = own.intersection(itertools.chain.from_iterable(recurring))
    return len(covered) >= COVERED_SHARE * len(own)


def by_month(claims: Iterable[DatedClaim]) -> dict[str, int]:
    """Return how many claims each month has, for display: `{"2025-03": 2, ...}` in order."""
    return dict(sorted(Counter(f"{claim.day:%Y-%m}" for claim in claims).items()))


def read_claims(connection: Connection, channel: str, confidence: str | None = None) -> list[DatedClaim]:
    """Return the claims of the active videos of a channel, in order of day and id."""
    rows = connection.execute(
        text(read_sql("queries/dated_claims.sql")), {"channel": channel, "confidence": confidence}
    )
    return [DatedClaim(row.claim_id, row.video_id, row.day, row.text, tuple(row.topics)) for row in rows]


def _row(channel: str, thread: Thread) -> dict[str, object]:
    return {
        "channel": channel,
        "thread_id": thread.thread_id,
        "topic": thread.topic,
        "claim_ids": [claim.claim_id for claim in thread.claims],
        "videos": thread.videos,
        "first_date": thread.claims[0].day,
        "last_date": thread.claims[-1].day,
    }


def _active_videos(connection: Connection, channel: str) -> list[str]:
    rows = connection.execute(
        text("select video_id from videos where channel = :channel and state = 'active' order by video_id"),
        {"channel": channel},
    )
    return list(rows.scalars())


def _claiming_videos(connection: Connection, channel: str) -> int:
    return len({claim.video_id for claim in read_claims(connection, channel)})
