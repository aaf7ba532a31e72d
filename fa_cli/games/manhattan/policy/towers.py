"""The towers of a seat in Manhattan and what threatens them. mypyc can't compile a class that derives from dict.

values.py evaluates whole positions with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ..board import unpack_blocks
from ..tables import GAPS, HEIGHT

# Values named LATER or LASTING count once for each round after this one.
TOWER = (1.14, 1.23, 1.17, 1.15, 1.11, 1.19, 1.19)  # by threats now: points for a tower
TOWER_LATER = (0.0, -0.03, -0.10, -0.11, -0.19, -0.22, -0.22)
LASTING = (1.10, 1.19, 0.97, 0.89, 0.79, 0.67, 0.66, 0.72)  # by threats from supply: points for a tower

STAYS = (1.0, 0.88, 0.82, 0.77, 0.73, 0.70, 0.60)
"""By threats now: the probability that a tower has the same owner at the end of the round."""
LASTS = (1.0, 0.92, 0.88, 0.84, 0.80, 0.75, 0.70, 0.65)
"""By threats from supply: the probability that it then keeps its owner for another round."""

NOW = (0, 1, 2, 3, 4, 4, 5, 5, 5, *[6] * 20)
"""By number of blocks that threaten a tower now: the index in the tables by threats now."""
LATER = tuple(index for index, count in enumerate((1, 2, 3, 4, 5, 6, 8, 44)) for _ in range(count))
"""By number of blocks in supply that threaten a tower: the index in the tables by threats from supply."""

GAP = [tuple(gaps // 6**colour % 6 for colour in range(4)) for gaps in range(2048)]
"""By the gaps in a cell: the gap of each colour."""
LOW = (1 << HEIGHT) - 1
"""The bits of a cell that its safety depends on: owner and gaps."""


@lru_cache(maxsize=1 << 12)
def at_least(blocks: int) -> tuple[int, ...]:
    """Return by gap, 0 to 5, how many of these packed blocks close it."""
    counts = unpack_blocks(blocks)
    return tuple(sum(counts[max(0, gap - 1) :]) for gap in range(6))


Rival = tuple[int, int, int]
"""A rival colour with its blocks, packed: those chosen and those in supply."""
Entry = tuple[float, float, float, int]
"""A tower's points, probabilities that it stays and lasts, and its index in HIGHEST."""


class Towers(dict[int, Entry]):
    """A seat's towers by `cell & LOW`: points, probabilities that it stays and lasts, and its index in HIGHEST."""

    def __init__(self, later: int, rivals: Sequence[Rival]) -> None:
        self.later = later
        self.rivals = [(colour, at_least(chosen), at_least(supply)) for colour, chosen, supply in rivals]

    def __missing__(self, low: int) -> Entry:
        gaps = GAP[low & GAPS]
        now = NOW[sum([chosen[gaps[rival]] for rival, chosen, _ in self.rivals])]
        then = LATER[sum([supply[gaps[rival]] for rival, _, supply in self.rivals])]
        points = TOWER[now] + self.later * (TOWER_LATER[now] + LASTING[then])
        self[low] = entry = points, STAYS[now], STAYS[now] * LASTS[then], (now > 0) + (now > 2)
        return entry
