"""How sure a mean or a share is, where games come in blocks of one deal and are not independent of each other."""

from __future__ import annotations

import functools
from array import array
from collections.abc import Hashable, Sequence
from math import sqrt
from statistics import NormalDist

CONFIDENCE = 0.95
_BLOCKS, _SIZE, _NN, _TOTAL, _SS, _SN = range(6)
"""Sums over the blocks of one stratum: blocks, sizes and their squares; and for each kind of value the blocks' sums,
the squares of these and their products with the sizes."""
_SHARED, _EACH = 3, 3
"""So many of those are for all kinds of values together, and so many for each."""
_MOST_STRATA = 64
"""Strata told apart; further ones are taken as one, which makes intervals wider, never too narrow."""


class BlockSums:
    """What is remembered of values that come block after block, one or more kinds at a time; it does not grow.

    Blocks may come from several strata (the same setting and table), each a number below 2 to the power of 32.
    """

    __slots__ = ("_block", "_in_block", "_rows", "_strata", "_stratum", "_sums", "blocks", "count", "totals")

    def __init__(self, kinds: int = 1) -> None:
        self.count = 0
        self.totals = [0.0] * kinds
        """Of each kind, over all values."""
        self.blocks = 0
        """Those begun."""
        self._strata = array("I")
        self._rows = array("d")  # of whole blocks; one row more than strata: it is for those that come after too many
        self._stratum = 0
        self._block: Hashable = None
        self._in_block = 0
        self._sums = [0.0] * kinds

    def add(self, values: Sequence[float], block: Hashable, stratum: int = 0, count: int = 1) -> None:
        """A value of each kind, of this block, which is of this stratum; a block's values come one after another.

        `count`: what is given are the sums of so many.
        """
        if self._in_block == 0 or block != self._block:
            self._end_block()
            self._block, self._stratum = block, stratum
            self.blocks += 1
        self._in_block += count
        self.count += count
        sums, totals = self._sums, self.totals
        for kind, value in enumerate(values):
            sums[kind] += value
            totals[kind] += value

    def add_block(self, totals: Sequence[float], size: int, stratum: int = 0) -> None:
        """A whole block of so many values of each kind with these sums."""
        self._end_block()
        self.add(totals, None, stratum, size)

    def _end_block(self) -> None:
        if self._in_block:
            _add_block(self._strata, self._rows, self._stratum, self._sums, self._in_block)
            self._in_block, self._sums = 0, [0.0] * len(self._sums)

    def parts(self, kind: int) -> list[Sequence[float]]:
        """The strata, with the block under way; each has two blocks or more, unless there is but one block."""
        return _pooled(self._strata_of(kind))

    def _strata_of(self, kind: int) -> list[Sequence[float]]:
        rows = self._rows
        if self._in_block:
            rows = rows[:]
            _add_block(self._strata[:], rows, self._stratum, self._sums, self._in_block)
        own = _SHARED + _EACH * kind
        width = _SHARED + _EACH * len(self._sums)
        return list(zip(*(rows[place::width] for place in (*range(_SHARED), *range(own, own + _EACH))), strict=True))


class StratumSums:
    """Values whose blocks are summed already, stratum by stratum."""

    __slots__ = ("_strata", "_unit", "blocks", "count", "totals")

    def __init__(self, strata: Sequence[Sequence[float]], units: Sequence[float] = (1.0,)) -> None:
        """`strata`: for each the sums named at the top of this module; values are in parts of their kind's unit."""
        self._strata = strata
        self._unit = units
        self.blocks = int(sum(sums[_BLOCKS] for sums in strata))
        self.count = int(sum(sums[_SIZE] for sums in strata))
        places = (_SHARED + _EACH * kind for kind in range(len(units)))
        self.totals = [sum(sums[at] for sums in strata) / unit for at, unit in zip(places, units, strict=True)]

    def parts(self, kind: int) -> list[Sequence[float]]:
        """As those of `BlockSums`."""
        at, unit = _SHARED + _EACH * kind, self._unit[kind]
        return _pooled(
            [(*sums[:_SHARED], sums[at] / unit, sums[at + 1] / unit**2, sums[at + 2] / unit) for sums in self._strata]
        )


class BlockMean:
    """A mean over values that come block after block.

    Its variance is that of a ratio, from the spread between blocks. How strata differ was planned and is not chance, so
    that only the spread within each counts. Strata of a single block are taken as one.
    """

    __slots__ = ("_kind", "_of")

    def __init__(self, of: BlockSums | StratumSums | None = None, kind: int = 0) -> None:
        """`of`: the mean of these values of one kind, as they are remembered there."""
        self._of = of or BlockSums()
        self._kind = kind

    def add(self, value: float, block: Hashable, stratum: int = 0) -> None:
        """As that of `BlockSums`."""
        self._added().add((value,), block, stratum)

    def add_block(self, total: float, size: int, stratum: int = 0) -> None:
        """As that of `BlockSums`."""
        self._added().add_block((total,), size, stratum)

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
        return self._of.totals[self._kind]

    @property
    def blocks(self) -> int:
        """Blocks begun."""
        return self._of.blocks

    def _parts(self) -> list[Sequence[float]]:
        return self._of.parts(self._kind)

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


def _add_block(strata: array[int], rows: array[float], stratum: int, totals: Sequence[float], size: int) -> None:
    """Put a whole block into its stratum; with too many strata those of one block become the one for all further."""
    row = [1.0, size, size * size]
    for total in totals:
        row += total, total * total, total * size
    width = len(row)
    if stratum in strata:
        at = width * strata.index(stratum)
    else:
        if len(strata) >= _MOST_STRATA and len(rows) == width * len(strata):
            _join_single(strata, rows, width)
        if len(rows) == width * len(strata):
            strata.append(stratum)
            rows.extend(row)
            return
        at = len(rows) - width
    for place, value in enumerate(row, at):
        rows[place] += value


def _join_single(strata: array[int], rows: array[float], width: int) -> None:
    """Make one row, the last, of the strata of one block."""
    each = [rows[at : at + width] for at in range(0, len(rows), width)]
    single = [sums for sums in each if sums[_BLOCKS] == 1]
    kept = [(stratum, sums) for stratum, sums in zip(strata, each, strict=True) if sums[_BLOCKS] != 1]
    strata[:] = array("I", [stratum for stratum, _ in kept])
    rows[:] = array("d", [value for _, sums in kept for value in sums])
    rows.extend(_together(single) or [0.0] * width)


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
