"""The byte layout of a log: a first line, then frames, each chained to the previous one by a hash.

A frame is a length (3 bytes, little-endian), one check byte over the length, the payload, and a tag: the first 8 bytes
of SHA-256(previous tag || payload). The first frame follows the first line's tag. So every change, cut, repetition,
omission and insertion is located, and reading continues with the next whole frame.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import BinaryIO, NamedTuple

from ..errors import NewerFormat, NotALog

VERSION = 2
FIRST_LINE = f"fa-log {VERSION}\n".encode("ascii")
HEADER_BYTES = 4
TAG_BYTES = 8
LONGEST_PAYLOAD = 1 << 22
"""Bytes. Real payloads have a few hundred; a hostile one may need 80 times its size in memory when decoded."""
FIRST_TAG = sha256(FIRST_LINE).digest()[:TAG_BYTES]
"""The tag of the log's first line, which the first frame follows."""

_CHECK_BASE = 0xA5
_CHUNK = 1 << 18
"""Bytes that are read at once to step over frames: mapping the file would fill the memory with it."""
_ANY_FIRST_LINE = re.compile(rb"fa-log (\d{1,9})\n")
_NOT_ZERO = re.compile(rb"[^\0]")
_PAYLOAD_STARTS = re.compile(rb"[\x99-\x9f]\x03|\x93\x04")
"""The headers of their arrays, and their first items."""
_SEARCH_BUDGET = 1 << 28  # bytes hashed per file to find whole frames after damage; only a hostile file needs more
_CANDIDATE_COST = 1024  # testing one candidate takes as long as hashing this many bytes


class Frame(NamedTuple):
    """A whole frame that follows the previous one; the next frame starts at `end`."""

    end: int
    payload: bytes
    tag: bytes


class Gap(NamedTuple):
    """Bytes from `offset` to `end` that are not a whole frame that follows the previous one.

    `payload`: the payload, if the bytes have the shape of a frame. `proven`: the payload is intact, only the tag is
    wrong. `torn`: the file ends here, apparently in the middle of writing a frame.
    """

    offset: int
    end: int
    payload: bytes | None = None
    proven: bool = False
    torn: bool = False


def make_frame(payload: bytes, tag_before: bytes) -> tuple[bytes, bytes]:
    """The bytes of a frame, and its tag. The payload has at most `LONGEST_PAYLOAD` bytes."""
    size = len(payload).to_bytes(3, "little")
    tag = _tag(tag_before, payload)
    return b"".join((size, _length_check(size), payload, tag)), tag


def check_first_line(head: bytes) -> None:
    """Raises NotALog or NewerFormat unless `head` is how a log starts."""
    if head.startswith(FIRST_LINE):
        return
    if not head:
        raise NotALog("the file is empty")
    if FIRST_LINE.startswith(head):
        raise NotALog("the file is cut off within its first line")
    version = _ANY_FIRST_LINE.match(head)
    if version and int(version[1]) > VERSION:
        raise NewerFormat(
            f"a later version of fa wrote it: format {int(version[1])}, this one reads formats up to {VERSION}"
        )
    found, expected = (str(line[: len(FIRST_LINE)], "latin-1") for line in (head, FIRST_LINE))
    raise NotALog(f"this is not a replay log: it begins with {found!r}, not {expected!r}")


def read_frames(file: BinaryIO, offset: int = len(FIRST_LINE), tag: bytes = FIRST_TAG) -> Iterator[Frame | Gap]:
    """The frames and gaps of a log whose first line was checked; holds one frame in memory at a time.

    Starts at the first frame, or at `offset`, where a frame with this tag ends.
    """
    search = _Search(file)
    file.seek(offset)
    while header := file.read(HEADER_BYTES):
        length = _payload_length(header)
        body = file.read(length + TAG_BYTES) if length >= 0 else b""
        payload = body[:length]
        if length >= 0 and len(body) == length + TAG_BYTES and body[length:] == _tag(tag, payload):
            offset, tag = offset + HEADER_BYTES + len(body), body[length:]
            yield Frame(offset, payload, tag)
        else:
            gap, tag = search.find_next(offset, tag)
            yield gap
            offset = gap.end
            file.seek(offset)


