"""`fa tournament list`, `show` and `places`: which tournaments there are, and how they stand."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import msgspec

from ...errors import FaError, UsageError
from ...game_result import By
from ...option import Option, OptionGroup
from ...printing.columns import KEY, Column, number, text
from ...printing.rows import fields_of, meanings_of_marks
from ...printing.terminal import print_line
from ...printing.text import either
from ...results.places import MOST_GAMES_READ, gives_places
from ...tournament.formats import FORMATS
from .. import common
from ..common import TournamentArgument, say, select_logs, tournament_paths, write_duration
from ..help import explained
from ..limit_options import warn_again
from ..tables import Format, TableOptions, show_rows
from ..tables.views import ViewOptions, describe_ratio, show_places
from .summary import HIDDEN_SEED, report_faults, warn_of_skipped

if TYPE_CHECKING:
    from pathlib import Path

    from ...protocol.messages import Clock
    from ...stats.luck.variance_ratio import Ratio
    from ...tournament.definition import Definition
    from ...tournament.schedule import Schedule

_LABEL = 11
"""The width of the labels of a tournament's settings, with a blank."""
_VARIANTS = "games, with the number of variants if there are several"


def _games_played(settings: Sequence[str]) -> str:
    """The games of a tournament's settings, with the number of variants if there are several."""
    counts = Counter(setting.split(" ")[0] for setting in settings)
    return ", ".join(f"{game} ({count})" if count > 1 else game for game, count in counts.items())


class TournamentRow(msgspec.Struct):
    """A tournament and its progress."""

    name: Annotated[str, text("name", "the tournament's name", importance=KEY)]
    started: Annotated[str, text("started", "when it was defined (UTC)", importance=1)]
    bots: Annotated[
        list[str], Column("", "bots", lambda bots: str(len(bots)), True, "list: the bots' names", importance=3)
    ]
    schedule: Annotated[str, text("schedule", either([f"`{name}`" for name in FORMATS]), importance=2)]
    settings: Annotated[
        list[str], text("plays", "list: what is played", _games_played, folds=True, importance=4, legend=_VARIANTS)
    ]
    done: Annotated[int, number("done", "games in the log")]
    games: Annotated[int, number("games", "games planned, at most")]
    state: Annotated[str, text("state", "`finished`, `unfinished`, `running` or `damaged`")]


@explained(
    "tournaments",
    ("List the tournaments of the current folder", "fa tournament list"),
    ("List those of another folder as JSON", "fa tournament list --home league --format json"),
)
def list_all(table: TableOptions) -> None:
    """List all tournaments with their progress."""
    from ...system import files_in
    from ...tournament.definition import load

    rows, folder = [], common.tournaments_folder()
    for path in files_in(folder, ".json"):
        try:
            rows.append(_list_row(path.stem, load(path)))
        except FaError as error:
            say(str(error))
    if not rows:
        say(f"no tournaments in {folder}" if folder.exists() else f"no tournaments: {folder} does not exist")
    show_rows(TournamentRow, sorted(rows, key=lambda row: (row.started, row.name)), table)


def _list_row(name: str, definition: Definition) -> TournamentRow:
    """The row of a tournament whose files have this name: that of a copy is another than in the definition."""
    from ...tournament.setup import describe_settings

    done, state = _progress(definition, tournament_paths(name).log)
    return TournamentRow(
        name,
        definition.started,
        [bot.name for bot in definition.bots],
        definition.format_spec.name,
        describe_settings(definition),
        done,
        max(done, definition.games),
        state,
    )


def _progress(definition: Definition, log: Path) -> tuple[int, str]:
    """The number of games in the log, and the tournament's state."""
    from ...leaderboard.leaderboards import games_in
    from ...replay.log_writer import is_being_written
    from ...tournament.running.run import is_finished

    done = 0
    try:
        done = games_in(log) if log.exists() else 0
        finished = is_finished(definition, log)
        if log.exists() and is_being_written(log):
            return done, "running"
    except FaError as error:
        say(str(error))
        return done, "damaged"
    return done, "finished" if finished else "unfinished"


