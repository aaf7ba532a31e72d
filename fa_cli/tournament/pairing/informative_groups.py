"""Groups whose games improve the ratings most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import erfc, exp, pi, sqrt

from ...leaderboard.rating.ratings import Rating, Ratings
from ...stats.outcomes import add_up
from ...stats.strength.scale import BETA
from .pair_counts import Group

_PENDING_FACTOR = 0.85
"""A bot's sigma is multiplied by this for each pending block that it plays in."""


def most_informative_group(bots: Sequence[int], players: int, ratings: Ratings, pending: Sequence[Group]) -> Group:
    """The group with the most information: the bot with the largest sigma, then greedily the most informative ones.

    `pending` has the groups whose results are not known yet; equal candidates are taken in the order of their numbers.
    """
    pending_blocks = Counter(bot for group in pending for bot in group)
    expected = {
        bot: Rating(ratings[bot].mu, ratings[bot].sigma * _PENDING_FACTOR ** pending_blocks[bot]) for bot in bots
    }
    first = max(bots, key=lambda bot: (expected[bot].sigma, -bot))
    group, candidates = [first], [bot for bot in bots if bot != first]
    while len(group) < players:
        best = max(
            candidates, key=lambda bot: (add_up(information(expected[bot], expected[rival]) for rival in group), -bot)
        )
        group.append(best)
        candidates.remove(best)
    return tuple(group)


def information(left: Rating, right: Rating) -> float:
    """The expected decrease of the two variances (sigma squared, summed) by a game between two bots.

    With t = (mu1 - mu2) / c, a win moves the means in proportion to v(t) and a loss in proportion to v(-t), where v is
    the normal density divided by its integral. The expected square of that factor is the relative loss of variance.
    """
    spread = 2 * BETA**2 + left.sigma**2 + right.sigma**2
    t = (left.mu - right.mu) / sqrt(spread)
    density = exp(-t * t / 2) / sqrt(2 * pi)
    win, loss = erfc(-t / sqrt(2)) / 2, erfc(t / sqrt(2)) / 2
    if not win * loss:
        return 0.0  # the result is certain
    return (left.sigma**4 + right.sigma**4) / spread * density**2 / (win * loss)
