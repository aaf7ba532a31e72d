"""TrueSkill ratings: a pure fold over results in game order, so the same results always give the same ratings.

A game is a free-for-all with its ranks, ties included, as the result. Three rules beyond that:

- A seat with a fault is rated by its rank, behind the others. The others are rated as if it had not taken part, so
  nobody's rating depends on a rival's fault.
- A bot with several seats in a game takes part once, with the mean of its ranks. A game of one bot against itself
  changes nothing.
- The draw probability is above 0, because otherwise ties would increase the uncertainty: `DRAW_PROBABILITY`.

`trueskill_step.py` rates games. The package `trueskill` is its reference in tests.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Sequence
from typing import Any, NamedTuple

from . import trueskill_step
from .trueskill_step import MU, SIGMA, TAU


class Rating(NamedTuple):
    """The estimate of a bot's strength: a normal distribution with mean `mu` and standard deviation `sigma`."""

    mu: float = MU
    sigma: float = SIGMA


_UNRATED = Rating()


class Ratings(dict[Any, Rating]):
    """The ratings of bots after the games added so far, and known ones before them."""

    def __missing__(self, bot: Hashable) -> Rating:
        """The prior, for a bot that has not been rated."""
        return _UNRATED

    def add(self, bots: Sequence[Hashable], ranks: Sequence[int], faulted: Collection[int] = ()) -> None:
        """Add a game: a bot and a rank (lower is better) per seat, and the seats with a fault."""
        all_bots = _mean_ranks(bots, ranks, range(len(bots)))
        after = self._rated(all_bots)
        if faulted:
            failed = {bots[seat] for seat in faulted}
            faultless = _mean_ranks(bots, ranks, [seat for seat, bot in enumerate(bots) if bot not in failed])
            after = {bot: rating for bot, rating in after.items() if bot not in faultless} | self._rated(faultless)
        self.update(after)

    def _rated(self, ranks: dict[Hashable, float]) -> dict[Hashable, Rating]:
        """The new ratings after a game between these bots; empty for fewer than two."""
        if len(ranks) < 2:
            return {}
        before = [self[bot] for bot in ranks]
        return dict(zip(ranks, rate(before, list(ranks.values())), strict=True))


def _mean_ranks(bots: Sequence[Hashable], ranks: Sequence[int], seats: Sequence[int]) -> dict[Hashable, float]:
    """Each bot's mean rank over these seats, in seat order."""
    if len(seats) == len(bots) == len(set(bots)):
        return dict(zip(bots, map(float, ranks), strict=True))
    by_bot: dict[Hashable, list[int]] = {}
    for seat in seats:
        by_bot.setdefault(bots[seat], []).append(ranks[seat])
    return {bot: sum(bot_ranks) / len(bot_ranks) for bot, bot_ranks in by_bot.items()}


def rate(ratings: Sequence[Rating], ranks: Sequence[float]) -> list[Rating]:
    """The ratings after one game, from those before and the ranks (lower is better, equal is a tie)."""
    before: list[tuple[float, float]] = [*ratings]
    try:
        after = [Rating(mu, sigma) for mu, sigma in trueskill_step.rate(before, [*map(float, ranks)])]
        if all(_is_sound(old, new) for old, new in zip(ratings, after, strict=True)):
            return after
    except (ArithmeticError, ValueError):
        pass  # FloatingPointError if the overflow is noticed, ValueError for a negative root if it is not
    return [Rating(mu, sigma) for mu, sigma in trueskill_step.rate(before, [*map(float, ranks)], exact=True)]


def _is_sound(before: Rating, after: Rating) -> bool:
    """Whether the result is free of rounding errors: a game never adds more uncertainty than TAU does."""
    return math.isfinite(after.mu) and after.sigma <= math.hypot(before.sigma, TAU) * (1 + 1e-9)
