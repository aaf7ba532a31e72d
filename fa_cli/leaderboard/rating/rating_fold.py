"""Ratings as a table of the index: results folded in the order of their logs, with the ratings after each log.

A rating depends on all earlier games. If a log is inserted or an earlier one grows, the fold restarts from the ratings
before that log.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Hashable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from ..block_sums import Kind
from ..index import ALL, CHUNK_SECONDS, Index
from ..index_file.database import IndexBusy
from ..parts import Part, PartIds, Variant, settings
from .ratings import Rating, Ratings

_CLOCK_INTERVAL = 16
"""Games between two checks of the clock."""


class _Step(NamedTuple):
    """The first `games` games of a log are folded."""

    log: int
    games: int


class _RatingTable:
    """The ratings in the parts of the results that have had the same games so far: most games change them all alike."""

    def __init__(self, ratings: Ratings) -> None:
        self.ratings = ratings
        self.changed: set[int] = set()
        """The bots whose new ratings are not stored yet."""

    def copy(self) -> _RatingTable:
        """A table that starts with these ratings."""
        copy = _RatingTable(self.ratings.copy())
        copy.changed |= self.changed
        return copy


class RatingFold:
    """The ratings of one scope, of bots or of bots by seat, and how far they are folded."""

    def __init__(self, index: Index, scope: int, kind: Kind) -> None:
        self._index = index
        self._key = (scope, kind.value)
        self._scope = scope
        self._in_seats = kind is Kind.BOTS_IN_SEATS
        self._settings: dict[int, Variant] = {}
        self._tables: dict[Part, _RatingTable] = {}
        self._tables_by_setting: dict[int, list[_RatingTable]] = {}

    def is_complete(self) -> bool:
        """Whether all indexed games of the scope are folded."""
        return self._folded() == self._target()

    def behind(self) -> int:
        """The number of games that are still to be folded."""
        return sum(step.games for step in self._target()) - sum(step.games for step in self._folded())

    def update(self) -> None:
        """Fold new games. Raises IndexBusy if another process does so meanwhile."""
        if self.is_complete():
            return
        with self._index.writing():
            done = self._rewind()
            self._load()
        due = self._target()
        for position in range(max(0, len(done) - 1), len(due)):
            done = self._fold_log(due, done, position)

    def _target(self) -> list[_Step]:
        logs = self._index.logs_in(self._scope)
        return [_Step(log.id, log.end.index) for log in logs]

    def _folded(self) -> list[_Step]:
        self._index.check("rated", scope=self._scope)
        query = "SELECT log, games FROM rated WHERE (scope, kind) = (?, ?) ORDER BY position"
        return [_Step(*row) for row in self._index.rows(query, self._key)]

    def _rewind(self) -> list[_Step]:
        """Discard the steps after the first one that differs from the target; returns the remaining steps."""
        folded, target = self._folded(), self._target()
        equal = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(folded, target, strict=False)))
        if equal < min(len(folded), len(target)):
            (folded_log, folded_games), (log, games) = folded[equal], target[equal]
            equal += folded_log == log and folded_games < games  # the log has only grown: keep its step
        kept = folded[:equal]
        if len(kept) < len(folded):
            self._index.change("rated", "rating_history", "ratings", scope=self._scope)
            for table in ("rated", "rating_history"):
                delete = f"DELETE FROM {table} WHERE (scope, kind) = (?, ?) AND position >= ?"
                self._index.write(delete, [(*self._key, equal)])
            self._index.write("DELETE FROM ratings WHERE (scope, kind) = (?, ?)", [self._key])
            self._index.write(
                "INSERT INTO ratings SELECT scope, kind, part, bot, mu, sigma FROM ("
                "SELECT *, ROW_NUMBER() OVER (PARTITION BY part, bot ORDER BY position DESC) AS age "
                "FROM rating_history WHERE (scope, kind) = (?, ?)) WHERE age = 1",
                [self._key],
            )
        return kept

    def _load(self) -> None:
        self._settings = settings(self._index)
        self._tables.clear()
        self._tables_by_setting.clear()
        parts = {row[0]: Part(*row[1:]) for row in self._index.rows("SELECT * FROM parts")}
        self._index.check("parts")
        self._index.check("ratings", scope=self._scope)
        query = "SELECT part, bot, mu, sigma FROM ratings WHERE (scope, kind) = (?, ?) ORDER BY part, bot"
        tables: dict[Hashable, _RatingTable] = {}
        for id, rows in itertools.groupby(self._index.rows(query, self._key), itemgetter(0)):
            known = tuple((bot, Rating(mu, sigma)) for _, bot, mu, sigma in rows)
            key = (id, known) if self._in_seats else known
            self._tables[parts[id]] = tables.setdefault(key, _RatingTable(Ratings(dict(known))))

    def _table_of(self, part: Part) -> _RatingTable:
        return self._tables.get(part) or self._tables.setdefault(part, _RatingTable(Ratings()))

    def _tables_for(self, setting: Variant) -> list[_RatingTable]:
        """The tables of a setting's parts; those that it shares with further parts are divided."""
        if setting.id not in self._tables_by_setting:
            parts, new = setting.parts(), _RatingTable(Ratings())
            tables = list(dict.fromkeys(self._tables.setdefault(part, new) for part in parts))
            for table in tables:
                if others := [part for part in self._tables if self._tables[part] is table and part not in parts]:
                    self._tables.update(dict.fromkeys(others, table.copy()))
                    self._tables_by_setting.clear()  # other settings have both tables now
            self._tables_by_setting[setting.id] = tables
        return self._tables_by_setting[setting.id]

    def _fold_log(self, due: list[_Step], done: list[_Step], position: int) -> list[_Step]:
        """Fold the remaining games of a log and save every `CHUNK_SECONDS`; returns the steps done."""
        target, before = due[position], sum(step.games for step in due[:position])
        total = sum(step.games for step in due)
        first = done[position].games if position < len(done) else 0
        games = first
        next_save = time.monotonic() + CHUNK_SECONDS
        self._index.check_results(target.log, target.games, first)
        for _, seats in self._games(target.log, first, target.games):
            self._add(list(seats))
            games += 1
            if games % _CLOCK_INTERVAL:
                continue
            self._index.report("rating games", before + games, total)
            if time.monotonic() >= next_save:
                done = self._save(done, position, _Step(target.log, games))
                next_save = time.monotonic() + CHUNK_SECONDS
        return self._save(done, position, target)

    def _games(self, log: int, first: int, end: int) -> Iterator[tuple[int, Iterator[tuple[int, ...]]]]:
        query = (
            "SELECT game_index, setting, bot, rank, fault IS NOT NULL FROM results "
            "WHERE log = ? AND game_index >= ? AND game_index < ? ORDER BY game_index, seat"
        )
        start = first
        while start < end:  # in batches: nothing can be written while a query is open
            rows = self._index.rows(query, (log, start, min(end, start + 500)))
            yield from itertools.groupby(rows, itemgetter(0))
            start += 500

    def _add(self, seats: list[tuple[int, ...]]) -> None:
        _, settings_of, bots, ranks, faults = zip(*seats, strict=True)
        setting = self._settings[settings_of[0]]
        faulted = {seat for seat, fault in enumerate(faults) if fault}
        if self._in_seats:
            self._add_in_seats(setting, bots, ranks, faulted)
            return
        before: list[Rating] = []
        after: list[Rating] = []
        for table in self._tables_for(setting):
            ratings = table.ratings
            own = [ratings[bot] for bot in bots]
            if own == before:  # parts with the same games so far have the same ratings: compute them once
                for bot, rating in zip(bots, after, strict=True):
                    ratings[bot] = rating
            else:
                ratings.add(bots, ranks, faulted)
                before, after = own, [ratings[bot] for bot in bots]
            table.changed.update(bots)

    def _add_in_seats(self, setting: Variant, bots: Sequence[int], ranks: Sequence[int], faulted: set[int]) -> None:
        """Rate each bot in its seat as a separate bot."""
        parts = [setting.seat_parts(seat) for seat in range(len(bots))]
        for seat_parts in zip(*parts, strict=True):
            seats = [
                (seat, self._table_of(part), bot) for seat, (part, bot) in enumerate(zip(seat_parts, bots, strict=True))
            ]
            ratings = Ratings()
            for seat, table, bot in seats:
                ratings[bot, seat] = table.ratings[bot]
            ratings.add([(bot, seat) for seat, _, bot in seats], ranks, faulted)
            for seat, table, bot in seats:
                table.ratings[bot] = ratings[bot, seat]
                table.changed.add(bot)

    def _save(self, done: list[_Step], position: int, step: _Step) -> list[_Step]:
        """Write the ratings after this step; returns the steps done. Raises IndexBusy if others were done meanwhile."""
        with self._index.writing():
            if self._folded() != done:
                raise IndexBusy("another process folds the same games")
            ids = PartIds(self._index)
            tables = [(ids[part], table) for part, table in self._tables.items() if table.changed]
            rows = [(*self._key, id, bot, *table.ratings[bot]) for id, table in tables for bot in table.changed]
            self._index.change("ratings", "rated", scope=self._scope)
            self._index.write("INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?)", rows)
            if self._scope == ALL:
                after = ((*row[:2], position, *row[2:]) for row in rows)
                self._index.change("rating_history", scope=ALL, position=position)
                self._index.write("INSERT OR REPLACE INTO rating_history VALUES (?, ?, ?, ?, ?, ?, ?)", after)
            self._index.write("INSERT OR REPLACE INTO rated VALUES (?, ?, ?, ?, ?)", [(*self._key, position, *step)])
        for _, table in tables:
            table.changed.clear()
        return [*done[:position], step]
