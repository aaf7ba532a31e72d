"""The ladder: the next games are those that teach most of how good the bots are, as far as is known by then."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from math import erfc, exp, pi, sqrt

from ...leaderboard.ratings import BETA, Rating, Ratings
from ..definition import Change, Definition
from ..pairing.pair_counts import Group
from .block import Block, Blocks, ResultFeed

RESULT_DELAY = 6
"""A block is chosen by the results of all blocks but the last so many: those may still be played, and a fixed number
keeps the choice apart from how many are played at the same time."""
_PENDING = 0.85
"""How much surer a bot's rating is taken to be for each of those blocks that it plays in."""


def ladder(definition: Definition, results: ResultFeed) -> Blocks:
    """Blocks without end; the settings take turns."""
    ratings = Ratings()
    pending: deque[Group] = deque()
    number = 0
    while True:
        known = number - RESULT_DELAY
        while not results.has_results_of(known):
            yield None
        for outcome in results.take(known):
            ratings.add(outcome.bots, outcome.ranks, outcome.faulted)
        place = number % len(definition.settings)
        setting = definition.settings[place]
        bots = active_bots(definition.changes, setting.bots, results.next_index)
        if len(bots) < setting.players:  # so many can't retire, but a file may say that they did
            return
        group = most_informative_group(bots, setting.players, ratings, pending)
        pending.append(group)
        if len(pending) > RESULT_DELAY:
            pending.popleft()
        yield Block(place, group)
        number += 1


def active_bots(changes: Sequence[Change], bots: Sequence[int], index: int) -> list[int]:
    """Those of the bots that are in the tournament when the game of this index begins."""
    joined = {change.joined: change.at for change in changes if change.joined is not None}
    left = {change.left: change.at for change in changes if change.left is not None}
    return [bot for bot in bots if joined.get(bot, 0) <= index and not (bot in left and left[bot] <= index)]


def most_informative_group(bots: Sequence[int], players: int, ratings: Ratings, pending: Sequence[Group]) -> Group:
    """The group whose games teach most: around the bot known least, those that tell most of it and of themselves.

    What a game teaches is by how much it makes the ratings surer, in the mean over its outcomes.
    """
    playing = Counter(bot for group in pending for bot in group)
    believed = {bot: Rating(ratings[bot].mu, ratings[bot].sigma * _PENDING ** playing[bot]) for bot in bots}
    first = max(bots, key=lambda bot: (believed[bot].sigma, -bot))
    group, left = [first], [bot for bot in bots if bot != first]
    while len(group) < players:
        best = max(left, key=lambda bot: (sum(information(believed[bot], believed[other]) for other in group), -bot))
        group.append(best)
        left.remove(best)
    return tuple(group)


def information(one: Rating, other: Rating) -> float:
    """By how much a game between two makes their ratings surer: how much smaller the two variances become on average.

    A won game moves a mean by v of t = (mu1 - mu2) / c, a lost one by v of -t, v being the normal density over its
    integral; the mean square of that is what a variance loses.
    """
    spread = 2 * BETA**2 + one.sigma**2 + other.sigma**2
    t = (one.mu - other.mu) / sqrt(spread)
    density = exp(-t * t / 2) / sqrt(2 * pi)
    wins, loses = erfc(-t / sqrt(2)) / 2, erfc(t / sqrt(2)) / 2
    if not wins * loses:
        return 0.0  # nobody doubts how it ends
    return (one.sigma**4 + other.sigma**4) / spread * density**2 / (wins * loses)
