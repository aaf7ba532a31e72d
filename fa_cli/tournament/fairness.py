"""How even a schedule is, counted: games of each bot, of each bot in each seat, of each pair at one table."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Sequence
from math import comb
from typing import NamedTuple

from .config import Setting
from .schedule import blocks, table_turns

ENOUGH = 200
"""Games of a tournament when nothing is said: at least so many ..."""
ENOUGH_EACH = 24
"""... and each bot in so many; up to half as many more where that is more even."""
_COUNTED = 20_000
"""Games beyond this are not counted beforehand."""


class Fairness(NamedTuple):
    """The fewest and the most that there are, within one setting."""

    games: tuple[int, int]
    """Games of a bot."""
    seats: tuple[int, int]
    """Games of a bot in one seat."""
    pairs: tuple[int, int]
    """Games of two bots at one table."""

    @property
    def is_even(self) -> bool:
        """Whether every bot plays, and sits everywhere, equally often."""
        return self.games[0] == self.games[1] and self.seats[0] == self.seats[1]


class _Counts:
    """Counts of things, with their extremes at hand."""

    def __init__(self, things: int) -> None:
        self._of: dict[Hashable, int] = {}
        self._with = {0: things}  # how many things have this count

    def add(self, thing: Hashable) -> None:
        before = self._of.get(thing, 0)
        self._of[thing] = before + 1
        self._with[before + 1] = self._with.get(before + 1, 0) + 1
        self._with[before] -= 1
        if not self._with[before]:
            del self._with[before]

    def extremes(self) -> tuple[int, int]:
        return min(self._with), max(self._with)


class _Watch:
    """The counts of one setting."""

    def __init__(self, setting: Setting) -> None:
        bots = len(setting.bots)
        self.bots = _Counts(bots)
        self.seats = _Counts(bots * setting.players)
        self.pairs = _Counts(comb(bots, 2))

    def add(self, seats: Sequence[int]) -> None:
        for seat, bot in enumerate(seats):
            self.bots.add(bot)
            self.seats.add((bot, seat))
        for pair in itertools.combinations(sorted(set(seats)), 2):
            self.pairs.add(pair)

    def fairness(self) -> Fairness:
        return Fairness(self.bots.extremes(), self.seats.extremes(), self.pairs.extremes())


def fairness(settings: Sequence[Setting], games: int) -> list[Fairness] | None:
    """How even so many games are, per setting; None where they are too many to be counted beforehand."""
    if games > _COUNTED:
        return None
    watches = [_Watch(setting) for setting in settings]
    left = games
    for number, (place, group) in enumerate(blocks(settings)):
        for seats in table_turns(number, group)[:left]:
            watches[place].add(seats)
            left -= 1
        if not left:
            return [watch.fairness() for watch in watches]
    raise AssertionError("blocks do not end")


def rounds(settings: Sequence[Setting]) -> Iterator[tuple[int, list[Fairness]]]:
    """After each round: the games so far, and how even they are per setting. Without end."""
    watches = [_Watch(setting) for setting in settings]
    games = 0
    for number, (place, group) in enumerate(blocks(settings)):
        for seats in table_turns(number, group):
            watches[place].add(seats)
            games += 1
        if place == len(settings) - 1:
            yield games, [watch.fairness() for watch in watches]


def default_games(settings: Sequence[Setting]) -> int:
    """How many games to play when nothing is said: enough, and as even as so few can be."""
    bots = {bot for setting in settings for bot in setting.bots}
    enough = max(ENOUGH, ENOUGH_EACH * len(bots) // min(setting.players for setting in settings))
    best: tuple[int, int] | None = None
    for games, counts in rounds(settings):
        if best and games > enough * 3 // 2:
            break
        if games >= enough:
            best = min(best or (_unevenness(counts), games), (_unevenness(counts), games))
    assert best
    return best[1]


def _unevenness(counts: Sequence[Fairness]) -> int:
    """Bots that play less often weigh more than pairs that meet less often."""
    return sum(1000 * (one.games[1] - one.games[0]) + one.pairs[1] - one.pairs[0] for one in counts)


def next_even(settings: Sequence[Setting], games: int) -> int | None:
    """The first number of games, from this one on, that is a whole number of rounds with all even in each setting.

    None where none is near.
    """
    for count, counts in rounds(settings):
        if count >= games and all(one.is_even for one in counts):
            return count
        if count > max(2 * games, 10 * ENOUGH):
            return None
    raise AssertionError("rounds do not end")
