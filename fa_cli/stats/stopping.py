"""Stopping rules of tournaments: sequential tests of two bots, or of every two, over their whole blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations
from math import ceil, comb, perm
from statistics import NormalDist

import msgspec
from msgspec import UNSET, UnsetType

from ..errors import Impossible
from ..printing.text import near_or_all
from .paired import PairBlock, seats_of_sides
from .sprt import ErrorRates, SequentialTest, Verdict

Pair = tuple[int, int]
_OTHER_WAY = {Verdict.FIRST: Verdict.SECOND, Verdict.SECOND: Verdict.FIRST}


class StoppingRule(msgspec.Struct, frozen=True):
    """Ends a tournament once it is decided which of two bots is better, or of every two.

    `first` and `second` are indexes in the definition's list of bots; None: all bots are compared with each other.
    """

    first: int | None
    second: int | None
    errors: ErrorRates = ErrorRates()
    top: int | None = None
    """The number of bots to tell from all others; None: every two bots are told apart."""
    one_sided: bool | UnsetType = UNSET  # absent from definitions in which it is not true
    """Whether it only asks if the first of the two is worse than the second."""

    def problem(self, bots: int) -> str:
        """What is impossible in a tournament of so many bots, as the end of a sentence; empty if nothing."""
        pair = {self.first, self.second}
        if pair != {None} and not pair <= set(range(bots)):
            return f"it compares bots {self.first} and {self.second}, and it has {bots}"
        if self.top is not None and (pair != {None} or not 0 < self.top < bots):
            return f"it looks for the best {self.top} of {bots} bots"
        if self.one_sided and pair == {None}:
            return "it asks whether one bot is worse than another, and names neither"
        try:
            self.errors.check()
        except Impossible as error:
            return str(error)
        return ""

    def pairs(self, bots: int) -> list[Pair]:
        """The pairs that are compared, of so many bots."""
        if self.first is not None and self.second is not None:
            return [(self.first, self.second)]
        return list(combinations(range(bots), 2))

    def compares(self, bot: int) -> bool:
        """Whether the results of this bot can end the tournament."""
        return self.first is None or bot in (self.first, self.second)

    def errors_of_pair(self, bots: int) -> ErrorRates:
        """The error rates of one pair, so that those of all pairs together are at most `errors` (Bonferroni)."""
        errors, pairs = self.errors, 1 if self.first is not None else comb(bots, 2)
        return ErrorRates(errors.alpha / pairs, errors.beta / pairs, errors.margin)


class StoppingTracker:
    """Applies a stopping rule to games as they are added in order, block by block."""

    def __init__(self, rule: StoppingRule, bots: int) -> None:
        self.rule = rule
        self.bots = bots
        self.blocks = 0
        """Whole blocks in which two of the bots were compared."""
        self.is_decided = False
        """Whether all that the rule asks for is known."""
        self._errors = rule.errors_of_pair(bots)
        self._tests: dict[Pair, SequentialTest] = {}
        self._current: dict[Pair, PairBlock] = {}
        self._games = Counter[Pair]()
        self._faults = Counter[tuple[Pair, int]]()
        self._undecided = comb(bots, 2) if rule.first is None else 1

    def add(self, seats: Sequence[int], ranks: Sequence[int], faulted: Collection[int] = ()) -> None:
        """Add a game of the current block: the index of the bot in each seat, its rank, and the seats with a fault."""
        failed = {seats[seat] for seat in faulted}
        for pair in self._pairs_at(seats):
            sides = seats_of_sides(seats, (pair[:1], pair[1:]))
            self._current.setdefault(pair, PairBlock()).add(sides, ranks, [0] * len(ranks))
            self._games[pair] += 1
            self._faults.update((pair, bot) for bot in failed.intersection(pair))

    def _pairs_at(self, seats: Sequence[int]) -> list[Pair]:
        if self.rule.first is None:
            return list(combinations(sorted(set(seats)), 2))
        return [pair for pair in self.rule.pairs(self.bots) if set(pair) <= set(seats)]

    def end_block(self, is_whole: bool = True) -> None:
        """End the current block. It is ignored if it is not whole or if no two bots can be compared in it."""
        if is_whole and self._current:
            self.blocks += 1
            for pair, block in self._current.items():
                if self.test(pair).verdict is Verdict.OPEN:
                    self._undecided -= self.test(pair).add(block.score) is not Verdict.OPEN
            self.is_decided = self.is_decided or self._is_known()
        self._current = {}

    def _is_known(self) -> bool:
        """Whether no pair is open; without going through all pairs as long as too many of them are."""
        if self.rule.top is None:
            return not self._undecided
        most = comb(self.bots, 2) - self.rule.top * (self.bots - self.rule.top)
        return self._undecided <= most and not self.open_pairs()

    def test(self, pair: Pair) -> SequentialTest:
        """The test of one of `pairs`."""
        if pair not in self._tests:
            self._tests[pair] = SequentialTest(self._errors, is_one_sided=bool(self.rule.one_sided))
        return self._tests[pair]

    def games(self, pair: Pair) -> tuple[int, tuple[int, int]]:
        """Of one of `pairs`: all games with both bots, and those with a fault of the first, and of the second."""
        first, second = pair
        return self._games[pair], (self._faults[pair, first], self._faults[pair, second])

    def verdict(self, bot: int, rival: int) -> Verdict:
        """What is known of two bots: FIRST if `bot` is better. OPEN if they are not compared."""
        if (bot, rival) in self._tests:
            return self._tests[bot, rival].verdict
        found = self._tests[rival, bot].verdict if (rival, bot) in self._tests else Verdict.OPEN
        return _OTHER_WAY.get(found, found)

    def best(self) -> list[int]:
        """The bots that lead now, as many as the rule looks for, by their mean score against each other bot."""
        totals = [0.0] * self.bots
        for (bot, rival), test in self._tests.items():
            totals[bot] += test.mean
            totals[rival] -= test.mean
        return sorted(range(self.bots), key=lambda bot: (-totals[bot], bot))[: self.rule.top]

    def open_pairs(self) -> list[Pair]:
        """The pairs that keep the rule from being fulfilled; of those that `best` depends on, also wrong ones."""
        if self.rule.top is None:
            return [pair for pair in self.rule.pairs(self.bots) if self.verdict(*pair) is Verdict.OPEN]
        best = self.best()
        others = [bot for bot in range(self.bots) if bot not in best]
        known = (Verdict.FIRST, Verdict.NEITHER)
        return [(bot, rival) for bot in best for rival in others if self.verdict(bot, rival) not in known]


def pair_rule(
    names: Sequence[str], pair: Sequence[str], errors: ErrorRates, is_one_sided: bool = False
) -> StoppingRule:
    """The rule for the pair, or for the only two bots if the pair is empty. Raises Impossible."""
    errors.check()
    if not pair and len(names) != 2:
        until = "no-worse" if is_one_sided else "decided"
        text = f"--until {until} compares two bots and there are {len(names)}; name them: --compare A,B"
        raise Impossible(text, "until")
    first, second = pair or names
    for name in (first, second):
        if name not in names:
            raise Impossible(f"no bot named {name!r} to compare{near_or_all(name, names, 'bots')}", "compare")
    if first == second:
        raise Impossible(f"--compare needs two bots, and {first} is one", "compare")
    return StoppingRule(names.index(first), names.index(second), errors, one_sided=is_one_sided or UNSET)


def table_rule(bots: int, top: int | None, errors: ErrorRates) -> StoppingRule:
    """The rule for every two bots or, with `top`, for the best of them. Raises Impossible."""
    errors.check()
    if top is not None and not 0 < top < bots:
        raise Impossible(f"--top is at least 1 and less than the {bots} bots, not {top}", "top")
    return StoppingRule(None, None, errors, top)


def blocks_to_decide(errors: ErrorRates) -> int:
    """A number of blocks that almost surely decides: twice that of a fixed-size test at the largest variance."""
    normal = NormalDist()
    reach = normal.inv_cdf(1 - errors.alpha / 2) + normal.inv_cdf(1 - errors.beta)
    return 2 * ceil((reach / errors.margin) ** 2)


def games_to_decide(errors: ErrorRates, bots: int, players: int, all_orders: bool) -> int:
    """The games of a round robin with that many blocks with both bots, for tables of `players`."""
    groups = comb(bots, players) / comb(bots - 2, players - 2) if bots >= players >= 2 else 1
    return ceil(blocks_to_decide(errors) * groups) * (perm(players) if all_orders else players)
