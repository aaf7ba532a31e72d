"""In which seats the bots of a block sit, game by game."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from math import factorial

from ..definition import Definition, Setting
from ..options import Duplicate
from .pair_counts import Group


def games_in_set(definition: Definition) -> int:
    """Games of one set of different bots: one block in every setting."""
    return sum(block_size(definition.duplicate, setting) for setting in definition.settings)


def block_size(duplicate: Duplicate, setting: Setting) -> int:
    """Games of a block of different bots."""
    return factorial(setting.players) if duplicate is Duplicate.PERMUTATIONS else setting.players


def seatings(duplicate: Duplicate, number: int, group: Group, secret: str = "") -> Iterator[tuple[int, ...]]:
    """The seatings of a block, each a bot per seat."""
    turns = rotations(number, group, secret)
    if duplicate is not Duplicate.PERMUTATIONS:
        return iter(turns)
    return _all_orders(turns)


def _all_orders(turns: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Every order once, turn by turn of the table, so that also after a part of them the seats are about even."""
    seen = set()
    seats = range(len(turns[0]))
    for rest in itertools.permutations(seats[1:]):
        for turn in turns:
            order = (turn[0], *(turn[seat] for seat in rest))
            if order not in seen:
                seen.add(order)
                yield order


def rotations(number: int, group: Group, secret: str = "") -> list[tuple[int, ...]]:
    """One order of the group around the table, turned until everybody has had every seat.

    The order is another one in each block, and follows from its number and `secret`. A bot against itself has one
    seating, since turning changes nothing.
    """
    if len(set(group)) == 1:
        return [group]
    order = list(group)
    generator = random.Random(f"block {number}{secret}")
    while True:
        generator.shuffle(order)
        turns = [tuple(order[turn:] + order[:turn]) for turn in range(len(order))]
        if len(set(turns)) == len(turns):
            return turns


class SeatCounts:
    """How often each bot has had each seat, counted from the games themselves."""

    def __init__(self) -> None:
        self._of: dict[tuple[int, int], list[int]] = {}

    def add(self, seats: Sequence[int]) -> None:
        """Count a game."""
        for seat, bot in enumerate(seats):
            self._of.setdefault((bot, len(seats)), [0] * len(seats))[seat] += 1

    @property
    def worst(self) -> int:
        """The most games that a bot has had in one seat more than in another, at tables of one size."""
        return max((max(counts) - min(counts) for counts in self._of.values()), default=0)

    def describe(self) -> str:
        """One sentence on how even they are."""
        if not self.worst:
            return "every bot has had every seat equally often"
        times = "once" if self.worst == 1 else f"{self.worst} times"
        return f"no bot has had a seat more than {times} oftener than another"
