"""What a seat is worth: results by seat, of each bot and of all bots together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..leaderboard.labels import bots_of
from ..leaderboard.ratings import Ratings
from ..leaderboard.standings import (
    OUTCOMES,
    OVERALL,
    Board,
    Result,
    block_of,
    ends,
    means,
    outcome,
    side_by_side,
    stratum_of,
)
from .block_means import BlockSums, student_p

SEAT_FIELDS = (
    *("game", "players", "seat", "games", "wins", "wins_interval", "expected"),
    *("mean_rank", "mean_rank_interval", "points", "points_interval", "p_value"),
)


def add_in_seats(boards: Sequence[Board], result: Result, names: list[str], block: tuple[str, int | str]) -> None:
    """Add a game to the board of each of its seats: a bot is rated there as a bot of its own."""
    in_seats = list(zip(names, range(len(names)), strict=True))
    ratings = Ratings()
    for (name, seat), board in zip(in_seats, boards, strict=True):
        ratings[name, seat] = board.ratings[name]
    ratings.add(in_seats, result.result.ranks, {fault.seat for fault in result.faults})
    for (name, seat), board in zip(in_seats, boards, strict=True):
        board.tally(result, names, block, (seat,))
        board.ratings[name] = ratings[name, seat]


class BotsInSeats:
    """The overall board, and one for each seat, with ratings of bots in their seats: each as a bot of its own."""

    def __init__(self) -> None:
        self.games = 0
        self.boards: dict[str, Board] = {OVERALL: Board()}

    def add(self, result: Result, log: str, index: int) -> None:
        """Fold in game `index` of this log; games in their logs' order."""
        self.games += 1
        block = block_of(result, log, index)
        self.boards[OVERALL].add(result, block)
        names = bots_of(result.players)
        boards = [self.boards.setdefault(f"seat {seat}", Board()) for seat in range(len(names))]
        add_in_seats(boards, result, names, block)

    def rows(self) -> list[dict[str, Any]]:
        """The overall rows, each with the fields of every seat, as `seat 0 rating`."""
        return side_by_side(self.boards[OVERALL].rows(), {part: self.boards[part].rows() for part in self.parts()})

    def parts(self) -> list[str]:
        """The names of the seats, in order."""
        return sorted((part for part in self.boards if part != OVERALL), key=lambda part: int(part.split()[1]))


class Seats:
    """Results by game, number of players and seat, all bots together: whether a seat is better than another."""

    def __init__(self) -> None:
        self.of: dict[tuple[str, int, int], BlockSums] = {}
        """Sums of outcomes by game, number of players and seat, whoever sat there."""

    def add(self, result: Result, log: str, index: int) -> None:
        """Fold in game `index` of this log; games in their logs' order."""
        names = bots_of(result.players)
        block, stratum = block_of(result, log, index), stratum_of(result, names)
        faulted = {fault.seat for fault in result.faults}
        for seat in range(len(names)):
            key = result.game, len(names), seat
            sums = self.of.get(key) or self.of.setdefault(key, BlockSums(OUTCOMES))
            sums.add(outcome(result.result, seat, seat in faulted), block, stratum)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each seat: see `SEAT_FIELDS`. The p-value is of its mean rank being that of the table's middle."""
        return [self.row(*key) for key in sorted(self.of)]

    def row(self, game: str, players: int, number: int) -> dict[str, Any]:
        """The row of this seat."""
        wins, points, ranks = means(self.of[game, players, number])
        off = (ranks.mean - (players + 1) / 2) / (players - 1) if players > 1 else 0.0
        known = ranks.blocks > 1 and off != 0
        return {
            "game": game,
            "players": players,
            "seat": number,
            "games": ranks.count,
            "wins": wins.mean,
            "wins_interval": list(wins.share_interval()),
            "expected": 1 / players,
            "mean_rank": ranks.mean,
            "mean_rank_interval": list(ranks.bounded_interval(1, players)),
            "points": points.mean,
            "points_interval": ends(points.interval()),
            "p_value": student_p(2 * off * ranks.worth(1, players) ** 0.5, ranks.freedom) if known else 1.0,
        }
