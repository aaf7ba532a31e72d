"""Means and shares over blocks of games with one deal, which are not independent, and their confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import cbrt, sqrt
from statistics import NormalDist

from ..printing.columns import Caveat
from .distributions import student_p, student_quantile
from .outcomes import add_up

CONFIDENCE = 0.95
_BLOCKS, _SIZE, _NN, _TOTAL, _SS, _SN, _NNN, _SSS, _SSN, _SNN = range(10)
"""Sums over the blocks of a stratum: 1, size, size², total, total², total * size, then size³, total³, total² * size,
total * size²; a block's total is that of its values."""
_COLUMNS = 10
ENOUGH_BLOCKS = 6
"""Intervals of fewer blocks have a caveat, and are not corrected for skewness, of which they say little."""
_LOWEST_POINTS = 0
"""No game gives negative points."""
_MAX_STRATA = 64
"""Strata kept separately by `BlockMean`. Further ones are pooled, which makes intervals wider, never too narrow."""
_FEW_FREEDOM, _SMALL_STRATUM = 30, 4
"""With fewer degrees of freedom, intervals of unbounded values pool the strata with fewer blocks."""
_ONE_RIVAL = 10
"""With fewer degrees of freedom a single stratum makes up most of the variance of a share."""
_SHRINKAGE = 0.7
"""An estimated skewness of few blocks is noisy. This factor and the widening in `skewed_ends` were chosen for coverage
among 24 variants, on other games than those of the tests (docs/explanation/statistics-details.md)."""
_MAX_SKEWNESS = 0.5
"""The expansion behind `skewed_ends` holds for a small skewness of the mean only. Beyond this bound, or beyond
1 / quantile for few degrees of freedom, an end would run away; so no end is more than 2.4 quantiles from the mean."""


class BlockMean:
    """A mean over values in blocks, in constant memory, with its variance and confidence intervals.

    A block belongs to a stratum, a number for its setting and the bots at the table. The variance is that of a ratio
    estimator, from the spread between blocks. Differences between strata are planned, not chance, so only the spread
    within each counts. Strata with a single block are pooled.
    """

    def __init__(self) -> None:
        self.count = 0
        """The number of values."""
        self.total = 0.0
        """The sum of all values."""
        self.blocks = 0
        self._sums: dict[int | None, list[float]] = {}  # by stratum; None pools those beyond the maximum

    def add_block(self, total: float, size: int, stratum: int = 0) -> None:
        """Add a block of `size` values with this sum. Beyond `_MAX_STRATA`, new strata and single blocks are pooled."""
        self.count += size
        self.total += total
        self.blocks += 1
        strata = self._sums
        if stratum not in strata and len(strata) >= _MAX_STRATA and None not in strata:
            single = [strata.pop(key) for key, sums in list(strata.items()) if sums[_BLOCKS] == 1]
            strata[None] = _sum_columns(single) or [0.0] * _COLUMNS
        key = stratum if stratum in strata or None not in strata else None
        sums = strata.setdefault(key, [0.0] * _COLUMNS)
        squares = (1.0, size, size * size, total, total * total, total * size)
        cubes = (size**3, total**3, total * total * size, total * size * size)
        for column, value in enumerate(squares + cubes):
            sums[column] += value

    def strata(self) -> list[Sequence[float]]:
        """Sums by stratum. Single blocks are pooled, so each row has two or more.

        With a single block in total, its row has one.
        """
        return pooled(list(self._sums.values()))

    @property
    def mean(self) -> float:
        """The mean of all values; 0 without values."""
        return self.total / self.count if self.count else 0.0

    @property
    def variance(self) -> float | None:
        """The variance of the mean, from the spread between blocks; None for fewer than two blocks."""
        if self.blocks < 2:
            return None
        return add_up(_squared_deviations(part) for part in self.strata()) / self.count**2

    @property
    def freedom(self) -> int:
        """Degrees of freedom of the variance: blocks minus strata."""
        return max(0, self.blocks - len(self.strata()))

    def quantile(self, confidence: float = CONFIDENCE) -> float:
        """Student's quantile: half the width of an interval in standard errors. Needs two blocks or more."""
        return student_quantile((1 + confidence) / 2, self.freedom)

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
        """Student's interval, corrected for skewness, for unbounded values; None for fewer than two blocks.

        Unlike those of bounded values, spreads of strata may differ by any factor. So the degrees of freedom are
        Satterthwaite's, and if there are few, strata with few blocks are pooled.
        """
        if self.blocks < 2:
            return None
        strata = self.strata()
        if self.freedom < _FEW_FREEDOM:
            strata = pooled(strata, _SMALL_STRATUM)
        variance, freedom = add_up(map(_squared_deviations, strata)), satterthwaite(strata)
        quantile = student_quantile((1 + confidence) / 2, freedom)
        is_known = variance and self.blocks >= ENOUGH_BLOCKS
        skewness = add_up(map(_cubed_deviations, strata)) / variance**1.5 if is_known else 0.0
        error = sqrt(variance) / self.count
        low, high = skewed_ends(quantile, skewness, freedom + 1)
        return self.mean + error * low, self.mean + error * high

    def share_interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The interval for values from 0 to 1."""
        return self.bounded_interval(0.0, 1.0, confidence)

    def bounded_interval(self, low: float, high: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Wilson's interval, with Student's quantile, for values from `low` to `high`.

        Its number of trials is `effective_trials`, its degrees of freedom are Satterthwaite's: against rivals that
        always lose or win there is no spread. It has width even if all blocks are equal. For fewer than two blocks it
        is the whole range.
        """
        if self.blocks < 2 or high <= low:
            return low, high
        share = min(1.0, max(0.0, (self.mean - low) / (high - low)))
        trials, freedom = self._trials_of_ends(low, high)
        ends = wilson(share, trials, student_quantile((1 + confidence) / 2, freedom))
        return low + ends[0] * (high - low), low + ends[1] * (high - low)

    def share_p(self) -> float:
        """The two-sided p-value of a share against one half: below 0.05 exactly if its 95% interval excludes that."""
        if self.blocks < 2:
            return 1.0
        trials, freedom = self._trials_of_ends(0.0, 1.0)
        return student_p(abs(self.mean - 0.5) * 2 * sqrt(trials), freedom)

    def _trials_of_ends(self, low: float, high: float) -> tuple[float, float]:
        """The trials and degrees of freedom of an interval for values from `low` to `high`."""
        strata, trials = self.strata(), self.effective_trials(low, high)
        freedom = satterthwaite(strata)
        return trials / (_widening(strata, low, high) if freedom < _ONE_RIVAL else 1), freedom

    def effective_trials(self, low: float = 0.0, high: float = 1.0) -> float:
        """The number of independent trials, each `low` or `high`, whose mean would have the same variance.

        If all blocks are equal, one is assumed to differ by the whole range; if the mean is at an end of the range, the
        result is the number of blocks.
        """
        share = min(1.0, max(0.0, (self.mean - low) / (high - low)))
        chance = share * (1 - share)
        if chance < 1e-12:
            return float(self.blocks)
        variance = self.variance
        if variance is None:
            return float(self.blocks)
        return chance / (variance / (high - low) ** 2 or 1 / self.blocks**2)


