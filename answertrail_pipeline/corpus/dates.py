"""When a video was published: which field says so, how precisely, and which other fields disagree."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Literal

from answertrail_pipeline.corpus.formats.json_values import as_seconds

_FIRST_EPOCH = -2_208_988_800  # 1900
_LAST_EPOCH = 4_102_444_800  # 2100; above it the number is in milliseconds, or no time
_DAY = re.compile(r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})\Z")
_LIVE = {"was_live", "is_live", "post_live"}


@dataclass(frozen=True)
class Published:
    """A publication time in UTC.

    Attributes:
        at: the moment; midnight where only the day is known.
        precision: `second` or `day`.
        source: the field that it came from.
        conflict: the other fields that name another day, as `field=value`, or None.
    """

    at: datetime
    precision: Literal["second", "day"]
    source: str
    conflict: str | None


def published(record: Mapping[str, Any]) -> Published | None:
    """Return when a record says that it was published, or None where no field does.

    An epoch wins over a day string, and a stream's release time over its upload: `release_timestamp`,
    `timestamp`, `published_at`, `release_date` (of streams only: for music it is the album's), `upload_date`,
    `date`.
    """
    said = [
        (name, *found) for name, value in _candidates(record) if value is not None and (found := parse_time(value))
    ]
    if not said:
        return None
    name, at, precision = said[0]
    others = [f"{other}={day.date().isoformat()}" for other, day, _ in said[1:] if day.date() != at.date()]
    return Published(at, precision, name, ", ".join(others) or None)


def _candidates(record: Mapping[str, Any]) -> list[tuple[str, Any]]:
    names = ["release_timestamp", "timestamp", "published_at"]
    if record.get("live_status") in _LIVE or record.get("was_live") is True:
        names.append("release_date")
    names += ["upload_date", "date"]
    return [(name, record.get(name)) for name in names]


def parse_time(value: object) -> tuple[datetime, Literal["second", "day"]] | None:
    """Return the moment that a field's value says, in UTC, with its precision; None where it says none.

    Numbers are epoch seconds; `YYYYMMDD` and `YYYY-MM-DD` are days; anything else must be ISO 8601, in UTC where
    it names no offset.

    >>> parse_time("20190903")
    (datetime.datetime(2019, 9, 3, 0, 0, tzinfo=datetime.timezone.utc), 'day')
    """
    if isinstance(value, datetime):
        return _utc(value), "second"
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC), "day"
    if isinstance(value, int | float) and not isinstance(value, bool):
        seconds = as_seconds(value)
        if seconds is None or not _FIRST_EPOCH <= seconds <= _LAST_EPOCH or seconds == 0:
            return None
        return datetime.fromtimestamp(seconds, UTC), "second"
    return _parse_text(value.strip()) if isinstance(value, str) else None


def _parse_text(value: str) -> tuple[datetime, Literal["second", "day"]] | None:
    day = _DAY.match(value)
    try:
        if day:
            year, month, number = map(int, day.groups())
            return datetime(year, month, number, tzinfo=UTC), "day"
        if value.isascii() and value.isdecimal() and 9 <= len(value) <= 10:
            return parse_time(int(value))
        if "T" not in value and " " not in value:
            return None
        return _utc(datetime.fromisoformat(value)), "second"
    except (ValueError, OverflowError):
        return None


def _utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
