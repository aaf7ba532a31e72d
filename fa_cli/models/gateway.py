"""The gateway of one bot to its model: a server on a Unix socket, the only way out of the sandbox.

It forwards chat completions to the provider that the bot.toml names and to nobody else, adds the key, which the bot
never sees, and keeps every exchange. It forwards only while the bot is asked for a decision.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import ThreadingMixIn, UnixStreamServer
from typing import Any

import msgspec

from ..decoding import built
from ..errors import LogError, ProviderAway
from ..printing.text import cut
from .exchanges import BudgetSpent, Exchange, Exchanges, SeatTotals, totals
from .model import Model, ModelRun
from .provider import LATE, LONGEST, Away, Reply, Unusable, ask
from .sending import SENDING

_RESERVE = 0.1
"""Seconds of a decision's clock that are left to the bot after the last attempt; at most a tenth of them."""
_CHOOSING = frozenset(("models", "route", "provider", "preset", "service_tier"))
"""Fields by which some providers take another model, or another price; only the bot.toml may set them."""
_LONGEST_PROBLEM = 500
_CLOSE_SECONDS = 1.0
_PAUSE = 0.1
_encode = msgspec.json.Encoder(order="sorted").encode


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Choice(msgspec.Struct):
    finish_reason: str | None = None


class _Completion(msgspec.Struct):
    """What is read of an answer."""

    usage: _Usage | None = None
    choices: list[_Choice] | None = None


class Gateway:
    """A gateway for the bot called `name`; the socket's path is `socket`. `close` must be called."""

    def __init__(self, name: str, model: Model, run: ModelRun) -> None:
        self._name = name
        self._model = model
        self._exchanges = Exchanges(run, name, model.budget)
        self._folder = tempfile.mkdtemp(prefix="fa-model-")
        self.socket = str(Path(self._folder, "socket"))
        self._server = _Server(self.socket, _Handler)
        self._server.gateway = self
        Path(self.socket).chmod(0o666)  # root's bots run as nobody; the folder is ours alone
        threading.Thread(target=self._server.serve_forever, name="gateway", daemon=True).start()
        self._one = threading.Lock()  # held while a request is with the provider
        self._lock = threading.Lock()
        self.game = -1
        """The game that was begun last."""
        self._seat = 0
        self._decision = 0
        self._deadline: float | None = None
        self._pending = 0
        self._trouble: ProviderAway | None = None

    def close(self) -> None:
        """Stop the server."""
        self._server.shutdown()
        self._server.server_close()
        shutil.rmtree(self._folder, ignore_errors=True)
        if self._one.acquire(timeout=_CLOSE_SECONDS):  # an answer that comes now is paid: it is kept
            self._exchanges.close()

    def begin_game(self, game: int, seat: int) -> None:
        """A game begins, perhaps again; answers that are known from before are used again."""
        self.game, self._seat = game, seat
        self._exchanges.begin_game(game, seat)

    def begin_decision(self, decision: int, seconds: float) -> None:
        """The bot is asked for a decision of its game, from 1 on, and may send requests for so many seconds."""
        with self._lock:
            self._decision, self._trouble = decision, None
            self._deadline = time.monotonic() + seconds - min(_RESERVE, seconds / 10)

    def end_decision(self, late: bool) -> ProviderAway | None:
        """The bot has answered, or its time was up (`late`). Returns why its model gave it no answer, if so."""
        with self._lock:
            self._deadline = None
            if late and self._pending and not self._trouble:
                self._trouble = self._away(LATE)
            return self._trouble

    def totals(self) -> SeatTotals:
        """The totals of the game that was begun last."""
        return totals(self._exchanges.of_seat(self.game, self._seat))

    def judge(self, body: bytes) -> Reply:
        """Take the bot's verdict on the last answer: a JSON object with `problem` and `random`."""
        try:
            verdict = msgspec.json.decode(body, type=built(_Verdict))
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            return _refusal(400, str(error))
        self._exchanges.judge(self.game, self._seat, self._decision, verdict.problem[:_LONGEST_PROBLEM], verdict.random)
        return Reply(200, b"{}")

    def complete(self, body: bytes) -> Reply:
        """Answer a request for a chat completion: from the answers kept, else by the provider."""
        with self._one:
            with self._lock:
                deadline, decision, game, seat = self._deadline, self._decision, self.game, self._seat
                if deadline is None:
                    return _refusal(409, "no decision is asked for")
                if self._trouble:
                    return _refusal(503, str(self._trouble))
                self._pending += 1
            try:
                return self._complete(body, deadline, decision, game, seat)
            except (LogError, BudgetSpent) as error:
                return self._stop(ProviderAway(str(error), seat, final=True))
            finally:
                with self._lock:
                    self._pending -= 1

    def _complete(self, body: bytes, deadline: float, decision: int, game: int, seat: int) -> Reply:
        try:
            request = _encode(self._shaped(msgspec.json.decode(body, type=dict[str, Any])))
        except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
            return _refusal(400, str(error))
        model = self._model
        key = hashlib.sha256(b"\0".join((model.base_url.encode(), request))).hexdigest()
        while not (known := self._exchanges.find(game, seat, decision, key)):
            if not self._exchanges.is_awaited(game, seat, key):
                break
            if time.monotonic() > deadline:
                return self._stop(self._away("has not yet answered a process whose run was killed"))
            time.sleep(_PAUSE)
        if known:
            return Reply(200, known.answer.encode())
        # A token has at least one byte, so this is the most that the request can cost.
        most = model.cost(len(request), model.max_tokens)
        reserved = self._exchanges.reserve(game, seat, key, most)
        with SENDING.begin() as may_send:
            if not may_send:
                self._exchanges.release(reserved)
                return _refusal(503, "the run was killed")
            return self._send(request, deadline, decision, game, seat, key, reserved)

    def _send(
        self, request: bytes, deadline: float, decision: int, game: int, seat: int, key: str, reserved: int
    ) -> Reply:
        model = self._model
        began = time.monotonic()
        label = hashlib.sha256(f"{game} {seat} {decision} {key}".encode()).hexdigest()
        try:
            reply = ask(model, request, deadline, label)
        except Away as error:
            if not error.may_cost:
                self._exchanges.release(reserved)
            return self._stop(self._away(str(error), isinstance(error, Unusable)))
        if reply.status != 200:
            self._exchanges.release(reserved)
            if self._exchanges.of_seat(game, seat):
                return reply  # the settings are right, as its model has answered, and this request is wrong
            said = cut(" ".join(reply.body.decode("utf-8", "replace").split()), 300)
            why = f"refuses the request (status {reply.status}); change [model] in the bot.toml, or what the bot asks"
            self._stop(self._away(f"{why}: {said}", final=True))
            return reply
        milliseconds = round(1000 * (time.monotonic() - began))
        exchange = _exchange(model, decision, request, reply.body, milliseconds)
        with self._lock:
            in_time = self._deadline == deadline and self._decision == decision
            self._exchanges.keep(game, seat, key, exchange, reserved, used=in_time)
        return reply

    def _shaped(self, request: dict[str, Any]) -> dict[str, Any]:
        """The request as it is sent: the model, its settings and its most tokens are those of the bot.toml."""
        request = {name: value for name, value in request.items() if name not in _CHOOSING} | self._model.extra
        if request.get("stream") or request.get("n", 1) != 1:
            raise ValueError("ask for one answer, and not for a stream")
        model = self._model
        limit = "max_completion_tokens" if "max_completion_tokens" in request else "max_tokens"
        asked = request.pop(limit, None)
        request.pop("max_tokens", None)  # a provider may heed the larger of two limits
        most = min(asked, model.max_tokens) if isinstance(asked, int) else model.max_tokens
        temperature = {} if model.temperature is None else {"temperature": model.temperature}
        return request | temperature | {"model": model.model, limit: most}

    def _away(self, reason: str, final: bool = False) -> ProviderAway:
        return ProviderAway(f"{self._name} can't play: {self._model.host} {reason}", self._seat, final)

    def _stop(self, trouble: ProviderAway) -> Reply:
        """Refuse all that the bot still wants for this decision."""
        with self._lock:
            if self._deadline is not None:
                self._trouble = trouble
        return _refusal(503, str(trouble))


