"""How sure a mean or a share is, where games come in blocks of one deal and are not independent of each other."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Sequence
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

CONFIDENCE = 0.95
_BLOCKS, _SIZE, _NN, _TOTAL, _SS, _SN = range(6)
"""Sums over the blocks of one stratum: blocks, sizes and their squares; the blocks' sums of values, the squares of
these and their products with the sizes."""
_MOST_STRATA = 64
"""Strata told apart where blocks come one after another; further ones are taken as one, which makes intervals wider,
never too narrow."""


class BlockSums:
    """What is remembered of values that come block after block; it does not grow.

    Blocks may come from several strata: the same setting and table, each a number.
    """

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        """Over all values."""
        self.blocks = 0
        """Those begun."""
        self._strata: dict[int | None, list[float]] = {}  # of whole blocks; None is for those that come after too many
        self._stratum = 0
        self._block: Hashable = None
        self._in_block = 0
        self._sum = 0.0

    def add(self, value: float, block: Hashable, stratum: int = 0, count: int = 1) -> None:
        """A value of this block, which is of this stratum; a block's values come one after another.

        `count`: what is given is the sum of so many.
        """
        if self._in_block == 0 or block != self._block:
            self._end_block()
            self._block, self._stratum = block, stratum
            self.blocks += 1
        self._in_block += count
        self.count += count
        self._sum += value
        self.total += value

    def add_block(self, total: float, size: int, stratum: int = 0) -> None:
        """A whole block of so many values with this sum."""
        self._end_block()
        self.add(total, None, stratum, size)

    def _end_block(self) -> None:
        if self._in_block:
            _add_block(self._strata, self._stratum, self._sum, self._in_block)
            self._in_block, self._sum = 0, 0.0

    def parts(self) -> list[Sequence[float]]:
        """The strata, with the block under way; each has two blocks or more, unless there is but one block."""
        strata = {stratum: list(sums) for stratum, sums in self._strata.items()}
        if self._in_block:
            _add_block(strata, self._stratum, self._sum, self._in_block)
        return _pooled(list(strata.values()))


class StratumSums:
    """Values of one kind whose blocks are summed already, stratum by stratum."""

    def __init__(self, strata: Sequence[Sequence[float]], kind: int = 0, unit: float = 1.0) -> None:
        """`strata`: the sums named at the top of this module, the last three for each kind; values in such units."""
        at = _TOTAL + 3 * kind
        self.count = int(sum(sums[_SIZE] for sums in strata))
        self.total = sum(sums[at] for sums in strata) / unit
        self.blocks = int(sum(sums[_BLOCKS] for sums in strata))
        self._strata = [
            (*sums[:_TOTAL], sums[at] / unit, sums[at + 1] / unit**2, sums[at + 2] / unit) for sums in strata
        ]

    def parts(self) -> list[Sequence[float]]:
        """As those of `BlockSums`."""
        return _pooled(self._strata)


class BlockMean:
    """A mean over values that come block after block.

    Its variance is that of a ratio, from the spread between blocks. How strata differ was planned and is not chance, so
    that only the spread within each counts. Strata of a single block are taken as one.
    """

    def __init__(self, of: BlockSums | StratumSums | None = None) -> None:
        """`of`: the mean of the values that are summed there."""
        self._of = of or BlockSums()

    def add(self, value: float, block: Hashable, stratum: int = 0) -> None:
        """As that of `BlockSums`."""
        self._added().add(value, block, stratum)

    def add_block(self, total: float, size: int, stratum: int = 0) -> None:
        """As that of `BlockSums`."""
        self._added().add_block(total, size, stratum)

    def _added(self) -> BlockSums:
        assert isinstance(self._of, BlockSums), "the blocks are summed already"
        return self._of

    @property
    def count(self) -> int:
        """So many values."""
        return self._of.count

    @property
    def total(self) -> float:
        """Their sum."""
        return self._of.total

    @property
    def blocks(self) -> int:
        """Blocks begun."""
        return self._of.blocks

    def _parts(self) -> list[Sequence[float]]:
        return self._of.parts()

    @property
    def mean(self) -> float:
        """The mean of all values; 0 if there are none."""
        return self.total / self.count if self.count else 0.0

    @property
    def variance(self) -> float | None:
        """Of the mean, from the spread between blocks; None for fewer than two blocks."""
        if self.blocks < 2:
            return None
        return sum(_spread(part) for part in self._parts()) / self.count**2

    @property
    def freedom(self) -> int:
        """Degrees of freedom of the variance: blocks less strata."""
        return max(0, self.blocks - len(self._parts()))

    def quantile(self, confidence: float = CONFIDENCE) -> float:
        """How many standard errors an interval reaches to either side, given two blocks or more."""
        return student_quantile((1 + confidence) / 2, self.freedom)

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
        """Student's interval, for values without bounds; None for fewer than two blocks."""
        variance = self.variance
        if variance is None:
            return None
        half = self.quantile(confidence) * sqrt(variance)
        return self.mean - half, self.mean + half

    def share_interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The interval of values that are shares of 1."""
        return self.bounded_interval(0.0, 1.0, confidence)

    def bounded_interval(self, low: float, high: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Wilson's interval, with Student's quantile, for values from `low` to `high`.

        It takes as many independent trials as the blocks are worth; it has width even if all blocks are equal, and
        leaves nothing out for fewer than two.
        """
        if self.blocks < 2 or high <= low:
            return low, high
        share = min(1.0, max(0.0, (self.mean - low) / (high - low)))
        ends = wilson(share, self.worth(low, high), self.quantile(confidence))
        return low + ends[0] * (high - low), low + ends[1] * (high - low)

    def worth(self, low: float = 0.0, high: float = 1.0) -> float:
        """How many trials, each either `low` or `high`, would tell as much as the blocks do.

        If all blocks are equal: as if one of them had differed by the whole width, or simply their number where the
        mean is one of the ends.
        """
        share = min(1.0, max(0.0, (self.mean - low) / (high - low)))
        chance = share * (1 - share)
        if self.variance is None or chance < 1e-12:
            return float(self.blocks)
        return chance / (self.variance / (high - low) ** 2 or 1 / self.blocks**2)


