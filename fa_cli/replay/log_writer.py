"""Writing log files: append records to one, write a whole new one, repair a damaged one."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from ..errors import LogError
from .codec import Writer
from .frames import FIRST_LINE, make_frame
from .log_entry import LogEntry, entry_of
from .log_file import Damage, LogPosition, LogScan, damaged, open_file, open_log, read_log
from .record import Record

PRIVATE = 0o600
"""The mode of a file that only its owner may read."""
_PUBLIC = 0o666


class LogWriter:
    """Adds records to a log, each with one write; nobody else can at the same time. Use it in a `with`.

    A log that is not there is begun (`new`: there must be none), for its owner alone to read if it is `private`; a torn
    end is cut off, `cut` is how many bytes that was. Raises LogError for what is no log, is damaged, or is being
    written by somebody else, and when the disk fails.
    """

    def __init__(self, path: Path, new: bool = False, private: bool = False) -> None:
        self.path = path
        self.cut = 0
        self._file = _open_locked(path, new, PRIVATE if private else _PUBLIC)
        try:
            self._begin()
        except BaseException:
            os.close(self._file)
            raise

    def _begin(self) -> None:
        scan = LogScan()
        if os.fstat(self._file).st_size < len(FIRST_LINE) and FIRST_LINE.startswith(os.pread(self._file, 16, 0)):
            self._end = 0
            self._write(FIRST_LINE)
        else:
            with open_log(self.path) as file:
                for found in scan.run(file):
                    if isinstance(found, Damage) and not found.torn:
                        raise damaged(self.path, found)
        self.cut = max(0, os.fstat(self._file).st_size - scan.end)
        os.ftruncate(self._file, scan.end)
        self._end, self._tag = scan.end, scan.tag
        self._payloads = Writer(scan.reader, scan.index)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        """How many records the log holds."""
        return self._payloads.index

    @property
    def mark(self) -> LogPosition:
        """Where the log ends by now."""
        return LogPosition(self._payloads.index, self._end, self._tag)

    def append(self, record: Record, packed: bytes | None = None) -> None:
        """Add a record. `packed`: its actions as `Packer` makes them, taken on trust; else the game is played again."""
        self.append_entry(entry_of(record, packed))

    def append_entry(self, entry: LogEntry) -> None:
        """Add an entry of another log; its index becomes the next one here."""
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
        """Wait until everything is on the disk, and let others write. May be called again."""
        if self._file >= 0:
            os.fsync(self._file)
            os.close(self._file)
        self._file = -1


def _open_locked(path: Path, new: bool, mode: int) -> int:
    """A descriptor to read and write, locked for us alone. Raises LogError."""
    appeared = not path.exists() and _appeared(path, mode)
    only_new = os.O_EXCL if new and not appeared else 0
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | only_new, mode)
    except FileExistsError:
        raise LogError(f"{path}: it is there already, and is not overwritten") from None
    except OSError as error:
        raise LogError(f"{path}: it can't be written: {error.strerror}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        raise LogError(f"{path}: another process is writing it") from None
    return file


def _appeared(path: Path, mode: int) -> bool:
    """Let a log appear with its first line, so that nobody finds an empty file; False if it could not be done so."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(FIRST_LINE)
        os.link(draft, path)  # what somebody else has begun meanwhile is not replaced, as it would be by renaming
        return True
    except OSError:  # opening it will say why; a file system without links has it empty for a moment
        return False
    finally:
        with suppress(OSError):
            draft.unlink()


def is_private(path: Path) -> bool:
    """Whether nobody but its owner may read the file, as while a tournament's seed is a secret."""
    return not path.stat().st_mode & 0o077


def is_being_written(path: Path) -> bool:
    """Whether a process has the log open for writing right now."""
    with open_file(path) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def write_aside(path: Path, entries: Iterable[LogEntry], replace: bool = False, private: bool = False) -> int:
    """Write entries into a new log, which has its name only when it is whole; returns how many.

    Raises LogError if there is a file of that name, unless it is to be replaced.
    """
    if not path.parent.is_dir():
        raise LogError(f"{path}: there is no folder {path.parent}")
    if not replace and path.exists():
        raise LogError(f"{path}: it is there already, and is not overwritten")
    aside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with LogWriter(aside, new=True, private=private) as writer:
            for entry in entries:
                writer.append_entry(entry)
            count = len(writer)
        if replace:
            aside.replace(path)
        else:
            os.link(aside, path)
    except FileExistsError:
        raise LogError(f"{path}: it is there already, and is not overwritten") from None
    finally:
        aside.unlink(missing_ok=True)
    return count


def repair(path: Path) -> tuple[int, list[Damage]]:
    """Leave in the log what is whole in it; returns how many records that is and what was wrong.

    A torn end is cut off. After other damage the log is written anew and the damaged one kept beside it, its name with
    `.damaged` appended. Raises LogError if there is nothing to be done, for it is no log, or is being written.
    """
    wrong: list[Damage] = []
    if is_being_written(path):
        raise LogError(f"{path}: another process is writing it")
    count = sum(1 for _ in read_log(path, wrong.append))
    if all(damage.torn for damage in wrong):
        LogWriter(path).close()
        return count, wrong
    kept = path.with_name(f"{path.name}.damaged")
    if kept.exists():
        raise LogError(f"{kept}: it is there already, and is not overwritten")
    os.link(path, kept)
    return write_aside(path, read_log(path, lambda _: None), replace=True, private=is_private(kept)), wrong
