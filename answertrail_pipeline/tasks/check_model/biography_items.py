"""Items for the tasks that reconstruct careers: `plan_gaps`, `focus_search`, `code_events`."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from answertrail_pipeline.tasks.check_model.items import Item, says
from answertrail_pipeline.tasks.code_events import CodedCareer, CodeEventsInput, Fragment
from answertrail_pipeline.tasks.focus_search import FocusedSearch, FocusSearchInput
from answertrail_pipeline.tasks.plan_gaps import Gap, NamedIn, PlanGapsInput, PlannedGaps

CONTROLS = 6


@dataclass(frozen=True)
class Office:
    """An office of an invented person; years of its start and end."""

    name: str
    country: str
    role: str
    organization: str
    start: str
    end: str

    def fragment(self, chunk_id: str) -> Fragment:
        """Return a piece of evidence that states the office."""
        text = (
            f"In {self.start} {self.name} became {self.role} of the {self.organization}."
            f" {self.name} left that office in {self.end}."
        )
        return Fragment(chunk_id=chunk_id, language="en", title="Chronicle", date=f"{self.end}-12-31", text=text)

    def private(self, chunk_id: str) -> Fragment:
        """Return a passage about the person that states no office."""
        text = f"{self.name} has two children and spends the summers on a farm, where she keeps bees and paints."
        return Fragment(chunk_id=chunk_id, language="en", title="At home", date=f"{self.end}-12-31", text=text)

    def namesake(self, chunk_id: str) -> Fragment:
        """Return a passage about somebody else of the same name."""
        text = (
            f"{self.name}, the trumpeter of that name from Ostland, joined the Ostland Radio Orchestra"
            f" as a player in {self.start}. She never set foot in {self.country}."
        )
        return Fragment(chunk_id=chunk_id, language="en", title="Music", date=f"{self.end}-12-31", text=text)


def offices() -> list[Office]:
    """Return all offices, three a person, in order."""
    rows = [
        json.loads(line) for line in files(__package__).joinpath("careers.jsonl").read_text("utf-8").splitlines()
    ]
    return [Office(row["name"], row["country"], *office) for row in rows for office in row["offices"]]


def code_events_items() -> list[Item]:
    """Return evidence of two offices beside what is none, and evidence of none."""
    made = []
    given = offices()
    for number, office in enumerate(given):
        second = given[number - number % 3 + (number + 1) % 3]
        fragments = [office.private("b:00030"), *([office.namesake("d:00030")] if number % 3 == 0 else [])]
        wanted: tuple[tuple[Office, str], ...] = ()
        if number >= CONTROLS:
            fragments += [office.fragment("a:00030"), second.fragment("c:00030")]
            wanted = ((office, "a:00030"), (second, "c:00030"))
        ordered = tuple(sorted(fragments, key=lambda fragment: fragment.chunk_id))
        asked = CodeEventsInput(names=(office.name,), country=office.country, fragments=ordered)
        made.append(Item(asked, _events(wanted), control=not wanted))
    return made


def focus_search_items() -> list[Item]:
    """Return passages of which one states an office of the person, and passages of which none does."""
    made = []
    for number, office in enumerate(offices()):
        passages = [office.private("b:00030"), *([office.namesake("c:00030")] if number % 3 == 0 else [])]
        keep: set[str] = set()
        if number >= CONTROLS:
            passages.insert(number % 3, office.fragment("a:00030"))
            keep = {"a:00030"}
        query = f"{office.name} {office.role} {office.start}"
        asked = FocusSearchInput(
            names=(NamedIn(text=office.name, lang="en"),),
            country=office.country,
            gap=Gap(query=query, language="en"),
            query=query,
            passages=tuple(passages),
        )
        made.append(Item(asked, _kept(keep), control=not keep))
    return made


def plan_gaps_items() -> list[Item]:
    """Return careers with gaps to search for, and work to which nothing was added any more."""
    made = []
    given = offices()
    for number, office in enumerate(given):
        control = number < CONTROLS
        career = given[number - number % 3 : number - number % 3 + 3]
        held = career if control else [office]
        searched = [
            f"{office.name} {word}" for word in ("early career", "minister", "mayor", "ambassador", "retired")
        ]
        asked = PlanGapsInput(
            names=(NamedIn(text=office.name, lang="en"),),
            country=office.country,
            languages=("en",),
            archive=tuple(one.fragment(f"{'abc'[place]}:00030") for place, one in enumerate(held)),
            searched=tuple(Gap(query=query, language="en") for query in searched) if control else (),
            round=6 if control else 2,
            new_kept=0 if control else 1,
        )
        made.append(Item(asked, _done if control else _gaps(office.name), control))
    return made


def _events(wanted: tuple[tuple[Office, str], ...]) -> Callable[[Any], str | None]:
    def problem(made: CodedCareer) -> str | None:
        if len(made.events) > len(wanted):
            return f"{len(made.events)} events instead of {len(wanted)}"
        for office, chunk_id in wanted:
            found = [
                event for event in made.events if chunk_id in event.chunk_ids and says(event.role, office.role)
            ]
            if not found:
                return f"no event `{office.role}` from {chunk_id}"
            if (found[0].start, found[0].end) != (office.start, office.end):
                return f"`{office.role}` from {found[0].start} to {found[0].end}"
        return None

    return problem


def _kept(keep: set[str]) -> Callable[[Any], str | None]:
    def problem(made: FocusedSearch) -> str | None:
        return None if set(made.keep) == keep else f"keeps {sorted(made.keep)} instead of {sorted(keep)}"

    return problem


def _gaps(name: str) -> Callable[[Any], str | None]:
    def problem(made: PlannedGaps) -> str | None:
        if made.done or not 1 <= len(made.gaps) <= 4:
            return f"{len(made.gaps)} gaps, done: {made.done}"
        surname = name.rsplit(maxsplit=1)[-1]
        return None if all(says(gap.query, surname) for gap in made.gaps) else f"a query does not name {surname}"

    return problem


def _done(made: PlannedGaps) -> str | None:
    return None if made.done else "goes on although nothing was added for a whole round"
