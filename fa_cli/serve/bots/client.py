"""The bot's side: connects to a host, and runs the bot's program once for each session that the host names."""

from __future__ import annotations

import asyncio
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from signal import SIGKILL
from ssl import SSLCertVerificationError, SSLError

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from ...errors import BotError, UsageError
from ...game_result import Failure
from ...isolation.discovery import Bot
from ...printing.text import cut, listed
from ...protocol.answers import read_ready
from ...protocol.messages import End, Hello, Ready, Start
from ...protocol.remote_messages import REFUSED, REPLACED, Close, Join, Line, Ping, Pong, Reply, read_to_bot, write
from ...system import signal_name
from ..gate import LARGEST

_FIRST_WAIT, _LONGEST_WAIT = 0.25, 10.0
"""Seconds before the next attempt to connect; they double."""
_START_SECONDS = 60.0
"""How long the program may take for its first answer before it connects; the host has a limit of its own."""
_ANSWERED = ("hello", "start", "decide")
"""The lines that a bot answers."""
_MOST_PROGRAMS = 256
_BAD_REQUEST, _SERVER_ERROR = 400, 500
_OVERHEAD = 300
"""Bytes of a message beside the line in it."""


class _Kind(msgspec.Struct):
    """The type of a line."""

    type: str = ""


_kind_of = msgspec.json.Decoder(_Kind).decode
_read_game: msgspec.json.Decoder[Start | End] = msgspec.json.Decoder(Start | End)


class _Program:
    """A program of the bot: lines go in by number, and each answer is kept until the next line."""

    def __init__(self, bot: Bot, session: str, reply: Callable[[Reply], None]) -> None:
        self._bot = bot
        self._session = session
        self._reply = reply
        self._last = 0
        self._answer: Reply | None = None
        self._lines: asyncio.Queue[Line] = asyncio.Queue()
        self._process: Process | None = None
        self._task = asyncio.create_task(self._run())

    def take(self, line: Line) -> None:
        """Take a line; one that is known is not read again, but its answer is sent again."""
        if line.number == self._last:
            if self._answer:
                self._reply(self._answer)
        elif line.number == self._last + 1:
            self._last, self._answer = line.number, None
            self._lines.put_nowait(line)
        elif line.number > self._last:
            self._say(line.number, lost="was restarted in the middle of a game")

    async def close(self) -> None:
        """Stop the program."""
        self._task.cancel()
        if self._process and self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, SIGKILL)  # `kill` of asyncio reaps it before its watcher, which complains
            await self._process.wait()

    def _say(self, number: int, line: str = "", lost: str = "") -> None:
        reply = Reply(self._session, number, line, lost)
        if number == self._last:
            self._answer = reply
        self._reply(reply)

    async def _run(self) -> None:
        while True:
            line = await self._lines.get()
            try:
                is_answered = _kind_of(line.line).type in _ANSWERED
                answer = await self._exchange(line.line, is_answered)
            except OSError as error:
                self._say(line.number, lost=f"could not be started: {error.strerror or error}")
                continue
            if not is_answered:
                continue
            if answer is None:
                self._say(line.number, lost=await self._ending())
            elif len(answer) + _OVERHEAD > LARGEST:
                self._say(line.number, lost=f"wrote a line of more than {LARGEST - _OVERHEAD} bytes")
            else:
                self._say(line.number, answer.decode("utf-8", "replace").rstrip("\n"))

    async def _exchange(self, line: str, is_answered: bool) -> bytes | None:
        """Write a line, and read its answer if it has one; None if the program has ended. Raises OSError."""
        if self._process is None:
            command, folder = self._bot.command, self._bot.folder
            self._process = await asyncio.create_subprocess_exec(*command, cwd=folder, stdin=PIPE, stdout=PIPE)
        process = self._process
        assert process.stdin
        assert process.stdout
        with suppress(ConnectionError):
            process.stdin.write(line.encode() + b"\n")
            await process.stdin.drain()
        if not is_answered:
            return None
        try:
            answer = await process.stdout.readline()
        except ValueError:  # longer than the reader's buffer
            answer = b"x" * LARGEST
        return answer if answer.endswith(b"\n") or len(answer) >= LARGEST else None

    async def _ending(self) -> str:
        assert self._process
        try:
            async with asyncio.timeout(1):
                status = await self._process.wait()
        except TimeoutError:
            return "closed its output"
        return f"was killed by {signal_name(-status)}" if status < 0 else f"exited with status {status}"


async def _greet(bot: Bot) -> None:
    """Start the program once. Raises BotError if it does not answer `hello`."""
    replies = asyncio.Queue[Reply]()
    program = _Program(bot, "", replies.put_nowait)
    program.take(Line("", 1, msgspec.json.encode(Hello()).decode()))
    try:
        reply = await asyncio.wait_for(replies.get(), _START_SECONDS)
        problem = f"{reply.lost} (asked: hello)" if reply.lost else read_ready(reply.line.encode(), "hello")
    except TimeoutError:
        problem = f"gave no answer within {_START_SECONDS:g} seconds (asked: hello)"
    finally:
        await program.close()
    if not isinstance(problem, Ready):
        detail = problem.detail if isinstance(problem, Failure) else problem
        raise BotError(f"the bot does not start: it {detail}")


