"""The index beside the logs: how far each was folded and what came of it, so that leaderboards need not read them.

An SQLite file (in WAL mode) that follows from the logs alone: whatever is wrong with it, it is made anew, and where it
can't be written the fold is done in memory. Of each ladder (that of all tournaments, and that of each) it has what is
known of every bot, and snapshots of that after some logs, fewer the older they are: if an older log grows or one comes
in between, the fold goes on from a snapshot before it.
"""

from __future__ import annotations

import sqlite3
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec

from ..replay.log_file import Mark
from ..text import printable
from .boards import FREEZER, Boards, Change, Part

NAME = "index.sqlite"
VERSION = 3
"""To be raised when the same logs give other numbers, or are kept in another way."""
_LAYOUT = (zlib.crc32(f"{VERSION} {FREEZER.layout}".encode()) & 0x7FFFFFFF) or 1
_WAIT = 10
"""Seconds for which another process may write."""
_PATIENCE = 1
"""Seconds of these that pass without a word."""
_TABLES = """
CREATE TABLE logs (name TEXT PRIMARY KEY, known BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE checked (name TEXT PRIMARY KEY, mark BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE ladders (ladder TEXT PRIMARY KEY, generation INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE folded (
    ladder TEXT, place BLOB, progress BLOB NOT NULL, PRIMARY KEY (ladder, place)
) WITHOUT ROWID;
CREATE TABLE held (
    ladder TEXT, part TEXT, bot TEXT, row BLOB NOT NULL, state BLOB NOT NULL, PRIMARY KEY (ladder, part, bot)
) WITHOUT ROWID;
CREATE TABLE snapshots (
    ladder TEXT, place BLOB, part TEXT, bot TEXT, row BLOB NOT NULL, state BLOB NOT NULL,
    PRIMARY KEY (ladder, place, part, bot)
) WITHOUT ROWID;
"""
_SPREAD = 1.5
"""How much farther from the end each snapshot is than the one after it."""

Signature = tuple[int, ...]
"""Of a file that has not been touched: inode, size, times."""


class Known(NamedTuple):
    """What a log's first game says, as long as the file is the same."""

    signature: Signature
    started: str | None


class Progress(NamedTuple):
    """How far a log was folded: to `end`, the file's end if there is a signature. It can be read on from `block`."""

    place: bytes
    signature: Signature | None
    end: Mark
    block: Mark


class Step(NamedTuple):
    """What a fold has come to since it was saved last."""

    back_to: bytes | None
    """First of all, what came after the snapshot of this place is given up."""
    progress: Sequence[Progress]
    """Of logs, in their order; the changes are those after the last of them."""
    changes: Iterable[Change]
    refreshed: Sequence[Progress] = ()
    """Of logs before these, in files that were touched and are the same."""


class IndexUnusable(Exception):
    """The index can't be read or written here and now."""


class IndexDamaged(Exception):
    """What is in the index is not what was written to it."""


