"""How often a number of games is enough to find a difference: the table of docs/explanation/statistics.md."""

from __future__ import annotations

import numpy

from fa_cli.stats.comparison import ComparisonBlocks

# by difference of place scores: games of two with rotations, and games of four with fresh deals in which both bots sit
NEEDED = {0.04: (5000, 1800), 0.1: (800, 300), 0.2: (220, 75), 0.3: (100, 35), 0.4: (60, 20), 0.5: (40, 14)}


def pair_scores(difference: float, leagues: int, games: int) -> numpy.ndarray:
    """Block scores of two bots in pairs of rotations, by league: each game is won by the first with equal chance."""
    draw = numpy.random.default_rng(1)
    return draw.binomial(2, (1 + difference) / 2, (leagues, games // 2)) - 1.0


def table_scores(difference: float, leagues: int, games: int) -> numpy.ndarray:
    """Place scores of one of four bots less those of another, by league; all play with normal luck.

    Two bots are average, the two that are compared as far apart as gives this mean.
    """
    luck = numpy.random.default_rng(1).normal(size=(leagues * games, 4))
    low, high = 0.0, 4.0
    for _ in range(40):
        apart = (low + high) / 2
        play = luck + numpy.array([apart / 2, -apart / 2, 0, 0])
        places = (play[:, :2, None] > play[:, None, :]).sum(axis=2) / 3
        scores = places[:, 0] - places[:, 1]
        low, high = (apart, high) if scores.mean() < difference else (low, apart)
    return scores.reshape(leagues, games)


def found(scores: numpy.ndarray, weight: int) -> float:
    """The share of leagues with a p-value below 5%; a block has `weight` games."""
    count = 0
    for league in scores.tolist():
        part = ComparisonBlocks()
        for score in league:
            part.add_score(score, weight)
        count += part.p_value < 0.05
    return count / len(scores)
