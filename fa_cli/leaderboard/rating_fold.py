"""Ratings as a table: results folded in the order of their logs, and what they came to after each log.

A rating depends on all games before it. Where a log comes in between, or an older one grows, the fold goes back to
what was there before that log.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from .block_sums import Kind
from .index import ALL, CHUNK_SECONDS, Index, IndexBusy, IndexedLog
from .parts import Part, PartIds, Setting, settings
from .ratings import Rating, Ratings

_LOOK = 16
"""Games between two looks at the clock."""


class _Step(NamedTuple):
    """So many games of a log are folded."""

    log: int
    games: int


class _RatingTable:
    """The ratings in one part."""

    def __init__(self) -> None:
        self.ratings = Ratings()
        self.changed: set[int] = set()
        """The bots whose ratings are not written yet."""


class RatingFold:
    """The ratings of one scope: of bots, or of bots in their seats."""

    def __init__(self, index: Index, scope: int, kind: Kind) -> None:
        self._index = index
        self._key = (scope, kind.value)
        self._scope = scope
        self._in_seats = kind is Kind.BOTS_IN_SEATS
        self._settings: dict[int, Setting] = {}
        self._parts: dict[Part, _RatingTable] = {}
        self._boards: dict[int, list[_RatingTable]] = {}

    def is_complete(self) -> bool:
        """Whether all games are folded that the index has."""
        return self._folded() == self._due()

    def update(self) -> None:
        """Fold what is new. Raises IndexBusy if another process does it meanwhile."""
        if self.is_complete():
            return
        with self._index.writing():
            done = self._go_back()
            self._load()
        due = self._due()
        for position in range(max(0, len(done) - 1), len(due)):
            done = self._fold_log(due[position], done, position)

    def _due(self) -> list[_Step]:
        logs: Sequence[IndexedLog] = self._index.tournaments()
        if self._scope != ALL:
            logs = [log for log in self._index.logs().values() if log.id == self._scope]
        return [_Step(log.id, log.end.index) for log in logs]

    def _folded(self) -> list[_Step]:
        query = "SELECT log, games FROM rated WHERE (scope, kind) = (?, ?) ORDER BY position"
        return [_Step(*row) for row in self._index.rows(query, self._key)]

    def _go_back(self) -> list[_Step]:
        """Give up what was folded after the first difference to what is due; what is left."""
        folded, due = self._folded(), self._due()
        whole = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(folded, due, strict=False)))
        if whole < min(len(folded), len(due)):
            (last, before), (log, games) = folded[whole], due[whole]
            whole += last == log and before < games  # a log that has grown is folded on
        left = folded[:whole]
        if len(left) < len(folded):
            for table in ("rated", "rating_history"):
                delete = f"DELETE FROM {table} WHERE (scope, kind) = (?, ?) AND position >= ?"
                self._index.write(delete, [(*self._key, whole)])
            self._index.write("DELETE FROM ratings WHERE (scope, kind) = (?, ?)", [self._key])
            self._index.write(
                "INSERT INTO ratings SELECT scope, kind, part, bot, mu, sigma FROM ("
                "SELECT *, ROW_NUMBER() OVER (PARTITION BY part, bot ORDER BY position DESC) AS age "
                "FROM rating_history WHERE (scope, kind) = (?, ?)) WHERE age = 1",
                [self._key],
            )
        return left

    def _load(self) -> None:
        self._settings = settings(self._index)
        parts = {row[0]: Part(*row[1:]) for row in self._index.rows("SELECT * FROM parts")}
        query = "SELECT part, bot, mu, sigma FROM ratings WHERE (scope, kind) = (?, ?)"
        for part, bot, mu, sigma in self._index.rows(query, self._key):
            self._of(parts[part]).ratings[bot] = Rating(mu, sigma)

    def _of(self, part: Part) -> _RatingTable:
        return self._parts.get(part) or self._parts.setdefault(part, _RatingTable())

    def _fold_log(self, due: _Step, done: list[_Step], position: int) -> list[_Step]:
        """Fold a log's games, and save that now and then."""
        first = done[position].games if position < len(done) else 0
        games = first
        end = time.monotonic() + CHUNK_SECONDS
        for _, seats in self._games(due.log, first, due.games):
            self._add(list(seats))
            games += 1
            if games % _LOOK == 0 and time.monotonic() >= end:
                done = self._save(done, position, _Step(due.log, games))
                end = time.monotonic() + CHUNK_SECONDS
        return self._save(done, position, _Step(due.log, due.games))

    def _games(self, log: int, first: int, end: int) -> Iterator[tuple[int, Iterator[tuple[int, ...]]]]:
        query = (
            "SELECT game_index, setting, bot, rank, fault IS NOT NULL FROM results "
            "WHERE log = ? AND game_index >= ? AND game_index < ? ORDER BY game_index, seat"
        )
        at = first
        while at < end:  # a few at a time: while a query is open nothing can be written
            rows = self._index.rows(query, (log, at, min(end, at + 500)))
            yield from itertools.groupby(rows, itemgetter(0))
            at += 500

    def _add(self, seats: list[tuple[int, ...]]) -> None:
        _, settings_of, bots, ranks, faults = zip(*seats, strict=True)
        setting = self._settings[settings_of[0]]
        faulted = {seat for seat, fault in enumerate(faults) if fault}
        if self._in_seats:
            self._add_in_seats(setting, bots, ranks, faulted)
            return
        before: list[Rating] = []
        after: list[Rating] = []
        for board in self._boards_of(setting):
            ratings = board.ratings
            own = [ratings[bot] for bot in bots]
            if own == before:  # most parts have had the same games, and are rated once
                for bot, rating in zip(bots, after, strict=True):
                    ratings[bot] = rating
            else:
                ratings.add(bots, ranks, faulted)
                before, after = own, [ratings[bot] for bot in bots]
            board.changed.update(bots)

    def _boards_of(self, setting: Setting) -> list[_RatingTable]:
        if setting.id not in self._boards:
            self._boards[setting.id] = [self._of(part) for part in setting.parts()]
        return self._boards[setting.id]

    def _add_in_seats(self, setting: Setting, bots: Sequence[int], ranks: Sequence[int], faulted: set[int]) -> None:
        """Rate each bot in its seat as a bot of its own."""
        parts = [setting.seat_parts(seat) for seat in range(len(bots))]
        for table in zip(*parts, strict=True):
            seats = [(seat, self._of(part), bot) for seat, (part, bot) in enumerate(zip(table, bots, strict=True))]
            ratings = Ratings()
            for seat, board, bot in seats:
                ratings[bot, seat] = board.ratings[bot]
            ratings.add([(bot, seat) for seat, _, bot in seats], ranks, faulted)
            for seat, board, bot in seats:
                board.ratings[bot] = ratings[bot, seat]
                board.changed.add(bot)

    def _save(self, done: list[_Step], position: int, step: _Step) -> list[_Step]:
        """Write the ratings after this step."""
        with self._index.writing():
            if self._folded() != done:
                raise IndexBusy("another process folds the same games")
            ids = PartIds(self._index)
            boards = [(ids[part], board) for part, board in self._parts.items() if board.changed]
            rows = [(*self._key, id, bot, *board.ratings[bot]) for id, board in boards for bot in board.changed]
            self._index.write("INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?)", rows)
            if self._scope == ALL:
                after = ((*row[:2], position, *row[2:]) for row in rows)
                self._index.write("INSERT OR REPLACE INTO rating_history VALUES (?, ?, ?, ?, ?, ?, ?)", after)
            self._index.write("INSERT OR REPLACE INTO rated VALUES (?, ?, ?, ?, ?)", [(*self._key, position, *step)])
        for _, board in boards:
            board.changed.clear()
        return [*done[:position], step]
