"""The web application: its addresses, and what each of them answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache
from html import escape
from pathlib import Path
from urllib.parse import quote

import msgspec
from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from ..decoding import built
from ..errors import FaError, NotFound, UnknownGame, UsageError, in_words
from ..games import find_game
from ..printing.text import counted
from ..viewer.drawing import STYLE
from ..viewer.replay_page import PageWriter, replay_page
from .bots.door import Doors
from .contests.live_games import LiveGames
from .contests.overview import Contests, record_in
from .gate import LARGEST, Gate, Rate, bears
from .lobby import Lobby, NewTable
from .messages import FromPage, Join, Refused, read_page, write
from .rules_page import rules_html
from .saved_table import is_same
from .stage import Follower, Stage

_ASSETS = Path(__file__).parent / "assets"
_MOST_FOLLOWERS = 500
"""Pages that may follow one game."""
_JOIN_SECONDS = 10.0
"""The time in which a page must say its token."""
_ENOUGH = 20
"""Messages of a page that may be wrong; then it is cut off."""
_UNKNOWN, _OVER, _TOO_MANY, _FULL, _TOO_LONG = 4404, 4410, 4429, 4430, 1009
"""Codes of closed connections: no such game or token, a game that is over and has a replay, too many messages, too many
pages, too long a message."""


class _Number(IntegerConvertor):
    """A whole number in an address."""

    regex = "[0-9]{1,18}"


register_url_convertor("number", _Number())


class Site:
    """All pages. `owner`: the secret of the link that may seat bots; `address`: how others reach them, if they do."""

    def __init__(
        self, lobby: Lobby, contests: Contests, doors: Doors, owner: str, address: str, say: Callable[[str], None]
    ) -> None:
        self._lobby = lobby
        self._contests = contests
        self._live_games = LiveGames(contests, say)
        self._doors = doors
        self._owner = owner
        self._address = address
        self._say = say
        self._openings = Rate(0.5, 20)

    def application(self, hosts: Sequence[str], is_public: bool) -> Starlette:
        """The application for uvicorn; it plays all saved tables on."""
        return Starlette(
            routes=[
                Route("/", _page("lobby", "Lobby")),
                Route("/table/{number:number}", _page("table", "Table")),
                Route("/table/{number:number}/replay", self.replay),
                Route("/contest/{name}", _page("contest", "Tournament")),
                Route("/contest/{name}/game/{number:number}", self.contest_game),
                Route("/contest/{name}/playing/{number:number}", self.live_game),
                Route("/contest/{name}/playing/{number:number}/replay", self.contest_game),
                WebSocketRoute("/contest/{name}/playing/{number:number}/socket", self.live_socket),
                Route("/contest/{name}/report", self.contest_report),
                Route("/rules/{game}", self.rules),
                Route("/api/lobby", self.lobby),
                Route("/api/tables", self.open_table, methods=["POST"]),
                Route("/api/tables/{number:number}/close", self.close_table, methods=["POST"]),
                Route("/api/tables/{number:number}/hand-over/{seat:number}", self.hand_over, methods=["POST"]),
                Route("/api/contests/{name}", self.contest),
                WebSocketRoute("/table/{number:number}/socket", self.socket),
                Route("/assets/board.css", _board_style),
                Mount("/assets", StaticFiles(directory=_ASSETS)),
                *self._doors.routes(),
            ],
            middleware=[Middleware(Gate, hosts=hosts, is_public=is_public)],
            exception_handlers={FaError: self._refuse, 404: _nowhere, Exception: _hide},
            lifespan=self._lifespan,
        )

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        for problem in await self._lobby.restore():
            self._say(problem)
        yield
        saved = await self._lobby.close()
        if saved:
            self._say(f"saved {counted(saved, 'unfinished table')}; the next fa serve plays on")

    async def _refuse(self, request: Request, error: Exception) -> Response:
        """A sentence in place of what was asked for; what may name files goes to the terminal."""
        if isinstance(error, UsageError):
            return _told(request, str(error), 404 if isinstance(error, NotFound) else 400)
        self._say(in_words(error))
        return _told(request, "that is not possible now; the terminal of the server says why", 500)

    # -- the lobby

    async def lobby(self, request: Request) -> Response:
        """What can be played, and what is being played."""
        is_owner = self._is_owner(request)
        return _json(
            {
                "owner": is_owner,
                "address": self._address if is_owner else "",
                "games": self._lobby.games(),
                "bots": self._lobby.bot_offers if is_owner else [],
                "tables": await self._lobby.tables(is_owner),
                "contests": await asyncio.to_thread(self._contests.rows),
                "logs": await asyncio.to_thread(self._contests.logs) if is_owner else [],
            }
        )

    async def open_table(self, request: Request) -> Response:
        """Open a table."""
        if not self._openings.take():
            raise UsageError("too many new tables: wait a moment")
        body = await _body(request)
        try:
            wanted = msgspec.json.decode(body, type=built(NewTable))
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise UsageError(f"that is not a table: {error}") from None
        return _json(await self._lobby.open(wanted, self._is_owner(request)))

    async def close_table(self, request: Request) -> Response:
        """Close a table whose game is not over; nothing is recorded."""
        self._check_owner(request, "closes tables")
        await self._lobby.drop(request.path_params["number"])
        return _json({})

    async def hand_over(self, request: Request) -> Response:
        """Let a bot play on for a person who is away."""
        self._check_owner(request, "lets a bot play on for somebody")
        number, seat = request.path_params["number"], request.path_params["seat"]
        room = self._lobby.room(number)
        if not room:
            raise NotFound(f"no table {number}")
        room.hand_over(seat)
        return _json({})

    def _check_owner(self, request: Request, what: str) -> None:
        if not self._is_owner(request):
            raise UsageError(f"only the owner of this server {what}: open the link that `fa serve` printed")

    def _is_owner(self, request: Request) -> bool:
        return bears(request.headers, self._owner)

    # -- a table

    async def socket(self, socket: WebSocket) -> None:
        """The conversation with a page of a table."""

        async def admit(join: Join) -> tuple[Stage, Follower] | None:
            room = self._lobby.room(socket.path_params["number"])
            try:
                return (room, room.join(room.table.saved.audience(join.token))) if room else None
            except KeyError:
                return None

        async def is_over() -> bool:
            return self._lobby.log(socket.path_params["number"]).exists()

        await _receive(socket, admit, is_over)

    async def replay(self, request: Request) -> Response:
        """The replay page of a finished table."""
        number = request.path_params["number"]
        room = self._lobby.room(number)
        if room and not room.finish:
            raise UsageError("this game is not over yet: its replay shows all hands")
        return await asyncio.to_thread(_replay, self._lobby.log(number), 1, ("/", "Lobby"))

    # -- contests

    async def contest(self, request: Request) -> Response:
        """A tournament at this moment."""
        return _json(await asyncio.to_thread(self._contests.look, request.path_params["name"]))

    async def contest_game(self, request: Request) -> Response:
        """The replay page of a finished game of a tournament."""
        name, number = request.path_params["name"], request.path_params["number"]
        way_back = f"/contest/{quote(name)}", "Tournament"
        await asyncio.to_thread(self._contests.check_deal, name, number)
        return await asyncio.to_thread(_replay, self._contests.log(name), number, way_back)

    async def live_game(self, request: Request) -> Response:
        """A game of a tournament that is being played, or its replay if it is over."""
        name, number = request.path_params["name"], request.path_params["number"]
        if await asyncio.to_thread(self._contests.finished, name, number):
            return RedirectResponse(f"/contest/{quote(name)}/game/{number}")
        return await _page("table", "Game")(request)

    async def live_socket(self, socket: WebSocket) -> None:
        """What spectators of a game in progress get."""
        name, number = socket.path_params["name"], socket.path_params["number"]

        async def admit(join: Join) -> tuple[Stage, Follower] | None:
            try:
                return await self._live_games.join(name, number, is_same(self._owner, join.token))
            except NotFound:
                return None
            except FaError as error:
                self._say(str(error))
                return None

        async def is_over() -> bool:
            try:
                return bool(await asyncio.to_thread(self._contests.finished, name, number))
            except FaError:
                return False

        await _receive(socket, admit, is_over)

    async def contest_report(self, request: Request) -> Response:
        """The report of a tournament."""
        return _self_contained(await asyncio.to_thread(self._contests.report, request.path_params["name"]))

    async def rules(self, request: Request) -> Response:
        """The rules of a game."""
        try:
            game = find_game(request.path_params["game"])
        except UnknownGame as error:
            raise NotFound(str(error)) from None
        title = f"{game.title}: rules"
        return _document("rules", title, _asset("rules.html").format(title=title, rules=rules_html(game)))


async def _receive(
    socket: WebSocket,
    admit: Callable[[Join], Awaitable[tuple[Stage, Follower] | None]],
    is_over: Callable[[], Awaitable[bool]],
) -> None:
    """Let a page follow what `admit` lets it follow; if nothing, close the connection, and say if the game is over."""
    await socket.accept()
    with suppress(WebSocketDisconnect, TimeoutError):
        async with asyncio.timeout(_JOIN_SECONDS):
            message = await _next_message(socket)
        admitted = await admit(message) if isinstance(message, Join) else None
        if not admitted:
            code = _OVER if await is_over() else _UNKNOWN
            await socket.close(code, "this link leads to no game that is being played")
        elif admitted[0].followers > _MOST_FOLLOWERS:
            admitted[0].disconnect(admitted[1])
            await socket.close(_FULL, "too many people watch this game")
        else:
            await _converse(socket, *admitted)


async def _converse(socket: WebSocket, stage: Stage, follower: Follower) -> None:
    """Exchange messages until the page goes."""
    sender = asyncio.create_task(_send_all(socket, follower))
    rate, wrong = Rate(), 0
    try:
        while wrong < _ENOUGH:
            message = await _next_message(socket)
            if not rate.take():
                await socket.close(_TOO_MANY, "too many messages")
                return
            if message is None or isinstance(message, Join):
                wrong += 1
                follower.put(write.encode(Refused("This message is not part of the protocol.")))
            else:
                stage.answer(follower, message)
        await socket.close(_TOO_MANY, "too many wrong messages")
    finally:
        sender.cancel()
        stage.disconnect(follower)


async def _send_all(socket: WebSocket, follower: Follower) -> None:
    """Send what is in the queue, until the connection is lost."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while (message := await follower.outgoing.get()) is not None:
            await socket.send_text(message.decode())
        await socket.close(_TOO_MANY, "this page is too slow")


