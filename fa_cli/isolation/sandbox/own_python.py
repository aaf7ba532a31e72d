"""What a program in the sandbox sees of our own Python."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

_IN_ENVIRONMENT = ("pyvenv.cfg", "bin", "lib", "lib64", "include", "share", "etc")
"""What a virtual environment has in its folder, which may be the home of a tournament too."""


def python_paths() -> list[str]:
    """Where Python is installed, what its virtual environment has, and the links that lead from one to the other."""
    names = _IN_ENVIRONMENT if sys.prefix != sys.base_prefix else ()
    paths = [sys.base_prefix, *(str(path) for name in names if (path := Path(sys.prefix, name)).exists())]
    return [*paths, *(link for link in python_links() if not any(map(Path(link).is_relative_to, paths)))]


@cache
def python_links() -> dict[str, str]:
    """The links that lead from `sys.executable` to its file, with their targets."""
    links: dict[str, str] = {}
    path = Path(sys.executable)
    while path.is_symlink() and str(path) not in links:
        links[str(path)] = str(path.readlink())
        path = path.parent / path.readlink()
    return links
