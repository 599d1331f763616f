"""Which of a video's caption tracks is used."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from answertrail_pipeline.corpus.formats.reading import CaptionError, Reading
from answertrail_pipeline.corpus.listing import Track

_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,3}\Z")
LIVE_CHAT = ("live_chat", "rechat")


@dataclass(frozen=True)
class TrackReading:
    """A track with what reading it brought: a reading, or the error."""

    track: Track
    reading: Reading | None
    error: CaptionError | None

    @property
    def language(self) -> str | None:
        """The track's language, by its name or by its content."""
        return language_tag(self.track.language or (self.reading.language if self.reading else None))

    @property
    def automatic(self) -> bool:
        """Whether speech recognition made it; content that shows it beats a record that denies it."""
        if self.reading and self.reading.automatic:
            return True
        return bool(self.track.automatic)


def read_track(track: Track) -> TrackReading:
    """Read a track; what is wrong with it is kept, not raised."""
    try:
        return TrackReading(track, track.read(), None)
    except CaptionError as error:
        return TrackReading(track, None, error)


def choose(
    tracks: Sequence[TrackReading], wanted: str, original: str | None, max_lost_share: float
) -> tuple[TrackReading | None, str]:
    """Return the one track that is used, and why it and no other.

    The wanted language and its regional variants come first, then the video's own language, then any other by
    name; within a language manual captions beat automatic ones, the exact language its variants, and a file that
    lost nothing one that lost cues. A track that could not be read, or lost more than `max_lost_share` of its
    cues, is not used.

    Args:
        tracks: read, in any order.
        wanted: the channel's language.
        original: the video's own language, or None.
        max_lost_share: share of lost cues up to which a track is used.
    """
    usable = [track for track in tracks if track.reading and track.reading.lost_share <= max_lost_share]
    if not usable:
        return None, "no track can be read"
    chosen = min(usable, key=lambda track: _rank(track, wanted, original))
    kind = "automatic" if chosen.automatic else "manual"
    if _same(chosen.language, wanted) or chosen.language is None:
        return chosen, f"{kind}, the only usable track" if len(usable) == 1 else f"{kind}, of {len(usable)} usable"
    return chosen, f"{kind}, no usable track in {wanted}"


def _rank(track: TrackReading, wanted: str, original: str | None) -> tuple[object, ...]:
    language = track.language or wanted
    reading = track.reading
    return (
        not _same(language, wanted),
        not (original and _same(language, original)),
        "" if _same(language, wanted) else base_language(language),
        track.automatic,
        language.lower() not in (wanted.lower(), f"{wanted}-orig".lower()),
        reading.lost if reading else 0,
        -len(reading.cues) if reading and track.automatic else 0,
        track.track.name,
    )


def language_tag(value: object) -> str | None:
    """Return a language tag (`en`, `zh-Hans`, `pt_BR`), or None for anything else that a record holds there."""
    return value if isinstance(value, str) and _TAG.match(value) else None


def base_language(tag: str) -> str:
    """Return a language tag's first part: `en` for `en-GB`, `zh` for `zh-Hans`."""
    return tag.replace("_", "-").partition("-")[0].lower()


def _same(tag: str | None, wanted: str) -> bool:
    return tag is not None and base_language(tag) == base_language(wanted)
