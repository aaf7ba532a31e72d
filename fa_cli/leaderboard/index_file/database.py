"""The SQLite file of the index: opening it, waiting for other processes, transactions, queries and errors."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, Self

from ...printing.text import printable
from .index_errors import IndexBusy as IndexBusy
from .index_errors import IndexDamaged as IndexDamaged
from .index_errors import IndexUnusable as IndexUnusable
from .index_tables import APPLICATION, TABLES, VERSION
from .seals import Seals
from .user_key import user_key

_MAX_WAIT = 10
"""Seconds to wait for another process that writes."""
_SILENT_WAIT = 1
"""Seconds of these that pass before a message."""


_DAMAGES = ("no such", "Could not decode", "table ", "view ", "JSON cannot hold")
"""How messages begin that tell of a missing table or column, an invalid text, other columns or a blob."""
_STEPS = 200_000
"""Steps of SQLite's machine, some ten milliseconds, between two reports of one statement."""
_STATEMENTS = [statement.strip() for statement in TABLES.split(";") if statement.strip()]
Report = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and the total."""


class Database:
    """An open SQLite file with the tables of the index. Use it in a `with`.

    All methods may raise IndexUnusable or IndexDamaged.
    """

    def __init__(self, path: Path | None, waits: bool = True, report: Report | None = None) -> None:
        """Open the file, and create its tables if they are missing or of another version.

        `path`: None for a temporary database that is deleted when it is closed. `waits`: for other processes that
        write, instead of raising IndexUnusable at once. `report`: receives the progress of what takes long.
        """
        self._path = path
        self._report = report
        self._last_report = ("", 0, 1)
        self._longest_wait = _MAX_WAIT if waits else 0
        key = user_key() if path else None
        with translated_errors():
            timeout = min(_SILENT_WAIT, self._longest_wait)
            self._file = sqlite3.connect(path or "", timeout=timeout, isolation_level=None)
            self._seals = Seals(self._file, key) if key else None
            try:
                self._initialize()
                if report:
                    self._file.set_progress_handler(self._repeat_report, _STEPS)
            except BaseException:
                self._file.close()
                raise

    def _initialize(self) -> None:
        self._execute_waiting("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = NORMAL")
        self._file.execute("CREATE TEMP TABLE counted (log INTEGER PRIMARY KEY, position INTEGER NOT NULL)")
        if self._version() != (APPLICATION, VERSION):
            self._create()
        query = "SELECT sql FROM sqlite_schema WHERE name <> 'sqlite_sequence'"  # which older versions had
        if [sql for (sql,) in self.rows(query)] != _STATEMENTS:
            raise IndexDamaged("the tables")

    def _create(self) -> None:
        with self._bare_transaction("IMMEDIATE"):
            if self._version() != (APPLICATION, VERSION):  # another process may have created them meanwhile
                query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                for (table,) in self._file.execute(query).fetchall():
                    self._file.execute(f'DROP TABLE "{table}"')
                for statement in _STATEMENTS:
                    self._file.execute(statement)
                if self._seals:
                    self._seals.create()
                self._file.execute(f"PRAGMA application_id = {APPLICATION}")
                self._file.execute(f"PRAGMA user_version = {VERSION}")

    def _execute_waiting(self, statement: str) -> None:
        """Execute a statement that may have to wait for another process; print a message if that takes long."""
        try:
            self._file.execute(statement)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or self._longest_wait <= _SILENT_WAIT:
                raise
            message = printable(f"waiting for another fa process that writes {self._path} ...")
            print(message, file=sys.stderr, flush=True)
            self._file.execute(f"PRAGMA busy_timeout = {1000 * (self._longest_wait - _SILENT_WAIT)}")
            try:
                self._file.execute(statement)
            finally:
                self._file.execute(f"PRAGMA busy_timeout = {1000 * _SILENT_WAIT}")

    def report(self, text: str, done: int, total: int) -> None:
        """Report that `done` parts of `total` are done of what the text names."""
        self._last_report = (text, done, total)
        if self._report:
            self._report(text, done, total)

    def _repeat_report(self) -> int:
        """Called by SQLite during a long statement; returns whether to end it, as for Ctrl-C."""
        try:
            self.report(*self._last_report)
        except KeyboardInterrupt:
            return 1
        return 0

    def _version(self) -> tuple[int, int]:
        return self.value("PRAGMA application_id"), self.value("PRAGMA user_version")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; further methods raise IndexDamaged."""
        with suppress(sqlite3.Error):
            self._file.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that no other process writes in; it is rolled back on any exception."""
        with self._transaction("IMMEDIATE"):
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A transaction in which all queries see the same state."""
        with self._transaction("DEFERRED"):
            yield

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[None]:
        with self._bare_transaction(kind):
            try:
                if self._seals:
                    self._seals.begin()
                yield
                if self._seals:
                    self._seals.finish()
            finally:
                if self._seals:
                    self._seals.forget_changes()

    @contextmanager
    def _bare_transaction(self, kind: str) -> Iterator[None]:
        """A transaction, whatever the file holds."""
        with translated_errors():
            self._execute_waiting(f"BEGIN {kind}")
            try:
                yield
                self._file.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._file.execute("ROLLBACK")
                raise

    def check(self, *tables: str, scope: int | None = None) -> None:
        """Make sure that this user wrote the rows of these tables, of one scope or of all, before they are read.

        Outside of a transaction others may change them right after that.
        """
        if self._seals:
            with nullcontext() if self._file.in_transaction else self.reading():
                for table in tables:
                    self._seals.check(table, scope)

    def check_results(self, log: int, games: int, *ends: int) -> None:
        """The same for the results of a log that has so many games, from the first to the last of `ends`."""
        if self._seals:
            with nullcontext() if self._file.in_transaction else self.reading():
                self._seals.check_results(log, games, *ends)

    def change(self, *tables: str, scope: int = 0, position: int | None = None) -> None:
        """Call it before rows of these tables and of this scope are written in a transaction. Checks the old rows."""
        if self._seals:
            for table in tables:
                self._seals.change(table, scope, position)

    def add_results(self, log: int, first: int, after: int) -> None:
        """The transaction has written the results of a log's new games, from `first` to before `after`."""
        if self._seals and first < after:
            self._seals.add_results(log, first, after)

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows of a query."""
        with translated_errors():
            return self._file.execute(query, values).fetchall()

    def each(self, query: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        """The rows of a query, one at a time."""
        with translated_errors():
            for row in self._file.execute(query, values):  # noqa: UP028 - `yield from` would close a closed cursor
                yield row

    def value(self, query: str, values: Sequence[Any] = ()) -> int:
        """The number that a query selects; 0 without a row."""
        with translated_errors():
            row = self._file.execute(query, values).fetchone()
            return int(row[0] or 0) if row else 0

    def write(self, statement: str, rows: Iterable[Sequence[Any]] = ((),)) -> None:
        """Execute a statement once for each row of values."""
        with translated_errors():
            self._file.executemany(statement, rows)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turns exceptions of SQLite into IndexUnusable or IndexDamaged."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if str(error) == "interrupted":
            raise KeyboardInterrupt from None
        if str(error).startswith(_DAMAGES):
            raise IndexDamaged(str(error)) from None
        raise IndexUnusable(str(error)) from None  # locked, read-only, disk full, no such folder
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise IndexDamaged(str(error)) from None


def remove(path: Path) -> None:
    """Delete the database file, whatever it is, and the files that SQLite keeps beside it."""
    for ending in ("", "-wal", "-shm"):
        with suppress(OSError):
            path.with_name(path.name + ending).unlink()
