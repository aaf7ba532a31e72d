"""Strengths as a table: a fit for each part, from the comparisons of the selected logs."""

from __future__ import annotations

from typing import Any

from . import parts
from .compared_games import counts_by_bot, deals_played, ranked_bots
from .index import Index
from .parts import Part, PartIds

_SETTINGS = "SELECT DISTINCT setting FROM counted CROSS JOIN games ON games.log = counted.log ORDER BY setting"
_BOTS = "SELECT id FROM standings JOIN bots ON id = bot WHERE scope = ? AND part = ? ORDER BY name"
"""By name: ids depend on the order of games, and so would rounding."""


def update(index: Index, scope: int) -> None:
    """Fit the strengths of all bots of a scope, once their standings are current. Call it in a transaction."""
    index.check_selected("games", "comparisons")
    known, ids = parts.settings(index), PartIds(index)
    groups: dict[Part, list[int]] = {}
    for (setting,) in index.rows(_SETTINGS):
        for part in known[setting].parts():
            groups.setdefault(part, []).append(setting)
    index.check("bots")
    played = deals_played(index)
    index.change("strengths", scope=scope)
    index.write("DELETE FROM strengths WHERE scope = ?", [(scope,)])
    fitted: dict[tuple[int, ...], list[tuple[Any, ...]]] = {}
    for part, settings in groups.items():
        if tuple(settings) not in fitted:
            _, ranked = ranked_bots(counts_by_bot(played, {setting: known[setting] for setting in settings}))
            bots = [bot for (bot,) in index.rows(_BOTS, (scope, ids[part]))]
            fitted[tuple(settings)] = _rows(index, settings, bots, ranked)
        rows = ((scope, ids[part], *row) for row in fitted[tuple(settings)])
        index.write("INSERT INTO strengths VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def _rows(index: Index, settings: list[int], bots: list[int], ranked: set[int]) -> list[tuple[Any, ...]]:
    """The columns of `strengths` after the part; ranks are those among the `ranked` bots."""
    from ..stats.strength.fit import fit  # late: a leaderboard that is up to date needs no NumPy
    from ..stats.strength.rank_ranges import rank_ranges, ranks
    from .comparisons import sums_of

    field = fit(len(bots), lambda: sums_of(index, settings, bots))
    places = [place for place, bot in enumerate(bots) if bot in ranked]
    among = field.of(places)
    rank_of = {place: (rank, *ends) for place, rank, ends in zip(places, ranks(among), rank_ranges(among), strict=True)}
    return [
        (
            *(bot, float(field.strengths[place])),
            *(field.interval(place) or (None, None)),
            *rank_of.get(place, (None, None, None)),
        )
        for place, bot in enumerate(bots)
    ]
