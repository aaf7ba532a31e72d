"""Stopping as soon as it is known which of two bots is better: a sequential probability ratio test over blocks."""

from __future__ import annotations

import enum
from math import log

import msgspec

from ..errors import Impossible

MIN_BLOCKS = 16
"""Before this many nothing is decided: what fewer tell of the spread between blocks is too little."""


class Verdict(enum.Enum):
    """What a sequential test has found so far."""

    OPEN = "open"
    FIRST = "first"
    """The first bot is better."""
    SECOND = "second"
    """The second bot is better."""
    NEITHER = "neither"
    """Neither is better by as much as matters."""


class ErrorRates(msgspec.Struct, frozen=True):
    """How often a test may be wrong, and about how much."""

    alpha: float = 0.05
    """Chance to call two equal bots different."""
    beta: float = 0.05
    """Chance to miss that one is better by the margin."""
    margin: float = 0.1
    """The smallest difference that matters, in block scores from -1 to 1."""

    def check(self) -> None:
        """Raises Impossible for what can't be."""
        for name, most in (("alpha", 0.5), ("beta", 0.5), ("margin", 1.0)):
            value = getattr(self, name)
            if not 0 < value < most:
                raise Impossible(f"--{name} is more than 0 and less than {most:g}, not {value:g}", name)


_DEFAULT = ErrorRates()


class SequentialTest:
    """Two one-sided tests, each of "equal" against "better by the margin", over block scores from -1 to 1.

    A block's score is the first bot's less the second's, so that equal bots have 0 in the mean. Each test is the
    generalised sequential probability ratio test of normal scores with unknown spread (the GSPRT that testers of
    chess engines know): the ratio of the likelihoods, each with the spread that suits it best, against Wald's bounds.
    The first to say "better" decides; neither is better once both say "equal". Each has half of alpha.
    """

    def __init__(self, errors: ErrorRates = _DEFAULT) -> None:
        errors.check()
        self.errors = errors
        self.blocks = 0
        self.verdict = Verdict.OPEN
        self._upper = log((1 - errors.beta) / (errors.alpha / 2))
        self._lower = log(errors.beta / (1 - errors.alpha / 2))
        self._sum = 0.0
        self._squares = 2.0  # as if two blocks had been before, one won by each: no spread is taken to be nothing
        self._equal = [False, False]

    def add(self, block_score: float) -> Verdict:
        """Take in the next block; what is known then. Once decided it stays so."""
        if self.verdict is not Verdict.OPEN:
            return self.verdict
        self.blocks += 1
        self._sum += block_score
        self._squares += block_score * block_score
        if self.blocks >= MIN_BLOCKS:
            self._decide()
        return self.verdict

    def ratios(self) -> tuple[float, float]:
        """The logarithms of the likelihood ratios: of "first better by the margin" and of "second", to "equal"."""
        margin = self.errors.margin
        before = self.blocks + 2
        ratios = (
            (before - 3) / 2 * log(self._squares / (self._squares - 2 * side * self._sum + before * margin * margin))
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
        """Of the blocks' scores; 0 before the first."""
        return self._sum / self.blocks if self.blocks else 0.0

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds of the ratios: at the lower "equal" is taken, at the upper "better"."""
        return self._lower, self._upper
