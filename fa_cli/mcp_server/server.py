"""Speaks the Model Context Protocol on stdin and stdout until stdin ends."""

from __future__ import annotations

import asyncio
import sys

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from .. import __version__
from ..errors import FaError
from ..printing.terminal import print_line
from ..serve.lobby import Lobby
from .results import Answer, Results
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
            return result_of(await tools.call(params.name, params.arguments or {}))
        except FaError as error:
            return _refusal(str(error))
        except Exception as error:  # what went wrong inside may name hidden cards
            print_line(f"fa mcp: {params.name}: {type(error).__name__}: {error}", sys.stderr, flush=True)
            return _refusal("that is not possible now; the log of fa mcp says why")

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


def result_of(answer: Answer) -> types.CallToolResult:
    """The answer of a tool as it is sent."""
    text = types.TextContent(type="text", text=answer.text)
    return types.CallToolResult(content=[text], structured_content=answer.content)


def _refusal(sentence: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=sentence)], is_error=True)
