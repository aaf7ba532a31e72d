"""`fa bot check BOT`: what a bot's author runs before others do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..text import printable, printable_lines
from . import common
from .bot_replay import replay
from .tables import Column, Format, FormatOption, number, show

if TYPE_CHECKING:
    from ..match.compliance import Check

app = typer.Typer(help="Check a bot, or put it the decisions of a recorded game.")


@app.callback()
def group() -> None:
    """Check a bot, or put it the decisions of a recorded game."""


@app.command()
def check(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="A file or folder.")],
    games: Annotated[int, typer.Option(min=1, metavar="K", help="How many of each game that it plays.")] = 10,
    move_time: Annotated[str, typer.Option(metavar="TIME", help="For each decision: 200ms, 1s, 2m.")] = "1s",
    start_time: Annotated[str, typer.Option(metavar="TIME", help="For the bot to start.")] = "10s",
    skip: Annotated[
        list[int] | None, typer.Option(min=2, metavar="N", help="Leave out the check of this number. Repeatable.")
    ] = None,
    format: FormatOption = Format.TABLE,
) -> None:
    """Start a bot, play it, and say of each thing that it has to do whether it does it.

    Exit code 0: it passed every check; 1: it did not.
    """
    from ..errors import AnswerIsNo
    from ..match.compliance import check_bot
    from ..protocol.bots import read_bot
    from ..protocol.limits import Limits
    from ..protocol.messages import Clock
    from ..protocol.sandbox import Sandbox, choose

    def say(line: str) -> None:
        if not common.SETTINGS.quiet:
            print(printable(line), file=sys.stderr)

    limits = Limits(start=common.parse_duration(start_time), sandbox=choose(Sandbox.AUTO, say))
    clock = Clock(max(1, round(1000 * common.parse_duration(move_time))))
    done = []
    for each in check_bot(read_bot(bot, sandboxed=limits.sandbox), limits, clock, games, skip or ()):
        done.append(each)
        if format is Format.TABLE:
            _tell(each)
    if format is not Format.TABLE:
        show(map(_row, done), _COLUMNS, format)
    failed = [each.number for each in done if not each.passed]
    if failed:
        raise AnswerIsNo(f"{bot}: failed {', '.join(f'check {each}' for each in failed)}")
    if format is Format.TABLE:
        print(f"passed: {len(done)} check{'' if len(done) == 1 else 's'}")


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


app.command("replay")(replay)
