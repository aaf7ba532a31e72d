"""`fa bot check`: what a bot's author runs before others do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...columns import Column
from ...text import counted, printable, printable_lines
from .. import limits
from ..tables import Format, FormatOption, number, show

if TYPE_CHECKING:
    from ...isolation.limits import Limits
    from ...match.check.compliance import Check


@limits.taking_limits
def check(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="A file or folder.")],
    games: Annotated[int, typer.Option(min=1, metavar="K", help="How many of each game that it plays.")] = 10,
    move_time: limits.MoveTime = "1s",
    skip: Annotated[
        list[int] | None, typer.Option(min=2, metavar="N", help="Leave out the check of this number. Repeatable.")
    ] = None,
    format: FormatOption = Format.TABLE,
    *,
    limited: Limits,
) -> None:
    """Start a bot, play it, and say of each thing that it has to do whether it does it.

    Exit code 0: it passed every check; 1: it did not.
    """
    from ...errors import CheckFailed
    from ...isolation.discovery import read_bot
    from ...isolation.spawn import no_leftover_processes
    from ...match.check.compliance import check_bot

    clock = limits.make_clock(move_time, None)
    done = []
    with no_leftover_processes():
        for each in check_bot(read_bot(bot, sandboxed=limited.sandbox), limited, clock, games, skip or ()):
            done.append(each)
            if format is Format.TABLE:
                _tell(each)
    if format is not Format.TABLE:
        show(map(_row, done), _COLUMNS, format)
    failed = [each.number for each in done if not each.passed]
    if failed:
        raise CheckFailed(f"{bot}: failed {', '.join(f'check {each}' for each in failed)}")
    if format is Format.TABLE:
        print(f"passed: {counted(len(done), 'check')}")


_COLUMNS = (
    number("number", "no."),
    Column("what", "what"),
    Column("passed", "passed", lambda passed: "yes" if passed else "no"),
    Column("found", "found"),
    Column("dialogue", "dialogue", " ".join),
    Column("stderr", "stderr"),
    number("seconds", "seconds", 1),
)


def _row(check: Check) -> dict[str, object]:
    return {column.field: getattr(check, column.field) for column in _COLUMNS}


def _tell(check: Check) -> None:
    """A line for what is well; for what is not, what was said too."""
    print(f"{check.number:2} {'ok  ' if check.passed else 'FAIL'} {printable(check.what)}: {printable(check.found)}")
    for line in check.dialogue:
        print(f"          {printable(line)}")
    if check.stderr.strip():
        print("          on stderr:")
        for line in printable_lines(check.stderr.strip()).splitlines()[-10:]:
            print(f"          | {line}")
    sys.stdout.flush()
