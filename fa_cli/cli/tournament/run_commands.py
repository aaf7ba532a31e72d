"""`fa tournament run`, `resume` and `init`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from ...errors import Impossible, UsageError
from ...game_result import By
from ...isolation.limits import Sandbox
from ...option import Argument
from ...printing.text import counted, cut, listed, quoted
from ...results.places import gives_places
from .. import common, limit_options
from ..common import TournamentArgument, fa, say, say_command, tournament_paths
from ..help import explained
from ..tables import TableOptions
from .file import begin_file, numbered_name, with_file
from .run_options import CLUSTER, LOCAL, PlayingOptions, ResumeOptions, RunOptions
from .summary import report_faults, warn_of_skipped

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ...isolation.discovery import Skipped
    from ...tournament.definition import Definition
    from ...tournament.running.executor import MakeExecutor
    from ...tournament.running.run import Run


@explained(
    "tournaments",
    ("Let two bots of yours and a shipped one play", "fa tournament run mine.py rival/ greedy"),
    ("Stop when it is decided which of two versions is better", "fa tournament run new.py old.py --until decided"),
    ("Stop when it is known which three bots are the best", "fa tournament run bots/* --until ranked --top 3"),
    ("Play a tournament file", "fa tournament run spring.toml"),
    first="--game manhattan --schedule swiss --players 2 --option side=six --games 200 --seed spring "
    "--move-time 200ms --until decided --jobs 4 --name spring",
)
def run(options: RunOptions) -> None:
    """Play a tournament between bots and print its leaderboard.

    By default every bot meets every other and has every seat equally often. The games go to logs/NAME.log. Ctrl-C stops
    after the games in progress; `fa tournament resume NAME` plays the rest.
    """
    from ...isolation.discovery import bot_path
    from ...tournament.definition import create
    from ...tournament.proof.verified_prefix import forget
    from ...tournament.setup import find_games, make_definition
    from ...transparency.beacon import future_round

    request = options.request
    checked = limit_options.checked_limits(request.sandbox, request.limits)
    name = _new_name(options.name, request.game)
    find_games(request.game)
    executor = _choose_executor(options.playing)
    missing = _await_remote([str(bot_path(bot)) for bot in request.bots], options.playing)
    limit_options.warn_if_seen(request.anonymous, checked.sandbox)
    is_here = options.playing.executor == LOCAL
    definition = make_definition(name, msgspec.structs.replace(request, limits=checked), say, may_start_later=is_here)
    _check_columns(definition, options.playing)
    if options.beacon_round is not None:
        definition = msgspec.structs.replace(definition, beacon=future_round(options.beacon_round))
    _check_models(definition, options.playing)
    create(tournament_paths(name), definition)
    forget(tournament_paths(name).log)  # it has no game yet; one of this name may have been removed
    if options.define or definition.beacon:
        _say_commitment(definition)
        value = ""
        if definition.beacon:
            say(f"beacon: {definition.beacon.describe()}")
            value = " --beacon FILE"
        say_command("play it", f"{fa()} tournament resume {name}{value}")
    else:
        absent = [index for index, bot in enumerate(definition.bots) if Path(bot.path) in missing]
        for index in absent:
            _warn_of_absent(f"{definition.bots[index].name} is not connected", is_remote=True)
        _play(definition, options.playing, executor, absent)


run.around = with_file  # type: ignore[attr-defined]


@explained(
    "tournaments",
    ("Resume after Ctrl-C or a crash", "fa tournament resume spring"),
    ("Play 100 games more than planned", "fa tournament resume spring --more 100"),
    first="--more 100 --update --add mine.py --retire greedy --jobs 4 --format json --wide",
)
def resume(name: TournamentArgument, options: ResumeOptions) -> None:
    """Resume a tournament after its last finished game.

    Its log is verified first.
    """
    from ...isolation.discovery import hide_bots
    from ...isolation.transport.remote import is_remote
    from ...tournament.definition import load
    from ...tournament.proof.audit import check_is_own
    from ...tournament.proof.verified_prefix import check_not_lost, check_whole
    from ...tournament.running.run import is_finished

    paths = tournament_paths(name)
    definition = load(paths.definition)
    _check_columns(definition, options.playing)
    definition = _with_beacon(definition, options.beacon)
    check_is_own(definition, paths.log)
    check_not_lost(definition, paths.log)
    if definition.limits.sandbox:
        limit_options.choose_sandbox(Sandbox.BWRAP)
        hide_bots(definition.bots)
    limit_options.warn_again(definition.limits)
    check_whole(paths)
    executor = _choose_executor(options.playing)
    absent: dict[int, Skipped] = {}
    is_over = is_finished(definition, paths.log)
    if is_over and options.amends and not options.more:
        raise UsageError(f"{name} is over: nothing is left to change, unless --more plays on")
    if options.amends or not is_over:  # else no bot is needed
        _await_remote([bot.path for bot in definition.bots], options.playing)
        definition = _amended(definition, options, None if options.strict else absent)
        _check_models(definition, options.playing)
    if options.more and is_over:
        common.warn(f"{name} was over, so others may know its seed, and with it all deals to come")
    for index, bot in absent.items():
        _warn_of_absent(str(bot), is_remote(definition.bots[index].path))
    _play(definition, options.playing, executor, absent)


def _await_remote(paths: Sequence[str], options: PlayingOptions) -> set[Path]:
    """Wait for the remote bots among these; returns the absolute paths of those that are absent. Raises UsageError."""
    from ...isolation.transport.remote import await_bots, awaited_bots, connected, is_remote, use_home

    use_home(common.SETTINGS.home)
    remote = [Path(path).absolute() for path in paths if is_remote(path)]
    if remote and options.executor != LOCAL:
        text = "remote bots can't play on a cluster: their host passes lines on to this machine alone"
        raise Impossible(text, "executor")
    awaited = awaited_bots(remote)
    if awaited and options.wait:
        names = listed([path.stem for path in awaited])
        missing = "" if connected(awaited[0].parent) else "; no fa serve --bots of this folder is running"
        say(f"waiting for {names} to connect, at most {options.wait:g} s{missing}")
    return set(await_bots(remote, options.wait))


def _warn_of_absent(why: str, is_remote: bool) -> None:
    count = "" if is_remote else "; these faults count for --max-faults"
    common.warn(f"{why}; its games are lost by a fault until the tournament is resumed with it{count}")


def _say_commitment(definition: Definition) -> None:
    """Print what fixes the seed before the first game without revealing it."""
    say(f"commitment of the seed: {definition.seed.commitment}")


def _with_beacon(definition: Definition, file: Path | None) -> Definition:
    """The definition with the public random value it waits for, from a file. Raises UsageError, CheckFailed."""
    from ...tournament.definition import replace

    beacon = definition.beacon
    if beacon is None or beacon.signature:
        if file is not None:
            raise UsageError(f"{definition.name} {'has its' if beacon else 'waits for no'} public random value")
        return definition
    if file is not None:
        beacon = beacon.with_value(file)
        if beacon.is_genuine() is None:
            common.warn(f"{file}: its signature is not checked: pip install 'fa-cli[beacon]'")
        definition = msgspec.structs.replace(definition, beacon=beacon)
        replace(tournament_paths(definition.name), definition)
    _ = definition.deal_seed  # raises UsageError without the value
    return definition


def _amended(definition: Definition, options: ResumeOptions, absent: dict[int, Skipped] | None) -> Definition:
    """The definition with the changes that the options ask for; bots that can't play go to `absent`, by index.

    Raises UsageError, BotError; without `absent` also for a bot that can't play.
    """
    from ...tournament.amend import Amendment, amend, unchanged_bots

    is_here = options.playing.executor == LOCAL
    if options.amends:
        amendment = Amendment(options.add, options.retire, options.update, options.more)
        return amend(tournament_paths(definition.name), amendment, say, absent, may_start_later=is_here)
    return unchanged_bots(definition, absent, may_start_later=is_here)


@explained(
    "tournaments",
    ("Write tournament.toml", "fa tournament init"),
    ("Write another file and run it", "fa tournament init spring.toml && fa tournament run spring.toml"),
)
def init(
    file: Annotated[Path, Argument("Write FILE, a new file.", "[FILE]")] = Path("tournament.toml"),
) -> None:
    """Write a tournament file with every option and its default.

    `fa tournament run FILE` plays it.
    """
    from ...isolation.sandbox.bubblewrap import warning, why_not

    if reason := why_not():
        common.warn(warning(reason))
    begin_file(file, sandboxed=not reason)
    say(f"wrote {file}")
    say_command("run it", f"{fa()} tournament run {quoted(file)}")


def _new_name(name: str | None, game: str) -> str:
    """The name that was asked for, or the game with a free number. Raises UsageError if the name is taken."""
    from ...tournament.definition import check_name_is_free

    name = numbered_name(game) if name is None else common.check_name(name)
    check_name_is_free(tournament_paths(name), name)
    return name


def _check_columns(definition: Definition, options: PlayingOptions) -> None:
    """Raises UsageError for columns that the leaderboard will not have, before all games are played."""
    from ..tables.leaderboard_table import check_columns

    games = sorted({setting.game for setting in definition.settings})
    check_columns(options.table, definition, games if len(games) > 1 else ())


def _check_models(definition: Definition, options: PlayingOptions) -> None:
    """Raises UsageError if the language models of bots can't be used as the options are."""
    from ...models.model import check_models

    has_models = check_models(definition.bots, options.budget)
    if options.budget is not None and not has_models:
        raise Impossible("--budget is for bots with a language model, and none of these has one", "budget")
    if has_models and options.executor != LOCAL:
        text = "bots with a language model play on this machine only, where their keys are: leave --executor"
        raise Impossible(text, "executor")


