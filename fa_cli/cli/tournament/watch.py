"""`fa tournament watch`: a tournament as it is being played, from another terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from ...errors import FaError, LogError, UsageError
from ...option import Option
from ...printing.columns import columns_of, number, text
from ...printing.rows import fields_of, used_columns
from ...printing.terminal import folded, print_line
from ...printing.text import clock_time, counted, printable
from ..common import TournamentArgument, fa, tournament_paths, warn
from ..help import explained
from ..tables import Format, TableOptions, fitted_lines, show, show_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from ...screens.live_text import Picture
    from ...tournament.live import LiveTournament, Snapshot

_FIELDS = (
    *("rank", "bot", "games", "strength", "strength_interval", "wins", "points", "mean_rank", "faults", "suspended"),
)
"""The columns of the standings."""


class WatchRow(msgspec.Struct):
    """A tournament at one moment."""

    name: Annotated[str, text("name", "the tournament's name")]
    state: Annotated[
        str,
        text(
            "state",
            "`not begun`, `running`, `stopping` (the games in progress are played to their end), `stopped`, `lost` "
            "(the run gives no sign of life: killed or paused) or `finished`",
        ),
    ]
    done: Annotated[int, number("done", "games in the log")]
    games: Annotated[int, number("games", "games planned, as known now")]
    rate: Annotated[float | None, number("games/s", "games per second in this run; none if none is running", 2)]
    seconds_left: Annotated[float | None, number("seconds left", "time to the last game at this rate")]
    playing: Annotated[list[int], text("playing", "list: the games in progress, as the records that they will be")]
    faults: Annotated[int, number("faults", "faults of bots so far")]
    suspended: Annotated[list[str], text("suspended", "list: the bots that are suspended", " ".join)]
    evidence: Annotated[str, text("evidence", "how near the test of two bots is to a decision, as the run tells it")]


@explained(
    "watch-games",
    ("Watch a tournament that runs in another terminal", "fa tournament watch spring"),
    ("Print its state for a script", "fa tournament watch spring --once --format json"),
)
def watch(
    name: TournamentArgument,
    once: Annotated[bool, Option("Print the state once instead, for scripts.")] = False,
    *,
    table: TableOptions,
) -> None:
    """Watch a tournament that runs in another terminal: standings, rate, games in progress, faults, time left.

    The run is not disturbed: only its files are read, without any lock. It may have ended, been killed or not begun.
    """
    from ...screens import check_terminal
    from ...tournament.live import LiveTournament
    from ...tournament.running.run_status import checked_status

    if table.format is not Format.TABLE and not once:
        raise UsageError(f"--format {table.format.value} is for --once: fa tournament watch NAME --once --format json")
    if not once:
        check_terminal("--once prints the state once")
    paths = tournament_paths(name)
    live = LiveTournament(paths)
    snapshot = live.look()
    try:
        checked_status(paths.status)
    except LogError as error:
        warn(f"{error}; so nothing is known of a run, remove the file")
    if not once:
        snapshot = _watch(live, snapshot)
    if table.format is Format.TABLE:
        _print(snapshot, table)
    else:
        show_rows(WatchRow, [_row(snapshot)], table)


def _watch(live: LiveTournament, snapshot: Snapshot) -> Snapshot:
    """Show the tournament on the full screen until the user quits; returns the last state."""
    from ...screens.live_text import LiveText

    latest = snapshot

    def look() -> Picture:
        nonlocal latest
        problem = ""
        try:
            latest = live.look()
        except FaError as error:
            problem = str(error)
        return lambda width: _picture(latest, width, problem)

    LiveText(look).show()
    return latest


def _picture(snapshot: Snapshot, width: int, problem: str = "") -> Text:
    """The screen: what is known of the tournament, for this width. A problem with its files is in the first line."""
    from rich.text import Text

    lines = _folded(printable(f"problem: {problem}"), width, "bold red") if problem else []
    lines += _folded(f"{printable(snapshot.name)}  {headline(snapshot)}", width, "bold")
    lines += [_bar(snapshot, width), Text(), *_standings(snapshot, width)]
    lines += [Text(line) for line in ["", *_games_in_progress(snapshot)]] if snapshot.playing else []
    lines += [Text(), *_folded(faults_line(snapshot), width, "red" if snapshot.faults else "")] if snapshot.done else []
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return Text("\n").join(lines)


def _folded(text: str, width: int, style: str = "") -> list[Text]:
    from rich.text import Text

    return [Text(line, style) for line in folded(text, width)]


def _bar(snapshot: Snapshot, width: int) -> Text:
    from rich.text import Text

    filled = width * snapshot.done // max(1, snapshot.games)
    return Text("━" * filled, "green") + Text("─" * (width - filled), "dim")


def _standings(snapshot: Snapshot, width: int) -> list[Text]:
    """The table of standings with the columns that fit; the first line has the headings."""
    from rich.text import Text

    from ...leaderboard.standings import StandingRow

    columns = [column for column in columns_of(StandingRow) if column.field in _FIELDS]
    if not snapshot.standings.rows:
        return []
    fields = [fields_of(row) for row in snapshot.standings.rows]
    heading, _, *rows = fitted_lines(fields, used_columns(fields, columns), width)
    notes = [line for note in snapshot.standings.notes for line in _folded(note, width)]
    return [Text(heading, "dim"), *map(Text, rows), *notes]


def _print(snapshot: Snapshot, table: TableOptions) -> None:
    """Print the state: a headline, the games in progress, the faults and the standings."""
    from ...leaderboard.standings import StandingRow

    print_line(f"{snapshot.name}: {headline(snapshot)}")
    for line in _games_in_progress(snapshot):
        print_line(line)
    if snapshot.done:
        print_line(faults_line(snapshot))
        columns = [column for column in columns_of(StandingRow) if column.field in _FIELDS]
        show([fields_of(row) for row in snapshot.standings.rows], columns, table, notes=snapshot.standings.notes)


def headline(snapshot: Snapshot) -> str:
    """The state and what can be done about it, in one line."""
    from ...tournament.live import State

    done = f"{snapshot.done:,} of {counted(snapshot.games, 'game')} ({snapshot.done / max(1, snapshot.games):.0%})"
    resume = f"{fa()} tournament resume {snapshot.name}"
    match snapshot.state:
        case State.NOT_BEGUN:
            return f"not begun: {done}; begin with: {resume}{' --beacon FILE' if snapshot.waits_for_beacon else ''}"
        case State.RUNNING:
            return f"running: {done}, {_pace(snapshot)}"
        case State.STOPPING:
            return f"stopping: {done}, and {counted(len(snapshot.playing), 'game')} in progress"
        case State.STOPPED:
            return f"stopped: {done}; resume with: {resume}"
        case State.LOST:
            silence = clock_time(snapshot.silence)
            return f"no sign of the run for {silence}, killed or paused: {done}; resume with: {resume}"
    early = f"{snapshot.done:,} of at most " if snapshot.done < snapshot.games else ""
    return f"finished: {early}{counted(snapshot.games, 'game')}"


def _pace(snapshot: Snapshot) -> str:
    if snapshot.rate is None or snapshot.seconds_left is None:
        return "no game has ended yet"
    evidence = f", {printable(snapshot.evidence)}" if snapshot.evidence else ""
    return f"{snapshot.rate:.1f}/s, {clock_time(snapshot.seconds_left)} left{evidence}"


def _games_in_progress(snapshot: Snapshot) -> Iterator[str]:
    for game in snapshot.playing:
        yield f"game {game.game:,}  {clock_time(game.seconds):>5}  {' '.join(game.bots)}  {printable(game.variant)}"


def faults_line(snapshot: Snapshot) -> str:
    """The faults of all bots: `faults: talker 3 (2 timeout, 1 crash, suspended for 7 games)`."""
    from ...stats.faults import by_kind

    bots = []
    for row in snapshot.faults:
        missed = f", suspended for {counted(row.suspended, 'game')}" if row.suspended else ""
        bots.append(f"{printable(row.bot)} {row.faults:,} ({by_kind(row)}{missed})")
    return f"faults: {'; '.join(bots) or 'none'}"


def _row(snapshot: Snapshot) -> WatchRow:
    return WatchRow(
        snapshot.name,
        snapshot.state.value,
        snapshot.done,
        snapshot.games,
        snapshot.rate,
        snapshot.seconds_left,
        [game.game for game in snapshot.playing],
        sum(row.faults for row in snapshot.faults),
        [row.bot for row in snapshot.faults if row.suspended],
        snapshot.evidence,
    )
