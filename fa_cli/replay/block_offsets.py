"""Where the blocks of a long log begin, so that a record is found without reading those before it.

The file `NAME.log.offsets` beside `NAME.log` has 16 bytes for each block but the first: the offset at which it begins,
as 8 bytes, little-endian, and the tag of the frame before. It is written when a record is looked for, as far as that
needs, and again when it is missing, cut off, or of another log. Nothing relies on it: a position is used if its tag is
in the log there and the record behind it has the right number. Verification always reads the whole log.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ..errors import LogError
from ..system import read_regular, write_atomically
from .codec import BLOCK, EntryReader
from .frames import TAG_BYTES, Frame, read_frames
from .log_file import START, LogPosition, open_log
from .log_writer import PRIVATE, is_private

FIRST_LINE = b"fa-offsets 1\n"
_OFFSET_BYTES = 8
_SIZE = _OFFSET_BYTES + TAG_BYTES
_LARGEST = 1 << 26  # bytes of the file: far more blocks than any log has
_FEWEST = 8
"""Blocks that are worth a file: reading fewer takes less than a tenth of a second."""


def offsets_file(log: Path) -> Path:
    """The file with the offsets of a log."""
    return log.with_name(f"{log.name}.offsets")


def position_before(log: Path, index: int) -> LogPosition:
    """The begin of the block that has the record `index`, or of the last block, if the log ends before.

    After damage it is the last block before that. Raises LogError for a file that is not a log.
    """
    block = index // BLOCK
    if block == 0:
        return START
    known = _known(log)
    if not known or not _is_right(log, known[min(block, len(known)) - 1]):
        known = _extended(log, [], block)
    elif block > len(known):
        known = _extended(log, known, block)
    return known[min(block, len(known)) - 1] if known else START


def _known(log: Path) -> list[LogPosition]:
    """The positions in the file; none if it is missing or is not such a file."""
    try:
        data = read_regular(offsets_file(log), _LARGEST)
    except OSError:
        return []
    body = data[len(FIRST_LINE) :]
    if not data.startswith(FIRST_LINE) or len(body) % _SIZE:
        return []
    starts = range(0, len(body), _SIZE)
    return [_position(number, body[start : start + _SIZE]) for number, start in enumerate(starts, 1)]


def _position(block: int, packed: bytes) -> LogPosition:
    return LogPosition(block * BLOCK, int.from_bytes(packed[:_OFFSET_BYTES], "little"), packed[_OFFSET_BYTES:])


def _is_right(log: Path, position: LogPosition) -> bool:
    """Whether the log has the position's tag there, and behind it a frame with the right number, or its end."""
    with open_log(log) as file:
        try:
            file.seek(position.end - TAG_BYTES)
        except (OSError, ValueError, OverflowError):
            return False
        if file.read(TAG_BYTES) != position.tag:
            return False
        frame = next(read_frames(file, position.end, position.tag), None)
    return frame is None or (isinstance(frame, Frame) and EntryReader().index_of(frame.payload) == position.index)


def _extended(log: Path, known: list[LogPosition], block: int) -> list[LogPosition]:
    """The positions up to this block, or to the end of the log, or to damage; new ones get into the file."""
    last = known[-1] if known else START
    found = [*known]
    with open_log(log) as file:
        for count, frame in enumerate(read_frames(file, last.end, last.tag), last.index + 1):
            if len(found) >= block or not isinstance(frame, Frame):
                break
            if count % BLOCK == 0:
                found.append(LogPosition(count, frame.end, frame.tag))
    if len(found) >= _FEWEST and len(found) > len(known):
        _save(log, found)
    return found


def _save(log: Path, positions: list[LogPosition]) -> None:
    """Write the file, if that is possible."""
    packed = [position.end.to_bytes(_OFFSET_BYTES, "little") + position.tag for position in positions]
    with suppress(OSError, LogError):
        mode = PRIVATE if is_private(log) else 0o666
        write_atomically(offsets_file(log), FIRST_LINE + b"".join(packed), replace=True, mode=mode)