class ShowOptions(ViewOptions, frozen=True):
    """The same, and the table that needs the tournament's definition."""

    evidence: Annotated[
        bool, Option("Print how near the sequential tests of --until are to a decision.", group=OptionGroup.TABLE)
    ] = False


@explained(
    "tournaments",
    ("Show the settings, the leaderboard and the faults", "fa tournament show spring"),
    ("Show how often each bot ranks ahead of each other", "fa tournament show spring --matrix"),
)
def show_one(
    name: TournamentArgument,
    view: ShowOptions,
    table: TableOptions,
) -> None:
    """Show a tournament: its settings, leaderboards and faults.

    With --matrix, --seats, --faults or --evidence it shows only that table.
    """
    from ...tournament.definition import load
    from ...tournament.proof.audit import check_is_own

    paths = tournament_paths(name)
    definition = load(paths.definition)
    check_is_own(definition, paths.log)
    if view.chosen() == "evidence":
        _show_evidence(definition, paths.log, table)
    elif view.chosen():
        view.show(select_logs([paths.log] if paths.log.exists() else []), table)
    else:
        _show_tournament(definition, paths.log, table)


def _show_evidence(definition: Definition, log: Path, table: TableOptions) -> None:
    """Print the evidence of each test. Raises UsageError if there is none."""
    from ...stats.stopping_results import EvidenceRow
    from ...tournament.running.run import schedule_from_log

    rule = definition.stopping_rule
    if not rule:
        raise UsageError(f"{definition.name} has no sequential test: it was not begun with --until")
    schedule = schedule_from_log(definition, log)
    rows = schedule.evidence
    better, not_better = "the bot is better", "it is not better"
    if rule.one_sided:
        first, second = rows[0].bot, rows[0].rival
        better = f"{second} is better, from {rows[0].better_bound:.2f} on {first} no worse"
        not_better = f"{second} is not better, and {first} no worse,"
    notes = [
        schedule.verdict_text,
        f"better: natural logarithm; from {rows[1].better_bound:.2f} on {better}",
        f"not better: from {rows[0].not_better_bound:.2f} on, or a ratio of {rows[0].ratio_bound:.2f}, "
        f"{not_better} by {rule.errors.margin:g}",
    ]
    show_rows(EvidenceRow, rows, table, notes)


def _show_tournament(definition: Definition, log: Path, table: TableOptions) -> None:
    """Print the definition and the leaderboards, then warnings, faults and places."""
    from ...leaderboard.leaderboards import collect, leaderboard
    from ...leaderboard.standings import Leaderboard
    from ...stats.luck.variance_ratio import RotationSets
    from ...tournament.running.run import schedule_from_log
    from ..tables.leaderboard_table import check_columns, report_notes, show_board, shows_ratings

    selection = select_logs([log])
    standings = (
        leaderboard(selection, By.VARIANT, rated=shows_ratings(table)) if log.exists() else Leaderboard(0, [], {})
    )
    standings.mark_stopped(definition.bots_compared)
    is_short = standings.games <= MOST_GAMES_READ
    schedule = schedule_from_log(definition, log) if definition.stopping_rule or is_short else None
    placing = schedule if gives_places(definition) and is_short else None
    ratio = collect(selection, RotationSets, RotationSets.add).ratio() if standings.games and is_short else None
    check_columns(table, definition, standings.parts, has_ratio=bool(ratio))
    is_table, several = table.format is Format.TABLE, len(standings.parts) > 1
    first: list[Column] = []
    shown: list[Column] = []
    if is_table:
        _show_definition(definition, log, standings.games, ratio, schedule)
        if several and not table.columns:
            first = show_board(standings, table, with_parts=False, explain=False, placing=placing)
            print()
            placing = None
    sequential = schedule.sequential_result if schedule else None
    said = meanings_of_marks([fields_of(row) for row in standings.rows], first)
    if standings.games or not is_table:
        shown = show_board(
            standings,
            table,
            with_parts=several or bool(table.columns) or not table.is_for_people,
            sequential=sequential,
            skipped=definition.skipped,
            ratio=ratio,
            placing=placing,
            said=said,
        )
    report_notes(standings, table, [*first, *shown], selection, [log])
    warn_of_skipped(definition)
    warn_again(definition.limits)
    if log.exists():
        report_faults(selection)
    if is_table and standings.games and schedule and is_short:
        say(f"seats: {schedule.seat_counts.describe()}")


