"""The boards of bots in their seats, each with ratings as a bot of its own; of all games, and of each."""

from __future__ import annotations

from ..stats.seat_values import add_in_seats
from .boards import EVERY_GAME, Boards, Leaderboard, Part
from .labels import bots_of
from .standings import By, Result, block_of

_SEAT = "seat"


class SeatLeaderboard(Leaderboard):
    """The overall board, and one for each seat: as `BotsInSeats`."""

    def label(self, part: Part, by: By | None, game: str) -> str | None:
        """The seat's name."""
        return part.label if part.by == _SEAT and part.game == game else None


class SeatBoards(Boards):
    """As far as the fold has come."""

    shown_as = SeatLeaderboard

    def add(self, result: Result, log: str, index: int) -> None:
        """Fold in game `index` of this log; games in their logs' order."""
        names, block = bots_of(result.players), block_of(result, log, index)
        lines = EVERY_GAME, result.game
        seats = [Part(game, _SEAT, f"seat {seat}") for game in lines for seat in range(len(names))]
        # a rating in a seat hangs on those in the others too, so that seats have boards of their own
        boards, *own = self._of_setting(result, lambda: [list(map(Part, lines)), *([seat] for seat in seats)])
        bots = dict.fromkeys(names)
        for board in boards:
            board.to_change(bots).add(result, block)
        in_seats = [board.to_change([name]) for (board,), name in zip(own, names * len(lines), strict=True)]
        for first in range(0, len(in_seats), len(names)):
            add_in_seats(in_seats[first : first + len(names)], result, names, block)
        self._count(result)
