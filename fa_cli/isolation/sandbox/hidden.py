"""What no bot may see although it lies in a folder that bots see: homes with their logs, and other bots.

A home may lie in /opt or be the environment that `fa` runs from, and a bot may lie anywhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""The PATH of every bot."""
_HIDDEN: set[str] = set()


def hide(paths: Iterable[str | Path]) -> None:
    """Hide files and folders from all programs that this process starts in the sandbox from now on.

    A program's own folder, and a program's file, are shown to it all the same.
    """
    for path in paths:
        with suppress(ValueError):  # a path with a null byte
            _HIDDEN.add(os.path.realpath(path))


def hide_home(home: Path) -> None:
    """Hide a home; only its logs and definitions if it holds the programs of the system."""
    hide([home / "logs", home / "tournaments"])
    if not any(Path(folder).is_relative_to(home.absolute()) for folder in SYSTEM_PATH.split(":")):
        hide([home])


def is_hidden(path: Path) -> bool:
    """Whether this file or folder itself was hidden; `path` has no links."""
    return str(path) in _HIDDEN


def covers(folders: Sequence[str], own: str) -> list[str]:
    """The hidden paths in folders that a program sees, but for those in another, among the folders, or in its `own`."""
    targets = {folder: os.path.realpath(folder) for folder in folders}
    found = {
        folder + path[len(target) :]
        for folder, target in targets.items()
        for path in _HIDDEN
        if path.startswith(f"{target}/") and Path(path).exists()
    }
    found = {path for path in found - targets.keys() if not f"{path}/".startswith(f"{own}/")}
    return sorted(path for path in found if _nearest_above(path, found | targets.keys()) in targets)


def _nearest_above(path: str, paths: set[str]) -> str:
    return next(above for above in map(str, Path(path).parents) if above in paths)
