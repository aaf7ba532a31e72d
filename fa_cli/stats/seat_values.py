"""Results by seat, over all bots."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ..columns import Interval, caveats, interval, number, percent, percents, text
from .block_means import BlockMean, caveats_of, student_p


class SeatRow(msgspec.Struct):
    """A seat at tables of one size."""

    game: Annotated[str, text("game", "the game")]
    players: Annotated[int, number("players", "how many sit at the table")]
    seat: Annotated[int, number("seat", "which of them, from 0")]
    games: Annotated[int, number("games", "games at such tables")]
    wins: Annotated[float, percent("wins", "share of games won by whoever sat there")]
    wins_interval: Annotated[Interval, percents("interval of `wins`")]
    expected: Annotated[float, percent("expected", "what `wins` would be if all seats were alike")]
    mean_rank: Annotated[float, number("mean rank", "mean rank of whoever sat there", 2)]
    mean_rank_interval: Annotated[Interval, interval("interval of `mean_rank`", 2)]
    points: Annotated[float, number("points", "mean points of whoever sat there", 1)]
    points_interval: Annotated[Interval | None, interval("interval of `points`; none with a single block", 1)]
    p_value: Annotated[
        float, number("p", "how likely a mean rank as far from the middle is if all seats are alike", decimals=4)
    ]
    caveats: Annotated[list[str], caveats()]


def seat_row(game: str, players: int, seat: int, wins: BlockMean, points: BlockMean, ranks: BlockMean) -> SeatRow:
    """The row of a seat. The p-value tests whether its mean rank is the middle rank of the table."""
    offset = (ranks.mean - (players + 1) / 2) / (players - 1) if players > 1 else 0.0
    is_testable = ranks.blocks > 1 and offset != 0
    statistic = 2 * offset * ranks.effective_trials(1, players) ** 0.5 if is_testable else 0.0
    return SeatRow(
        game=game,
        players=players,
        seat=seat,
        games=ranks.count,
        wins=wins.mean,
        wins_interval=wins.share_interval(),
        expected=1 / players,
        mean_rank=ranks.mean,
        mean_rank_interval=ranks.bounded_interval(1, players),
        points=points.mean,
        points_interval=points.interval(),
        p_value=student_p(statistic, ranks.freedom) if is_testable else 1.0,  # SciPy is imported only if needed
        caveats=caveats_of(points),
    )
