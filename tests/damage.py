"""Files that have been damaged."""

from __future__ import annotations

from pathlib import Path


def flip_bit(file: Path, place: int | None = None, copy: Path | None = None) -> bytes:
    """Flip a bit of the byte at `place`, by default in the middle, in the file or in a copy; returns its new content.

    A negative place counts from the end.
    """
    content = bytearray(file.read_bytes())
    content[len(content) // 2 if place is None else place] ^= 1
    (copy or file).write_bytes(content)
    return bytes(content)
