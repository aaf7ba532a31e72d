"""A real host of remote bots, bots that connect to it, and tournaments with them."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from fa_cli.isolation.transport.remote import connected
from fa_cli.replay.log_entry import LogEntry
from fa_cli.replay.log_file import read_log
from fa_cli.replay.verify_files import verify_file
from tests.conftest import Fa
from tests.serve.served import Served, served

ROOT = Path(__file__).parents[2]
TOKEN = re.compile(r"^(\S+) connects with: fa bot connect (\S+) --token (\S+) ", re.MULTILINE)


class Hosted:
    """A host, and the processes of its bots."""

    def __init__(self, server: Served) -> None:
        self.server = server
        self.home = server.home
        found = TOKEN.findall((self.home / "errors.txt").read_text())
        self.tokens = {name: token for name, _, token in found}
        self._bots: list[subprocess.Popen[bytes]] = []

    def address(self, name: str, host: str = "127.0.0.1") -> str:
        return f"ws://{host}:{self.server.port}/bots/{name}/connect"

    def connect(
        self, name: str, *bot: str | Path, within: Sequence[str] = (), host: str = "127.0.0.1", await_it: bool = True
    ) -> subprocess.Popen[bytes]:
        """Let `fa bot connect` play as this bot; `within`: words before the command."""
        command = [*within, sys.executable, "-m", "fa_cli", "bot", "connect", f"ws://{host}:{self.server.port}"]
        command += ["--token", self.tokens[name], "--name", name, "--", *map(str, bot)]
        return self.start(name, command, await_it)

    def start(self, name: str, command: Sequence[str], await_it: bool = True) -> subprocess.Popen[bytes]:
        """Start a process that connects as this bot."""
        with (self.home / f"{name}.txt").open("ab") as output:
            process = subprocess.Popen(command, stdout=output, stderr=output)
        self._bots.append(process)
        if await_it:
            self.await_connection(name)
        return process

    def await_connection(self, name: str, is_connected: bool = True) -> None:
        end = time.monotonic() + 60
        while self.is_connected(name) != is_connected:
            output = self.home / f"{name}.txt"
            assert time.monotonic() < end, output.read_text() if output.exists() else "no output"
            time.sleep(0.1)

    def is_connected(self, name: str) -> bool:
        state = connected(self.home / "remote").get(name)
        return state is not None and state.is_connected

    def close(self) -> None:
        for process in self._bots:
            process.send_signal(signal.SIGINT)
        for process in self._bots:
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait()


@contextmanager
def hosted(home: Path, *names: str, options: Sequence[str] = (), port: int = 0) -> Iterator[Hosted]:
    """A host of bots with these names."""
    with served(home, "--bots", ",".join(names), *options, port=port) as server:
        end = time.monotonic() + 30
        while len(TOKEN.findall((home / "errors.txt").read_text())) < len(names):
            assert time.monotonic() < end
            time.sleep(0.05)
        host = Hosted(server)
        try:
            yield host
        finally:
            host.close()


def _words(home: Path, bots: Sequence[str | Path], options: Sequence[str]) -> list[str]:
    run = ("tournament", "run", *bots, "--name", "t", "--seed", "a", "-q", "--sandbox", "none", *options)
    return ["--home", str(home), *map(str, run)]


def tournament(home: Path, *bots: str | Path, options: Sequence[str] = ()) -> subprocess.Popen[str]:
    """Start a tournament `t` of these bots."""
    command = [sys.executable, "-m", "fa_cli", *_words(home, bots, options)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def play_here(inside: Fa, home: Path, *bots: str | Path, options: Sequence[str] = (), code: int = 0) -> str:
    """What such a tournament prints, played in the process of the tests, where it and its workers start faster.

    `inside` is the fixture. Without `-j` there is one worker.
    """
    done = inside(*_words(home, bots, options), COLUMNS="500")
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def finish(run: subprocess.Popen[str], code: int = 0) -> str:
    """Wait for the end of a tournament; returns what it printed."""
    try:
        printed, _ = run.communicate(timeout=300)
    except subprocess.TimeoutExpired:
        run.kill()
        raise
    assert run.returncode == code, printed
    assert "Traceback" not in printed
    return printed


def games(home: Path) -> list[LogEntry]:
    """The games of the tournament, each of which verifies."""
    log, found = home / "logs/t.log", []
    verify_file(log, found.append, 1)
    assert found == []
    return list(read_log(log))


def client_of_the_page(language: str, folder: Path) -> list[str]:
    """The words that run a client which the page of the protocol shows; its file is in the folder."""
    page = (ROOT / "docs/reference/protocol.md").read_text(encoding="utf-8").partition("\n## Over the network\n")[2]
    (program,) = re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)
    if language == "python":
        file = folder / "client.py"
        words = [sys.executable, str(file)]
    else:
        file = folder / "client.mjs"
        words = [*_node(), str(file)]
    file.write_text(program, encoding="utf-8")
    return words


def _node() -> list[str]:
    """Node with WebSocket: from 22 on it is there by default. Empty if there is none."""
    node = shutil.which("node")
    if not node:
        return []
    for words in ([node], [node, "--experimental-websocket"]):
        done = subprocess.run([*words, "-e", "new WebSocket"], capture_output=True, text=True, check=False)
        if "not defined" not in done.stderr and "bad option" not in done.stderr:
            return words
    return []


class WireBot:
    """A bot that speaks to the host message by message, as `respond` says."""

    def __init__(self, host: Hosted, name: str, token: str | None = None) -> None:
        from websockets.sync.client import connect

        self._stack = ExitStack()
        self.socket = self._stack.enter_context(connect(host.address(name), max_size=None))
        self.say(type="join", token=host.tokens[name] if token is None else token)

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def close(self) -> None:
        self._stack.close()

    def next(self) -> dict[str, Any]:
        """The next message; raises ConnectionClosed."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=30))
        return message


def respond(line: str) -> str | None:
    """The answer to a line of the protocol, by the first legal action."""
    message = json.loads(line)
    if message["type"] == "decide":
        return json.dumps({"action": message["legal"][0]})
    return '{"type":"ready","wants":["legal"]}' if message["type"] in ("hello", "start") else None
