"""Whether bots are still those that began: nobody's files change under one name, also not while games are played."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from ...errors import BotError, FaError
from ...protocol.bots import Bot, read_bot

Signature = tuple[tuple[str, int, int, int, int], ...]
"""Of files that nobody has touched: name, inode, size, times."""


class Identity:
    """Looks at the bots' files again and again; they are read only where somebody has touched them."""

    def __init__(self, bots: Sequence[Bot], sandboxed: bool) -> None:
        self._bots = bots
        self._sandboxed = sandboxed
        self._known: dict[int, Signature] = {}

    def check(self, places: Collection[int]) -> None:
        """Raises BotError if one of these bots is not what it was."""
        for place in places:
            path = Path(self._bots[place].path)
            signature = _signature(path)
            if self._known.get(place) != signature:
                self._read(self._bots[place], path)
                self._known[place] = signature

    def _read(self, bot: Bot, path: Path) -> None:
        try:
            now = read_bot(path, bot.name, self._sandboxed)
        except FaError as error:
            raise BotError(f"{bot.path} was changed while games were played, and is no bot now: {error}") from None
        if now.digest != bot.digest:
            raise BotError(
                f"{bot.path} was changed while games were played, and its games would not be those of one bot "
                "(resume --update goes on with it as a new version)"
            )


def _signature(path: Path) -> Signature:
    """Empty for a file that is not there."""
    files = [str(path)]
    if path.is_dir():
        files = sorted(f"{folder}/{name}" for folder, _, names in os.walk(path) for name in names)
    found = []
    for file in files:
        try:
            stat = os.stat(file)  # noqa: PTH116 - before and after each game: a Path for each file would take most of it
        except OSError:
            continue
        found.append((file, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns))
    return tuple(found)
