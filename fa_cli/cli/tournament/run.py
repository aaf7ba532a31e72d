"""`fa tournament run`, `resume` and `init`: bots play each other; stopped tournaments resume."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...text import quoted
from .. import common, limits
from ..common import fa, place_of, say
from ..limits import LIMITS
from ..tables import Format
from .file import begin_file, file_of
from .proof import commitment_of, say_commitment
from .show import (
    NameArgument,
    tell_faults,
    tell_places,
    warn_of_skipped,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from ...protocol.bots import Skipped
    from ...protocol.limits import Limits
    from ...tournament.config import Definition


class DuplicateChoice(Enum):
    """What `--duplicate` takes."""

    ROTATIONS = "rotations"
    PERMUTATIONS = "permutations"
    OFF = "off"


class FormatChoice(Enum):
    """What `--format` takes."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    LADDER = "ladder"


class UntilChoice(Enum):
    """What `--until` takes."""

    DECIDED = "decided"


class PinChoice(Enum):
    """What `--pin` takes."""

    AUTO = "auto"
    OFF = "off"


JobsOption = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, metavar="J", help="Games at the same time; as many as cores.")
]
StderrOption = Annotated[
    Path | None, typer.Option("--stderr", metavar="FOLDER", help="Keep all that bots write to stderr, a file each.")
]
_UNTIL: dict[str, Any] = {"rich_help_panel": "Stopping early"}
PinOption = Annotated[PinChoice, typer.Option("--pin", help="Whether a game's processes keep to one core.")]
StrictOption = Annotated[bool, typer.Option("--strict", help="Refuse to play if a bot is broken; do not skip it.")]
OutputOption = Annotated[Format, typer.Option("--output", help="How to print the leaderboard.")]


@limits.taking_limits
def run(
    context: typer.Context,
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT...|FILE.toml", help="Files or folders; NAME=PATH renames one.")
    ],
    game: Annotated[str, typer.Option(metavar="GAME", help="A name in `fa games`, or all.")] = "fifth-avenue",
    format: Annotated[FormatChoice, typer.Option(help="Who meets whom.")] = FormatChoice.ROUND_ROBIN,
    challenger: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Gauntlet: who meets the rest; the first bot. Repeatable.")
    ] = None,
    rounds: Annotated[int | None, typer.Option(min=1, metavar="N", help="Swiss: how many.")] = None,
    sets: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Swiss, knockout: deals for a table, each in all seatings; 1."),
    ] = None,
    advance: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Knockout: how many of a table go on; 1.")
    ] = None,
    extra_sets: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Knockout: more at most while a table is level; 2.")
    ] = None,
    players: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Bots at a table; 4 (swiss, knockout: 2), or fewer.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game; may be repeated.")
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="How many games; a fair number when nothing is said.")
    ] = None,
    jobs: JobsOption = None,
    pin: PinOption = PinChoice.AUTO,
    seed: Annotated[str | None, typer.Option(metavar="TEXT", help="The same text deals the same games.")] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Of the log, and for `show` and `resume`.")] = None,
    move_time: limits.MoveTime = "1s",
    bank: limits.Bank = None,
    duplicate: Annotated[
        DuplicateChoice, typer.Option(help="Play a deal once for each turn of the table, in every seating, or once.")
    ] = DuplicateChoice.ROTATIONS,
    allow_repeats: Annotated[
        bool, typer.Option("--allow-repeats", help="Let the same bot sit at a table twice.")
    ] = False,
    until: Annotated[
        UntilChoice | None, typer.Option(help="End when it is known which of two bots is better.", **_UNTIL)
    ] = None,
    compare: Annotated[str, typer.Option(metavar="A,B", help="These two, if there are more bots.", **_UNTIL)] = "",
    alpha: Annotated[float, typer.Option(help="Chance to call equal bots different.", **_UNTIL)] = 0.05,
    beta: Annotated[float, typer.Option(help="Chance to miss a difference of the margin.", **_UNTIL)] = 0.05,
    margin: Annotated[float, typer.Option(help="The smallest difference that matters.", **_UNTIL)] = 0.1,
    times: Annotated[
        bool,
        typer.Option(
            "--times/--no-times",
            help="Record in the log how long each decision took; without, equal games give equal bytes.",
        ),
    ] = True,
    anonymous: limits.AnonymousOption = False,
    strict: StrictOption = False,
    stderr: StderrOption = None,
    *,
    limited: Limits,
    bench: Annotated[
        int, typer.Option(min=0, metavar="N", help="Faults until a bot plays no more; 0: it always does.", **LIMITS)
    ] = 10,
    output: OutputOption = Format.TABLE,
) -> None:
    """Bots meet and sit in every seat equally often, or as --format says; the games go to logs/NAME.log.

    Ctrl-C stops after the games that run, and `fa tournament resume NAME` goes on.
    """
    import msgspec

    from ...tournament.config import Duplicate, create
    from ...tournament.plans import Format as TournamentFormat
    from ...tournament.prepare import Wishes, find_games, prepare
    from ...tournament.sequential import Errors

    name = _new_name(name, file_of(context) or game)
    find_games(game)
    wishes = Wishes(
        bots=bots,
        game=game,
        format=TournamentFormat(format.value),
        challengers=challenger or [],
        rounds=rounds,
        sets=sets,
        advance=advance,
        extra_sets=extra_sets,
        options=common.parse_options(option),
        players=players,
        games=games,
        seed=seed,
        clock=limits.make_clock(move_time, bank),
        duplicate=Duplicate(duplicate.value),
        repeats=allow_repeats,
        limits=msgspec.structs.replace(limited, bench=bench),
        times=times,
        anonymous=anonymous,
        until_decided=until is not None,
        compare=compare.split(",") if compare else [],
        errors=Errors(alpha, beta, margin),
        strict=strict,
    )
    limits.warn_if_seen(anonymous, limited.sandbox)
    definition = prepare(name, wishes, say)
    create(place_of(name), definition)
    _play(definition, jobs, pin, stderr, output)


