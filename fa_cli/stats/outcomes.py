"""Each seat's result in one game, and shares as Elo. Wins are whole numbers, so that sums depend on no order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from math import log10
from operator import add

WIN = 27_720
"""Units in one win, a number that up to twelve seats can share evenly."""


def add_up(values: Iterable[float]) -> float:
    """Return the sum, added from left to right. `sum` rounds floats otherwise since Python 3.12."""
    return reduce(add, values, 0)


def rank_points(ranks: Sequence[int]) -> list[int]:
    """Two points for each seat behind, one for each other seat with the same rank: `[1, 2, 2]` gives `[4, 1, 1]`."""
    ordered = sorted(ranks)
    return [2 * (len(ranks) - ordered.index(rank)) - ordered.count(rank) - 1 for rank in ranks]


@lru_cache(maxsize=1 << 10)
def rank_scores(ranks: tuple[int, ...]) -> tuple[float, ...]:
    """Each seat's share of rivals that it beat, ties half: 1 for the sole first, 0 for the sole last."""
    return tuple(points / 2 / (len(ranks) - 1) for points in rank_points(ranks))


def elo(share: float) -> float | None:
    """The difference in Elo ratings at which this share is expected; None for 0 and 1, where it is unbounded."""
    return 400 * log10(share / (1 - share)) if 0 < share < 1 else None
