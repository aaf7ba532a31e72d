"""The tools: their arguments, declared as Structs whose docstrings the assistant reads, and what they do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ..decoding import built
from ..errors import NotFound, UsageError
from ..games import find_game
from ..play.rulebook import source
from ..printing.text import either, listed, near_or_all
from ..serve.lobby import Lobby, NewTable, SeatChoice
from .results import Answer, Results, plain
from .seat import NAME, Look, Seat

PATIENCE = 45.0
"""The longest wait of a call, in seconds; clients give up after 60."""
_Text = Annotated[str, Meta(max_length=200)]
_Number = Annotated[int, Meta(ge=0, lt=1 << 31)]
_Table = Annotated[int, Meta(ge=1, lt=1 << 31, description="The table's number.")]
_Tournament = Annotated[_Text | None, Meta(description="A tournament's name; all tournaments if left out.")]
_Only = Annotated[_Text | None, Meta(description="Count only this game.")]
_Log = Annotated[_Text, Meta(description="The name of a log, as list_tournaments and finished tables give it.")]


class ListGames(msgspec.Struct, tag="list_games", forbid_unknown_fields=True):
    """List the games with their numbers of players and options, and the bots to play against."""


class ReadRules(msgspec.Struct, tag="read_rules", forbid_unknown_fields=True):
    """Read the rules of a game, and how its board is drawn. Do this before you play."""

    game: Annotated[_Text, Meta(description="The game's name.")]


class StartTable(msgspec.Struct, tag="start_table", forbid_unknown_fields=True):
    """Start a game in which you sit at a table with bots. Returns its number, the position and your legal actions."""

    game: Annotated[_Text, Meta(description="The game's name.")]
    opponents: Annotated[list[_Text], Meta(min_length=1, max_length=9, description="Names of bots, in seat order.")]
    seat: Annotated[int, Meta(ge=0, le=9, description="Your seat, from 0.")] = 0
    options: Annotated[dict[_Text, _Text], Meta(description="Options of the game that differ from the default.")] = {}
    move_ms: Annotated[
        int, Meta(ge=100, le=600_000, description="The time that bots have for a decision, in milliseconds.")
    ] = 5000


class ListTables(msgspec.Struct, tag="list_tables", forbid_unknown_fields=True):
    """List your tables, those of earlier conversations too."""


class SeeTable(msgspec.Struct, tag="see_table", forbid_unknown_fields=True):
    """See a table again: what happened last, the position and your legal actions. Waits while others think."""

    table: _Table


class Act(msgspec.Struct, tag="act", forbid_unknown_fields=True):
    """Play one of your legal actions; returns what happened until your next turn, the position and legal actions."""

    table: _Table
    action: Annotated[_Number | _Text, Meta(description="The number of the legal action in the list, or its text.")]
    decision: Annotated[
        _Number | None, Meta(description="The number of the decision that you answer; another one is refused.")
    ] = None


class ListTournaments(msgspec.Struct, tag="list_tournaments", forbid_unknown_fields=True):
    """List the tournaments of bots, and the names of all logs of games."""


class RankBots(msgspec.Struct, tag="leaderboard", forbid_unknown_fields=True):
    """Rank the bots of one tournament or of all by strength, with 95% intervals."""

    tournament: _Tournament = None
    game: _Only = None


class CompareBots(msgspec.Struct, tag="compare_bots", forbid_unknown_fields=True):
    """Decide which of two bots is better, by how much and how surely."""

    first: Annotated[_Text, Meta(description="A bot's name.")]
    second: Annotated[_Text, Meta(description="The other bot's name.")]
    tournament: _Tournament = None
    game: _Only = None


class ShowGame(msgspec.Struct, tag="show_game", forbid_unknown_fields=True):
    """Narrate a finished game of a log, 200 lines at a time, with boards and all hands."""

    log: _Log
    game: Annotated[int, Meta(ge=1, lt=1 << 31, description="The game's number in the log, from 1.")] = 1
    boards: Annotated[
        Literal["all", "turns", "rounds", "end"],
        Meta(description="When to draw the board: after all decisions, turns or rounds, or at the start and end."),
    ] = "end"
    line: Annotated[int, Meta(ge=1, lt=1 << 31, description="The first line to show.")] = 1


class VerifyLog(msgspec.Struct, tag="verify_log", forbid_unknown_fields=True):
    """Verify every game of a log: deal it again and replay every decision."""

    log: _Log


Call = (
    ListGames | ReadRules | StartTable | ListTables | SeeTable | Act
    | ListTournaments | RankBots | CompareBots | ShowGame | VerifyLog
)  # fmt: skip
KINDS: dict[str, Any] = {kind.__struct_config__.tag: kind for kind in Call.__args__}
"""The arguments of each tool, by its name."""
CHANGING = {"start_table", "act"}
"""The tools that do more than read."""


def schema_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments."""
    schema: dict[str, Any]
    (schema,) = msgspec.json.schema_components([kind])[1].values()
    for unneeded in ("title", "description"):
        schema.pop(unneeded, None)
    del schema["properties"]["type"]
    return schema | {"required": [name for name in schema["required"] if name != "type"]}


