"""Writing log files: append records to one, write a whole new one, repair a damaged one."""

from __future__ import annotations

import errno
import fcntl
import filecmp
import os
import shutil
import stat
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import BinaryIO, Self

from ..errors import LogChanged, LogError, check_new, writing
from ..system import lock, remove_abandoned, write_atomically, written_atomically
from .codec import EntryWriter
from .frames import FIRST_LINE, make_frame
from .log_entry import LogEntry, entry_of
from .log_file import Damage, LogPosition, LogScan, damage_error, open_file, open_log
from .record import META_DEPTH, Record, decode_record, is_too_deep

PRIVATE = 0o600
"""The mode of a file that only its owner may read."""
_PUBLIC = 0o666
MOST_KEPT = 1 << 25
"""Bytes of a log that a writer keeps in memory: 100,000 games."""
_CHUNK = 1 << 20


class LogWriter:
    """Appends records to a log, each with one write, under an exclusive lock. Use it in a `with`.

    Creates a missing log, readable by its owner alone if `private`; with `new` the log must be missing, and others see
    an empty file for a moment. Cuts off a torn end. Raises LogError if the file is not a log, is damaged or locked, or
    if writing fails; LogChanged if something else changes, moves or removes it, at the latest when it is closed. What
    fails is named `shown`, as of a temporary file.
    """

    def __init__(self, path: Path | str, new: bool = False, private: bool = False, shown: Path | None = None) -> None:
        self.path = Path(path)
        self._shown = shown or self.path
        self._file = _open_locked(self.path, new, PRIVATE if private else _PUBLIC, self._shown)
        try:
            self._prepare()
        except BaseException:
            os.close(self._file)
            raise

    def _prepare(self) -> None:
        scan = LogScan()
        if os.fstat(self._file).st_size < len(FIRST_LINE) and FIRST_LINE.startswith(os.pread(self._file, 16, 0)):
            os.ftruncate(self._file, 0)
            self._written, self._end = _WrittenBytes(self._file, 0), 0
            self._write(FIRST_LINE)
        else:
            with open_log(self.path) as file:
                for item in scan.run(file):
                    if isinstance(item, Damage) and not item.torn:
                        raise damage_error(self.path, item)
        os.ftruncate(self._file, scan.end)
        self._written = _WrittenBytes(self._file, scan.end)
        self._end, self._tag = scan.end, scan.tag
        self._payloads = EntryWriter(scan.reader, scan.index)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(is_checked=kind is None)

    def __len__(self) -> int:
        """The number of records in the log."""
        return self._payloads.index

    @property
    def position(self) -> LogPosition:
        """The current end of the log."""
        return LogPosition(len(self), self._end, self._tag)

    def append(self, record: Record, packed: bytes | None = None) -> None:
        """Add a record. `packed`: its actions from `ActionPacker`, not checked; without it the game is replayed.

        Raises LogError for a record that is too long or whose `meta` is nested too deep.
        """
        if is_too_deep(record.meta):
            raise LogError(f"a record's meta is nested at most {META_DEPTH} deep")
        self.append_entry(entry_of(record, packed))

    def append_entry(self, entry: LogEntry) -> None:
        """Add an entry of another log; it gets the next index of this one.

        A record has the same bytes in every log: one that another log holds as JSON is packed if it can be here.
        """
        if entry.plain is not None:
            entry = entry_of(decode_record(entry.plain))
        payload = self._payloads.payload(entry) or self._payloads.payload(entry.as_json())
        assert payload is not None
        frame, tag = make_frame(payload, self._tag)
        try:
            self._write(frame)
        except BaseException:
            self._payloads.take_back()
            raise
        self._tag = tag

    def _write(self, data: bytes) -> None:
        """Append to the file, wherever it ends now, so that there can't be a hole."""
        with writing(self._shown, LogError):
            try:
                written = os.write(self._file, data)
                while written < len(data):
                    written += os.write(self._file, data[written:])
            except OSError:
                if os.fstat(self._file).st_size > self._end:
                    os.ftruncate(self._file, self._end)
                raise
        self._written.add(data)
        self._end += len(data)
        end = os.lseek(self._file, 0, os.SEEK_CUR)
        if end != self._end:
            if end < self._end:  # it was cut off, and these bytes do not belong there
                os.ftruncate(self._file, end - len(data))
            self.check()

    def check(self) -> None:
        """Raises LogChanged unless the log's path still leads to a file of the size that was written."""
        opened = os.fstat(self._file)
        try:
            found = self.path.stat()
        except OSError as error:
            change = "was moved or removed" if error.errno == errno.ENOENT else f"can't be found ({error.strerror})"
        else:
            if not os.path.samestat(opened, found):
                change = "was replaced by another file"
            elif opened.st_size != self._end:
                change = f"was changed ({opened.st_size:,} bytes, not {self._end:,})"
            else:
                return
        raise LogChanged(f"{self.path}: the log {change} while it was written")

    def check_content(self) -> None:
        """Like `check`, and raises LogChanged too if what was written lately is not there any more."""
        self.check()
        if not self._written.are_in(self._file):
            raise LogChanged(f"{self.path}: the log was overwritten while it was written")

    def rescue(self) -> Path:
        """Write the records of a log that something else has changed to a new log, as far as they can be had.

        It is `NAME.log.rescued` beside the old one, or `NAME.log.rescued-2` and so on. Raises LogError.
        """
        names = (f"{self.path.name}.rescued{number}" for number in chain([""], (f"-{later}" for later in count(2))))
        is_private = not os.fstat(self._file).st_mode & 0o077
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.path.parent) as whole:
                self._written.restore(self._file, whole)
                target = next(path for path in map(self.path.with_name, names) if not path.exists())
                write_new_log(target, whole_entries(whole, lambda _: None), private=is_private)
                return target
        except OSError as error:
            raise LogError(f"{self.path}: its records can't be written elsewhere: {error.strerror}") from None

    def sync(self) -> None:
        """Make the records safe on the disk. Raises LogError."""
        with writing(self._shown, LogError):
            os.fsync(self._file)

    def close(self, is_checked: bool = True) -> None:
        """Sync to disk and release the lock. Further calls do nothing. `is_checked`: raise LogChanged."""
        if self._file < 0:
            return
        try:
            self.sync()
            if is_checked:
                self.check_content()
        finally:
            os.close(self._file)
            self._file = -1


