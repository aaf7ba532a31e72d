"""Strengths as a table: a fit for each part, from the comparisons of the selected logs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import parts
from .block_sums import Kind
from .index import Index
from .parts import Part, PartIds

if TYPE_CHECKING:
    from ..stats.strength.fit import Field

_BOTS = """
SELECT DISTINCT setting, bots.id, bots.name
FROM counted CROSS JOIN block_sums ON scope = counted.log AND kind = ? JOIN bots ON bots.id = bot
"""


def update(index: Index, scope: int) -> None:
    """Fit the strengths of all bots of a scope. Call it in a transaction."""
    known, ids = parts.settings(index), PartIds(index)
    bots: dict[int, dict[str, int]] = {}
    for setting, bot, name in index.rows(_BOTS, (Kind.BOTS.value,)):
        bots.setdefault(setting, {})[name] = bot
    groups: dict[Part, list[int]] = {}
    for setting in sorted(bots):
        for part in known[setting].parts():
            groups.setdefault(part, []).append(setting)
    index.write("DELETE FROM strengths WHERE scope = ?", [(scope,)])
    fitted: dict[tuple[int, ...], list[tuple[Any, ...]]] = {}
    for part, settings in groups.items():
        if tuple(settings) not in fitted:
            fitted[tuple(settings)] = _rows(index, settings, [bots[setting] for setting in settings])
        rows = ((scope, ids[part], *row) for row in fitted[tuple(settings)])
        index.write("INSERT INTO strengths VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def _rows(index: Index, settings: list[int], bots: Iterable[dict[str, int]]) -> list[tuple[Any, ...]]:
    """The columns of `strengths` after the part."""
    from ..stats.strength.fit import fit  # late: a leaderboard that is up to date needs no NumPy
    from ..stats.strength.rank_ranges import rank_ranges, ranks
    from .comparisons import sums_of

    by_name = {name: bot for found in bots for name, bot in found.items()}
    order = [by_name[name] for name in sorted(by_name)]  # ids depend on the order of games; rounding would, too
    field: Field = fit(len(order), lambda: sums_of(index, settings, order))
    return [
        (bot, float(field.strengths[place]), *(field.interval(place) or (None, None)), rank, *rank_range)
        for place, (bot, rank, rank_range) in enumerate(zip(order, ranks(field), rank_ranges(field), strict=True))
    ]
