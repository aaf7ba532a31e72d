"""Indexes in the user's cache, of logs that are given by their paths."""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from pathlib import Path

from ..system import cache_home
from .sealed_file import remove

_SMALLEST = 1 << 18
"""Smaller logs, in bytes, are read again: that takes a tenth of a second."""
_KEPT_SECONDS = 30 * 24 * 3600
"""Indexes that no command has changed for so long are deleted."""


def index_of(log: Path) -> Path | None:
    """The index `$XDG_CACHE_HOME/fa/indexes/DIGEST.sqlite` of a log; None if it is not worth one.

    An index beside a log outside of the home is not used: whoever made it could have written any results into it.
    """
    try:
        if log.stat().st_size < _SMALLEST:
            return None
        folder = cache_home() / "fa" / "indexes"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # RuntimeError if the user has no home
        return None
    name = os.fsencode(log.resolve())
    path = folder / f"{hashlib.blake2b(name, digest_size=16).hexdigest()}.sqlite"
    if not path.exists():
        _delete_old(folder)
    return path


def _delete_old(folder: Path) -> None:
    oldest = time.time() - _KEPT_SECONDS
    for path in folder.glob("*.sqlite"):
        with suppress(OSError):
            if path.stat().st_mtime < oldest:
                remove(path)
