"""Who may come in: the start-up link's token or a proxy's user, and what every response says to browsers."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
        " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True)
class Access:
    """The rules of one running workbench.

    Attributes:
        token: what the start-up link carries; a cookie takes its place afterwards.
        user_header: the header in which a reverse proxy names the signed-in person; no token is asked for then.
        hosts: names under which the workbench answers: another name in `Host` is a rebound DNS entry.
        cookie: name of the cookie; browsers do not keep the ports of one host apart, so it holds ours.
    """

    user_header: str | None = None
    hosts: tuple[str, ...] = LOOPBACK
    cookie: str = "answertrail"
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    @property
    def session(self) -> str:
        """The cookie's value; the token cannot be read from it."""
        return self._signed("session")

    def csrf(self, person: str) -> str:
        """Return what every form of a person carries."""
        return self._signed(f"form {person}")

    def is_token(self, given: str) -> bool:
        """Whether somebody came with the start-up link."""
        return hmac.compare_digest(given.encode(), self.token.encode())

    def lets_in(self, request: Request) -> bool:
        """Whether a request comes from the proxy's user, or from a browser that had the link once."""
        if self.user_header:
            return bool(self.proxy_user(request))
        return hmac.compare_digest(request.cookies.get(self.cookie, "").encode(), self.session.encode())

    def proxy_user(self, request: Request) -> str:
        """Return the person that the proxy names; empty without a proxy."""
        return request.headers.get(self.user_header, "").strip() if self.user_header else ""

    def _signed(self, words: str) -> str:
        return hmac.new(self.token.encode(), words.encode(), hashlib.sha256).hexdigest()


class Guard:
    """Lets in whom `Access` lets in, and puts the security headers on everything."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        answer = self._refusal(request)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault(
                    "Cache-Control", "no-cache" if request.url.path.startswith("/static/") else "no-store"
                )
            await send(message)

        await (answer or self._app)(scope, receive, with_headers)

    def _refusal(self, request: Request) -> Response | None:
        access = self._access
        if _hostname(request.headers.get("host", "")) not in access.hosts:
            return PlainTextResponse("This workbench does not answer under that name.", 400)
        if request.method not in ("GET", "HEAD") and not _same_origin(request.headers):
            return PlainTextResponse("This form comes from another site.", 403)
        if request.url.path.startswith("/static/"):
            return None
        given = request.query_params.get("token")
        if given is not None and not access.user_header:
            return self._take_token(request, given)
        if access.lets_in(request):
            return None
        words = "Open the link that `answertrail workbench` printed when it started: it carries a token."
        if access.user_header:
            words = "The proxy in front of this workbench names no user."
        return PlainTextResponse(words, 401)

    def _take_token(self, request: Request, given: str) -> Response:
        """Give the cookie for the token, and take the token out of the address bar and the history."""
        if not self._access.is_token(given):
            return PlainTextResponse("That token is of another start of the workbench. Use the newest link.", 401)
        rest = urlencode([pair for pair in parse_qsl(request.url.query) if pair[0] != "token"])
        path = "/" + request.url.path.lstrip("/")  # `//elsewhere` would lead away
        response = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
        response.set_cookie(self._access.cookie, self._access.session, httponly=True, samesite="lax")
        return response


def _hostname(host: str) -> str:
    return urlsplit(f"//{host}").netloc.rpartition("@")[2].removesuffix(_port(host)).lower()


def _port(host: str) -> str:
    _, colon, port = host.rpartition(":")
    return colon + port if port.isdigit() else ""


def _same_origin(headers: Headers) -> bool:
    """Whether a form was sent by a page of ours; browsers send `Origin` with every POST, others need not."""
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")
