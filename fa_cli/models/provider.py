"""One request to a provider: sent again with growing pauses while the decision's clock allows it."""

from __future__ import annotations

import random
import socket
import ssl
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPSConnection
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from ..printing.text import counted
from .model import Model

LONGEST = 1 << 20
"""The most bytes of a request, and of an answer."""
LATE = "gave no answer in the time for the decision (--move-time)"
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 10.0
_TRANSIENT = frozenset((408, 409, 425, 429))
"""Statuses besides 5xx after which a request is sent again."""
_SPENT_UP = "insufficient_quota"
_NO_MODEL = "model_not_found"


class Away(Exception):
    """The provider gave no answer, to an attempt or in time. The text is a phrase that begins with a verb."""

    def __init__(self, reason: str, may_cost: bool, pause: float = 0.0) -> None:
        super().__init__(reason)
        self.may_cost = may_cost
        """Whether an attempt may have been paid."""
        self.pause = pause
        """Seconds before the next attempt that the provider asks for."""


class Unusable(Away):
    """It will never answer as things are set; the text says what to set."""


class Reply(NamedTuple):
    """What a provider answered: an answer to use (200), or why it does not take the request (4xx)."""

    status: int
    body: bytes


def ask(model: Model, body: bytes, deadline: float, label: str) -> Reply:
    """Send a request until it is answered or `deadline` (`time.monotonic`) is too near. Raises Away, Unusable.

    `label` is the same whenever the same request is sent, for providers that then charge it once.
    """
    may_cost, attempt = False, 0
    while True:
        left = deadline - time.monotonic()
        try:
            if left <= 0:
                raise Away(LATE, False)
            return _attempt(model, body, min(left, model.timeout), label)
        except Away as error:
            may_cost = error.may_cost = may_cost or error.may_cost
            backoff = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**attempt) * random.uniform(0.5, 1.0)
            pause = max(error.pause, backoff)
            if isinstance(error, Unusable) or time.monotonic() + pause >= deadline:
                raise
        time.sleep(pause)
        attempt += 1


def _attempt(model: Model, body: bytes, seconds: float, label: str) -> Reply:
    """Send a request once. Raises Away, Unusable."""
    url = urlsplit(model.base_url)
    connect = HTTPSConnection if url.scheme == "https" else HTTPConnection
    connection = connect(url.hostname or "", url.port or connect.default_port, timeout=seconds)
    headers = {"Content-Type": "application/json", "Accept": "application/json", "Idempotency-Key": label}
    if model.key:
        headers["Authorization"] = f"Bearer {model.key}"
    until = time.monotonic() + seconds
    timer = threading.Timer(seconds, _cut, [connection])  # a timeout of the socket begins anew with each byte
    timer.daemon = True
    timer.start()
    sent = False
    try:
        connection.connect()
        sent = True
        connection.request("POST", f"{url.path.rstrip('/')}/chat/completions", body, headers)
        response = connection.getresponse()
        content = response.read(LONGEST + 1)
        if response.length and len(content) <= LONGEST:
            raise Away("cut its answer short", may_cost=response.status == 200)
    except ssl.SSLCertVerificationError as error:
        raise Unusable(f"has no valid certificate ({error.verify_message}): check base_url", False) from None
    except socket.gaierror as error:
        if error.errno == socket.EAI_NONAME:
            raise Unusable("can't be looked up: check base_url and the network", False) from None
        raise Away(f"can't be looked up ({error.strerror})", False) from None
    except (OSError, HTTPException, ValueError) as error:
        if time.monotonic() >= until:
            raise Away(f"gave no whole answer within {counted(float(f'{seconds:.3g}'), 'second')}", sent) from None
        reason = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
        raise Away(f"{'closed the connection' if sent else 'can not be reached'} ({reason})", sent) from None
    finally:
        timer.cancel()
        connection.close()
    if model.key:
        content = content.replace(model.key.encode(), b"[key]")  # some providers repeat it in what they answer
    return _judged(model, response.status, response.headers, content)


def _cut(connection: HTTPConnection) -> None:
    """End all reads and writes of a connection."""
    with suppress(OSError):  # it has ended by itself
        if connection.sock is not None:
            socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)


def _judged(model: Model, status: int, headers: HTTPMessage, content: bytes) -> Reply:
    """The reply if the bot can use it. Raises Away, Unusable."""
    if status == 200:
        kind = headers.get_content_type()
        if len(content) > LONGEST:
            raise Away(f"answered with more than {LONGEST:,} bytes", True)
        if kind != "application/json":
            raise Away(f"answered with {kind[:80]} in place of JSON", True)
        try:
            msgspec.json.decode(content, type=dict[str, object])
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            raise Away("answered with something other than a JSON object", True) from None
        return Reply(status, content)
    if status in (401, 403):
        named = f"the key in {model.key_env}" if model.key_env else "requests without a key"
        raise Unusable(f"refuses {named} (status {status}): set key_env and that variable", False)
    if status == 404 or (status == 400 and _NO_MODEL.encode() in content):
        raise Unusable(f"has no model {model.model!r} at {model.base_url}: set model or base_url", False)
    if status == 402 or _SPENT_UP.encode() in content:
        raise Unusable(f"wants to be paid (status {status}): your account there has no credit", False)
    if 300 <= status < 400:
        raise Unusable(f"sends requests on to another address (status {status}): set base_url", False)
    if status >= 500 or status in _TRANSIENT:
        raise Away(f"answered with status {status}", False, _retry_after(headers.get("Retry-After", "")))
    return Reply(status, content)


def _retry_after(text: str) -> float:
    """The seconds in a header `Retry-After`: a number or a date."""
    try:
        if text.strip().isdigit():
            return float(text[:9])
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return 0.0
