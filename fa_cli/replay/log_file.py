"""Log files: reading one, adding to it, mending it. docs/replay.md has the format byte by byte."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec

from ..errors import LogError
from .codec import Reader, Writer, begins_block
from .frames import FIRST_LINE, FIRST_TAG, Frame, Gap, check_first_line, make_frame, read_frames
from .log_entry import LogEntry, entry_of
from .record import Record


class Damage(msgspec.Struct, frozen=True):
    """A place in a log that can't be read, or should not be there.

    `index` is that of the record which is, or should be, there. `torn`: a record was being written when its writer
    died; nothing else is wrong.
    """

    offset: int
    index: int
    text: str
    torn: bool = False


class LogPosition(msgspec.Struct, frozen=True):
    """A place in a log, after so many records: where they end, and the tag of the last, which all of them are in."""

    index: int = 0
    end: int = len(FIRST_LINE)
    tag: bytes = FIRST_TAG


START = LogPosition()
PRIVATE = 0o600
"""The mode of a file that only its owner may read."""
_PUBLIC = 0o666
MOST_DAMAGES = 10_000
"""Damaged places after which the rest of a log is not read: only a made-up file has more."""


def read_log(path: Path | str, on_damage: Callable[[Damage], None] | None = None) -> Iterator[LogEntry]:
    """The entries of the log at this path, one in memory at a time; may be read while it grows.

    Damage goes to `on_damage`. Without it a torn end is passed over, and other damage raises LogError. Raises LogError
    (NotALog, NewerFormat) for a file that is no log at all.
    """
    log = Path(path)
    for found in scan_log(log):
        if isinstance(found, LogEntry):
            yield found
        elif on_damage is not None:
            on_damage(found)
        elif not found.torn:
            raise damaged(log, found)


def scan_log(path: Path) -> Iterator[LogEntry | Damage]:
    """The log's entries and its damage, in order. Raises as `read_log`."""
    with open_log(path) as file:
        yield from _Scan().run(file)


def read_from(path: Path, mark: LogPosition) -> Iterator[tuple[LogEntry, LogPosition]]:
    """The entries after the mark, each with the mark after it; a torn end is passed over, as by `read_log`.

    The mark must be one at which the numbering of texts begins: see `starts_block`. Raises as `read_log`; a log that
    does not hold the mark is a damaged one.
    """
    scan = _Scan(mark)
    with open_log(path) as file:
        for found in scan.run(file):
            if isinstance(found, LogEntry):
                yield found, LogPosition(found.index + 1, scan.end, scan.tag)
            elif not found.torn:
                raise damaged(path, found)


def starts_block(mark: LogPosition) -> bool:
    """Whether a log can be read from this mark on, without what is before it."""
    return begins_block(mark.index)


def holds(path: Path, mark: LogPosition, wholly: bool = False) -> bool:
    """Whether the log has the mark: by the tag that lies there, or `wholly`, by the chain of all frames before it.

    Raises LogError for what is no log.
    """
    if mark == START:
        return True
    with open_log(path) as file:
        if not wholly:
            file.seek(mark.end - len(mark.tag))
            return file.read(len(mark.tag)) == mark.tag
        for found in read_frames(file):
            if not isinstance(found, Frame) or found.end >= mark.end:
                return isinstance(found, Frame) and (found.end, found.tag) == (mark.end, mark.tag)
    return False


def open_log(path: Path) -> BinaryIO:
    """The file, to read. Raises LogError: NotALog or NewerFormat unless it begins as a log."""
    file = open_file(path)
    try:
        check_first_line(file.read(len(FIRST_LINE) + 8))
    except LogError as error:
        file.close()
        raise error.within(str(path)) from None
    return file


def open_file(path: Path) -> BinaryIO:
    """An ordinary file, to read. Raises LogError."""
    try:
        if path.exists() and not path.is_file():
            raise LogError(f"{path}: this is no ordinary file")
        return path.open("rb")
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}") from None


