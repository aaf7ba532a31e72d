"""Simulated leagues in which some bots beat each other in a circle: what holds there of strengths and of `fa compare`.

`python -m tests.bench.coverage circles` prints the table of docs/explanation/statistics-details.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy
from scipy.special import ndtr, ndtri

from fa_cli.game_result import PlayedGame
from fa_cli.stats.comparison import Comparison
from fa_cli.stats.comparison_row import ComparisonRow
from fa_cli.stats.strength.pair_sums import PairRows
from tests.stats.compared_leagues import made_game
from tests.stats.misfit_leagues import NAMES, circle, in_pairs, judged
from tests.stats.pair_leagues import endless, fitted


class Found(NamedTuple):
    """What a league says."""

    strengths: float
    """The share of intervals of strengths that hold the true one."""
    head_to_head: ComparisonRow
    """The comparison of the first bot of the circle with the next, where they met."""
    field: ComparisonRow
    """The same over the field."""
    strikes: bool
    """Whether the test of the fit strikes."""


@dataclass(frozen=True)
class CircleLeague:
    """Bots that meet in pairs, on fresh deals; the first ones go in a circle, each ahead of the next."""

    bots: int
    members: int
    chance: float
    """How often a bot of the circle ranks ahead of the next, if they are equally strong."""
    strength: float = 0.0
    """The strengths go from minus to plus this, in evenly spaced steps; the unit is the luck of a difference."""
    games: int = 40
    """Of every two bots."""

    @cached_property
    def chances(self) -> numpy.ndarray:
        strengths = self.strength * numpy.linspace(-1, 1, self.bots)
        around = ndtri(circle(self.bots, self.members, self.chance))
        return ndtr(strengths[:, None] - strengths + around)

    @cached_property
    def true(self) -> numpy.ndarray:
        """The strengths that endless games would show."""
        return endless(self.chances)

    def found(self, seed: int) -> Found:
        """What the league with this seed says."""
        rows = in_pairs(self.chances, self.games, 1, seed)
        field = fitted(self.bots, rows)
        intervals = [field.interval(bot) or (-numpy.inf, numpy.inf) for bot in range(self.bots)]
        held = [low <= value <= high for (low, high), value in zip(intervals, self.true, strict=True)]
        comparison = Comparison(NAMES[0], NAMES[1])
        for game in _games(rows):
            comparison.add(game)
        compared, strikes = comparison.rows(), judged(self.bots, {("game", 2): rows}, field.strengths).misfit
        return Found(float(numpy.mean(held)), compared[0], compared[-1], strikes is not None)


def _games(rows: PairRows) -> Iterator[PlayedGame]:
    """The games of the first two bots."""
    once = (rows.own < rows.rival) & (rows.own < 2)
    columns = (each[once].tolist() for each in rows)
    for index, (stratum, block, own, rival, _, ahead) in enumerate(zip(*columns, strict=True)):
        yield made_game(block, stratum, index, [NAMES[own], NAMES[rival]], [1, 2] if ahead else [2, 1], [0, 0])


CIRCLES = {
    "3 equal bots, no circle": CircleLeague(3, 0, 0.5),
    "3 equal bots, a circle of 65%": CircleLeague(3, 3, 0.65),
    "3 equal bots, a circle of 80%": CircleLeague(3, 3, 0.8),
    "8 equal bots, three in a circle of 70%": CircleLeague(8, 3, 0.7),
    "8 equal bots, all in a circle of 70%": CircleLeague(8, 8, 0.7),
    "8 bots from -0.5 to 0.5, no circle": CircleLeague(8, 0, 0.5, 0.5),
    "8 bots from -0.5 to 0.5, three in a circle of 70%": CircleLeague(8, 3, 0.7, 0.5),
    "8 bots from -0.5 to 0.5, all in a circle of 70%": CircleLeague(8, 8, 0.7, 0.5),
}
"""Leagues with a circle, and the same without."""
