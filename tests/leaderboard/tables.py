"""Tables over games that are given as results, without logs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from fa_cli.game_result import By
from fa_cli.leaderboard import leaderboards, parts, queries, standings
from fa_cli.leaderboard.block_sums import Kind
from fa_cli.leaderboard.comparisons import head_to_head
from fa_cli.leaderboard.index import ALL, Index, IndexedLog
from fa_cli.leaderboard.played_games import played_game
from fa_cli.leaderboard.queries import BotFaults
from fa_cli.leaderboard.standings import Leaderboard
from fa_cli.replay.log_file import START, LogPosition
from fa_cli.stats.faults import FaultRow
from fa_cli.stats.head_to_head import HeadToHead
from fa_cli.stats.luck.seat_values import SeatRow
from tests.tournament.helpers import Game

Table = TypeVar("Table")


def _table(games: Sequence[Game], kinds: Sequence[Kind], rated: bool, read: Callable[[Index, int], Table]) -> Table:
    with Index(None) as index:
        log = IndexedLog(0, "log.log", "2026", (0, 0, 0, 0), True, LogPosition(len(games)), START)
        index._save(log, None, [played_game(game, "log", number) for number, game in enumerate(games)])
        return leaderboards._read_current(index, ALL, kinds, kinds if rated else [], read)


def standings_of(*games: Game, by: By | None = None, anchors: Mapping[str, float] | None = None) -> Leaderboard:
    """The leaderboard, in parts if `by` is given."""
    apart = by.value if by else parts.ANY
    return _table(games, [Kind.BOTS], True, lambda index, scope: standings.show(index, scope, apart, None, anchors))


def standings_in_seats(*games: Game) -> Leaderboard:
    """The leaderboard with a part for each seat."""
    kinds = [Kind.BOTS, Kind.BOTS_IN_SEATS]
    return _table(games, kinds, True, lambda index, scope: standings.show(index, scope, parts.SEAT, None))


def seats_of(*games: Game) -> list[SeatRow]:
    """The value of each seat."""
    return _table(games, [Kind.SEATS], False, lambda index, _: queries.seat_values(index, None))


def meetings_of(*games: Game) -> HeadToHead:
    """How often each bot ranks ahead of each other one."""
    return _table(games, [Kind.BOTS], False, lambda index, _: head_to_head(index, None))


def faults_of(*games: Game) -> list[FaultRow]:
    """The faults of each bot, by kind."""
    return _table(games, [], False, lambda index, _: queries.faults(index, None))


def bot_faults_of(*games: Game) -> dict[str, BotFaults]:
    """The faults of each bot, with its first fault in full."""
    return _table(games, [], False, lambda index, _: queries.bot_faults(index))
