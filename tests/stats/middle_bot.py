"""Simulated leagues of one bot at tables of two, against rivals of any strength, and its intervals there."""

from __future__ import annotations

import numpy
from scipy.special import ndtr

from fa_cli.stats.block_means import BlockMean

FIELDS = {
    "seven equal rivals": [0.0] * 7,
    "seven rivals from -1.5 to 1.5": [-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5],
    "seven rivals from -5 to 5": [-5.0, -3.6, -2.1, 0.7, 2.1, 3.6, 5.0],
    "six far rivals, one near": [-6.0, -6.0, -6.0, 0.3, 6.0, 6.0, 6.0],
    "a hopeless rival, one near": [-4.07, 0.5],
}
"""The rivals' strengths less the bot's own, in standard deviations of a bot's luck in a game."""


def coverage(rivals: list[float], blocks: int, deal: float, leagues: int, single: bool = False) -> tuple[float, float]:
    """How often the intervals of wins and of mean rank hold.

    `deal` is the part of the luck that a deal gives to a seat; rotations unless `single`.
    """
    draw = numpy.random.default_rng(1)
    rival = numpy.arange(blocks) % len(rivals)
    apart = -numpy.array(rivals)[rival]
    truth = float(ndtr(apart / 2**0.5).mean())
    hands = draw.normal(0, (2 * deal) ** 0.5, (leagues, blocks))
    turns = (1,) if single else (1, -1)
    won = sum(
        (apart + turn * hands + draw.normal(0, (2 - 2 * deal) ** 0.5, (leagues, blocks)) > 0).astype(int)
        for turn in turns
    )
    held = numpy.zeros(2)
    for league in numpy.asarray(won).tolist():
        wins, places = BlockMean(), BlockMean()
        for stratum, total in zip(rival.tolist(), league, strict=True):
            wins.add_block(total, len(turns), stratum)
            places.add_block(2 * len(turns) - total, len(turns), stratum)
        low, high = wins.share_interval()
        first, last = places.bounded_interval(1, 2)
        held += low <= truth <= high, first <= 2 - truth <= last
    of_wins, of_ranks = held / leagues
    return float(of_wins), float(of_ranks)
