"""A real `fa mcp`, and the official client that talks to it."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple


def command(home: Path, *bots: str) -> list[str]:
    """The command that starts the server of this home."""
    return [sys.executable, "-m", "fa_cli", "--home", str(home), "mcp", "--sandbox", "none", *bots]


class Answer(NamedTuple):
    """What a tool answered."""

    text: str
    content: Any
    is_error: bool
    raw: bytes
    """All of it, as JSON."""


class Assistant:
    """A client's session."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.received: list[bytes] = []

    async def ask(self, tool: str, **arguments: Any) -> Answer:
        """Call a tool."""
        result = await self.session.call_tool(tool, arguments)
        (part,) = result.content
        raw = json.dumps([part.text, result.structured_content], ensure_ascii=False).encode()
        self.received.append(raw)
        return Answer(part.text, result.structured_content, result.is_error, raw)

    async def get(self, tool: str, **arguments: Any) -> Answer:
        """Call a tool, which has to succeed."""
        answer = await self.ask(tool, **arguments)
        assert not answer.is_error, answer.text
        return answer

    async def refused(self, tool: str, **arguments: Any) -> str:
        """Call a tool, which has to fail with one sentence."""
        answer = await self.ask(tool, **arguments)
        assert answer.is_error, answer.text
        assert answer.content is None
        assert "\n" not in answer.text
        assert "Traceback" not in answer.text
        return answer.text


@asynccontextmanager
async def assistant(home: Path, *bots: str, words: list[str] | None = None) -> AsyncIterator[Assistant]:
    """A session with a new server of this home, which must print no traceback."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    program, *arguments = words or command(home, *bots)
    errors = home / "errors.txt"
    with errors.open("a") as stderr:
        server = StdioServerParameters(command=program, args=arguments, cwd=home)
        async with (
            stdio_client(server, errlog=stderr) as (incoming, outgoing),
            ClientSession(incoming, outgoing) as session,
        ):
            await session.initialize()
            yield Assistant(session)
    assert "Traceback" not in errors.read_text()
    assert "fa mcp:" not in errors.read_text()