def damaged(path: Path, damage: Damage) -> LogError:
    """The error for a log that has to be whole and is not."""
    return LogError(
        f"{path}: record {damage.index + 1}: {damage.text} (`fa replay verify` tells all, `fa replay repair` mends it)"
    )


class _Scan:
    """Where a reader of a log has come to."""

    def __init__(self, mark: LogPosition = START) -> None:
        self.reader = Reader()
        self.index = mark.index  # of the record that should come next
        self.end = mark.end  # of the last frame that is whole and in its place
        self.tag = mark.tag
        self._lost = False  # whether records of an unknown number were lost since the last entry

    def run(self, file: BinaryIO) -> Iterator[LogEntry | Damage]:
        """The entries and the damage from the first frame on, up to `MOST_DAMAGES` damaged places.

        The index of a damage is that of the place, whatever stands there.
        """
        damages = 0
        for found in self._all(file):
            yield found
            damages += isinstance(found, Damage)
            if damages == MOST_DAMAGES and isinstance(found, Damage):
                text = f"the log is damaged in {MOST_DAMAGES:,} places; the rest of it is not read"
                yield Damage(found.offset, self.index, text)
                return

    def _all(self, file: BinaryIO) -> Iterator[LogEntry | Damage]:
        frames = read_frames(file, self.end, self.tag)
        found = next(frames, None)
        while found is not None:
            following = None
            if isinstance(found, Frame):
                self.end, self.tag = found.end, found.tag
                yield from self._entry(found.payload, self.end)
            elif found.payload is None:
                self._lost = True
                yield Damage(found.offset, self.index, _describe(found), found.torn)
            elif found.proven:
                yield Damage(found.offset, self.index, "its tag was changed; the record itself was not")
                yield from self._entry(found.payload, found.offset)
            else:
                following = next(frames, None)
                after = self.reader.index(following.payload) if isinstance(following, Frame) else None
                yield from self._out_of_chain(found.offset, found.payload, after)
            found = following or next(frames, None)

    def _entry(self, payload: bytes, offset: int) -> Iterator[LogEntry | Damage]:
        """A record whose place is the right one by its tag."""
        index = self.reader.index(payload)
        if index is not None and index < self.index:
            if not self._lost:
                yield Damage(offset, self.index, _out_of_place(index))
            return
        if index is not None and index > self.index:
            first = self.index + 1 if self._lost else self.index  # that the first one is lost has been said
            if first < index:
                yield Damage(offset, first, _missing(first, index))
            self.index = index
        try:
            entry = self.reader.entry(payload)
        except LogError as error:
            yield Damage(offset, self.index, str(error))
        else:
            yield entry
        self._lost = False
        self.index += 1

    def _out_of_chain(self, offset: int, payload: bytes, after: int | None) -> Iterator[LogEntry | Damage]:
        """What has the shape of a frame but does not follow from the one before; `after`: the next record's index."""
        index = self.reader.index(payload)
        is_earlier = index is not None and index < self.index
        if after == self.index or (is_earlier and after != self.index + 1):
            yield Damage(offset, self.index, _out_of_place(index))
        elif index is not None and index > self.index and after == index + 1:
            yield from self._entry(payload, offset)  # its predecessors were taken out
        else:
            says = "" if index in (None, self.index) else f"; it says that it is record {index + 1}"
            yield Damage(offset, self.index, f"it was changed, or what was before it is not there any more{says}")
            self.reader.doubt(payload)
            self.index += 1


def _missing(first: int, index: int) -> str:
    which = f"records {first + 1} to {index} are" if index - first > 1 else f"record {index} is"
    return f"{which} missing before record {index + 1}"


def _out_of_place(index: int | None) -> str:
    which = "what stands here" if index is None else f"record {index + 1} stands here and"
    return f"{which} does not belong here"


def _describe(gap: Gap) -> str:
    size = gap.end - gap.offset
    if gap.torn:
        return f"it is cut off by the end of the file, as by a crash while it was written ({size} bytes are there)"
    return f"{size} bytes at {gap.offset} are no record that could be read there"


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
        scan = _Scan()
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
