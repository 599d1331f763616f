"""How fast the door is, against the ideal and against a bare LiteLLM loop, measured in one run.

    python benchmarks/models.py            # on a quiet machine; about two minutes

Prints one line a measurement: seconds, and the ratio that issue 4 bounds. Exits with 1 where a bound is passed.
"""

import asyncio
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.errors import ModelError
from answertrail_pipeline.models.quiet import load_litellm
from answertrail_pipeline.models.types import Account, ChatRequest, Message
from answertrail_pipeline.settings import FileSettings, ModelRole, ModelsSettings, PriceSettings, Settings
from answertrail_pipeline.store.database import Database, open_database
from answertrail_pipeline_tests.models.server import PLANTED_KEY, Call, Failure, Raw, Reply, ScriptedServer

AT_ONCE = 32


def faulty(call: Call) -> Any:
    """One first try in ten fails: 429, 500 or a malformed body, in turn."""
    number, _, again = call.last_user.partition(" ")
    if int(number) % 10 or again or number in faulty.seen:  # type: ignore[attr-defined]
        return Reply("ok")
    faulty.seen.add(number)  # type: ignore[attr-defined]
    return [Failure(429, retry_after="0.1"), Failure(500), Raw(b"{mal")][int(number) // 10 % 3]


faulty.seen = set()  # type: ignore[attr-defined]


def serve(pipe: Connection, latency: float, with_faults: bool) -> None:
    """Run the scripted server in a process of its own, so that it takes no time from the client."""
    with ScriptedServer(latency=latency, concurrency=AT_ONCE) as server:
        server.rule = faulty if with_faults else lambda _call: Reply("ok")
        pipe.send(server.url)
        pipe.recv()
        pipe.send((len(server.calls), server.most_at_once))


@contextmanager
def server_process(latency: float, with_faults: bool = False) -> Iterator[str]:
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs, latency, with_faults))
    process.start()
    try:
        yield ours.recv()
    finally:
        ours.send("stop")
        calls, most = ours.recv()
        print(f"    server saw {calls} calls, at most {most} at once")
        process.join()


def requests(url: str, count: int) -> list[ChatRequest]:
    role = ModelRole(model="openai/scripted", api_base=url, timeout_seconds=10)
    return [ChatRequest(role=role, messages=(Message(role="user", content=str(n)),)) for n in range(count)]


async def through_the_door(database: Database, settings: Settings, asked: list[ChatRequest]) -> tuple[float, int]:
    """Return seconds, and how many calls failed; print the processor time, which a busy machine stretches less."""
    door = Door(database, settings)
    await ask(door, asked[0].model_copy(update={"salt": str(time.time())}))  # connections and imports
    started, cpu = time.perf_counter(), time.process_time()
    outcomes = await asyncio.gather(*(ask(door, request) for request in asked), return_exceptions=True)
    seconds = time.perf_counter() - started
    print(f"    door: {(time.process_time() - cpu) / len(asked) * 1000:.2f} ms of processor time a call")
    await door.close()
    failed = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    if any(not isinstance(error, ModelError) for error in failed):
        raise failed[0]
    return seconds, len(failed)


async def ask(door: Door, request: ChatRequest) -> None:
    account = Account("benchmark", "claims", request.messages[0].content or "")
    await door.chat(request, account, task="t", task_version="1", prompt_hash="p")


async def bare_loop(asked: list[ChatRequest]) -> float:
    """Return the seconds of the same calls by LiteLLM alone, under the same bound, keeping nothing."""
    litellm = load_litellm()
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(request: ChatRequest) -> None:
        async with slots:
            await litellm.acompletion(
                model=request.role.model,
                api_base=request.role.api_base,
                messages=[{"role": "user", "content": request.messages[0].content}],
                max_tokens=request.role.max_output_tokens,
                timeout=request.role.timeout_seconds,
                num_retries=0,
                max_retries=0,
            )

    await one(asked[0])
    started, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one(request) for request in asked))
    seconds = time.perf_counter() - started
    print(f"    bare: {(time.process_time() - cpu) / len(asked) * 1000:.2f} ms of processor time a call")
    await litellm.close_litellm_async_clients()
    return seconds


def report(name: str, seconds: float, ratio: float, bound: float, note: str = "") -> bool:
    good = ratio <= bound
    print(f"{'ok  ' if good else 'FAIL'} {name}: {seconds:.2f} s, ratio {ratio:.3f} (at most {bound}) {note}")
    return good


def run(work: Callable[[], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        return await work()

    return asyncio.run(main())


def main() -> int:
    os.environ["OPENAI_API_KEY"] = PLANTED_KEY
    price = PriceSettings(input_per_million=1)  # type: ignore[arg-type]
    models = ModelsSettings(prices={"openai/scripted": price}, max_concurrency=AT_ONCE)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        parsed = FileSettings(models=models, data_dir=Path(folder))
        values = {name: getattr(parsed, name) for name in FileSettings.model_fields}
        settings = Settings.model_construct(**values, root=Path(folder), database_url=None)
        Path(folder).chmod(0o755)
        with open_database(settings) as database:
            with server_process(1.0) as url:
                seconds, failed = run(lambda: through_the_door(database, settings, requests(url, 384)))
            ideal = 384 / AT_ONCE
            results.append(
                report("384 calls of 1 s", seconds, seconds / ideal, 1.10, f"of the ideal {ideal:.2f} s")
            )
            results.append(failed == 0)
            with server_process(0.1) as url:
                asked = requests(url, 2000)
                bare = run(lambda: bare_loop(asked))
                seconds, failed = run(lambda: through_the_door(database, settings, asked))
                hits, _ = run(lambda: through_the_door(database, settings, asked))
            print(f"    bare LiteLLM loop: {bare:.2f} s, {bare / 6.25:.2f} x the ideal 6.25 s")
            results.append(report("2,000 calls of 100 ms", seconds, seconds / bare, 1.15, "of the bare loop"))
            results.append(failed == 0)
            results.append(report("a ledger hit in bulk (ms)", hits, hits / 2000 * 1000, 1.0))
            with server_process(0.1, with_faults=True) as url:
                seconds, failed = run(lambda: through_the_door(database, settings, requests(url, 2000)))
            note = f"of the bare loop; {failed} of 2,000 lost"
            results.append(report("the same with 10% faults", seconds, seconds / bare, 1.6, note))
            results.append(failed == 0)
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
