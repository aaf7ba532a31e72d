"""`fa replay`: verify, list, show, export, import, extract and repair logs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..columns import Column
from ..text import counted, printable
from .common import say
from .tables import Format, FormatOption, number, show

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..replay.log_entry import LogEntry
    from ..replay.narrate import Boards
    from ..replay.record import Record

app = typer.Typer(help="Verify, show, list, export and import logs.")

LogPath = Annotated[Path, typer.Argument(metavar="LOG", help="A replay log.")]
NewLog = Annotated[Path, typer.Option("--output", "-o", metavar="LOG", help="The log to write; a new file.")]
BoardsOption = Annotated[str, typer.Option(metavar="WHEN", help="Draw the board: all, turns, rounds or end.")]
Jobs = Annotated[int, typer.Option(min=0, help="How many processes; 0: one per core.")]


NOT_COVERED = "note: times and details in meta are not covered by the digests; only --head or a signature covers them"
COLUMNS = (
    number("record", "record"),
    number("number", "game no."),
    Column("game", "game"),
    Column("variant", "variant"),
    Column("players", "players", " ".join),
    Column("scores", "points", lambda scores: " ".join(map(str, scores))),
    Column("ranks", "ranks", lambda ranks: " ".join(map(str, ranks))),
    Column("reason", "reason"),
    number("decisions", "decisions"),
    number("faults", "faults"),
)


@app.command()
def verify(
    logs: Annotated[list[Path], typer.Argument(metavar="LOG...", help="Replay logs, or records as JSON lines.")],
    jobs: Annotated[int, typer.Option(min=0, help="How many processes; 0: one per core.")] = 0,
) -> None:
    """Deal every game again, replay every decision, and say what is wrong with which record.

    Times and details in meta are not covered by the digests: only `fa tournament verify NAME --head` or a signature
    shows that they were not changed.

    Exit code 0: all is well; 1: a record is bad; 2: a file can't be read at all.
    """
    from ..errors import CheckFailed, LogError

    bad, unreadable = 0, 0
    for path in logs:
        try:
            bad += _verify(path, jobs)
        except LogError as error:
            unreadable += 1
            if len(logs) == 1:
                raise
            print(printable(str(error)))
    if unreadable:
        raise LogError(f"{unreadable} of {len(logs)} files can't be read")
    if bad:
        raise CheckFailed(f"{counted(bad, 'bad record')} found")
    say(NOT_COVERED)


def _verify(path: Path, jobs: int) -> int:
    """Verify a file and print what came of it; returns how many records are bad."""
    from ..replay.verify_files import verify_file

    summary = verify_file(path, lambda finding: print(printable(f"{path}: {finding}")), jobs)
    what = f"{counted(summary.records, 'record')}, {counted(summary.decisions, 'decision')}"
    unfinished = f", of {summary.games:,} games planned" if summary.records < (summary.games or 0) else ""
    verdict = f"{summary.bad:,} bad" if summary.bad else "all good"
    print(printable(f"{path}: {what}{unfinished}: {verdict}"))
    return summary.bad


@app.command("list")
def list_(log: LogPath, format: FormatOption = Format.TABLE) -> None:
    """One row per record: who played what, and how it ended."""
    show((_row(entry) for entry in _entries(log)), COLUMNS, format)


def _row(entry: LogEntry) -> dict[str, Any]:
    return {
        "record": entry.index + 1,
        "number": entry.number,
        "game": entry.game,
        "variant": entry.variant,
        "players": entry.players,
        "scores": entry.result.scores,
        "ranks": entry.result.ranks,
        "reason": entry.result.reason,
        "decisions": entry.decisions,
        "faults": len(entry.faults),
    }


def _entries(path: Path) -> Iterator[LogEntry]:
    """The entries of a log that has to be whole; a torn end is only told of."""
    from ..replay.log_file import Damage, damaged, scan_log

    for found in scan_log(path):
        if not isinstance(found, Damage):
            yield found
        elif found.torn:
            print(printable(f"{path}: record {found.index + 1}: {found.text}"), file=sys.stderr)
        else:
            raise damaged(path, found)


@app.command("show")
def show_(
    log: LogPath,
    game: Annotated[int, typer.Option(min=1, metavar="N", help="Which record, from 1, as `fa replay list` has it.")],
    boards: BoardsOption = "rounds",
) -> None:
    """Tell a game in plain words, with the board and all hands drawn now and then."""
    from ..replay.narrate import narrate_game

    for line in narrate_game(record_of(log, game), parse_boards(boards)):
        print(line)


def parse_boards(boards: str) -> Boards:
    """When `--boards` wants the board drawn. Raises UsageError."""
    from ..errors import UsageError
    from ..replay.narrate import Boards

    try:
        return Boards(boards)
    except ValueError:
        raise UsageError(f"--boards is all, turns, rounds or end, not {boards!r}") from None


def _chosen(path: Path, wanted: Sequence[range]) -> Iterator[LogEntry]:
    """The records with these numbers, from 1, in the order of the log. Raises UsageError if one is not there."""
    from ..errors import UsageError

    count, last = 0, max(numbers.stop for numbers in wanted) - 1
    for entry in _entries(path):
        count = entry.index + 1
        if any(count in numbers for numbers in wanted):
            yield entry
        if count == last:
            return
    raise UsageError(f"{path}: there is no record {last}, but {counted(count, 'record')}")


def record_of(path: Path, number: int) -> Record:
    """The record of that number, from 1. Raises UsageError if there is none, LogError."""
    return _record(path, next(_chosen(path, [range(number, number + 1)])))


def _record(path: Path, entry: LogEntry, legal: bool = False) -> Record:
    from ..errors import LogError

    try:
        return entry.record(legal)
    except LogError as error:
        raise error.within(f"{path}: record {entry.index + 1}") from None


@app.command()
def export(
    log: LogPath,
    legal: Annotated[bool, typer.Option("--legal", help="Add all legal actions of every decision.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="A new file; if not said, standard output.")
    ] = None,
) -> None:
    """Print the records as JSON, one per line."""
    from ..replay.jsonl import write_records
    from ..replay.log_file import PRIVATE, is_private

    records = (_record(log, entry, legal) for entry in _entries(log))
    if output is None:
        sys.stdout.flush()
        write_records(sys.stdout.buffer, records)
    else:
        mode = PRIVATE if log.exists() and is_private(log) else 0o666
        with os.fdopen(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            count = write_records(file, records)
        print(printable(f"{output}: {counted(count, 'record')}"))


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="Records as JSON lines; - is standard input.")],
    output: NewLog,
) -> None:
    """Write records from JSON lines into a new log, as they are: `fa replay verify` says whether they are good."""
    from ..replay.jsonl import read_records
    from ..replay.log_entry import entry_of
    from ..replay.log_file import open_file, write_aside

    is_stdin = str(file) == "-"
    with sys.stdin.buffer if is_stdin else open_file(file) as source:
        count = write_aside(output, map(entry_of, read_records(source, "standard input" if is_stdin else str(file))))
    print(printable(f"{output}: {counted(count, 'record')}"))


@app.command()
def extract(
    log: LogPath,
    game: Annotated[list[str], typer.Option(metavar="N", help="Which record, from 1, or N-M; as often as needed.")],
    output: NewLog,
) -> None:
    """Copy some records into a new log, in the order that they have in the old one."""
    from ..replay.log_file import is_private, write_aside

    chosen = _chosen(log, [_range(text) for text in game])
    count = write_aside(output, chosen, private=log.exists() and is_private(log))
    print(printable(f"{output}: {counted(count, 'record')}"))


def _range(text: str) -> range:
    """`7` or `3-9`. Raises UsageError."""
    from ..errors import UsageError

    first, dash, last = text.partition("-")
    if first.isdecimal() and (last.isdecimal() or not dash) and len(text) < 20:
        chosen = range(int(first), int(last or first) + 1)
        if 0 < chosen.start < chosen.stop:
            return chosen
    raise UsageError(f"--game is a record's number, from 1, or a range like 3-9, not {text!r}")


@app.command()
def repair(log: LogPath) -> None:
    """Cut off what a crash left half written; after other damage, keep the records that are whole.

    A log that was damaged otherwise stays beside the new one, with .damaged after its name.
    """
    from ..replay.log_file import repair

    count, damages = repair(log)
    for damage in damages:
        print(printable(f"{log}: record {damage.index + 1}: {damage.text}"))
    print(printable(f"{log}: {'mended, ' if damages else 'nothing to mend, '}{counted(count, 'record')} kept"))
