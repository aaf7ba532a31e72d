"""`fa play GAME`: a person plays against bots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...errors import Interrupted, LogError, UsageError
from ...isolation.limits import Limits, Sandbox
from ...text import quoted
from .. import common, limits
from ..common import fa, say, warn
from .single_game import LogOption, OptionOption, SeedOption, deal_seed, find_seated, keep, new_log, tell_result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...games.game import Game
    from ...isolation.discovery import Bot
    from ...play.unfinished import Unfinished

_USUAL_PLAYERS = 3


def play(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A name in `fa games`.", show_default=False)
    ] = None,
    more: Annotated[
        list[str] | None, typer.Argument(metavar="[BOT]...", help="As --against.", show_default=False)
    ] = None,
    against: Annotated[
        list[str] | None, typer.Option(metavar="BOT...", help="The opponents. [default: the built-in one]")
    ] = None,
    players: Annotated[
        int | None, typer.Option(metavar="N", help="How many play; the opponents fill the other seats in turn.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, metavar="S", help="Sit in this seat, from 0. [default: drawn]")
    ] = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="Your name in the game.")] = "human",
    option: OptionOption = None,
    seed: SeedOption = None,
    output: LogOption = None,
    resume: Annotated[
        str | None, typer.Option(metavar="LOG", help="Resume a saved game: play-1, or the path of its log.")
    ] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours; so does NO_COLOR.")] = False,
    anonymous: limits.AnonymousOption = False,
    move_time: limits.MoveTime = "5s",
    sandbox: limits.SandboxOption = Sandbox.AUTO,
) -> None:
    """Play a game yourself, in the terminal, against bots. Its log counts in no leaderboard.

    You can leave (quit, Ctrl-C, Ctrl-D) and resume later with --resume; the exit code is then 3.
    """
    from ...isolation.limits import Sandbox
    from ...play.unfinished import load, place_of

    wanted = [*(against or []), *(more or [])]
    if resume is None:
        found, dealt = _game(game), deal_seed(seed)
        limited = _limits(sandbox if wanted else None)
        mine, bots = _table(found, wanted, players, seat, dealt, limited.sandbox)
        unfinished = _begin(found, bots, mine, name, option, dealt)
        unfinished.clock = limits.make_clock(move_time, None)
        unfinished.sandbox, unfinished.anonymous = limited.sandbox, anonymous
        limits.warn_if_seen(anonymous and bool(wanted), limited.sandbox)
        log = new_log(output, "play")
    elif game or wanted or output or anonymous or any(value is not None for value in (players, seat, option, seed)):
        raise UsageError(
            "--resume takes the game as it was saved: remove GAME, BOT, --players, --seat, --option, --seed, --output "
            "and --anonymous"
        )
    else:
        log = _log_of(resume)
        unfinished = load(place_of(log))
        limited = _limits(Sandbox.BWRAP if unfinished.sandbox else None)
        bots = _same_opponents(unfinished, limited.sandbox)
    _play_on(log, unfinished, bots, limited, no_color)


def _limits(sandbox: Sandbox | None) -> Limits:
    """The limits of the opponents; None: they need no sandbox. Raises UsageError."""
    from ...isolation.sandbox.bubblewrap import choose

    return Limits(sandbox=sandbox is not None and not choose(sandbox, warn))


def _play_on(log: Path, unfinished: Unfinished, bots: list[Bot | None], limited: Limits, no_color: bool) -> None:
    """Play the game to its end and print the result. Raises Interrupted if the person leaves; it is saved then."""
    from ...isolation.spawn import no_leftover_processes
    from ...play.person import Left
    from ...play.table import play_on
    from ...play.terminal import Terminal
    from ...play.unfinished import kept_alone, place_of

    terminal = Terminal(no_color)
    terminal.begin()
    try:
        with kept_alone(place_of(log)):
            with no_leftover_processes():
                record, packed = play_on(unfinished, place_of(log), bots, limited, terminal)
            keep(log, record, packed)
            place_of(log).unlink(missing_ok=True)
    except Left:
        short = log.stem if log.parent == common.logs_folder() else str(log)
        raise Interrupted(f"the game is saved; resume with: {fa()} play --resume {quoted(short)}") from None
    tell_result(record)
    say(f"log: {log}")
    say(f"tell it again: {fa()} replay show {quoted(log)} --game 1")


def _game(name: str | None) -> Game:
    from ...games import MODULES, find_game
    from ...play.unfinished import ENDING

    if name is None:
        left = sorted(path.stem for path in common.logs_folder().glob(f"*{ENDING}"))
        kept = f"; or resume a saved one: --resume {', '.join(left)}" if left else ""
        raise UsageError(f"name a game: {', '.join(MODULES)}{kept}")
    return find_game(name)


def _table(
    game: Game, wanted: list[str], players: int | None, seat: int | None, seed: bytes, sandboxed: bool
) -> tuple[int, list[Bot | None]]:
    """The person's seat, and who sits in each: None for the person; if no bots are wanted, None for the house too.

    If `seat` is None it is drawn from the deal's seed, because it matters who starts. Raises UsageError, BotError.
    """
    from ...games.chance import Chance

    usual = len(wanted) + 1 if wanted else _USUAL_PLAYERS
    count = usual if players is None else players
    game.check_players(count)
    if seat is None:
        seat = Chance(seed).stream("seat of the person").below(count)
    if seat >= count:
        raise UsageError(f"no seat {seat}: the seats are 0 to {count - 1}")
    if len(wanted) >= count:
        raise UsageError(f"too many players: {len(wanted)} bots and you, in a game for {count}")
    bots: list[Bot | None] = list(find_seated(wanted, game, sandboxed)) if wanted else [None]
    others = [bots[number % len(bots)] for number in range(count - 1)]
    return seat, [*others[:seat], None, *others[seat:]]


def _begin(
    game: Game, bots: Sequence[Bot | None], seat: int, name: str, option: list[str] | None, seed: bytes
) -> Unfinished:
    """A game of which nothing is played yet. Raises UsageError, BadOption."""
    import msgspec

    from ...play.rollout_bot import NAME
    from ...play.unfinished import Opponent, Unfinished
    from ...replay.record import is_player_name, seat_names
    from ...tournament.definition import utc_now

    if not is_player_name(name) or "#" in name:
        raise UsageError(f"a name is letters, digits and . _ + - (at most 64, a letter or digit first), not {name!r}")
    names = [name if number == seat else bot.name if bot else NAME for number, bot in enumerate(bots)]
    seats = [
        Opponent(one, str(Path(bot.path).absolute()) if bot else "", bot.digest if bot else "")
        for one, bot in zip(seat_names(names), bots, strict=True)
    ]
    options = msgspec.structs.asdict(game.make_options(common.parse_options(option)))
    return Unfinished(game.name, options, seed.hex(), seat, seats, started=utc_now())


def _log_of(text: str) -> Path:
    """The log that a game will have: from its name in the folder of logs, its path, or that of what is kept of it.

    Raises LogError if nothing is kept of it.
    """
    from ...play.unfinished import place_of

    log = Path(text).with_suffix(".log") if "/" in text or Path(text).suffix else common.log_path(text)
    if not place_of(log).exists():
        raise LogError(f"no unfinished game {text} ({place_of(log)} not found)")
    return log


def _same_opponents(game: Unfinished, sandboxed: bool) -> list[Bot | None]:
    """The bots that play it, as they are now; who has changed is told. Raises BotError."""
    from ...isolation.discovery import read_bot

    bots: list[Bot | None] = []
    for seat in game.seats:
        bot = read_bot(seat.path, sandboxed=sandboxed) if seat.path else None
        if bot and bot.digest != seat.digest:
            warn(f"{seat.name} has changed since the game was saved ({seat.path})")
        bots.append(bot)
    return bots
