"""The index beside the logs: their results as rows of an SQLite file, so that leaderboards need not read the logs.

It follows from the logs alone. A log that has grown is read on from where it was indexed; one that was changed in any
other way is indexed again. Whatever is wrong with the file itself, it is built again from the logs.
"""

from __future__ import annotations

import itertools
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from ..errors import LogError
from ..replay.log_entry import LogEntry
from ..replay.log_file import START, LogPosition, holds, read_from, starts_block
from ..results import PlayedGame
from ..stats.outcomes import half_ranks_of, wins_of
from ..text import printable
from .played import beginning_of, played_game
from .schema import APPLICATION, TABLES, VERSION

NAME = "index.sqlite"
ALL = 0
"""The scope of all tournaments; each log's own is its id."""
_WAIT = 10
"""Seconds for which another process may write."""
_PATIENCE = 1
"""Seconds of these that pass without a word."""
_CHUNK, CHUNK_SECONDS = 2_000, 5.0
"""Games, or seconds, after which what was read is written: more is not lost when a command is stopped."""
_MOST = 1 << 40
"""Larger numbers than this, which no game gives, count as this."""
_WORD = (1 << 63) - 1
Rename = Callable[[PlayedGame], PlayedGame]
Signature = tuple[int, int, int, int]
"""Of a file that has not been touched: inode, size, times in nanoseconds."""


class IndexUnusable(Exception):
    """The index can't be read or written here and now."""


class IndexBusy(IndexUnusable):
    """Another process has written what was being worked on: it is to be tried again."""


class IndexDamaged(Exception):
    """What is in the index is not what was written to it."""


class IndexedLog(NamedTuple):
    """A log as the index has it."""

    id: int
    name: str
    started: str | None
    """When its tournament was begun; None: it is not the log of a tournament."""
    signature: Signature
    complete: bool
    """Whether all of the file with this signature is in the index."""
    end: LogPosition
    """Up to here the log is in the index."""
    block: LogPosition
    """From here it can be read on."""

    @property
    def stem(self) -> str:
        """The file's name without its ending."""
        return Path(self.name).stem

    @property
    def order(self) -> tuple[bytes, bytes]:
        """Logs count in order of their beginning."""
        return (self.started or "").encode("utf-8", "surrogateescape"), os.fsencode(Path(self.name).name)


