"""`fa play GAME`: a person plays against bots."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import Interrupted, LogError, UsageError
from . import common, limits
from .by_hand import LogOption, OptionOption, SeedOption, deal_seed, find_seated, keep, new_log, tell_result
from .common import fa, say
from .limits import SandboxChoice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..games.core import Game
    from ..play.unfinished import Unfinished
    from ..protocol.bots import Bot

_USUAL_PLAYERS = 3


def play(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A name in `fa games`.", show_default=False)
    ] = None,
    more: Annotated[
        list[str] | None, typer.Argument(metavar="[BOT]...", help="As --against.", show_default=False)
    ] = None,
    against: Annotated[
        list[str] | None, typer.Option(metavar="BOT...", help="The opponents; the built-in one if nothing is said.")
    ] = None,
    players: Annotated[
        int | None, typer.Option(metavar="N", help="How many play; the opponents take the other seats in turn.")
    ] = None,
    seat: Annotated[int, typer.Option(min=0, metavar="S", help="Yours, from 0.")] = 0,
    name: Annotated[str, typer.Option(metavar="NAME", help="What you are called.")] = "human",
    option: OptionOption = None,
    seed: SeedOption = None,
    output: LogOption = None,
    resume: Annotated[
        str | None, typer.Option(metavar="LOG", help="Go on with a game that was left: play-1, or its log to be.")
    ] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours; so does NO_COLOR.")] = False,
    anonymous: limits.AnonymousOption = False,
    move_time: limits.MoveTime = "5s",
    sandbox: limits.SandboxOption = SandboxChoice.AUTO,
) -> None:
    """Play a game yourself, in the terminal, against bots. It goes to a log of its own, which counts in no leaderboard.

    Who leaves (quit, Ctrl-C, Ctrl-D) can go on later with --resume; the exit code is 3 then.
    """
    from ..play.person import Left
    from ..play.table import play_on
    from ..play.terminal import Terminal
    from ..play.unfinished import kept_alone, load, place_of
    from ..protocol.limits import Limits
    from ..protocol.sandbox import Sandbox, choose

    wanted = [*(against or []), *(more or [])]
    if resume is None:
        found = _game(game)
        limited = Limits(sandbox=bool(wanted) and choose(Sandbox(sandbox.value), say))
        bots = _opponents(found, wanted, players, seat, limited.sandbox)
        unfinished = _begin(found, bots, seat, name, option, seed)
        unfinished.clock = limits.make_clock(move_time, None)
        unfinished.sandbox, unfinished.anonymous = limited.sandbox, anonymous
        limits.warn_if_seen(anonymous and bool(wanted), limited.sandbox)
        log = new_log(output, "play")
    elif game or wanted or output or anonymous:
        raise UsageError("--resume goes on with a game as it is: no GAME, no BOT, no --output, no --anonymous")
    else:
        log = _log_of(resume)
        unfinished = load(place_of(log))
        limited = Limits(sandbox=unfinished.sandbox and choose(Sandbox.BWRAP, say))
        bots = _same_opponents(unfinished, limited.sandbox)
    terminal = Terminal(no_color)
    terminal.begin()
    try:
        with kept_alone(place_of(log)):
            record, packed = play_on(unfinished, place_of(log), bots, limited, terminal)
            keep(log, record, packed)
            place_of(log).unlink(missing_ok=True)
    except Left:
        short = log.stem if log.parent == common.logs_folder() else str(log)
        raise Interrupted(f"the game is kept; go on with it: {fa()} play --resume {shlex.quote(short)}") from None
    tell_result(record)
    say(f"log: {log}")
    say(f"tell it again: {fa()} replay show {log} --game 1")


def _game(name: str | None) -> Game:
    from ..games import MODULES, find_game
    from ..play.unfinished import ENDING

    if name is None:
        left = sorted(path.stem for path in common.logs_folder().glob(f"*{ENDING}"))
        kept = f"; or go on with one of yours: --resume {', '.join(left)}" if left else ""
        raise UsageError(f"which game? {', '.join(MODULES)}{kept}")
    return find_game(name)


def _opponents(game: Game, wanted: list[str], players: int | None, seat: int, sandboxed: bool) -> list[Bot | None]:
    """By seat, None for the person; without anybody wanted None for the house too. Raises UsageError, BotError."""
    usual = len(wanted) + 1 if wanted else _USUAL_PLAYERS
    count = usual if players is None else players
    game.check_players(count)
    if seat >= count:
        raise UsageError(f"there are the seats 0 to {count - 1}, not {seat}")
    if len(wanted) >= count:
        raise UsageError(f"{len(wanted)} opponents and you are more than {count} players")
    bots: list[Bot | None] = list(find_seated(wanted, game, sandboxed)) if wanted else [None]
    others = [bots[number % len(bots)] for number in range(count - 1)]
    return [*others[:seat], None, *others[seat:]]


def _begin(
    game: Game, bots: Sequence[Bot | None], seat: int, name: str, option: list[str] | None, seed: str | None
) -> Unfinished:
    """A game of which nothing is played yet. Raises UsageError, BadOption."""
    import msgspec

    from ..play.house import NAME
    from ..play.unfinished import Opponent, Unfinished
    from ..replay.record import is_player_name, seat_names
    from ..tournament.definition import now

    if not is_player_name(name) or "#" in name:
        raise UsageError(f"a name is letters, digits and . _ + - (at most 64, a letter or digit first), not {name!r}")
    names = [name if number == seat else bot.name if bot else NAME for number, bot in enumerate(bots)]
    seats = [
        Opponent(one, str(Path(bot.path).absolute()) if bot else "", bot.digest if bot else "")
        for one, bot in zip(seat_names(names), bots, strict=True)
    ]
    options = msgspec.structs.asdict(game.make_options(common.parse_options(option)))
    return Unfinished(game.name, options, deal_seed(seed).hex(), seat, seats, started=now())


def _log_of(text: str) -> Path:
    """The log that a game will have: from its name in the folder of logs, its path, or that of what is kept of it.

    Raises LogError if nothing is kept of it.
    """
    from ..play.unfinished import place_of

    log = Path(text).with_suffix(".log") if "/" in text or Path(text).suffix else common.log_path(text)
    if not place_of(log).exists():
        raise LogError(f"no unfinished game {text} ({place_of(log)} is not there)")
    return log


def _same_opponents(game: Unfinished, sandboxed: bool) -> list[Bot | None]:
    """The bots that play it, as they are now; who has changed is told. Raises BotError."""
    from ..protocol.bots import read_bot

    bots: list[Bot | None] = []
    for seat in game.seats:
        bot = read_bot(seat.path, sandboxed=sandboxed) if seat.path else None
        if bot and bot.digest != seat.digest:
            say(f"{seat.name} has changed since ({seat.path}); it plays on as it is now")
        bots.append(bot)
    return bots
