"""The ladder: the next games are those that improve the ratings most, given the results so far."""

from __future__ import annotations

from collections import deque
from typing import ClassVar

from .block import Block, Blocks
from .format import FormatInput, TournamentFormat

RESULT_DELAY = 6
"""A block is chosen by the results of all blocks except the last 6, which may still be in progress. The number is fixed
so that the choice does not depend on the number of workers."""


class Ladder(TournamentFormat, frozen=True, tag="ladder"):
    """An open league: the next games are those that improve the ratings most."""

    uses_results: ClassVar[bool] = True
    is_open: ClassVar[bool] = True

    def describe(self, tournament: FormatInput) -> str:
        """How games are chosen."""
        return ", each between the bots whose ratings it improves most"

    def blocks(self, tournament: FormatInput) -> Blocks:
        """Endless blocks, for the settings in turn."""
        from ...leaderboard.rating.ratings import Ratings
        from ..pairing.informative_groups import most_informative_group

        ratings, results = Ratings(), tournament.results
        pending: deque[tuple[int, ...]] = deque()
        number = 0
        while True:
            known = number - RESULT_DELAY
            while not results.has_results_of(known):
                yield None
            for outcome in results.take(known):
                ratings.add(outcome.bots, outcome.ranks, outcome.faulted)
            setting = number % len(tournament.settings)
            bots, players = tournament.active_bots(setting), tournament.settings[setting].players
            if len(bots) < players:  # only in a definition that somebody edited: `amend` keeps enough bots
                return
            group = most_informative_group(bots, players, ratings, pending)
            pending.append(group)
            if len(pending) > RESULT_DELAY:
                pending.popleft()
            yield Block(setting, group)
            number += 1
