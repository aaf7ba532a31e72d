"""The host's side: bots come in by WebSocket, referees of this machine ask them, and lines go to and fro.

The host only passes lines on. It keeps those without an answer, so that a bot that comes back gets them again; a
referee that comes back sends its own again. Both sides ignore what they know, by its number.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import secrets
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import monotonic, strftime
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from ...errors import UsageError
from ...isolation.discovery import invalid_name, is_name
from ...isolation.transport.remote import ENDING, HOST_FILE, Connected, Host, RemoteBot, connected
from ...printing.text import cut
from ...protocol.remote_messages import (
    REFUSED,
    REPLACED,
    Close,
    Join,
    Line,
    Ping,
    Pong,
    Relayed,
    Reply,
    ToBot,
    read_from_bot,
    read_from_referee,
    write,
)
from ...system import write_atomically
from ..gate import LARGEST, bears
from ..saved_table import kept_secret

_TOO_LONG, _WRONG, _LATE = 1009, 4400, 4408
"""Codes of closed connections: a message is too long, or not part of the protocol; no pong came."""
_JOIN_SECONDS = 10.0
"""The time in which a bot must say its token."""
_PING_SECONDS = 5.0
_PINGS = 21
"""Pings of which the median counts."""
_LOST_PINGS = 3
"""Pings without an answer after which a connection counts as lost."""
_MOST_NETWORK = 1.0
"""The most seconds that the network may take without counting on the clock."""
_ENOUGH = 100
"""Messages of a bot that nobody asked for; then it is cut off."""
_KEPT_SECONDS = 60.0
"""Time after which a program is closed whose referee has gone without a word."""
_WAITING = 1000
"""Messages that may wait for one connection."""


class _Unusable(Exception):
    """A message that the host can't use: the code and the reason with which the connection is closed."""


