"""Reading log files; `log_writer.py` writes and repairs them.

docs/reference/log-format.md describes the format byte by byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from ..errors import LogError
from ..printing.text import counted
from ..system import open_regular
from .codec import BLOCK, EntryReader
from .frames import FIRST_LINE, FIRST_TAG, TAG_BYTES, Frame, Gap, check_first_line, read_frames, skip_frames
from .log_entry import LogEntry


class Damage(msgspec.Struct, frozen=True):
    """Part of a log that can't be read or does not belong there.

    `offset` is in bytes; `index` is that of the record that is, or should be, there. `torn`: the log ends in a record
    whose writing was interrupted; nothing else is wrong.
    """

    offset: int
    index: int
    text: str
    torn: bool = False


class LogPosition(msgspec.Struct, frozen=True):
    """A position in a log, after `index` records: the offset `end` of the last one, and its tag.

    The tag depends on all records before the position.
    """

    index: int = 0
    end: int = len(FIRST_LINE)
    tag: bytes = FIRST_TAG


START = LogPosition()
MOST_DAMAGES = 10_000
"""Damaged places after which the rest of a log is not read; only a hostile file has more."""


def read_log(path: Path | str) -> Iterator[LogEntry]:
    """The entries of a log, one in memory at a time; the log may grow meanwhile. A torn end is ignored.

    Raises LogError for other damage, NotALog or NewerFormat for a file that is not a log of this version.
    """
    return (entry for entry, _ in read_after(Path(path), START))


def scan_log(path: Path, start: LogPosition = START) -> Iterator[LogEntry | Damage]:
    """The entries and damages of a log, in order, from a position where a block starts.

    Raises NotALog or NewerFormat for a file that is not a log.
    """
    with open_log(path) as file:
        yield from LogScan(start).run(file)


def read_after(path: Path, start: LogPosition) -> Iterator[tuple[LogEntry, LogPosition]]:
    """The entries after a position, each with the position after it; a torn end is ignored.

    A block must start at `start` (`is_block_start`). Raises LogError as `read_log` does, also if the log does not
    contain it.
    """
    scan = LogScan(start)
    with open_log(path) as file:
        for item in scan.run(file):
            if isinstance(item, LogEntry):
                yield item, LogPosition(item.index + 1, scan.end, scan.tag)
            elif not item.torn:
                raise damage_error(path, item)


def read_from(path: Path, index: int) -> Iterator[tuple[LogEntry, LogPosition]]:
    """The entries from this index on, as `read_after`."""
    return (item for item in read_after(path, position_before(path, index)) if item[0].index >= index)


def entry_at(path: Path, index: int) -> LogEntry | None:
    """The record with this index; None if the log ends before. Raises LogError as `read_after` does."""
    return next((entry for entry, _ in read_from(path, index)), None)


def position_before(path: Path, index: int) -> LogPosition:
    """The beginning of the block that has the record `index`, or of the last block, if the log ends before.

    The frames before it are stepped over, not read; it is `START` after damage there. Raises LogError for a file that
    is not a log.
    """
    with open_log(path) as file:
        number, end = skip_frames(file, index - index % BLOCK, BLOCK)
        file.seek(end - TAG_BYTES)
        tag = file.read(TAG_BYTES)
        following = next(read_frames(file, end, tag), None) if number else None
    found = EntryReader().index_of(following.payload) if isinstance(following, Frame) else None
    return LogPosition(number, end, tag) if number and (following is None or found == number) else START


def holds_position(path: Path, position: LogPosition, whole_chain: bool = False) -> bool:
    """Whether the log contains the position: by the tag at its offset, or by the chain of all frames before it.

    Raises LogError for a file that is not a log.
    """
    if position == START:
        return True
    with open_log(path) as file:
        if not whole_chain:
            file.seek(position.end - len(position.tag))
            return file.read(len(position.tag)) == position.tag
        for item in read_frames(file):
            if not isinstance(item, Frame) or item.end >= position.end:
                return isinstance(item, Frame) and (item.end, item.tag) == (position.end, position.tag)
    return False


def open_log(path: Path) -> BinaryIO:
    """Open a log for reading. Raises LogError, NotALog if its first line is wrong, NewerFormat for a later version."""
    file = open_file(path)
    try:
        check_first_line(file.read(len(FIRST_LINE) + 8))
    except LogError as error:
        file.close()
        raise error.within(str(path)) from None
    return file


def open_file(path: Path) -> BinaryIO:
    """Open an ordinary file for reading. Raises LogError."""
    try:
        return open_regular(path)
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}") from None


def damage_error(path: Path, damage: Damage) -> LogError:
    """The error for a log that must be undamaged."""
    remedy = "`fa replay verify` lists all damage, `fa replay repair` mends it"
    return LogError(f"{path}: record {damage.index + 1}: {damage.text} ({remedy})")


class LogScan:
    """Reads a log and checks that its records are complete and in order."""

    def __init__(self, start: LogPosition = START) -> None:
        self.reader = EntryReader()
        self.index = start.index  # of the next record expected
        self.end = start.end  # offset after the last whole frame
        self.tag = start.tag
        self._gap_reported = False  # whether an unknown number of records was lost since the last entry

    def run(self, file: BinaryIO) -> Iterator[LogEntry | Damage]:
        """The entries and damages from the start position on, up to `MOST_DAMAGES` damages.

        A damage has the index of the record that should be there, whatever the bytes claim.
        """
        damages = 0
        for item in self._unlimited(file):
            yield item
            damages += isinstance(item, Damage)
            if damages == MOST_DAMAGES and isinstance(item, Damage):
                text = f"the log is damaged in {MOST_DAMAGES:,} places; the rest of it is not read"
                yield Damage(item.offset, self.index, text)
                return

    def _unlimited(self, file: BinaryIO) -> Iterator[LogEntry | Damage]:
        frames = read_frames(file, self.end, self.tag)
        item = next(frames, None)
        while item is not None:
            following = None
            if isinstance(item, Frame):
                self.end, self.tag = item.end, item.tag
                yield from self._entry(item.payload, self.end)
            elif item.payload is None:
                self._gap_reported = True
                yield Damage(item.offset, self.index, _describe_gap(item), item.torn)
            elif item.proven:
                yield Damage(item.offset, self.index, "its tag was changed; the record itself was not")
                yield from self._entry(item.payload, item.offset)
            else:
                following = next(frames, None)
                next_index = self.reader.index_of(following.payload) if isinstance(following, Frame) else None
                yield from self._out_of_chain(item.offset, item.payload, next_index)
            item = following or next(frames, None)

    def _entry(self, payload: bytes, offset: int) -> Iterator[LogEntry | Damage]:
        """The entry of a frame that the chain of tags confirms, after damages for records missing before it."""
        index = self.reader.index_of(payload)
        if index is not None and index < self.index:
            if not self._gap_reported:
                yield Damage(offset, self.index, _out_of_place(index))
            return
        if index is not None and index > self.index:
            first = self.index + 1 if self._gap_reported else self.index  # the loss of the first is reported already
            if first < index:
                yield Damage(offset, first, _missing(first, index))
            self.index = index
        try:
            entry = self.reader.entry(payload)
        except LogError as error:
            yield Damage(offset, self.index, str(error))
        else:
            yield entry
        self._gap_reported = False
        self.index += 1

    def _out_of_chain(self, offset: int, payload: bytes, next_index: int | None) -> Iterator[LogEntry | Damage]:
        """A payload that does not follow the frame before it. `next_index`: the index of the record after it."""
        index = self.reader.index_of(payload)
        is_earlier = index is not None and index < self.index
        if next_index == self.index or (is_earlier and next_index != self.index + 1):
            yield Damage(offset, self.index, _out_of_place(index))
        elif index is not None and index > self.index and next_index == index + 1:
            yield from self._entry(payload, offset)  # the records before it were removed
        else:
            says = "" if index in (None, self.index) else f"; it claims to be record {index + 1}"
            yield Damage(offset, self.index, f"it was changed, or records before it are missing{says}")
            self.reader.add_doubtful(payload)
            self.index += 1


def _missing(first: int, index: int) -> str:
    which = f"records {first + 1} to {index} are" if index - first > 1 else f"record {index} is"
    return f"{which} missing before record {index + 1}"


def _out_of_place(index: int | None) -> str:
    which = "what stands here" if index is None else f"record {index + 1} stands here and"
    return f"{which} does not belong here"


def _describe_gap(gap: Gap) -> str:
    size = gap.end - gap.offset
    if gap.torn:
        there = counted(size, "byte")
        return f"it is cut off by the end of the file, as by a crash while it was written (after {there} of it)"
    verb = "is" if size == 1 else "are"
    return f"{counted(size, 'byte')} at {gap.offset} {verb} no record that could be read there"
