"""`fa tournament run`, `resume` and `init`: bots play each other; stopped tournaments resume."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...isolation.limits import Sandbox
from ...text import quoted
from ...tournament.options import STRICT
from .. import common, limits
from ..common import fa, place_of, say
from ..declared import taking
from ..tables import Format
from .file import begin_file, file_of
from .options import JOBS, OUTPUT, PIN, STDERR, Pin, RunOptions
from .proof import commitment_of, say_commitment
from .show import (
    NameArgument,
    tell_faults,
    tell_places,
    warn_of_skipped,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from ...isolation.discovery import Skipped
    from ...tournament.definition import Definition
    from ...tournament.running.run import Run


JobsOption = Annotated[int | None, typer.Option("--jobs", "-j", min=JOBS.least, metavar=JOBS.metavar, help=JOBS.help)]
StderrOption = Annotated[Path | None, typer.Option("--stderr", metavar=STDERR.metavar, help=STDERR.help)]
PinOption = Annotated[Pin, typer.Option("--pin", help=PIN.help)]
StrictOption = Annotated[bool, typer.Option("--strict", help=STRICT.help)]
OutputOption = Annotated[Format, typer.Option("--output", help=OUTPUT.help)]


@taking("options", RunOptions, lambda options: options)
def run(context: typer.Context, options: RunOptions) -> None:
    """Bots meet and sit in every seat equally often, or as --format says; the games go to logs/NAME.log.

    Ctrl-C stops after the games that run, and `fa tournament resume NAME` goes on.
    """
    import msgspec

    from ...tournament.definition import create
    from ...tournament.setup import find_games, make_definition

    asked = options.request
    limited = limits.checked_limits(asked.sandbox, asked.limits)
    name = _new_name(options.name, file_of(context) or asked.game)
    find_games(asked.game)
    limits.warn_if_seen(asked.anonymous, limited.sandbox)
    definition = make_definition(name, msgspec.structs.replace(asked, limits=limited), say)
    create(place_of(name), definition)
    _play(definition, options.jobs, options.pin, options.stderr, options.output)


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
    pin: PinOption = Pin.AUTO,
    stderr: StderrOption = None,
    output: OutputOption = Format.TABLE,
) -> None:
    """Go on with a tournament after its last finished game; its log is verified first."""
    from ...isolation.sandbox.bubblewrap import choose
    from ...tournament.amend import Amendment, amend, unchanged_bots
    from ...tournament.definition import load
    from ...tournament.proof.verified_prefix import check_whole

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
        definition = unchanged_bots(definition, None if strict else absent)
    for bot in absent.values():
        common.warn(f"{bot}; its games are lost by a fault until it is resumed with it")
    _play(definition, jobs, pin, stderr, output, absent)


def init(
    file: Annotated[Path, typer.Argument(metavar="[FILE]", help="A new file.")] = Path("tournament.toml"),
) -> None:
    """Write a tournament file with every option and its usual value, for `fa tournament run FILE`."""
    begin_file(file)
    say(f"wrote {file}; run it: {fa()} tournament run {quoted(file)}")


def _new_name(name: str | None, base: str) -> str:
    """A name that is free: the one that was asked for, or the base with a number. Raises UsageError."""
    from ...tournament.definition import check_name_is_free, free_name

    if name is None:
        return free_name(common.check_name(base), [common.tournaments_folder(), common.logs_folder()])
    check_name_is_free(place_of(name), name)
    return name


def _play(
    definition: Definition,
    jobs: int | None,
    pin: Pin,
    stderr: Path | None,
    format: Format,
    absent: Collection[int] = (),
) -> None:
    """Play what is left, then print the leaderboard and where everything is."""
    from ...tournament.running.run import Run, default_jobs
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
            listener=watcher,
            resume=f"{fa()} tournament resume {definition.name}",
            stderr=stderr,
            pin=pin is Pin.AUTO,
            absent=absent,
        )
        run.play()
    _show_results(definition, run, format)


def _show_results(definition: Definition, run: Run, format: Format) -> None:
    """Print the leaderboard, then on stderr what else came of the run and which commands show more."""
    from ...leaderboard.leaderboards import leaderboard
    from ...results import By
    from ..leaderboard import show_board
    from ..ratings import selected

    log = place_of(definition.name).log
    several = len({setting.game for setting in definition.settings}) > 1
    selection = selected([log])
    standings = leaderboard(selection, By.GAME if several else None)
    show_board(standings, format, answer=run.schedule.sequential_result, skipped=definition.skipped)
    tell_faults(selection)
    tell_places(definition, run.schedule)
    if run.describe_result:
        say(run.describe_result)
    say(f"log: {log} ({standings.games} games, {log.stat().st_size / 1000:.0f} kB)")
    say(f"verify it: {fa()} tournament verify {definition.name} --commitment {commitment_of(definition)}")
    by = _telling_part(definition)
    say(f"by {by}: {fa()} leaderboard {definition.name} --by {by}")
    say(f"show all: {fa()} tournament show {definition.name}")
    warn_of_skipped(definition)
    limits.warn_again(definition.limits)


def _telling_part(definition: Definition) -> str:
    """What the results of the tournament are best told apart by."""
    from ...leaderboard.labels import describe_side

    settings = definition.settings
    sides = {describe_side(setting.game, setting.options) for setting in settings}
    if len(settings) == 1:
        return "seat"
    return "side" if len(sides) == len(settings) and len({setting.game for setting in settings}) == 1 else "variant"