class Index:
    """An open index. Use it in a `with`; everything may raise IndexUnusable or IndexDamaged."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with _told():
            self._file = sqlite3.connect(path, timeout=min(_PATIENCE, _WAIT), isolation_level=None)
            try:
                self._begin()
            except BaseException:
                self._file.close()
                raise

    def _begin(self) -> None:
        self._patiently("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = NORMAL")
        if self._layout() == _LAYOUT:
            return
        with self._transaction("IMMEDIATE"):
            if self._layout() != _LAYOUT:  # nobody else has done it meanwhile
                for (table,) in self._file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
                    self._file.execute(f"DROP TABLE {table}")
                for statement in filter(str.strip, _TABLES.split(";")):
                    self._file.execute(statement)
                self._file.execute(f"PRAGMA user_version = {_LAYOUT}")

    def _patiently(self, statement: str) -> None:
        """Execute what another process may hold up; who waits for long is told why."""
        try:
            self._file.execute(statement)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or _WAIT <= _PATIENCE:
                raise
            print(printable(f"waiting for another fa process that writes {self.path} ..."), file=sys.stderr, flush=True)
            self._file.execute(f"PRAGMA busy_timeout = {1000 * (_WAIT - _PATIENCE)}")
            try:
                self._file.execute(statement)
            finally:
                self._file.execute(f"PRAGMA busy_timeout = {1000 * _PATIENCE}")

    def _layout(self) -> int:
        return int(self._file.execute("PRAGMA user_version").fetchone()[0])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(sqlite3.Error):
            self._file.close()

    @contextmanager
    def _transaction(self, kind: str = "DEFERRED") -> Iterator[None]:
        self._patiently(f"BEGIN {kind}")
        try:
            yield
        except BaseException:
            with suppress(sqlite3.Error):
                self._file.execute("ROLLBACK")
            raise
        self._file.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """What is read in here belongs together."""
        with _told(), self._transaction():
            yield

    def known_logs(self) -> dict[str, Known]:
        """By file name."""
        with _told():
            rows = self._file.execute("SELECT name, known FROM logs").fetchall()
            return {name: Known(*FREEZER.thaw(known)) for name, known in rows}

    def know_logs(self, logs: dict[str, Known]) -> None:
        """Remember these logs."""
        with _told(), self._transaction("IMMEDIATE"):
            rows = [(name, FREEZER.freeze(tuple(known))) for name, known in logs.items()]
            self._file.executemany("INSERT OR REPLACE INTO logs VALUES (?, ?)", rows)

    def checked(self, name: str) -> Mark | None:
        """How far the log of this file name was played again and found right."""
        with _told():
            found = self._file.execute("SELECT mark FROM checked WHERE name = ?", (name,)).fetchone()
            return Mark(*FREEZER.thaw(found[0], name)) if found else None

    def know_checked(self, name: str, mark: Mark) -> None:
        """Remember that."""
        with _told(), self._transaction("IMMEDIATE"):
            state = FREEZER.freeze(msgspec.structs.astuple(mark), name)
            self._file.execute("INSERT OR REPLACE INTO checked VALUES (?, ?)", (name, state))

    def ladders(self) -> list[str]:
        """The names of those there are."""
        with _told():
            return [name for (name,) in self._file.execute("SELECT ladder FROM ladders ORDER BY ladder")]

    def generation(self, ladder: str) -> int:
        """Another number after each change to the ladder."""
        with _told():
            found = self._file.execute("SELECT generation FROM ladders WHERE ladder = ?", (ladder,)).fetchone()
            return int(found[0]) if found else 0

    def progress(self, ladder: str) -> list[Progress]:
        """The ladder's logs in their order, each with how far it was folded."""
        with _told():
            query = "SELECT place, progress FROM folded WHERE ladder = ? ORDER BY place"
            return [_progress(*row) for row in self._file.execute(query, (ladder,))]

    def snapshots(self, ladder: str) -> list[bytes]:
        """After which logs there is a snapshot, in their order."""
        with _told():
            query = "SELECT DISTINCT place FROM snapshots WHERE ladder = ? ORDER BY place"
            return [place for (place,) in self._file.execute(query, (ladder,))]

    def fill(self, boards: Boards, ladder: str, snapshot: bytes | None = None) -> None:
        """Put in what was folded, to go on with: all of it, or as it was after the log at this place."""
        table, at = ("held", ()) if snapshot is None else ("snapshots", (snapshot,))
        query = f"SELECT part, bot, row, state FROM {table} WHERE ladder = ?{' AND place = ?' * len(at)}"
        with _told():
            found = self._file.execute(query, (ladder, *at))
            boards.fill(Change(_part(part), bot, row, state) for part, bot, row, state in found)

    def parts(self, ladder: str) -> list[Part]:
        """All that is told apart."""
        with _told():
            rows = self._file.execute("SELECT DISTINCT part FROM held WHERE ladder = ?", (ladder,))
            return [_part(part) for (part,) in rows]

    def held(self, ladder: str, part: Part, column: str = "row") -> dict[str, Any]:
        """For each bot of the part its row, or its state."""
        with _told():
            query = f"SELECT bot, {column} FROM held WHERE ladder = ? AND part = ?"
            rows = self._file.execute(query, (ladder, _text(part))).fetchall()
            return {bot: FREEZER.thaw(value, *part, bot) for bot, value in rows}

    def save(self, ladder: str, generation: int, step: Step) -> bool:
        """Write what a fold has come to. False, and nothing is done, if somebody else has written meanwhile."""
        with _told(), self._transaction("IMMEDIATE"):
            if self.generation(ladder) != generation:
                return False
            if step.back_to is not None:
                self._go_back(ladder, step.back_to)
            for one in (*step.refreshed, *step.progress):
                state = FREEZER.freeze((one.signature, *map(msgspec.structs.astuple, (one.end, one.block))))
                self._file.execute("INSERT OR REPLACE INTO folded VALUES (?, ?, ?)", (ladder, one.place, state))
            rows = ((ladder, _text(part), bot, row, state) for part, bot, row, state in step.changes)
            self._file.executemany("INSERT OR REPLACE INTO held VALUES (?, ?, ?, ?, ?)", rows)
            if step.progress:
                self._snap(ladder, step.progress[-1])
            self._file.execute("INSERT OR REPLACE INTO ladders VALUES (?, ?)", (ladder, generation + 1))
        return True

    def _go_back(self, ladder: str, place: bytes) -> None:
        """Forget all that came after the snapshot of this place; if there is none, everything."""
        for table in ("folded", "snapshots"):
            self._file.execute(f"DELETE FROM {table} WHERE ladder = ? AND place > ?", (ladder, place))
        self._file.execute("DELETE FROM held WHERE ladder = ?", (ladder,))
        query = "INSERT INTO held SELECT ladder, part, bot, row, state FROM snapshots WHERE ladder = ? AND place = ?"
        self._file.execute(query, (ladder, place))

    def _snap(self, ladder: str, last: Progress) -> None:
        """Keep what is held after the last log, if that was folded to its end; and fewer of those before."""
        self._file.execute("DELETE FROM snapshots WHERE ladder = ? AND place >= ?", (ladder, last.place))
        if last.signature is None:
            return
        query = "INSERT INTO snapshots SELECT ladder, ?, part, bot, row, state FROM held WHERE ladder = ?"
        self._file.execute(query, (last.place, ladder))
        rows = self._file.execute("SELECT place FROM folded WHERE ladder = ? ORDER BY place DESC", (ladder,))
        distance = {place: count for count, (place,) in enumerate(rows)}
        snapshots = self.snapshots(ladder)[::-1]
        for place in set(snapshots) - set(thinned(snapshots, distance)):
            self._file.execute("DELETE FROM snapshots WHERE ladder = ? AND place = ?", (ladder, place))


