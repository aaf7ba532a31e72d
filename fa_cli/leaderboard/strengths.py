"""Strengths as a table: a fit for each part, from the comparisons of the selected logs, and whether it fits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ..errors import UsageError
from ..printing.text import did_you_mean
from . import parts
from .compared_games import counts_by_bot, deals_played, ranked_bots
from .index import Index
from .parts import Part, PartIds, Variant

if TYPE_CHECKING:
    from ..stats.strength.groups import Placed

_SETTINGS = "SELECT DISTINCT setting FROM counted CROSS JOIN games ON games.log = counted.log ORDER BY setting"
_BOTS = "SELECT id FROM standings JOIN bots ON id = bot WHERE scope = ? AND part = ? ORDER BY name"
"""By name: ids depend on the order of games, and so would rounding."""


def update(index: Index, scope: int) -> None:
    """Fit the strengths of all bots of a scope, once their standings are current. Call it in a transaction."""
    index.check_selected("games", "comparisons", "fit_sums")
    known, ids = parts.settings(index), PartIds(index)
    groups: dict[Part, list[int]] = {}
    for (setting,) in index.rows(_SETTINGS):
        for part in known[setting].parts():
            groups.setdefault(part, []).append(setting)
    index.check("bots")
    played = deals_played(index)
    index.change("strengths", "fits", scope=scope)
    for table in ("strengths", "fits"):
        index.write(f"DELETE FROM {table} WHERE scope = ?", [(scope,)])
    fitted: dict[tuple[int, ...], _Fitted] = {}
    for part, settings in groups.items():
        if tuple(settings) not in fitted:
            variants = [known[setting] for setting in settings]
            _, ranked = ranked_bots(counts_by_bot(played, {variant.id: variant for variant in variants}))
            bots = [bot for (bot,) in index.rows(_BOTS, (scope, ids[part]))]
            fitted[tuple(settings)] = _fit(index, variants, bots, ranked, has_test=part.apart == parts.ANY)
        rows, test = fitted[tuple(settings)]
        index.write(
            "INSERT INTO strengths VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [(scope, ids[part], *row) for row in rows]
        )
        if part.apart == parts.ANY:
            index.write("INSERT INTO fits VALUES (?, ?, ?)", [(scope, ids[part], test)])


class _Fitted(NamedTuple):
    """What is stored of a part."""

    rows: list[tuple[Any, ...]]
    """The columns of `strengths` after the part."""
    test: str | None
    """Whether one number per bot fits, as JSON."""


def _fit(index: Index, settings: list[Variant], bots: list[int], ranked: set[int], has_test: bool) -> _Fitted:
    """Fit the strengths; ranks are those among the `ranked` bots."""
    from ..stats.strength.groups import fit_groups, placed  # late: a leaderboard that is up to date needs no NumPy
    from .comparisons import sums_of

    groups = fit_groups(len(bots), lambda: sums_of(index, [setting.id for setting in settings], bots))
    places = placed(groups, {place for place, bot in enumerate(bots) if bot in ranked})
    rows = [
        (bot, one.strength, *(one.interval or (None, None)), one.rank, *(one.rank_range or (None, None)), one.group)
        for bot, one in zip(bots, (places[place] for place in range(len(bots))), strict=True)
    ]
    strengths = [places[place].strength for place in range(len(bots))]
    return _Fitted(rows, _test(index, settings, bots, strengths) if has_test else None)


def anchored(index: Index, game: str | None, ranked: Mapping[str, bool], anchors: Mapping[str, float]) -> list[Placed]:
    """What to say of the bots, by name, on the scale that the anchors give: groups with one are ranked together.

    `ranked` has all bots, and whether they have a rank. Raises UsageError if there is no such bot, or if a group has
    two anchors.
    """
    from ..stats.strength.groups import fit_groups, placed, tied
    from .comparisons import sums_of

    names = sorted(ranked)
    for name in anchors:
        if name not in names:
            raise UsageError(f"--anchor {name}: no such bot in this table{did_you_mean(name, names)}")
    index.check_selected("games", "comparisons")
    known, ids = parts.settings(index), dict(index.rows("SELECT name, id FROM bots"))
    settings = [setting for (setting,) in index.rows(_SETTINGS) if game in (None, known[setting].game)]
    bots = [ids[name] for name in names]
    groups = fit_groups(len(bots), lambda: sums_of(index, settings, bots))
    try:
        groups = tied(groups, {names.index(name): strength for name, strength in anchors.items()})
    except ValueError as error:
        first, second = (names[bot] for bot in error.args)
        raise UsageError(f"--anchor: {first} and {second} are connected by games; one of them is enough") from None
    places = placed(groups, {place for place, name in enumerate(names) if ranked[name]})
    return [places[place] for place in range(len(names))]


def _test(index: Index, settings: list[Variant], bots: list[int], strengths: list[float]) -> str:
    """The test whether one number per bot fits, as JSON."""
    import numpy

    from ..stats.lack_of_fit.judge import SettingSums, lack_of_fit
    from .comparisons import fit_sums_of

    names = dict(index.rows("SELECT id, name FROM bots"))
    several = len({setting.game for setting in settings}) > 1
    sums = [
        SettingSums(
            f"{setting.game} {setting.side}".strip() if several else setting.side,
            setting.players,
            *(fit_sums_of(index, setting.id, bots, is_late) for is_late in (False, True)),
        )
        for setting in settings
    ]
    found = lack_of_fit([names[bot] for bot in bots], numpy.array(strengths), sums)
    return msgspec.json.encode(found).decode()
