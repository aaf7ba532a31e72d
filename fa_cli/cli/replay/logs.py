"""`fa replay`: verify, list, show, export, import, extract and repair logs."""

from __future__ import annotations

import os
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from ...errors import CheckFailed, FaError, LogError, UsageError, check_new, writing
from ...option import Argument, Option, OptionGroup
from ...printing.columns import KEY, ON_REQUEST, bad_if_any, number, numbers, text
from ...printing.terminal import print_line
from ...printing.text import counted, near_or_all
from ..common import BoardsOption, find_log, parse_range, say
from ..help import explained
from ..shared_options import ProcessesOption
from ..tables import TableOptions
from .conditions import WhereOption, parse_conditions
from .records import (
    EvaluateOption,
    GameNumber,
    LogPath,
    chosen_entries,
    entries_of,
    evaluation_of,
    record_of,
    unpacked,
    with_evaluation,
)

if TYPE_CHECKING:
    from ...replay.log_entry import LogEntry

NewLog = Annotated[Path, Option("Write to LOG, a new file.", "LOG", short="o", group=OptionGroup.OUTPUT)]
NOT_COVERED = "note: times and details in meta are not covered by the digests; only --head or a signature covers them"


class RecordRow(msgspec.Struct):
    """A record of a log; the lists have an entry per seat."""

    record: Annotated[int, number("game", "the record, from 1, for `--game`", importance=KEY)]
    number: Annotated[
        int | None,
        number("block", "the number of its block in the tournament, from 0: games of one deal", importance=ON_REQUEST),
    ]
    game: Annotated[str, text("rules", "the game's name", importance=1)]
    variant: Annotated[
        str, text("variant", "the options by which the game is rated apart, as `side=five`", folds=True, importance=6)
    ]
    players: Annotated[list[str], text("players", "list: the players, by seat", " ".join, folds=True)]
    points: Annotated[list[int], numbers("points", "list: points, by seat")]
    ranks: Annotated[list[int], numbers("ranks", "list: 1 + the number of seats ahead, by seat", importance=4)]
    reason: Annotated[str, text("reason", "how the game ended", folds=True, importance=5)]
    plies: Annotated[int, number("plies", "actions in the game, forced ones too", importance=3)]
    faults: Annotated[int, number("faults", "faults in the game", tone=bad_if_any)]
    suspended: Annotated[
        int, number("suspended", "seats without their bot, which was suspended", importance=ON_REQUEST)
    ]


@explained(
    "log-format",
    ("Verify the log of a tournament", "fa replay verify spring"),
    ("Verify several files", "fa replay verify logs/*.log"),
)
def verify(
    logs: Annotated[
        list[Path],
        Argument("Paths of logs or JSON lines, or names of tournaments.", "LOG...", read=find_log),
    ],
    jobs: ProcessesOption = 0,
) -> None:
    """Verify every game of logs: deal it again and replay every action.

    Times and details in meta are not covered by the digests: only `fa tournament verify NAME --head` or a signature
    shows that they were not changed.

    Exit code 0: no problem found; 1: a record is bad; 2: a file cannot be read.
    """
    bad, unreadable = 0, 0
    for path in logs:
        try:
            bad += _verify(path, jobs)
        except LogError as error:
            unreadable += 1
            if len(logs) == 1:
                raise
            print_line(str(error))
    if unreadable:
        raise LogError(f"{unreadable} of {len(logs)} files can't be read")
    if bad:
        raise CheckFailed(f"{counted(bad, 'bad record')} found")
    say(NOT_COVERED)


def _verify(path: Path, jobs: int) -> int:
    """Verify a file and print the result; returns the number of bad records."""
    from ...replay.verify_files import verify_file

    summary = verify_file(path, lambda finding: print_line(f"{path}: {finding}"), jobs)
    totals = f"{counted(summary.records, 'record')}, {summary.plies:,} plies"
    unfinished = f", of {counted(summary.games or 0, 'game')} planned" if summary.records < (summary.games or 0) else ""
    verdict = f"{summary.bad:,} bad" if summary.bad else "all good"
    print_line(f"{path}: {totals}{unfinished}: {verdict}")
    return summary.bad