def skip_frames(file: BinaryIO, count: int, every: int) -> tuple[int, int]:
    """Step over up to `count` frames, a multiple of `every`, by their lengths alone: fast, and unchecked.

    Returns the last multiple of `every` frames that was stepped over, and the offset after them.
    """
    size = os.fstat(file.fileno()).st_size
    offset = end = len(FIRST_LINE)
    chunk, at, last, steps = b"", 0, -1, _Steps()
    for number in range(0, count, every):
        for _ in range(every):
            if at > last:
                offset += at
                file.seek(offset)
                chunk, at = file.read(_CHUNK), 0
                last = len(chunk) - HEADER_BYTES
            step = steps[chunk[at : at + HEADER_BYTES]]
            if not step:
                return number, end
            at += step
        if offset + at > size:
            return number, end
        end = offset + at
    return count, end


class _Steps(dict[bytes, int]):
    """The bytes of whole frames by their headers, 0 for what is none: there are few, and looking one up is quick."""

    def __missing__(self, header: bytes) -> int:
        length = _payload_length(header)
        step = self[header] = 0 if length < 0 else HEADER_BYTES + length + TAG_BYTES
        return step


class _Search:
    """Finds the next whole frame after a gap."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._data: mmap.mmap | None = None
        self._budget = _SEARCH_BUDGET
        self._next_found = (0, b"")  # offset of the last frame found, and the tag before it

    def find_next(self, offset: int, tag: bytes) -> tuple[Gap, bytes]:
        """The gap at `offset`, after a frame with `tag`, and the tag that the frame after the gap follows."""
        data = self._map(offset)
        end = _frame_end(data, offset)
        payload = _payload(data, offset, end) if 0 <= end <= len(data) else None
        if payload is not None:
            stored = data[end - TAG_BYTES : end]
            for before, proven in ((_tag(tag, payload), True), (stored, False)):
                if end == len(data) or self._is_frame(data, end, before):
                    return Gap(offset, end, payload, proven and end < len(data)), before
        if self._next_found[0] <= offset:
            self._next_found = self._next_frame(data, offset + 1, tag)
        next_offset, before = self._next_found
        if payload is not None and end < next_offset and _looks_like_frame(data, end):
            return Gap(offset, end, payload), stored
        # the data ends inside this frame, or is all zeros from here on
        is_cut = end > len(data) or len(data) - offset < HEADER_BYTES or _NOT_ZERO.search(data, offset) is None
        torn = next_offset == len(data) and is_cut
        return Gap(offset, next_offset, payload if next_offset == end else None, torn=torn), before

    def _map(self, offset: int) -> mmap.mmap:
        """The whole file, mapped; mapped again if `offset` is beyond the mapped part because the file has grown."""
        if self._data is None or len(self._data) <= offset:
            self._data = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        return self._data

    def _next_frame(self, data: mmap.mmap, offset: int, tag: bytes) -> tuple[int, bytes]:
        """The offset of the next whole frame, and the tag that it follows; the end of the file if there is none."""
        for match in _PAYLOAD_STARTS.finditer(data, offset + HEADER_BYTES):
            candidate = match.start() - HEADER_BYTES
            self._budget -= _CANDIDATE_COST
            if self._budget <= 0:
                break
            for before in (tag, data[candidate - TAG_BYTES : candidate]):
                if self._is_frame(data, candidate, before):
                    return candidate, before
        return len(data), tag

    def _is_frame(self, data: mmap.mmap, offset: int, before: bytes) -> bool:
        end = _frame_end(data, offset)
        if end < 0 or end > len(data) or self._budget <= 0:
            return False
        self._budget -= end - offset
        return data[end - TAG_BYTES : end] == _tag(before, _payload(data, offset, end))


def _looks_like_frame(data: mmap.mmap, offset: int) -> bool:
    """Whether the bytes at `offset` have the shape of a frame; the tag is not checked."""
    return 0 <= _frame_end(data, offset) <= len(data) and bool(_PAYLOAD_STARTS.match(data, offset + HEADER_BYTES))


def _payload(data: mmap.mmap, offset: int, end: int) -> bytes:
    return data[offset + HEADER_BYTES : end - TAG_BYTES]


def _frame_end(data: mmap.mmap, offset: int) -> int:
    """Where a frame at `offset` would end; negative if no frame can start there."""
    length = _payload_length(data[offset : offset + HEADER_BYTES])
    return -1 if length < 0 else offset + HEADER_BYTES + length + TAG_BYTES


def _payload_length(header: bytes) -> int:
    if len(header) < HEADER_BYTES or _length_check(header[:3]) != header[3:]:
        return -1
    length = int.from_bytes(header[:3], "little")
    return length if length <= LONGEST_PAYLOAD else -1


def _length_check(size: bytes) -> bytes:
    return bytes([_CHECK_BASE ^ size[0] ^ size[1] ^ size[2]])


def _tag(before: bytes, payload: bytes) -> bytes:
    return sha256(before + payload).digest()[:TAG_BYTES]
