"""The live web as a search tool: Serper finds pages, Jina Reader or Exa reads them, all is stored for replay.

Pages become foreign evidence: their texts are kept under ids of their own and can be judged like chunks.
"""

import asyncio
import ipaddress
import os
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import text

from answertrail_pipeline.agents.passages import NO_DATE
from answertrail_pipeline.agents.search_tool import Search
from answertrail_pipeline.agents.types import FOREIGN
from answertrail_pipeline.corpus.document_chunks import chunk_document
from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.hashing import text_sha256
from answertrail_pipeline.language.scripts import language_of_script
from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.retrieval.types import Hit, Query, SearchResult
from answertrail_pipeline.settings import WebSettings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import insert_rows

_WORDS, _CHARACTERS = 120, 400


@dataclass(frozen=True)
class Page:
    """A page as it was read once."""

    url: str
    sha256: str
    title: str
    text: str


def web_search(database: Database, settings: WebSettings, k: int) -> Search:
    """Return a search over the live web, or over what was stored of it (`replay`)."""
    web = Web(database, settings)

    async def run(query: Query, _subqueries: Sequence[str]) -> SearchResult:
        urls = await web.find(query.text, language_of_script(query.text))
        pages = await asyncio.gather(*(web.read(url) for url in urls))
        hits = [hit for page in pages if page for hit in page_hits(page)]
        language = language_of_script(query.text)
        wanted = set(tokens(query.text, language))
        ranked = sorted(
            hits, key=lambda hit: (-len(wanted & set(tokens(f"{hit.title} {hit.text}", language))), hit.chunk_id)
        )
        return SearchResult(tuple(ranked[: query.k or k]), log={"urls": list(urls)})

    return run


class Web:
    """Finds and reads pages, each once: what is stored is not asked for again."""

    def __init__(
        self, database: Database, settings: WebSettings, check: Callable[[str], Awaitable[None]] | None = None
    ) -> None:
        self._database = database
        self._settings = settings
        self._check = check or refuse_private

    async def find(self, query: str, language: str = "") -> tuple[str, ...]:
        """Return the addresses that a search found.

        Raises:
            UnitError: `no_key`, `web` where the service fails, `not_stored` where a replay lacks the search.
        """
        key = {"query": query, "language": language, "via": "serper"}
        with self._database.begin() as connection:
            urls = connection.execute(
                text("select urls from web_searches where query = :query and language = :language and via = :via"),
                key,
            ).scalar()
        if urls is not None:
            return tuple(urls)
        if self._settings.replay:
            raise UnitError("not_stored", f"The search `{query}` was not made before; this is a replay.")
        body = {"q": query, "num": self._settings.results, **({"hl": language} if language else {})}
        found = await self._post(
            f"{self._settings.search_base}/search", body, {"X-API-KEY": _key("SERPER_API_KEY")}
        )
        listed = tuple(str(each["link"]) for each in found.get("organic", []) if each.get("link"))[
            : self._settings.results
        ]
        row = {**key, "urls": list(listed), "asked_at": datetime.now(UTC)}
        with self._database.begin() as connection:
            insert_rows(connection, "web_searches", [row], skip_existing=True)
        return listed

    async def read(self, url: str) -> Page | None:
        """Return a page, the stored one where there is one; None where it cannot be read or must not be.

        Raises:
            UnitError: `no_key`.
        """
        with self._database.begin() as connection:
            row = connection.execute(
                text("select url, sha256, title, text from pages where url = :url order by fetched_at limit 1"),
                {"url": url},
            ).one_or_none()
        if row is not None:
            return Page(row.url, row.sha256, row.title, row.text)
        if self._settings.replay:
            return None
        try:
            await self._check(url)
            title, body = await self._read_live(url)
        except UnitError as error:
            if error.code == "no_key":
                raise
            return None
        page = Page(url, text_sha256(body), title, body)
        stored = {**vars(page), "fetched_at": datetime.now(UTC), "status": 200, "via": self._settings.reader}
        with self._database.begin() as connection:
            insert_rows(connection, "pages", [stored], skip_existing=True)
        return page

    async def _read_live(self, url: str) -> tuple[str, str]:
        base = self._settings.reader_base
        if self._settings.reader == "jina":
            headers = {"Accept": "application/json", "Authorization": f"Bearer {_key('JINA_API_KEY')}"}
            data = (await self._send("GET", f"{base}/{url}", None, headers)).get("data") or {}
            return str(data.get("title") or url), str(data.get("content") or "")
        found = await self._post(
            f"{base}/contents", {"urls": [url], "text": True}, {"x-api-key": _key("EXA_API_KEY")}
        )
        first = (found.get("results") or [{}])[0]
        return str(first.get("title") or url), str(first.get("text") or "")

    async def _post(self, url: str, body: dict[str, Any], headers: dict[str, str]) -> dict[str, Any]:
        return await self._send("POST", url, body, headers)

    async def _send(
        self, method: str, url: str, body: dict[str, Any] | None, headers: dict[str, str]
    ) -> dict[str, Any]:
        """Return the JSON object of a reply, read up to the size limit and within the time limit."""
        import json

        import httpx

        read = bytearray()
        try:
            async with (
                httpx.AsyncClient(timeout=self._settings.timeout_seconds) as client,
                client.stream(method, url, json=body, headers=headers) as reply,
            ):
                if reply.status_code != httpx.codes.OK:
                    raise UnitError("web", f"{urlsplit(url).netloc} answered {reply.status_code}.")
                async for part in reply.aiter_bytes():
                    read += part
                    if len(read) > self._settings.max_bytes:
                        raise UnitError("too_large", f"More than {self._settings.max_bytes} bytes.")
            made = json.loads(read)
        except (httpx.HTTPError, ValueError) as error:
            raise UnitError("web", f"{urlsplit(url).netloc}: {type(error).__name__}.") from error
        if not isinstance(made, dict):
            raise UnitError("web", f"{urlsplit(url).netloc} sent no JSON object.")
        return made


async def refuse_private(url: str) -> None:
    """Refuse an address that is not http(s), or whose host is, or resolves to, anything but a public address.

    Raises:
        UnitError: `forbidden_url`.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
        raise UnitError("forbidden_url", f"`{url[:100]}` is no plain http or https address.")
    try:
        found = await asyncio.to_thread(socket.getaddrinfo, parts.hostname, None)
    except (OSError, UnicodeError) as error:
        raise UnitError("forbidden_url", f"`{parts.hostname}` has no address.") from error
    for *_, address in found:
        if not ipaddress.ip_address(str(address[0]).split("%")[0]).is_global:
            raise UnitError("forbidden_url", f"`{parts.hostname}` is not a public address.")


def page_hits(page: Page) -> list[Hit]:
    """Return a page cut into windows, as foreign evidence."""
    paragraphs = [" ".join(part.split()) for part in page.text.split("\n\n") if part.strip()]
    document = f"{FOREIGN}{page.sha256[:12]}"
    return [
        Hit(
            chunk_id=chunk.chunk_id,
            text_sha256=text_sha256(chunk.text),
            video_id=document,
            title=page.title,
            published_at=NO_DATE,
            start_seconds=chunk.start_seconds,
            text=chunk.text,
            score=0.0,
            why={"url": page.url, "page_sha256": page.sha256},
        )
        for chunk in chunk_document(document, paragraphs, _WORDS, _CHARACTERS, language_of_script(page.text))
    ]


def _key(name: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise UnitError("no_key", f"{name} is not set in the environment.")
    return value