@explained(
    "watch-games",
    ("List the games of a tournament", "fa replay list spring"),
    ("List the long games of one bot", "fa replay list spring --where players=greedy --where 'plies>300'"),
    ("List the games of a log, for a spreadsheet", "fa replay list logs/match-1.log --format csv > games.csv"),
)
def list_(
    log: LogPath,
    *,
    where: WhereOption = None,
    limit: Annotated[
        int, msgspec.Meta(ge=0, le=sys.maxsize), Option("Print N games; 0: all.", "N", group=OptionGroup.TABLE)
    ] = 0,
    table: TableOptions,
) -> None:
    """List the games of a log: players, points and how they ended.

    Rows are printed as they are read. All conditions of --where must hold.
    """
    from ..tables.stream import stream_rows

    conditions = parse_conditions(where)
    games = (entry for entry in entries_of(log) if all(holds(entry) for holds in conditions))
    stream_rows(RecordRow, map(_row, islice(games, limit or None)), table)


def _row(entry: LogEntry) -> RecordRow:
    from ...replay.record import failures_of

    failed = len(failures_of(entry.meta, entry.faults))
    return RecordRow(
        entry.index + 1,
        entry.number,
        entry.game,
        entry.variant,
        entry.players,
        entry.result.scores,
        entry.result.ranks,
        entry.result.reason,
        entry.decisions,
        failed,
        len(entry.faults) - failed,
    )


@explained(
    "watch-games",
    ("Narrate the first game of a tournament", "fa replay show spring"),
    ("Narrate game 17, with the board after every turn", "fa replay show spring --game 17 --boards turns"),
    ("Walk through game 17 with the arrow keys", "fa replay show spring --game 17 --step"),
    ("See who could expect to win, and the worst decisions", "fa replay show spring --game 17 --evaluate"),
)
def show_(
    log: LogPath,
    game: GameNumber = 1,
    boards: BoardsOption = "rounds",
    step: Annotated[bool, Option("Walk through it on the full screen.", group=OptionGroup.OUTPUT)] = False,
    evaluate: EvaluateOption = False,
    player: Annotated[str | None, Option("Show the worst decisions of this player. [default: of all]", "NAME")] = None,
) -> None:
    """Narrate a game in plain words, and draw the board and all hands.

    With --step, arrow keys walk through it, `/` searches, `g` goes to a ply, `a` and `f` to the next auction and fault,
    and `?` lists all keys.
    """
    from ...replay.narrate import Boards, narrate_game

    if step and boards != "rounds":
        raise UsageError("--boards is for printing: --step draws the board after every decision")
    if player is not None and not evaluate:
        raise UsageError("--player is for --evaluate")
    if step and evaluate:
        raise UsageError("--evaluate is for printing, and not for --step")
    if step:
        _walk_through(log, game)
        return
    record = record_of(log, game)
    if player is not None and player not in record.players:
        raise UsageError(f"{log}: record {game} has no player {player}{near_or_all(player, record.players, 'players')}")
    for line in narrate_game(record, Boards(boards), evaluation_of(record, evaluate, player)):
        print_line(line)


def _walk_through(log: Path, number: int) -> None:
    """Show a game step by step until the user quits.

    Raises UsageError without a terminal or such a game, LogError if it is damaged, KeyboardInterrupt after Ctrl-C.
    """
    from ...screens import check_terminal

    check_terminal("without --step the game is printed")
    record = record_of(log, number)

    from ...screens.step_screen import StepScreen  # takes a quarter of a second
    from ...viewer.stepper import Stepper

    try:
        stepper = Stepper(record)
    except FaError as error:
        raise error.within(f"{log}: record {number}") from None
    StepScreen(f"{log.name} game {number}", stepper).show()


