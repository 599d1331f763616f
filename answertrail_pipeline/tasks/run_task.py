"""The only way to have a task done: by its rules, or by a model through the door."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Generic

from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.dry import NotMadeError
from answertrail_pipeline.models.errors import ModelError
from answertrail_pipeline.models.reply import Answer, Breach, read_reply
from answertrail_pipeline.models.types import NO_USAGE, Account, ChatReply, ChatRequest, Message, Usage, add_usage
from answertrail_pipeline.settings import ModelRole
from answertrail_pipeline.tasks.task import In, Out, Task


@dataclass(frozen=True)
class Done(Generic[Out]):
    """A task's output with where it came from.

    Attributes:
        call_key: the ledger's row of the reply that holds the output.
        cost_usd: of all calls that led to it, also where the ledger answered; None where a price is unknown.
        raw_replies: every reply as it came, oldest first: two where the first had to be repaired.
        usage: tokens of all calls that led to it; None where a provider did not say.
    """

    output: Out
    model: str
    prompt_hash: str
    call_key: str
    cost_usd: Decimal | None
    raw_replies: tuple[str, ...] = ()
    usage: Usage = NO_USAGE


async def run_task(
    door: Door, task: Task[In, Out], given: In, role: ModelRole, account: Account, *, salt: str | None = None
) -> Done[Out]:
    """Have a task done in a role and return its checked output.

    The same task, input and role is answered from the ledger and never paid twice. A reply that breaks the
    contract is shown to the model once, with what is wrong with it (models/reply.py).

    Args:
        salt: repetition and epoch of an agent's call (`ChatRequest.salt`).

    Raises:
        ModelError: no output could be had; its code says why (`truncated`, `refused`, `schema`, `timeout`, ...)
            and it carries every reply as it came.
    """
    if role.is_baseline:
        output, call_key = await door.by_rules(
            task.name, task.version, task.prompt_hash, given, task.baseline, account
        )
        return Done(output, role.model, task.prompt_hash, call_key, Decimal(0))
    try:
        return await _by_model(door, task, given, task_request(task, given, role, salt), account)
    except NotMadeError:  # a rehearsal: what follows is shown with what the rules make of it
        return Done(task.baseline(given), role.model, task.prompt_hash, "", None)


async def _by_model(
    door: Door, task: Task[In, Out], given: In, request: ChatRequest, account: Account
) -> Done[Out]:
    model = request.role.model
    first = await _ask(door, task, request, account)
    read = _read(task, given, first)
    if isinstance(read, Answer):
        raw = (_raw(first),)
        return Done(read.output, model, task.prompt_hash, first.call_key, first.cost_usd, raw, first.usage)
    try:
        second = await _ask(door, task, repair_request(request, first, read), account)
    except ModelError as error:
        replies = (_raw(first), *error.raw_replies)
        raise ModelError(error.code, error.message, replies, first.usage, first.cost_usd) from error
    again = _read(task, given, second)
    replies = (_raw(first), _raw(second))
    cost = None if first.cost_usd is None or second.cost_usd is None else first.cost_usd + second.cost_usd
    usage = add_usage(first.usage, second.usage)
    if isinstance(again, Answer):
        return Done(again.output, model, task.prompt_hash, second.call_key, cost, replies, usage)
    problem = f"Two replies of {model} without a usable answer: {again.problem}"
    raise ModelError(again.code, problem, replies, usage, cost)


def task_request(task: Task[In, Out], given: In, role: ModelRole, salt: str | None = None) -> ChatRequest:
    """Return the call that a task makes for an input."""
    return ChatRequest(
        role=role,
        messages=(
            Message(role="system", content=task.full_system_prompt),
            Message(role="user", content=task.render(given)),
        ),
        response_schema=task.output_schema,
        salt=salt,
    )


def repair_request(request: ChatRequest, reply: ChatReply, breach: Breach) -> ChatRequest:
    """Return the one call that shows the model its own reply and what is wrong with it."""
    problem = (
        f"That reply cannot be used. {breach.problem}\n"
        "Reply again, with one complete JSON object that fits the schema and nothing else."
    )
    repair = (
        Message(role="assistant", content=_raw(reply) or "(an empty reply)"),
        Message(role="user", content=problem),
    )
    return request.model_copy(update={"messages": (*request.messages, *repair)})


async def _ask(door: Door, task: Task[In, Out], request: ChatRequest, account: Account) -> ChatReply:
    return await door.chat(
        request, account, task=task.name, task_version=task.version, prompt_hash=task.prompt_hash
    )


def _read(task: Task[In, Out], given: In, reply: ChatReply) -> Answer[Out] | Breach:
    return read_reply(reply.content or "", task.output_type, lambda output: task.check(given, output))


def _raw(reply: ChatReply) -> str:
    return reply.content or ""
