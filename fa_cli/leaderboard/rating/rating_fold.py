"""Ratings in all parts of the results: games folded in their order, those of parts with the same games together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...game_result import PlayedGame
from ..parts import Part, Setting
from .ratings import Rating, Ratings

Key = str | tuple[str, int]
"""A bot, or a bot in a seat."""


class RatingGroup(NamedTuple):
    """Parts that have the same ratings, and these."""

    parts: list[Part]
    ratings: dict[Key, Rating]


class _RatingTable:
    """The ratings in the parts of the results that have had the same games so far: most games change them all alike."""

    def __init__(self, ratings: Ratings) -> None:
        self.ratings = ratings
        self.changed: set[Key] = set()
        """The bots that have played in the current log."""

    def copy(self) -> _RatingTable:
        """A table that starts with these ratings."""
        copy = _RatingTable(Ratings(self.ratings))
        copy.changed |= self.changed
        return copy


class RatingFold:
    """The ratings after some games, of bots or of bots in seats."""

    def __init__(self, in_seats: bool, groups: Iterable[RatingGroup] = ()) -> None:
        """Start from known ratings."""
        self._in_seats = in_seats
        self._tables: dict[Part, _RatingTable] = {}
        self._tables_by_setting: dict[Setting, list[_RatingTable]] = {}
        for group in groups:
            self._tables.update(dict.fromkeys(group.parts, _RatingTable(Ratings(group.ratings))))

    def groups(self, of_log: bool = False) -> list[RatingGroup]:
        """All ratings; with `of_log` only those of the bots that have played since `begin_log`."""
        parts: dict[_RatingTable, list[Part]] = {}
        for part, table in self._tables.items():
            parts.setdefault(table, []).append(part)
        return [
            RatingGroup(own, {bot: table.ratings[bot] for bot in (table.changed if of_log else table.ratings)})
            for table, own in parts.items()
        ]

    def change(self, groups: Iterable[RatingGroup]) -> None:
        """Change the ratings of some bots, as further games have changed them."""
        for group in groups:
            for part in group.parts:
                self._tables.setdefault(part, _RatingTable(Ratings())).ratings.update(group.ratings)

    def begin_log(self, played: Iterable[RatingGroup] = ()) -> None:
        """The next games are those of another log; or of a log that goes on, with these bots in it so far."""
        for table in self._tables.values():
            table.changed.clear()
        for group in played:
            for part in group.parts:
                self._tables[part].changed.update(group.ratings)

    def add(self, game: PlayedGame) -> None:
        """Add a game. Each seat of a bot is rated as a separate bot if seats are."""
        bots, setting = game.bots, Setting(game.game, game.side, game.variant, len(game.bots))
        keys: Sequence[Key] = [*zip(bots, range(len(bots)), strict=True)] if self._in_seats else bots
        faulted = game.faulted
        before: list[Rating] = []
        after: dict[Key, Rating] = {}
        for table in self._tables_for(setting):
            ratings = table.ratings
            own = [ratings[bot] for bot in keys]
            if own == before:  # parts with the same games so far have the same ratings: compute them once
                ratings.update(after)
            else:
                ratings.add(keys, game.ranks, faulted)
                before, after = own, {bot: ratings[bot] for bot in keys}
            table.changed.update(keys)

    def _tables_for(self, setting: Setting) -> list[_RatingTable]:
        """The tables of a setting's parts; those that it shares with further parts are divided."""
        if setting not in self._tables_by_setting:
            # the part of all seats of a game stands for each of them
            parts = [Part(), Part(setting.game)] if self._in_seats else setting.parts()
            new = _RatingTable(Ratings())
            tables = list(dict.fromkeys(self._tables.setdefault(part, new) for part in parts))
            for table in tables:
                if others := [part for part in self._tables if self._tables[part] is table and part not in parts]:
                    self._tables.update(dict.fromkeys(others, table.copy()))
                    self._tables_by_setting.clear()  # other settings have both tables now
            self._tables_by_setting[setting] = tables
        return self._tables_by_setting[setting]
