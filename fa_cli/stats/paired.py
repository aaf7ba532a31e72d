"""What two bots did in one block of games, as one score."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from .outcomes import rank_scores


class PairBlock:
    """What two bots did in one block."""

    def __init__(self) -> None:
        self.games = 0
        """Those in which both sat."""
        self.ties = 0.0
        self._ahead = 0.0
        self._scores: tuple[list[float], list[float]] = ([], [])
        self._points: tuple[list[float], list[float]] = ([], [])

    def add(self, sides: tuple[Sequence[int], Sequence[int]], ranks: Sequence[int], scores: Sequence[int]) -> None:
        """A game of the block, with the seats of the first and of the second."""
        shares = rank_scores(ranks)
        for side, seats in enumerate(sides):
            self._scores[side].extend(shares[seat] for seat in seats)
            self._points[side].extend(scores[seat] for seat in seats)
        pairs = [(ranks[one], ranks[other]) for one in sides[0] for other in sides[1]]
        if pairs:
            self.games += 1
            level = sum(one == other for one, other in pairs) / len(pairs)
            self.ties += level
            self._ahead += sum(one < other for one, other in pairs) / len(pairs) + level / 2

    @property
    def weight(self) -> int:
        """How often each of them sat, or the one who sat less often; 0 for a block that can't be compared."""
        return min(map(len, self._scores))

    @property
    def score(self) -> float:
        """The mean of the first's place scores less the second's: from -1 to 1."""
        return _mean(self._scores[0]) - _mean(self._scores[1])

    @property
    def points(self) -> float:
        """The same of points."""
        return _mean(self._points[0]) - _mean(self._points[1])

    @property
    def ahead(self) -> float:
        """In how many games the first ranks ahead of the second, ties half."""
        return self._ahead


def seats_of_pair(bots: Sequence[Hashable], pair: tuple[Hashable, Hashable]) -> tuple[list[int], list[int]]:
    """The seats of either bot of the pair."""
    first, second = ([seat for seat, bot in enumerate(bots) if bot == one] for one in pair)
    return first, second


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
