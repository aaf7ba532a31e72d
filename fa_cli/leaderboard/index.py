"""The index beside the logs: their results as columns, so that leaderboards need not read the logs.

The index can always be rebuilt from the logs. Of a log that has grown only the new games are read; a log that has
changed in any other way is indexed again. Beside these facts it has values computed from them, each with the digest of
what it was computed from: no value can be stale.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import secrets
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ..decoding import built
from ..errors import LogError, WrongResult
from ..game_result import PlayedGame
from ..replay.codec import is_block_start
from ..replay.log_entry import LogEntry
from ..replay.log_file import START, LogPosition, holds_position, read_after
from ..system import Signature, file_signature
from .played_games import played_game, tournament_start_of
from .sealed_file import IndexBusy, IndexDamaged, SealedFile

if TYPE_CHECKING:
    from .sums.game_columns import GameColumns

NAME = "index.sqlite"
_CHUNK_GAMES, CHUNK_SECONDS = 2_000, 5.0
"""New games are written after this many games or seconds; an interrupted command loses no more."""
_LOG, _RESULTS, _VALUE, _VERIFIED = b"log ", b"results ", b"value ", b"verified "
"""How the names of sealed values begin."""
Item = tuple[LogEntry, LogPosition]
"""A game of a log, and the position after it."""


class LogState(msgspec.Struct, frozen=True, array_like=True):
    """How far a log is indexed."""

    id: bytes
    """A random number; results are stored under it, so that those of another log of this name are never taken."""
    started: str | None
    """When its tournament started; None if it is not the log of a tournament."""
    signature: Signature
    complete: bool
    """Whether the whole file with this signature is indexed."""
    end: LogPosition
    """The games before this position are indexed."""
    resume_from: LogPosition
    """The last position up to `end` at which reading can start."""


class IndexedLog(msgspec.Struct, frozen=True):
    """What the index knows about a log."""

    name: str
    state: LogState

    @property
    def games(self) -> int:
        """The number of games that are indexed."""
        return self.state.end.index

    @property
    def is_cut(self) -> bool:
        """Whether the file ends within a record, as after a crash while it was written."""
        return self.state.complete and self.state.end.end < self.state.signature[1]

    @property
    def log_name(self) -> str:
        """The file's name without its suffix: that of the tournament."""
        return Path(self.name).stem

    @property
    def sort_key(self) -> tuple[bytes, bytes]:
        """Logs are ordered by the start of their tournament, then by file name."""
        return (self.state.started or "").encode("utf-8", "surrogateescape"), os.fsencode(Path(self.name).name)

    @property
    def digest(self) -> bytes:
        """A digest of the log's name and its indexed games: the tag depends on all records before it."""
        return digest_of(os.fsencode(self.name), b"%d" % self.games, self.state.end.tag)


def digest_of(*parts: bytes) -> bytes:
    """A digest of these bytes, in this order."""
    checksum = hashlib.blake2b(digest_size=16)
    for part in parts:
        checksum.update(len(part).to_bytes(8, "big") + part)
    return checksum.digest()


