"""Bots whose program runs elsewhere: their files, what is connected, and the conversation with one of them.

`fa serve --bots` is their host. It keeps a file for each of them in remote/, which stands for the bot wherever a path
of a bot does: its digest changes with what the bot states. Lines go to the host, which passes them on.
"""

from __future__ import annotations

import errno
import secrets
from collections.abc import Collection, Sequence
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple

import msgspec

from ...decoding import built
from ...errors import BotError
from ...game_result import Failure, FaultKind
from ...printing.text import counted, cut
from ...protocol.remote_messages import Close, Line, read_relayed, write
from ..bot_process import MIN_SPENT
from ..clock_metering import counted_seconds
from ..limits import DEFAULT_LIMITS, Limits
from .base import Transport

HOME = Path()
"""The folder that holds remote/."""
PREFIX = "remote:"
NOT_CONNECTED = "is not connected"
"""How the detail of a fault ends if the bot was away."""
ENDING = ".remote"
HOST_FILE = "host.json"
_FOLDER = "remote"
_LISTEN = 0.5
"""Seconds for which an answer is waited for before the connection is looked at again."""
_AGAIN = 0.2
"""Seconds between two attempts to reach the host."""
_LOOK = 0.5
"""Seconds between two looks at what is connected."""


class RemoteBot(msgspec.Struct, frozen=True):
    """The file of a bot: what it has stated of itself. Nobody has checked that."""

    digest: str = ""
    games: tuple[str, ...] = ()


class Host(msgspec.Struct, frozen=True):
    """How a referee on this machine reaches the host."""

    address: str
    """`http://127.0.0.1:8080`"""
    key: str
    """Its secret."""


class Connected(NamedTuple):
    """A bot that the host knows."""

    is_connected: bool
    network: float
    """The seconds that the network takes for a question and its answer, by pings: half of them took less."""


def use_home(folder: Path) -> None:
    """Look for remote bots in this home from now on."""
    global HOME
    HOME = folder


def remote_folder() -> Path:
    """remote/ in the home. It may not exist."""
    return HOME / _FOLDER


def is_remote(path: str | Path) -> bool:
    """Whether the path of a bot is the file of a remote one."""
    return str(path).endswith(ENDING)


def find_remote(text: str) -> Path | None:
    """The file of `remote:NAME` in the home; None for another text. Raises BotError without a name."""
    name = text.removeprefix(PREFIX)
    if name == text:
        return None
    if not name[:1].isalnum() or "/" in name:
        raise BotError(f"{cut(text)!r} names no bot: write {PREFIX}NAME, as for fa serve --bots NAME")
    return remote_folder() / f"{name}{ENDING}"


