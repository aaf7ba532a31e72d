"""Simulated leagues in which two bots are compared: round robins at tables of two or four, with rotations."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy

from fa_cli.game_result import PlayedGame
from fa_cli.stats.comparison import Comparison
from fa_cli.stats.comparison_row import ComparisonRow

SUPERIORITY_BOUNDS = (0.5, 0.75, 0.9, 0.975, 1.001)


def league(strengths: Sequence[float], players: int, rounds: int, seed: int, luck: float = 0.7) -> Iterator[PlayedGame]:
    """The games of a round robin: in each round every group of `players` bots meets once, on a deal of its own.

    Bots are named 0, 1 and so on. The unit is the standard deviation of a bot's luck in one game; `luck` is that of a
    hand of cards, which is the same in all rotations of a deal.
    """
    draw = numpy.random.default_rng(seed)
    once = list(itertools.combinations(range(len(strengths)), players))
    groups = once * rounds
    seats = (numpy.arange(players) + numpy.arange(players)[:, None]) % players  # by rotation and member of the group
    hands = draw.normal(0, luck, (len(groups), players))[:, seats]
    play = numpy.array(strengths)[groups][:, None, :] + hands + draw.normal(0, 1, hands.shape)
    ranks = 1 + (play[:, :, None, :] > play[:, :, :, None]).sum(axis=3)
    orders = seats.argsort(axis=1)  # by rotation and seat
    by_seat = numpy.take_along_axis(ranks, orders[None], axis=2)
    points = 10 * numpy.rint((players - by_seat) / (players - 1)).astype(int)
    tables = [[[str(group[member]) for member in order] for order in orders.tolist()] for group in once]
    strata = [zlib.crc32(repr(sorted(table[0])).encode()) for table in tables]
    for block, (results, paid) in enumerate(zip(by_seat.tolist(), points.tolist(), strict=True)):
        table, stratum = tables[block % len(once)], strata[block % len(once)]
        for rotation, (bots, own, won) in enumerate(zip(table, results, paid, strict=True)):
            yield made_game(block, stratum, block * players + rotation, bots, own, won)


def made_game(block: int, stratum: int, index: int, bots: list[str], ranks: list[int], points: list[int]) -> PlayedGame:
    """A game of a league without decisions or faults."""
    zeros = [0] * len(bots)
    return PlayedGame(
        log="league",
        index=index,
        block=block,
        stratum=stratum,
        game="game",
        side="game",
        variant="game",
        bots=bots,
        ranks=ranks,
        points=points,
        decisions=zeros,
        time_us=zeros,
        faults=[],
    )


def compared(
    strengths: Sequence[float],
    players: int,
    rounds: int,
    seed: int,
    first: str = "0",
    second: str = "1",
    luck: float = 0.7,
    over_field: bool = False,
) -> ComparisonRow:
    """The comparison of two bots in one league, where they met or over the field."""
    comparison = Comparison(first, second)
    for game in league(strengths, players, rounds, seed, luck):
        comparison.add(game)
    return comparison.rows()[-1 if over_field else 0]


class SuperiorityBin(NamedTuple):
    """Leagues whose leader has a likelihood of superiority between two bounds."""

    low: float
    high: float
    leagues: int
    mean: float
    """The mean likelihood of superiority of the leaders."""
    right: float
    """The share of these leagues in which the leader is the stronger bot."""


def superiority(players: int, rounds: int, leagues: int, bots: int) -> list[SuperiorityBin]:
    """How often leaders are the stronger bots, in leagues of bots with normal strengths of standard deviation 1."""
    draw, found = numpy.random.default_rng(players), []
    for seed in range(leagues):
        strengths = draw.normal(0, 1, bots).tolist()
        row = compared(strengths, players, rounds, seed, over_field=True)
        found.append((max(row.los, 1 - row.los), (strengths[0] > strengths[1]) == (row.los > 0.5)))
    los, right = numpy.array(found).T
    bins = []
    for low, high in itertools.pairwise(SUPERIORITY_BOUNDS):
        chosen = (los >= low) & (los < high)
        bins.append(SuperiorityBin(low, high, int(chosen.sum()), los[chosen].mean(), right[chosen].mean()))
    return bins
