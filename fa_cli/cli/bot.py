"""`fa bot`: a new bot, and what its author runs before others do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..text import counted, printable, printable_lines, quoted
from . import limits
from .bot_replay import replay
from .tables import Column, Format, FormatOption, number, show

if TYPE_CHECKING:
    from ..match.compliance import Check
    from ..protocol.limits import Limits

app = typer.Typer(help="Write a bot, check it, or put it the decisions of a recorded game.")


@app.callback()
def group() -> None:
    """Write a bot, check it, or put it the decisions of a recorded game."""


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(metavar="NAME", help="The bot's name: the folder that is made for it.")],
    lang: Annotated[
        str,
        typer.Option(
            metavar="LANGUAGE",
            help="python, javascript, typescript, rust, go, c, cpp, java or bash.",
            show_default=False,
        ),
    ],
) -> None:
    """Write a folder with a working bot in a language, to start from.

    Types for the messages are generated from the protocol's schema, where the language has types.
    """
    from ..kits.kit import write_kit
    from ..kits.languages import find_language
    from .protocol import whole_schema

    language = find_language(lang)
    files = write_kit(folder, lang, language, whole_schema())
    where = quoted(folder)
    print(f"{printable(str(folder))}: a bot in {language.title}: {', '.join(files)}")
    missing = language.missing()
    if missing:
        print(f"it needs {' and '.join(missing)}, not found on this machine. {language.hint}".rstrip())
    print(f"check it:    fa bot check {where}")
    print(f"let it play: fa tournament run {where} OTHER_BOT...")
    print(f"its rules:   {printable(str(folder / language.main))}")


@app.command()
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
    from ..errors import AnswerIsNo
    from ..match.compliance import check_bot
    from ..protocol.bots import read_bot
    from ..protocol.processes import leaving_nothing

    clock = limits.make_clock(move_time, None)
    done = []
    with leaving_nothing():
        for each in check_bot(read_bot(bot, sandboxed=limited.sandbox), limited, clock, games, skip or ()):
            done.append(each)
            if format is Format.TABLE:
                _tell(each)
    if format is not Format.TABLE:
        show(map(_row, done), _COLUMNS, format)
    failed = [each.number for each in done if not each.passed]
    if failed:
        raise AnswerIsNo(f"{bot}: failed {', '.join(f'check {each}' for each in failed)}")
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


app.command("replay")(replay)
