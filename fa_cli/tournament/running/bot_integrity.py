"""Detects bots whose files change while a tournament runs, so that all games of a name are games of the same bot."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from ...errors import BotError, FaError, shortage
from ...isolation.bot_files import display_name, file_entries
from ...isolation.discovery import Bot, read_bot
from ...system import Signature, file_signature

_MAX_NAMED = 3
_MOMENT = 0.005
"""Seconds between two games of a worker in which bots are hardly ever changed."""
_SETTLED_NS = 2_000_000_000
"""The coarsest clock of a file system: a later change of a folder that is older than this has another time."""


class BotIntegrity:
    """Compares the bots' files with the digests in `bots`; reads them only if their signature has changed or is new."""

    def __init__(self, bots: Mapping[int, Bot], sandboxed: bool) -> None:
        self._bots = bots
        self._sandboxed = sandboxed
        self._known: dict[int, _Snapshot] = {}
        self._checked: dict[int, float] = {}  # when a bot was last found unchanged

    def check_before(self, indexes: Collection[int]) -> dict[int, str]:
        """Do the same as `check`, without bots that were found unchanged a moment ago.

        A change since then that lasts is found by the check after the game. One that is undone before that check is
        not, but no check finds a change that is made and undone during a game.
        """
        moment_ago = time.monotonic() - _MOMENT
        return self.check([index for index in indexes if self._checked.get(index, 0.0) < moment_ago])

    def check(self, indexes: Collection[int]) -> dict[int, str]:
        """The bots with these indexes that have changed, each with a phrase that begins with a verb."""
        changed = {}
        now = time.monotonic()
        for index in indexes:
            known = self._known.get(index)
            if known is None or not known.still_holds():
                change = self._describe_change(index, known)
                if change:
                    changed[index] = change
                    continue
            self._checked[index] = now
        return changed

    def _describe_change(self, index: int, known: _Snapshot | None) -> str:
        """The difference of a bot from its digest in words; empty if there is none, and then its files are known."""
        bot = self._bots[index]
        path = Path(bot.path)
        current = _snapshot(path)
        if not (current and known and known.is_settled and current.equals(known)):
            files = _differing(known, current) if known and current else ""
            where = f" ({files})" if files else ""
            try:
                digest = read_bot(path, bot.name, self._sandboxed).digest
            except FaError as error:
                if shortage(error):
                    raise
                return f"was changed while games were played{where}, and is not a bot now: {error}"
            if digest != bot.digest:
                return f"was changed while games were played{where}"
        if current is not None:
            self._known[index] = current
        return ""


class _Snapshot(NamedTuple):
    """A bot's file or folder as it was examined."""

    path: str
    signature: Signature
    """The state of the file or folder itself, which links may lead to."""
    entries: frozenset[tuple[str, Signature]]
    """The files, folders and links in the folder, by path; empty for a file."""
    is_settled: bool
    """Whether all of it is so old that any change would show in the signatures."""

    def equals(self, other: _Snapshot) -> bool:
        """Whether nobody has written to the bot in between, if `other` was settled."""
        return self.signature == other.signature and self.entries == other.entries

    def still_holds(self) -> bool:
        """Whether nothing has changed since. A new or removed file shows in its folder, so nothing is listed."""
        if not self.is_settled:
            return False
        try:
            if file_signature(os.stat(self.path)) != self.signature:  # noqa: PTH116 - quicker than a Path
                return False
            return all(file_signature(os.lstat(path)) == signature for path, signature in self.entries)
        except OSError:
            return False


def _snapshot(path: Path) -> _Snapshot | None:
    """The bot at this path as it is now; None if a part of it cannot be examined."""
    now = time.time_ns()
    try:
        status = path.stat()  # before the folder is listed, so that a later change differs from it
        files = file_entries(path) if path.is_dir() else ()
        entries = frozenset((file.path, file_signature(file.status)) for file in files)
    except (BotError, OSError):
        return None
    signature = file_signature(status)
    newest = max(changed for _, _, _, changed in [signature, *(signature for _, signature in entries)])
    return _Snapshot(str(path), signature, entries, newest < now - _SETTLED_NS)


def _differing(before: _Snapshot, after: _Snapshot) -> str:
    """The names of the files that differ, at most three of them."""
    names = sorted({Path(path).name for path, _ in before.entries ^ after.entries}) or [Path(after.path).name]
    return ", ".join(map(display_name, names[:_MAX_NAMED])) + (" ..." if len(names) > _MAX_NAMED else "")