async def _next_message(socket: WebSocket) -> FromPage | None:
    """A message of a page; None for one that is not part of the protocol. Raises WebSocketDisconnect."""
    received = await socket.receive()
    if received["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(received.get("code", 1000))
    content = received.get("text") or received.get("bytes") or b""
    if len(content) > LARGEST:
        await socket.close(_TOO_LONG, f"a message has at most {LARGEST} bytes")
        raise WebSocketDisconnect(_TOO_LONG)
    try:
        return read_page.decode(content)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


async def _body(request: Request) -> bytes:
    """The body of a request. Raises UsageError if it is too long."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            raise UsageError(f"the request is longer than {LARGEST} bytes")
    return body


def _page(name: str, title: str) -> Callable[[Request], Awaitable[Response]]:
    """A page that is the same for all; what it shows, its script fetches."""

    async def page(request: Request) -> Response:
        return _document(name, title, _asset(f"{name}.html"))

    return page


def _document(name: str, title: str, body: str, status: int = 200) -> Response:
    """A page with the style of all; `name` is that of its script, and the class of its body."""
    return HTMLResponse(_asset("page.html").format(name=name, title=escape(title), body=body), status)


@cache
def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


async def _board_style(request: Request) -> Response:
    return Response(STYLE, media_type="text/css")


def _replay(log: Path, number: int, way_back: tuple[str, str]) -> Response:
    """The replay page of a game of a log, from 1, with a link as an address and its text. Raises NotFound, LogError."""
    record = record_in(log, number)
    if not record:
        raise NotFound(f"no game {number}")
    writer = PageWriter(None)
    writer.add(record, number)
    return _self_contained(replay_page(log.stem, writer, links=[way_back]))


def _self_contained(page: str) -> Response:
    """A page with its own script, style and policy in it."""
    return HTMLResponse(page, headers={"content-security-policy": "frame-ancestors 'none'"})


def _json(value: object, status: int = 200) -> Response:
    return Response(write.encode(value), status, media_type="application/json")


def _told(request: Request, why: str, status: int) -> Response:
    """A sentence in place of what was asked for: for a person a page with the way to the lobby, for a script JSON."""
    if "text/html" not in request.headers.get("accept", ""):
        return _json({"error": why}, status)
    title, text = "Nothing to show here", f"<p>{escape(why[:1].upper() + why[1:])}.</p>\n"
    return _document("rules", title, _asset("rules.html").format(title=title, rules=text), status)


async def _nowhere(request: Request, error: Exception) -> Response:
    return _told(request, "no page has this address", 404)


async def _hide(request: Request, error: Exception) -> Response:
    """No page shows what went wrong inside."""
    return _told(request, "something went wrong; the terminal of the server says what", 500)