def _show_definition(
    definition: Definition, log: Path, played: int, ratio: Ratio | None, schedule: Schedule | None
) -> None:
    """Print the settings, clock and seed, what rotations are worth, what stops it early, and the path of the log.

    The seed is hidden until the last game, because it gives away all deals to come. `schedule`: after that log.
    """
    from ...isolation.transport.remote import is_remote
    from ...tournament.changes import describe_changes
    from ...tournament.running.run import is_finished
    from ...tournament.setup import describe_deals, describe_fairness, describe_settings, describe_stopping_rule

    is_over = schedule.is_over if schedule else is_finished(definition, log)
    rule, beacon = definition.stopping_rule, definition.beacon
    remote = [bot.name for bot in definition.bots if is_remote(bot.path)]
    lines = {
        "bots": " ".join(bot.name for bot in definition.bots)
        + ("; anonymous, no bot learns who the others are" if definition.anonymous else ""),
        "changes": describe_changes(definition.changes, [bot.name for bot in definition.bots]),
        **({"remote": f"{' '.join(remote)}; their digests are as they state, unproved"} if remote else {}),
        "schedule": definition.format_spec.title([bot.name for bot in definition.bots]),
        "plays": "; ".join(describe_settings(definition)),
        "games": f"{_played(played, definition)} {describe_fairness(definition)}",
        "rule": describe_stopping_rule(definition, rule) if rule else "",
        "verdict": schedule.verdict_text if schedule and played else "",
        "evidence": schedule.evidence_text if schedule else "",
        "deals": describe_deals(definition),
        "seed": str(definition.seed) if is_over else HIDDEN_SEED,
        "commitment": definition.seed.commitment,
        "beacon": f"{beacon.describe()}; {'' if beacon.signature else 'not '}mixed into the seed" if beacon else "",
        **({"rotation": describe_ratio(ratio.value, ratio.interval)} if ratio else {}),
        "clock": _describe_clock(definition.clock),
        "sandbox": "bubblewrap" if definition.limits.sandbox else "none",
        "started": definition.started or "not recorded (--no-times)",
        "log": str(log),
    }
    print_line(definition.name)
    for label, line in lines.items():
        if line:
            print_line(f"  {label:10} {line}", hanging=_LABEL)
    if played:
        print()


def _played(played: int, definition: Definition) -> str:
    """What stands before the planned games; extra sets come on top of these."""
    return f"{played:,} of" if played <= definition.games else f"{played:,} games; planned:"


def _describe_clock(clock: Clock) -> str:
    bank = f", and {write_duration(clock.bank_ms / 1000)} more per game" if clock.bank_ms else ""
    return f"{write_duration(clock.move_ms / 1000)} per decision{bank}"


@explained(
    "tournaments",
    ("Show the places and the results of each round", "fa tournament places cup"),
    ("Print them for a program", "fa tournament places cup --format json"),
)
def places(name: TournamentArgument, table: TableOptions) -> None:
    """List the places in a swiss or a knockout so far, with the results of each round."""
    from ...results.winner import by_places
    from ...tournament.definition import load
    from ...tournament.running.run import schedule_from_log

    paths = tournament_paths(name)
    definition = load(paths.definition)
    if not gives_places(definition):
        raise UsageError(
            f"{name} is a {definition.format_spec.name}, which has no places of its own; "
            f"rank its bots with: {common.fa()} leaderboard {name}"
        )
    schedule = schedule_from_log(definition, paths.log)
    show_places(schedule, table, alone=True)
    sys.stdout.flush()
    if not schedule.is_over:
        common.say(by_places(schedule) or "no game was played yet")
