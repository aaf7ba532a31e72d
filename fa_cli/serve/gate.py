"""What the server lets in: known hosts, pages of its own, small and few messages. And the headers of all answers."""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address
from time import monotonic
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .saved_table import is_same

LARGEST = 16_384
"""The most bytes of a message or a request's body."""
LARGEST_FRAME = 1 << 20
"""The most bytes of what referees of this machine send to remote bots; a longer message ends any connection."""
_BOTS = "/bots/"
"""Where bots connect, which are no pages: they have secrets that no browser sends by itself."""
PER_SECOND, BURST = 30.0, 120.0
"""Messages that a page may send: on average, and at once."""
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}


class Gate:
    """Refuses requests for other hosts, against DNS rebinding, and those that pages of other origins send.

    `hosts`: the names by which the server is reached; an address is always good if it listens beyond this machine,
    because only names can be bound to another address.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], is_public: bool) -> None:
        self._app = app
        self._hosts = {*_LOOPBACK, *(host.lower() for host in hosts)}
        self._is_public = is_public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        problem = self._problem(scope)
        if not problem:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": problem})
        else:
            await PlainTextResponse(f"{problem}\n", 403)(scope, receive, send)

    def _problem(self, scope: Scope) -> str:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._knows(host):
            return "this server has another name; fa serve --allow-host NAME adds one"
        origin = headers.get("origin")
        is_page = not scope["path"].startswith(_BOTS)
        must_match = is_page and (scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD"))
        if must_match and (origin is None or urlsplit(origin).netloc != host):
            return "only pages of this server may do that"
        return ""

    def _knows(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            return name in self._hosts or (self._is_public and bool(ip_address(name)))
        except ValueError:  # it is no host, or no address
            return False


def _with_headers(send: Send) -> Send:
    """Add the headers of all answers, unless the answer has its own."""

    async def send_on(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_on


def bears(headers: Headers, secret: str) -> bool:
    """Whether a request has this secret; takes the same time for each."""
    given = headers.get("authorization", "").removeprefix("Bearer ")
    return is_same(secret, given)


class Rate:
    """Counts messages: `take` says whether one more is allowed."""

    def __init__(self, per_second: float = PER_SECOND, burst: float = BURST) -> None:
        self._per_second, self._burst = per_second, burst
        self._left, self._then = burst, monotonic()

    def take(self) -> bool:
        """Count a message, and whether it may be sent."""
        now = monotonic()
        self._left = min(self._burst, self._left + (now - self._then) * self._per_second)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
