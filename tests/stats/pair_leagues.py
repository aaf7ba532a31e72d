"""Simulated leagues as pair comparisons, and how often strengths, their intervals and rank ranges are right in them.

`python -m tests.bench.coverage strengths` prints the table of docs/explanation/statistics-details.md.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass
from typing import NamedTuple

import numpy
from scipy.special import ndtr

from fa_cli.stats.block_means import CONFIDENCE
from fa_cli.stats.strength.fit import SAME, FittedStrengths, fit, middle
from fa_cli.stats.strength.groups import rank_ranges, ranks
from fa_cli.stats.strength.pair_sums import PairRows, pair_sums, stratum_pairs
from fa_cli.stats.strength.scale import BETA, MEAN


@dataclass(frozen=True)
class League:
    """Who plays a league of deals in all rotations. The unit is the luck of a seat in a game, from the deal or not."""

    bots: int = 8
    players: int = 4
    blocks: int = 60
    strength: float = 0.7
    """The spread of the bots' strengths, drawn for each league."""
    deal: float = 0.5
    """The part of the variance that a deal gives to a seat, whoever sits there."""
    scale: float = 0.0
    """Points from so many steps, so that there are ties; 0: none."""
    games: int = 0
    """The games that are played of each block; 0: all rotations."""
    groups: int = 0
    """The number of different tables; 0: all that there are."""

    far: float = 0.0
    """How much stronger the first bot is than the mean of the others; 0: it is one of them."""

    def play(self, seed: int) -> tuple[numpy.ndarray, PairRows]:
        """The true strengths, and its comparisons."""
        draw = numpy.random.default_rng(seed)
        strengths = draw.normal(0, self.strength, self.bots)
        if self.far:
            strengths[0] = strengths[1:].mean() + self.far
        return strengths, self.rows(draw, strengths)

    def rows(self, draw: numpy.random.Generator, strengths: numpy.ndarray) -> PairRows:
        """The comparisons of a league of bots with these strengths."""
        tables = all_tables(self.bots, self.players)
        chosen = draw.permutation(len(tables))[: self.groups or None]
        stratum = numpy.arange(self.blocks) % len(chosen)
        group = tables[chosen[stratum]]
        deals = draw.normal(0, self.deal**0.5, (self.blocks, self.players))
        ahead = numpy.zeros((self.blocks, self.players, self.players), dtype=numpy.int64)
        games = self.games or self.players
        for turn in range(games):
            points = strengths[group] + numpy.roll(deals, turn, axis=1)
            points += draw.normal(0, (1 - self.deal) ** 0.5, points.shape)
            if self.scale:
                points = numpy.round(points * self.scale)
            left, right = points[:, :, None], points[:, None, :]
            ahead += 2 * (left > right) + (left == right)
        return self._rows(stratum, group, ahead, games)

    def shown(self, strengths: numpy.ndarray) -> numpy.ndarray:
        """What endless games would show: the strengths in other units, or with ties what they come to."""
        if not self.scale:
            return shown(strengths)
        steps = numpy.arange(-8 * self.scale, 8 * self.scale + 1)
        below = ndtr((steps + 0.5) / self.scale - strengths[:, None])
        each = numpy.diff(below, prepend=0.0)
        ahead = each @ (below - each / 2).T
        return endless(ahead)

    def _rows(self, stratum, group, ahead, games: int) -> PairRows:
        own, rival = numpy.nonzero(~numpy.eye(self.players, dtype=bool))
        pairs = len(own)
        block = numpy.repeat(numpy.arange(self.blocks), pairs)
        return PairRows(
            numpy.repeat(stratum, pairs),
            block,
            group[:, own].ravel(),
            group[:, rival].ravel(),
            numpy.full(self.blocks * pairs, games),
            ahead[:, own, rival].ravel(),
        )


@functools.cache
def all_tables(bots: int, players: int) -> numpy.ndarray:
    """The groups of so many bots: 27,405 of four of 30, which took longer to list than to play."""
    return numpy.array(list(itertools.combinations(range(bots), players)))


def shown(strengths: numpy.ndarray) -> numpy.ndarray:
    """What endless games without ties would show of strengths in units of a seat's luck."""
    return MEAN + BETA * (strengths - 2**0.5 * middle(strengths / 2**0.5)[0])


def endless(chances: numpy.ndarray) -> numpy.ndarray:
    """What endless games between every two bots would show, given the chance of each to rank ahead of each other."""
    own, rival = numpy.nonzero(~numpy.eye(len(chances), dtype=bool))
    many, zero = numpy.full(len(own), 1_000_000), numpy.zeros_like(own)
    won = numpy.rint(2 * many * chances[own, rival]).astype(numpy.int64)
    return fitted(len(chances), PairRows(zero, zero, own, rival, many, won)).strengths


def fitted(bots: int, rows: PairRows) -> FittedStrengths:
    """The strengths of these comparisons."""
    return fit(bots, pair_sums(stratum_pairs(rows)))


def far_coverage(league: League, count: int) -> tuple[float, float, float]:
    """How often the interval of the first bot holds, those of the others, and the rank ranges of all."""
    found = numpy.zeros(3)
    for seed in range(count):
        true, rows = league.play(seed)
        true, field = league.shown(true), fitted(league.bots, rows)
        own = holding_strengths(field, true)
        ranges = rank_ranges(field)
        right = [low <= 1 + (true > value).sum() <= high for (low, high), value in zip(ranges, true, strict=True)]
        found += [own[0], numpy.mean(own[1:]), numpy.mean(right)]
    first, others, ranges = found / count
    return float(first), float(others), float(ranges)


