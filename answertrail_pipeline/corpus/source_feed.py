"""A live YouTube channel: new uploads are fetched into a folder, and the folder is read like any other.

What was fetched stays on disk in the shape that yt-dlp writes, so a person can look at it and mend it, nothing is
asked for twice, and an outage changes nothing.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from answertrail_pipeline.corpus.listing import Listing, Problem
from answertrail_pipeline.corpus.source_folder import INFO, list_folder
from answertrail_pipeline.corpus.youtube import Entry, RefusedError, UnavailableError, YouTube, connect
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.settings import FeedSource

_SAFE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_SAFE_LANGUAGE = re.compile(r"[A-Za-z0-9-]{1,35}\Z")


def list_feed(source: FeedSource, language: str, youtube: YouTube | None = None) -> Listing:
    """Fetch what is new on a channel, then list everything that was ever fetched.

    Videos without usable captions are asked for again each time. Absence from the feed means nothing: it shows the
    newest fifteen. When all of those are unknown, yt-dlp is asked for the whole list of uploads.

    Args:
        source: names the channel and the folder.
        language: of the captions that are wanted.
        youtube: the way to YouTube; the real one where None.

    Raises:
        UserError: the extra `youtube` is not installed, or YouTube cannot be reached and nothing was fetched yet.
    """
    folder = source.path / source.channel_id
    folder.mkdir(parents=True, exist_ok=True)
    problems: list[Problem] = []
    try:
        _fetch(folder, source, language, youtube or connect(), problems)
    except RefusedError as refused:
        problems.append(Problem("rate_limited", source.channel_id, f"{refused} The rest is fetched next time."))
    except UnavailableError as error:
        problems.append(Problem("unreachable", source.channel_id, f"{error} What was fetched before is used."))
    listing = list_folder(folder)
    if not listing.videos:
        found = "; ".join(problem.message for problem in problems) or "its feed is empty."
        raise UserError(f"Nothing could be fetched of {source.channel_id}: {found}", "Check the id and try again.")
    return replace(listing, problems=(*listing.problems, *problems), complete=False)


def _fetch(folder: Path, source: FeedSource, language: str, youtube: YouTube, problems: list[Problem]) -> None:
    known = {path.name.removesuffix(INFO) for path in folder.glob(f"*{INFO}")}
    entries = {
        entry.video_id: entry for entry in youtube.feed(source.channel_id) if _SAFE_ID.match(entry.video_id)
    }
    if not known & entries.keys():
        for video_id in youtube.uploads(source.channel_id):
            if _SAFE_ID.match(video_id):
                entries.setdefault(video_id, Entry(video_id))
    due = [entry for entry in entries.values() if entry.video_id not in known]
    due += [Entry(video_id) for video_id in sorted(known) if not _has_captions(folder, video_id)]
    for entry in due[: source.max_new_videos]:
        try:
            _fetch_video(folder, entry, language, youtube)
        except UnavailableError as error:
            problems.append(Problem("not_fetched", entry.video_id, str(error), entry.video_id))
    if len(due) > source.max_new_videos:
        message = f"{len(due) - source.max_new_videos} videos wait for the next listing (`max_new_videos`)."
        problems.append(Problem("videos_wait", source.channel_id, message, warning=False))


def _has_captions(folder: Path, video_id: str) -> bool:
    return any(path.stat().st_size for path in folder.glob(f"{video_id}.*") if not path.name.endswith(INFO))


def _fetch_video(folder: Path, entry: Entry, language: str, youtube: YouTube) -> None:
    info_path = folder / f"{entry.video_id}{INFO}"
    if not info_path.exists():
        _write(info_path, json.dumps(_info(entry, youtube), ensure_ascii=False, indent=1).encode())
    for track in youtube.captions(entry.video_id, language):
        if _SAFE_LANGUAGE.match(track.language):
            _write(folder / f"{entry.video_id}.{track.language}.json", track.data)


def _info(entry: Entry, youtube: YouTube) -> dict[str, Any]:
    """Return a video's record: what yt-dlp says, or the feed's title and date where it cannot say."""
    record: dict[str, Any] = {"id": entry.video_id, "title": entry.title, "published_at": entry.published}
    try:
        found: Mapping[str, Any] = youtube.info(entry.video_id)
    except UnavailableError:
        if entry.published is None:
            raise
        found = {}
    return {**record, **{key: value for key, value in found.items() if value is not None}}


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    partial = path.with_name(f".{path.name}.part")
    partial.write_bytes(data)
    partial.replace(path)
