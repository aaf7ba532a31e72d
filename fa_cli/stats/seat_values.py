"""What a seat is worth: results by seat, of each bot and of all bots together."""

from __future__ import annotations

from typing import Any

from ..results import PlayedGame
from .block_means import BlockSums, ends, student_p
from .outcomes import OUTCOMES, means, outcome

SEAT_FIELDS = (
    *("game", "players", "seat", "games", "wins", "wins_interval", "expected"),
    *("mean_rank", "mean_rank_interval", "points", "points_interval", "p_value"),
)


class Seats:
    """Results by game, number of players and seat, all bots together: whether a seat is better than another."""

    def __init__(self) -> None:
        self.of: dict[tuple[str, int, int], BlockSums] = {}
        """Sums of outcomes by game, number of players and seat, whoever sat there."""

    def add(self, game: PlayedGame) -> None:
        """Count one game; games in their logs' order."""
        for seat in range(len(game.bots)):
            key = game.game, len(game.bots), seat
            sums = self.of.get(key) or self.of.setdefault(key, BlockSums(OUTCOMES))
            sums.add(outcome(game, seat), game.deal, game.stratum)

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
