"""A sequential probability ratio test over blocks: which of two bots is better."""

from __future__ import annotations

import enum
from math import log

import msgspec

from ..errors import Impossible

MIN_BLOCKS = 16
"""No decision before this many blocks: fewer don't give a usable estimate of the spread between blocks."""


class Verdict(enum.Enum):
    """The result of a sequential test so far."""

    OPEN = "open"
    FIRST = "first"
    """The first bot is better."""
    SECOND = "second"
    """The second bot is better."""
    NEITHER = "neither"
    """Neither is better by the margin."""


class ErrorRates(msgspec.Struct, frozen=True):
    """The error rates of a test, and the difference that it must detect."""

    alpha: float = 0.05
    """The probability of calling two equal bots different."""
    beta: float = 0.05
    """The probability of missing that one bot is better by the margin."""
    margin: float = 0.1
    """The smallest difference that matters, in block scores from -1 to 1."""

    def check(self) -> None:
        """Raises Impossible if a value is out of range."""
        for name, most in (("alpha", 0.5), ("beta", 0.5), ("margin", 1.0)):
            value = getattr(self, name)
            if not 0 < value < most:
                raise Impossible(f"--{name} is more than 0 and less than {most:g}, not {value:g}", name)


_DEFAULT = ErrorRates()


class SequentialTest:
    """Two one-sided tests, each of "equal" against "better by the margin", over block scores from -1 to 1.

    A block's score is that of the first bot minus that of the second, with mean 0 for equal bots. Each test is the
    generalised sequential probability ratio test (GSPRT, as used for chess engines) for normal scores of unknown
    variance: the ratio of the likelihoods, each with its best-fitting variance, against Wald's bounds. Each test has
    half of alpha. The first to find "better" decides; neither bot is better once both have found "equal".
    """

    def __init__(self, errors: ErrorRates = _DEFAULT) -> None:
        errors.check()
        self.errors = errors
        self.blocks = 0
        self.verdict = Verdict.OPEN
        self._upper = log((1 - errors.beta) / (errors.alpha / 2))
        self._lower = log(errors.beta / (1 - errors.alpha / 2))
        self._sum = 0.0
        self._squares = 2.0  # two prior blocks, one won by each bot: the variance is never 0
        self._equal = [False, False]

    def add(self, block_score: float) -> Verdict:
        """Add the score of the next block and return the verdict. A decision is final."""
        if self.verdict is not Verdict.OPEN:
            return self.verdict
        self.blocks += 1
        self._sum += block_score
        self._squares += block_score * block_score
        if self.blocks >= MIN_BLOCKS:
            self._decide()
        return self.verdict

    def ratios(self) -> tuple[float, float]:
        """The log likelihood ratios of "first better by the margin" and of "second better", each against "equal"."""
        margin = self.errors.margin
        count = self.blocks + 2
        ratios = (
            (count - 3) / 2 * log(self._squares / (self._squares - 2 * side * self._sum + count * margin * margin))
            for side in (margin, -margin)
        )
        first, second = ratios
        return first, second

    def _decide(self) -> None:
        for side, (ratio, better) in enumerate(zip(self.ratios(), (Verdict.FIRST, Verdict.SECOND), strict=True)):
            if self._equal[side]:
                continue
            if ratio >= self._upper:
                self.verdict = better
                return
            self._equal[side] = ratio <= self._lower
        if all(self._equal):
            self.verdict = Verdict.NEITHER

    @property
    def mean(self) -> float:
        """The mean score of the blocks; 0 without blocks."""
        return self._sum / self.blocks if self.blocks else 0.0

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds of the log likelihood ratios: "equal" is accepted at the lower, "better" at the upper."""
        return self._lower, self._upper
