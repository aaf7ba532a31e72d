"""`fa tournament list`, `show` and `places`: what tournaments there are, and how they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...columns import Column
from ...errors import FaError, UsageError
from ...text import printable
from .. import common, views
from ..common import place_of, say, warn
from ..limits import warn_again
from ..tables import Format, FormatOption, number, show
from ..views import FaultsOption, MatrixOption, SeatsOption

if TYPE_CHECKING:
    from ...leaderboard.leaderboards import Selection
    from ...tournament.definition import Definition
    from ...tournament.schedule import Schedule

_FOLLOWED = 20_000
"""Games whose log `show` reads once more, for the seats."""
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The tournament's name.")]


def list_all(format: FormatOption = Format.TABLE) -> None:
    """All tournaments: what they play, and how far they are."""
    from ...tournament.definition import load

    rows = []
    for path in sorted(common.tournaments_folder().glob("*.json")):
        try:
            rows.append(_list_row(load(path)))
        except FaError as error:
            say(str(error))
    rows.sort(key=lambda row: (row["started"], row["name"]))
    columns = (
        Column("name", "name"),
        Column("started", "started"),
        Column("bots", "bots", lambda names: str(len(names)), right=True),
        Column("format", "format"),
        Column("settings", "plays", ", ".join),
        number("done", "done"),
        number("games", "games"),
        Column("state", "state"),
    )
    show(rows, columns, format)


def show_one(
    name: NameArgument,
    matrix: MatrixOption = False,
    seats: SeatsOption = False,
    faults: FaultsOption = False,
    format: FormatOption = Format.TABLE,
) -> None:
    """One tournament: its settings, its leaderboard overall and per variant, its faults; or one other table."""
    from ...leaderboard.leaderboards import leaderboard
    from ...leaderboard.standings import Leaderboard
    from ...results import By
    from ...tournament.definition import load
    from ...tournament.running.run import schedule_from_log
    from ..leaderboard import show_board
    from ..ratings import selected

    place = place_of(name)
    definition = load(place.definition)
    view = views.chosen(matrix=matrix, seats=seats, faults=faults)
    if view:
        views.show_view(view, selected([place.log] if place.log.exists() else []), format)
        return
    selection = selected([place.log])
    standings = leaderboard(selection, By.VARIANT) if place.log.exists() else Leaderboard(0, [], {})
    if format is Format.TABLE:
        _show_definition(definition, standings.games)
        show_board(standings, format, apart=False)
        print()
    answer = schedule_from_log(definition, place.log).sequential_result if definition.stopping_rule else None
    show_board(standings, format, answer=answer, skipped=definition.skipped)
    warn_of_skipped(definition)
    warn_again(definition.limits)
    if place.log.exists():
        tell_faults(selection)
    if format is Format.TABLE and standings.games <= _FOLLOWED:
        tell_places(definition, schedule_from_log(definition, place.log))


def _show_definition(definition: Definition, played: int) -> None:
    """Print what is played, by which clock and seed, and where the log is."""
    from ...tournament.setup import describe_fairness, describe_format, describe_settings

    about = {
        "bots": " ".join(bot.name for bot in definition.bots)
        + ("; anonymous, none is told who the others are" if definition.anonymous else ""),
        "format": describe_format(definition),
        "plays": "; ".join(describe_settings(definition)),
        "games": f"{played} of {describe_fairness(definition)}",
        "deals": f"seed {definition.seed}, duplicate {definition.duplicate.value}",
        "clock": f"{definition.clock.move_ms} ms a decision, {definition.clock.bank_ms} ms beyond that a game",
        "sandbox": "bubblewrap" if definition.limits.sandbox else "none",
        "started": definition.started or "not recorded (--no-times)",
        "log": str(place_of(definition.name).log),
    }
    print(printable(definition.name))
    for what, text in about.items():
        print(f"  {what:8} {printable(text)}")
    print()


def warn_of_skipped(definition: Definition) -> None:
    """Name the bots that were to play and could not be built or started."""
    for bot in definition.skipped:
        warn(str(bot))


def places(name: NameArgument, format: FormatOption = Format.TABLE) -> None:
    """Who came in where in a swiss or a knockout, so far."""
    from ...tournament.definition import load
    from ...tournament.running.run import schedule_from_log

    place = place_of(name)
    definition = load(place.definition)
    if not definition.format_spec.counts_itself:
        raise UsageError(f"{name} is a {definition.format_spec.name}, which has no places but those of its leaderboard")
    rows = _places(definition, schedule_from_log(definition, place.log))
    show(rows, (number("place", "place"), Column("bot", "bot")), format)


def tell_places(definition: Definition, course: Schedule) -> None:
    """How a swiss or a knockout came out, and how even the seats were."""
    rows = _places(definition, course)
    if rows:
        told = ", ".join(f"{row['place']}. {row['bot']}" for row in rows)
        say(f"{definition.format_spec.name}: {told}")
    say(f"seats: {course.seats.describe()}")


def _places(definition: Definition, course: Schedule) -> list[dict[str, Any]]:
    """A row for each bot that has a place by now, the best first."""
    from ...tournament.schedule import current_versions

    course.peek()  # what a format makes of the last result
    placing = course.results.placing
    rows = []
    for bot, place in placing.places().items() if placing else ():
        (now,) = current_versions(definition.changes, (bot,), course.known_results) or (bot,)
        rows.append({"place": place, "bot": definition.bots[now].name})
    return sorted(rows, key=lambda row: (row["place"], row["bot"]))


def tell_faults(selection: Selection) -> None:
    """What went wrong, by bot: how often and how, the first time in full, and the bot's last words."""
    from ...leaderboard.leaderboards import bot_faults

    for bot, faults in sorted(bot_faults(selection).items()):
        kinds = ", ".join(f"{count} {kind}" for kind, count in faults.kinds.most_common())
        said = f": it {faults.detail}" if faults.detail else ""
        say(f"faults of {bot}: {kinds}; the first in {faults.first}{said}")
        for line in (faults.stderr or "").strip().splitlines()[-5:]:
            say(f"    {line}")


def _list_row(definition: Definition) -> dict[str, Any]:
    from ...leaderboard.leaderboards import games_in
    from ...replay.log_file import is_being_written
    from ...tournament.running.run import schedule_from_log
    from ...tournament.setup import describe_settings

    log = place_of(definition.name).log
    done, state = 0, "unfinished"
    try:
        done = games_in(log) if log.exists() else 0
        decided = definition.stopping_rule is not None and schedule_from_log(definition, log).is_decided
        state = "finished" if decided or done >= definition.games else "unfinished"
        if log.exists() and is_being_written(log):
            state = "running"
    except FaError as error:
        state = "damaged"
        say(str(error))
    return {
        "name": definition.name,
        "started": definition.started,
        "bots": [bot.name for bot in definition.bots],
        "format": definition.format_spec.name,
        "settings": describe_settings(definition),
        "done": done,
        "games": max(done, definition.games),
        "state": state,
    }
