"""Means and shares over blocks of games with one deal, which are not independent, and their confidence intervals."""

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
"""Sums over the blocks of a stratum: 1, size, size², total, total², total * size; a block's total is that of its
values."""
_MAX_STRATA = 64
"""Strata kept separately by `BlockSums`. Further ones are pooled, which makes intervals wider, never too narrow."""


class BlockSums:
    """Sums over values that arrive block by block, in constant memory.

    A block belongs to a stratum, a number for its setting and the bots at the table.
    """

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        """The sum of all values."""
        self.blocks = 0
        """The number of blocks, including the current one."""
        self._strata: dict[int | None, list[float]] = {}  # of whole blocks; None pools those beyond the maximum
        self._stratum = 0
        self._block: Hashable = None
        self._in_block = 0
        self._sum = 0.0

    def add(self, value: float, block: Hashable, stratum: int = 0, count: int = 1) -> None:
        """Add a value, or the sum of `count` values, of a block. The values of one block must come consecutively."""
        if self._in_block == 0 or block != self._block:
            self._end_block()
            self._block, self._stratum = block, stratum
            self.blocks += 1
        self._in_block += count
        self.count += count
        self._sum += value
        self.total += value

    def add_block(self, total: float, size: int, stratum: int = 0) -> None:
        """Add a whole block of `size` values with this sum."""
        self._end_block()
        self.add(total, None, stratum, size)

    def _end_block(self) -> None:
        if self._in_block:
            _add_block(self._strata, self._stratum, self._sum, self._in_block)
            self._in_block, self._sum = 0, 0.0

    def strata(self) -> list[Sequence[float]]:
        """Sums by stratum, including the current block. Single blocks are pooled, so each row has two or more.

        With a single block in total, its row has one.
        """
        strata = {stratum: list(sums) for stratum, sums in self._strata.items()}
        if self._in_block:
            _add_block(strata, self._stratum, self._sum, self._in_block)
        return _pooled(list(strata.values()))


class StratumSums:
    """Values of one kind whose blocks are summed already, by stratum."""

    def __init__(self, strata: Sequence[Sequence[float]], kind: int = 0, unit: float = 1.0) -> None:
        """`strata`: rows of the sums named at the top of this module, the last three repeated for each kind of value.

        `kind` selects the values; `unit` is what counts as 1 in their sums.
        """
        column = _TOTAL + 3 * kind
        self.count = int(sum(sums[_SIZE] for sums in strata))
        self.total = sum(sums[column] for sums in strata) / unit
        self.blocks = int(sum(sums[_BLOCKS] for sums in strata))
        self._strata = [
            (*sums[:_TOTAL], sums[column] / unit, sums[column + 1] / unit**2, sums[column + 2] / unit)
            for sums in strata
        ]

    def strata(self) -> list[Sequence[float]]:
        """The sums by stratum, as `BlockSums.strata` gives them."""
        return _pooled(self._strata)


class BlockMean:
    """A mean over values in blocks, with its variance and confidence intervals.

    The variance is that of a ratio estimator, from the spread between blocks. Differences between strata are planned,
    not chance, so only the spread within each counts. Strata with a single block are pooled.
    """

    def __init__(self, sums: BlockSums | StratumSums | None = None) -> None:
        """The mean of the values in `sums`; without it, of values to be added."""
        self._sums = sums or BlockSums()

    def add(self, value: float, block: Hashable, stratum: int = 0) -> None:
        """Add a value; see `BlockSums.add`."""
        self._growing().add(value, block, stratum)

    def add_block(self, total: float, size: int, stratum: int = 0) -> None:
        """Add a whole block; see `BlockSums.add_block`."""
        self._growing().add_block(total, size, stratum)

    def _growing(self) -> BlockSums:
        assert isinstance(self._sums, BlockSums), "the blocks are summed already"
        return self._sums

    @property
    def count(self) -> int:
        """The number of values."""
        return self._sums.count

    @property
    def total(self) -> float:
        """The sum of the values."""
        return self._sums.total

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return self._sums.blocks

    def _strata(self) -> list[Sequence[float]]:
        return self._sums.strata()

    @property
    def mean(self) -> float:
        """The mean of all values; 0 without values."""
        return self.total / self.count if self.count else 0.0

    @property
    def variance(self) -> float | None:
        """The variance of the mean, from the spread between blocks; None for fewer than two blocks."""
        if self.blocks < 2:
            return None
        return sum(_squared_deviations(part) for part in self._strata()) / self.count**2

    @property
    def freedom(self) -> int:
        """Degrees of freedom of the variance: blocks minus strata."""
        return max(0, self.blocks - len(self._strata()))

    def quantile(self, confidence: float = CONFIDENCE) -> float:
        """Student's quantile: half the width of an interval in standard errors. Needs two blocks or more."""
        return student_quantile((1 + confidence) / 2, self.freedom)

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
        """Student's interval, for unbounded values; None for fewer than two blocks."""
        variance = self.variance
        if variance is None:
            return None
        half = self.quantile(confidence) * sqrt(variance)
        return self.mean - half, self.mean + half

    def share_interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The interval for values from 0 to 1."""
        return self.bounded_interval(0.0, 1.0, confidence)

    def bounded_interval(self, low: float, high: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Wilson's interval, with Student's quantile, for values from `low` to `high`.

        Its number of trials is `effective_trials`. It has width even if all blocks are equal. For fewer than two blocks
        it is the whole range.
        """
        if self.blocks < 2 or high <= low:
            return low, high
        share = min(1.0, max(0.0, (self.mean - low) / (high - low)))
        ends = wilson(share, self.effective_trials(low, high), self.quantile(confidence))
        return low + ends[0] * (high - low), low + ends[1] * (high - low)

    def effective_trials(self, low: float = 0.0, high: float = 1.0) -> float:
        """The number of independent trials, each `low` or `high`, whose mean would have the same variance.

        If all blocks are equal, one is assumed to differ by the whole range; if the mean is at an end of the range, the
        result is the number of blocks.
        """
        share = min(1.0, max(0.0, (self.mean - low) / (high - low)))
        chance = share * (1 - share)
        if self.variance is None or chance < 1e-12:
            return float(self.blocks)
        return chance / (self.variance / (high - low) ** 2 or 1 / self.blocks**2)


