"""The searcher's turn: what to keep of what was found, and whether to search again."""

import re

from pydantic import BaseModel, ConfigDict

from answertrail_pipeline.language.scripts import is_named
from answertrail_pipeline.tasks.code_events import Fragment
from answertrail_pipeline.tasks.fence import fence
from answertrail_pipeline.tasks.plan_gaps import Gap, NamedIn
from answertrail_pipeline.tasks.task import Task

_HEAD = 80
_YEAR = re.compile(r"\d{4}|\d{1,2}年|元年")


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FocusSearchInput(_Frozen):
    """One gap and what a search for it found."""

    names: tuple[NamedIn, ...]
    country: str
    gap: Gap
    query: str
    passages: tuple[Fragment, ...]
    round: int = 1


class FocusedSearch(_Frozen):
    """What to keep, and the next query."""

    keep: tuple[str, ...]
    query: str | None


def render(given: FocusSearchInput) -> str:
    """Return the user message."""
    found = "\n\n".join(
        f"[{each.chunk_id}] {each.date} | {each.language} | {each.title}\n{each.text}" for each in given.passages
    )
    names = "; ".join(f"{name.text} ({name.lang})" for name in given.names)
    parts = [f"PASSAGES\n{fence(found or 'Nothing was found.', 'passages')}"]
    parts.append(f"PERSON\n{fence(f'{names}, {given.country}', 'person')}")
    parts.append(f"GAP ({given.gap.language})\n{fence(given.gap.query, 'gap')}")
    return "\n\n".join([*parts, f"LAST QUERY\n{fence(given.query, 'query')}", f"Round {given.round} of 3."])


def by_rules(given: FocusSearchInput) -> FocusedSearch:
    """Keep dated passages of pages about the person; search again by the bare name if there is none.

    A page is about the person if its title or the first words of the passage give a name.
    """
    keep = tuple(
        each.chunk_id
        for each in given.passages
        if _YEAR.search(each.text)
        and any(is_named(name.text, f"{each.title}\n{each.text[:_HEAD]}") for name in given.names)
    )
    name = next((n.text for n in given.names if n.lang.split("-")[0] == given.gap.language), given.names[0].text)
    again = None if keep or given.query == name or given.round > 1 else name
    return FocusedSearch(keep=keep, query=again)


def check(given: FocusSearchInput, made: FocusedSearch) -> list[str]:
    """Return ids that no passage has."""
    known = {each.chunk_id for each in given.passages}
    return [f"no passage has the id {each}" for each in made.keep if each not in known]


FOCUS_SEARCH: Task[FocusSearchInput, FocusedSearch] = Task(
    name="focus_search",
    version="1",
    input_type=FocusSearchInput,
    output_type=FocusedSearch,
    render=render,
    baseline=by_rules,
    check=check,
)
