"""Types that msgspec decodes, safe for threads, and what its errors mean."""

from __future__ import annotations

from threading import Lock
from typing import TypeVar

import msgspec

Kind = TypeVar("Kind")
_BUILDING = Lock()
_BUILT: set[object] = set()


def built(kind: type[Kind]) -> type[Kind]:
    """Return a type that is about to be decoded, after msgspec has read its annotations.

    msgspec 0.22 reads them when a type is first decoded, and crashes if another thread decodes the type meanwhile.
    """
    if kind not in _BUILT:
        with _BUILDING:
            msgspec.json.Decoder(kind)
            _BUILT.add(kind)
    return kind


def is_not_utf8(error: Exception) -> bool:
    """Return whether bytes were refused because they are not UTF-8: msgspec has an error of its own since 0.23."""
    return isinstance(error, UnicodeError) or str(error).startswith("Invalid UTF-8")
