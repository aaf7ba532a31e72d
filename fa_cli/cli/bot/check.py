"""`fa bot check`: checks for a bot's author."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from ...option_group import OptionGroup
from ...protocol.messages import Clock
from ...terminal import print_line
from ...text import counted, printable_lines
from ..declared_options import taking
from ..help import explained
from ..limits import NOT_IN_SINGLE_GAMES, LimitOptions
from ..tables import Format, TableOptions, show_rows

if TYPE_CHECKING:
    from ...match.check.compliance import Check

_MOST_GAMES = 10_000
_CHECKS = 11
"""The number of checks of a bot that plays all games."""


class CheckOptions(msgspec.Struct, frozen=True):
    """How the bot plays."""

    clock: Clock = Clock()
    limits: LimitOptions = LimitOptions()
    table: TableOptions = TableOptions()


@taking("options", CheckOptions, without=(*NOT_IN_SINGLE_GAMES, "bank"))
@explained(
    "write-a-bot",
    ("Check a bot", "fa bot check mine.py"),
    ("Check it with more games and less time", "fa bot check mine.py --games 50 --move-time 200ms"),
)
def check(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="A file, a folder or the name of a shipped bot.")],
    games: Annotated[
        int,
        typer.Option(
            min=1,
            max=_MOST_GAMES,
            metavar="N",
            help="Play N games of each kind that the bot plays.",
            rich_help_panel=OptionGroup.PLAYERS,
        ),
    ] = 10,
    skip: Annotated[
        list[int] | None,
        typer.Option(
            min=2,
            max=_CHECKS,
            metavar="N",
            help="Skip check N; repeatable.",
            rich_help_panel=OptionGroup.PLAYERS,
        ),
    ] = None,
    *,
    options: CheckOptions,
) -> None:
    """Check that a bot follows the protocol: start it and play with it.

    Exit code 0: it passed every check, perhaps with warnings; 1: it failed one.
    """
    from ...errors import CheckFailed
    from ...isolation.discovery import read_bot
    from ...isolation.spawn import no_leftover_processes
    from ...match.check.compliance import Check, check_bot

    limits, table = options.limits.checked(), options.table
    is_listed = table.format is not Format.TABLE or bool(table.columns)
    checks = []
    with no_leftover_processes():
        for check in check_bot(read_bot(bot, sandboxed=limits.sandbox), limits, options.clock, games, skip or ()):
            checks.append(check)
            if not is_listed:
                _print_check(check)
    if is_listed:
        show_rows(Check, checks, table)
    failed = [check.number for check in checks if not (check.passed or check.warning)]
    if failed:
        raise CheckFailed(f"{bot}: failed {', '.join(f'check {number}' for number in failed)}")
    warnings = sum(check.warning for check in checks)
    if not is_listed:
        warned = f", {counted(warnings, 'warning')}" if warnings else ""
        print_line(f"passed: {counted(len(checks) - warnings, 'check')}{warned}")


def _print_check(check: Check) -> None:
    """Print one line for a check; for a failed one also the last messages and stderr."""
    mark = "ok  " if check.passed else "warn" if check.warning else "FAIL"
    hanging = 8 if check.number > 9 else 7  # the blank before a digit counts as indent
    print_line(f"{check.number:2} {mark} {check.what}: {check.found}", hanging=hanging)
    if check.warning:
        return
    for line in check.dialogue:
        print_line(f"          {line}")
    if check.stderr.strip():
        print("          on stderr:")
        for line in printable_lines(check.stderr.strip()).splitlines()[-10:]:
            print_line(f"          | {line}")
    sys.stdout.flush()
