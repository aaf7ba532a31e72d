"""The stopping rule of tournaments that compare two bots: a sequential test over their whole blocks."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, comb, perm
from statistics import NormalDist
from typing import NamedTuple

import msgspec

from ..errors import Impossible
from ..printing.text import counted, near_or_all
from .paired import PairBlock, seats_of_pair
from .sprt import ErrorRates, SequentialTest, Verdict


class StoppingRule(msgspec.Struct, frozen=True):
    """Ends a tournament once it is decided which of two bots is better.

    `first` and `second` are indexes in the definition's list of bots.
    """

    first: int
    second: int
    errors: ErrorRates = ErrorRates()
    mixed: bool = False
    """Whether the test mixes stakes. The logs of fa 0.1, whose definitions lack this, follow from a single stake."""


class StoppingTracker:
    """Applies a stopping rule to games as they are added in order, block by block."""

    def __init__(self, rule: StoppingRule) -> None:
        self.test = SequentialTest(rule.errors, rule.mixed)
        self._pair = (rule.first, rule.second)
        self._block = PairBlock()

    def add(self, seats: Sequence[int], ranks: Sequence[int]) -> None:
        """Add a game of the current block: the index of the bot in each seat, and its rank."""
        sides = seats_of_pair(seats, self._pair)
        if sides[0] or sides[1]:
            self._block.add(sides, ranks, [0] * len(ranks))

    def end_block(self, is_whole: bool = True) -> None:
        """End the current block. It is ignored if it is not whole or if the two bots can't be compared in it."""
        if is_whole and self._block.weight:
            self.test.add(self._block.score)
        self._block = PairBlock()

    @property
    def is_decided(self) -> bool:
        """Whether the test has a verdict."""
        return self.test.verdict is not Verdict.OPEN


def make_stopping_rule(names: Sequence[str], pair: Sequence[str], errors: ErrorRates) -> StoppingRule:
    """The rule for the pair, or for the only two bots if the pair is empty. Raises Impossible."""
    errors.check()
    if not pair and len(names) != 2:
        text = f"--until decided compares two bots and there are {len(names)}; name them: --compare A,B"
        raise Impossible(text, "until")
    first, second = pair or names
    for name in (first, second):
        if name not in names:
            raise Impossible(f"no bot named {name!r} to compare{near_or_all(name, names, 'bots')}", "compare")
    if first == second:
        raise Impossible(f"--compare needs two bots, and {first} is one", "compare")
    return StoppingRule(names.index(first), names.index(second), errors, mixed=True)


def blocks_to_decide(errors: ErrorRates) -> int:
    """A number of blocks that almost surely decides: twice that of a fixed-size test at the largest variance."""
    normal = NormalDist()
    reach = normal.inv_cdf(1 - errors.alpha / 2) + normal.inv_cdf(1 - errors.beta)
    return 2 * ceil((reach / errors.margin) ** 2)


def games_to_decide(errors: ErrorRates, bots: int, players: int, all_orders: bool) -> int:
    """The games of a round robin with that many blocks with both bots, for tables of `players`."""
    groups = comb(bots, players) / comb(bots - 2, players - 2) if bots >= players >= 2 else 1
    return ceil(blocks_to_decide(errors) * groups) * (perm(players) if all_orders else players)


class SequentialResult(NamedTuple):
    """The result of a tournament's sequential test between two bots."""

    verdict: Verdict
    first: str
    second: str
    blocks: int
    """The number of blocks with both."""
    mean: float
    """The mean score of these, that of the first bot minus that of the second."""

    @property
    def leader(self) -> str:
        """The bot with the higher mean score; the first if they are level."""
        return self.second if self.mean < 0 else self.first

    def field(self, bot: str) -> str | None:
        """The result for one of the two bots, as `better than greedy`; None for other bots."""
        if bot not in (self.first, self.second):
            return None
        rival = self.second if bot == self.first else self.first
        if self.verdict is Verdict.OPEN:
            return f"not decided against {rival}"
        if self.verdict is Verdict.NEITHER:
            return f"as good as {rival}"
        return f"{'better' if (self.verdict is Verdict.FIRST) == (bot == self.first) else 'worse'} than {rival}"


def sequential_result(rule: StoppingRule, test: SequentialTest, names: Sequence[str]) -> SequentialResult:
    """The result so far."""
    return SequentialResult(test.verdict, names[rule.first], names[rule.second], test.blocks, test.mean)


def describe_result(result: SequentialResult, margin: float) -> str:
    """The result so far in a sentence; the place score is that of the bot that leads."""
    first, second, leader, deals = result.first, result.second, result.leader, counted(result.blocks, "deal")
    if result.verdict in (Verdict.FIRST, Verdict.SECOND):
        winner, loser = (first, second) if result.verdict is Verdict.FIRST else (second, first)
        score = result.mean if winner == first else -result.mean
        return f"decided after {deals}: {winner} beats {loser} (place score {score:+.3f})"
    lead = f"({leader} leads by {abs(result.mean):.3f})" if result.mean else "(they are level)"
    if result.verdict is Verdict.NEITHER:
        return f"decided after {deals}: neither {first} nor {second} is better by {margin:g} {lead}"
    return f"not decided after {deals} between {first} and {second} {lead}"
