"""Where a channel's videos come from: one function that lists any source."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from answertrail_pipeline.corpus.listing import Listed, Listing, Material, Problem, Track
from answertrail_pipeline.corpus.source_csv import list_csv
from answertrail_pipeline.corpus.source_documents import list_documents
from answertrail_pipeline.corpus.source_feed import list_feed
from answertrail_pipeline.corpus.source_folder import list_folder
from answertrail_pipeline.corpus.source_jsonl import list_jsonl
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.settings import (
    ChannelSettings,
    CsvSource,
    DocumentsSource,
    FeedSource,
    FolderSource,
    JsonlSource,
)

__all__ = ["Listed", "Listing", "Material", "Problem", "Track", "list_videos"]

MAX_ID = 200
_ID = re.compile(rf"[^\[\]\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{{1,{MAX_ID}}}\Z")


def list_videos(channel: ChannelSettings) -> Listing:
    """List the videos that a channel's source offers now, ordered by id, each with its content hash.

    Reads the sources as a stream; no caption is parsed and no text is kept.

    Raises:
        UserError: the source cannot be read, or holds nothing at all.
    """
    source = channel.source
    match source:
        case FolderSource():
            listing = list_folder(source.path)
        case JsonlSource():
            listing = list_jsonl(source.path, source.corpus)
        case CsvSource():
            listing = list_csv(source.path)
        case DocumentsSource():
            listing = list_documents(source.path)
        case FeedSource():
            listing = list_feed(source, channel.language)
    if not listing.videos and listing.complete:
        raise UserError(_nothing(channel, listing), "Put caption files there, or mend the channel's `source`.")
    usable = [video for video in listing.videos if _ID.match(video.video_id)]
    refused = [_bad_id(video.video_id) for video in listing.videos if not _ID.match(video.video_id)]
    problems = (*listing.problems, *refused, *_odd_ids(usable))
    return replace(listing, videos=tuple(usable), problems=problems)


def _bad_id(video_id: str) -> Problem:
    shown = ascii(video_id[:80])
    message = (
        f"The id {shown} cannot be cited: 1 to {MAX_ID} characters, no brackets, no control characters. Rename it."
    )
    return Problem("bad_id", shown, message)


def _nothing(channel: ChannelSettings, listing: Listing) -> str:
    where = getattr(channel.source, "path", None) or getattr(channel.source, "channel_id", "")
    found = "; ".join(f"{problem.file}: {problem.message}" for problem in listing.problems[:3])
    return f"The source {where} holds no video." + (f" Found there: {found}" if found else "")


def _odd_ids(videos: Sequence[Listed]) -> list[Problem]:
    """Return what is odd about the ids; all of them are used as they are."""
    problems = []
    by_case: dict[str, list[str]] = defaultdict(list)
    for video in videos:
        by_case[video.video_id.casefold()].append(video.video_id)
    for ids in by_case.values():
        if len(ids) > 1:
            problems.append(
                Problem(
                    "ids_differ_in_case",
                    ".",
                    f"{', '.join(ids)} differ only in case; they are kept apart. If one is a copy, remove it.",
                    ids[0],
                )
            )
    dashed = [video.video_id for video in videos if video.video_id.startswith("-")]
    if dashed:
        message = (
            f"{len(dashed)} ids start with `-`, such as {dashed[0]}; on a command line write `--` before them."
        )
        problems.append(Problem("ids_start_with_dash", ".", message, warning=False))
    return problems