class SummedMean(BlockMean):
    """The mean of values whose blocks are summed already, by stratum; no block is added."""

    def __init__(
        self, strata: Sequence[Sequence[float]], kind: int = 0, unit: float = 1.0, cubes: int | None = None
    ) -> None:
        """`strata`: rows of blocks, size and size², then total, total² and total * size for each kind of value.

        `kind` selects the values; `unit` is what counts as 1 in their sums. `cubes` is the column from which a row has
        the four sums of third powers; without them the values count as not skewed.
        """
        super().__init__()
        column = _TOTAL + 3 * kind
        strata = pooled(strata)
        self.count = int(sum(sums[_SIZE] for sums in strata))
        self.total = add_up(sums[column] for sums in strata) / unit
        self.blocks = int(sum(sums[_BLOCKS] for sums in strata))
        self._strata: list[Sequence[float]] = [
            (
                *(*sums[:_TOTAL], sums[column] / unit, sums[column + 1] / unit**2, sums[column + 2] / unit),
                *(_scaled_cubes(sums[cubes : cubes + 4], unit) if cubes is not None else (0.0, 0.0, 0.0, 0.0)),
            )
            for sums in strata
        ]

    def strata(self) -> list[Sequence[float]]:
        return self._strata


def caveats_of(blocks: int, ends: tuple[float, float] | None = None) -> list[str]:
    """The caveats about the intervals of a row with so many blocks, and this interval of points if it has one."""
    found = {
        Caveat.FEW_BLOCKS: blocks < ENOUGH_BLOCKS,
        Caveat.OUT_OF_RANGE: ends is not None and ends[0] < _LOWEST_POINTS,
    }
    return [caveat.value for caveat, holds in found.items() if holds]


def pooled(strata: Sequence[Sequence[float]], least: int = 2) -> list[Sequence[float]]:
    """The strata; those of fewer than `least` blocks are added up and, if still too few, join the last stratum."""
    several = [sums for sums in strata if sums[_BLOCKS] >= least]
    few = [sums for sums in strata if sums[_BLOCKS] < least]
    if several and few and sum(sums[_BLOCKS] for sums in few) < least:
        few.append(several.pop())
    return [*several, _sum_columns(few)] if few else several


