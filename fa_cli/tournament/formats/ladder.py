"""The ladder: the next games are those that improve the ratings most, given the results so far."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from math import erfc, exp, pi, sqrt

from ...leaderboard.rating.ratings import Rating, Ratings
from ...leaderboard.rating.trueskill_step import BETA
from ...stats.outcomes import add_up
from ..definition import Change, Definition
from ..pairing.pair_counts import Group
from .block import Block, Blocks, ResultFeed

RESULT_DELAY = 6
"""A block is chosen by the results of all blocks except the last 6, which may still be in progress. The number is fixed
so that the choice does not depend on the number of workers."""
_PENDING_FACTOR = 0.85
"""A bot's sigma is multiplied by this for each pending block that it plays in."""


def ladder(definition: Definition, results: ResultFeed) -> Blocks:
    """Endless blocks, for the settings in turn."""
    ratings = Ratings()
    pending: deque[Group] = deque()
    number = 0
    while True:
        known = number - RESULT_DELAY
        while not results.has_results_of(known):
            yield None
        for outcome in results.take(known):
            ratings.add(outcome.bots, outcome.ranks, outcome.faulted)
        setting_index = number % len(definition.settings)
        setting = definition.settings[setting_index]
        bots = active_bots(definition.changes, setting.bots, results.next_index)
        if len(bots) < setting.players:  # only in a definition that somebody edited: `amend` keeps enough bots
            return
        group = most_informative_group(bots, setting.players, ratings, pending)
        pending.append(group)
        if len(pending) > RESULT_DELAY:
            pending.popleft()
        yield Block(setting_index, group)
        number += 1


def active_bots(changes: Sequence[Change], bots: Sequence[int], index: int) -> list[int]:
    """The bots of `bots` that are in the tournament when game `index` begins."""
    joined = {change.joined: change.at for change in changes if change.joined is not None}
    left = {change.left: change.at for change in changes if change.left is not None}
    return [bot for bot in bots if joined.get(bot, 0) <= index and not (bot in left and left[bot] <= index)]


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
