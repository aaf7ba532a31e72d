"""`fa play GAME`: a person plays against bots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec

from ...errors import Interrupted, LogError, UsageError, check_new, writing
from ...isolation.limits import SANDBOX, Limits, Sandbox
from ...option import Argument, Option, OptionGroup
from ...printing.terminal import print_line
from ...printing.text import counted, listed, quoted
from ...protocol.messages import MOVE_TIME, Clock, MoveTime
from ...tournament.request import ANONYMOUS
from .. import common, limit_options
from ..common import fa, say, say_command, warn
from ..help import explained
from .one_game import LogOption, OptionOption, SeedOption, deal_seed, find_seated, new_log, show_result, write_log

if TYPE_CHECKING:
    from ...games.game import Game
    from ...games.seed import Seed
    from ...isolation.discovery import Bot
    from ...play.unfinished import Unfinished
    from ...replay.record import Record

_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_PLAYERS = 3
"""Seats at the table by default."""


class NewGame(msgspec.Struct, frozen=True):
    """A game that a person asks for, and how the opponents play; None where the command decides."""

    game: Annotated[str | None, Argument("The game; `fa games` lists them.", "[GAME]")] = None
    more: Annotated[list[str], Argument("Opponents, as with --against.", "[BOT]...")] = []
    against: Annotated[list[str], Option("Play against BOT; repeatable. [default: house, built into fa]", "BOT")] = []
    players: Annotated[
        int | None, Option("Seat N players; the opponents take turns. [default: 3, or bots + 1]", "N")
    ] = None
    seat: Annotated[
        int | None,
        msgspec.Meta(ge=0),
        Option("Sit in this seat, from 0. [default: drawn]", "S", group=OptionGroup.SEATS),
    ] = None
    name: Annotated[str, Option("Play under this name.", "NAME")] = "human"
    option: OptionOption = None
    seed: SeedOption = None
    anonymous: Annotated[bool, ANONYMOUS] = False
    move_ms: Annotated[MoveTime, MOVE_TIME] = 5000
    sandbox: Annotated[Sandbox, SANDBOX] = Sandbox.AUTO

    @property
    def bots(self) -> list[str]:
        """All opponents that are programs."""
        return [*self.against, *self.more]


class SeatedGame(NamedTuple):
    """A game ready to be played, its log, and the bots by seat; None is the person or the built-in opponent."""

    log: Path
    unfinished: Unfinished
    bots: list[Bot | None]
    limits: Limits


@explained(
    "play",
    ("Play Manhattan against the built-in opponents", "fa play manhattan"),
    ("Play against two bots, in the first seat", "fa play fifth-avenue greedy mine.py --seat 0"),
    ("Resume a game that you left", "fa play --resume play-1"),
    first="--against greedy --players 4 --seat 0 --name anna --option side=six --seed spring --resume play-1 "
    "--move-time 5s",
)
def play(
    request: NewGame,
    output: LogOption = None,
    resume: Annotated[
        str | None, Option("Resume a saved game, such as play-1 or the path of its log. [default: a new game]", "LOG")
    ] = None,
    no_color: Annotated[bool, Option("Print no colours; so does NO_COLOR.", group=OptionGroup.OUTPUT)] = False,
) -> None:
    """Play a game yourself, in the terminal, against bots.

    You can leave at any time (quit, Ctrl-C, Ctrl-D) and resume with --resume; the exit code is then 3. The log counts
    in no leaderboard.
    """
    if resume is None:
        seated = _begin(request, output)
    else:
        _check_resumable(request, output)
        seated = _resume(resume)
    _play_to_end(seated, no_color)


def _begin(request: NewGame, output: Path | None) -> SeatedGame:
    """A new game before its first decision. Raises UsageError, BotError, LogError."""
    game, seed = _game(request.game), deal_seed(request.seed)
    sandboxed = _is_sandboxed(request.sandbox if request.bots else None)
    seat, bots = _seat_all(game, request, seed, sandboxed)
    unfinished = _new_game(game, request, seat, bots, seed)
    unfinished.clock = Clock(request.move_ms)
    unfinished.sandbox, unfinished.anonymous = sandboxed, request.anonymous
    limit_options.warn_if_seen(request.anonymous and bool(request.bots), sandboxed)
    return SeatedGame(_claim_log(output, unfinished), unfinished, bots, Limits(sandbox=sandboxed))


def _claim_log(output: Path | None, game: Unfinished) -> Path:
    """The path of the game's log, as `new_log`; nobody else gets it, because the game is saved beside it from now on.

    Raises LogError.
    """
    from ...play.unfinished import save, unfinished_path

    while True:
        log = new_log(output, "play")
        with writing(log, LogError):
            try:
                save(unfinished_path(log), game, replace=False)
            except FileExistsError:
                continue
        if not log.exists():
            return log
        unfinished_path(log).unlink()  # another game got this log just before


def _check_resumable(request: NewGame, output: Path | None) -> None:
    """Raises UsageError if --resume stands beside an option that the saved game has fixed."""
    if output or request != NewGame():
        raise UsageError(
            "--resume takes the game as it was saved: remove GAME, BOT, --players, --seat, --name, --option, --seed, "
            "--move-time, --sandbox, --output and --anonymous"
        )


def _resume(text: str) -> SeatedGame:
    """A saved game with its request. Raises LogError, BotError."""
    from ...play.unfinished import load, same_opponents, unfinished_path

    log = _saved_log(text)
    check_new(log, LogError)
    unfinished = load(unfinished_path(log))
    sandboxed = _is_sandboxed(Sandbox.BWRAP if unfinished.sandbox else None)
    return SeatedGame(log, unfinished, same_opponents(unfinished, sandboxed, warn), Limits(sandbox=sandboxed))


def _is_sandboxed(sandbox: Sandbox | None) -> bool:
    """Whether the opponents run in the sandbox; None: none of them is a program. Raises UsageError."""
    return sandbox is not None and not limit_options.choose_sandbox(sandbox)


def _play_to_end(seated: SeatedGame, no_color: bool) -> None:
    """Play the game to its end and print the result. Raises Interrupted if the person leaves and the game is saved."""
    from ...isolation.spawn import no_leftover_processes
    from ...play.person import Left
    from ...play.screenfuls import Terminal
    from ...play.table import play_on
    from ...play.unfinished import locked, unfinished_path

    log, path = seated.log, unfinished_path(seated.log)
    terminal = Terminal(no_color)
    try:
        with locked(path):
            with no_leftover_processes():
                record, packed = play_on(seated.unfinished, path, seated.bots, seated.limits, terminal)
            write_log(log, record, packed)
            path.unlink(missing_ok=True)
    except Left:
        name = log.stem if log.parent == common.logs_folder() else str(path)
        raise Interrupted(f"the game is saved; resume with: {fa()} play --resume {quoted(name)}") from None
    print_line(final_place(record, seated.unfinished.seat))
    show_result(record)
    say(f"log: {log}")
    say_command("replay it", f"{fa()} replay show {quoted(log)}")


def final_place(record: Record, seat: int) -> str:
    """The person's place and points in a sentence."""
    ranks, points = record.result.ranks, counted(record.result.scores[seat], "point")
    level = [record.players[other] for other, rank in enumerate(ranks) if rank == ranks[seat] and other != seat]
    if ranks[seat] == 1 and not level:
        return f"You win with {points}."
    others = f", level with {listed(level)}" if level else ""
    return f"You finish {_ORDINALS[ranks[seat] - 1]} of {len(ranks)}{others}, with {points}."


