"""Telling people: one message to a webhook, in Slack's JSON. It never fails what it tells of."""

import json
import logging
from collections.abc import Iterable
from urllib.parse import urlsplit

from answertrail_pipeline.settings import NotifySettings

log = logging.getLogger(__name__)

MOST_LINES = 20
MOST_CHARACTERS = 3000


def notify(settings: NotifySettings, title: str, lines: Iterable[str] = ()) -> bool:
    """Send a message to the configured webhook and return whether it arrived; without one nothing happens.

    What is sent is one JSON object `{"text": ...}`, as Slack, Mattermost and most others take it. A webhook that
    cannot be reached is logged by its host only: its path is the secret.

    Args:
        title: what happened, in a few words.
        lines: the details; at most 20 are sent.
    """
    if settings.webhook is None:
        return False
    import httpx

    url = settings.webhook.get_secret_value()
    where = urlsplit(url).hostname
    body = json.dumps({"text": message(title, lines)}, ensure_ascii=False)
    request = httpx.Request(
        "POST",
        url,
        content=body.encode("utf-8", "replace"),
        headers={"Content-Type": "application/json; charset=utf-8"},
        extensions={"timeout": httpx.Timeout(settings.timeout_seconds).as_dict()},
    )
    try:
        with httpx.HTTPTransport() as transport:  # a client would log the whole address
            answer = transport.handle_request(request)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        log.warning("The webhook at %s was not told of “%s”: %s.", where, title, type(error).__name__)
        return False
    if not answer.is_success:
        log.warning("The webhook at %s answered %s to “%s”.", where, answer.status_code, title)
    return answer.is_success


def message(title: str, lines: Iterable[str]) -> str:
    """Return a message: a title in bold and the details, one a line, cut where they are too many.

    >>> message("A run failed", ["claims: 2 units failed"])
    '*A run failed*\\n• claims: 2 units failed'
    """
    listed = [" ".join(line.split()) for line in lines]
    more = len(listed) - MOST_LINES
    listed = listed[:MOST_LINES] + ([f"and {more} more"] if more > 0 else [])
    text = "\n".join([f"*{_plain(title)}*", *(f"• {_plain(line)}" for line in listed)])
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"


def _plain(words: str) -> str:
    """Escape what Slack would read as a link or a mention; titles of videos are other people's words."""
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
