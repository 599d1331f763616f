"""The supervisor's turn: what is known, which gaps are open, in which language to look."""

import itertools
import re

from pydantic import BaseModel, ConfigDict, Field

from answertrail_pipeline.tasks.code_events import Fragment
from answertrail_pipeline.tasks.code_events_rules import read_dated_lines
from answertrail_pipeline.tasks.fence import fence
from answertrail_pipeline.tasks.task import Task

MAX_GAPS = 4
_WORDS = {
    "en": "career offices minister member", "fr": "carrière fonctions ministre député", "ja": "経歴 大臣 議員",
    "es": "carrera cargos ministro diputado", "pt": "carreira cargos ministro deputado",
    "el": "βιογραφικό υπουργός βουλευτής", "ko": "경력 장관 의원", "uk": "кар'єра міністр депутат",
    "tr": "kariyer bakan milletvekili", "de": "Laufbahn Minister Abgeordneter", "it": "carriera ministro deputato",
}  # fmt: skip
_ROUNDS = 3


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NamedIn(_Frozen):
    """A name with its language."""

    text: str
    lang: str


class Gap(_Frozen):
    """Something to look for."""

    query: str = Field(min_length=1, max_length=1000)
    language: str


class PlanGapsInput(_Frozen):
    """Where the work stands.

    Attributes:
        languages: in which documents may be written.
        round: of the supervisor, from 1.
        searched: every gap so far.
        new_kept: how many fragments the last round kept.
    """

    names: tuple[NamedIn, ...]
    country: str
    languages: tuple[str, ...]
    reference: str = ""
    summary: str = ""
    archive: tuple[Fragment, ...] = ()
    searched: tuple[Gap, ...] = ()
    round: int = 1
    new_kept: int = 0


class PlannedGaps(_Frozen):
    """The supervisor's word."""

    summary: str
    gaps: tuple[Gap, ...]
    done: bool


def render(given: PlanGapsInput) -> str:
    """Return the user message."""
    parts = []
    if given.reference:
        parts.append(f"REFERENCE TEXT\n{fence(given.reference, 'reference')}")
    if given.archive:
        held = "\n\n".join(
            f"[{each.chunk_id}] {each.language} | {each.title}\n{each.text}" for each in given.archive
        )
        parts.append(f"ARCHIVE\n{fence(held, 'archive')}")
    if given.summary:
        parts.append(f"SUMMARY SO FAR\n{fence(given.summary, 'summary')}")
    if given.searched:
        asked = "\n".join(f"{gap.language}: {gap.query}" for gap in given.searched)
        parts.append(f"SEARCHED\n{fence(asked, 'searched')}")
    names = "; ".join(f"{name.text} ({name.lang})" for name in given.names)
    parts.append(
        f"PERSON\n{fence(f'{names}, {given.country}', 'person')}\nLanguages: {', '.join(given.languages)}."
    )
    return "\n\n".join([*parts, f"Round {given.round}."])


def by_rules(given: PlanGapsInput) -> PlannedGaps:
    """First every name in its language with words for a career; then the years between dated lines; then stop."""
    summary = given.reference if given.round == 1 else _summary(given)
    if given.round > 1 and not given.new_kept:
        return PlannedGaps(summary=summary, gaps=(), done=True)
    wanted = _opening(given) if given.round == 1 else _years_between(given)
    asked = {(gap.query, gap.language) for gap in given.searched}
    gaps = tuple(gap for gap in wanted if (gap.query, gap.language) not in asked)[:MAX_GAPS]
    return PlannedGaps(summary=summary, gaps=gaps, done=not gaps or given.round > _ROUNDS)


def _summary(given: PlanGapsInput) -> str:
    """Return the dated lines of the archive, after the reference text, as one line each."""
    lines = [
        f"{line.start or '?'} to {line.end}: {line.role}, {line.organization}"
        for fragment in given.archive
        for line in read_dated_lines(fragment.text, fragment.language)
    ]
    return "\n".join([*([given.reference] if given.reference else []), *dict.fromkeys(lines)])


def _opening(given: PlanGapsInput) -> list[Gap]:
    main = given.names[0].text
    native = {name.lang.split("-")[0]: name.text for name in reversed(given.names)}
    return [
        Gap(query=f"{native.get(language, main)} {_WORDS.get(language, '')}".strip(), language=language)
        for language in given.languages
    ]


def _years_between(given: PlanGapsInput) -> list[Gap]:
    years = sorted({int(year) for year in re.findall(r"\b(?:19|20)\d{2}\b", _summary(given))})
    main = given.names[0]
    return [
        Gap(query=f"{main.text} {before + 1} {after - 1}", language=main.lang.split("-")[0])
        for before, after in itertools.pairwise(years)
        if after - before > 2
    ]


PLAN_GAPS: Task[PlanGapsInput, PlannedGaps] = Task(
    name="plan_gaps",
    version="1",
    input_type=PlanGapsInput,
    output_type=PlannedGaps,
    render=render,
    baseline=by_rules,
    check=lambda _given, made: [f"{len(made.gaps)} gaps; at most {MAX_GAPS}"] if len(made.gaps) > MAX_GAPS else [],
)