class Client:
    """Keeps a bot connected to the host at `address` (ws:// or wss://). `say` tells the person."""

    def __init__(self, address: str, token: str, bot: Bot, say: Callable[[str], None]) -> None:
        self._address = address
        self._bot = bot
        self._say = say
        self._join = Join(token, bot.digest, list(bot.games))
        self._has_connected = False
        self._wait = _FIRST_WAIT
        self._programs: dict[str, _Program] = {}
        self._games: dict[str, Start] = {}
        """How the games began that are under way, by session."""
        self._outgoing: asyncio.Queue[Reply | Pong] = asyncio.Queue()

    async def run(self) -> None:
        """Stay connected until cancelled.

        Raises BotError if the bot does not start, UsageError if the host refuses it, or another takes its place.
        """
        await _greet(self._bot)
        try:
            while True:
                try:
                    async with connect(self._address, max_size=None, compression=None, open_timeout=10) as socket:
                        await socket.send(write.encode(self._join).decode())
                        await self._converse(socket)
                except InvalidURI as error:
                    raise UsageError(f"{self._address} is not an address: {error}") from None
                except (OSError, InvalidHandshake, ConnectionClosed) as error:
                    _check(error)
                    if not self._has_connected:
                        _check_first(error, self._address)
                    self._say(f"no connection ({_reason(error)}); trying again in {self._wait:g} s")
                await asyncio.sleep(self._wait)
                self._wait = min(_LONGEST_WAIT, 2 * self._wait)
        finally:
            await asyncio.gather(*(program.close() for program in self._programs.values()))

    async def _converse(self, socket: ClientConnection) -> None:
        """Do what the host asks for, until the connection is lost. Raises ConnectionClosed."""
        self._outgoing = asyncio.Queue()  # what could not be sent is asked for again
        sender = asyncio.create_task(self._send_all(socket))
        is_known = False
        try:
            async for raw in socket:
                if not is_known:
                    is_known = self._has_connected = True
                    self._wait = _FIRST_WAIT
                    self._say("connected")
                await self._hear(raw)
        finally:
            sender.cancel()

    async def _hear(self, raw: str | bytes) -> None:
        try:
            message = read_to_bot.decode(raw)
        except (msgspec.MsgspecError, UnicodeError):
            return
        match message:
            case Ping():
                self._outgoing.put_nowait(Pong(message.number))
            case Close():
                program, start = self._programs.pop(message.session, None), self._games.pop(message.session, None)
                if program:
                    await program.close()
                if message.reason:
                    self._say(f"{_game(start)}lost by a fault: it {cut(message.reason)}")
            case Line() if message.session in self._programs or len(self._programs) < _MOST_PROGRAMS:
                if message.session not in self._programs:
                    self._programs[message.session] = _Program(self._bot, message.session, self._reply)
                self._programs[message.session].take(message)
                self._follow(message)
            case Line():
                self._reply(Reply(message.session, message.number, lost="has no room for more games"))

    def _follow(self, line: Line) -> None:
        """Tell the person how a game has ended. A line may come again."""
        with suppress(msgspec.MsgspecError, IndexError):
            message = _read_game.decode(line.line)
            if isinstance(message, Start):
                self._games[line.session] = message
            elif start := self._games.pop(line.session, None):
                scores = ", ".join(map(str, message.scores))
                rank = f"rank {message.ranks[start.seat]} of {len(message.ranks)}"
                self._say(f"{_game(start)}{rank}, scores {scores}")

    def _reply(self, reply: Reply) -> None:
        self._outgoing.put_nowait(reply)

    async def _send_all(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            while True:
                await socket.send(write.encode(await self._outgoing.get()).decode())


def _game(start: Start | None) -> str:
    """The beginning of a sentence about a game."""
    return f"{cut(start.game)} between {listed(start.players)}, seat {start.seat}: " if start else ""


def _check(error: Exception) -> None:
    """Raises UsageError for an end after which it is useless to try again."""
    received = error.rcvd if isinstance(error, ConnectionClosed) else None
    if received and received.code == REFUSED:
        raise UsageError(f"the host refuses this bot: {received.reason}") from None
    if received and received.code == REPLACED:
        raise UsageError("this bot has connected from elsewhere, and only one can play") from None


def _check_first(error: Exception, address: str) -> None:
    """Raises UsageError for an answer of something else than a host of bots, or a host whose TLS can't be used."""
    if isinstance(error, InvalidStatus) and _BAD_REQUEST <= error.response.status_code < _SERVER_ERROR:
        status = error.response.status_code
        raise UsageError(f"no fa serve --bots is at {address}: the answer there is HTTP {status}") from None
    if isinstance(error, SSLError) and error.reason == "WRONG_VERSION_NUMBER":
        raise UsageError(f"{address}: the host speaks no TLS there: begin its address with ws://") from None
    if isinstance(error, SSLCertVerificationError):
        raise UsageError(f"{address}: its certificate is not valid: {error.verify_message}") from None


def _reason(error: Exception) -> str:
    if isinstance(error, ConnectionClosed):
        return error.rcvd.reason if error.rcvd and error.rcvd.reason else "it was closed"
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
