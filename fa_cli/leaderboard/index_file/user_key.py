"""The user's key, with which indexes are sealed: `$XDG_STATE_HOME/fa/index.key`."""

from __future__ import annotations

import functools
import secrets
from contextlib import suppress
from pathlib import Path

from ...system import state_home, write_atomically
from .index_errors import IndexUnusable

_SIZE = 32
"""Bytes of a key."""


def user_key() -> bytes:
    """The key of this user on this machine, made when it is first needed. Raises IndexUnusable if it can't be kept."""
    try:
        return _key_in(state_home() / "fa" / "index.key")
    except (OSError, RuntimeError) as error:  # RuntimeError if the user has no home
        raise IndexUnusable(f"the key of indexes: {error}") from None


@functools.lru_cache(maxsize=8)
def _key_in(path: Path) -> bytes:
    try:
        return _read(path)
    except FileNotFoundError:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):  # another process was faster
            write_atomically(path, secrets.token_bytes(_SIZE), replace=False, mode=0o600)
        return _read(path)


def _read(path: Path) -> bytes:
    key = path.read_bytes()
    if len(key) != _SIZE:
        raise OSError(f"{path} is not a key")
    return key
