"""Whether bots are still those that began: nobody's files change under one name, also not while games are played."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from ...errors import BotError, FaError
from ...isolation.bot_files import FileEntry, display_name, file_entries, single_file
from ...isolation.discovery import Bot, read_bot
from ...system import Signature, file_signature

BotSignature = tuple[tuple[str, Signature], ...]
"""Of each file: its name and signature."""
_NAMED = 3


class BotIntegrity:
    """Looks at the bots' files again and again; they are read only where somebody has touched them."""

    def __init__(self, bots: Sequence[Bot], sandboxed: bool) -> None:
        self._bots = bots
        self._sandboxed = sandboxed
        self._known: dict[int, BotSignature] = {}

    def check(self, places: Collection[int]) -> dict[int, str]:
        """Which of these bots are not what they were, each with words that begin with a verb."""
        found = {}
        for place in places:
            path = Path(self._bots[place].path)
            signature = _signature(path)
            known = self._known.get(place)
            if signature is None or known != signature:
                files = _differing(known, signature) if known and signature else ""
                trouble = self._read(self._bots[place], path, files)
                if trouble:
                    found[place] = trouble
                elif signature is not None:
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


def _differing(before: BotSignature, now: BotSignature) -> str:
    """The names of the files that differ; the first of them where there are many."""
    names = sorted({Path(file[0]).name for file in set(before) ^ set(now)})
    return ", ".join(map(display_name, names[:_NAMED])) + (" ..." if len(names) > _NAMED else "")


def _signature(path: Path) -> BotSignature | None:
    """None where not all of it can be looked at."""
    try:
        found: Iterable[FileEntry] = file_entries(path) if path.is_dir() else single_file(path)
        return tuple(sorted((name, file_signature(status)) for name, _, status in found))
    except (BotError, OSError):
        return None
