"""Groups for tables that have more seats than there are bots: the same bot sits there twice or more.

Every bot sits at the table as often as fits; the seats left over go to each in turn. Each choice of bots for them comes
once before any comes again, in the order that keeps the counts even: first of games per bot, then of games per pair.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from .pair_counts import Group


class AppearanceCounts:
    """Games of each bot and of each pair."""

    def __init__(self) -> None:
        self.bots: dict[int, int] = {}
        self.pairs: dict[tuple[int, int], int] = {}

    def add(self, group: Group) -> None:
        """Count a group; its bots in rising order."""
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
    """Groups of `seats` bots without end, rising numbers in each; there are fewer bots than seats.

    `overall` counts what all settings of a tournament play; between groups that are equally good here, the one that
    evens it out is taken. Among what is still equally good the choice follows from `secret`.
    """
    base = sorted(bots) * (seats // len(bots))
    choices = list(itertools.combinations(sorted(bots), seats - len(base)))
    generator = random.Random(f"{len(bots)} of {seats - len(base)}{secret}")  # a schedule follows from the definition
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