class _Outgoing:
    """What is to be sent on one connection. `send_all` sends it."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._queue: asyncio.Queue[ToBot | Relayed | tuple[int, str]] = asyncio.Queue(_WAITING)

    def put(self, message: ToBot | Relayed | tuple[int, str]) -> None:
        """Send a message, or close the connection with this code and reason. A full queue loses it."""
        with suppress(asyncio.QueueFull):
            self._queue.put_nowait(message)

    async def send_all(self) -> None:
        """Send until the connection is closed or lost."""
        with suppress(WebSocketDisconnect, RuntimeError):
            while not isinstance(message := await self._queue.get(), tuple):
                await self._socket.send_text(write.encode(message).decode())
            await self._socket.close(*message)


class _Seat:
    """A program of a bot that a referee uses."""

    def __init__(self) -> None:
        self.referee: _Outgoing | None = None
        self.unanswered: list[Line] = []


class _Door:
    """One bot: its connection, if it has one, and its programs."""

    def __init__(self) -> None:
        self.bot: _Outgoing | None = None
        self.seats: dict[str, _Seat] = {}
        self._closed: deque[Close] = deque(maxlen=_WAITING)
        """What was closed while the bot was not connected."""
        self._round_trips: deque[float] = deque(maxlen=_PINGS)
        self._pinged: dict[int, float] = {}
        self._pings = 0

    @property
    def network(self) -> float:
        """The seconds that the network takes for a line and its answer."""
        return min(_MOST_NETWORK, median(self._round_trips)) if self._round_trips else 0.0

    def enter(self, bot: _Outgoing) -> None:
        """A bot has connected; it gets what it has not answered. A connection that it had before is closed."""
        if self.bot:
            self.bot.put((REPLACED, "this bot has connected again"))
        self.bot = bot
        self._pinged.clear()
        for seat in self.seats.values():
            for line in seat.unanswered:
                bot.put(line)
        while self._closed:
            bot.put(self._closed.popleft())

    async def keep_pinging(self, bot: _Outgoing) -> None:
        """Measure the network, and close a connection that is dead."""
        while len(self._pinged) < _LOST_PINGS:
            self._pings += 1
            self._pinged[self._pings] = monotonic()
            bot.put(Ping(self._pings))
            await asyncio.sleep(_PING_SECONDS)
        bot.put((_LATE, "no answer to pings"))

    def pong(self, number: int) -> bool:
        """Note that a ping has come back; false if none was sent."""
        sent = self._pinged.pop(number, None)
        if sent is not None:
            self._round_trips.append(monotonic() - sent)
        return sent is not None

    def answer(self, reply: Reply) -> bool:
        """Pass on an answer; false if it answers nothing."""
        seat = self.seats.get(reply.session)
        if not seat or all(line.number != reply.number for line in seat.unanswered):
            return False
        seat.unanswered = [line for line in seat.unanswered if line.number > reply.number]
        if seat.referee:
            seat.referee.put(Relayed(reply.number, reply.line, reply.lost, self.network))
        return True

    def ask(self, referee: _Outgoing, line: Line) -> None:
        """Pass on a line; one that comes again is sent again."""
        seat = self.seats.setdefault(line.session, _Seat())
        seat.referee = referee
        seat.unanswered = [other for other in seat.unanswered if other.number != line.number] + [line]
        if self.bot:
            self.bot.put(line)

    def close(self, message: Close) -> None:
        """A program is needed no more."""
        if self.seats.pop(message.session, None):
            (self.bot.put if self.bot else self._closed.append)(message)

    def lose(self, referee: _Outgoing) -> None:
        """A referee has gone; it may come back."""
        for session, seat in self.seats.items():
            if seat.referee is referee:
                seat.referee = None
                asyncio.get_running_loop().call_later(_KEPT_SECONDS, self._forget, session, seat)

    def _forget(self, session: str, seat: _Seat) -> None:
        if seat.referee is None and self.seats.get(session) is seat:
            self.close(Close(session))


class Doors:
    """The doors of the bots with these names, whose files are in `folder`. Raises UsageError, OSError."""

    def __init__(self, folder: Path, names: Sequence[str], say: Callable[[str], None]) -> None:
        for name in names:
            if not is_name(name):
                raise UsageError(f"--bots: {invalid_name(name)}")
        self._folder = folder
        self._say = say
        self._doors = {name: _Door() for name in names}
        self._referee_key = secrets.token_urlsafe(16)
        self._secret = kept_secret(folder / "secret").encode() if names else b""
        """What all tokens follow from."""

    def tokens(self) -> dict[str, str]:
        """By name of a bot: its token, which stays the same from run to run."""
        return {name: self._token(name) for name in self._doors}

    def _token(self, name: str) -> str:
        digest = hmac.digest(self._secret, name.encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")

    def announce(self, address: str) -> None:
        """Tell the referees of this machine where the host is; its address is `http://HOST:PORT`.

        Raises OSError; UsageError if there is another host, whose bots they would no longer find.
        """
        if self._doors:
            if others := connected(self._folder):
                names = ", ".join(others)
                raise UsageError(f"another fa serve --bots of this folder is running, for {names}: end it first")
            write_atomically(
                self._folder / HOST_FILE, write.encode(Host(address, self._referee_key)), replace=True, mode=0o600
            )

    def routes(self) -> list[BaseRoute]:
        """The addresses; none without bots."""
        if not self._doors:
            return []
        return [
            Route("/bots", self._list),
            WebSocketRoute("/bots/{name}/connect", self._let_bot_in),
            WebSocketRoute("/bots/{name}/seat", self._let_referee_in),
        ]

    async def _list(self, request: Request) -> Response:
        if not self._is_referee(request):
            return PlainTextResponse("this is for the referee alone\n", 403)
        states = {name: Connected(door.bot is not None, door.network) for name, door in self._doors.items()}
        return Response(write.encode(states), media_type="application/json")

    def _is_referee(self, connection: Request | WebSocket) -> bool:
        return bears(connection.headers, self._referee_key)

    async def _let_bot_in(self, socket: WebSocket) -> None:
        await socket.accept()
        name = socket.path_params["name"]
        with suppress(WebSocketDisconnect, TimeoutError):
            try:
                async with asyncio.timeout(_JOIN_SECONDS):
                    join = _decoded(await socket.receive(), read_from_bot)
            except _Unusable as unusable:
                await socket.close(*unusable.args)
                return
            token = self._token(name)  # also of unknown names, so that the answer takes the same time
            is_right = isinstance(join, Join) and secrets.compare_digest(join.token.encode(), token.encode())
            if not isinstance(join, Join) or not is_right or name not in self._doors:
                await socket.close(REFUSED, "no bot has this name and this token")
                return
            self._note(name, join)
            self._say(f"{strftime('%X')} {name} is connected")
            reason = await self._serve_bot(socket, self._doors[name])
            self._say(f"{strftime('%X')} {name} is disconnected{reason and f': {reason}'}")

    def _note(self, name: str, join: Join) -> None:
        """Keep what a bot states in its file, which is as old as the last change."""
        path, content = self._folder / f"{name}{ENDING}", write.encode(RemoteBot(join.digest, tuple(join.games)))
        if not path.exists() or path.read_bytes() != content:
            write_atomically(path, content, replace=True)

    async def _serve_bot(self, socket: WebSocket, door: _Door) -> str:
        """Converse with a bot until it goes, or says what is of no use: then the reason."""
        bot = _Outgoing(socket)
        door.enter(bot)
        tasks = [asyncio.create_task(bot.send_all()), asyncio.create_task(door.keep_pinging(bot))]
        wrong = 0
        try:
            while wrong < _ENOUGH:
                message = _decoded(await socket.receive(), read_from_bot)
                match message:
                    case Reply():
                        is_good = door.answer(message)
                    case Pong():
                        is_good = door.pong(message.number)
                    case _:
                        is_good = False
                wrong += not is_good
            raise _Unusable(_WRONG, "too many messages that nobody asked for")
        except WebSocketDisconnect:
            return ""
        except _Unusable as unusable:
            await socket.close(*unusable.args)
            return str(unusable.args[1])
        finally:
            for task in tasks:
                task.cancel()
            if door.bot is bot:
                door.bot = None

    async def _let_referee_in(self, socket: WebSocket) -> None:
        await socket.accept()
        door = self._doors.get(socket.path_params["name"])
        if not self._is_referee(socket) or not door:
            await socket.close(REFUSED, "this is for the referee alone")
            return
        referee = _Outgoing(socket)
        sender = asyncio.create_task(referee.send_all())
        try:
            while True:
                message = _decoded(await socket.receive(), read_from_referee, most=None)
                match message:
                    case Line():
                        door.ask(referee, message)
                    case Close():
                        door.close(message)
        except (WebSocketDisconnect, _Unusable):
            pass
        finally:
            sender.cancel()
            door.lose(referee)


def _decoded(received: Any, decoder: msgspec.json.Decoder[Any], most: int | None = LARGEST) -> Any:
    """A message of at most so many bytes. Raises WebSocketDisconnect, _Unusable."""
    if received["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(received.get("code", 1000))
    content = received.get("bytes") or (received.get("text") or "").encode()
    if most is not None and len(content) > most:
        raise _Unusable(_TOO_LONG, f"a message of {len(content):,} bytes: it may have at most {most:,}")
    try:
        return decoder.decode(content)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise _Unusable(_WRONG, f"a message that is not of the protocol: {cut(ascii(str(error))[1:-1], 70)}") from None
