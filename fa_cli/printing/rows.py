"""The cells of rows: a Struct's fields with marked intervals, and their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .columns import Caveat, Column, columns_of

Row = Mapping[str, Any]
"""Field name to value: str, bool, int, float, None, or a list of these."""
MARK = "~"
CAVEATS = {
    Caveat.FEW_BLOCKS.value: "fewer than 6 deals: too few to tell how much results vary",
    Caveat.OUT_OF_RANGE.value: "the interval includes impossible points: too few deals for points that vary this much",
    Caveat.STOPPED_EARLY.value: "a tournament could end early because of this bot's results: the interval holds the "
    "true value less often than 95%",
    Caveat.SEVERAL_VERSIONS.value: "a name stood for several versions of a bot: the figures are those of all",
}
"""The meanings of marks, by caveat."""


class Marked(tuple[float, ...]):
    """An interval with caveats, marked in tables."""

    caveats: Sequence[str] = ()


def marked(interval: Sequence[float] | None, caveats: Sequence[str]) -> Sequence[float] | None:
    """The interval with these caveats, if there are any."""
    if not interval or not caveats:
        return interval
    value = Marked(interval)
    value.caveats = caveats
    return value


def fields_of(row: Any) -> dict[str, Any]:
    """A Struct's fields by name, its intervals and ranks marked if it has caveats.

    What does not hold because of an early stop is None.
    """
    fields = {name: getattr(row, name) for name in row.__struct_fields__}
    caveats: list[str] = fields.get("caveats", [])
    if not caveats:
        return fields
    stopped = [caveat for caveat in caveats if caveat == Caveat.STOPPED_EARLY.value]
    own = {"points_interval": caveats, "rank_range": stopped}
    on_others = [caveat for caveat in caveats if caveat != Caveat.OUT_OF_RANGE.value]
    void = {column.field for column in columns_of(row.__class__) if column.of_fixed_sample} if stopped else ()
    return {
        name: marked(value, own.get(name, on_others)) if name in own or name.endswith("_interval") else value
        for name, value in (fields | dict.fromkeys(void)).items()
    }


def used_columns(rows: Sequence[Row], columns: Sequence[Column]) -> list[Column]:
    """The columns without those that people see only if a row has a value there."""
    return [column for column in columns if not column.if_any or any(row.get(column.field) for row in rows)]


def cell_text(row: Row, column: Column) -> str:
    """The value as people see it; nothing if it is unknown."""
    value = row.get(column.field)
    return "" if value is None else column.write(value) + (MARK if isinstance(value, Marked) else "")


def meanings_of_marks(rows: Sequence[Row], columns: Sequence[Column]) -> list[str]:
    """The meanings of the marks on these columns, a line for each."""
    values = [row.get(column.field) for row in rows for column in columns]
    present = {caveat for value in values if isinstance(value, Marked) for caveat in value.caveats}
    return [f"{MARK} {meaning}" for caveat, meaning in CAVEATS.items() if caveat in present]
