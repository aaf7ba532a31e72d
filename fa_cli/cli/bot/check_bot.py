"""`fa bot check`: checks for a bot's author."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from ...errors import CheckFailed
from ...option import Argument, Option, Without
from ...printing.terminal import print_line
from ...printing.text import abridged_json, both_ends, counted, listed, quoted_word
from ...protocol.messages import Clock
from .. import common
from ..help import explained
from ..limit_options import LimitOptions
from ..tables import Format, TableOptions, show_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...match.check.compliance import Check

_MOST_GAMES = 10_000
_LINES_SHOWN, _LINE_SHOWN = 4, 240
"""Lines of an exchange, and characters of each, that are printed of a failure."""
_CHATTER = ("wrote without being asked", "wrote more than one line")
"""What is found of a bot that prints something else on stdout too, unless its first line is no JSON."""
_REMEDY = "stdout is for answers alone: print everything else on stderr"
_CHECKS = 11
"""The number of checks of a bot that plays all games."""


@explained(
    "write-a-bot",
    ("Check a bot", "fa bot check mine.py"),
    ("Check it with more games and less time", "fa bot check mine.py --games 50 --move-time 200ms"),
    first="--games 50 --game manhattan --skip 3 --move-time 200ms --sandbox none --memory 1GiB --cpu 1m --format json",
)
def check(
    bot: Annotated[Path, Argument("A file, a folder or the name of a shipped bot.", "BOT")],
    games: Annotated[
        int, msgspec.Meta(ge=1, le=_MOST_GAMES), Option("Play N games of each kind that the bot plays.", "N")
    ] = 10,
    game: Annotated[str | None, Option("Play only this game. [default: all that it plays]", "GAME")] = None,
    skip: Annotated[list[int] | None, msgspec.Meta(ge=2, le=_CHECKS), Option("Skip check N; repeatable.", "N")] = None,
    *,
    clock: Annotated[Clock, Without("bank")],
    limits: LimitOptions,
    table: TableOptions,
) -> None:
    """Check that a bot follows the protocol: start it and play with it.

    The first line has the digest of the bot's files, by which commitments and definitions name it.
    Exit code 0: it passed every check, perhaps with warnings; 1: it failed one.
    """
    from ...isolation.discovery import read_bot
    from ...isolation.spawn import no_leftover_processes
    from ...match.check.compliance import Check, check_bot
    from ...models.model import check_models

    common.check_game(game)
    checked = limits.checked()
    is_listed = table.format is not Format.TABLE or bool(table.columns)
    checks: list[Check] = []
    with no_leftover_processes():
        found = read_bot(bot, sandboxed=checked.sandbox)
        check_models([found])
        for check in check_bot(found, checked, clock, games, skip or (), game):
            if not is_listed:
                _print_check(check, checks)
            checks.append(check)
    if is_listed:
        show_rows(Check, checks, table)
    failed = [check.number for check in checks if _has_failed(check)]
    if failed:
        if not is_listed:
            _print_failures(checks)
        raise CheckFailed(f"{bot}: failed {', '.join(f'check {number}' for number in failed)}")
    warnings = sum(check.warning for check in checks)
    if not is_listed:
        warned = f", {counted(warnings, 'warning')}" if warnings else ""
        print_line(f"passed: {counted(len(checks) - warnings, 'check')}{warned}")


def _has_failed(check: Check) -> bool:
    return not (check.passed or check.warning)


def _print_check(check: Check, before: Sequence[Check]) -> None:
    """Print a line for a check; a failure like one of an earlier check is not described again."""
    mark = "ok  " if check.passed else "warn" if check.warning else "FAIL"
    hanging = 8 if check.number > 9 else 7  # the blank before a digit counts as indent
    like = [each.number for each in filter(_has_failed, before) if _failure(each) == _failure(check)]
    found = f"as check {like[0]}" if like and _has_failed(check) else check.found
    print_line(f"{check.number:2} {mark} {check.what}: {found}", hanging=hanging, flush=True)


def _failure(check: Check) -> str:
    """A text that is the same for all checks that fail for the same reason.

    Of a bot that ended it is the last line on stderr, usually an exception; otherwise the reason. Numbers and quoted
    values differ from game to game.
    """
    if _is_chatty(check):
        return _REMEDY  # whether a stray line is read alone or with the answer differs, too
    lines = check.stderr.split("\n") if "exited" in check.found or "killed" in check.found else []
    found, *lines = (re.sub(r"[0-9]+|\B'[^']*'|\(.*?\)", "", text) for text in (check.found, *lines))
    return next(filter(str.strip, reversed([*found.split(": "), *lines])), "")


def _is_chatty(check: Check) -> bool:
    """Whether the bot printed something else on stdout, too."""
    last = check.dialogue[-1] if check.dialogue else ""
    return any(words in check.found for words in _CHATTER) or (last.startswith("<") and last[2:3] != "{")


def _print_failures(checks: Sequence[Check]) -> None:
    """Print each failure once: the checks that it failed, its shortest exchange and the end of stderr."""
    by_failure: dict[str, list[Check]] = {}
    for check in filter(_has_failed, checks):
        by_failure.setdefault(_failure(check), []).append(check)
    for alike in by_failure.values():
        shortest = min(alike, key=lambda check: sum(map(len, check.dialogue)))
        numbers = listed([str(check.number) for check in alike])
        print()
        print_line(f"failed {counted(len(alike), 'check')} ({numbers}): {shortest.found}")
        if len(alike) > 1:
            print_line(f"  for example in check {shortest.number}:")
        if len(shortest.dialogue) > _LINES_SHOWN:
            print_line(f"  ... {counted(len(shortest.dialogue) - _LINES_SHOWN, 'line')} before")
        for line in shortest.dialogue[-_LINES_SHOWN:]:
            print_line(f"  {line[:2]}{abridged_json(line[2:], _LINE_SHOWN)}", hanging=4)
        if _is_chatty(shortest):
            print_line(f"  {_REMEDY}")
        for line in both_ends(shortest.stderr):
            print_line(f"  | {line}")
    print()
    again = " ".join(map(quoted_word, ["fa", *common.SETTINGS.words, "--format", "json"]))
    print_line(f"the whole exchanges: {again}", is_command=True)
    sys.stdout.flush()
