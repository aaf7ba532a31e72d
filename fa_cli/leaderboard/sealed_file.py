"""The SQLite file of the index: bytes by name, sealed so that only what this user has written is believed.

The seal of a value is a keyed checksum of its name and its bytes: it can't be changed, forged or given another name.
An older value of the same name does pass; so whoever stores one writes into it what it is about, and compares. The key
is the user's, in `$XDG_STATE_HOME/fa/index.key`.
"""

from __future__ import annotations

import functools
import hashlib
import secrets
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar, Self

from ..printing.text import printable
from ..system import state_home, write_atomically

VERSION = 23
"""Increase it when the same logs give other values; older indexes are then rebuilt."""
APPLICATION = 0x6661
"""SQLite's `application_id` of index files."""
_TABLE = "CREATE TABLE sealed (name BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
"""A single tree: what a range of names does not show is not there."""
_OWNER = b"owner"
_SIZE = 16
"""Bytes of a seal."""
_KEY_SIZE = 32
"""Bytes of a key."""
_MAX_WAIT = 10
"""Seconds to wait for another process that writes."""
_SILENT_WAIT = 1
"""Seconds of these that pass before a message."""
_DAMAGES = ("no such", "Could not decode", "table ", "view ", "JSON cannot hold")
"""How messages begin that tell of a missing table or column, an invalid text, other columns or a blob."""
Report = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and the total."""


class IndexUnusable(Exception):
    """The index can't be read or written at present."""


class IndexBusy(IndexUnusable):
    """Another process has changed the same rows meanwhile; try again."""


class IndexDamaged(Exception):
    """The index does not hold what was written to it."""

    what: ClassVar[str] = "was damaged"


class IndexForeign(IndexDamaged):
    """The index was made with the key of another user or machine."""

    what: ClassVar[str] = "was not made by you on this machine"