def _add_block(strata: dict[int | None, list[float]], stratum: int, total: float, size: int) -> None:
    """Add a whole block to its stratum. Beyond `_MAX_STRATA`, strata with a single block and new ones are pooled."""
    if stratum not in strata and len(strata) >= _MAX_STRATA and None not in strata:
        single = [strata.pop(key) for key, sums in list(strata.items()) if sums[_BLOCKS] == 1]
        strata[None] = _sum_columns(single) or [0.0] * 6
    key = stratum if stratum in strata or None not in strata else None
    sums = strata.setdefault(key, [0.0] * 6)
    for column, value in enumerate((1.0, size, size * size, total, total * total, total * size)):
        sums[column] += value


def _pooled(strata: Sequence[Sequence[float]]) -> list[Sequence[float]]:
    """The strata, with those of a single block added up; if there is only one such, it joins the last stratum."""
    several = [sums for sums in strata if sums[_BLOCKS] > 1]
    single = [sums for sums in strata if sums[_BLOCKS] == 1]
    if len(single) == 1 and several:
        single.append(several.pop())
    return [*several, _sum_columns(single)] if single else several


def _sum_columns(rows: Sequence[Sequence[float]]) -> list[float]:
    return [sum(column) for column in zip(*rows, strict=True)]


def _squared_deviations(sums: Sequence[float]) -> float:
    """Sum of squared differences between each block's total and size * stratum mean, times blocks / (blocks - 1)."""
    mean = sums[_TOTAL] / sums[_SIZE]
    squares = sums[_SS] - 2 * mean * sums[_SN] + mean * mean * sums[_NN]
    if squares <= 1e-12 * sums[_SS]:
        return 0.0  # equal blocks; the rest is rounding error
    return squares * sums[_BLOCKS] / (sums[_BLOCKS] - 1)


def wilson(share: float, count: float, quantile: float = NormalDist().inv_cdf(0.975)) -> tuple[float, float]:
    """Wilson's score interval for a share observed in `count` independent trials; `count` may be fractional."""
    z = quantile
    middle = share + z * z / (2 * count)
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, (middle - half) / (1 + z * z / count)), min(1.0, (middle + half) / (1 + z * z / count))


@functools.cache
def student_quantile(probability: float, freedom: int) -> float:
    """The quantile of Student's t distribution with `freedom` degrees of freedom."""
    from scipy.special import stdtrit  # importing SciPy takes longer than most commands

    return float(stdtrit(freedom, probability))


def student_p(statistic: float, freedom: int) -> float:
    """The two-sided p-value of a t statistic; 1 for fewer than one degree of freedom."""
    if freedom < 1:
        return 1.0
    from scipy.special import stdtr

    return float(2 * stdtr(freedom, -abs(statistic)))


def normal_probability(values: NDArray[float64]) -> NDArray[float64]:
    """How likely a standard normal figure is below each of the values."""
    from scipy.special import ndtr

    found: NDArray[float64] = ndtr(values)
    return found


def fisher_p(statistic: float, numerator: int, denominator: int) -> float:
    """The p-value of an F statistic with these degrees of freedom."""
    from scipy.special import fdtrc

    return float(fdtrc(numerator, denominator, statistic))
