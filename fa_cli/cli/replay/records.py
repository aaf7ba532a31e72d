"""The records of a log, as commands name them: a log by its path or its tournament, a record by its number."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import msgspec

from ...errors import LogError, UsageError
from ...option import Argument, Option
from ...printing.terminal import print_line
from ...printing.text import counted
from ..common import find_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ...games.search import Policy
    from ...replay.evaluation import Evaluation
    from ...replay.log_entry import LogEntry
    from ...replay.log_file import Damage
    from ...replay.record import Record

LogPath = Annotated[Path, Argument("The path of a log, or a tournament's name.", "LOG", read=find_log)]
GameNumber = Annotated[int, msgspec.Meta(ge=1), Option("Take record N of the log, from 1.", "N")]
EvaluateOption = Annotated[bool, Option("Say who could expect to win at each ply, and show the three worst decisions.")]


def evaluation_of(record: Record, is_wanted: bool, player: str | None = None) -> Evaluation | None:
    """What the shipped bot `student` makes of a record, if it is wanted. Raises as `evaluate` does."""
    return _evaluated(record, player) if is_wanted else None


def with_evaluation(record: Record) -> Record:
    """The record with the same in its `meta`. Raises as `evaluate` does."""
    return msgspec.structs.replace(record, meta=record.meta | {"evaluation": _evaluated(record).plain()})


def _evaluated(record: Record, player: str | None = None) -> Evaluation:
    from ...replay.evaluation import evaluate

    return evaluate(record, student_policies(), player)


@cache
def student_policies() -> Callable[[str, int], Policy]:
    """Import the shipped bot `student`, whose modules import each other by name; returns its `policy_of`."""
    from ...isolation.shipped_bots import FOLDER

    before = sys.path[:], sys.dont_write_bytecode
    try:
        sys.path.insert(0, str(FOLDER / "student"))
        sys.dont_write_bytecode = True  # a cache in the bot's folder would change the bot's digest
        found: Callable[[str, int], Policy] = import_module("student").policy_of
    finally:
        sys.path[:], sys.dont_write_bytecode = before
    return found


def entries_of(path: Path) -> Iterator[LogEntry]:
    """The entries of a log. A torn end is reported on stderr; other damage raises LogError."""
    from ...replay.log_file import scan_log

    return _undamaged(path, scan_log(path))


def _undamaged(path: Path, items: Iterable[LogEntry | Damage]) -> Iterator[LogEntry]:
    from ...replay.log_file import Damage, damage_error

    for entry in items:
        if not isinstance(entry, Damage):
            yield entry
        elif entry.torn:
            print_line(f"{path}: record {entry.index + 1}: {entry.text}", sys.stderr)
        else:
            raise damage_error(path, entry)


def chosen_entries(path: Path, ranges: Sequence[range]) -> Iterator[LogEntry]:
    """The records with these numbers, from 1, in the order of the log. Raises UsageError if one is missing."""
    return _chosen(path, ranges, lambda items: _undamaged(path, items))


def chosen_items(path: Path, ranges: Sequence[range]) -> Iterator[LogEntry | Damage]:
    """The records with these numbers, and damage in their place. Raises UsageError if one is missing."""
    return _chosen(path, ranges, iter)


_Item = TypeVar("_Item", bound="LogEntry | Damage", covariant=True)


def _chosen(
    path: Path, ranges: Sequence[range], read: Callable[[Iterable[LogEntry | Damage]], Iterator[_Item]]
) -> Iterator[_Item]:
    """The items that `read` makes of these records. Those that lie far before them in a long log are not read."""
    from ...replay.codec import BLOCK
    from ...replay.log_entry import LogEntry
    from ...replay.log_file import position_before, scan_log

    items, done = read(scan_log(path)), 0
    for wanted in sorted(ranges, key=lambda numbers: numbers.start):
        last = wanted.stop - 1
        start = position_before(path, wanted.start - 1) if wanted.start > done + BLOCK else None
        if start is not None and start.index > done:
            items, done = read(scan_log(path, start)), start.index
        for item in items if done < last else ():
            if item.index + 1 > last:  # damage and the record behind it can have the same number
                items, done = chain([item], items), last  # what lies between is lost
                break
            done = max(done, item.index + 1)
            if done in wanted:
                yield item
            if done == last and isinstance(item, LogEntry):
                break
        if done < last:
            raise UsageError(f"{path}: no record {last}: the log has {counted(done, 'record')}")


def record_of(path: Path, number: int) -> Record:
    """The record with this number, from 1. Raises UsageError if there is none, LogError if it is damaged."""
    return unpacked(path, next(chosen_entries(path, [range(number, number + 1)])))


def unpacked(path: Path, entry: LogEntry, legal: bool = False) -> Record:
    """The record of an entry. Raises LogError, with the place, if it is damaged."""
    try:
        return entry.record(legal)
    except LogError as error:
        raise error.within(f"{path}: record {entry.index + 1}") from None
