"""Supervisor and searcher: open gaps, searched in at most three rounds each, fill an archive within a budget."""

from dataclasses import dataclass, field
from dataclasses import replace as with_changes

from sqlalchemy import text

from answertrail_pipeline.agents.events import GatheringEnded, StepStarted, ToolRefused
from answertrail_pipeline.agents.session import Purpose, Session
from answertrail_pipeline.agents.types import RetrievedChunk
from answertrail_pipeline.gold.biographies.people import Person
from answertrail_pipeline.language.scripts import language_of_script
from answertrail_pipeline.models.errors import ModelError
from answertrail_pipeline.retrieval.types import Hit, Query
from answertrail_pipeline.tasks.code_events import Fragment
from answertrail_pipeline.tasks.focus_search import FOCUS_SEARCH, FocusSearchInput
from answertrail_pipeline.tasks.plan_gaps import PLAN_GAPS, Gap, NamedIn, PlanGapsInput
from answertrail_pipeline.tasks.task import In, Out, Task

_TRIES = 2
"""Calls that a task may take: one, and one more with what was wrong."""
MAX_ROUNDS = 3
"""Searches of one gap."""
_MALFORMED = frozenset(("schema", "no_valid_object", "truncated"))
_UNUSABLE = _MALFORMED | {"refused", "too_long", "timeout"}
"""Failures of one call that end what it was for; the coder still gets what was gathered."""


@dataclass
class Archive:
    """What was gathered.

    Attributes:
        kept_ids: chunks kept, in order: the archive, apart from chunks merely seen.
        tasks: of supervisor and searcher; each may take a second call, where the first reply could not be used.
        rounds: of the supervisor.
    """

    session: Session
    summary: str = ""
    kept_ids: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    tasks: int = 0
    rounds: int = 0
    exhausted: bool = False

    @property
    def calls(self) -> int:
        """Model calls so far; a task of the rules counts as one."""
        return max(self.tasks, self.session.model_calls)

    @property
    def kept(self) -> tuple[Hit, ...]:
        """The chunks kept."""
        retrieved = self.session.search.retrieved
        return tuple(retrieved[each].hit for each in self.kept_ids)

    @property
    def chunks(self) -> tuple[RetrievedChunk, ...]:
        """Every chunk seen, with whether it was kept; the kept ones first, in the order of the archive."""
        retrieved = self.session.search.retrieved
        kept = [with_changes(retrieved[each], kept=True) for each in self.kept_ids]
        seen = [with_changes(chunk, kept=False) for key, chunk in retrieved.items() if key not in self.kept_ids]
        return (*kept, *seen)


async def gather(session: Session, person: Person, reference: str, max_calls: int) -> Archive:
    """Search until the supervisor is done or the calls run out; what was gathered is coded all the same.

    A reply that cannot be used is counted; where a second one cannot be used either, the supervisor's ends the
    search, and the searcher's the gap.
    """
    archive = Archive(session, summary=reference)
    names = tuple(NamedIn(text=name, lang=lang) for name, lang in person.names)
    languages = document_languages(session)
    searched: list[Gap] = []
    new_kept = 0
    while _may_call(archive, max_calls):
        archive.rounds += 1
        session.steps += 1
        session.recorder.record(StepStarted(step=session.steps))
        plan = await _have(
            archive,
            "plan",
            PLAN_GAPS,
            PlanGapsInput(
                names=names,
                country=person.country,
                languages=person.languages,
                reference=reference,
                summary=archive.summary,
                archive=tuple(fragment(hit, languages) for hit in archive.kept),
                searched=tuple(searched),
                round=archive.rounds,
                new_kept=new_kept,
            ),
        )
        if plan is None:
            break
        archive.summary = plan.summary
        if plan.done or not plan.gaps:
            break
        before = len(archive.kept_ids)
        for gap in plan.gaps:
            searched.append(gap)
            archive.gaps.append(f"{gap.language}: {gap.query}")
            await _fill(session, archive, names, person.country, gap, languages, max_calls)
        new_kept = len(archive.kept_ids) - before
    else:
        archive.exhausted = True
    reason = "budget" if archive.exhausted else "ready"
    session.recorder.record(GatheringEnded(step=session.steps, reason=reason, chunks=len(archive.kept_ids)))
    return archive


async def _fill(
    session: Session, archive: Archive, names: tuple[NamedIn, ...], country: str, gap: Gap,
    languages: dict[str, str], max_calls: int,
) -> None:  # fmt: skip
    """Search for one gap, at most three times, and keep what tells of the person."""
    query: str | None = gap.query
    for number in range(1, MAX_ROUNDS + 1):
        if query is None or not _may_call(archive, max_calls):
            return
        (found,) = await session.search.run(session.steps, [Query(query)])
        turn = await _have(
            archive,
            "step",
            FOCUS_SEARCH,
            FocusSearchInput(
                names=names,
                country=country,
                gap=gap,
                query=query,
                passages=tuple(fragment(hit, languages) for hit in found.result.hits),
                round=number,
            ),
        )
        if turn is None:
            return
        archive.kept_ids += [each for each in turn.keep if each not in archive.kept_ids]
        query = turn.query


async def _have(archive: Archive, purpose: Purpose, task: Task[In, Out], given: In) -> Out | None:
    """Have a task done; None where the model gave nothing that can be used, twice."""
    session = archive.session
    archive.tasks += 1
    before = session.model_calls
    try:
        output = await session.run(purpose, task, given)
    except ModelError as error:
        if error.code not in _UNUSABLE:
            raise
        for _reply in range(session.model_calls - before if error.code in _MALFORMED else 0):
            session.recorder.record(ToolRefused(step=session.steps, tool=task.name, problem=str(error)))
        return None
    if session.model_calls - before > 1:
        session.recorder.record(
            ToolRefused(step=session.steps, tool=task.name, problem="The first reply could not be used.")
        )
    return output


def _may_call(archive: Archive, max_calls: int) -> bool:
    """Whether a task may be begun so that it, the coder and a second try of each stay within the limit."""
    each = 1 if archive.session.arm.role.is_baseline else _TRIES
    return archive.calls + 2 * each <= max_calls


def document_languages(session: Session) -> dict[str, str]:
    """Return the language of every document of the corpus, by id."""
    with session.corpus.database.begin() as connection:
        rows = connection.execute(
            text("select video_id, language from videos where channel = :channel"),
            {"channel": session.corpus.channel},
        )
        return {row.video_id: row.language for row in rows}


def fragment(hit: Hit, languages: dict[str, str]) -> Fragment:
    """Return a chunk as models read it."""
    return Fragment(
        chunk_id=hit.chunk_id,
        language=languages.get(hit.video_id) or language_of_script(hit.text),
        title=hit.title,
        date=f"{hit.published_at:%Y-%m-%d}",
        text=hit.text,
    )