def _sum_columns(rows: Sequence[Sequence[float]]) -> list[float]:
    return [add_up(column) for column in zip(*rows, strict=True)]


def _squared_deviations(sums: Sequence[float]) -> float:
    """Sum of squared differences between each block's total and size * stratum mean, times blocks / (blocks - 1)."""
    mean = sums[_TOTAL] / sums[_SIZE]
    squares = sums[_SS] - 2 * mean * sums[_SN] + mean * mean * sums[_NN]
    if squares <= 1e-12 * sums[_SS]:
        return 0.0  # equal blocks; the rest is rounding error
    return squares * sums[_BLOCKS] / (sums[_BLOCKS] - 1)


def _widening(strata: Sequence[Sequence[float]], low: float, high: float) -> float:
    """How much larger the variance is if every stratum with a spread had one more block at either end of the range.

    Of few blocks the variance is smallest where the mean is farthest off: an interval around 1 win of 9 is too short.
    """
    found = [0.0, 0.0]
    for sums in strata:
        if part := _squared_deviations(sums):
            share, blocks = (sums[_TOTAL] / sums[_SIZE] - low) / (high - low), sums[_BLOCKS]
            more = (share * blocks + 1) / (blocks + 2)
            found[0] += part
            found[1] += part * more * (1 - more) / (share * (1 - share))
    return found[1] / found[0] if found[0] else 1.0


def _cubed_deviations(sums: Sequence[float]) -> float:
    """Sum of these differences cubed, times what makes it unbiased; 0 for fewer than three blocks or equal ones."""
    blocks = sums[_BLOCKS]
    if blocks < 3 or not _squared_deviations(sums):
        return 0.0
    mean = sums[_TOTAL] / sums[_SIZE]
    cubes = sums[_SSS] - 3 * mean * sums[_SSN] + 3 * mean**2 * sums[_SNN] - mean**3 * sums[_NNN]
    return cubes * blocks**2 / ((blocks - 1) * (blocks - 2))


def _scaled_cubes(sums: Sequence[float], unit: float) -> tuple[float, float, float, float]:
    """The sums of third powers in the unit."""
    return sums[0], sums[1] / unit**3, sums[2] / unit**2, sums[3] / unit


def satterthwaite(strata: Sequence[Sequence[float]]) -> float:
    """The degrees of freedom of the variance: blocks minus strata if all have the same spread, else fewer.

    Satterthwaite's, without the bias that comes from the squares of estimated variances (Johnson and Rust, 1993).
    """
    most = sum(sums[_BLOCKS] for sums in strata) - len(strata)
    parts = [(_squared_deviations(sums), sums[_BLOCKS] - 1) for sums in strata]
    squares = add_up(part * part / (freedom + 2) for part, freedom in parts)
    if not squares:
        return most
    return min(most, max(1.0, add_up(part for part, _ in parts) ** 2 / squares - 2))


def skewed_ends(quantile: float, skewness: float, blocks: float) -> tuple[float, float]:
    """The ends of a Student interval for a skewed mean of `blocks` blocks, in standard errors from the mean.

    They are those of Hall's (1992) cubic transformation of the t statistic, which removes its skewness: with values
    skewed to the right the interval reaches further up than down. The quantile is widened for the long tails that come
    with skewness, by its square less 6 / blocks², which is what chance makes of it if values are not skewed.
    """
    most = min(_MAX_SKEWNESS, 1 / quantile)
    bounded = max(-most, min(most, skewness))
    widened = quantile * (1 + max(0.0, bounded**2 - 6 / blocks**2))
    shrunk = _SHRINKAGE * bounded
    if abs(shrunk) < 1e-6:  # then the ends below lose digits
        return -widened, widened
    low, high = (3 / shrunk * (cbrt(1 + shrunk * (end - shrunk / 6)) - 1) for end in (-widened, widened))
    return -high, -low


def wilson(share: float, count: float, quantile: float = NormalDist().inv_cdf(0.975)) -> tuple[float, float]:
    """Wilson's score interval for a share observed in `count` independent trials; `count` may be fractional.

    It ends at 0 exactly if the share is 0, and at 1 if it is 1.
    """
    z = quantile
    middle = share + z * z / (2 * count)
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    low, high = ((middle + sign * half) / (1 + z * z / count) for sign in (-1, 1))
    return max(0.0, low) if share > 0 else 0.0, min(1.0, high) if share < 1 else 1.0
