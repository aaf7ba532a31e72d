"""The seatings of a block: which bot has which seat, game by game."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from math import factorial

from ..request import Duplicate
from .pair_counts import Group


def block_size(duplicate: Duplicate, players: int) -> int:
    """The games of a block of different bots at a table of `players` seats."""
    return factorial(players) if duplicate is Duplicate.PERMUTATIONS else players


def seatings(duplicate: Duplicate, number: int, group: Group, secret: str = "") -> Iterator[tuple[int, ...]]:
    """The seatings of block `number`, each with a bot per seat."""
    rotated = rotations(number, group, secret)
    if duplicate is not Duplicate.PERMUTATIONS:
        return iter(rotated)
    return _permutations(rotated)


def _permutations(rotated: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """All permutations, one rotation after another, so that seats are about balanced after any number of them."""
    seen = set()
    seats = range(len(rotated[0]))
    for rest in itertools.permutations(seats[1:]):
        for rotation in rotated:
            order = (rotation[0], *(rotation[seat] for seat in rest))
            if order not in seen:
                seen.add(order)
                yield order


def rotations(number: int, group: Group, secret: str = "") -> list[tuple[int, ...]]:
    """All rotations of one random order of the group, so that every bot has every seat.

    The order depends on the block's number and `secret`. A bot against itself has one seating, since rotating changes
    nothing.
    """
    if len(set(group)) == 1:
        return [group]
    order = list(group)
    generator = random.Random(f"block {number}{secret}")
    while True:
        generator.shuffle(order)
        rotated = [tuple(order[start:] + order[:start]) for start in range(len(order))]
        if len(set(rotated)) == len(rotated):
            return rotated


class SeatCounts:
    """Counts how often each bot has had each seat in the games played."""

    def __init__(self) -> None:
        self._counts: dict[tuple[int, int], list[int]] = {}  # by bot and size of the table

    def add(self, seats: Sequence[int]) -> None:
        """Count a game with a bot per seat."""
        for seat, bot in enumerate(seats):
            self._counts.setdefault((bot, len(seats)), [0] * len(seats))[seat] += 1

    @property
    def worst(self) -> int:
        """The largest difference between a bot's games in two seats, at tables of one size."""
        return max((max(counts) - min(counts) for counts in self._counts.values()), default=0)

    def describe(self) -> str:
        """One sentence on the balance of seats."""
        if not self.worst:
            return "every bot has had every seat equally often"
        return f"the games of a bot in two seats differ by at most {self.worst}"
