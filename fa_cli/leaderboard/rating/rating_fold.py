"""Ratings in all parts of the results: games folded in their order."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from ...game_result import PlayedGame
from ..parts import Part, Setting
from .ratings import Rating, Ratings

Known = Mapping[Part, Mapping[Any, Rating]]
"""Ratings by part, and by bot, or by bot and seat."""


class RatingFold:
    """The ratings after some games, of bots or of bots in seats."""

    def __init__(self, in_seats: bool, known: Known) -> None:
        """Start from known ratings."""
        self._in_seats = in_seats
        self.known = {part: Ratings(ratings) for part, ratings in known.items()}
        self._ratings_by_setting: dict[Setting, list[Ratings]] = {}

    def add(self, game: PlayedGame) -> None:
        """Add a game. Each seat of a bot is rated as a separate bot if seats are."""
        bots, setting = game.bots, Setting(game.game, game.side, game.variant, len(game.bots))
        keys: Sequence[Hashable] = [*zip(bots, range(len(bots)), strict=True)] if self._in_seats else bots
        if setting not in self._ratings_by_setting:
            # the part of all seats of a game stands for each of them
            parts = [Part(), Part(setting.game)] if self._in_seats else setting.parts()
            self._ratings_by_setting[setting] = [self.known.setdefault(part, Ratings()) for part in parts]
        rated: dict[tuple[Rating, ...], dict[Hashable, Rating]] = {}
        for ratings in self._ratings_by_setting[setting]:
            before = tuple(ratings[bot] for bot in keys)
            if before in rated:  # most parts have had the same games so far: compute their ratings once
                ratings.update(rated[before])
            else:
                ratings.add(keys, game.ranks, game.faulted)
                rated[before] = {bot: ratings[bot] for bot in keys}
