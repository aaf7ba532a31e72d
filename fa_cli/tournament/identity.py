"""Whether bots are still those that began: nobody's files change under one name, also not while games are played."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from ..errors import FaError
from ..protocol.bots import Bot, read_bot

Signature = tuple[tuple[str, int, int, int, int], ...]
"""Of files that nobody has touched: name, inode, size, times."""
_NAMED = 3


class Identity:
    """Looks at the bots' files again and again; they are read only where somebody has touched them."""

    def __init__(self, bots: Sequence[Bot], sandboxed: bool) -> None:
        self._bots = bots
        self._sandboxed = sandboxed
        self._known: dict[int, Signature] = {}

    def check(self, places: Collection[int]) -> dict[int, str]:
        """Which of these bots are not what they were, each with words that begin with a verb."""
        found = {}
        for place in places:
            path = Path(self._bots[place].path)
            signature = _signature(path)
            known = self._known.get(place)
            if known != signature:
                trouble = self._read(self._bots[place], path, _differing(known or (), signature) if known else "")
                if trouble:
                    found[place] = trouble
                else:
                    self._known[place] = signature
        return found

    def _read(self, bot: Bot, path: Path, files: str) -> str:
        """What is wrong with a bot whose files somebody has touched; empty if it is what it was."""
        where = f" ({files})" if files else ""
        try:
            now = read_bot(path, bot.name, self._sandboxed)
        except FaError as error:
            return f"was changed while games were played{where}, and is not a bot now: {error}"
        return "" if now.digest == bot.digest else f"was changed while games were played{where}"


def _differing(before: Signature, now: Signature) -> str:
    """The names of the files that differ; the first of them where there are many."""
    names = sorted({Path(file[0]).name for file in set(before) ^ set(now)})
    return ", ".join(names[:_NAMED]) + (" ..." if len(names) > _NAMED else "")


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
