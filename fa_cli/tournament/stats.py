"""How sure a mean or a share is, where games come in blocks of one deal and are not independent of each other."""

from __future__ import annotations

from collections.abc import Hashable
from math import sqrt
from statistics import NormalDist

CONFIDENCE = 0.95
_FEW_BLOCKS = 10
"""With fewer blocks the spread between them says too little to narrow an interval by."""


class BlockMean:
    """A mean over values that come block after block; what it remembers does not grow.

    Its variance is that of a ratio: how much the blocks' sums differ from what the mean makes of their sizes.
    """

    __slots__ = ("_block", "_in_block", "_nn", "_sn", "_ss", "_sum", "blocks", "count", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.blocks = 0
        """Those begun."""
        self._block: Hashable = None
        self._in_block = 0
        self._sum = 0.0
        self._ss = self._sn = self._nn = 0.0  # over the whole blocks: squares and products of sum and size

    def add(self, value: float, block: Hashable) -> None:
        """A value of this block; a block's values come one after another."""
        if self._in_block == 0 or block != self._block:
            self._ss, self._sn, self._nn = self._squares()
            self._block, self._in_block, self._sum = block, 0, 0.0
            self.blocks += 1
        self._in_block += 1
        self._sum += value
        self.count += 1
        self.total += value

    def _squares(self) -> tuple[float, float, float]:
        """The three sums with the block under way."""
        size, total = self._in_block, self._sum
        return self._ss + total * total, self._sn + total * size, self._nn + size * size

    @property
    def mean(self) -> float:
        """The mean of all values; 0 if there are none."""
        return self.total / self.count if self.count else 0.0

    @property
    def variance(self) -> float | None:
        """Of the mean, from the spread between blocks; None for fewer than two blocks."""
        if self.blocks < 2:
            return None
        mean = self.mean
        ss, sn, nn = self._squares()
        spread = max(0.0, ss - 2 * mean * sn + mean * mean * nn)
        return spread * self.blocks / (self.blocks - 1) / self.count**2

    def share_interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Wilson's interval for values that are shares of 1, with as many games as the blocks are worth."""
        if not self.count:
            return 0.0, 1.0
        mean, variance = self.mean, self.variance
        worth = float(self.blocks)
        if variance and self.blocks >= _FEW_BLOCKS:
            worth = mean * (1 - mean) / variance
        return wilson(mean, worth, confidence)


def wilson(share: float, count: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's score interval for a share seen in so many (also a broken number of) independent trials."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = share + z * z / (2 * count)
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, (middle - half) / (1 + z * z / count)), min(1.0, (middle + half) / (1 + z * z / count))
