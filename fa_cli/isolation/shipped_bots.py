"""The bots that ship with `fa`: in the package when it is installed from a wheel, else in bots/ of the source tree."""

from __future__ import annotations

import os
import re
from difflib import get_close_matches
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_IN_WHEEL = _PACKAGE / "bots"
FOLDER = _IN_WHEEL if _IN_WHEEL.is_dir() else _PACKAGE.parent / "bots"
LANGUAGES = {".py": "Python", ".js": "JavaScript", ".c": "C", ".awk": "awk", ".pl": "Perl"}
"""The languages of the shipped bots, by extension of a source file."""
BYTECODE = "__pycache__/"
"""What installers add to a wheel's Python files, as a pattern of `bot_files.file_entries`."""
_COMMENT = re.compile(r'^(?:#!.*\n)?(?:"""|# |// )(.+?)[.:](?:\s|$)')
"""The first sentence of a file's leading comment."""


def shipped_paths() -> dict[str, Path]:
    """The paths of the shipped bots by name, in alphabetical order."""
    paths = sorted(FOLDER.iterdir()) if FOLDER.is_dir() else []
    return {path.stem: path for path in paths if path.suffix in LANGUAGES or (path / "bot.toml").is_file()}


def find_shipped(text: str, folder: Path = Path()) -> Path | None:
    """The shipped bot of this name, if the text is a name without a path and no file in `folder` has it."""
    if "/" in text or os.path.lexists(folder / text):
        return None
    return shipped_paths().get(text)


def typed_as(path: str | Path) -> str:
    """A bot's path as a person would type it: a shipped bot's name, else the path."""
    whole = Path(path)
    if whole.parent != FOLDER:  # of thousands of bots none may be shipped
        return str(path)
    return whole.stem if shipped_paths().get(whole.stem) == whole else str(path)


def hint(path: Path) -> str:
    """The end of a sentence on a path that does not exist: shipped bots that may be meant.

    Empty for an absolute path, as those that a tournament resumes with.
    """
    if path.is_absolute():
        return ""
    near = get_close_matches(path.stem, shipped_paths(), n=1)
    return f"; did you mean the shipped bot {near[0]}?" if near else "; fa bots lists the shipped bots"


def is_installed(path: Path) -> bool:
    """Whether this is a bot in a wheel's package, whose bytecode does not belong to it: it differs by installation."""
    return path.absolute().parent == _IN_WHEEL


def language_of(path: Path) -> str:
    """The programming language of a shipped bot; "" for another, which somebody put into bots/ of a source tree."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return next((LANGUAGES[file.suffix] for file in files if file.suffix in LANGUAGES), "")


def leading_sentence(path: Path) -> str:
    """The first sentence of the comment that a file begins with, as a description has it; "" without one."""
    found = _COMMENT.match(path.read_text(encoding="utf-8", errors="replace"))
    return found[1][:1].lower() + found[1][1:] if found else ""
