"""`fa bot replay`: what a bot would do in a recorded game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from ...errors import CheckFailed, FaError, LogError, UsageError
from ...option import Argument, Option
from ...printing.terminal import print_line
from ...printing.text import counted, near_or_all
from ...protocol.messages import BANK, MOVE_TIME, Bank, Clock, MoveTime
from ..common import say, tournament_paths
from ..help import explained
from ..limit_options import LimitOptions, VerboseOption, WholeOption
from ..replay.records import GameNumber, LogPath, entries_of, record_of, unpacked
from ..tables import Format, TableOptions, show_rows

if TYPE_CHECKING:
    from ...isolation.discovery import Bot
    from ...isolation.limits import Limits
    from ...match.rerun import Rerun
    from ...replay.record import Record
    from ...tournament.definition import Definition


class ReplayOptions(msgspec.Struct, frozen=True):
    """How the bot is asked; without a move time and bank, by its tournament's clock."""

    move_ms: Annotated[
        MoveTime | None, MOVE_TIME._replace(help="Allow TIME per decision. [default: as in its tournament, or 1s]")
    ] = None
    bank_ms: Annotated[Bank | None, BANK] = None
    whole: WholeOption = False
    limits: LimitOptions = LimitOptions()
    table: TableOptions = TableOptions()


@explained(
    "write-a-bot",
    ("Compare a bot with the first seat of a game", "fa bot replay logs/match-1.log mine.py --seat 0"),
    (
        "Compare it with seat 2 of game 17, and print all messages",
        "fa bot replay spring mine.py --game 17 --seat 2 --verbose",
    ),
    ("Compare it with all games of the player mine", "fa bot replay final mine.py --player mine"),
    first="--seat 0 --game 17 --player mine --verbose --move-time 200ms --bank 10s --sandbox none --format json",
)
def replay(
    log: LogPath,
    bot: Annotated[Path, Argument("A file, a folder or the name of a shipped bot.", "BOT")],
    seat: Annotated[
        Annotated[int, msgspec.Meta(ge=0)] | None,
        Option("Compare the decisions of seat S, from 0. [default: those of --player]", "S"),
    ] = None,
    game: GameNumber = 1,
    player: Annotated[str | None, Option("Compare all games of this player. [default: one game]", "NAME")] = None,
    verbose: VerboseOption = False,
    *,
    options: ReplayOptions,
) -> None:
    """Compare a bot's decisions with those of a recorded game, or of all games of a player.

    The bot gets the same messages and the same seed as the bot in that seat. Exit code 0: all actions are the same;
    1: one differs, or the bot failed; 2: it does not start.
    """
    if (seat is None) == (player is None):
        raise UsageError("one of --seat and --player says which decisions are compared")
    if player is not None:
        _repeat_all(log, player, bot, options, verbose)
        return
    assert seat is not None
    record, prepared = record_of(log, game), _prepared(bot, options)
    try:
        rerun = _rerun(record, seat, *prepared, options, verbose)
    except (LogError, UsageError) as error:
        raise error.within(f"{log}: record {game}") from None
    _show_rerun(rerun, options.table)
    _conclude(rerun)


def _repeat_all(log: Path, player: str, bot: Path, options: ReplayOptions, verbose: bool) -> None:
    """Print a row for each game and seat of a player. Raises CheckFailed if a decision differs or the bot failed."""
    from ...match.rerun import RepeatedGame

    prepared = _prepared(bot, options)
    rows, names = [], set[str]()
    for entry in entries_of(log):
        names |= set(entry.players)
        for seat in (seat for seat, name in enumerate(entry.players) if name.partition("#")[0] == player):
            record = unpacked(log, entry)
            try:
                rerun = _rerun(record, seat, *prepared, options, verbose)
            except UsageError:  # no decision to take
                rows.append(RepeatedGame(entry.index + 1, seat, 0, 0, ""))
            except LogError as error:
                raise error.within(f"{log}: record {entry.index + 1}") from None
            else:
                different = len(rerun.differences)
                rows.append(RepeatedGame(entry.index + 1, seat, rerun.asked, different, rerun.failed))
    if not rows:
        raise UsageError(f"{log}: no game of {player}{near_or_all(player, sorted(names), 'players')}")
    show_rows(RepeatedGame, rows, options.table)
    different, answers = sum(row.different for row in rows), counted(sum(row.answers for row in rows), "answer")
    if different or any(row.failed for row in rows):
        raise CheckFailed(f"{different:,} of {answers} are not what was played, or the bot failed")
    games = counted(len({row.record for row in rows}), "game")
    say(f"no difference: {answers} in {games} as they were played")


def _prepared(path: Path, options: ReplayOptions) -> tuple[Bot, Limits]:
    """The bot at this path and its limits; warns if there is no sandbox. Raises UsageError, BotError."""
    from ...isolation.discovery import read_bot
    from ...models.model import check_models

    limits = options.limits.checked()
    found = read_bot(path, sandboxed=limits.sandbox)
    check_models([found])
    return found, limits


def _rerun(record: Record, seat: int, bot: Bot, limits: Limits, options: ReplayOptions, verbose: bool) -> Rerun:
    """Ask the bot. Raises LogError, UsageError, BotError."""
    from ...isolation.spawn import no_leftover_processes
    from ...match.rerun import rerun_decisions

    definition = _definition(record)
    clock = _clock(definition, options)
    anonymous = definition.anonymous if definition else record.meta.get("anonymous") is True
    with no_leftover_processes():
        print_line = print if verbose else None
        return rerun_decisions(
            record, seat, bot, limits, clock, anonymous=anonymous, print_line=print_line, whole=options.whole
        )


def _clock(definition: Definition | None, options: ReplayOptions) -> Clock:
    """The clock of the options, else of the tournament, else the default."""
    clock = definition.clock if definition else Clock()
    if options.move_ms is None and options.bank_ms is None:
        return clock
    return Clock(options.move_ms or clock.move_ms, options.bank_ms or 0)


def _show_rerun(rerun: Rerun, table: TableOptions) -> None:
    """Print a row for each decision that differs, then what the bot wrote to stderr and how it failed."""
    from ...match.rerun import Difference

    if rerun.differences or table.format is not Format.TABLE:
        show_rows(Difference, rerun.differences, table)
    for line in rerun.stderr:
        print_line(line)
    for sentence in (rerun.at_fault, rerun.failed):
        if sentence:
            say(sentence)


def _conclude(rerun: Rerun) -> None:
    """Print the conclusion in a sentence. Raises CheckFailed if a decision differs or the bot failed."""
    answers, different = counted(rerun.asked, "answer"), len(rerun.differences)
    if different:
        raise CheckFailed(f"{different} of {answers} {'is' if different == 1 else 'are'} not what was played")
    same = f"{answers} as {'it was' if rerun.asked == 1 else 'they were'} played"
    if rerun.failed:
        raise CheckFailed(f"it failed, after {same}")
    say(f"no difference: {same}")


def _definition(record: Record) -> Definition | None:
    """The game's tournament, if it is in this home. Records do not hold the clock."""
    from ...tournament.definition import load

    source: Any = record.meta.get("tournament")
    try:
        definition = load(tournament_paths(source["name"]).definition)
    except (FaError, TypeError, KeyError):
        return None
    return definition if definition.deal_seed.hex() == source.get("seed") else None
