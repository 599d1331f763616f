"""People whose careers are asked for: import from CSV or JSONL, their rows, and how to remove a person."""

import csv
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.hashing import fingerprint, text_sha256
from answertrail_pipeline.language.career_events import CareerEvent, event_from_json
from answertrail_pipeline.store.rows import insert_rows

DOMESTIC = frozenset(("united states", "united states of america", "us", "usa"))
_LANGUAGES = {
    "japan": "ja", "france": "fr", "greece": "el", "chile": "es", "mexico": "es", "south korea": "ko",
    "ukraine": "uk", "turkey": "tr", "brazil": "pt", "germany": "de", "italy": "it", "spain": "es",
    "portugal": "pt",
}  # fmt: skip


@dataclass(frozen=True)
class BaseEvent:
    """An event of the frozen truth with the data set that has it."""

    event_id: str
    event: CareerEvent
    source: str


@dataclass(frozen=True)
class Person:
    """A public office holder: names, office, and a reference text where there is one.

    Attributes:
        names: (text, language) of every name, the main one first.
        region: what tables are split by (`US`, `Non-US`).
        languages: in which evidence may be written, English among them.
    """

    person_id: str
    name: str
    country: str
    region: str
    office: str | None
    names: tuple[tuple[str, str], ...]
    source: str
    reference: str | None = None
    base: tuple[BaseEvent, ...] = ()

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the names and of the country, then English."""
        named = [lang.split("-")[0] for _, lang in self.names]
        country = _LANGUAGES.get(self.country.casefold())
        return tuple(dict.fromkeys([*named, *([country] if country else []), "en"]))

    @property
    def identity(self) -> str:
        """Fingerprint of what a judge is told of the person: names, country, reference text."""
        return fingerprint(self.name, self.country, [list(name) for name in self.names], self.reference or "")

    @property
    def question(self) -> str:
        """What an agent is asked. It names the version of the reference text, so that a new one asks anew."""
        others = ", ".join(name for name, _ in self.names if name != self.name)
        known = f" (also {others})" if others else ""
        office = f" Known office: {self.office}." if self.office else ""
        told = f" Reference text {text_sha256(self.reference)[:12]}." if self.reference else ""
        return (
            f"Which public offices and jobs did {self.name}{known}, {self.country}, hold, and when?{office}{told}"
        )


def read_people(path: Path) -> list[Person]:
    """Read people from CSV (name, native_name, country, region, office: the WhoGov shape) or JSONL.

    Raises:
        UserError: the file cannot be read, a row lacks a name or country, or two rows have one id.
    """
    try:
        raw = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"Cannot read {path}: {error}.", "Give a UTF-8 file.") from error
    rows = _jsonl(raw, path) if path.suffix == ".jsonl" else _csv(raw)
    people = [_person(row, path, number) for number, row in enumerate(rows, 1)]
    seen: set[str] = set()
    for person in people:
        if person.person_id in seen:
            raise UserError(f"{path}: the id `{person.person_id}` occurs twice.", "Give each person an id.")
        seen.add(person.person_id)
    return sorted(people, key=lambda person: person.person_id)


def store_people(connection: Connection, channel: str, people: Iterable[Person]) -> None:
    """Store people in place of those of the same ids."""
    rows = [
        {
            "channel": channel,
            "person_id": person.person_id,
            "name": person.name,
            "country": person.country,
            "region": person.region,
            "office": person.office,
            "names": Jsonb([{"text": name, "lang": lang} for name, lang in person.names]),
            "reference": person.reference,
            "reference_sha256": text_sha256(person.reference or ""),
            "source": person.source,
        }
        for person in people
    ]
    connection.execute(
        text("delete from people where channel = :channel and person_id = any(:ids)"),
        {"channel": channel, "ids": [row["person_id"] for row in rows]},
    )
    insert_rows(connection, "people", rows)


def load_people(connection: Connection, channel: str) -> dict[str, Person]:
    """Return a channel's people by id, without their base events."""
    rows = connection.execute(
        text("select * from people where channel = :channel order by person_id"), {"channel": channel}
    )
    return {
        row.person_id: Person(
            row.person_id, row.name, row.country, row.region, row.office,
            tuple((name["text"], name["lang"]) for name in row.names), row.source, row.reference,
        )
        for row in rows
    }  # fmt: skip


def _csv(raw: str) -> list[dict[str, Any]]:
    """Return the rows of a CSV; `Native name` and `native_name` are one column."""
    rows = csv.DictReader(StringIO(raw, newline=""))
    return [{"_".join(key.split()).lower(): value for key, value in row.items() if key} for row in rows]


def _jsonl(raw: str, path: Path) -> list[dict[str, Any]]:
    rows = []
    for number, line in enumerate(raw.splitlines(), 1):
        if line.strip():
            try:
                rows.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise UserError(f"{path}, line {number}: {error}.", "Write one JSON object a line.") from error
    return rows


def _person(row: Mapping[str, Any], path: Path, number: int) -> Person:
    name, country = str(row.get("name") or "").strip(), str(row.get("country") or "").strip()
    if not name or not country:
        raise UserError(f"{path}, row {number}: no `name` or no `country`.", "Give both.")
    person_id = str(row.get("person_id") or row.get("id") or f"p{text_sha256(f'{name}/{country}')[:10]}").strip()
    region = str(row.get("region") or ("US" if country.casefold() in DOMESTIC else "Non-US")).strip()
    try:
        base = tuple(
            BaseEvent(
                str(each.get("event_id") or f"e{at:02d}"),
                event_from_json({"title": each.get("role"), **each}),
                str(each.get("source") or path.name),
            )
            for at, each in enumerate(row.get("events") or (), 1)
        )  # fmt: skip
    except ValueError as error:
        raise UserError(f"{path}, row {number} ({name}): {error}.", "Mend that event.") from error
    return Person(
        person_id, name, country, region, str(row.get("office") or "").strip() or None,
        _names(row, name, country), str(row.get("source") or path.name), row.get("reference") or None, base,
    )  # fmt: skip


def _names(row: Mapping[str, Any], name: str, country: str) -> tuple[tuple[str, str], ...]:
    local = _LANGUAGES.get(country.casefold(), "und")
    listed = [(str(each["text"]), str(each["lang"])) for each in row.get("names") or ()]
    native = (
        [(str(row["native_name"]).strip(), str(row.get("native_language") or local))]
        if row.get("native_name")
        else []
    )
    main = next((lang for text_, lang in listed if text_ == name), "en")
    return tuple(dict.fromkeys([(name, main), *native, *listed]))