class _Verdict(msgspec.Struct):
    problem: str
    random: bool = False


def _exchange(model: Model, decision: int, request: bytes, answer: bytes, milliseconds: int) -> Exchange:
    """The exchange with what the answer says of itself; tokens that it does not state are the most possible ones."""
    try:
        said = msgspec.json.decode(answer, type=built(_Completion))
    except msgspec.MsgspecError:
        said = _Completion()
    usage, choices = said.usage or _Usage(), said.choices or [_Choice()]
    tokens_in = _count(usage.prompt_tokens, len(request))
    tokens_out = _count(usage.completion_tokens, model.max_tokens)
    return Exchange(
        decision,
        model.model,
        request.decode(),
        answer.decode("utf-8", "replace"),
        tokens_in,
        tokens_out,
        model.cost(tokens_in, tokens_out),
        milliseconds,
        (choices[0].finish_reason or "")[:80],
    )


def _count(stated: int | None, most: int) -> int:
    return most if stated is None or not 0 <= stated < 1 << 40 else stated


def _refusal(status: int, reason: str) -> Reply:
    return Reply(status, _encode({"error": {"message": reason, "type": "fa"}}))


class _Server(ThreadingMixIn, UnixStreamServer):
    daemon_threads = True
    block_on_close = False
    gateway: Gateway

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing: the bot was stopped while it was answered."""


class _Handler(BaseHTTPRequestHandler):
    """Speaks HTTP with the bot."""

    protocol_version = "HTTP/1.1"
    timeout = 3600
    server: _Server

    def do_POST(self) -> None:
        size = self.headers.get("Content-Length", "")
        if not size.isdigit() or int(size) > LONGEST:
            self.close_connection = True
            self._send(_refusal(413, f"a request has a Content-Length of at most {LONGEST:,}"))
            return
        body, gateway = self.rfile.read(int(size)), self.server.gateway
        if self.path == "/v1/chat/completions":
            self._send(gateway.complete(body))
        elif self.path == "/v1/verdict":
            self._send(gateway.judge(body))
        else:
            self._send(_refusal(404, "this gateway has /v1/chat/completions and /v1/verdict"))

    def _send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: a bot could fill our stderr."""
