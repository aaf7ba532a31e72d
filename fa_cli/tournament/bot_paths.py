"""Paths of bots as definitions have them: they survive moving the folder, and name nobody's home directory.

- `greedy`: a shipped bot
- `./bots/mine.py`, `../bots/mine.py`: relative to the folder that holds tournaments/
- `~/bots/mine.py`: in the home directory, where a relative path would name it
- `/opt/mine.py`: where the two have no folder in common
"""

from __future__ import annotations

import os
from pathlib import Path

from ..isolation.shipped_bots import FOLDER, shipped_paths, typed_as


def portable(path: str, folder: Path) -> str:
    """A path as a definition below `folder` has it."""
    path = os.path.abspath(path)  # noqa: PTH100 - Path.absolute keeps ..
    if (name := typed_as(path)) != path:
        return name
    base = str(folder.absolute())
    if _is_in_home(path) and not _is_in_home(base):
        return f"~/{os.path.relpath(path, _home())}"
    if os.path.commonpath((path, base)) == "/":
        return path
    relative = os.path.relpath(path, base)
    return relative if relative.startswith("../") else f"./{relative}"


def resolved(text: str, folder: Path) -> str:
    """The absolute path of what a definition below `folder` has."""
    if "/" not in text and text in (shipped := shipped_paths()):
        return str(shipped[text])
    return os.path.normpath(folder.absolute() / os.path.expanduser(text))  # noqa: PTH111 - another user's ~ may not exist


def without_folders(text: str, folder: Path) -> str:
    """A sentence in which paths begin as in `portable`."""
    for prefix, short in ((FOLDER, ""), (folder.absolute(), "./"), (_home(), "~/")):
        text = text.replace(f"{prefix}/", short)
    return text


def _is_in_home(path: str) -> bool:
    return f"{path}/".startswith(f"{_home()}/")


def _home() -> str:
    """The user's home directory; `~` if the user has none, as in a container."""
    return os.path.expanduser("~")  # noqa: PTH111 - Path.home raises then
