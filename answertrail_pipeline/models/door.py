"""The one door: every piece of model work passes here and leaves a row in the ledger.

A call is looked up in the ledger, claimed (in flight, with a lease that this process renews), made, and settled
(models/calls.py); each of these is one short transaction, shared by all calls that are at the same point. Nothing
is used before it is committed, so a process that is killed repeats at most the calls that it had in flight.
"""

import asyncio
import json
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pydantic import BaseModel

from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.models.batching import Batcher
from answertrail_pipeline.models.calls import Caller, Calls
from answertrail_pipeline.models.errors import ModelError
from answertrail_pipeline.models.estimate import chat_quote, embed_quote
from answertrail_pipeline.models.ledger import Ledger
from answertrail_pipeline.models.ledger_rows import CallToMake
from answertrail_pipeline.models.pricing import Prices
from answertrail_pipeline.models.provider import Provider
from answertrail_pipeline.models.rules import RulesRow, record_rules
from answertrail_pipeline.models.types import Account, ChatReply, ChatRequest, EmbedPurpose, EmbedRequest
from answertrail_pipeline.models.vectors import read_vectors
from answertrail_pipeline.settings import EmbedRole, Settings
from answertrail_pipeline.store.database import Database

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)

LEASE_SECONDS = 20.0
EMBED_BATCH = 64  # texts a call: every provider takes as many


class Door:
    """Calls models for one project. Owned by one event loop; closed by its owner.

    Args:
        lease_seconds: for how long after a process died its calls in flight are left alone.
    """

    def __init__(self, database: Database, settings: Settings, lease_seconds: float = LEASE_SECONDS) -> None:
        self.database = database
        self.settings = settings
        self._pass_id = uuid.uuid4().hex
        self._ledger = Ledger(database, self._pass_id, lease_seconds, settings.models.max_concurrency)
        self._calls: Caller = Calls(self._ledger, settings.models.max_concurrency)
        self.prices = Prices(settings.models.prices, lambda: self.provider.litellm)
        self.provider = Provider(self.prices, settings.models.tracing)
        self._rules: Batcher[RulesRow, None] = Batcher(lambda rows: record_rules(database, rows))

    async def chat(
        self, request: ChatRequest, account: Account, *, task: str, task_version: str, prompt_hash: str
    ) -> ChatReply:
        """Return the reply to a request, from the ledger or from the provider.

        A call that was begun is finished and kept even if its asker is cancelled.

        Raises:
            ModelError: no whole reply could be had (models/errors.py).
        """
        role = request.role
        call = self._call(
            "chat", request_body(request), role.model, role.api_base, account, task, task_version, prompt_hash
        )
        reply = await self._calls.reply(
            call, lambda: self.provider.chat(request), lambda: chat_quote(self.provider, request)
        )
        return _whole(reply, role.model, role.max_output_tokens)

    async def embed(
        self, texts: Sequence[str], role: EmbedRole, account: Account, purpose: EmbedPurpose = "document"
    ) -> "NDArray[np.float32]":
        """Return the vectors of texts by a LiteLLM embedding model, in order and as the provider sent them.

        Args:
            purpose: some providers embed a search differently from what is searched.

        Returns:
            One row a text: shape (texts, dimensions); (0, 0) for no texts.

        Raises:
            ModelError: some text could not be embedded.
        """
        import numpy as np

        batches = [tuple(texts[at : at + EMBED_BATCH]) for at in range(0, len(texts), EMBED_BATCH)]
        requests = [EmbedRequest(role=role, texts=batch, purpose=purpose) for batch in batches]
        replies = await asyncio.gather(*(self._embed(request, account) for request in requests))
        return np.concatenate(replies) if replies else np.zeros((0, 0), np.float32)

    async def _embed(self, request: EmbedRequest, account: Account) -> "NDArray[np.float32]":
        role, body = request.role, request.model_dump(mode="json")
        call = self._call("embed", body, role.model, role.api_base, account)
        reply = await self._calls.reply(
            call, lambda: self.provider.embed(request), lambda: embed_quote(self.provider, request)
        )
        return read_vectors(reply.content or "", len(request.texts))

    async def by_rules(
        self,
        task: str,
        version: str,
        prompt_hash: str,
        given: In,
        rules: Callable[[In], Out],
        account: Account,
    ) -> tuple[Out, str]:
        """Have a task done by its rules and record it like any other call, at no cost.

        Rules are deterministic and cost nothing, so they are run each time; the ledger's row says what they made.
        """
        request = given.model_dump(mode="json")
        call_key = fingerprint("rules", task, version, prompt_hash, request)
        output = rules(given)
        reply = json.dumps(output.model_dump(mode="json"))
        await self._rules.submit(
            RulesRow(call_key, task, version, prompt_hash, account, json.dumps(request), reply)
        )
        return output, call_key

    async def close(self) -> None:
        """Let the calls in work end, keep what they bring, and close every connection."""
        await self._calls.close()
        await self.provider.close()
        self._ledger.close()

    def _call(
        self,
        kind: Literal["chat", "embed"],
        body: dict[str, Any],
        model: str,
        api_base: str | None,
        account: Account,
        task: str = "embed",
        task_version: str = "1",
        prompt_hash: str = "",
    ) -> CallToMake:
        return CallToMake(
            call_key=fingerprint(kind, body),
            kind=kind,
            pool=model if api_base is None else f"{model} at {api_base}",
            model=model,
            task=task,
            task_version=task_version,
            prompt_hash=prompt_hash,
            account=account,
            request=json.dumps(body),
            budgets=self._budgets(account),
        )

    def _budgets(self, account: Account) -> dict[str, Decimal | None]:
        """Return the budgets that pay for a call and their limits.

        They are the day's, and the run's; what belongs to no run is held to a run's limit by channel and day.
        """
        limits, today = self.settings.budget, f"{datetime.now(UTC):%Y-%m-%d}"
        run = f"run {account.run_key}" if account.run_key else f"outside runs {today} {account.channel}"
        return {f"day {today}": _dollars(limits.day_usd), run: _dollars(limits.run_usd)}


def request_body(request: ChatRequest) -> dict[str, Any]:
    """Return all of a request that can change its reply: what the ledger's key is made of."""
    role = request.role.model_dump(mode="json", exclude={"family", "timeout_seconds"})
    return {**role, **request.model_dump(mode="json", exclude={"role"})}


def _whole(reply: ChatReply, model: str, max_output_tokens: int) -> ChatReply:
    said = (reply.content,) if reply.content else ()
    if reply.finish_reason == "content_filter" or reply.refusal:
        why = reply.refusal or "its provider's filter stopped the reply"
        raise ModelError(
            "refused", f"{model} declined: {why}", (*said, *((reply.refusal,) if reply.refusal else ()))
        )
    if reply.finish_reason == "length":
        message = f"The reply of {model} was cut off at {max_output_tokens} tokens. Raise `max_output_tokens`."
        raise ModelError("truncated", message, said)
    return reply


def _dollars(limit: float | None) -> Decimal | None:
    return None if limit is None else Decimal(str(limit))
