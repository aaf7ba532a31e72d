"""A client of a real `fa mcp` without any library: lines of JSON-RPC, each of which is looked at."""

from __future__ import annotations

import json
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.mcp_server.client import command


class Raw:
    """A server, and what it wrote to stdout."""

    def __init__(self, home: Path, *bots: str) -> None:
        self.lines: list[bytes] = []
        self._errors = (home / "errors.txt").open("a")
        self.process = subprocess.Popen(
            command(home, *bots), cwd=home, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
        )
        self._id = 0

    def __enter__(self) -> Raw:
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
        self.server = self.request("initialize", about)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        self._errors.close()

    def end(self) -> int:
        """Close stdin; returns the exit code."""
        assert self.process.stdin and self.process.stdout
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        if not self.process.stdout.closed:
            self.lines += self.process.stdout.readlines()
            self.process.stdout.close()
        return self.process.wait(30)

    def send(self, message: object) -> None:
        assert self.process.stdin
        self.process.stdin.write(message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of a request."""
        self._id += 1
        self.send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        assert self.process.stdout
        while line := self.process.stdout.readline():
            self.lines.append(line)
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == self._id:
                assert "error" not in message, message
                result: dict[str, Any] = message["result"]
                return result
        raise AssertionError("the server ended")

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a tool."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})
