"""`fa ratings`: the index that leaderboards are shown from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ..errors import UsageError
from ..text import counted
from . import common
from .common import say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..leaderboard.boards import Leaderboard
    from ..leaderboard.leaderboards import Request
    from ..leaderboard.seat_boards import BotsInSeats
    from ..leaderboard.standings import Standings
    from ..results import By

app = typer.Typer(help="The index of ratings beside the logs.")


@app.callback()
def ratings() -> None:
    """The index of ratings beside the logs: logs/index.sqlite.

    It is brought up to date by every leaderboard, and holds nothing that the logs do not.
    """


@app.command()
def rebuild() -> None:
    """Make the index anew, from the logs alone."""
    from ..leaderboard.leaderboards import rebuild

    folder = common.logs_folder()
    if not folder.is_dir():
        raise UsageError(f"there are no logs: {folder} is not there")
    games, tournaments = rebuild(folder, say)
    what = f"{counted(games, 'game')} of {counted(tournaments, 'tournament')}"
    say(f"folded {what} into {folder / 'index.sqlite'}")


def board_of(logs: Sequence[Path] | None, by: By | None = None, game: str | None = None) -> Leaderboard | Standings:
    """The leaderboard of these logs, or of all tournaments; from the index if it has one of just these."""
    from ..leaderboard.leaderboards import leaderboard
    from ..leaderboard.standings import stand

    request = _request(logs)
    if request:
        return leaderboard(request._replace(by=by, game=game), say)
    return stand(logs or (), by, game)


def by_seat(logs: Sequence[Path] | None, game: str | None) -> Leaderboard | BotsInSeats:
    """The same with bots told apart by seat."""
    from ..leaderboard.leaderboards import leaderboard
    from ..leaderboard.played import games_of
    from ..leaderboard.seat_boards import BotsInSeats

    request = _request(logs)
    if request:
        return leaderboard(request._replace(game=game, in_seats=True), say)
    found = BotsInSeats()
    for one in games_of(logs or (), game):
        found.add(one)
    return found


def seat_rows(logs: Sequence[Path] | None, game: str | None) -> list[dict[str, Any]]:
    """What each seat is worth, over these logs, or all tournaments."""
    from ..leaderboard.leaderboards import leaderboard
    from ..leaderboard.played import games_of
    from ..stats.seat_values import Seats

    request = _request(logs)
    if request:
        return leaderboard(request._replace(game=game, seats=True), say).seats
    found = Seats()
    for one in games_of(logs or (), game):
        found.add(one)
    return found.rows()


def _request(logs: Sequence[Path] | None) -> Request | None:
    """What to ask the index for; None if it has no ladder of just these logs."""
    from ..leaderboard.leaderboards import Request

    folder = common.logs_folder()
    if logs is None:
        return Request(folder)
    is_one = len(logs) == 1 and logs[0].parent == folder and logs[0].suffix == ".log"
    return Request(folder, logs[0]) if is_one else None
