"""`fa match BOT...`: one game between bots, narrated as it is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from ...option import Argument, Option
from ...printing.terminal import print_line
from ...printing.text import quoted
from ...protocol.messages import Clock
from ...tournament.request import ANONYMOUS
from .. import common
from ..common import BoardsOption, fa, say, say_command
from ..help import explained
from ..limit_options import LimitOptions, VerboseOption, WholeOption, warn_if_seen
from .one_game import (
    LogOption,
    OptionOption,
    SeedOption,
    claim_log,
    deal_seed,
    find_seated,
    new_log,
    show_result,
    write_log,
    write_numbered_log,
)

if TYPE_CHECKING:
    from ...match.single_game import GameSetup
    from ...replay.narrate import Boards
    from ...replay.record import Record


@explained(
    "write-a-bot",
    ("Watch a game between two bots", "fa match mine.py greedy"),
    ("Print all messages to and from the bots", "fa match mine.py greedy --verbose --seed 1"),
    first="--game manhattan --option side=six --seed spring --output one.log --boards end --verbose "
    "--move-time 200ms --sandbox none",
)
def match(
    bots: Annotated[list[str], Argument("A bot for each seat; NAME=PATH renames one.", "BOT...")],
    game: Annotated[str, Option("Play this game.", "GAME")] = "fifth-avenue",
    option: OptionOption = None,
    seed: SeedOption = None,
    output: LogOption = None,
    boards: BoardsOption = "rounds",
    verbose: VerboseOption = False,
    whole: WholeOption = False,
    *,
    anonymous: Annotated[bool, ANONYMOUS] = False,
    clock: Clock,
    limits: LimitOptions,
) -> None:
    """Play one game between bots and narrate it as it is played.

    The bots sit in the order in which they are named. The log counts in no leaderboard but its own.
    """
    from ...games import find_game
    from ...match.single_game import GameSetup
    from ...models.model import ModelRun, exchanges_of
    from ...replay.narrate import Boards
    from ...tournament.definition import utc_now

    checked = limits.checked()
    rules = find_game(game)
    rules.check_players(len(bots))
    new_log(output, "match")  # a path that is taken is reported first
    game_options = rules.make_options(common.parse_options(option))
    warn_if_seen(anonymous, checked.sandbox)
    seated = find_seated(bots, rules, checked.sandbox)
    new = claim_log if any(bot.model for bot in seated) else new_log
    path = new(output, "match")
    meta: dict[str, Any] = {"started": utc_now()} | ({} if checked.sandbox else {"sandbox": False})
    exchanges = exchanges_of(path)
    models = ModelRun(str(exchanges))
    table = GameSetup(rules, game_options, seated, deal_seed(seed), clock, checked, meta, anonymous, models)
    record, packed = _play(table, Boards(boards), verbose, whole)
    if output is None:
        path = write_numbered_log(path, "match", record, packed, new)
        if new is claim_log:
            exchanges.rename(exchanges_of(path))
    else:
        write_log(path, record, packed)
    show_result(record)
    say(f"log: {path}")
    say_command("replay it", f"{fa()} replay show {quoted(path)}")


def _play(table: GameSetup, boards: Boards, verbose: bool, whole: bool) -> tuple[Record, bytes]:
    """Play the game and narrate it, unless --quiet; `verbose` prints the messages to and from each bot too."""
    from ...isolation.spawn import no_leftover_processes
    from ...match.single_game import play_watched
    from ...match.transcript import Transcript

    def print_now(line: str) -> None:
        print_line(line, flush=True)

    with no_leftover_processes():
        return play_watched(
            table,
            None if common.SETTINGS.quiet else print_now,
            boards,
            (lambda name, since: Transcript(name, print_now, since, whole)) if verbose else None,
        )
