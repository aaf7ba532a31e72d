"""The boards of bots in their seats, each with ratings as a bot of its own; of all games, and of each."""

from __future__ import annotations

from .boards import EVERY_GAME, GAMES, Boards, Leaderboard, Part
from .names import bots_of
from .seats import add_in_seats
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
        block, names = block_of(result, log, index), bots_of(result.players)
        bots = dict.fromkeys(names)
        for game in (EVERY_GAME, result.game):
            self._board(Part(game), bots).add(result, block)
            self._changed.update(dict.fromkeys((Part(game), bot) for bot in bots))
            self._counts[game] += 1
            self._changed[Part(game, GAMES), ""] = None
            self._add_by_seat(result, block, names, game)

    def _add_by_seat(self, result: Result, block: tuple[str, int | str], names: list[str], game: str) -> None:
        parts = [Part(game, _SEAT, f"seat {seat}") for seat in range(len(names))]
        boards = [self._board(part, {name: None}) for part, name in zip(parts, names, strict=True)]
        add_in_seats(boards, result, names, block)
        self._changed.update(dict.fromkeys(zip(parts, names, strict=True)))