class Index(SealedFile):
    """An open index. Use it in a `with`; all methods may raise IndexUnusable or IndexDamaged."""

    def logs(self) -> dict[str, IndexedLog]:
        """All indexed logs, by name."""
        found = self.values(_LOG)
        return {os.fsdecode(name): IndexedLog(os.fsdecode(name), _decoded(value)) for name, value in found.items()}

    def log_at(self, path: Path) -> IndexedLog | None:
        """The log with this path; None if it is not indexed."""
        return self._log_named(self.name_of(path))

    def _log_named(self, name: str) -> IndexedLog | None:
        value = self.value(_LOG + os.fsencode(name))
        return None if value is None else IndexedLog(name, _decoded(value))

    def refresh(self, paths: Sequence[Path], only_tournaments: bool) -> None:
        """Bring the results of these logs up to date. Raises LogError, with its path, if a log can't be read.

        `only_tournaments`: `paths` are all logs of the folder. Logs that belong to no tournament are skipped, and logs
        that no longer exist are removed from the index.
        """
        known = self.logs()
        for path in dict.fromkeys(paths):
            try:
                self._refresh(path, known.get(self.name_of(path)), only_tournaments)
            except LogError as error:
                error.log = path
                raise
        if only_tournaments:
            present = {self.name_of(path) for path in paths}
            for name in known.keys() - present:
                self.forget(known[name])

    def name_of(self, path: Path) -> str:
        """The log's name in the index: its file name; its path in a temporary index, whose logs may share names."""
        return str(path) if self.path is None else path.name

    def _refresh(self, path: Path, log: IndexedLog | None, only_tournaments: bool) -> None:
        signature = signature_of(path)
        is_skipped = log is not None and only_tournaments and log.state.started is None
        if log and log.state.signature == signature and (log.state.complete or is_skipped):
            return
        if log and not (signature[1] >= log.state.end.end and holds_position(path, log.state.end, whole_chain=True)):
            self.forget(log)
            log = None
        if log and signature[1] == log.state.end.end:
            self._save(log, msgspec.structs.replace(log.state, signature=signature, complete=True))
        else:
            self._read(path, log, only_tournaments)

    def _read(self, path: Path, log: IndexedLog | None, only_tournaments: bool) -> None:
        """Read the rest of the log and write its results."""
        signature, state = signature_of(path), log.state if log else None
        position, end = (state.resume_from, state.end.index) if state else (START, 0)
        entries: Iterator[Item] = (item for item in read_after(path, position) if item[1].index > end)
        first = next(entries, None)
        if state is None or state.end == START:
            started = tournament_start_of(first[0]) if first else None
            if self.path is None and started is None:
                started = ""  # logs that a person named count as tournaments
            state = LogState(state.id if state else _new_id(), started, signature, False, START, START)
        is_included = state.started is not None or not only_tournaments
        entries = itertools.chain([first], entries) if first and is_included else iter(())
        state = msgspec.structs.replace(state, signature=signature, complete=False)
        while chunk := _next_chunk(entries):
            self.report(f"reading {path}", chunk[-1][1].end, signature[1])
            log = self._save_entries(path, log, state, chunk)
            state = log.state
        self._save(log or self.name_of(path), msgspec.structs.replace(state, complete=is_included))

    def append(self, path: Path, entries: Sequence[Item]) -> IndexedLog:
        """Write the results of the games that follow those indexed of a log. Raises LogError, IndexBusy."""
        log = self.log_at(path)
        started = tournament_start_of(entries[0][0])
        new = LogState(_new_id(), started, signature_of(path), False, START, START)
        return self._save_entries(path, log, log.state if log else new, entries)

    def mark_complete(self, path: Path, end: LogPosition) -> None:
        """Note that a log is indexed up to its `end`, as its only writer knows: nobody need read it to find out.

        Does nothing if the file or the index ends elsewhere. Raises LogError, IndexBusy.
        """
        log, signature = self.log_at(path), signature_of(path)
        if log and log.state.end == end and end.end == signature[1]:
            self._save(log, msgspec.structs.replace(log.state, signature=signature, complete=True))

    def _save_entries(self, path: Path, log: IndexedLog | None, state: LogState, entries: Sequence[Item]) -> IndexedLog:
        starts = (position for _, position in reversed(entries) if is_block_start(position.index))
        end, resume_from = entries[-1][1], next(starts, state.resume_from)
        try:
            log_name = path.stem  # slow
            games = [played_game(entry, log_name, position.index - 1) for entry, position in entries]
        except WrongResult as error:
            raise WrongResult(f"{path}: {error}") from None
        reached = msgspec.structs.replace(state, end=end, resume_from=resume_from)
        return self._save(log or self.name_of(path), reached, games)

    def _save(self, log: IndexedLog | str, state: LogState, games: Sequence[PlayedGame] = ()) -> IndexedLog:
        """Write how far a log is indexed, and the results of new games.

        `log` is the log as last read, or the name of a new one. Raises IndexBusy if it has changed since.
        """
        name, before = (log, None) if isinstance(log, str) else (log.name, log)
        with self.writing():
            if self._log_named(name) != before:
                raise IndexBusy("another process writes the same results")
            if games:
                self._add_results(state.id, games, before.games if before else 0)
            self.put(_LOG + os.fsencode(name), msgspec.msgpack.encode(state))
        return IndexedLog(name, state)

    def _add_results(self, id: bytes, games: Sequence[PlayedGame], first: int) -> None:
        """Write results, those of a few games together with the few before them."""
        from .sums.game_columns import GameColumns, columns_of, joined, pack, unpack  # late: it needs NumPy

        new, name = columns_of(games, first), _results_name(id, first)
        last = self.last_name(_RESULTS + id) if first else None
        if last and first - int.from_bytes(last[-8:], "big") < _CHUNK_GAMES and (before := self.value(last)):
            name, new = last, joined([unpack(before, GameColumns), new])
        self.put(name, pack(new))

    def results(self, log: IndexedLog) -> Iterator[GameColumns]:
        """The results of a log, in parts. Raises IndexBusy if the log was indexed again meanwhile."""
        from .sums.game_columns import GameColumns, unpack  # late: a leaderboard that is up to date needs no NumPy

        game = 0
        while game < log.games:
            value = self.value(_results_name(log.state.id, game))
            if value is None:
                now = self._log_named(log.name)
                if now and now.state.id == log.state.id:
                    raise IndexDamaged("the results")
                raise IndexBusy("another process has indexed the log again")
            try:
                part = unpack(value, GameColumns)
            except (ValueError, msgspec.MsgspecError) as error:
                raise IndexDamaged(str(error)) from None
            yield part.until(log.games)
            game += len(part.setting)

    def forget(self, log: IndexedLog) -> None:
        """Delete a log's results."""
        with self.writing():
            name = os.fsencode(log.name)
            self.delete(_LOG + name, _RESULTS + log.state.id, _VALUE + name + b"/")

    def computed(self, name: str, digest: bytes) -> bytes | None:
        """The stored value of this name, if it was computed from what has this digest."""
        value = self.value(_VALUE + os.fsencode(name))
        return value[len(digest) :] if value is not None and value.startswith(digest) else None

    def keep(self, name: str, digest: bytes, value: bytes) -> None:
        """Store a value in place of that of the same name, if the index can be written at present."""
        with self.writing():
            self.put(_VALUE + os.fsencode(name), digest + value)

    def verified(self, name: str) -> LogPosition | None:
        """The position up to which the log of this file name was verified; None if it never was."""
        value = self.value(_VERIFIED + os.fsencode(name))
        return None if value is None else msgspec.msgpack.decode(value, type=built(LogPosition))

    def save_verified(self, name: str, position: LogPosition) -> None:
        """Store the position up to which the log of this file name was verified."""
        with self.writing():
            self.put(_VERIFIED + os.fsencode(name), msgspec.msgpack.encode(position))


def _next_chunk(entries: Iterator[Item]) -> list[Item]:
    """The next entries to write in one transaction; empty at the end."""
    chunk: list[Item] = []
    end = time.monotonic() + CHUNK_SECONDS
    for entry in entries:
        chunk.append(entry)
        if len(chunk) >= _CHUNK_GAMES or time.monotonic() >= end:
            break
    return chunk


def _new_id() -> bytes:
    return secrets.token_bytes(8)


def _results_name(id: bytes, first: int) -> bytes:
    return _RESULTS + id + first.to_bytes(8, "big")


def _decoded(value: bytes) -> LogState:
    return msgspec.msgpack.decode(value, type=built(LogState))


def signature_of(path: Path) -> Signature:
    """The signature of a log. Raises LogError if it can't be read."""
    try:
        return file_signature(path.stat())
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}") from None
