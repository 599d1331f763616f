"""Asking an arm a question: the same code answers for a run's stage and for the workbench's page."""

import time
from dataclasses import dataclass, replace
from datetime import date

from answertrail_pipeline.agents import biographies, long_context, react, single_shot
from answertrail_pipeline.agents.arms import Arm
from answertrail_pipeline.agents.clean_claims import left_out
from answertrail_pipeline.agents.corpus_view import CorpusView
from answertrail_pipeline.agents.events import Failed, Listener, Recorder, Started, no_listener
from answertrail_pipeline.agents.external import external_agent
from answertrail_pipeline.agents.search_tool import Search, SearchTool, corpus_search
from answertrail_pipeline.agents.session import Agent, Session
from answertrail_pipeline.agents.types import Asked, Trail
from answertrail_pipeline.agents.web import web_search
from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.embedders import Embedder
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.settings import RetrieverSettings, Settings

_AGENTS: dict[str, Agent] = {
    "single_shot": single_shot.answer,
    "react": react.answer,
    "long_context": long_context.answer,
    "biography": biographies.answer,
}


class AgentError(UnitError):
    """An agent gave no answer that counts.

    Attributes:
        trail: what it did until then, without an answer; its cost counts.
    """

    def __init__(self, error: UnitError, trail: Trail) -> None:
        super().__init__(error.code, error.message)
        self.trail = trail


@dataclass(frozen=True)
class ReadyArm:
    """An arm with all that it needs to be asked."""

    arm: Arm
    agent: Agent
    door: Door
    corpus: CorpusView
    search: Search
    channel_title: str


def ready_arm(
    door: Door,
    settings: Settings,
    embedder: Embedder,
    channel: str,
    arm: Arm,
    until: date | None = None,
    gold: GoldVersion | None = None,
) -> ReadyArm:
    """Return an arm, ready to be asked about a channel.

    Args:
        until: cut the corpus after this day; the agent sees nothing of what came later.
        gold: a retriever that searches clean claims leaves out those that its nuggets cite.

    Raises:
        UserError: the channel has no chunks, or an external agent's endpoint cannot be used.
    """
    title = settings.channel(channel).title or channel
    corpus = CorpusView(door.database, channel, until)
    corpus.extent  # noqa: B018 - an empty index is refused before anything is asked
    retriever = arm.settings.retriever
    hidden = left_out(retriever, gold)
    search = corpus_search(door.database, channel, arm.language, retriever, embedder, until, hidden)
    if arm.settings.agent == "biography" and arm.settings.biography.web:
        search = web_search(door.database, arm.settings.biography.web, retriever.k)
    imported = arm.settings.agent == "biography" and arm.settings.biography.strategy == "deep_research"
    if arm.settings.agent == "external" or imported:
        words = RetrieverSettings(kind="bm25")
        by_words = corpus_search(door.database, channel, arm.language, words, embedder, until)
        endpoint = arm.settings.endpoint or ""
        agent = external_agent(endpoint, settings.root, arm.settings.timeout_seconds, by_words)
        if imported:
            agent = biographies.from_prose(agent)
    else:
        agent = _AGENTS[arm.settings.agent]
    return ReadyArm(arm, agent, door, corpus, search, title)


async def ask(
    ready: ReadyArm,
    question: str,
    account: Account,
    *,
    question_id: str = "asked",
    salt: str = "asked",
    listener: Listener = no_listener,
) -> Trail:
    """Ask an arm a question and return its trail.

    Args:
        salt: repetition and epoch; the same salt is answered from the ledger again.
        listener: told of each event as it happens.

    Raises:
        AgentError: no answer could be had; carries the trail so far.
    """
    extent = ready.corpus.extent
    asked = Asked(
        question_id=question_id,
        text=question,
        channel=account.channel,
        channel_title=ready.channel_title,
        language=ready.arm.language,
        first_date=extent.first_date,
        last_date=extent.last_date,
        salt=salt,
    )
    recorder = Recorder(listener)
    search = SearchTool(ready.search, recorder, ready.arm.settings.retriever.most)
    session = Session(asked, ready.arm, ready.door, account, recorder, search, ready.corpus)
    recorder.record(Started(question=question, agent=ready.arm.settings.agent, model=ready.arm.model_name))
    began = time.monotonic()
    try:
        trail = await ready.agent(session)
    except UnitError as error:
        recorder.record(Failed(code=error.code, message=error.message))
        raise AgentError(error, replace(session.trail(None), seconds=time.monotonic() - began)) from error
    return replace(trail, seconds=time.monotonic() - began)
