"""Groups for tables with more seats than bots: the same bot has two or more seats.

Every bot has the same number of seats; the bots take turns at the seats that are left. Each choice of bots for these
comes once before any comes again, in the order that balances the games per bot first and those per pair second.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence

from .pair_counts import Group


def groups_with_repeats(bots: Sequence[int], seats: int, overall: Counter[Group], secret: str = "") -> Iterator[Group]:
    """Endless groups of `seats` bots, each in increasing order; there are fewer bots than seats.

    `overall` counts the games of each bot and of each pair in all settings of a tournament, and is updated; it breaks
    ties between groups that are equally balanced here. Further ties are broken at random, seeded with `secret`.
    """
    base = sorted(bots) * (seats // len(bots))
    choices = list(itertools.combinations(sorted(bots), seats - len(base)))
    generator = random.Random(f"{len(bots)} of {seats - len(base)}{secret}")  # the same schedule in every run
    own = Counter[Group]()

    def games(group: Group) -> list[int]:
        """The sort key of groups: the games of their bots here and overall, then those of their pairs."""
        parts = [list(itertools.combinations(group, size)) for size in (1, 2)]
        return [sum(counts[part] for part in some) for some in parts for counts in (own, overall)]

    while True:
        left = list(choices)
        generator.shuffle(left)
        while left:
            best = min(left, key=games)
            left.remove(best)
            for counts in (own, overall):
                counts.update(itertools.chain(itertools.combinations(best, 1), itertools.combinations(best, 2)))
            yield tuple(sorted([*base, *best]))
