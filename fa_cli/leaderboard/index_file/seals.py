"""Seals of the index: keyed checksums of its rows, so that only rows that this user has written are believed.

Each group of rows, such as the standings of one scope, has a seal. One more, the root, depends on all of them, so that
a group can't be replaced by an older one. Results have a seal for the games that were added at once; these are not
part of the root, because the results of a log never change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from .index_errors import IndexDamaged, IndexForeign

_ANY = "0"
_GROUPS = {
    "logs": ("id", _ANY),
    "verified": (_ANY, _ANY),
    "bots": (_ANY, _ANY),
    "settings": (_ANY, _ANY),
    "parts": (_ANY, _ANY),
    "fault_details": ("log", _ANY),
    "summed": ("log", _ANY),
    "games": ("log", _ANY),
    "seat_counts": ("log", _ANY),
    "comparisons": ("log", _ANY),
    "meetings": ("log", _ANY),
    "fit_sums": ("log", _ANY),
    "block_sums": ("scope", _ANY),
    "stale": ("scope", _ANY),
    "standings": ("scope", _ANY),
    "strengths": ("scope", _ANY),
    "fits": ("scope", _ANY),
    "rated": ("scope", _ANY),
    "ratings": ("scope", _ANY),
    "rating_history": ("scope", "position"),
}
"""SQL for the scope and the position of a row, for each table: rows in which both are equal are a group."""
_Group = tuple[str, int, int]
_Chunk = tuple[int, int, int]
"""Some results: a log, its first game, and the game after the last one."""
_SIZE = 16
"""Bytes of a seal."""
_RESULTS = """
SELECT JSON_GROUP_ARRAY(JSON_ARRAY(
    game_index, seat, block, stratum, setting, bot, rank, points, win, half_ranks, decisions, time_us, fault, fault_ply
)) FROM results WHERE log = ? AND game_index BETWEEN ? AND ?
"""
"""Rows as one text, in a third of the time. Whole numbers are exact in it, and differ from all other values."""
_FIRST, _LAST = -(1 << 63), (1 << 63) - 1


class Seals:
    """The seals of an open index. Call everything in a transaction; all may raise IndexDamaged.

    `file`: a connection of SQLite, which `database.py` opens.
    """

    def __init__(self, file: Any, key: bytes) -> None:
        self._file, self._key = file, key
        self._owner = self._seal("owner")
        self._root = b""
        """The root as last checked."""
        self._checked: set[tuple[str, int | None, int | None]] = set()
        """What was checked as a whole: since then only groups with other seals can differ."""
        self._known: dict[_Group, bytes] = {}
        """The seals of the groups that were checked."""
        self._known_chunks: set[_Chunk] = set()
        self._changed: set[_Group] = set()
        self._added: set[_Chunk] = set()

    def _seal(self, *content: Any) -> bytes:
        return hashlib.blake2b(msgspec.msgpack.encode(content), digest_size=_SIZE, key=self._key).digest()

    def create(self) -> None:
        """Seal the empty tables."""
        self._file.execute("INSERT INTO root VALUES (0, ?, ?)", (self._owner, self._root_seal()))

    def begin(self) -> None:
        """Check the root at the start of a transaction. Raises IndexForeign if another user made the index."""
        rows = self._file.execute("SELECT owner, seal FROM root").fetchall()
        if [owner for owner, _ in rows] != [self._owner]:
            raise IndexForeign
        if rows[0][1] != self._root:
            if rows[0][1] != self._root_seal():
                raise IndexDamaged("the root")
            self._root = rows[0][1]

    def _root_seal(self) -> bytes:
        query = "SELECT GROUP_CONCAT(HEX(seal)), COUNT(*) FROM (SELECT seal FROM seals ORDER BY name, scope, position)"
        return self._seal("root", *self._file.execute(query).fetchone())

    def check(self, table: str, scope: int | None = None, position: int | None = None) -> None:
        """Check the groups of a table, or those of one scope and position, without those that are being changed."""
        seals = self._seals_of(table, scope, position)
        which = (table, scope, position)
        if which in self._checked:
            for group in seals.keys() - self._changed:
                if self._known.get(group) != seals[group]:
                    self._check(group, seals[group], self._rows(*group).get(group))
            return
        rows = self._rows(*which)
        for group in (seals.keys() | rows.keys()) - self._changed:
            self._check(group, seals.get(group), rows.get(group))
        self._checked.add(which)

    def _check(self, group: _Group, seal: bytes | None, rows: Sequence[Any] | None) -> None:
        if seal is None or rows is None or seal != self._seal(*group, rows):
            raise IndexDamaged(f"the rows of {group[0]}")
        self._known[group] = seal

    def _seals_of(self, table: str, scope: int | None, position: int | None) -> dict[_Group, bytes]:
        where, values = _where("scope", scope, "position", position)
        query = f"SELECT scope, position, seal FROM seals WHERE name = ? AND {where}"
        return {(table, *group): seal for *group, seal in self._file.execute(query, (table, *values))}

    def _rows(self, table: str, scope: int | None, position: int | None) -> dict[_Group, list[Any]]:
        """The rows by group, in the order of their keys."""
        columns = _GROUPS[table]
        where, values = _where(columns[0], scope, columns[1], position)
        groups: dict[_Group, list[Any]] = {}
        for row in self._file.execute(f"SELECT {columns[0]}, {columns[1]}, * FROM {table} WHERE {where}", values):
            groups.setdefault((table, row[0], row[1]), []).append(row)
        return groups

    def change(self, table: str, scope: int, position: int | None = None) -> None:
        """Check the groups of a scope, and seal them again at the end of the transaction, which changes them.

        `position`: the only one that changes.
        """
        self.check(table, scope, position)
        self._changed |= self._seals_of(table, scope, position).keys() | {(table, scope, position or 0)}

    def check_results(self, log: int, games: int, first: int = 0, last: int = _LAST) -> None:
        """Check the results of a log that has so many games, from its game `first` to `last`."""
        query = "SELECT first, after, seal FROM chunks WHERE log = ? AND after > ? AND first <= ? ORDER BY first"
        chunks = self._file.execute(query, (log, first, last)).fetchall()
        end = min(first, chunks[0][0]) if chunks else first
        for start, after, seal in chunks:
            if start != end or not start < after <= games:
                raise IndexDamaged("the chunks of results")
            chunk, end = (log, start, after), after
            if chunk not in self._known_chunks:
                if seal != self._chunk_seal(*chunk, whole=games):
                    raise IndexDamaged("the results")
                self._known_chunks.add(chunk)
        unsealed = "SELECT 1 FROM results WHERE log = ? LIMIT 1"
        if end < min(games, last + 1) or (games == 0 and self._file.execute(unsealed, (log,)).fetchone()):
            raise IndexDamaged("the chunks of results")

    def _chunk_seal(self, log: int, first: int, after: int, whole: int) -> bytes:
        """The seal of results; at either end of the log also rows beyond it count, which should not be there."""
        bounds = first if first else _FIRST, _LAST if after == whole else after - 1
        return self._seal("results", log, first, after, *self._file.execute(_RESULTS, (log, *bounds)).fetchone())

    def add_results(self, log: int, first: int, after: int) -> None:
        """Seal these new results at the end of the transaction."""
        self._added.add((log, first, after))

    def finish(self) -> None:
        """Seal what the transaction has changed."""
        for chunk in self._added:
            seal = self._chunk_seal(*chunk, whole=chunk[2])
            self._file.execute("INSERT INTO chunks VALUES (?, ?, ?, ?)", (*chunk, seal))
            self._known_chunks.add(chunk)
        for group in self._changed:
            self._seal_again(group)
        if self._changed:
            self._root = self._root_seal()
            self._file.execute("UPDATE root SET seal = ?", (self._root,))
        self.forget_changes()

    def _seal_again(self, group: _Group) -> None:
        rows = self._rows(*group).get(group)
        if rows is None:
            self._file.execute("DELETE FROM seals WHERE (name, scope, position) = (?, ?, ?)", group)
            return
        self._known[group] = self._seal(*group, rows)
        self._file.execute("INSERT OR REPLACE INTO seals VALUES (?, ?, ?, ?)", (*group, self._known[group]))

    def forget_changes(self) -> None:
        """The transaction is over."""
        self._changed.clear()
        self._added.clear()


def _where(scope_column: str, scope: int | None, position_column: str, position: int | None) -> tuple[str, list[int]]:
    pairs = [(column, value) for column, value in ((scope_column, scope), (position_column, position))]
    given = [(column, value) for column, value in pairs if value is not None]
    return " AND ".join([f"{column} = ?" for column, _ in given] or ["TRUE"]), [value for _, value in given]
