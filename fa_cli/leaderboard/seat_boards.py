"""The boards of bots in their seats, each with ratings as a bot of its own; of all games, and of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..results import By, PlayedGame
from .boards import EVERY_GAME, Boards, Leaderboard, Part
from .ratings import Ratings
from .standings import OVERALL, Board, side_by_side

_SEAT = "seat"


def add_in_seats(boards: Sequence[Board], game: PlayedGame) -> None:
    """Add a game to the board of each of its seats: a bot is rated there as a bot of its own."""
    in_seats = list(zip(game.bots, range(len(game.bots)), strict=True))
    ratings = Ratings()
    for (name, seat), board in zip(in_seats, boards, strict=True):
        ratings[name, seat] = board.ratings[name]
    ratings.add(in_seats, game.ranks, game.faulted)
    for (name, seat), board in zip(in_seats, boards, strict=True):
        board.tally(game, (seat,))
        board.ratings[name] = ratings[name, seat]


class BotsInSeats:
    """The overall board, and one for each seat, with ratings of bots in their seats: each as a bot of its own."""

    def __init__(self) -> None:
        self.games = 0
        self.boards: dict[str, Board] = {OVERALL: Board()}

    def add(self, game: PlayedGame) -> None:
        """Fold in one game; games in their logs' order."""
        self.games += 1
        self.boards[OVERALL].add(game)
        boards = [self.boards.setdefault(f"seat {seat}", Board()) for seat in range(len(game.bots))]
        add_in_seats(boards, game)

    def rows(self) -> list[dict[str, Any]]:
        """The overall rows, each with the fields of every seat, as `seat 0 rating`."""
        return side_by_side(self.boards[OVERALL].rows(), {part: self.boards[part].rows() for part in self.parts()})

    def parts(self) -> list[str]:
        """The names of the seats, in order."""
        return sorted((part for part in self.boards if part != OVERALL), key=lambda part: int(part.split()[1]))


class SeatLeaderboard(Leaderboard):
    """The overall board, and one for each seat: as `BotsInSeats`."""

    def label(self, part: Part, by: By | None, game: str) -> str | None:
        """The seat's name."""
        return part.label if part.by == _SEAT and part.game == game else None


class SeatBoards(Boards):
    """As far as the fold has come."""

    shown_as = SeatLeaderboard

    def add(self, result: PlayedGame) -> None:
        """Fold in one game; games in their logs' order."""
        names = result.bots
        lines = EVERY_GAME, result.game
        seats = [Part(game, _SEAT, f"seat {seat}") for game in lines for seat in range(len(names))]
        # a rating in a seat hangs on those in the others too, so that seats have boards of their own
        boards, *own = self._of_setting(result, lambda: [list(map(Part, lines)), *([seat] for seat in seats)])
        bots = dict.fromkeys(names)
        for board in boards:
            board.to_change(bots).add(result)
        in_seats = [board.to_change([name]) for (board,), name in zip(own, names * len(lines), strict=True)]
        for first in range(0, len(in_seats), len(names)):
            add_in_seats(in_seats[first : first + len(names)], result)
        self._count(result)