def resume(
    name: NameArgument,
    more: Annotated[int, typer.Option(min=0, metavar="K", help="So many games beyond those planned.")] = 0,
    update: Annotated[bool, typer.Option("--update", help="Bots whose files changed go on as new versions.")] = False,
    add: Annotated[list[str] | None, typer.Option(metavar="BOT", help="Ladder: a bot joins; may be repeated.")] = None,
    retire: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Ladder: a bot leaves; may be repeated.")
    ] = None,
    strict: StrictOption = False,
    jobs: JobsOption = None,
    pin: PinOption = PinChoice.AUTO,
    stderr: StderrOption = None,
    output: OutputOption = Format.TABLE,
) -> None:
    """Go on with a tournament after its last finished game; its log is verified first."""
    from ...protocol.sandbox import Sandbox, choose
    from ...tournament.amend import Amendment, amend, same_bots
    from ...tournament.checked import check_whole
    from ...tournament.config import load

    place = place_of(name)
    definition = load(place.definition)
    if definition.limits.sandbox:
        choose(Sandbox.BWRAP, common.warn)
    limits.warn_again(definition.limits)
    check_whole(place)
    absent: dict[int, Skipped] = {}
    if more or update or add or retire:
        definition = amend(place, Amendment(add or [], retire or [], update, more), say, None if strict else absent)
    else:
        definition = same_bots(definition, None if strict else absent)
    for bot in absent.values():
        common.warn(f"{bot}; its games are lost by a fault until it is resumed with it")
    _play(definition, jobs, pin, stderr, output, absent)


def init(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="[FILE]", help="A new file.")] = Path("tournament.toml"),
) -> None:
    """Write a tournament file with every option and its usual value, for `fa tournament run FILE`."""
    begin_file(context, "run", file)
    say(f"wrote {file}; run it: {fa()} tournament run {quoted(file)}")


def _new_name(name: str | None, base: str) -> str:
    """A name that is free: the one that was asked for, or the base with a number. Raises UsageError."""
    from ...tournament.config import check_free, free_name

    if name is None:
        return free_name(common.check_name(base), [common.tournaments_folder(), common.logs_folder()])
    check_free(place_of(name), name)
    return name


def _play(
    definition: Definition,
    jobs: int | None,
    pin: PinChoice,
    stderr: Path | None,
    format: Format,
    absent: Collection[int] = (),
) -> None:
    """Play what is left, then print the leaderboard and where everything is."""
    from ...tournament.run import Run, default_jobs
    from ...tournament.standings import By
    from ..leaderboard import show_board
    from ..ratings import board_of
    from .progress import watching

    place = place_of(definition.name)
    if stderr:
        stderr.mkdir(parents=True, exist_ok=True)
    say_commitment(definition)
    with watching(definition.games, common.SETTINGS.quiet) as watcher:
        run = Run(
            definition,
            place,
            jobs=jobs or default_jobs(definition.bots),
            watcher=watcher,
            resume=f"{fa()} tournament resume {definition.name}",
            stderr=stderr,
            pin=pin is PinChoice.AUTO,
            absent=absent,
        )
        run.play()
    several = len({setting.game for setting in definition.settings}) > 1
    standings = board_of([place.log], By.GAME if several else None)
    show_board(standings, format, answer=run.course.answer, skipped=definition.skipped)
    tell_faults(standings)
    tell_places(definition, run.course)
    if run.answer:
        say(run.answer)
    say(f"log: {place.log} ({standings.games} games, {place.log.stat().st_size / 1000:.0f} kB)")
    say(f"verify it: {fa()} tournament verify {definition.name} --commitment {commitment_of(definition)}")
    by = _telling_part(definition)
    say(f"by {by}: {fa()} leaderboard {definition.name} --by {by}")
    say(f"show all: {fa()} tournament show {definition.name}")
    warn_of_skipped(definition)
    limits.warn_again(definition.limits)


def _telling_part(definition: Definition) -> str:
    """What the results of the tournament are best told apart by."""
    from ...tournament.names import describe_side

    settings = definition.settings
    sides = {describe_side(setting.game, setting.options) for setting in settings}
    if len(settings) == 1:
        return "seat"
    return "side" if len(sides) == len(settings) and len({setting.game for setting in settings}) == 1 else "variant"
