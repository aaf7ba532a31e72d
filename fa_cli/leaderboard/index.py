"""The index beside the logs: their results as rows of an SQLite file, so that leaderboards need not read the logs.

The index can always be rebuilt from the logs. Of a log that has grown only the new games are read; a log that has
changed in any other way is indexed again.
"""

from __future__ import annotations

import itertools
import os
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import LogError, WrongResult
from ..game_result import PlayedGame
from ..replay.log_entry import LogEntry
from ..replay.log_file import START, LogPosition, holds_position, read_after, starts_block
from ..system import Signature, file_signature
from .index_file.database import Database, IndexBusy, Report
from .labels import OptionFilter
from .played_games import INSERT_RESULT, IndexRow, played_game, result_rows, tournament_start_of

NAME = "index.sqlite"
ALL = 0
"""The scope of all tournaments; the scope of a single log is its id."""
_CHUNK_GAMES, CHUNK_SECONDS = 2_000, 5.0
"""New games are written after this many games or seconds; an interrupted command loses no more."""
_LARGEST_INTEGER = (1 << 63) - 1
_LARGEST_ID = (1 << 31) - 1
"""Ids of logs are random, so that none is used again for another log while there are values computed from the first."""
Item = tuple[LogEntry, LogPosition]
"""A game of a log, and the position after it."""


class Renaming(NamedTuple):
    """How games change before they count."""

    rename: Callable[[PlayedGame], PlayedGame]
    rule: str
    """Two renamings with the same text do the same."""


class IndexedLog(NamedTuple):
    """What the index knows about a log."""

    id: int
    name: str
    started: str | None
    """When its tournament started; None if it is not the log of a tournament."""
    signature: Signature
    complete: bool
    """Whether the whole file with this signature is indexed."""
    end: LogPosition
    """The games before this position are indexed."""
    resume_from: LogPosition
    """The last position up to `end` at which reading can start."""

    @property
    def is_cut(self) -> bool:
        """Whether the file ends within a record, as after a crash while it was written."""
        return self.complete and self.end.end < self.signature[1]

    @property
    def log_name(self) -> str:
        """The file's name without its suffix: that of the tournament."""
        return Path(self.name).stem

    @property
    def sort_key(self) -> tuple[bytes, bytes]:
        """Logs are ordered by the start of their tournament, then by file name."""
        return (self.started or "").encode("utf-8", "surrogateescape"), os.fsencode(Path(self.name).name)


