"""Which bots meet at one table: groups in an order in which everybody meets everybody about equally often, all along.

Groups come one after another, each chosen as the one that evens the counts out best: first how often each bot has
played, then how often each pair has met. Where there are few enough groups (`WHOLE`) each comes exactly once before
any comes again, so that whole cycles are exactly even (pairs: always); where there are more, a group is put together
bot by bot.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from math import comb

WHOLE = 1001
"""Up to so many groups each comes once per cycle: all of 14 bots at tables of four."""
_POOL = 64
"""Of so many bots at most the next one at a table is chosen."""

Group = tuple[int, ...]


class Tally:
    """How often each bot has played and each pair has met."""

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
        """The meetings of the group's pairs, summed."""
        return sum(self.pairs.get(pair, 0) for pair in itertools.combinations(group, 2))


def groups_in_cycle(bots: int, seats: int) -> int:
    """How many different groups there are: after so many (where they are at most `WHOLE`) all is exactly even."""
    return comb(bots, seats % bots) if seats >= bots else comb(bots, seats)


def balanced_groups(bots: Sequence[int], seats: int, overall: Tally, secret: str = "") -> Iterator[Group]:
    """Groups of `seats` bots without end, rising numbers in each.

    With fewer bots than seats every bot sits at the table as often as fits, and the seats left over go to each in
    turn. `overall` counts what all settings of a tournament play; between groups that are equally good here, the one
    that evens it out is taken. Among what is still equally good the choice follows from `secret`.
    """
    base = sorted(bots) * (seats // len(bots)) if seats >= len(bots) else []
    extra = seats - len(base)
    own = Tally()
    for chosen in _chosen(sorted(bots), extra, own, overall, secret):
        own.add(chosen)
        overall.add(chosen)
        yield tuple(sorted([*base, *chosen]))


def _chosen(bots: list[int], size: int, own: Tally, overall: Tally, secret: str) -> Iterator[Group]:
    generator = random.Random(f"{len(bots)} of {size}{secret}")  # fixed: a schedule follows from the definition
    if comb(len(bots), size) > WHOLE:
        while size == 2:
            yield from _pairings(generator.sample(bots, len(bots)) if secret else bots)
        while True:
            yield _put_together(bots, size, own, generator)
    while True:
        left = list(itertools.combinations(bots, size))
        generator.shuffle(left)
        while left:
            best = min(left, key=lambda g: (own.played(g), overall.played(g), own.met(g), overall.met(g)))
            left.remove(best)
            yield best


def _pairings(bots: list[int]) -> Iterator[Group]:
    """Every pair once, by the circle method: in each round nobody plays twice, and at most one bot pauses."""
    circle: list[int | None] = [*bots, None] if len(bots) % 2 else [*bots]
    for _ in range(len(circle) - 1):
        for one, other in zip(circle[: len(circle) // 2], reversed(circle), strict=False):
            if one is not None and other is not None:
                yield (min(one, other), max(one, other))
        circle.insert(1, circle.pop())


def _put_together(bots: list[int], size: int, own: Tally, generator: random.Random) -> Group:
    """Those who have played least; among them, one after another, who has met the others least."""
    fewest = min(own.bots.get(bot, 0) for bot in bots)
    pool = [bot for bot in bots if own.bots.get(bot, 0) == fewest]
    group: list[int] = []
    if len(pool) < size:
        group, pool = pool, [bot for bot in bots if own.bots.get(bot, 0) == fewest + 1]
    pool = generator.sample(pool, min(_POOL, len(pool)))
    while len(group) < size:
        best = min(pool, key=lambda bot: sum(own.pairs.get((min(bot, other), max(bot, other)), 0) for other in group))
        pool.remove(best)
        group.append(best)
    return tuple(sorted(group))
