"""`fa match BOT...`: one game between bots, told as it is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...text import quoted
from .. import common, limits
from ..common import fa, say
from ..replay import BoardsOption, parse_boards
from .single_game import LogOption, OptionOption, SeedOption, deal_seed, find_seated, keep, new_log, tell_result

if TYPE_CHECKING:
    from ...isolation.limits import Limits
    from ...match.single_game import Table
    from ...replay.narrate import Boards
    from ...replay.record import Record


@limits.taking_limits
def match(
    bots: Annotated[list[str], typer.Argument(metavar="BOT...", help="One for each seat; NAME=PATH renames one.")],
    game: Annotated[str, typer.Option(metavar="GAME", help="A name in `fa games`.")] = "fifth-avenue",
    option: OptionOption = None,
    seed: SeedOption = None,
    output: LogOption = None,
    boards: BoardsOption = "rounds",
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show what is said with each bot, and its stderr, with times.")
    ] = False,
    whole: Annotated[
        bool, typer.Option("--whole", help="Show all of each message, observations too; with --verbose.")
    ] = False,
    anonymous: limits.AnonymousOption = False,
    move_time: limits.MoveTime = "1s",
    bank: limits.Bank = None,
    *,
    limited: Limits,
) -> None:
    """Bots play one game, in the order of their seats; it is told as it is played, and goes to a log of its own.

    The log counts in no leaderboard but its own. --quiet leaves the story out.
    """
    from ...games import find_game
    from ...match.single_game import Table

    played = find_game(game)
    played.check_players(len(bots))
    when = parse_boards(boards)
    path = new_log(output, "match")
    made = played.make_options(common.parse_options(option))
    clock = limits.make_clock(move_time, bank)
    limits.warn_if_seen(anonymous, limited.sandbox)
    seated = find_seated(bots, played, limited.sandbox)
    table = Table(played, made, seated, deal_seed(seed), clock, limited, _about(limited), anonymous)
    record, packed = _play(table, when, verbose, whole)
    keep(path, record, packed)
    tell_result(record)
    say(f"log: {path}")
    say(f"tell it again: {fa()} replay show {quoted(path)} --game 1")


def _about(limited: Limits) -> dict[str, Any]:
    """What the record's meta says of the match."""
    from ...tournament.definition import utc_now

    return {"started": utc_now(), **({} if limited.sandbox else {"sandbox": False})}


def _play(table: Table, when: Boards, verbose: bool, whole: bool) -> tuple[Record, bytes]:
    """Play the game and tell it meanwhile, unless --quiet; `verbose` prints the dialogue with each bot too."""
    from ...isolation.spawn import no_leftover_processes
    from ...match.single_game import play_watched
    from ...match.transcript import Transcript

    def tell(text: str) -> None:
        print(text, flush=True)

    with no_leftover_processes():
        return play_watched(
            table,
            None if common.SETTINGS.quiet else tell,
            when,
            (lambda name, since: Transcript(name, tell, since, whole)) if verbose else None,
        )
