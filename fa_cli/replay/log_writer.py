"""Writing log files: append records to one, write a whole new one, repair a damaged one."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from ..errors import LogError
from ..system import write_atomically, written_atomically
from .codec import EntryWriter
from .frames import FIRST_LINE, first_tag, make_frame
from .log_entry import LogEntry, entry_of
from .log_file import START, Damage, LogPosition, LogScan, damage_error, open_file, open_log
from .record import Record

PRIVATE = 0o600
"""The mode of a file that only its owner may read."""
_PUBLIC = 0o666


class LogWriter:
    """Appends records to a log, each with one write, under an exclusive lock. Use it in a `with`.

    Creates a missing log, readable by its owner alone if `private`; with `new` the log must be missing. Cuts off a torn
    end of `cut_bytes` bytes. Raises LogError if the file is not a log, is damaged or locked, or if writing fails.
    """

    def __init__(self, path: Path, new: bool = False, private: bool = False) -> None:
        self.path = path
        self.cut_bytes = 0
        self._file = _open_locked(path, new, PRIVATE if private else _PUBLIC)
        try:
            self._prepare()
        except BaseException:
            os.close(self._file)
            raise

    def _prepare(self) -> None:
        scan = LogScan()
        if os.fstat(self._file).st_size < len(FIRST_LINE) and FIRST_LINE.startswith(os.pread(self._file, 16, 0)):
            self._end = 0
            self._write(FIRST_LINE)
        else:
            with open_log(self.path) as file:
                for item in scan.run(file):
                    if isinstance(item, Damage) and not item.torn:
                        raise damage_error(self.path, item)
        self.cut_bytes = max(0, os.fstat(self._file).st_size - scan.end)
        os.ftruncate(self._file, scan.end)
        self._end, self._tag = scan.end, scan.tag or first_tag(os.pread(self._file, len(FIRST_LINE), 0))
        self._payloads = EntryWriter(scan.reader, scan.index)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        """The number of records in the log."""
        return self._payloads.index

    @property
    def position(self) -> LogPosition:
        """The current end of the log."""
        return LogPosition(len(self), self._end, self._tag) if len(self) else START

    def append(self, record: Record, packed: bytes | None = None) -> None:
        """Add a record. `packed`: its actions from `ActionPacker`, not checked; without it the game is replayed."""
        self.append_entry(entry_of(record, packed))

    def append_entry(self, entry: LogEntry) -> None:
        """Add an entry of another log; it gets the next index of this one."""
        frame, tag = make_frame(self._payloads.payload(entry), self._tag)
        self._write(frame)
        self._tag = tag

    def _write(self, data: bytes) -> None:
        try:
            written = os.pwrite(self._file, data, self._end)
            while written < len(data):
                written += os.pwrite(self._file, data[written:], self._end + written)
        except OSError as error:
            os.ftruncate(self._file, self._end)
            raise LogError(f"{self.path}: it can't be written: {error.strerror}") from None
        self._end += len(data)

    def close(self) -> None:
        """Sync to disk and release the lock. Further calls do nothing."""
        if self._file >= 0:
            os.fsync(self._file)
            os.close(self._file)
        self._file = -1


def _open_locked(path: Path, new: bool, mode: int) -> int:
    """An exclusively locked descriptor for reading and writing. Raises LogError."""
    created = not path.exists() and _link_into_place(path, mode)
    only_new = os.O_EXCL if new and not created else 0
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | only_new, mode)
    except FileExistsError:
        raise LogError(f"{path}: it exists already and is not overwritten") from None
    except OSError as error:
        raise LogError(f"{path}: it can't be written: {error.strerror}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        raise LogError(f"{path}: another process is writing it") from None
    return file


def _link_into_place(path: Path, mode: int) -> bool:
    """Create a log together with its first line, so that nobody sees an empty file; False if that failed."""
    try:
        write_atomically(path, FIRST_LINE, replace=False, mode=mode)
        return True
    except OSError:  # opening the file will report the cause; without hard links it is empty for a moment
        return False


def is_private(path: Path) -> bool:
    """Whether only its owner may read the file, as while a tournament's seed is secret."""
    return not path.stat().st_mode & 0o077


def is_being_written(path: Path) -> bool:
    """Whether a process has the log open for writing."""
    with open_file(path) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def write_new_log(path: Path, entries: Iterable[LogEntry], replace: bool = False, private: bool = False) -> int:
    """Write entries to a new log, which appears under its name only when complete; returns the number of entries.

    Raises LogError if the file exists and `replace` is false.
    """
    if not path.parent.is_dir():
        raise LogError(f"{path}: there is no folder {path.parent}")
    if not replace and path.exists():
        raise LogError(f"{path}: it exists already and is not overwritten")
    try:
        with (
            written_atomically(path, replace=replace) as temporary,
            LogWriter(temporary, new=True, private=private) as writer,
        ):
            for entry in entries:
                writer.append_entry(entry)
            return len(writer)
    except FileExistsError:
        raise LogError(f"{path}: it exists already and is not overwritten") from None


def repair(path: Path) -> tuple[int, list[Damage]]:
    """Keep the readable records of a log; returns their number and the damages.

    Cuts off a torn end. For other damage, rewrites the log and keeps the damaged file as `NAME.damaged`. Raises
    LogError if the file is not a log or is being written, or if `NAME.damaged` exists.
    """
    damages: list[Damage] = []
    if is_being_written(path):
        raise LogError(f"{path}: another process is writing it")
    count = sum(1 for _ in _whole_entries(path, damages.append))
    if all(damage.torn for damage in damages):
        LogWriter(path).close()
        return count, damages
    backup = path.with_name(f"{path.name}.damaged")
    if backup.exists():
        raise LogError(f"{backup}: it exists already and is not overwritten")
    os.link(path, backup)
    return write_new_log(path, _whole_entries(path, lambda _: None), replace=True, private=is_private(backup)), damages


def _whole_entries(path: Path, on_damage: Callable[[Damage], None]) -> Iterator[LogEntry]:
    """The entries of a log; what other records need to be packed again is unpacked, and a damage if that fails."""
    scan = LogScan()
    with open_log(path) as file:
        for item in scan.run(file):
            if isinstance(item, Damage):
                on_damage(item)
                continue
            try:
                if item.loose is not None:
                    item.record()
                yield item
            except LogError as error:
                on_damage(Damage(scan.end, item.index, str(error)))
