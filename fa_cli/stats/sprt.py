"""A sequential test over blocks: which of two bots is better."""

from __future__ import annotations

import enum
from math import exp, inf, log, log1p

import msgspec

from ..errors import Impossible
from .outcomes import add_up

MIN_BLOCKS = 16
"""The normal likelihood ratio decides nothing before this many blocks: fewer don't give a usable estimate of the spread
between blocks."""
_MAX_LOSS = 0.98
"""The largest share of its capital that a bet may lose in one block."""
_STAKES = ((0.66, 1.0), (0.18, 3.0), (0.16, inf))
"""The parts of the capital bet on a bot, each with its stakes as a multiple of those best at the margin, or as large as
may be."""
_MORE = log(len(_STAKES)) + 1e-6
"""The logarithm of all parts together is at most this much above that of the largest."""
_BETA = 0.8
"""The part of beta left to the bet against the margin; it and the likelihood ratio together would exceed beta."""
_MIN_SPREAD = 5
"""The normal likelihood ratio needs a sum of squares of this many blocks of the largest score."""


class Verdict(enum.Enum):
    """The result of a sequential test so far."""

    OPEN = "open"
    FIRST = "first"
    """The first bot is better."""
    SECOND = "second"
    """The second bot is better."""
    NEITHER = "neither"
    """Neither is better by the margin."""
    NO_WORSE = "no worse"
    """The first bot is not worse by the margin; only a one-sided test says this, and it never says FIRST or NEITHER."""


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

    A block's score is that of the first bot minus that of the second, with mean 0 for equal bots. "Better" is a test by
    betting (Waudby-Smith and Ramdas 2024): a bet on the bot at fair odds, a share of the capital on each block, chosen
    from the blocks before it. If the bots are equal the capital is a martingale, so by Ville's inequality it ever grows
    by 2 / alpha with a probability of at most alpha / 2, whatever the distribution of the scores. Parts of the capital
    are bet at different stakes, so that clear differences need few blocks; their sum is a martingale too. "Equal" is
    accepted by the opposite bet, against the margin, which grows by 1 / (0.8 beta), or earlier by the likelihood ratio
    of normal scores of unknown variance. The first test to find "better" decides; neither is better once both found
    "equal". A one-sided test asks whether the second is better, with all of alpha: the first is no worse once the
    second is "equal" or the first "better".
    """

    def __init__(self, errors: ErrorRates = _DEFAULT, is_one_sided: bool = False) -> None:
        """Raises Impossible for bad error rates."""
        errors.check()
        self.errors = errors
        self.blocks = 0
        self.verdict = Verdict.OPEN
        self.is_one_sided = is_one_sided
        sides = 1 if is_one_sided else 2
        bound = log(sides / errors.alpha)
        # a bot that is worse by the margin may pass by being "better", too: beta bounds that
        self.better_bounds = (max(bound, log(1 / errors.beta)) if is_one_sided else bound, bound)
        """Of the first bot, and of the second."""
        self.not_better_bound = log(1 / (_BETA * errors.beta))
        self.ratio_bound = -log(errors.beta / (1 - errors.alpha / sides))
        self._enough_blocks = log(errors.beta) / log1p(-errors.margin)
        self._sum = 0.0
        self._squares = 0.0
        self._largest = 0.0  # the largest square of a score
        capital = [log(part) for part, _ in _STAKES]
        self._better = [capital, list(capital)]  # logs of the parts of the capital of the bet that a bot is better
        self._not_better = [0.0, 0.0]  # the same, that it is not better by the margin
        self._equal = [False, False]

    def add(self, block_score: float) -> Verdict:
        """Add the score of the next block and return the verdict. A decision is final."""
        if self.verdict is not Verdict.OPEN:
            return self.verdict
        best = self._stake(self._squares)
        stakes = [min(_MAX_LOSS, multiple * best) for _, multiple in _STAKES]
        for bot, score in enumerate((block_score, -block_score)):
            self._bet(bot, score, stakes)
        self.blocks += 1
        self._sum += block_score
        self._squares += block_score * block_score
        self._largest = max(self._largest, block_score * block_score)
        self._decide()
        return self.verdict

    def _bet(self, bot: int, score: float, stakes: list[float]) -> None:
        """Settle the bets on a bot, whose stakes depend on earlier blocks only."""
        margin, parts = self.errors.margin, self._better[bot]
        for part, stake in enumerate(stakes):
            parts[part] += log1p(stake * score)
        below = self._squares - 2 * margin * self._sum_of(bot) + self.blocks * margin * margin
        stake = min(_MAX_LOSS / (1 - margin), self._stake(below))
        self._not_better[bot] += log1p(stake * (margin - score))

    def _stake(self, squares: float) -> float:
        """The share of the capital that grows fastest at a mean of the margin, given the sum of squares so far.

        Two imaginary blocks, one of them won, make the first stakes small.
        """
        return self.errors.margin * (self.blocks + 2) / (squares + 1)

    def _sum_of(self, bot: int) -> float:
        return -self._sum if bot else self._sum

    def _log_capital(self, bot: int) -> float:
        """The logarithm of what a capital of 1 has become that was bet on the bot, 0 or 1, being better."""
        parts = self._better[bot]
        largest = max(parts)
        return largest + log(add_up(exp(part - largest) for part in parts))

    def log_ratio(self, bot: int) -> float:
        """The log likelihood ratio of "better by the margin" against "equal" for normal scores; `bot` is 0 or 1.

        Each likelihood has its best-fitting variance. The margin is added to both sums of squares as a least variance,
        that of bots which differ in rare blocks only.
        """
        margin = self.errors.margin
        equal = margin + self._squares
        better = equal - 2 * margin * self._sum_of(bot) + (self.blocks + 3) * margin * margin
        return (self.blocks - 1) / 2 * log(equal / better)

    def _is_about_normal(self) -> bool:
        """Whether the normal likelihood ratio can be trusted: rare blocks are seen and don't make up the spread.

        If the whole margin came from blocks that are won, fewer blocks would miss all of these with probability beta.
        """
        return self.blocks >= max(MIN_BLOCKS, self._enough_blocks) and 0 < _MIN_SPREAD * self._largest <= self._squares

    def evidence(self, bot: int) -> tuple[float, float, float | None]:
        """What is compared with `better_bounds`, `not_better_bound` and `ratio_bound` for the bot, 0 or 1.

        None instead of a likelihood ratio that decides nothing yet. A test that has decided keeps its evidence.
        """
        return self._log_capital(bot), self._not_better[bot], -self.log_ratio(bot) if self._is_about_normal() else None

    def is_not_better(self, bot: int) -> bool:
        """Whether it is known that the bot, 0 or 1, is not better by the margin."""
        return self._equal[bot]

    def _is_equal(self, bot: int) -> bool:
        if self._not_better[bot] >= self.not_better_bound:
            return True
        return self._is_about_normal() and -self.log_ratio(bot) >= self.ratio_bound

    def _decide(self) -> None:
        for bot, better in enumerate((Verdict.NO_WORSE if self.is_one_sided else Verdict.FIRST, Verdict.SECOND)):
            if self._equal[bot]:
                continue
            bound = self.better_bounds[bot]
            if max(self._better[bot]) + _MORE >= bound and self._log_capital(bot) >= bound:
                self.verdict = better
                return
            self._equal[bot] = self._is_equal(bot)
        if self.is_one_sided and self._equal[1]:
            self.verdict = Verdict.NO_WORSE
        elif all(self._equal):
            self.verdict = Verdict.NEITHER

    @property
    def mean(self) -> float:
        """The mean score of the blocks; 0 without blocks."""
        return self._sum / self.blocks if self.blocks else 0.0
