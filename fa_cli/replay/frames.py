"""How bytes lie in a log: a first line, then one frame after the other, each chained to the one before.

A frame is a length (3 bytes, little-endian), one check byte over it, the payload, and a tag: the first 8 bytes of
SHA-256(the tag before || payload). Before the first frame the tag is that of the first line. So every change, cut,
repetition, omission or insertion is found where it is, and reading goes on with the next frame that is whole.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import BinaryIO, NamedTuple

from ..errors import NewerFormat, NotALog

VERSION = 1
FIRST_LINE = f"fa-log {VERSION}\n".encode("ascii")
HEADER_BYTES = 4
TAG_BYTES = 8
LONGEST_PAYLOAD = 1 << 22
"""Bytes. A made-up payload takes up to 80 times that in memory when it is decoded; a real one has some hundreds."""
FIRST_TAG = sha256(FIRST_LINE).digest()[:TAG_BYTES]

_CHECK = 0xA5
_ANY_FIRST_LINE = re.compile(rb"fa-log (\d{1,9})\n")
_NOT_ZERO = re.compile(rb"[^\0]")
_PAYLOAD_STARTS = re.compile(
    rb"\x9f\x01|\x93\x02"
)  # an array of 15 that begins with a 1, one of 3 that begins with a 2
_MOST_SEARCHED = 1 << 28  # bytes hashed per file in search of whole frames after damage; only a made-up file needs more
_LOOK_COST = 1024  # looking at one candidate takes as long as hashing so many bytes


class Frame(NamedTuple):
    """A frame that is whole and in its place; `end` is where the next one begins."""

    end: int
    payload: bytes
    tag: bytes


class Gap(NamedTuple):
    """A place where no frame is whole and follows the one before.

    `payload`: what lies there in the shape of a frame. `proven`: that frame is right but for its tag. `torn`: the file
    ends there, and it looks like a frame that was being written.
    """

    offset: int
    end: int
    payload: bytes | None = None
    proven: bool = False
    torn: bool = False


def make_frame(payload: bytes, tag_before: bytes) -> tuple[bytes, bytes]:
    """The bytes of a frame and its tag; the payload is at most `LONGEST_PAYLOAD` bytes."""
    size = len(payload).to_bytes(3, "little")
    tag = _tag(tag_before, payload)
    return b"".join((size, _check(size), payload, tag)), tag


def check_first_line(head: bytes) -> None:
    """Raises NotALog or NewerFormat unless a log begins so."""
    if head.startswith(FIRST_LINE):
        return
    if not head:
        raise NotALog("the file is empty")
    if FIRST_LINE.startswith(head):
        raise NotALog("the file is cut off within its first line")
    version = _ANY_FIRST_LINE.match(head)
    if version and int(version[1]) > VERSION:
        raise NewerFormat(f"a later version of fa wrote it: format {int(version[1])}, this one reads {VERSION}")
    raise NotALog(f"this is no replay log: it begins with {head[: len(FIRST_LINE)]!r}, not {FIRST_LINE!r}")


def read_frames(file: BinaryIO, offset: int = len(FIRST_LINE), tag: bytes = FIRST_TAG) -> Iterator[Frame | Gap]:
    """The frames from the first on, or from where one ends with this tag; the first line has been checked.

    Holds one frame at a time.
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
            gap, tag = search.after(offset, tag)
            yield gap
            offset = gap.end
            file.seek(offset)


class _Search:
    """Finds where a file goes on after something that is no frame in its place."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._data: mmap.mmap | None = None
        self._left = _MOST_SEARCHED
        self._known = (0, b"")  # the next frame that was found, and the tag that it builds on

    def after(self, offset: int, tag: bytes) -> tuple[Gap, bytes]:
        """The gap at `offset`, where the chain has come to `tag`, and the tag that the frame after it builds on."""
        data = self._map(offset)
        end = _frame_end(data, offset)
        payload = _payload(data, offset, end) if 0 <= end <= len(data) else None
        if payload is not None:
            stored = data[end - TAG_BYTES : end]
            for before, proven in ((_tag(tag, payload), True), (stored, False)):
                if end == len(data) or self._is_frame(data, end, before):
                    return Gap(offset, end, payload, proven and end < len(data)), before
        if self._known[0] <= offset:
            self._known = self._next_frame(data, offset + 1, tag)
        found, before = self._known
        if payload is not None and end < found and _looks_like_frame(data, end):
            return Gap(offset, end, payload), stored
        torn = found == len(data) and _is_cut(data, offset, end)
        return Gap(offset, found, payload if found == end else None, torn=torn), before

    def _map(self, offset: int) -> mmap.mmap:
        """The whole file; as it was when it was first needed, unless it has grown and the end of that is reached."""
        if self._data is None or len(self._data) <= offset:
            self._data = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        return self._data

    def _next_frame(self, data: mmap.mmap, offset: int, tag: bytes) -> tuple[int, bytes]:
        """Where the next whole frame begins, and the tag that it builds on; the file's end if there is none."""
        for start in _PAYLOAD_STARTS.finditer(data, offset + HEADER_BYTES):
            found = start.start() - HEADER_BYTES
            self._left -= _LOOK_COST
            if self._left <= 0:
                break
            for before in (tag, data[found - TAG_BYTES : found]):
                if self._is_frame(data, found, before):
                    return found, before
        return len(data), tag

    def _is_frame(self, data: mmap.mmap, offset: int, before: bytes) -> bool:
        end = _frame_end(data, offset)
        if end < 0 or end > len(data) or self._left <= 0:
            return False
        self._left -= end - offset
        return data[end - TAG_BYTES : end] == _tag(before, _payload(data, offset, end))


def _looks_like_frame(data: mmap.mmap, offset: int) -> bool:
    """Whether what is at `offset` could be a frame, but for its tag."""
    return 0 <= _frame_end(data, offset) <= len(data) and bool(_PAYLOAD_STARTS.match(data, offset + HEADER_BYTES))


def _is_cut(data: mmap.mmap, offset: int, end: int) -> bool:
    """Whether the data ends in the frame that begins at `offset` and would end at `end`, or in zeros."""
    return end > len(data) or len(data) - offset < HEADER_BYTES or _NOT_ZERO.search(data, offset) is None


def _payload(data: mmap.mmap, offset: int, end: int) -> bytes:
    return data[offset + HEADER_BYTES : end - TAG_BYTES]


def _frame_end(data: mmap.mmap, offset: int) -> int:
    """Where a frame at `offset` would end; negative if none can begin there."""
    length = _payload_length(data[offset : offset + HEADER_BYTES])
    return -1 if length < 0 else offset + HEADER_BYTES + length + TAG_BYTES


def _payload_length(header: bytes) -> int:
    if len(header) < HEADER_BYTES or _check(header[:3]) != header[3:]:
        return -1
    length = int.from_bytes(header[:3], "little")
    return length if length <= LONGEST_PAYLOAD else -1


def _check(size: bytes) -> bytes:
    return bytes([_CHECK ^ size[0] ^ size[1] ^ size[2]])


def _tag(before: bytes, payload: bytes) -> bytes:
    return sha256(before + payload).digest()[:TAG_BYTES]
