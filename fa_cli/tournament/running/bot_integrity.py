"""Detects bots whose files change while a tournament runs, so that all games of a name are games of the same bot."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from ...errors import BotError, FaError
from ...isolation.bot_files import FileEntry, display_name, file_entries, single_file
from ...isolation.discovery import Bot, read_bot
from ...system import Signature, file_signature

BotSignature = tuple[tuple[str, Signature], ...]
"""Of each file of a bot: its name and signature."""
_MAX_NAMED = 3


class BotIntegrity:
    """Compares the bots' files with the digests in `bots`; reads them only if their signature has changed."""

    def __init__(self, bots: Mapping[int, Bot], sandboxed: bool) -> None:
        self._bots = bots
        self._sandboxed = sandboxed
        self._known: dict[int, BotSignature] = {}

    def check(self, indexes: Collection[int]) -> dict[int, str]:
        """Those of the bots with these indexes that have changed, each with a phrase that begins with a verb."""
        changed = {}
        for index in indexes:
            path = Path(self._bots[index].path)
            signature = _signature(path)
            known = self._known.get(index)
            if signature is None or known != signature:
                files = _differing(known, signature) if known and signature else ""
                change = self._describe_change(self._bots[index], path, files)
                if change:
                    changed[index] = change
                elif signature is not None:
                    self._known[index] = signature
        return changed

    def _describe_change(self, bot: Bot, path: Path, files: str) -> str:
        """How a bot differs from its digest, in words; empty if it does not. `files` names the touched files."""
        where = f" ({files})" if files else ""
        try:
            current = read_bot(path, bot.name, self._sandboxed)
        except FaError as error:
            return f"was changed while games were played{where}, and is not a bot now: {error}"
        return "" if current.digest == bot.digest else f"was changed while games were played{where}"


def _differing(before: BotSignature, after: BotSignature) -> str:
    """The names of the files that differ, at most three of them."""
    names = sorted({Path(file[0]).name for file in set(before) ^ set(after)})
    return ", ".join(map(display_name, names[:_MAX_NAMED])) + (" ..." if len(names) > _MAX_NAMED else "")


def _signature(path: Path) -> BotSignature | None:
    """The signature of a bot's file or folder; None if a part of it cannot be examined."""
    try:
        entries: Iterable[FileEntry] = file_entries(path) if path.is_dir() else single_file(path)
        return tuple(sorted((name, file_signature(status)) for name, _, status in entries))
    except (BotError, OSError):
        return None
