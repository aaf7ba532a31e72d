"""The version of everything that plays a game: machines may share a tournament only if they have the same."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from .. import __version__
from ..games import is_compiled

_PACKAGE = Path(__file__).parents[1]
_PARTS = ("games", "protocol", "isolation", "match", "replay", "tournament", "cluster")
"""The folders whose code decides how a game goes and what its record holds, or how workers are spoken to."""
_DIGITS = 12


@cache
def engine_digest() -> str:
    """A digest, in hex, of the Python files that play games. Compiled engines have that of their sources."""
    digest = hashlib.sha256()
    files = [*_PACKAGE.glob("*.py"), *(file for part in _PARTS for file in (_PACKAGE / part).rglob("*.py"))]
    for file in sorted(files, key=lambda file: file.relative_to(_PACKAGE).as_posix()):
        name = file.relative_to(_PACKAGE).as_posix()
        digest.update(name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:_DIGITS]


def engine_version() -> str:
    """The version with the digest: `0.1.0 3b1f0c9a2d47`. Machines with the same play the same games."""
    return f"{__version__} {engine_digest()}"


def engine_build() -> str:
    """How the engines run here: `compiled` or `Python`. Both play the same, compiled ones faster."""
    return "compiled" if is_compiled() else "Python"