def table_coverage(league: League, count: int) -> tuple[float, float]:
    """The share of leagues in which all rank ranges hold, for equal bots all their ranks; the mean width of a range."""
    right, width = 0, 0.0
    for seed in range(count):
        true, rows = league.play(seed)
        found = judged(fitted(league.bots, rows), league.shown(true))
        right += found.ranges
        width += found.width
    return right / count, width / count


class Judged(NamedTuple):
    """How well a fit holds the true strengths."""

    held: float
    """The share of intervals of strengths that hold the true one."""
    differences: float
    """The same of differences between two bots."""
    ranges: bool
    """Whether all rank ranges hold."""
    width: float
    """Their mean width."""
    error: float
    """The root of the mean square error of strengths."""


def judged(field: FittedStrengths, true: numpy.ndarray) -> Judged:
    """Judge a fit by the true strengths."""
    bots, error = len(true), field.strengths - true
    held = holding_strengths(field, true)
    apart = holding_differences(field, error)
    ranges = rank_ranges(field)
    right = all(
        first <= 1 + (true > value + SAME).sum() and last >= bots - (true < value - SAME).sum()
        for (first, last), value in zip(ranges, true, strict=True)
    )
    width = sum(1 + last - first for first, last in ranges) / bots
    return Judged(float(numpy.mean(held)), float(apart.mean()), right, width, float((error**2).mean() ** 0.5))


def holding_strengths(field: FittedStrengths, true: numpy.ndarray) -> list[bool]:
    """Whether each bot's interval holds its true strength."""
    intervals = [field.interval(bot) or (-numpy.inf, numpy.inf) for bot in range(len(true))]
    return [low <= value <= high for (low, high), value in zip(intervals, true, strict=True)]


def holding_differences(field: FittedStrengths, error: numpy.ndarray) -> numpy.ndarray:
    """Whether the interval of the difference between each two bots holds the true one, given the strengths' errors."""
    holds = error[:, None] - error <= field.reach(CONFIDENCE)
    return (holds & holds.T)[numpy.triu_indices(len(error), 1)]


@dataclass
class Coverage:
    """How often a kind of league was judged rightly."""

    differences: float
    """The share of intervals of differences between two bots that hold the true one."""
    strengths: float
    """The same of each bot's interval."""
    ranks: float
    """The share of rank ranges that hold the true rank."""
    overlap: float
    """The share of leagues in which all ranges of identical bots overlap; meaningful for identical bots only."""


def coverage(league: League, count: int) -> Coverage:
    """Measured over so many leagues."""
    found = numpy.zeros(4)
    for seed in range(count):
        true, rows = league.play(seed)
        true = league.shown(true)
        field = fitted(league.bots, rows)
        error = field.strengths - true
        differences = holding_differences(field, error)
        own = holding_strengths(field, true)
        ranges = rank_ranges(field)
        right = [low <= 1 + (true > value).sum() <= high for (low, high), value in zip(ranges, true, strict=True)]
        overlap = max(low for low, _ in ranges) <= min(high for _, high in ranges)
        found += [differences.mean(), numpy.mean(own), numpy.mean(right), overlap]
        assert all(low <= rank <= high for rank, (low, high) in zip(ranks(field), ranges, strict=True))
    return Coverage(*(found / count))


LEAGUES = {
    "eight bots, four players, 60 blocks": League(),
    "240 blocks": League(blocks=240),
    "28 blocks": League(blocks=28),
    "six bots, repeated tables": League(bots=6, blocks=60),
    "equal bots": League(strength=0.0),
    "two players, 112 blocks": League(players=2, blocks=112, strength=0.4),
    "far apart, 120 blocks": League(strength=1.5, blocks=120),
    "many ties": League(scale=1.0),
    "no luck in the deal": League(deal=0.0),
    "nearly all luck in the deal": League(deal=0.9),
    "240 single games": League(games=1, blocks=240),
    "30 bots, 300 blocks": League(bots=30, blocks=300),
    "five players": League(players=5, blocks=60),
}
SHORT = {
    "twelve bots, 12 blocks": League(bots=12, blocks=12),
    "equal bots, two players, 56 blocks": League(strength=0.0, players=2, blocks=56),
    "two bots, 30 blocks": League(bots=2, players=2, blocks=30, strength=0.3),
    "two bots far apart, 30 blocks": League(bots=2, players=2, blocks=30, strength=1.0),
}
"""Few games for each bot, or two bots alone: intervals are rather too wide."""
TABLES = {
    f"{bots} bots, {players} players, {blocks} blocks, {kind}": League(bots, players, blocks, strength)
    for bots, players, blocks in ((4, 2, 60), (4, 4, 60), (8, 2, 112), (8, 4, 60), (30, 2, 870), (30, 4, 300))
    for kind, strength in (("equal", 0.0), ("spread 0.7", 0.7), ("spread 1.5", 1.5))
}
"""Fields whose rank ranges are judged as a whole."""
FAR = {0.998: 4.0704, 0.9999: 5.2595}
"""How much stronger one bot has to be to rank ahead so often."""
ENDS = {
    f"{table}, one {word} at {often}": League(bots=bots, players=players, blocks=blocks, far=sign * FAR[often])
    for table, bots, players, blocks in (
        ("eight bots, four players, 60 blocks", 8, 4, 60),
        ("eight bots, four players, 240 blocks", 8, 4, 240),
        ("eight bots, two players, 112 blocks", 8, 2, 112),
        ("three bots, two players, 60 blocks", 3, 2, 60),
        ("three bots, two players, 300 blocks", 3, 2, 300),
    )
    for word, sign in (("loses", -1), ("wins", 1))
    for often in FAR
}
"""One hopeless or one perfect bot among others."""