def _play(
    definition: Definition, options: PlayingOptions, executor: MakeExecutor, absent: Collection[int] = ()
) -> None:
    """Play the remaining games, then print the leaderboard and where the files are."""
    from ...tournament.running.run import Run, default_jobs
    from ..tables.leaderboard_table import shows_ratings
    from .progress_bar import progress_listener

    _say_commitment(definition)
    with progress_listener(definition.games, common.SETTINGS.quiet) as listener:
        run = Run(
            definition,
            tournament_paths(definition.name),
            jobs=options.jobs if options.executor != LOCAL else options.jobs or default_jobs(definition.bots),
            listener=listener,
            resume=f"{fa()} tournament resume {definition.name}{_on_the_same(options)}",
            stderr=options.stderr,
            pin=options.pin == "auto",
            absent=absent,
            rated=shows_ratings(options.table),
            executor=executor,
            budget=options.budget,
        )
        listener.evidence = lambda: run.schedule.evidence_text
        run.play()
    _show_results(definition, run, options.table)


def _on_the_same(options: PlayingOptions) -> str:
    """The options with which a tournament goes on where it was played; none on this machine."""
    if options.executor == LOCAL:
        return ""
    files = msgspec.structs.asdict(options.security).items()
    told = "".join(f" --cluster-{name} {quoted(path)}" for name, path in files if path)
    return f" --executor {options.executor}{told}"


