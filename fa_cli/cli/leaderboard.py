"""`fa leaderboard`: ratings and results of bots, from the logs alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal

from ..errors import UsageError
from ..game_result import By
from ..option import Option, OptionGroup
from . import common
from .common import GameOption, LogNames, OptionFilterOption, logs_named, option_filter, select
from .help import explained
from .tables import Format, TableOptions
from .tables.leaderboard_table import report_notes, report_pair, show_board, shows_ratings
from .tables.views import ViewOptions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..leaderboard.leaderboards import Selection
    from ..leaderboard.standings import Leaderboard
    from ..tournament.schedule import Schedule

ByChoice = Literal["side", "seat", "variant", "players", "game", "version"]
"""The values of `--by`: those of `By`, and two that are not properties of a game."""
_NUMBER = re.compile(r"-?\d{1,6}(\.\d+)?")


@explained(
    "leaderboards",
    ("Rank the bots of all tournaments", "fa leaderboard"),
    ("Rank those of one tournament, for each side of the board", "fa leaderboard spring --by side"),
    ("Write the ranks for a spreadsheet", "fa leaderboard spring --format csv > spring.csv"),
    first="--by side --game manhattan --option side=six --sort wins --rating online --anchor greedy=25 --matrix "
    "--seats --faults --format csv",
)
def leaderboard(
    names: LogNames = None,
    by: Annotated[
        ByChoice | None,
        Option("Break the table down by this. [default: overall]", group=OptionGroup.TABLE),
    ] = None,
    game: GameOption = None,
    option: OptionFilterOption = None,
    sort: Annotated[
        str | None,
        Option(
            "Sort by a column or a part (side=six); -COLUMN reverses. [default: rank]",
            "COLUMN",
            group=OptionGroup.TABLE,
        ),
    ] = None,
    rating: Annotated[
        Literal["strength", "online"],
        Option("Rank by fitted strength or by online TrueSkill rating.", group=OptionGroup.TABLE),
    ] = "strength",
    anchor: Annotated[
        list[str] | None,
        Option(
            "Shift strengths so that BOT has this one; repeatable, for groups of bots that never met. "
            "[default: 25 on average]",
            "BOT=NUMBER",
            group=OptionGroup.TABLE,
        ),
    ] = None,
    *,
    view: ViewOptions,
    table: TableOptions,
) -> None:
    """Rank bots by strength, from the logs, with wins, points, faults and times.

    Strengths are fitted to all games at once. A first place shared by n bots is 1/n of a win for each. Intervals treat
    the games of one deal as one.
    """
    from ..results.early_stops import early_stops, mark_stopped_bots
    from ..results.places import MOST_GAMES_READ
    from ..results.winner import by_test

    chosen, options = view.chosen(), option_filter(option, game)
    is_online = rating == "online"
    if chosen:
        for name, is_given in (("by", by), ("sort", sort), ("anchor", anchor), ("rating online", is_online)):
            if is_given:
                raise UsageError(f"--{name} is for the leaderboard itself, not for --{chosen}")
        view.show(select(names, game, options), table)
        if view.matrix and table.format is Format.TABLE:
            report_pair(select(names, game, options), logs_named(names), explain=True)
        return
    anchors = _anchors(anchor or [])
    if anchors and (is_online or by == "seat"):
        raise UsageError("--anchor is for strengths, which do not rank bots with --rating online or --by seat")
    selection = select(names, game, options)
    standings = _standings(selection, by, names, is_online or shows_ratings(table, sort), anchors)
    if not standings.games:
        raise common.no_games(names, game, options)
    mark_stopped_bots(standings, selection, _part_kind(by), with_versions=by == "version")
    skipped = common.skipped_bots(names or [])
    placing = None if game or options else _placing(names, by, standings.games)
    shown = show_board(standings, table, skipped=skipped, online=is_online, placing=placing, sort=sort)
    is_small = standings.games <= MOST_GAMES_READ
    logs = logs_named(names) if is_small or len(standings.rows) == 2 else []  # each is opened
    report_notes(standings, table, shown, selection, logs)
    is_read = table.format is Format.TABLE and len(logs) == 1 and is_small
    if is_read and (stop := next(early_stops(logs, game, options), None)):
        common.say(by_test(stop))
    for bot in skipped:
        common.warn(str(bot))
    if by != "version" and len(names or ()) != 1:
        _report_versions(names or [])


def _anchors(texts: Sequence[str]) -> dict[str, float]:
    """The strengths that the texts of `--anchor` give. Raises UsageError."""
    anchors: dict[str, float] = {}
    for text in texts:
        name, _, value = text.rpartition("=")
        if not name or not _NUMBER.fullmatch(value):
            raise UsageError(f"--anchor {text}: expected a bot and its strength, e.g. greedy=25")
        if name in anchors:
            raise UsageError(f"--anchor names {name} twice")
        anchors[name] = float(value)
    return anchors


def _standings(
    selection: Selection, by: ByChoice | None, names: Sequence[str] | None, rated: bool, anchors: Mapping[str, float]
) -> Leaderboard:
    """The leaderboard of the selected games, with its parts. Raises UsageError, LogError."""
    from ..leaderboard import boards, leaderboards, parts

    if by == "seat":
        return leaderboards.read_selection(selection, lambda results: boards.board(results, parts.SEAT, rated))
    if by == "version":
        from ..tournament.versions import by_version

        selection = selection._replace(renaming=by_version(logs_named(names)))
    return leaderboards.leaderboard(selection, _part_kind(by), rated=rated, anchors=anchors)


def _part_kind(by: ByChoice | None) -> By | None:
    """What splits the leaderboard into parts; None for `seat` and `version`, which are no properties of a game."""
    return By(by) if by not in (None, "seat", "version") else None


def _placing(names: Sequence[str] | None, by: ByChoice | None, games: int) -> Schedule | None:
    """The schedule of the one tournament that is named, if it gives places of its own."""
    from ..results.places import schedule_with_places

    logs = logs_named(names) if names else []
    return schedule_with_places(logs[0], games, common.warn) if len(logs) == 1 and by != "version" else None


def _report_versions(names: Sequence[str]) -> None:
    """Report the bots whose files differ between these tournaments."""
    from ..leaderboard.leaderboards import readable_logs
    from ..tournament.versions import several_versions

    for versions in several_versions(logs_named(names) if names else readable_logs(common.logs_folder())):
        common.say(f"{versions} (--by version splits it)")