class Index(Database):
    """An open index. Use it in a `with`; all methods may raise IndexUnusable or IndexDamaged."""

    def __init__(
        self,
        path: Path | None,
        renaming: Renaming | None = None,
        options: OptionFilter | None = None,
        *,
        waits: bool = True,
        report: Report | None = None,
    ) -> None:
        """Open or create the index at `path`; None for a temporary one. `waits` and `report`: see Database.

        `renaming` changes games before they count, and only those with these `options` count: always the same in one
        index.
        """
        self._renaming, self._options = renaming, options
        self._bots: dict[str, int] = {}
        self._settings: dict[tuple[str, str, str, int], int] = {}
        self._selected = ALL
        super().__init__(path, waits, report)

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[None]:
        try:
            with super()._transaction(kind):
                yield
        except BaseException:
            self._bots.clear()  # ids assigned in the transaction are gone
            self._settings.clear()
            raise

    def logs(self) -> dict[str, IndexedLog]:
        """All indexed logs, by name."""
        self.check("logs")
        logs = (_log_from_row(row) for row in self.rows("SELECT * FROM logs"))
        return {log.name: log for log in logs}

    def log_at(self, path: Path) -> IndexedLog | None:
        """The log with this path; None if it is not indexed."""
        return self._log_named(self.name_of(path))

    def _log_named(self, name: str) -> IndexedLog | None:
        self.check("logs")
        rows = self.rows("SELECT * FROM logs WHERE name = ?", (os.fsencode(name),))
        return _log_from_row(rows[0]) if rows else None

    def tournaments(self) -> list[IndexedLog]:
        """The logs of tournaments, in order of `sort_key`."""
        return sorted((log for log in self.logs().values() if log.started is not None), key=lambda log: log.sort_key)

    def logs_in(self, scope: int) -> list[IndexedLog]:
        """The logs of a scope, in order."""
        return self.tournaments() if scope == ALL else [log for log in self.logs().values() if log.id == scope]

    def select(self, scope: int) -> None:
        """Select the logs of a scope: later queries read their ids and positions from the table `counted`."""
        self._selected = scope
        logs = self.logs_in(scope)
        self.write("DELETE FROM counted")
        self.write("INSERT INTO counted VALUES (?, ?)", [(log.id, position) for position, log in enumerate(logs)])

    def check_selected(self, *tables: str) -> None:
        """Make sure that this user wrote the rows of the selected logs in these tables, before they are read."""
        self.check(*tables, scope=None if self._selected == ALL else self._selected)

    def check_selected_results(self) -> None:
        """The same for their results."""
        for log in self.logs_in(self._selected):
            self.check_results(log.id, log.end.index)

    def refresh(self, paths: Sequence[Path], only_tournaments: bool) -> None:
        """Bring the rows of these logs up to date. Raises LogError if a log can't be read.

        `only_tournaments`: `paths` are all logs of the folder. Logs that belong to no tournament are skipped, and logs
        that no longer exist are removed from the index.
        """
        known = self.logs()
        for path in paths:
            self._refresh(path, known.get(self.name_of(path)), only_tournaments)
        if only_tournaments:
            present = {self.name_of(path) for path in paths}
            for name in known.keys() - present:
                self.forget(known[name])

    def name_of(self, path: Path) -> str:
        """The log's name in the index: its file name; its path in a temporary index, whose logs may share names."""
        return str(path) if self._path is None else path.name

    def _refresh(self, path: Path, log: IndexedLog | None, only_tournaments: bool) -> None:
        signature = signature_of(path)
        if log and log.signature == signature and (log.complete or (only_tournaments and log.started is None)):
            return
        if log and not (signature[1] >= log.end.end and holds_position(path, log.end, whole_chain=True)):
            self.forget(log)
            log = None
        if log and signature[1] == log.end.end:
            self._save(log._replace(signature=signature, complete=True), log)
            return
        self._read(path, log or self._new(path), only_tournaments)

    def _new(self, path: Path) -> IndexedLog:
        return IndexedLog(0, self.name_of(path), None, signature_of(path), False, START, START)

    def _read(self, path: Path, log: IndexedLog, only_tournaments: bool) -> None:
        """Read the rest of the log and write its rows."""
        signature, before = signature_of(path), log if log.id else None
        entries = self._entries(path, log)
        first = next(entries, None)
        if first and log.end == START:
            log = log._replace(started=tournament_start_of(first[0]))
        if self._path is None and log.started is None:
            log = log._replace(started="")  # logs that a person named count as tournaments
        is_included = log.started is not None or not only_tournaments
        entries = itertools.chain([first], entries) if first and is_included else iter(())
        log = log._replace(signature=signature, complete=False)
        while chunk := _next_chunk(entries):
            self.report(f"reading {path}", chunk[-1][1].end, signature[1])
            before = log = self._save_entries(path, log, before, chunk)
        self._save(log._replace(complete=is_included), before)

    def append(self, path: Path, entries: Sequence[Item]) -> IndexedLog:
        """Write the rows of the games that follow those indexed of a log. Raises LogError, IndexBusy."""
        before = self.log_at(path)
        log = before or self._new(path)._replace(started=tournament_start_of(entries[0][0]))
        return self._save_entries(path, log, before, entries)

    def mark_complete(self, path: Path, end: LogPosition) -> None:
        """Note that a log is indexed up to its `end`, as its only writer knows: nobody need read it to find out.

        Does nothing if the file or the index ends elsewhere. Raises LogError, IndexBusy.
        """
        log, signature = self.log_at(path), signature_of(path)
        if log and log.end == end and end.end == signature[1]:
            self._save(log._replace(signature=signature, complete=True), log)

    def _save_entries(
        self, path: Path, log: IndexedLog, before: IndexedLog | None, entries: Sequence[Item]
    ) -> IndexedLog:
        starts = (position for _, position in reversed(entries) if starts_block(position))
        reached = log._replace(end=entries[-1][1], resume_from=next(starts, log.resume_from))
        try:
            games = [played_game(entry, path.stem, position.index - 1) for entry, position in entries]
        except WrongResult as error:
            raise WrongResult(f"{path}: {error}", path) from None
        return self._save(reached, before, games)

    def _entries(self, path: Path, log: IndexedLog) -> Iterator[Item]:
        return (item for item in read_after(path, log.resume_from) if item[1].index > log.end.index)

    def _save(self, log: IndexedLog, before: IndexedLog | None, games: Sequence[PlayedGame] = ()) -> IndexedLog:
        """Write the row of the log and the rows of new games; returns the log with its id.

        `before` is the log's row as last read, None for a new log. Raises IndexBusy if it has changed since.
        """
        with self.writing():
            if self._log_named(log.name) != before:
                raise IndexBusy("another process writes the same rows")
            values = (*log.signature, log.complete, *_position_values(log.end), *_position_values(log.resume_from))
            if before is None:
                log = log._replace(id=1 + secrets.randbelow(_LARGEST_ID))
            self.change("logs", scope=log.id)
            row = (log.id, os.fsencode(log.name), log.started, *values)
            self.write(f"INSERT OR REPLACE INTO logs VALUES ({', '.join('?' * len(row))})", [row])
            rows: list[IndexRow] = []
            for game in games:
                rows += self._rows_of(log.id, game)
            self._file.executemany(INSERT_RESULT, rows)
            self.add_results(log.id, before.end.index if before else 0, log.end.index)
        return log

    def _rows_of(self, log: int, game: PlayedGame) -> list[IndexRow]:
        """The rows of a game; none if it does not count. Writes the details of its faults."""
        if self._options and not self._options.matches(game.game, game.variant):
            return []
        game = self._renaming.rename(game) if self._renaming else game
        setting = self._setting((game.game, game.side, game.variant, len(game.bots)))
        bots = [self._bot(name) for name in game.bots]
        for fault, details in zip(game.faults, game.fault_details, strict=True):
            texts = [str(details[key]) if key in details else None for key in ("detail", "stderr")]
            self.change("fault_details", scope=log)
            self._file.execute(
                "INSERT OR IGNORE INTO fault_details VALUES (?, ?, ?, ?)", (log, bots[fault.seat], *texts)
            )
        return result_rows(log, game, setting, bots)

    def _bot(self, name: str) -> int:
        if name not in self._bots:
            self._bots[name] = self.id_of("bots", "name", (name,))
        return self._bots[name]

    def _setting(self, setting: tuple[str, str, str, int]) -> int:
        if setting not in self._settings:
            self._settings[setting] = self.id_of("settings", "game, side, variant, players", setting)
        return self._settings[setting]

    def id_of(self, table: str, columns: str, values: Sequence[Any]) -> int:
        """The id of the row with these values, which is inserted if there is none. Call it in a transaction."""
        self.check(table)
        placeholders = ", ".join("?" * len(values))
        query = f"SELECT id FROM {table} WHERE ({columns}) = ({placeholders})"
        if not self.rows(query, values):
            self.change(table)
            new = f"SELECT 1 + COALESCE(MAX(id), 0), {placeholders} FROM {table}"
            self.write(f"INSERT INTO {table} (id, {columns}) {new}", [values])
        return self.value(query, values)

    def forget(self, log: IndexedLog) -> None:
        """Delete a log's rows. Values computed from them are updated when they are next read."""
        with self.writing():
            self.change("logs", "fault_details", scope=log.id)
            self.write("DELETE FROM logs WHERE id = ?", [(log.id,)])
            for table in ("results", "chunks", "fault_details"):
                self.write(f"DELETE FROM {table} WHERE log = ?", [(log.id,)])

    def verified(self, name: str) -> LogPosition | None:
        """The position up to which the log of this file name was verified; None if it never was."""
        self.check("verified")
        rows = self.rows("SELECT games, end, tag FROM verified WHERE name = ?", (os.fsencode(name),))
        return LogPosition(*rows[0]) if rows else None

    def save_verified(self, name: str, position: LogPosition) -> None:
        """Store the position up to which the log of this file name was verified."""
        with self.writing():
            self.change("verified")
            self.write(
                "INSERT OR REPLACE INTO verified VALUES (?, ?, ?, ?)",
                [(os.fsencode(name), *_position_values(position))],
            )


def _next_chunk(entries: Iterator[Item]) -> list[Item]:
    """The next entries to write in one transaction; empty at the end."""
    chunk: list[Item] = []
    end = time.monotonic() + CHUNK_SECONDS
    for entry in entries:
        chunk.append(entry)
        if len(chunk) >= _CHUNK_GAMES or time.monotonic() >= end:
            break
    return chunk


def _position_values(mark: LogPosition) -> tuple[int, int, bytes]:
    return mark.index, mark.end, mark.tag


def _log_from_row(row: Sequence[Any]) -> IndexedLog:
    id, name, started, inode, size, modified, changed, complete, *positions = row
    signature = (inode, size, modified, changed)
    return IndexedLog(
        id,
        os.fsdecode(name),
        started,
        signature,
        bool(complete),
        LogPosition(*positions[:3]),
        LogPosition(*positions[3:]),
    )


def signature_of(path: Path) -> Signature:
    """The signature of a log, its inode cut to what SQLite can hold. Raises LogError if it can't be read."""
    try:
        inode, size, modified, changed = file_signature(path.stat())
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}") from None
    return inode & _LARGEST_INTEGER, size, modified, changed