def _game(name: str | None) -> Game:
    """The game of this name. Raises UsageError, which names saved games if no game is named."""
    from ...games import MODULES, find_game
    from ...play.unfinished import ENDING

    if name is None:
        saved = sorted(path.stem for path in common.logs_folder().glob(f"*{ENDING}"))
        hint = f"; or resume a saved one: --resume {', '.join(saved)}" if saved else ""
        raise UsageError(f"name a game: {', '.join(MODULES)}{hint}")
    return find_game(name)


def _seat_all(game: Game, request: NewGame, seed: Seed, sandboxed: bool) -> tuple[int, list[Bot | None]]:
    """The person's seat, and the bot in each seat: None for the person and for the built-in opponent.

    A seat that is not chosen is drawn from the deal's seed, because it matters who starts. Raises UsageError, BotError.
    """
    from ...games.chance import Chance
    from ...play.rollout_bot import NAME

    paths, seat = request.bots, request.seat
    default = len(paths) + 1 if paths else _PLAYERS
    count = default if request.players is None else request.players
    game.check_players(count)
    if seat is None:
        seat = Chance(seed).stream("seat of the person").below(count)
    if seat >= count:
        raise UsageError(f"no seat {seat}: the seats are 0 to {count - 1}")
    if len(paths) >= count:
        raise UsageError(f"too many players: {len(paths)} bots and you, in a game for {count}")
    programs = [path for path in paths if path != NAME]
    found = iter(find_seated(programs, game, sandboxed) if programs else ())
    bots = [None if path == NAME else next(found) for path in paths or [NAME]]
    opponents = [bots[index % len(bots)] for index in range(count - 1)]
    return seat, [*opponents[:seat], None, *opponents[seat:]]


def _new_game(game: Game, request: NewGame, seat: int, bots: list[Bot | None], seed: Seed) -> Unfinished:
    """A game without any actions yet. Raises UsageError, BadOption."""
    from ...isolation.discovery import invalid_name
    from ...play.rollout_bot import NAME
    from ...play.unfinished import Opponent, Unfinished
    from ...replay.record import NAME_LENGTH, is_player_name, seat_names
    from ...tournament.definition import utc_now

    if not is_player_name(request.name) or "#" in request.name:
        raise UsageError(f"--name: {invalid_name(request.name, NAME_LENGTH)}")
    names = [request.name if index == seat else bot.name if bot else NAME for index, bot in enumerate(bots)]
    seats = [
        Opponent(name, str(Path(bot.path).absolute()) if bot else "", bot.digest if bot else "")
        for name, bot in zip(seat_names(names), bots, strict=True)
    ]
    options = msgspec.structs.asdict(game.make_options(common.parse_options(request.option)))
    return Unfinished(game.name, options, seed, seat, seats, started=utc_now())


def _saved_log(text: str) -> Path:
    """The log that a saved game will have, from its name in logs/, its path, or the path of the saved game.

    Raises LogError if there is no saved game.
    """
    from ...play.unfinished import unfinished_path

    log = Path(text).with_suffix(".log") if "/" in text or Path(text).suffix else common.log_path(text)
    if not unfinished_path(log).exists():
        raise LogError(f"no unfinished game {text} ({unfinished_path(log)} not found)")
    return log
