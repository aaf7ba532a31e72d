"""Places that a format gives, with what they follow from: scores, or the results of each round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from ..errors import FaError
from ..printing.columns import KEY, Column, columns_of, number, text
from ..printing.rows import fields_of
from ..tournament.formats import FORMATS
from ..tournament.formats.block import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from ..tournament.definition import Definition
    from ..tournament.schedule import Schedule

MOST_GAMES_READ = 20_000
"""What needs all games in order, as places do, is not shown beside other results of longer logs."""


def _place_fields() -> Iterator[tuple[str, Any, Any]]:
    """The fields that the formats add to places, each once, where the last one has it: name, type, default."""
    types = [each.place_type for each in FORMATS.values() if each.place_type]
    fields = [field for each in types for field in msgspec.structs.fields(each)]
    for field in reversed({field.name: field for field in reversed(fields)}.values()):
        if field.name not in Place.__struct_fields__:
            default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
            yield field.name, field.type, default


PlaceRow = msgspec.defstruct(
    "PlaceRow",
    [
        ("place", Annotated[int, number("place", "from 1; tied bots share a place", importance=KEY)]),
        ("bot", Annotated[str, text("bot", "the bot's name", importance=KEY)]),
        *_place_fields(),
    ],
)
"""A bot's place, with what it follows from; fields of other formats are None or empty."""


def gives_places(definition: Definition) -> bool:
    """Whether the tournament's format gives places of its own."""
    return definition.format_spec.place_type is not None


def place_fields(schedule: Schedule) -> tuple[str, ...]:
    """The fields of `PlaceRow` that tables of this format have."""
    place_type = schedule.definition.format_spec.place_type
    return place_type.__struct_fields__ if place_type else ()


def with_places(rows: Sequence[dict[str, Any]], schedule: Schedule) -> list[dict[str, Any]]:
    """The rows of a leaderboard with the fields of their bots' places, the best place first."""
    fields = {row.bot: fields_of(row) for row in place_rows(schedule)}
    placed = [{**row, **fields[row["bot"]]} for row in rows if row["bot"] in fields]
    return [*sorted(placed, key=lambda row: row["place"]), *(row for row in rows if row["bot"] not in fields)]


def place_columns() -> tuple[list[Column], list[Column]]:
    """The columns of places that stand before those of a leaderboard, and those after them."""
    place, _, *others = columns_of(PlaceRow)
    return [place], others


def schedule_with_places(log: Path, games: int | None, warn: Callable[[str], None]) -> Schedule | None:
    """The schedule of a log, if its tournament gives places of its own; None for long logs and unreadable definitions.

    `games` is the number of games in the log, if that is known. Calls `warn` with a sentence if the log is not that of
    the tournament.
    """
    from ..leaderboard.leaderboards import games_in
    from ..tournament.definition import definition_of, load
    from ..tournament.running.run import schedule_from_log

    path = definition_of(log)
    if not path.exists():
        return None
    try:
        definition = load(path)
        if not gives_places(definition):
            return None
        is_long = (games_in(log) if games is None else games) > MOST_GAMES_READ
        return None if is_long else schedule_from_log(definition, log)
    except FaError as error:
        warn(f"no places: {error}")
        return None


def place_rows(schedule: Schedule) -> list[Any]:
    """A `PlaceRow` for each bot that has a place by now, the best first; none if the format gives no places."""
    schedule.peek_job()  # lets the format process the last result
    placing, name_of = schedule.results.placing, schedule.tournament.name_of
    places = [msgspec.structs.asdict(place) for place in (placing.places() if placing else ())]
    rows: list[Any] = [PlaceRow(**place | {"bot": name_of(place["bot"])}) for place in places]
    return sorted(rows, key=lambda row: (row.place, row.bot))