class Index:
    """An open index. Use it in a `with`; everything may raise IndexUnusable or IndexDamaged."""

    def __init__(self, path: Path | None, rename: Rename | None = None) -> None:
        """`path`: None makes one that is gone when it is closed. `rename` may change games before they are kept."""
        self._path = path
        self._rename = rename
        self._bots: dict[str, int] = {}
        self._settings: dict[tuple[str, str, str, int], int] = {}
        with translated():
            self._file = sqlite3.connect(path or "", timeout=min(_PATIENCE, _WAIT), isolation_level=None)
            try:
                self._begin()
            except BaseException:
                self._file.close()
                raise

    def _begin(self) -> None:
        self._patiently("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = NORMAL")
        self._file.execute("CREATE TEMP TABLE counted (log INTEGER PRIMARY KEY, position INTEGER NOT NULL)")
        if self._layout() == (APPLICATION, VERSION):
            return
        with self.writing():
            if self._layout() != (APPLICATION, VERSION):  # nobody else has done it meanwhile
                query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                for (table,) in self._file.execute(query).fetchall():
                    self._file.execute(f'DROP TABLE "{table}"')
                for statement in filter(str.strip, TABLES.split(";")):
                    self._file.execute(statement)
                self._file.execute(f"PRAGMA application_id = {APPLICATION}")
                self._file.execute(f"PRAGMA user_version = {VERSION}")

    def _patiently(self, statement: str) -> None:
        """Execute what another process may hold up; who waits for long is told why."""
        try:
            self._file.execute(statement)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or _WAIT <= _PATIENCE:
                raise
            print(
                printable(f"waiting for another fa process that writes {self._path} ..."), file=sys.stderr, flush=True
            )
            self._file.execute(f"PRAGMA busy_timeout = {1000 * (_WAIT - _PATIENCE)}")
            try:
                self._file.execute(statement)
            finally:
                self._file.execute(f"PRAGMA busy_timeout = {1000 * _PATIENCE}")

    def _layout(self) -> tuple[int, int]:
        return self.value("PRAGMA application_id"), self.value("PRAGMA user_version")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(sqlite3.Error):
            self._file.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All that is written in here is written, or nothing; nobody else writes meanwhile."""
        with self._transaction("IMMEDIATE"):
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """What is read in here belongs together."""
        with self._transaction("DEFERRED"):
            yield

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[None]:
        with translated():
            self._patiently(f"BEGIN {kind}")
            try:
                yield
                self._file.execute("COMMIT")
            except BaseException:
                self._bots.clear()  # what was new in them is gone
                self._settings.clear()
                with suppress(sqlite3.Error):
                    self._file.execute("ROLLBACK")
                raise

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows of a query."""
        with translated():
            return self._file.execute(query, values).fetchall()

    def each(self, query: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        """The rows of a query, one after the other."""
        with translated():
            for row in self._file.execute(query, values):  # noqa: UP028 - `yield from` would close what is closed already
                yield row

    def value(self, query: str, values: Sequence[Any] = ()) -> int:
        """The number that a query gives; 0 for none."""
        with translated():
            found = self._file.execute(query, values).fetchone()
            return int(found[0] or 0) if found else 0

    def write(self, statement: str, rows: Iterable[Sequence[Any]] = ((),)) -> None:
        """Execute a statement once for each row of values."""
        with translated():
            self._file.executemany(statement, rows)

    # -- logs ----------------------------------------------------------------------------------------------------------

    def logs(self) -> dict[str, IndexedLog]:
        """Those that the index knows, by name."""
        found = (_known(row) for row in self.rows("SELECT * FROM logs"))
        return {log.name: log for log in found}

    def tournaments(self) -> list[IndexedLog]:
        """The logs of tournaments, in their order."""
        return sorted((log for log in self.logs().values() if log.started is not None), key=lambda log: log.order)

    def count(self, scope: int) -> None:
        """Let the logs of this scope be those that count: they are in the table `counted`, in their order."""
        logs = self.tournaments() if scope == ALL else [log for log in self.logs().values() if log.id == scope]
        self.write("DELETE FROM counted")
        self.write("INSERT INTO counted VALUES (?, ?)", [(log.id, place) for place, log in enumerate(logs)])

    def refresh(self, paths: Sequence[Path], only_tournaments: bool) -> None:
        """Bring the rows of these logs up to date. Raises LogError.

        `only_tournaments`: they are all logs of the folder; those of no tournament are passed over, and those that are
        gone are forgotten.
        """
        known = self.logs()
        for path in paths:
            self._refresh(path, known.get(self.name_of(path)), only_tournaments)
        if only_tournaments:
            there = {self.name_of(path) for path in paths}
            for name in known.keys() - there:
                self.forget(known[name])

    def name_of(self, path: Path) -> str:
        """The log's name in the index: of its file, or of its path where logs are from several folders."""
        return str(path) if self._path is None else path.name

    def _refresh(self, path: Path, log: IndexedLog | None, only_tournaments: bool) -> None:
        signature = signature_of(path)
        if log and log.signature == signature and (log.complete or (only_tournaments and log.started is None)):
            return
        if log and not (signature[1] >= log.end.end and holds(path, log.end, wholly=True)):
            self.forget(log)
            log = None
        if log and signature[1] == log.end.end:
            self._save(log._replace(signature=signature, complete=True), log)
            return
        self._read(
            path, log or IndexedLog(0, self.name_of(path), None, signature, False, START, START), only_tournaments
        )

    def _read(self, path: Path, log: IndexedLog, only_tournaments: bool) -> None:
        """Read the log on, to its end."""
        signature, before = signature_of(path), log if log.id else None
        entries = self._entries(path, log)
        first = next(entries, None)
        if first and log.end == START:
            log = log._replace(started=beginning_of(first[0]))
        if self._path is None and log.started is None:
            log = log._replace(started="")  # whatever was named counts
        wanted = log.started is not None or not only_tournaments
        entries = itertools.chain([first], entries) if first and wanted else iter(())
        while chunk := _chunk(entries):
            block = next((mark for _, mark in reversed(chunk) if starts_block(mark)), log.block)
            reached = log._replace(signature=signature, complete=False, end=chunk[-1][1], block=block)
            games = [played_game(entry, path.stem, entry.index) for entry, _ in chunk]
            before = log = self._save(reached, before, games)
        self._save(log._replace(signature=signature, complete=wanted), before)

    def _entries(self, path: Path, log: IndexedLog) -> Iterator[tuple[LogEntry, LogPosition]]:
        return (found for found in read_from(path, log.block) if found[1].index > log.end.index)

    def _save(self, log: IndexedLog, before: IndexedLog | None, games: Sequence[PlayedGame] = ()) -> IndexedLog:
        """Write what is known of the log, and the rows of further games. Raises IndexBusy if it has changed."""
        with self.writing():
            found = self.rows("SELECT * FROM logs WHERE name = ?", (os.fsencode(log.name),))
            if (_known(found[0]) if found else None) != before:
                raise IndexBusy("another process writes the same rows")
            values = (*log.signature, log.complete, *_flat(log.end), *_flat(log.block))
            if before is None:
                marks = ", ".join("?" * (len(values) + 2))
                columns = "name, started, inode, size, modified, changed, complete"
                columns += ", games, end, tag, block_games, block_end, block_tag"
                self.write(
                    f"INSERT INTO logs ({columns}) VALUES ({marks})", [(os.fsencode(log.name), log.started, *values)]
                )
                log = log._replace(id=self.value("SELECT id FROM logs WHERE name = ?", (os.fsencode(log.name),)))
            else:
                self.write(
                    "UPDATE logs SET inode = ?, size = ?, modified = ?, changed = ?, complete = ?, games = ?, end = ?, "
                    "tag = ?, block_games = ?, block_end = ?, block_tag = ?, started = ? WHERE id = ?",
                    [(*values, log.started, log.id)],
                )
            for game in games:
                self._add(log.id, game)
        return log

    def _add(self, log: int, game: PlayedGame) -> None:
        """Write the rows of a game."""
        game = self._rename(game) if self._rename else game
        setting = self._setting((game.game, game.side, game.variant, len(game.bots)))
        bots = [self._bot(name) for name in game.bots]
        faults = {fault.seat: (fault.kind.value, fault.ply) for fault in reversed(game.faults)}
        wins, half_ranks = wins_of(game), half_ranks_of(game.ranks)
        shared = (game.block, game.stratum, setting)
        rows = [
            (log, game.index, seat, *shared, bot, _bounded(game.ranks[seat]), _bounded(game.points[seat]), wins[seat],
             half_ranks[seat], _bounded(game.decisions[seat]), _bounded(game.time_us[seat]),
             *faults.get(seat, (None, None)))
            for seat, bot in enumerate(bots)
        ]  # fmt: skip
        self._file.executemany("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        for fault, details in zip(game.faults, game.fault_details, strict=True):
            texts = [str(details[key]) if key in details else None for key in ("detail", "stderr")]
            self._file.execute(
                "INSERT OR IGNORE INTO fault_details VALUES (?, ?, ?, ?)", (log, bots[fault.seat], *texts)
            )

    def _bot(self, name: str) -> int:
        if name not in self._bots:
            self._file.execute("INSERT OR IGNORE INTO bots (name) VALUES (?)", (name,))
            self._bots[name] = self.value("SELECT id FROM bots WHERE name = ?", (name,))
        return self._bots[name]

    def _setting(self, setting: tuple[str, str, str, int]) -> int:
        if setting not in self._settings:
            insert = "INSERT OR IGNORE INTO settings (game, side, variant, players) VALUES (?, ?, ?, ?)"
            self._file.execute(insert, setting)
            query = "SELECT id FROM settings WHERE (game, side, variant, players) = (?, ?, ?, ?)"
            self._settings[setting] = self.value(query, setting)
        return self._settings[setting]

    def forget(self, log: IndexedLog) -> None:
        """Take a log's rows out; what was worked out from them is corrected when it is looked for."""
        with self.writing():
            self.write("DELETE FROM logs WHERE id = ?", [(log.id,)])
            for table in ("results", "fault_details"):
                self.write(f"DELETE FROM {table} WHERE log = ?", [(log.id,)])

    # -- what was verified ---------------------------------------------------------------------------------------------

    def verified(self, name: str) -> LogPosition | None:
        """How far the log of this file name was played again and found right."""
        found = self.rows("SELECT games, end, tag FROM verified WHERE name = ?", (os.fsencode(name),))
        return LogPosition(*found[0]) if found else None

    def know_verified(self, name: str, mark: LogPosition) -> None:
        """Remember that."""
        with self.writing():
            self.write("INSERT OR REPLACE INTO verified VALUES (?, ?, ?, ?)", [(os.fsencode(name), *_flat(mark))])


def _chunk(entries: Iterator[tuple[LogEntry, LogPosition]]) -> list[tuple[LogEntry, LogPosition]]:
    """The next entries, as many as are written at once."""
    chunk: list[tuple[LogEntry, LogPosition]] = []
    end = time.monotonic() + CHUNK_SECONDS
    for found in entries:
        chunk.append(found)
        if len(chunk) >= _CHUNK or time.monotonic() >= end:
            break
    return chunk


def _bounded(value: int) -> int:
    return value if -_MOST < value < _MOST else max(-_MOST, min(_MOST, value))


def _flat(mark: LogPosition) -> tuple[int, int, bytes]:
    return mark.index, mark.end, mark.tag


def _known(row: Sequence[Any]) -> IndexedLog:
    id, name, started, inode, size, modified, changed, complete, *marks = row
    signature = (inode, size, modified, changed)
    return IndexedLog(
        id, os.fsdecode(name), started, signature, bool(complete), LogPosition(*marks[:3]), LogPosition(*marks[3:])
    )


def signature_of(path: Path) -> Signature:
    """The file's. Raises LogError."""
    try:
        found = path.stat()
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}") from None
    return found.st_ino & _WORD, found.st_size, found.st_mtime_ns, found.st_ctime_ns


@contextmanager
def translated() -> Iterator[None]:
    """What SQLite says, as what it means here."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if str(error).startswith(("no such", "Could not decode", "table ")):  # table or column; text; other columns
            raise IndexDamaged(str(error)) from None
        raise IndexUnusable(str(error)) from None  # locked, read-only, no room, no such folder
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise IndexDamaged(str(error)) from None


def remove(path: Path) -> None:
    """Take the index away, whatever it is."""
    for ending in ("", "-wal", "-shm"):
        with suppress(OSError):
            path.with_name(path.name + ending).unlink()
