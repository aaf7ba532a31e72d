"""Places in a swiss or a knockout, with what they follow from: scores, or the results of each round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from ...columns import KEY, ON_REQUEST, Column, columns_of, number, percent, text
from ...errors import FaError
from ...rows import fields_of
from ...terminal import print_line
from ..common import warn
from ..tables import Format, TableOptions, show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from ...tournament.formats.block import RoundResult, TableResult
    from ...tournament.schedule import Schedule

_MOST_GAMES_READ = 20_000
"""Places need all games in order, so they are not shown beside other results of longer logs."""


class PlaceRow(msgspec.Struct):
    """A bot's place in a swiss or a knockout."""

    place: Annotated[int, number("place", "from 1; tied bots share a place", importance=KEY)]
    bot: Annotated[str, text("bot", "the bot's name", importance=KEY)]
    score: Annotated[
        float | None,
        percent("score", "swiss: the share of rivals that it ranked ahead of, ties half, over all its games"),
    ] = None
    opposition: Annotated[
        float | None,
        percent("opposition", "swiss: the mean `score` of its opponents, which breaks ties (as Buchholz in chess)"),
    ] = None
    eliminated_in: Annotated[
        int | None,
        number("out in round", "knockout: the round after which it was out, from 1; none for bots that are still in"),
    ] = None
    results: Annotated[
        list[str],
        text(
            "results",
            "list: knockout: its result in each round, as `2-0 random`, `1-1 miser by seed` or `bye`",
            "; ".join,
            folds=True,
        ),
    ] = []


_FIELDS = {"swiss": ("place", "bot", "score", "opposition"), "knockout": ("place", "bot", "eliminated_in", "results")}
"""The fields of tables, by format. In a terminal a knockout has its rounds below the table instead of `results`."""


def place_fields(schedule: Schedule) -> tuple[str, ...]:
    """The fields of `PlaceRow` that tables of this format have."""
    return _FIELDS[schedule.definition.format_spec.name]


def show_places(schedule: Schedule, table: TableOptions) -> None:
    """Print the places and, in a table, the results of each round."""
    shown = set(place_fields(schedule)) - ({"results"} if table.format is Format.TABLE else set())
    columns = [
        column if column.field in shown else column._replace(importance=ON_REQUEST) for column in columns_of(PlaceRow)
    ]
    show(map(fields_of, place_rows(schedule)), columns, table)
    if table.format is Format.TABLE:
        for line in _bracket(schedule):
            print_line(line)


def with_places(rows: Sequence[dict[str, Any]], schedule: Schedule) -> list[dict[str, Any]]:
    """The rows of a leaderboard with the fields of their bots' places, the best place first."""
    fields = {row.bot: fields_of(row) for row in place_rows(schedule)}
    placed = [{**row, **fields[row["bot"]]} for row in rows if row["bot"] in fields]
    return [*sorted(placed, key=lambda row: row["place"]), *(row for row in rows if row["bot"] not in fields)]


def place_columns() -> tuple[list[Column], list[Column]]:
    """The columns of places that stand before those of a leaderboard, and those after them."""
    place, _, *others = columns_of(PlaceRow)
    return [place], others


def schedule_with_places(log: Path, games: int) -> Schedule | None:
    """The schedule of a log, if its tournament gives places of its own; None for long logs and unreadable definitions.

    Warns if the log is not that of the tournament.
    """
    from ...tournament.definition import load
    from ...tournament.running.run import schedule_from_log

    path = log.parent.parent / "tournaments" / f"{log.stem}.json"
    if games > _MOST_GAMES_READ or not path.exists():
        return None
    try:
        definition = load(path)
        return schedule_from_log(definition, log) if definition.format_spec.fixes_game_count else None
    except FaError as error:
        warn(f"no places: {error}")
        return None


def place_rows(schedule: Schedule) -> list[PlaceRow]:
    """A row for each bot that has a place by now, the best first; none for formats without places of their own."""
    schedule.peek_job()  # lets the format process the last result
    placing = schedule.results.placing
    if not placing:
        return []
    name_of, rounds = _names(schedule), placing.round_results()
    rows = [
        PlaceRow(
            placed.place, name_of(bot), placed.score, placed.opposition, placed.eliminated_in,
            [text for each in rounds for text in _result_of(bot, each, name_of)],
        )
        for bot, placed in placing.places().items()
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (row.place, row.bot))


def _names(schedule: Schedule) -> Callable[[int], str]:
    """The names of bots, updated bots by their current versions."""
    from ...tournament.schedule import current_versions

    definition = schedule.definition

    def name_of(bot: int) -> str:
        (current,) = current_versions(definition.changes, (bot,), schedule.known_results) or (bot,)
        return definition.bots[current].name

    return name_of


def _bracket(schedule: Schedule) -> Iterator[str]:
    """The rounds of a knockout with their tables, as lines."""
    placing, name_of = schedule.results.placing, _names(schedule)
    for index, each in enumerate(placing.round_results() if placing else (), start=1):
        yield ""
        yield f"round {index}, final:" if each.is_final else f"round {index}:"
        for table in each.tables:
            yield f"  {_table_text(table, name_of, each.is_final)}"
        if each.byes:
            yield f"  bye: {', '.join(map(name_of, each.byes))}"


def _table_text(table: TableResult, name_of: Callable[[int], str], is_final: bool) -> str:
    """A table as `planner 2-0 random`; of more than two bots as `a 5.5, b 4 advance; c 2.5, d 0`."""
    names = [name_of(bot) for bot in table.points]
    if not any(table.points.values()):
        return f"{' - '.join(names)}, not played yet"
    by_seed = " by seed" if table.by_seed else ""
    points = [_points(each) for each in table.points.values()]
    if len(names) == 2:
        return f"{names[0]} {'-'.join(points)} {names[1]}{by_seed}"
    scores = [f"{name} {each}" for name, each in zip(names, points, strict=True)]
    verb = "wins" if is_final else "advance" if table.advancing > 1 else "advances"
    return f"{', '.join(scores[: table.advancing])} {verb}{by_seed}; {', '.join(scores[table.advancing :])}"


def _result_of(bot: int, each: RoundResult, name_of: Callable[[int], str]) -> Iterator[str]:
    """The bot's result in a round, as `2-0 random`; nothing if it was out or its table has not played."""
    if bot in each.byes:
        yield "bye"
    for table in each.tables:
        if bot in table.points and any(table.points.values()):
            rivals = [f"{_points(points)} {name_of(rival)}" for rival, points in table.points.items() if rival != bot]
            yield f"{_points(table.points[bot])}-{', '.join(rivals)}{' by seed' if table.by_seed else ''}"


def _points(points: int) -> str:
    """Points in rivals beaten, ties half."""
    return f"{points / 2:g}"
