"""Speaks the Model Context Protocol on stdin and stdout until stdin ends."""

from __future__ import annotations

import asyncio
import sys

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from .. import __version__
from ..errors import FaError
from ..printing.terminal import print_line
from ..serve.lobby import Lobby
from .results import Results
from .tools import CHANGING, KINDS, Tools, schema_of

_INSTRUCTIONS = (
    "Board games against bots, and the results of bot tournaments. To play: list_games, read_rules, start_table, then "
    "act until the game is over; every answer has the position and the numbered legal actions. Unfinished games are "
    "saved. To analyse: list_tournaments, leaderboard, compare_bots, show_game, verify_log."
)


def serve(lobby: Lobby, results: Results) -> None:
    """Answer an assistant until stdin ends; then save all tables."""
    asyncio.run(_serve(lobby, Tools(lobby, results)))


async def _serve(lobby: Lobby, tools: Tools) -> None:
    async def list_tools(context: object, params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_declared(name) for name in KINDS])

    async def call_tool(context: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            answer = await tools.call(params.name, params.arguments or {})
        except FaError as error:
            return _result(str(error), is_error=True)
        except Exception as error:  # what went wrong inside may name hidden cards
            print_line(f"fa mcp: {params.name}: {type(error).__name__}: {error}", sys.stderr, flush=True)
            return _result("that is not possible now; the log of fa mcp says why", is_error=True)
        return _result(answer.text, answer.content)

    server = Server(
        "fa", version=__version__, instructions=_INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool
    )
    try:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    finally:
        await lobby.close()


def _declared(name: str) -> types.Tool:
    """A tool as clients read of it."""
    kind = KINDS[name]
    hints = types.ToolAnnotations(read_only_hint=name not in CHANGING, destructive_hint=False, open_world_hint=False)
    return types.Tool(name=name, description=kind.__doc__, input_schema=schema_of(kind), annotations=hints)


def _result(text: str, content: dict[str, object] | None = None, is_error: bool = False) -> types.CallToolResult:
    result = types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=is_error)
    if content is not None:  # None itself would be sent as null, which clients refuse
        result.structured_content = content
    return result