def _choose_executor(options: PlayingOptions) -> MakeExecutor:
    """The executor that plays the games. Raises UsageError, and ClusterError if there is no cluster there."""
    from ...tournament.running.dispatcher import Dispatcher

    if options.executor != LOCAL and not options.executor.startswith(CLUSTER):
        raise Impossible(
            f"invalid executor {cut(options.executor, 80)!r}: use {LOCAL} (this machine) or {CLUSTER}HOST:PORT (the "
            f"scheduler of a Dask cluster), e.g. {CLUSTER}192.168.1.5:8786",
            "executor",
        )
    if options.executor == LOCAL:
        if options.stderr:
            try:  # before anything is written, so that the same command can be given again
                options.stderr.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                text = f"--stderr: cannot create the folder {options.stderr}: {error.strerror}"
                raise Impossible(text, "stderr") from None
        return Dispatcher
    if options.stderr:
        raise Impossible("--stderr can't be used with a cluster: its bots' stderr stays on the workers", "stderr")
    from ...cluster.connection import connect
    from ...cluster.coordinator.dask_executor import ClusterExecutor

    make_client = partial(connect, options.executor, options.security)
    make_client().close()  # before anything is written
    return partial(ClusterExecutor, address=options.executor, connect=make_client, wait=options.cluster_wait)


def _show_results(definition: Definition, run: Run, table: TableOptions) -> None:
    """Print the leaderboard; then, on stderr, a summary of the run and the commands that show more."""
    from ...leaderboard.leaderboards import leaderboard
    from ..tables.leaderboard_table import report_notes, show_board, shows_ratings

    log = tournament_paths(definition.name).log
    has_several_games = len({setting.game for setting in definition.settings}) > 1
    selection = common.select_logs([log])
    standings = leaderboard(selection, By.GAME if has_several_games else None, rated=shows_ratings(table))
    standings.mark_stopped(definition.bots_compared)
    placing = run.schedule if gives_places(definition) else None
    sequential = run.schedule.sequential_result
    shown = show_board(standings, table, sequential=sequential, skipped=definition.skipped, placing=placing)
    report_notes(standings, table, shown, selection, [log])
    report_faults(selection)
    say(f"seats: {run.schedule.seat_counts.describe()}")
    if run.schedule.verdict_text:
        say(run.schedule.verdict_text)
    say(f"log: {log} ({counted(standings.games, 'game')}, {log.stat().st_size / 1000:.0f} kB)")
    say_command("verify it", f"{fa()} tournament verify {definition.name} --commitment {definition.seed.commitment}")
    by = _interesting_part(definition)
    say_command(f"by {by}", f"{fa()} leaderboard {definition.name} --by {by}")
    say_command("show all", f"{fa()} tournament show {definition.name}")
    warn_of_skipped(definition)
    limit_options.warn_again(definition.limits)


def _interesting_part(definition: Definition) -> str:
    """The value of --by that tells most about the tournament: what its settings differ in, else the seat."""
    from ...leaderboard.labels import describe_side

    settings = definition.settings
    sides = {describe_side(setting.game, setting.options) for setting in settings}
    if len(settings) == 1:
        return "seat"
    return "side" if len(sides) == len(settings) and len({setting.game for setting in settings}) == 1 else "variant"