def read_remote(path: Path) -> RemoteBot:
    """The file of a bot. Raises BotError."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=built(RemoteBot))
    except FileNotFoundError:
        raise BotError(f"no bot {path.stem} has ever connected: fa serve --bots {path.stem} says how") from None
    except (OSError, msgspec.MsgspecError) as error:
        raise BotError(f"{path} is not the file of a remote bot: {error}") from None


def read_host(folder: Path) -> Host | None:
    """The host of the bots in this folder; None if none has run yet."""
    try:
        return msgspec.json.decode((folder / HOST_FILE).read_bytes(), type=built(Host))
    except (OSError, msgspec.MsgspecError):
        return None


def connected(folder: Path) -> dict[str, Connected]:
    """By name: the bots that the host knows; none if the host does not run."""
    import urllib.request

    host = read_host(folder)
    if not host:
        return {}
    request = urllib.request.Request(f"{host.address}/bots", headers=_authorization(host))
    try:
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy would see the key
        with direct.open(request, timeout=5) as answer:
            return msgspec.json.decode(answer.read(), type=built(dict[str, Connected]))
    except (OSError, msgspec.MsgspecError):
        return {}


def await_bots(paths: Collection[Path], seconds: float) -> list[Path]:
    """Wait until the bots of these files are connected, at most so many seconds; returns those that are not."""
    end = monotonic() + seconds
    while awaited_bots(paths) and monotonic() < end:
        sleep(_LOOK)
    return absent_bots(paths)


def absent_bots(paths: Collection[Path]) -> list[Path]:
    """Those of the bots of these files that are not connected; their hosts are asked once."""
    states = _states(paths)
    return [path for path in paths if not ((state := states[path.parent].get(path.stem)) and state.is_connected)]


def awaited_bots(paths: Collection[Path]) -> list[Path]:
    """Those of the absent bots of these files that may come: not those whose host runs and does not know them."""
    states = _states(paths)
    return [path for path in paths if not (known := states[path.parent]) or _is_away(known.get(path.stem))]


def _is_away(state: Connected | None) -> bool:
    return state is not None and not state.is_connected


def _states(paths: Collection[Path]) -> dict[Path, dict[str, Connected]]:
    return {folder: connected(folder) for folder in {path.parent for path in paths}}


def _authorization(host: Host) -> dict[str, str]:
    return {"Authorization": f"Bearer {host.key}"}


class RemoteTransport(Transport):
    """A program of a remote bot. Raises OSError if the bot is not connected. The arguments are those of `BotProcess`.

    What the network usually takes is not on the bot's clock: half of all pings took less. A lost connection, on either
    side of the host, may come back while the clock runs; the line is then sent again, and answered once.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: str,
        stderr_file: object = None,
        limits: Limits = DEFAULT_LIMITS,
        bot_path: str = "",
        all_cores: bool = False,
    ) -> None:
        super().__init__()
        self._path = Path(bot_path)
        self._limits = limits
        self._session = secrets.token_hex(8)
        self._number = 0
        self._unanswered: list[Line] = []
        """Lines whose arrival is not known yet."""
        self._link: Any = None
        await_bots([self._path], limits.start)
        state = connected(self._path.parent).get(self._path.stem)
        if state is None or not state.is_connected:
            raise OSError(errno.ENOTCONN, "not connected")
        self.network = state.network

    def ask(self, line: bytes, seconds: float) -> bytes | Failure:
        self.spent = 0.0
        self._add(line)
        network = self.network or 0.0
        allowed = seconds + network
        passed, last = 0.0, monotonic()
        while passed < allowed:
            if self._is_given_up():
                return Failure(FaultKind.TIMEOUT, "was not waited for")
            planned = min(_LISTEN, allowed - passed)
            raw = self._receive(planned)
            now = monotonic()
            passed, last = passed + counted_seconds(now - last, planned), now
            answer = self._answer(raw) if raw is not None else None
            if answer is not None:
                self.spent = max(MIN_SPENT, passed - network)
                return answer
        self.spent = seconds
        state = f" and {NOT_CONNECTED}" if absent_bots([self._path]) else ""
        return Failure(FaultKind.TIMEOUT, f"gave no answer within {counted(seconds, 'second')}{state}")

    def send(self, line: bytes, seconds: float) -> Failure | None:
        self.spent = 0.0
        self._add(line)
        self._flush()
        return None

    def is_idle(self) -> bool:
        return True

    def quit(self, line: bytes, seconds: float) -> str | None:
        self.send(line, seconds)
        self.stop()
        return None

    def stop(self) -> None:
        """Tell the bot that the program is needed no more."""
        if self._link and self._write(Close(self._session, self.fault)):
            self._drop()

    def _add(self, line: bytes) -> None:
        self._number += 1
        self._unanswered.append(Line(self._session, self._number, line.decode().rstrip("\n")))

    def _flush(self) -> bool:
        """Send what has not been sent on this connection; false if there is none."""
        if not self._link and not self._connect():
            return False
        while self._passed_on < len(self._unanswered):
            if not self._write(self._unanswered[self._passed_on]):
                return False
            self._passed_on += 1
        return True

    def _connect(self) -> bool:
        from websockets.exceptions import WebSocketException
        from websockets.sync.client import connect

        host = read_host(self._path.parent)
        if not host:
            return False
        address = f"{host.address.replace('http', 'ws', 1)}/bots/{self._path.stem}/seat"
        try:
            self._link = connect(  # closed by `_drop`, which is why no `with` is here
                address,
                additional_headers=_authorization(host),
                open_timeout=5,
                max_size=None,
                compression=None,
                proxy=None,
            ).__enter__()
        except (OSError, WebSocketException):
            return False
        self._passed_on = 0
        return True

    def _write(self, message: Line | Close) -> bool:
        from websockets.exceptions import ConnectionClosed

        try:
            self._link.send(write.encode(message).decode())
        except (OSError, ConnectionClosed):
            self._drop()
            return False
        return True

    def _receive(self, seconds: float) -> bytes | None:
        """The next message of the host; None if none came."""
        from websockets.exceptions import ConnectionClosed

        if not self._flush():
            sleep(min(_AGAIN, seconds))
            return None
        try:
            received: str = self._link.recv(timeout=seconds)
        except TimeoutError:
            return None
        except (OSError, ConnectionClosed):
            self._drop()
            return None
        return received.encode()

    def _answer(self, raw: bytes) -> bytes | Failure | None:
        """The answer in a message of the host; None if it answers another line."""
        reply = read_relayed.decode(raw)
        if reply.number != self._number:
            return None
        self.network = reply.network
        self._unanswered.clear()
        self._passed_on = 0
        if reply.lost:
            return Failure(FaultKind.CRASH, reply.lost)
        line = reply.line.encode() + b"\n"
        if line.count(b"\n") > 1 or len(line) > self._limits.line:
            return Failure(FaultKind.PROTOCOL, f"wrote more than a line of {self._limits.line} bytes")
        return line

    def _drop(self) -> None:
        self._link.__exit__(None, None, None)
        self._link = None
