"""What playing each deal in all rotations of the seats is worth: the variance of fresh deals over that of rotations.

Both variances are of mean place scores over the same number of games. With fresh deals a set of n games, in which each
bot has each seat once, has the sum of the n games' variances. With rotations their covariances are added, because the
n games share a deal. The ratio of the two is estimated from the sets of a tournament with rotations:

    sum of squared residuals of games / sum of squared residuals of sets

A residual is a bot's place score less what is expected of it. The expectation is the mean of n - 1 shares: how often
the bot ranks ahead of each rival, in this setting and from this seat, over all sets with both. The same linear map is
applied to each seat, so it takes the same share of both variances and the ratio needs no correction. (For any models in
which the order of two bots does not depend on third bots, such as those of Thurstone or of Plackett and Luce.)
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import exp, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from ...game_result import PlayedGame
from ..block_means import CONFIDENCE
from ..distributions import student_quantile

if TYPE_CHECKING:
    from ..strength.pair_sums import Floats, Ints

_MAX_SETS = 5_000
"""Sets used; 5,000 give the ratio to within about 5%."""
_MIN_SETS = 6.0
"""The fewest sets, less the estimated expectations, for a ratio."""
_LEAST_ERROR = 1e-9
"""A smaller relative error is that of rounding."""


Sides = tuple[Sequence[str], Sequence[str]]
"""Two bots that are compared: each one name, or the names of its copies."""


class Ratio(NamedTuple):
    """A variance ratio with its 95% interval; above 1 rotations are more precise than the same number of deals."""

    value: float
    interval: tuple[float, float]
    sets: int
    """The sets that it was estimated from."""


class _Set(NamedTuple):
    """The n games of one deal, in which each of n bots has each seat once."""

    bots: Sequence[str]
    seats: Sequence[Sequence[int]]
    """By game, then by bot."""
    ranks: Sequence[Sequence[int]]
    """By game, then by bot."""


class RotationSets:
    """Collects the whole sets of rotations among games."""

    def __init__(self) -> None:
        self._sets: dict[str, list[_Set]] = {}
        self._count = 0
        self._deal: Hashable = None
        self._games: list[PlayedGame] = []

    def add(self, game: PlayedGame) -> None:
        """Add a game. The games of one deal must come consecutively."""
        if game.deal != self._deal:
            self._end_set()
            self._deal = game.deal
        if len(self._games) <= len(game.bots):  # one more than a set shows that it is not one
            self._games.append(game)

    def _end_set(self) -> None:
        games, self._games = self._games, []
        if self._count < _MAX_SETS and _is_rotation_set(games):
            bots = sorted(games[0].bots)
            seats = [[game.bots.index(bot) for bot in bots] for game in games]
            ranks = [[game.ranks[seat] for seat in order] for game, order in zip(games, seats, strict=True)]
            self._sets.setdefault(games[0].variant, []).append(_Set(bots, seats, ranks))
            self._count += 1

    def ratio(self, sides: Sides | None = None, confidence: float = CONFIDENCE) -> Ratio | None:
        """The ratio for the difference of two sides' mean place scores, or over all bots.

        None for too few sets, or if all of them say the same: 1 where a bot always wins in one seat.
        Of two sides only sets with one bot of each count.
        Its interval is that of a ratio of means over sets, on the scale of logarithms.
        """
        self._end_set()
        self._deal = None
        if not self._count:
            return None
        import numpy as np

        sums = [_set_sums(sets, sides) for sets in self._sets.values()]
        games, sets, left = (np.concatenate(column) for column in zip(*sums, strict=True))
        freedom = float(left.sum())
        if freedom < _MIN_SETS or not sets.sum():
            return None
        ratio = float(games.sum() / sets.sum())
        error = sqrt(float(((games - ratio * sets) ** 2).sum()) * len(sets) / freedom) / float(games.sum())
        if error < _LEAST_ERROR:
            return None
        half = student_quantile((1 + confidence) / 2, max(1, round(freedom) - 1)) * error
        return Ratio(ratio, (ratio * exp(-half), ratio * exp(half)), len(sets))


def _is_rotation_set(games: Sequence[PlayedGame]) -> bool:
    """Whether these games of one deal are n games of the same n bots, each in each seat once."""
    if not games or len(games) != len(games[0].bots) or len(games) < 2:
        return False
    seatings = [game.bots for game in games]
    bots = set(seatings[0])
    if len(bots) != len(games) or not all(bots == seated for seated in map(set, seatings)):
        return False
    return all(len(seated) == len(games) for seated in map(set, zip(*seatings, strict=True)))


def _set_sums(sets: Sequence[_Set], sides: Sides | None) -> tuple[Floats, Floats, Floats]:
    """For each set of one setting (with `sides`): squared residuals of its games, of the set, degrees of freedom."""
    import numpy as np

    names = sorted({bot for each in sets for bot in each.bots})
    numbers = {name: number for number, name in enumerate(names)}
    bots: Ints = np.array([[numbers[bot] for bot in each.bots] for each in sets])
    seats: Ints = np.array([each.seats for each in sets])
    residuals, left = _residuals(bots, seats, np.array([each.ranks for each in sets]), len(names))
    if sides is not None:
        members = [[[bot for bot in each.bots if bot in side] for side in sides] for each in sets]
        rows = [row for row, found in enumerate(members) if [len(bots) for bots in found] == [1, 1]]
        if not rows:
            return np.zeros(0), np.zeros(0), np.zeros(0)
        first, second = ([sets[row].bots.index(members[row][side][0]) for row in rows] for side in (0, 1))
        residuals = (residuals[rows, :, first] - residuals[rows, :, second])[:, :, None]
        left = left[rows]
    return (residuals**2).sum(axis=(1, 2)), (residuals.sum(axis=1) ** 2).sum(axis=1), left


def _residuals(bots: Ints, seats: Ints, ranks: Ints, count: int) -> tuple[Floats, Floats]:
    """Place scores less their expectations, by set, game and bot; and by set the share of variance that is left.

    Shapes: `bots` (sets, n), `seats` and `ranks` (sets, games, n); `count` is the number of different bots.
    """
    import numpy as np

    n = bots.shape[1]
    own, rival = ranks[:, :, :, None], ranks[:, :, None, :]
    ahead = (own < rival) + 0.5 * (own == rival)
    pairs = (bots[:, :, None] * count + bots[:, None, :])[:, None, :, :]
    cells, inverse = np.unique(pairs * n + seats[:, :, :, None], return_inverse=True)
    cell: Any = inverse.reshape(ahead.shape)
    meetings = np.bincount(cell.ravel(), minlength=len(cells))
    shares = np.bincount(cell.ravel(), ahead.ravel(), len(cells)) / meetings
    others = ~np.eye(n, dtype=bool)
    residuals = ((ahead - shares[cell]) * others).sum(axis=3) / (n - 1)
    left = (1 - 1 / meetings[cell])[:, :, others].mean(axis=(1, 2))
    return residuals, left
