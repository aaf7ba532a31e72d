"""The Merkle tree of a log: a leaf is a record's JSON, as `fa replay export` writes it."""

from __future__ import annotations

from pathlib import Path

from ..replay.log_entry import LogEntry
from ..replay.log_file import read_log
from ..replay.parallel import map_in_order
from ..replay.record import encode_record
from ..system import cores
from .merkle import leaf_hash
from .tiles import Tree

_WORTH_PROCESSES = 1 << 18  # bytes of a log; a smaller one is hashed in this process


def leaf_of(entry: LogEntry) -> bytes:
    """The leaf of a record: its JSON. Raises LogError as `LogEntry.record`."""
    return encode_record(entry.record())


def tree_of(log: Path) -> Tree:
    """The tree of all records of a log. Raises LogError if it is damaged; a torn end is ignored."""
    tree = Tree()
    for leaf in map_in_order(_hashed, read_log(log), cores() if log.stat().st_size > _WORTH_PROCESSES else 1):
        tree.add(leaf)
    return tree


def _hashed(entry: LogEntry) -> bytes:
    return leaf_hash(leaf_of(entry))