def _add_block(strata: dict[int | None, list[float]], stratum: int, total: float, size: int) -> None:
    """Put a whole block into its stratum; with too many strata those of one block become the one for all further."""
    if stratum not in strata and len(strata) >= _MOST_STRATA and None not in strata:
        single = [strata.pop(key) for key, sums in list(strata.items()) if sums[_BLOCKS] == 1]
        strata[None] = _together(single) or [0.0] * 6
    place = stratum if stratum in strata or None not in strata else None
    sums = strata.setdefault(place, [0.0] * 6)
    for at, value in enumerate((1.0, size, size * size, total, total * total, total * size)):
        sums[at] += value


def _pooled(strata: Sequence[Sequence[float]]) -> list[Sequence[float]]:
    """The strata, those of a single block taken as one; a single one that is alone is taken with the last."""
    parts = [sums for sums in strata if sums[_BLOCKS] > 1]
    rest = [sums for sums in strata if sums[_BLOCKS] == 1]
    if len(rest) == 1 and parts:
        rest.append(parts.pop())
    return [*parts, _together(rest)] if rest else parts


def _together(rows: Sequence[Sequence[float]]) -> list[float]:
    return [sum(column) for column in zip(*rows, strict=True)]


def _spread(sums: Sequence[float]) -> float:
    """How much the blocks' sums differ from what their stratum's mean makes of their sizes, for so many blocks."""
    mean = sums[_TOTAL] / sums[_SIZE]
    squares = sums[_SS] - 2 * mean * sums[_SN] + mean * mean * sums[_NN]
    if squares <= 1e-12 * sums[_SS]:
        return 0.0  # what rounding leaves of equal blocks
    return squares * sums[_BLOCKS] / (sums[_BLOCKS] - 1)


def wilson(share: float, count: float, quantile: float = NormalDist().inv_cdf(0.975)) -> tuple[float, float]:
    """Wilson's score interval for a share seen in so many (also a broken number of) independent trials."""
    z = quantile
    middle = share + z * z / (2 * count)
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, (middle - half) / (1 + z * z / count)), min(1.0, (middle + half) / (1 + z * z / count))


@functools.cache
def student_quantile(probability: float, freedom: int) -> float:
    """Where Student's distribution with so many degrees of freedom has this probability below it."""
    from scipy.special import stdtrit  # late: importing it takes longer than most commands

    return float(stdtrit(freedom, probability))


def student_p(statistic: float, freedom: int) -> float:
    """The two-sided p-value of Student's statistic; 1 without any degree of freedom."""
    if freedom < 1:
        return 1.0
    from scipy.special import stdtr

    return float(2 * stdtr(freedom, -abs(statistic)))


def normal_probability(values: NDArray[float64]) -> NDArray[float64]:
    """How likely a standard normal figure is below each of the values."""
    from scipy.special import ndtr

    found: NDArray[float64] = ndtr(values)
    return found
