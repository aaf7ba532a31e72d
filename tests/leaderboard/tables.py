"""Tables over games that are given as results, without logs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from fa_cli.game_result import By
from fa_cli.leaderboard import parts, queries
from fa_cli.leaderboard.boards import board
from fa_cli.leaderboard.index import Index, LogState
from fa_cli.leaderboard.played_games import played_game
from fa_cli.leaderboard.queries import BotFaults
from fa_cli.leaderboard.selected_results import SelectedResults
from fa_cli.leaderboard.standings import Leaderboard
from fa_cli.leaderboard.sums import sum_tables
from fa_cli.replay.log_file import START, LogPosition
from fa_cli.stats.faults import FaultRow
from fa_cli.stats.head_to_head import HeadToHead
from fa_cli.stats.luck.seat_values import SeatRow
from tests.tournament.helpers import Game

Table = TypeVar("Table")


def _table(games: Sequence[Game], read: Callable[[SelectedResults], Table], of_game: str | None = None) -> Table:
    with Index(None) as index:
        state = LogState(b"", "2026", (0, 0, 0, 0), True, LogPosition(len(games)), START)
        log = index._save("log.log", state, [played_game(game, "log", number) for number, game in enumerate(games)])
        return read(SelectedResults(index, [log], "", game=of_game))


def standings_of(*games: Game, by: By | None = None, anchors: Mapping[str, float] | None = None) -> Leaderboard:
    """The leaderboard, in parts if `by` is given."""
    apart = by.value if by else parts.ANY
    return _table(games, lambda results: board(results, apart, rated=True, anchors=anchors))


def standings_in_seats(*games: Game) -> Leaderboard:
    """The leaderboard with a part for each seat."""
    return _table(games, in_seats)


def in_seats(results: SelectedResults, rated: bool = True) -> Leaderboard:
    """The same of results."""
    return board(results, parts.SEAT, rated)


def seats_of(*games: Game) -> list[SeatRow]:
    """The value of each seat."""
    return _table(games, queries.seat_values)


def meetings_of(*games: Game) -> HeadToHead:
    """How often each bot ranks ahead of each other one."""
    return _table(games, lambda results: sum_tables.head_to_head(results.summary(parts.Kind.BOTS)))


def faults_of(*games: Game) -> list[FaultRow]:
    """The faults of each bot, by kind."""
    return _table(games, queries.faults)


def bot_faults_of(*games: Game, of_game: str | None = None) -> dict[str, BotFaults]:
    """The faults of each bot, with its first fault in full."""
    return _table(games, queries.bot_faults, of_game)
