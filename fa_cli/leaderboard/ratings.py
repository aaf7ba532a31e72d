"""TrueSkill ratings: a pure fold over results in game order, so that the same results always give the same ratings.

A game is free for all: its ranks, ties included, are the result. Three things that the ranks alone don't say:

- A seat with a fault is rated by its rank, behind the others; the others are rated as if it had not been at the table,
  so that nobody gains or loses by what happened to a neighbour.
- A bot with several seats in a game takes part once, with the mean of its ranks; a bot alone against itself learns
  nothing.
- A tie needs a draw probability above 0, or ties would make ratings less sure instead of surer: `DRAW_PROBABILITY`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Hashable, Sequence
from typing import Any, NamedTuple

import trueskill

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
TAU = SIGMA / 100
DRAW_PROBABILITY = 0.02
"""Ties are rare in all games here; of the order of what random play and the shipped bots show. Fixed, since a rating
must not depend on how often others tied."""
_DIGITS = 60
"""For results that floating point can't hold: an upset over hundreds of points with small sigmas."""


class Rating(NamedTuple):
    """What is believed of a bot's strength: normally distributed about `mu`."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def conservative(self) -> float:
        """The conservative estimate that leaderboards sort by: mu - 3 sigma."""
        return self.mu - 3 * self.sigma


_UNRATED = Rating()


class Ratings:
    """The ratings of one ladder, as far as it has come."""

    def __init__(self) -> None:
        self._ratings: dict[Hashable, Rating] = {}

    def __getitem__(self, bot: Hashable) -> Rating:
        """The bot's rating; that of a newcomer if it has not played."""
        return self._ratings.get(bot, _UNRATED)

    def __setitem__(self, bot: Hashable, rating: Rating) -> None:
        """Go on from a rating that is known."""
        self._ratings[bot] = rating

    def __contains__(self, bot: Hashable) -> bool:
        """Whether a game has rated the bot."""
        return bot in self._ratings

    def add(self, bots: Sequence[Hashable], ranks: Sequence[int], faulted: Collection[int] = ()) -> None:
        """Fold in one game: a bot and a rank (lower is better) per seat, and the seats with a fault."""
        everybody = _mean_ranks(bots, ranks, range(len(bots)))
        after = self._rated(everybody)
        if faulted:
            unharmed = _mean_ranks(bots, ranks, [seat for seat in range(len(bots)) if seat not in faulted])
            after = {bot: rating for bot, rating in after.items() if bot not in unharmed} | self._rated(unharmed)
        self._ratings.update(after)

    def _rated(self, ranks: dict[Hashable, float]) -> dict[Hashable, Rating]:
        """The ratings after a game of these alone; nothing for fewer than two."""
        if len(ranks) < 2:
            return {}
        before = [self[bot] for bot in ranks]
        return dict(zip(ranks, rate(before, list(ranks.values())), strict=True))


def _mean_ranks(bots: Sequence[Hashable], ranks: Sequence[int], seats: Sequence[int]) -> dict[Hashable, float]:
    """Mean rank per bot over these seats, in seat order."""
    of_bot: dict[Hashable, list[int]] = {}
    for seat in seats:
        of_bot.setdefault(bots[seat], []).append(ranks[seat])
    return {bot: sum(its) / len(its) for bot, its in of_bot.items()}


def rate(ratings: Sequence[Rating], ranks: Sequence[float]) -> list[Rating]:
    """The ratings after one game, given those before and the ranks (lower is better, equal is a tie).

    Several ladders often come to the same question one after the other; it is answered once.
    """
    return list(_rate_cached(tuple(ratings), tuple(ranks)))


@functools.lru_cache(maxsize=64)
def _rate_cached(ratings: tuple[Rating, ...], ranks: tuple[float, ...]) -> list[Rating]:
    try:
        after = _rate(_trueskill(None), ratings, ranks)
        if all(_is_sound(old, new) for old, new in zip(ratings, after, strict=True)):
            return after
    except (ArithmeticError, ValueError):
        pass  # FloatingPointError where the package notices, a root of less than 0 where it doesn't
    import mpmath  # type: ignore[import-untyped]  # it has no types; and it is seldom needed

    with mpmath.workdps(_DIGITS):
        return _rate(_trueskill("mpmath"), ratings, ranks)


def _is_sound(before: Rating, after: Rating) -> bool:
    """Whether nothing was lost in rounding: a result makes no rating less sure than TAU alone does."""
    return math.isfinite(after.mu) and after.sigma <= math.hypot(before.sigma, TAU) * (1 + 1e-9)


def _rate(table: Any, ratings: Sequence[Rating], ranks: Sequence[float]) -> list[Rating]:
    groups = [(table.create_rating(rating.mu, rating.sigma),) for rating in ratings]
    return [Rating(new.mu, new.sigma) for (new,) in table.rate(groups, ranks=list(ranks))]


@functools.cache
def _trueskill(backend: str | None) -> Any:
    return trueskill.TrueSkill(MU, SIGMA, BETA, TAU, DRAW_PROBABILITY, backend)  # type: ignore[no-untyped-call]
