"""Results by seat, over all bots: what each seat is worth, and whether the seats of a table differ at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from ...printing.columns import KEY, ON_REQUEST, Interval, caveats, interval, number, p_value, percent, percents, text
from ..block_means import CONFIDENCE, pooled
from ..distributions import fisher_p, student_quantile
from ..outcomes import add_up

if TYPE_CHECKING:
    from ..strength.pair_sums import Floats

_MOVED = 0.05
"""Seats are balanced if no more than this share of a bot's games would have to be in other seats."""
_NO_SPREAD = 1e-12
"""Half the width of an interval if all blocks are alike, but for rounding: they do not tell how much others differ."""


class SeatRow(msgspec.Struct):
    """A seat at tables of one size."""

    game: Annotated[str, text("game", "the game", importance=KEY)]
    players: Annotated[int, number("players", "how many sit at the table", importance=KEY)]
    seat: Annotated[int, number("seat", "the seat, from 0", importance=KEY)]
    games: Annotated[int, number("games", "games at such tables", importance=7)]
    value: Annotated[
        float,
        number(
            "value",
            "mean place score of this seat, above what the bots in it score on average in all seats",
            3,
            "+",
            legend="what the seat adds to a bot's place score (the share of rivals that it ranks ahead of)",
        ),
    ]
    value_interval: Annotated[
        Interval | None, interval("interval of `value`; none for too few blocks of games, or if all are alike", 3, "+")
    ]
    wins: Annotated[float, percent("wins", "share of games won by whoever sat there", importance=9)]
    wins_interval: Annotated[Interval, percents("interval of `wins`", importance=3)]
    expected: Annotated[float, percent("expected", "what `wins` would be if all seats were alike", importance=6)]
    mean_rank: Annotated[float, number("mean rank", "mean rank of whoever sat there", 2, importance=5)]
    mean_rank_interval: Annotated[Interval, interval("interval of `mean_rank`", 2, importance=1)]
    points: Annotated[float, number("points", "mean points of whoever sat there", 1, importance=4)]
    points_interval: Annotated[
        Interval | None, interval("interval of `points`; none with a single block", 1, importance=2)
    ]
    p_value: Annotated[
        float,
        p_value(
            "joint p",
            "how likely values as far from 0 are if all seats are alike; one p-value for all seats of a game and table "
            "size",
            importance=ON_REQUEST,
        ),
    ]
    caveats: Annotated[list[str], caveats()]


class SeatSums(NamedTuple):
    """Sums over the blocks of one stratum. A block has a total per seat."""

    blocks: int
    games: int
    squared_games: int
    totals: Floats
    """Per seat."""
    totals_games: Floats
    """Per seat: total * games of the block."""
    products: Floats
    """Per pair of seats: the product of their totals."""


class SeatValues(NamedTuple):
    """The values of the seats at tables of one size, with one p-value for all of them."""

    values: list[float]
    intervals: list[Interval | None]
    p_value: float


def seat_values(strata: Sequence[SeatSums], confidence: float = CONFIDENCE) -> SeatValues:
    """Values of seats by Hotelling's T^2 test over blocks, with the spread within strata (see block_means.py).

    Like a sign test, the p-value is at least players ** (1 - blocks).
    """
    import numpy as np

    rows: Any = strata
    rows = pooled(rows)
    strata = [SeatSums(*row) for row in rows]
    games, blocks = sum(sums.games for sums in strata), sum(sums.blocks for sums in strata)
    seats, freedom = len(strata[0].totals), blocks - len(strata)
    contrast = np.eye(seats) - 1 / seats  # only differences between seats count
    values = contrast @ np.sum([sums.totals for sums in strata], axis=0) / games
    if seats < 2 or freedom < 1:
        return SeatValues(values.tolist(), [None] * seats, 1.0)
    variance = np.zeros((seats, seats))
    for sums in strata:
        mean, cross = sums.totals / sums.games, sums.totals_games
        squares = sums.products - np.outer(mean, cross) - np.outer(cross, mean)
        squares += np.outer(mean, mean) * sums.squared_games
        if sums.blocks > 1:
            variance += squares * sums.blocks / (sums.blocks - 1)
    variance = contrast @ variance @ contrast / games**2
    halves = student_quantile((1 + confidence) / 2, freedom) * np.sqrt(np.maximum(0.0, variance.diagonal()))
    return SeatValues(
        values.tolist(),
        [
            (float(value - half), float(value + half)) if half > _NO_SPREAD else None
            for value, half in zip(values, halves, strict=True)
        ],
        max(_joint_p(values, variance, freedom), float(seats) ** (1 - blocks)),
    )


def _joint_p(values: Floats, variance: Floats, freedom: int) -> float:
    """The p-value of Hotelling's test that all values are 0; 1 for too few blocks.

    It is 0 if they differ in a direction in which blocks never vary.
    """
    import numpy as np

    if freedom < len(values) - 1:
        return 1.0
    variances, directions = np.linalg.eigh(variance)
    along = directions.T @ values
    varies = variances > 1e-9 * max(float(variances[-1]), float(np.abs(values).max()) ** 2, 1e-30)
    if np.any(np.abs(along[~varies]) > 1e-9):
        return 0.0
    dimensions = int(varies.sum())
    if dimensions == 0:
        return 1.0
    left = freedom - dimensions + 1
    statistic = float((along[varies] ** 2 / variances[varies]).sum())
    return fisher_p(statistic * left / (freedom * dimensions), dimensions, left)


class SeatImbalance(NamedTuple):
    """A bot that had some seat more often than others."""

    game: str
    players: int
    bot: str
    seat: int
    """The seat that it had most often."""
    share: float
    """The share of its games in that seat."""
    games: int
    moved: float
    """The share of its games that would have to be in other seats."""

    def __str__(self) -> str:
        return (
            f"{self.bot} had seat {self.seat} in {100 * self.share:.0f}% of its {self.games} games of {self.game} with "
            f"{self.players} players (balanced: {100 / self.players:.0f}%)"
        )


class SeatBalance:
    """Counts how often each bot had each seat, by game and number of players."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, int, str], list[int]] = {}

    def add(self, game: str, players: int, bot: str, seat: int, games: int = 1) -> None:
        """Count games of a bot in a seat."""
        self._counts.setdefault((game, players, bot), [0] * players)[seat] += games

    def imbalances(self) -> list[SeatImbalance]:
        """The bots whose seats were not balanced, the worst first.

        Counts that differ by 1 are balanced, as after a tournament that was cut.
        """
        found = []
        for (game, players, bot), counts in self._counts.items():
            games = sum(counts)
            moved = add_up(max(0.0, count - games / players) for count in counts) / games
            if max(counts) - min(counts) > 1 and moved > _MOVED:
                seat = counts.index(max(counts))
                found.append(SeatImbalance(game, players, bot, seat, counts[seat] / games, games, moved))
        return sorted(found, key=lambda each: (-each.moved, each.game, each.players, each.bot))
