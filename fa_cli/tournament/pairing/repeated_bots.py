"""Groups for tables with more seats than bots: the same bot has two or more seats.

Every bot has the same number of seats; the bots take turns at the seats that are left. Each choice of bots for these
comes once before any comes again, in the order that balances the games per bot first and those per pair second.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from .pair_counts import Group


class AppearanceCounts:
    """Counts the games of each bot and of each pair."""

    def __init__(self) -> None:
        self.bots: dict[int, int] = {}
        self.pairs: dict[tuple[int, int], int] = {}

    def add(self, group: Group) -> None:
        """Count a group with its bots in increasing order."""
        for bot in group:
            self.bots[bot] = self.bots.get(bot, 0) + 1
        for pair in itertools.combinations(group, 2):
            self.pairs[pair] = self.pairs.get(pair, 0) + 1

    def played(self, group: Group) -> int:
        """The games of the group's bots, summed."""
        return sum(self.bots.get(bot, 0) for bot in group)

    def met(self, group: Group) -> int:
        """The games of the group's pairs, summed."""
        return sum(self.pairs.get(pair, 0) for pair in itertools.combinations(group, 2))


def groups_with_repeats(
    bots: Sequence[int], seats: int, overall: AppearanceCounts, secret: str = ""
) -> Iterator[Group]:
    """Endless groups of `seats` bots, each in increasing order; there are fewer bots than seats.

    `overall` counts the groups of all settings of a tournament, and is updated; it breaks ties between groups that are
    equally balanced here. Further ties are broken at random, seeded with `secret`.
    """
    base = sorted(bots) * (seats // len(bots))
    choices = list(itertools.combinations(sorted(bots), seats - len(base)))
    generator = random.Random(f"{len(bots)} of {seats - len(base)}{secret}")  # the same schedule in every run
    own = AppearanceCounts()
    while True:
        left = list(choices)
        generator.shuffle(left)
        while left:
            best = min(left, key=lambda g: (own.played(g), overall.played(g), own.met(g), overall.met(g)))
            left.remove(best)
            own.add(best)
            overall.add(best)
            yield tuple(sorted([*base, *best]))
