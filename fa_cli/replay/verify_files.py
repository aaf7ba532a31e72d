"""Verifies whole files on all cores, in memory that does not grow with their size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

import msgspec

from ..errors import FaError, LogError, NewerFormat, NotALog
from ..system import cores
from .jsonl import is_json_lines, read_lines
from .log_entry import LogEntry
from .log_file import Damage, open_file, scan_log
from .packing.meta import tournament_of
from .parallel import map_in_order
from .record import decode_record
from .verify import Finding, check

_BATCH_DECISIONS = 8_000  # decisions per batch, about 50 ms of work
_MIN_BATCHES = 4  # smaller files are not worth starting processes
_BYTES_PER_DECISION = 16  # of JSON, roughly


class Summary(msgspec.Struct):
    """The numbers of readable records, of their plies and of bad records in a file.

    `games`: the planned number of games by the last record's tournament, if it states one.
    """

    records: int = 0
    plies: int = 0
    bad: int = 0
    games: int | None = None


class _Line(msgspec.Struct, frozen=True):
    """A line of JSON."""

    index: int
    json: bytes


_Item = LogEntry | Damage | _Line


def verify_file(path: Path, report: Callable[[Finding], None], jobs: int = 0) -> Summary:
    """Verify a log or a file of JSON lines; calls `report` with each finding, in the order of the file.

    `jobs`: the number of processes, 0 for one per core. Raises LogError, NotALog or NewerFormat if the file can't be
    read at all.
    """
    summary = Summary()
    batches = _batches(_json_lines(path) if is_json_lines(path) else scan_log(path))
    first = list(islice(batches, _MIN_BATCHES))
    if len(first) < _MIN_BATCHES:
        jobs = 1
    for result, findings in map_in_order(_check_batch, chain(first, batches), jobs or cores()):
        summary.records += result.records
        summary.plies += result.plies
        summary.bad += len(findings)
        summary.games = summary.games if result.games is None else result.games
        for finding in findings:
            report(finding)
    return summary


def _json_lines(path: Path) -> Iterator[_Line]:
    """Raises NotALog if the first line is not JSON, NewerFormat if it is a record of a later version."""
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
    """The items in lists of about equal work."""
    batch: list[_Item] = []
    work = 0
    for item in items:
        batch.append(item)
        work += _estimated_work(item)
        if work >= _BATCH_DECISIONS:
            yield batch
            batch, work = [], 0
    if batch:
        yield batch


def _estimated_work(item: _Item) -> int:
    """The work of checking an item, in decisions."""
    if isinstance(item, LogEntry):
        return item.decisions + 20
    return 20 if isinstance(item, Damage) else len(item.json) // _BYTES_PER_DECISION + 20


def _check_batch(items: list[_Item]) -> tuple[Summary, list[Finding]]:
    result, findings = Summary(), list[Finding]()
    for item in items:
        try:
            record = decode_record(item.json) if isinstance(item, _Line) else item
        except FaError as error:
            findings.append(Finding(item.index, str(error)))
            continue
        if not isinstance(record, Damage):
            result.records += 1
            result.plies += record.decisions if isinstance(record, LogEntry) else len(record.actions)
            games = (tournament_of(record.meta) or {}).get("games")
            result.games = games if type(games) is int else None
        finding = check(record, item.index)
        if finding is not None:
            findings.append(finding)
    return result, findings