def thinned(snapshots: Sequence[bytes], distance: Mapping[bytes, int]) -> list[bytes]:
    """Of the snapshots, the latest first, those to keep; `distance`: so many logs come after it."""
    kept = list(snapshots[:1])
    for place, older in zip(snapshots[1:], [*snapshots[2:], None], strict=False):
        if older is None or distance[older] > _SPREAD * distance[kept[-1]] + 1:
            kept.append(place)
    return kept


@contextmanager
def _told() -> Iterator[None]:
    """What SQLite says, as what it means here."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if str(error).startswith(("no such", "Could not decode")):  # table or column; text
            raise IndexDamaged(str(error)) from None
        raise IndexUnusable(str(error)) from None  # locked, read-only, no room, no such folder
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise IndexDamaged(str(error)) from None


def _progress(place: bytes, state: bytes) -> Progress:
    signature, end, block = FREEZER.thaw(state)
    return Progress(place, signature, Mark(*end), Mark(*block))


def _text(part: Part) -> str:
    return msgspec.json.encode(part).decode()


def _part(text: str) -> Part:
    return Part(*msgspec.json.decode(text, type=tuple[str, str, str]))


def place_of(started: str, name: str) -> bytes:
    """A key that sorts logs by when they were begun, then by name."""
    return b"\0\0".join(text.encode("utf-8", "surrogateescape").replace(b"\0", b"\0\1") for text in (started, name))


def remove(path: Path) -> None:
    """Take the index away, whatever it is."""
    for ending in ("", "-wal", "-shm"):
        with suppress(OSError):
            path.with_name(path.name + ending).unlink()
