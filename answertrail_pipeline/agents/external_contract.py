"""What an agent of yours is sent and what it sends back, as JSON (docs/agents.md)."""

import datetime as dt
from decimal import Decimal
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from answertrail_pipeline.agents.types import Asked
from answertrail_pipeline.errors import UnitError

CONTRACT_VERSION = 1
MAX_RETRIEVED = 2000
MAX_TEXT = 200_000


class _Lenient(BaseModel):
    """Fields that the contract does not know are ignored: agents send more than is asked for."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class RetrievedText(_Lenient):
    """Something that the agent retrieved: a chunk of the corpus by its id, or any other text.

    Attributes:
        id: the agent's own name for a text; markers `[id]` in the answer are read by it.
    """

    chunk_id: str | None = None
    id: str | None = None
    text: str | None = Field(None, max_length=MAX_TEXT)
    title: str = ""
    date: dt.date | None = None


class ReportedSearch(_Lenient):
    """A search that the agent made, for the trail."""

    query: str
    since: dt.date | None = None
    until: dt.date | None = None
    chunk_ids: tuple[str, ...] = ()


class ReportedUsage(_Lenient):
    """What the answer took; None where the agent does not say."""

    model_calls: int | None = Field(None, ge=0)
    prompt_tokens: int | None = Field(None, ge=0)
    completion_tokens: int | None = Field(None, ge=0)
    cost_usd: Decimal | None = Field(None, ge=0)


class AgentReply(_Lenient):
    """An agent's answer.

    Attributes:
        citations: ids cited; the markers in the answer where absent.
        retrieved: everything that was retrieved; None where the agent does not tell.
    """

    answer: str = Field(max_length=MAX_TEXT)
    citations: tuple[str, ...] | None = None
    retrieved: tuple[RetrievedText | str, ...] | None = Field(None, max_length=MAX_RETRIEVED)
    abstained: bool = False
    searches: tuple[ReportedSearch, ...] = ()
    steps: int = Field(1, ge=0)
    usage: ReportedUsage = ReportedUsage()


def agent_request(asked: Asked, problems: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the JSON object that an agent is sent.

    Args:
        problems: what was wrong with the citations of its earlier answer, on a retry.
    """
    return {
        "version": CONTRACT_VERSION,
        "question_id": asked.question_id,
        "question": asked.text,
        "language": asked.language,
        "corpus": {
            "channel": asked.channel,
            "title": asked.channel_title,
            "first_date": asked.first_date.isoformat() if asked.first_date else None,
            "last_date": asked.last_date.isoformat() if asked.last_date else None,
        },
        "repetition": asked.salt,
        "problems": list(problems),
    }


def read_agent_reply(reply: Any) -> AgentReply:
    """Return an agent's reply, checked.

    Raises:
        UnitError: `wrong_shape`, naming the field.
    """
    try:
        return AgentReply.model_validate(reply)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the reply"
        raise UnitError("wrong_shape", f"The agent's reply does not fit: {where}: {first['msg']}.") from error
