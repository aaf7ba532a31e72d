"""The Merkle tree of a log: a leaf is a record's JSON, as `fa replay export` writes it.

The folder `NAME.log.tree` beside `NAME.log` keeps the hashes, so that only new games are unpacked. It is derived: it is
built again when it is missing, cut off, damaged or of another log.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from ..decoding import built
from ..errors import LogError
from ..replay.log_entry import LogEntry
from ..replay.log_file import START, LogPosition, holds_position, read_from
from ..replay.log_writer import PRIVATE, is_private
from ..replay.parallel import map_in_order
from ..replay.record import encode_record
from ..system import cores, read_regular, write_atomically
from .merkle import EMPTY_ROOT, HASH_BYTES, leaf_hash
from .tiles import Tree

_LARGEST = 1 << 36  # bytes of a file in the folder
_WORTH_PROCESSES = 1 << 18  # bytes of new games in the log; fewer are hashed in this process


class _State(msgspec.Struct, frozen=True):
    """Up to where the folder has the hashes of a log."""

    position: LogPosition
    root: bytes
    levels: int = 1


def leaf_of(entry: LogEntry) -> bytes:
    """The leaf of a record: its JSON. Raises LogError as `LogEntry.record`."""
    return encode_record(entry.record())


def tree_of(log: Path) -> Tree:
    """The tree of all records of a log. Raises LogError if it is damaged; a torn end is ignored."""
    tree, state = _kept(log)
    position = state.position
    if log.stat().st_size == position.end:
        return tree
    for leaf, end in _new_leaves(log, state.position):
        tree.add(leaf)
        position = end
    if position != state.position:
        _save(log, tree, _State(position, tree.root(), len(tree.levels)))
    return tree


def fresh_tree_of(log: Path) -> Tree:
    """The same, from all records: nothing that is kept is believed. Raises LogError as `tree_of`."""
    tree = Tree()
    for leaf, _ in _new_leaves(log, START):
        tree.add(leaf)
    return tree


def _new_leaves(log: Path, done: LogPosition) -> Iterator[tuple[bytes, LogPosition]]:
    """The hashes of the leaves after a position, each with the position after it."""
    is_much = log.stat().st_size - done.end > _WORTH_PROCESSES
    return map_in_order(_hashed, read_from(log, done.index), cores() if is_much else 1)


def _hashed(item: tuple[LogEntry, LogPosition]) -> tuple[bytes, LogPosition]:
    return leaf_hash(leaf_of(item[0])), item[1]


def _kept(log: Path) -> tuple[Tree, _State]:
    """The hashes that the folder has of this log; none if it has none that can be used."""
    folder = folder_of(log)
    try:
        state = msgspec.json.decode(read_regular(folder / "state", 1 << 16), type=built(_State))
        if not 0 < state.levels <= 8 or not holds_position(log, state.position):
            raise ValueError
        files = [read_regular(folder / str(level), _LARGEST) for level in range(state.levels)]
        sizes = [(state.position.index >> 8 * level) * HASH_BYTES for level in range(state.levels)]
        tree = Tree([bytearray(file[:size]) for file, size in zip(files, sizes, strict=True)])
        if (tree.size, tree.root()) != (state.position.index, state.root):
            raise ValueError
        return tree, state
    except (OSError, ValueError, msgspec.MsgspecError):
        if not log.exists():
            raise LogError(f"{log}: No such file or directory") from None
        return Tree(), _State(START, EMPTY_ROOT)


def _save(log: Path, tree: Tree, state: _State) -> None:
    """Write the folder, if that is possible."""
    folder = folder_of(log)
    mode = PRIVATE if is_private(log) else 0o666
    with suppress(OSError):
        folder.mkdir(exist_ok=True)
        for level, entries in enumerate(tree.levels):
            write_atomically(folder / str(level), bytes(entries), replace=True, mode=mode)
        write_atomically(folder / "state", msgspec.json.encode(state), replace=True, mode=mode)


def folder_of(log: Path) -> Path:
    """The folder with the hashes of a log."""
    return log.with_name(f"{log.name}.tree")
