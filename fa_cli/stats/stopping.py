"""Whether a tournament that compares two bots has its answer: the sequential test over its whole blocks."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, comb, perm
from statistics import NormalDist
from typing import NamedTuple

import msgspec

from ..errors import Impossible
from .paired import PairBlock, sides_of
from .sprt import Errors, SequentialTest, Verdict


class StoppingRule(msgspec.Struct, frozen=True):
    """A tournament ends as soon as it is known which of two bots is better; places in the definition's list of bots."""

    first: int
    second: int
    errors: Errors = Errors()


class StoppingTracker:
    """Is told games in their order, and where blocks end."""

    def __init__(self, until: StoppingRule) -> None:
        self.test = SequentialTest(until.errors)
        self._pair = (until.first, until.second)
        self._block = PairBlock()

    def add(self, seats: Sequence[int], ranks: Sequence[int]) -> None:
        """A game of the block under way: the bot in each seat, and its rank."""
        sides = sides_of(seats, self._pair)
        if sides[0] or sides[1]:
            self._block.add(sides, ranks, [0] * len(ranks))

    def end_block(self, is_whole: bool = True) -> None:
        """The block has ended; one that is cut, or in which the two can't be compared, says nothing."""
        if is_whole and self._block.weight:
            self.test.add(self._block.score)
        self._block = PairBlock()

    @property
    def is_decided(self) -> bool:
        """Whether the answer is known."""
        return self.test.verdict is not Verdict.OPEN


def make_stopping_rule(names: Sequence[str], pair: Sequence[str], errors: Errors) -> StoppingRule:
    """The two to be compared: those named, or the only two there are. Raises Impossible."""
    errors.check()
    if not pair and len(names) != 2:
        text = f"--until decided compares two bots and there are {len(names)}; name them: --compare A,B"
        raise Impossible(text, "until")
    first, second = pair or names
    for name in (first, second):
        if name not in names:
            raise Impossible(f"there is no bot {name!r} to compare; there are {', '.join(names)}", "compare")
    if first == second:
        raise Impossible(f"--compare needs two bots, and {first} is one", "compare")
    return StoppingRule(names.index(first), names.index(second), errors)


def blocks_to_decide(errors: Errors) -> int:
    """So many blocks decide almost surely: twice those that a test of a fixed number needs at the widest spread."""
    normal = NormalDist()
    reach = normal.inv_cdf(1 - errors.alpha / 2) + normal.inv_cdf(1 - errors.beta)
    return 2 * ceil((reach / errors.margin) ** 2)


def games_to_decide(errors: Errors, bots: int, players: int, all_orders: bool) -> int:
    """The games in which there are that many blocks with both, of a round robin with tables of so many."""
    groups = comb(bots, players) / comb(bots - 2, players - 2) if bots >= players >= 2 else 1
    return ceil(blocks_to_decide(errors) * groups) * (perm(players) if all_orders else players)


class SequentialResult(NamedTuple):
    """What was found out of the two bots of a tournament."""

    verdict: Verdict
    first: str
    second: str
    blocks: int
    """Those in which both played."""
    mean: float
    """Of their scores, the first's less the second's."""

    def field(self, bot: str) -> str | None:
        """The same of one of the two, as `better than greedy`, and nothing of others."""
        if bot not in (self.first, self.second):
            return None
        rival = self.second if bot == self.first else self.first
        if self.verdict is Verdict.OPEN:
            return f"not decided against {rival}"
        if self.verdict is Verdict.NEITHER:
            return f"as good as {rival}"
        return f"{'better' if (self.verdict is Verdict.FIRST) == (bot == self.first) else 'worse'} than {rival}"


def sequential_result(until: StoppingRule, test: SequentialTest, names: Sequence[str]) -> SequentialResult:
    """The answer as far as it is known."""
    return SequentialResult(test.verdict, names[until.first], names[until.second], test.blocks, test.mean)


def describe_result(until: StoppingRule, test: SequentialTest, names: Sequence[str]) -> str:
    """What was found, in a sentence."""
    first, second = names[until.first], names[until.second]
    over = f"after {test.blocks} blocks with both, by {test.mean:+.3f} in the mean"
    if test.verdict is Verdict.FIRST:
        return f"decided: {first} is better than {second}, {over}"
    if test.verdict is Verdict.SECOND:
        return f"decided: {second} is better than {first}, {over}"
    if test.verdict is Verdict.NEITHER:
        return f"decided: neither {first} nor {second} is better by {until.errors.margin:g}, {over}"
    return f"not decided between {first} and {second}, {over}"
