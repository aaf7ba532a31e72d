"""`fa bot replay`: a bot is put the decisions of a recorded game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...columns import Column
from ...errors import CheckFailed, FaError, LogError, UsageError
from ...text import counted
from .. import limits
from ..common import place_of, say
from ..replay import LogPath, record_of
from ..tables import Format, FormatOption, number, show

if TYPE_CHECKING:
    from ...isolation.limits import Limits
    from ...match.rerun import Rerun
    from ...protocol.messages import Clock
    from ...replay.record import Record
    from ...tournament.definition import Definition

_COLUMNS = (
    number("ply", "ply"),
    Column("turn", "what was played"),
    Column("recorded", "recorded"),
    Column("answer", "this bot"),
    number("legal", "legal"),
    Column("is_legal", "may it", lambda legal: "yes" if legal else "no"),
)


@limits.taking_limits
def replay(
    log: LogPath,
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="A file or folder.")],
    game: Annotated[int, typer.Option(min=1, metavar="N", help="Which record, from 1, as `fa replay list` has it.")],
    seat: Annotated[int, typer.Option(min=0, metavar="S", help="Whose decisions, from 0.")],
    move_time: Annotated[
        str | None, typer.Option(metavar="TIME", help="For each decision; as in its tournament, or 1s.")
    ] = None,
    bank: limits.Bank = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show what is said with the bot, and its stderr, with times.")
    ] = False,
    format: FormatOption = Format.TABLE,
    *,
    limited: Limits,
) -> None:
    """Ask a bot at each decision of a seat what it would do, and show where that is not what was played.

    It is told what the seat's bot was told then, with the same seed. Exit code 0: all answers are the same; 1: not, or
    it failed on the way.
    """
    from ...isolation.discovery import read_bot
    from ...isolation.spawn import no_leftover_processes
    from ...match.rerun import rerun_decisions

    record = record_of(log, game)
    definition = _definition(record)
    clock = _clock(definition, move_time, bank)
    asked = read_bot(bot, sandboxed=limited.sandbox)
    anonymous = definition.anonymous if definition else record.meta.get("anonymous") is True
    try:
        with no_leftover_processes():
            found = rerun_decisions(
                record, seat, asked, limited, clock, anonymous=anonymous, tell=print if verbose else None
            )
    except (LogError, UsageError) as error:
        raise error.within(f"{log}: record {game}") from None
    rows = _show_differences(found, format)
    _conclude(found.asked, rows, bool(found.failed))


def _clock(definition: Definition | None, move_time: str | None, bank: str | None) -> Clock:
    """The clock that is asked for, else that of the tournament, else the default."""
    from ...protocol.messages import Clock

    clock = definition.clock if definition else Clock()
    return limits.make_clock(move_time or f"{clock.move_ms}ms", bank) if move_time or bank else clock


def _show_differences(found: Rerun, format: Format) -> int:
    """Print a row for each answer that is not what was played, and what the bot wrote; returns how many there are."""
    rows = [{column.field: getattr(each, column.field) for column in _COLUMNS} for each in found.differences]
    if rows or format is not Format.TABLE:
        all_legal = format is Format.TABLE and all(each.is_legal for each in found.differences)
        show(rows, _COLUMNS[:-1] if all_legal else _COLUMNS, format)
    for line in found.stderr:
        print(line)
    for sentence in (found.at_fault, found.failed):
        if sentence:
            say(sentence)
    return len(rows)


def _conclude(asked: int, different: int, failed: bool) -> None:
    """Say it in a sentence. Raises CheckFailed."""
    if different:
        raise CheckFailed(
            f"{different} of {counted(asked, 'answer')} {'is' if different == 1 else 'are'} not what was played"
        )
    same = f"{counted(asked, 'answer')} as {'it was' if asked == 1 else 'they were'} played"
    if failed:
        raise CheckFailed(f"it failed, after {same}")
    say(f"no difference: {same}")


def _definition(record: Record) -> Definition | None:
    """The tournament that the game is of, if it is one of this folder: the record itself does not have its clock."""
    from ...tournament.definition import load

    source: Any = record.meta.get("tournament")
    try:
        definition = load(place_of(source["name"]).definition)
    except (FaError, TypeError, KeyError):
        return None
    return definition if definition.seed == source.get("seed") else None
