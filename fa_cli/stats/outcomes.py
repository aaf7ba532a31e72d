"""What a game came to for a seat: its win, its points, its rank."""

from __future__ import annotations

from collections.abc import Sequence

from ..results import PlayedGame
from .block_means import BlockMean, BlockSums

OUTCOMES = 3
"""Kinds of values that a seat's outcome has."""


def outcome(game: PlayedGame, seat: int) -> tuple[float, float, float]:
    """What a game came to for a seat: its win, its points and its rank.

    A win is 1; a first place shared by n is 1/n each; who had a fault wins nothing. Those who tie have the mean of the
    ranks that they take up, so that the mean over a table never differs.
    """
    ranks = game.ranks
    won = 1 / ranks.count(1) if ranks[seat] == 1 and seat not in game.faulted else 0.0
    return won, game.points[seat], shared_rank(ranks, seat)


def means(sums: BlockSums) -> tuple[BlockMean, BlockMean, BlockMean]:
    """Those of wins, points and ranks, by the sums of outcomes."""
    return BlockMean(sums, 0), BlockMean(sums, 1), BlockMean(sums, 2)


def shared_rank(ranks: Sequence[int], seat: int) -> float:
    """The seat's rank; in a tie the mean of the ranks that it takes up (1, 2.5, 2.5)."""
    return ranks[seat] + (ranks.count(ranks[seat]) - 1) / 2