class _WrittenBytes:
    """The last bytes of a file that grows, up to `MOST_KEPT`, in case that something else spoils the file."""

    def __init__(self, file: int, size: int) -> None:
        """`size`: of the file at present, in bytes."""
        self._start = max(0, size - MOST_KEPT)  # the offset of the first byte kept
        self._size = 0
        self._parts: deque[bytes] = deque()
        for offset in range(self._start, size, _CHUNK):
            self.add(os.pread(file, min(_CHUNK, size - offset), offset))

    def add(self, part: bytes) -> None:
        """These bytes were added at the end."""
        self._parts.append(part)
        self._size += len(part)
        while self._size > MOST_KEPT:
            oldest = len(self._parts.popleft())
            self._start += oldest
            self._size -= oldest

    def are_in(self, file: int) -> bool:
        """Whether the file still has them."""
        offset = self._start
        for part in self._parts:
            if os.pread(file, len(part), offset) != part:
                return False
            offset += len(part)
        return True

    def restore(self, file: int, target: BinaryIO) -> None:
        """Copy what the file has before them, then them if nothing before them is missing."""
        offset = 0
        while chunk := os.pread(file, min(_CHUNK, self._start - offset), offset):
            target.write(chunk)
            offset += len(chunk)
        if offset == self._start:
            target.writelines(self._parts)
        target.flush()


def _open_locked(path: Path, new: bool, mode: int, shown: Path) -> int:
    """An exclusively locked descriptor for reading and writing. Raises LogError, OSError for a shortage."""
    if not new and not path.exists():
        with suppress(OSError):  # with its first line, so that nobody sees an empty file; opening it reports the cause
            write_atomically(path, FIRST_LINE, replace=False, mode=mode)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | (os.O_EXCL if new else 0)
    with writing(shown, LogError):
        file = os.open(path, flags, mode)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise LogError(f"{path}: this is not a regular file")
        if not lock(file):
            raise LogError(f"{path}: another process is writing it")
    except OSError as error:
        os.close(file)
        raise _no_locks(path, error) from None
    except LogError:
        os.close(file)
        raise
    return file


def _no_locks(path: Path, error: OSError) -> LogError:
    return LogError(
        f"{path}: it can't be locked, so another process could write it at the same time: {error.strerror}; use a "
        "file system that has locks (flock)"
    )


def is_private(path: Path) -> bool:
    """Whether only its owner may read the file, as while a tournament's seed is secret."""
    return not path.stat().st_mode & 0o077


def is_being_written(path: Path) -> bool:
    """Whether a process has the log open for writing. Raises LogError."""
    with open_file(path) as file:
        try:
            return not lock(file.fileno(), fcntl.LOCK_SH)
        except OSError as error:
            raise _no_locks(path, error) from None


def write_new_log(path: Path, entries: Iterable[LogEntry], replace: bool = False, private: bool = False) -> int:
    """Write entries to a new log, which appears under its name only when complete; returns the number of entries.

    Raises LogError if the file exists and `replace` is false.
    """
    if not replace:
        check_new(path, LogError)
    remove_abandoned(path)
    with (
        writing(path, LogError),
        written_atomically(path, replace=replace) as temporary,
        LogWriter(temporary, new=True, private=private, shown=path) as writer,
    ):
        for entry in entries:
            writer.append_entry(entry)
        return len(writer)


def repair(path: Path) -> tuple[int, list[Damage]]:
    """Keep the readable records of a log; returns their number and the damages.

    Cuts off a torn end. For other damage, rewrites the log and keeps the damaged file as `NAME.damaged`. Raises
    LogError if the file is not a log or is being written, or if `NAME.damaged` exists.
    """
    damages: list[Damage] = []
    remove_abandoned(path)
    if is_being_written(path):
        raise LogError(f"{path}: another process is writing it")
    with open_log(path) as file:
        count = sum(1 for _ in whole_entries(file, damages.append))
    if all(damage.torn for damage in damages):
        LogWriter(path).close()
        return count, damages
    _keep(path, path.with_name(f"{path.name}.damaged"))
    with open_log(path) as file:
        entries = whole_entries(file, lambda _: None)
        return write_new_log(path, entries, replace=True, private=is_private(path)), damages


def _keep(log: Path, backup: Path) -> None:
    """Keep a log under another name too; it may be there already, as after a kill. Raises LogError."""
    remove_abandoned(backup)
    if backup.exists():
        if not filecmp.cmp(log, backup, shallow=False):
            raise LogError(f"{backup}: it exists already and is not overwritten")
        return
    try:
        os.link(log, backup)
    except OSError:  # a file system without hard links
        with written_atomically(backup, replace=False) as temporary:
            shutil.copy2(log, temporary)


def whole_entries(file: BinaryIO, on_damage: Callable[[Damage], None]) -> Iterator[LogEntry]:
    """The entries of a log, without what is damaged."""
    for item in LogScan().run(file):
        if isinstance(item, Damage):
            on_damage(item)
        else:
            yield item
