"""The results of two bots in one block of games, as a paired score; blocks with one of them each, joined to pairs."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Sequence
from typing import NamedTuple

from .outcomes import add_up, rank_scores

_MOST_WAITING = 4096
"""Deals of one kind that wait for a partner. The oldest are dropped, for the memory; that depends on no result."""


class OneSided(NamedTuple):
    """A block with only one of the two bots."""

    score: float
    """The bot's mean rank score."""
    points: float
    """Its mean points."""
    seats: int
    """The number of seats that it had."""


class PairBlock:
    """The results of two bots in one block."""

    def __init__(self) -> None:
        self.games = 0
        """Games with both bots."""
        self.ties = 0.0
        """The share of ties in these games, summed."""
        self.ahead = 0.0
        """The games in which the first ranks ahead of the second, ties half."""
        self._scores: tuple[list[float], list[float]] = ([], [])
        self._points: tuple[list[float], list[float]] = ([], [])

    def add(self, sides: tuple[Sequence[int], Sequence[int]], ranks: Sequence[int], scores: Sequence[int]) -> None:
        """Add a game: the seats of the first and of the second bot, and ranks and points by seat."""
        shares = rank_scores(tuple(ranks))
        for side, seats in enumerate(sides):
            for seat in seats:
                self._scores[side].append(shares[seat])
                self._points[side].append(scores[seat])
        pairs = [(ranks[first], ranks[second]) for first in sides[0] for second in sides[1]]
        if pairs:
            self.games += 1
            ties = sum(first == second for first, second in pairs) / len(pairs)
            self.ties += ties
            self.ahead += sum(first < second for first, second in pairs) / len(pairs) + ties / 2

    @property
    def weight(self) -> int:
        """The number of seats taken by the bot with fewer of them; 0 if the bots can't be compared."""
        return min(map(len, self._scores))

    @property
    def only_side(self) -> int | None:
        """The side that has all the seats of the two, 0 or 1; None if both have seats, or neither."""
        seats = [len(scores) for scores in self._scores]
        return None if all(seats) or not any(seats) else seats.index(0) ^ 1

    def one_sided(self, side: int) -> OneSided:
        """The results of this side."""
        return OneSided(_mean(self._scores[side]), _mean(self._points[side]), len(self._scores[side]))

    @property
    def score(self) -> float:
        """The mean rank score of the first bot minus that of the second, from -1 to 1."""
        return _mean(self._scores[0]) - _mean(self._scores[1])

    @property
    def points(self) -> float:
        """The mean points of the first bot minus those of the second."""
        return _mean(self._points[0]) - _mean(self._points[1])


class CommonOpponents:
    """Joins each block with the first bot only to one with the second only, of the same log, setting and other bots.

    They are joined in the order of the log, whatever their results. If the bots are equal, each pair could equally
    have gone the other way, as a block with both.
    """

    def __init__(self) -> None:
        self._waiting: dict[Hashable, deque[OneSided]] = {}

    def add(self, side: int, tables: Hashable, block: OneSided) -> tuple[OneSided, OneSided] | None:
        """Add a block of side 0 or 1 against the others in `tables`. Returns the pair that it completes, if any."""
        others = self._waiting.get((1 - side, tables))
        if others:
            partner = others.popleft()
            return (block, partner) if side == 0 else (partner, block)
        self._waiting.setdefault((side, tables), deque(maxlen=_MOST_WAITING)).append(block)
        return None


def seats_of_sides(
    bots: Sequence[Hashable], sides: tuple[Collection[Hashable], Collection[Hashable]]
) -> tuple[list[int], list[int]]:
    """The seats of the bots of either side."""
    seats = list(enumerate(bots))
    return [seat for seat, bot in seats if bot in sides[0]], [seat for seat, bot in seats if bot in sides[1]]


def _mean(values: Sequence[float]) -> float:
    return add_up(values) / len(values) if values else 0.0
