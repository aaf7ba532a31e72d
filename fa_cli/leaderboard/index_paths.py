"""Indexes in the user's cache: of logs that are given by their paths, and of games selected or renamed by a rule."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ..system import cache_home
from .index_file.database import remove

_SMALLEST = 1 << 18
"""Smaller logs, in bytes, are read again: that takes a tenth of a second."""
_KEPT_SECONDS = 30 * 24 * 3600
"""Indexes that no command has changed for so long are deleted."""


def index_of(place: Path, logs: Sequence[Path], rule: str = "") -> Path | None:
    """The index `$XDG_CACHE_HOME/fa/indexes/DIGEST.sqlite` of logs; None if they are not worth one.

    `place` is the log, or the folder of all of them; with a `rule` the index has only the games that this selects, as
    it renames them. An index beside a log outside of the home is not used: whoever made it could have written any
    results into it.
    """
    try:
        if sum(log.stat().st_size for log in logs) < _SMALLEST:
            return None
        folder = cache_home() / "fa" / "indexes"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # RuntimeError if the user has no home
        return None
    name = os.fsencode(place.resolve()) + (b"\0" + rule.encode() if rule else b"")
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
