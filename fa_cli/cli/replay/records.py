"""The records of a log, as commands name them: a log by its path or its tournament, a record by its number."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...terminal import print_line
from ...text import counted
from ..common import find_log

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...replay.log_entry import LogEntry
    from ...replay.record import Record

LogPath = Annotated[
    Path, typer.Argument(metavar="LOG", help="The path of a log, or a tournament's name.", parser=find_log)
]
GameNumber = Annotated[int, typer.Option("--game", min=1, metavar="N", help="Take record N of the log, from 1.")]


def entries_of(path: Path) -> Iterator[LogEntry]:
    """The entries of a log. A torn end is reported on stderr; other damage raises LogError."""
    from ...replay.log_file import Damage, damage_error, scan_log

    for entry in scan_log(path):
        if not isinstance(entry, Damage):
            yield entry
        elif entry.torn:
            print_line(f"{path}: record {entry.index + 1}: {entry.text}", sys.stderr)
        else:
            raise damage_error(path, entry)


def chosen_entries(path: Path, ranges: Sequence[range]) -> Iterator[LogEntry]:
    """The records with these numbers, from 1, in the order of the log. Raises UsageError if one is missing."""
    from ...errors import UsageError

    count, last = 0, max(numbers.stop for numbers in ranges) - 1
    for entry in entries_of(path):
        count = entry.index + 1
        if any(count in numbers for numbers in ranges):
            yield entry
        if count == last:
            return
    raise UsageError(f"{path}: there is no record {last}, but {counted(count, 'record')}")


def record_of(path: Path, number: int) -> Record:
    """The record with this number, from 1. Raises UsageError if there is none, LogError if it is damaged."""
    return unpacked(path, next(chosen_entries(path, [range(number, number + 1)])))


def unpacked(path: Path, entry: LogEntry, legal: bool = False) -> Record:
    """The record of an entry. Raises LogError, with the place, if it is damaged."""
    from ...errors import LogError

    try:
        return entry.record(legal)
    except LogError as error:
        raise error.within(f"{path}: record {entry.index + 1}") from None
