"""Verifying whole files on all cores, in an amount of memory that does not grow with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

import msgspec

from ..errors import FaError, LogError, NewerFormat, NotALog
from .jsonl import is_json_lines, read_lines
from .log_entry import LogEntry, tournament_of
from .log_file import Damage, open_file, scan_log
from .parallel import map_in_order, usable_cores
from .record import Record, decode_record
from .verify import Finding, check

_BATCH = 8_000  # decisions that a process gets at a time, about 50 ms of work
_WORTH_PROCESSES = 4  # batches
_LINE_BYTES = 16  # of JSON for one decision, roughly


class Summary(msgspec.Struct):
    """What a file holds: the records that could be read, their decisions, and how many findings there are.

    `games`: how many the last record's tournament is to have, where it says so.
    """

    records: int = 0
    decisions: int = 0
    bad: int = 0
    games: int | None = None


class _Line(msgspec.Struct, frozen=True):
    """A record as JSON."""

    index: int
    json: bytes


_Item = LogEntry | Damage | _Line


class _Checked(msgspec.Struct):
    """What came of a batch."""

    findings: list[Finding]
    records: int
    decisions: int
    games: int | None


def verify_file(path: Path, tell: Callable[[Finding], None], jobs: int = 0) -> Summary:
    """Verify a log, or records as JSON lines; every finding goes to `tell`, in the order of the file.

    `jobs`: how many processes, 0 for one per core. Raises LogError (NotALog, NewerFormat) for a file that can't be
    read at all.
    """
    summary = Summary()
    batches = _batches(_lines(path) if is_json_lines(path) else scan_log(path))
    first = list(islice(batches, _WORTH_PROCESSES))
    if len(first) < _WORTH_PROCESSES:
        jobs = 1
    for checked in map_in_order(_check_batch, chain(first, batches), jobs or usable_cores()):
        summary.records += checked.records
        summary.decisions += checked.decisions
        summary.bad += len(checked.findings)
        summary.games = summary.games if checked.games is None else checked.games
        for finding in checked.findings:
            tell(finding)
    return summary


def _lines(path: Path) -> Iterator[_Line]:
    """Raises LogError for a file whose first line is no JSON, or is of a newer format."""
    with open_file(path) as file:
        for index, (number, json) in enumerate(read_lines(file, str(path))):
            if index == 0:
                _check_first(path, number, json)
            yield _Line(index, json)


def _check_first(path: Path, number: int, json: bytes) -> None:
    try:
        decode_record(json)
    except NewerFormat as error:
        raise error.within(f"{path}: line {number}") from None
    except LogError as error:
        try:
            msgspec.json.decode(json, type=dict[str, msgspec.Raw])
        except (msgspec.MsgspecError, ValueError, RecursionError):
            raise NotALog(f"{path}: this is neither a log nor JSON lines; line {number}: {error}") from None


def _batches(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    """The items in lists of about the same work."""
    batch: list[_Item] = []
    work = 0
    for item in items:
        batch.append(item)
        work += _work(item)
        if work >= _BATCH:
            yield batch
            batch, work = [], 0
    if batch:
        yield batch


def _work(item: _Item) -> int:
    """Decisions, roughly."""
    if isinstance(item, LogEntry):
        return item.decisions + 20
    return 20 if isinstance(item, Damage) else len(item.json) // _LINE_BYTES + 20


def _check_batch(items: list[_Item]) -> _Checked:
    checked = _Checked([], 0, 0, None)
    for item in items:
        try:
            what = decode_record(item.json) if isinstance(item, _Line) else item
        except FaError as error:
            checked.findings.append(Finding(item.index, str(error)))
            continue
        if not isinstance(what, Damage):
            checked.records += 1
            checked.decisions += what.decisions if isinstance(what, LogEntry) else len(what.actions)
            checked.games = _games(what)
        finding = check(what, item.index)
        if finding is not None:
            checked.findings.append(finding)
    return checked


def _games(what: LogEntry | Record) -> int | None:
    games = (tournament_of(what.meta) or {}).get("games")
    return games if type(games) is int else None