class Tools:
    """What the tools do. All of it runs in the event loop; what takes long, in threads."""

    def __init__(self, lobby: Lobby, results: Results) -> None:
        self._lobby = lobby
        self._results = results
        self._working: dict[bytes, asyncio.Task[Any]] = {}

    async def call(self, name: str, arguments: dict[str, Any]) -> Answer:
        """Call a tool. Raises FaError, whose sentence is fit for the assistant; OSError."""
        if name not in KINDS:
            raise UsageError(f"no tool named {name[:80]!r}{near_or_all(name[:80], list(KINDS), 'tools')}")
        try:
            call: Call = msgspec.convert(arguments, built(KINDS[name]))
        except msgspec.ValidationError as error:
            raise UsageError(f"{name}: {str(error)[:300]}") from None
        until = asyncio.get_running_loop().time() + PATIENCE
        match call:
            case ListGames():
                return self._games()
            case ReadRules(game):
                rules = find_game(game)
                text = f"{source(rules)}\n## The board as text\n\n{rules.presentation.guide.legend}\n"
                return Answer(text, {"game": rules.name, "rules": text})
            case StartTable():
                number = await self._patiently(call, until, lambda: self._open(call))
                return await self._seen(number, until)
            case ListTables():
                return await self._tables()
            case SeeTable(table):
                await self._patiently(call, until, lambda: self._resume(table))
                return await self._seen(table, until, again=True)
            case Act(table, action, decision):
                await self._patiently(SeeTable(table), until, lambda: self._resume(table))
                self._seat(table).act(str(action), decision)
                return await self._seen(table, until)
        answer: Answer = await self._patiently(call, until, lambda: asyncio.to_thread(self._result, call))
        return answer

    def _result(self, call: Call) -> Answer:
        """What the logs say. Raises UsageError, LogError."""
        match call:
            case RankBots(tournament, game):
                return self._results.leaderboard(tournament, _known(game))
            case CompareBots(first, second, tournament, game):
                return self._results.compare(first, second, tournament, _known(game))
            case ShowGame(log, game_number, boards, line):
                return self._results.show(log, game_number, boards, line)
            case VerifyLog(log):
                return self._results.verify(log)
        return self._results.tournaments()

    async def _patiently(self, call: Call, until: float, start: Callable[[], Awaitable[Any]]) -> Any:
        """The result of what `start` begins. Raises UsageError if it does not come in time.

        The same call again then gets the same result, however late it comes.
        """
        key = msgspec.json.encode(call)
        if key not in self._working:
            self._working[key] = asyncio.ensure_future(start())
        task = self._working[key]
        try:
            async with asyncio.timeout_at(until):
                result = await asyncio.shield(task)
        except TimeoutError:
            raise UsageError("this takes longer: call the tool again with the same arguments to wait for it") from None
        finally:
            if task.done():
                self._working.pop(key, None)
        return result

    # -- tables

    def _games(self) -> Answer:
        offers, bots = self._lobby.games(), self._lobby.bots()
        lines = []
        for offer in offers:
            options = "; ".join(f"{name}: {either(values)}" for name, values in offer.options.items())
            lines.append(f"{offer.name} ({offer.title}), {either(offer.players)} players. {options}")
        return Answer("\n".join([*lines, f"Bots: {listed(bots, 100)}"]), {"games": plain(offers), "bots": bots})

    async def _open(self, wanted: StartTable) -> int:
        """Open a table; returns its number. Raises FaError."""
        if wanted.seat > len(wanted.opponents):
            raise UsageError(f"with {len(wanted.opponents)} opponents your seat is 0 to {len(wanted.opponents)}")
        seats = [SeatChoice("bot", name) for name in wanted.opponents]
        seats.insert(wanted.seat, SeatChoice("person", NAME))
        table = NewTable(wanted.game, seats, wanted.options, move_ms=wanted.move_ms, pace_ms=0)
        opened = await self._lobby.open(table, is_owner=True)
        return opened.table

    async def _resume(self, number: int) -> None:
        """Play a saved table on, up to the assistant's turn. Raises FaError, OSError."""
        if not self._lobby.room(number):
            await self._lobby.resume(number)
            await self._seat(number).wait(asyncio.get_running_loop().time() + PATIENCE)

    def _seat(self, number: int) -> Seat:
        room = self._lobby.room(number)
        if not isinstance(room, Seat):
            raise NotFound(f"no table {number}")
        return room

    async def _seen(self, number: int, until: float, again: bool = False) -> Answer:
        """The table when it is the assistant's turn, or as it is then."""
        seat = self._seat(number)
        await seat.wait(until)
        look: Look = seat.look(number, self._lobby.log(number).stem, again)
        return Answer(look.text, plain(look))

    async def _tables(self) -> Answer:
        rows = [
            {"table": row.table, "game": row.title, "players": row.players, "state": row.state, "decision": row.ply}
            | ({"log": self._lobby.log(row.table).stem} if row.state == "over" else {})
            for row in await self._lobby.tables(is_owner=False)
        ]
        lines = [", ".join(f"{name} {_words(value)}" for name, value in row.items()) for row in rows]
        saved = self._lobby.saved()
        rows += [{"table": number, "state": "saved"} for number in saved]
        lines += [f"table {number}, not over: play on with see_table or act" for number in saved]
        return Answer("\n".join(lines) or "You have no tables.", {"tables": rows})


def _words(value: Any) -> str:
    return listed(value) if isinstance(value, list) else str(value)


def _known(game: str | None) -> str | None:
    """The name of a game. Raises UnknownGame."""
    return find_game(game).name if game is not None else None
