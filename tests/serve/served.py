"""A real `fa serve`, and pages that talk to it without a browser."""

from __future__ import annotations

import atexit
import json
import multiprocessing
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from tests.forks import Fork, ForkServer

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

_FORKS = ForkServer()
_FORKS.set_forkserver_preload(
    [
        __name__,
        "fa_cli.cli.app",
        "fa_cli.cli.games.serve",
        "fa_cli.serve.app",
        "uvicorn.loops.asyncio",
        "uvicorn.lifespan.on",
        "uvicorn.protocols.http.h11_impl",
        "uvicorn.protocols.websockets.websockets_sansio_impl",
        *(
            f"fa_cli.{part}.{game}"
            for part in ("games", "viewer.drawing")
            for game in ("fifth_avenue", "manhattan", "new_york")
        ),
    ]
)
PERSON = {"kind": "person", "name": "ann"}


def bot(name: str = "random") -> dict[str, str]:
    """A shipped bot in a seat."""
    return {"kind": "bot", "name": name}


def person(name: str) -> dict[str, str]:
    """A person in a seat."""
    return {"kind": "person", "name": name}


class Served(NamedTuple):
    """A running server."""

    process: subprocess.Popen[str] | Forked
    url: str
    owner: str
    home: Path

    @property
    def link(self) -> str:
        """The owner's link."""
        return f"{self.url}/#{self.owner}"

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def get(self, path: str, **headers: str) -> tuple[int, bytes, Any]:
        """The status, the body and the headers."""
        return self._answer(urllib.request.Request(self.url + path, headers=_named(headers)))

    def post(self, path: str, body: object, **headers: str) -> tuple[int, bytes, Any]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        named = {"Origin": self.url, "Authorization": f"Bearer {self.owner}", **_named(headers)}
        return self._answer(urllib.request.Request(self.url + path, data, named))

    def _answer(self, request: urllib.request.Request) -> tuple[int, bytes, Any]:
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            return error.code, error.read(), error.headers

    def open(self, game: str, seats: Sequence[dict[str, str]], **more: Any) -> dict[str, Any]:
        """A new table, without a pace."""
        status, body, _ = self.post("/api/tables", {"game": game, "seats": list(seats), "pace_ms": 0, **more})
        assert status == 200, body
        opened: dict[str, Any] = json.loads(body)
        return opened

    def page(self, table: int, token: str, origin: str = "") -> Page:
        return Page(self.connect(f"/table/{table}/socket", origin or self.url), token)

    def connect(self, path: str, origin: str) -> ClientConnection:
        """A WebSocket, as a page of this origin opens it."""
        from websockets.sync.client import connect

        return connect(f"ws://127.0.0.1:{self.port}{path}", origin=origin, max_size=None)  # type: ignore[arg-type]

    def watch(self, contest: str, game: int) -> Page:
        """A page that watches a game of a tournament that is being played."""
        return Page(self.connect(f"/contest/{contest}/playing/{game}/socket", self.url), "")


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-").title(): value for name, value in headers.items()}


class Forked(Fork):
    """`fa ARGS...` as a fork of a process that has imported all of it, which takes most of the time of its start."""

    server = _FORKS
    stdout: IO[str] | None = None

    def send_signal(self, number: int) -> None:
        if self.pid and self.poll() is None:
            os.kill(self.pid, number)

    def poll(self) -> int | None:
        return self.exitcode

    def wait(self, timeout: float | None = None) -> None:
        self.join(timeout)
        assert self.exitcode is not None, "it does not end"


def _run(words: Sequence[str], errors: Path, written: Connection) -> None:
    """Be `fa WORDS...`, with a pipe as stdout."""
    from fa_cli.__main__ import main

    os.dup2(written.fileno(), 1)
    with errors.open("a") as file:
        os.dup2(file.fileno(), 2)
    sys.stdout, sys.stderr = open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115  # until the process ends
    sys.argv = ["fa", *words]
    try:
        main()
    finally:
        atexit._run_exitfuncs()  # processes of multiprocessing don't


def _begun(words: Sequence[str], errors: Path, fresh: bool) -> subprocess.Popen[str] | Forked:
    if not fresh:
        printed, written = multiprocessing.Pipe(duplex=False)
        forked = Forked(target=_run, args=(words, errors, written))
        with printed, written:
            forked.start()
            forked.stdout = os.fdopen(os.dup(printed.fileno()), encoding="utf-8")
        return forked
    command = [sys.executable, "-m", "fa_cli", *words]
    with errors.open("a") as file:
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=file, text=True)


@contextmanager
def served(home: Path, *options: str, port: int = 0, fresh: bool = False) -> Iterator[Served]:
    """A server of this home; it ends by Ctrl-C, and must have printed no traceback.

    `fresh`: Python starts anew, as for users.
    """
    words = ["--home", str(home), "serve", "--no-open", "--port", str(port), "--sandbox", "none", *options]
    process = _begun(words, home / "errors.txt", fresh)
    assert process.stdout
    try:
        with process.stdout as stdout:
            link = stdout.readline().strip()
            url, _, owner = link.partition("/#")
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+", url), (home / "errors.txt").read_text()
            yield Served(process, url, owner, home)
            process.send_signal(signal.SIGINT)
            process.wait(30)
    except Exception as error:
        error.add_note(f"The server ended with {process.poll()} and printed: {(home / 'errors.txt').read_text()}")
        raise
    finally:
        process.kill()
        process.wait()
    assert "Traceback" not in (home / "errors.txt").read_text()


class Page:
    """A page that follows a game: it joins, and keeps all that it gets."""

    def __init__(self, socket: ClientConnection, token: str) -> None:
        from websockets.exceptions import ConnectionClosed

        self._stack = ExitStack()
        self.socket = self._stack.enter_context(socket)
        self.received: list[bytes] = []
        self.last: dict[str, dict[str, Any]] = {}
        """By type: the last message."""
        self._queue: queue.SimpleQueue[bytes | Exception] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        with suppress(ConnectionClosed):  # the reason is read with the first message
            self.send(type="join", token=token)

    def _read(self) -> None:
        """Take what comes, as a browser does; who does not is cut off."""
        while True:
            try:
                raw = self.socket.recv()
            except Exception as error:
                self._queue.put(error)
                return
            self._queue.put(raw.encode() if isinstance(raw, str) else raw)

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def next(self, timeout: float = 30) -> dict[str, Any]:
        """The next message."""
        raw = self._queue.get(timeout=timeout)
        if isinstance(raw, Exception):
            raise raw
        self.received.append(raw)
        message: dict[str, Any] = json.loads(raw)
        self.last[message["type"]] = message
        return message

    def until(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types."""
        while (message := self.next())["type"] not in types:
            pass
        return message

    def my_turn(self) -> dict[str, Any] | None:
        """The next question to this seat; None at the end of the game."""
        while True:
            message = self.until("asked", "ended")
            if message["type"] == "ended":
                return None
            if message["choices"]:
                return message

    def play(self, asked: dict[str, Any], at: int = 0) -> None:
        """Decide for the action at this place."""
        legal = asked["choices"]["legal"]
        self.send(type="send", ply=asked["ply"], held=[legal[at % len(legal)][0]])

    def close(self) -> None:
        self._stack.close()