class SealedFile:
    """An open file of sealed values. Use it in a `with`.

    All methods may raise IndexUnusable or IndexDamaged.
    """

    def __init__(self, path: Path | None, waits: bool = True, report: Report | None = None) -> None:
        """Open the file, and create its table if it is missing or of another version.

        `path`: None for a temporary file that is deleted when it is closed. `waits`: for other processes that write,
        instead of raising IndexUnusable at once. `report`: receives the progress of what takes long.
        """
        self.path = path
        self.report = report or (lambda text, done, total: None)
        self._longest_wait = _MAX_WAIT if waits else 0
        self._key = _user_key() if path else b""
        with _translated_errors():
            timeout = min(_SILENT_WAIT, self._longest_wait)
            # callers see to it that one thread at a time uses it
            self._file = sqlite3.connect(path or "", timeout=timeout, isolation_level=None, check_same_thread=False)
            try:
                self._initialize()
            except BaseException:
                self._file.close()
                raise

    def _initialize(self) -> None:
        self._execute_waiting("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = NORMAL")
        if self._version() != (APPLICATION, VERSION):
            self._create()
        if self._file.execute("SELECT sql FROM sqlite_schema").fetchall() != [(_TABLE,)]:
            raise IndexDamaged("the table")
        if self._file.execute("SELECT value FROM sealed WHERE name = ?", (_OWNER,)).fetchall() != [(self._owner(),)]:
            raise IndexForeign

    def _create(self) -> None:
        with self.writing():
            if self._version() != (APPLICATION, VERSION):  # another process may have created it meanwhile
                query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                for (table,) in self._file.execute(query).fetchall():
                    self._file.execute(f'DROP TABLE "{table}"')
                self._file.execute(_TABLE)
                self._file.execute("INSERT INTO sealed VALUES (?, ?)", (_OWNER, self._owner()))
                self._file.execute(f"PRAGMA application_id = {APPLICATION}")
                self._file.execute(f"PRAGMA user_version = {VERSION}")

    def _version(self) -> tuple[int, int]:
        (application,) = self._file.execute("PRAGMA application_id").fetchone()
        (version,) = self._file.execute("PRAGMA user_version").fetchone()
        return application, version

    def _execute_waiting(self, statement: str) -> None:
        """Execute a statement that may have to wait for another process; print a message if that takes long."""
        try:
            self._file.execute(statement)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or self._longest_wait <= _SILENT_WAIT:
                raise
            message = printable(f"waiting for another fa process that writes {self.path} ...")
            print(message, file=sys.stderr, flush=True)
            self._file.execute(f"PRAGMA busy_timeout = {1000 * (self._longest_wait - _SILENT_WAIT)}")
            try:
                self._file.execute(statement)
            finally:
                self._file.execute(f"PRAGMA busy_timeout = {1000 * _SILENT_WAIT}")

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
        with _translated_errors():
            self._execute_waiting("BEGIN IMMEDIATE")
            try:
                yield
                self._file.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._file.execute("ROLLBACK")
                raise

    def value(self, name: bytes) -> bytes | None:
        """The value of this name; None if there is none."""
        return next((value for _, value in self._select("name = ?", name)), None)

    def values(self, prefix: bytes) -> dict[bytes, bytes]:
        """All values whose names begin so, in order of name; without the prefix."""
        return {name[len(prefix) :]: value for name, value in self._select(_RANGE, *_range(prefix))}

    def last_name(self, prefix: bytes) -> bytes | None:
        """The last of the names that begin so; None if there is none."""
        with _translated_errors():
            names = self._file.execute(f"SELECT MAX(name) FROM sealed WHERE {_RANGE}", _range(prefix)).fetchone()
        return names[0] if isinstance(names[0], bytes) else None

    def _select(self, where: str, *names: bytes) -> Iterable[tuple[bytes, bytes]]:
        with _translated_errors():
            rows = self._file.execute(f"SELECT name, value FROM sealed WHERE {where} ORDER BY name", names).fetchall()
        return [(name, self._opened(name, value)) for name, value in rows]

    def put(self, name: bytes, value: bytes) -> None:
        """Store a value in place of one of the same name."""
        with _translated_errors():
            self._file.execute("INSERT OR REPLACE INTO sealed VALUES (?, ?)", (name, self._seal(name, value) + value))

    def delete(self, name: bytes, *prefixes: bytes) -> None:
        """Delete the value of this name, and all values whose names begin with one of the prefixes."""
        with _translated_errors():
            self._file.execute("DELETE FROM sealed WHERE name = ?", (name,))
            self._file.executemany(f"DELETE FROM sealed WHERE {_RANGE}", map(_range, prefixes))

    def _owner(self) -> bytes:
        return self._seal(_OWNER, b"")

    def _seal(self, name: bytes, value: bytes) -> bytes:
        checksum = hashlib.blake2b(len(name).to_bytes(8, "big") + name, digest_size=_SIZE, key=self._key)
        checksum.update(value)
        return checksum.digest()

    def _opened(self, name: object, sealed: object) -> bytes:
        if not isinstance(name, bytes) or not isinstance(sealed, bytes):
            raise IndexDamaged("a value is no bytes")
        value = sealed[_SIZE:]
        if sealed[:_SIZE] != self._seal(name, value):
            raise IndexDamaged(f"the value {name!r}")
        return value


_RANGE = "name >= ? AND name < ?"


def _range(prefix: bytes) -> tuple[bytes, bytes]:
    return prefix, prefix + b"\xff" * 9


@contextmanager
def _translated_errors() -> Iterator[None]:
    """Turns exceptions of SQLite into IndexUnusable or IndexDamaged."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if str(error).startswith(_DAMAGES):
            raise IndexDamaged(str(error)) from None
        raise IndexUnusable(str(error)) from None  # locked, read-only, disk full, no such folder
    except sqlite3.Error as error:
        raise IndexDamaged(str(error)) from None


def _user_key() -> bytes:
    """The key of this user on this machine, made when it is first needed. Raises IndexUnusable if it can't be kept."""
    try:
        return _key_in(state_home() / "fa" / "index.key")
    except (OSError, RuntimeError) as error:  # RuntimeError if the user has no home
        raise IndexUnusable(f"the key of indexes: {error}") from None


@functools.lru_cache(maxsize=8)
def _key_in(path: Path) -> bytes:
    try:
        return _read_key(path)
    except FileNotFoundError:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):  # another process was faster
            write_atomically(path, secrets.token_bytes(_KEY_SIZE), replace=False, mode=0o600)
        return _read_key(path)


def _read_key(path: Path) -> bytes:
    key = path.read_bytes()
    if len(key) != _KEY_SIZE:
        raise OSError(f"{path} is not a key")
    return key


def remove(path: Path) -> None:
    """Delete the file, whatever it is, and the files that SQLite keeps beside it."""
    for ending in ("", "-wal", "-shm"):
        with suppress(OSError):
            path.with_name(path.name + ending).unlink()