@explained(
    "log-format",
    ("Write all records as JSON lines", "fa replay export spring -o spring.jsonl"),
    ("Print the first record with all legal actions", "fa replay export spring --legal | head -1"),
    ("Add to each record who could expect to win", "fa replay export one.log --evaluate -o judged.jsonl"),
)
def export(
    log: LogPath,
    legal: Annotated[bool, Option("Add all legal actions at each ply.")] = False,
    evaluate: Annotated[
        bool, Option("Add to meta what each player could expect at each ply, and the three worst decisions.")
    ] = False,
    output: Annotated[Path | None, Option("Write to FILE, a new file. [default: stdout]", "FILE", short="o")] = None,
) -> None:
    """Print the records of a log as JSON lines."""
    from ...replay.jsonl import write_records
    from ...replay.log_file import open_log
    from ...replay.log_writer import PRIVATE, is_private
    from ...system import written_atomically

    records = (unpacked(log, entry, legal) for entry in entries_of(log))
    if evaluate:
        records = (with_evaluation(record) for record in records)
    if output is None:
        sys.stdout.flush()
        write_records(sys.stdout.buffer, records)
    else:
        check_new(output)
        open_log(log).close()  # raises LogError
        mode = PRIVATE if is_private(log) else 0o666
        with (
            writing(output),
            written_atomically(output, replace=False) as temporary,
            os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file,
        ):
            count = write_records(file, records)
        print_line(f"{output}: {counted(count, 'record')}")


@explained(
    "log-format",
    ("Make a log of JSON lines", "fa replay import spring.jsonl -o copy.log"),
    ("Copy a log without its damaged end", "fa replay export spring | fa replay import - -o copy.log"),
)
def import_(
    file: Annotated[Path, Argument("Records as JSON lines; - reads standard input.", "FILE.jsonl")],
    output: NewLog,
) -> None:
    """Write records from JSON lines to a new log.

    They are not checked: `fa replay verify` does that.
    """
    from ...replay.jsonl import read_records
    from ...replay.log_entry import entry_of
    from ...replay.log_file import open_file
    from ...replay.log_writer import is_private, write_new_log

    is_stdin = str(file) == "-"
    if file.is_fifo():
        raise UsageError(f"{file} is a pipe: use - and give it as standard input")
    with sys.stdin.buffer if is_stdin else open_file(file) as source:
        records = read_records(source, "standard input" if is_stdin else str(file))
        count = write_new_log(output, map(entry_of, records), private=not is_stdin and is_private(file))
    print_line(f"{output}: {counted(count, 'record')}")


@explained(
    "log-format",
    ("Copy one game", "fa replay extract spring --game 17 -o one.log"),
    ("Copy several games", "fa replay extract spring --game 3-9 --game 20 -o some.log"),
)
def extract(
    log: LogPath,
    game: Annotated[list[str], Option("Copy record N, from 1, or records N-M; repeatable.", "N")],
    output: NewLog,
) -> None:
    """Copy some records to a new log, in the order of the old one."""
    from ...replay.log_writer import is_private, write_new_log

    chosen = chosen_entries(log, [parse_range(text) for text in game])
    count = write_new_log(output, chosen, private=log.exists() and is_private(log))
    print_line(f"{output}: {counted(count, 'record')}")


@explained(
    "log-format",
    ("Repair the log of a tournament", "fa replay repair spring"),
    ("Repair a log", "fa replay repair logs/match-1.log"),
)
def repair(log: LogPath) -> None:
    """Repair a log: cut off a half-written end, or keep the records that are whole.

    If more than the end is damaged, the old log is kept, with .damaged after its name.
    """
    from ...replay.log_writer import repair

    count, damages = repair(log)
    for damage in damages:
        print_line(f"{log}: record {damage.index + 1}: {damage.text}")
    print_line(f"{log}: {'repaired, ' if damages else 'nothing to repair, '}{counted(count, 'record')} kept")
