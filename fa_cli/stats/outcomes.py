"""What a game came to for each seat, in whole numbers, so that sums over games do not depend on their order."""

from __future__ import annotations

from collections.abc import Sequence

from ..results import PlayedGame

WIN = 27_720
"""The parts of a win: a first place is shared evenly by up to twelve."""


def wins_of(game: PlayedGame) -> list[int]:
    """Each seat's share of the win, in parts of `WIN`; with a fault nothing is won."""
    share = WIN // max(1, game.ranks.count(1))
    return [share if rank == 1 and seat not in game.faulted else 0 for seat, rank in enumerate(game.ranks)]


def half_ranks_of(ranks: Sequence[int]) -> list[int]:
    """Twice each seat's rank; those who tie have the mean of the ranks that they take up: 1, 2.5, 2.5."""
    return [2 * rank + ranks.count(rank) - 1 for rank in ranks]
