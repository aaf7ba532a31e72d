"""Leaderboards from sums, pure: means with intervals, fitted strengths and ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
import numpy
from numpy.typing import NDArray

from ...errors import UsageError
from ...printing.text import did_you_mean
from ...stats.block_means import SummedMean, caveats_of
from ...stats.lack_of_fit import fit_sums
from ...stats.lack_of_fit.judge import SettingSums, lack_of_fit
from ...stats.lack_of_fit.verdict import LackOfFit
from ...stats.luck.seat_values import SeatBalance
from ...stats.outcomes import WIN, add_up
from ...stats.strength.groups import Group, fit_groups, placed, tied
from ...stats.strength.pair_sums import Ints, none, rows_at, runs, stacked, starts_of, summed
from ..compared_games import ranked_bots
from ..parts import Part
from ..rating.trueskill_step import MU
from ..standings import Leaderboard, StandingRow, in_order
from .summary import BlockSums, Summary

_CUBES = 12
"""The column of the sums of third powers of points, which are not bounded, so that their skewness matters."""


def standings(summary: Summary, anchors: Mapping[str, float] | None) -> Leaderboard:
    """The leaderboard without parts.

    `anchors` gives strengths to bots. Ratings are those of new bots. Raises UsageError for an unknown anchor.
    """
    rows = _ranked_rows(summary)
    fit = _test(summary, rows) if rows else None
    if anchors:
        rows = _placed_rows(rows, _anchored_groups(summary, rows, anchors))
    compared, unranked = _unranked(summary, rows)
    if fit:
        _note_fit(rows, fit)
    names = [setting.game for setting in summary.settings]
    return Leaderboard(
        games=sum(summary.games),
        rows=rows,
        parts={},
        imbalances=_seat_balance(summary).imbalances(),
        played=sorted(set(names)),
        mixed_games=sorted({name for name in names if names.count(name) > 1}),
        compared_games=compared,
        unranked=unranked,
        fit=fit,
    )


def part_rows(
    summary: Summary, shown: Mapping[str, Part], whole: Leaderboard, is_anchored: bool
) -> dict[str, list[StandingRow]]:
    """The rows of these parts by label, the best bot first. `whole` is the leaderboard without parts."""
    known = {}
    if not is_anchored:
        rows = [msgspec.structs.replace(row, fit_p_value=None, misfit=None) for row in whole.rows]
        known[tuple(summary.settings)] = rows
    strength_of = {row.bot: row.strength for row in whole.rows if row.strength is not None}
    found = {}
    for label, part in shown.items():
        of_part = summary.select(part.includes)
        games = tuple(of_part.settings)  # parts with the same games have the same rows
        known[games] = known.get(games) or _ranked_rows(of_part)
        copies = [msgspec.structs.replace(row, caveats=[*row.caveats]) for row in known[games]]
        found[label] = _anchored(copies, strength_of)
    return found


def seat_part_rows(in_seats: Summary, shown: Mapping[str, Part], whole: Leaderboard) -> dict[str, list[StandingRow]]:
    """The rows of each seat by label, from the sums of bots in seats."""
    return {label: _rows_of_seat(in_seats, part, whole.unranked) for label, part in shown.items()}


def _ranked_rows(summary: Summary) -> list[StandingRow]:
    """The rows of all these games, the best bot first."""
    rows = _mean_rows(summary)
    return _placed_rows(rows, _groups(summary, rows), ranked_bots(_deals_by_bot(summary))[1]) if rows else []


def _note_fit(rows: Sequence[StandingRow], fit: LackOfFit) -> None:
    """Note in the rows whether one number per bot fits, and in those of the bots that show it how it does not."""
    for row in rows:
        row.fit_p_value = fit.p
        row.misfit = fit.misfit.reason if fit.misfit and row.bot in fit.misfit.bots else None


def _groups(summary: Summary, rows: Sequence[StandingRow]) -> list[Group]:
    """Strengths fitted to all games, of each group of connected bots; bots are numbered in the order of names."""
    count = len(summary.tables)
    pairs = stacked([tables.pairs.apart(place, count) for place, tables in enumerate(summary.tables)])
    return fit_groups(len(rows), pairs.numbered(_numbers(summary, rows)))


def _numbers(summary: Summary, rows: Sequence[StandingRow]) -> Ints:
    """The place of each bot of the sums among those of the rows, in the order of names; -1 if it is not there."""
    places = {name: place for place, name in enumerate(sorted(row.bot for row in rows))}
    return numpy.array([places.get(name, -1) for name in summary.bots], dtype=numpy.int64)


def _placed_rows(
    rows: Sequence[StandingRow], groups: Sequence[Group], ranked: Collection[str] | None = None
) -> list[StandingRow]:
    """The rows with strengths, and with ranks of the `ranked` bots; by default of those that have one."""
    if ranked is None:
        ranked = [row.bot for row in rows if row.rank is not None]
    names = sorted(row.bot for row in rows)
    places = placed(groups, {place for place, name in enumerate(names) if name in ranked})
    has_groups = any(place.group > 1 for place in places.values())
    for row in rows:
        group, row.strength, row.strength_interval, row.rank, row.rank_range = places[names.index(row.bot)]
        row.group = group if has_groups else None
    return in_order(rows)


def _anchored_groups(summary: Summary, rows: Sequence[StandingRow], anchors: Mapping[str, float]) -> list[Group]:
    """The groups on the scale that the anchors give: those with one are ranked together.

    Raises UsageError if there is no such bot, or if a group has two anchors.
    """
    names = sorted(row.bot for row in rows)
    for name in anchors:
        if name not in names:
            raise UsageError(f"--anchor {name}: no such bot in this table{did_you_mean(name, names)}")
    try:
        return tied(_groups(summary, rows), {names.index(name): strength for name, strength in anchors.items()})
    except ValueError as error:
        first, second = (names[bot] for bot in error.args)
        raise UsageError(f"--anchor: {first} and {second} are connected by games; one of them is enough") from None


def _test(summary: Summary, rows: Sequence[StandingRow]) -> LackOfFit:
    """The test whether one number per bot fits."""
    strength_of = {row.bot: row.strength or 0.0 for row in rows}
    names, numbers = sorted(strength_of), _numbers(summary, rows)
    several = len({setting.game for setting in summary.settings}) > 1
    sums = [
        SettingSums(
            f"{setting.game} {setting.side}".strip() if several else setting.side,
            setting.players,
            *(fit_sums.renumbered(half, numbers) for half in (tables.early, tables.late)),
        )
        for setting, tables in zip(summary.settings, summary.tables, strict=True)
    ]
    return lack_of_fit(names, numpy.array([strength_of[name] for name in names]), sums)


def _mean_rows(summary: Summary, seat: int = -1) -> list[StandingRow]:
    """A row without rank and strength for each bot, of its games in one seat or in all, in the order of names."""
    sums = stacked([none(BlockSums), *(tables.sums for tables in summary.tables)])
    players = numpy.repeat(
        [setting.players for setting in summary.settings], [len(tables.sums.bot) for tables in summary.tables]
    )
    order = numpy.lexsort((sums.first, sums.blocks < 2, sums.bot))
    order = order[sums.seat[order] == seat]
    sums, players = rows_at(sums, order), players[order]
    several: NDArray[Any] = sums.blocks >= 2
    groups = starts_of(runs(sums.bot, several))  # a bot's strata with one block are added up
    is_shown = several.copy()
    is_shown[groups] = True
    moments = [
        numpy.where(several, column, numpy.repeat(total, numpy.diff(groups, append=len(column))))
        for column, total in zip(sums.moments, summed(sums.moments, groups), strict=True)
    ]
    strata = numpy.stack(moments, axis=1)[is_shown].tolist()
    starts = starts_of(runs(sums.bot))
    counted = sums[sums._fields.index("faults") :]
    totals = summed([is_shown.astype(numpy.int64), *counted], starts)
    most = numpy.maximum.reduceat(players, starts) if len(starts) else starts
    rows, first = [], 0
    for bot, seats, count, *counts in zip(*(c.tolist() for c in (sums.bot[starts], most, *totals)), strict=True):
        rows.append(_mean_row(summary.bots[bot], strata[first : first + count], seats, counts))
        first += count
    return rows


def _mean_row(bot: str, strata: Sequence[Sequence[float]], players: int, counts: Sequence[Any]) -> StandingRow:
    """`counts`: those of `BlockSums` that are not moments."""
    faults, suspended, decisions, time_us, answers, refused, tokens, cost = counts
    means = mean_fields(strata, players)
    return StandingRow(
        bot=bot,
        faults=faults,
        suspended=suspended,
        ms=time_us / decisions / 1000 if decisions else None,
        tokens=int(tokens) if answers else None,
        cost=cost / 1e6 if answers else None,
        illegal=refused / answers if answers else None,
        **means,
    )


def mean_fields(strata: Sequence[Sequence[float]], players: int) -> dict[str, Any]:
    """The fields of a bot's or a seat's row with means, from rows of `BlockSums.moments` of one or several settings.

    `players`: the largest number of seats.
    """
    wins, points, ranks = SummedMean(strata, 0, WIN), SummedMean(strata, 1, cubes=_CUBES), SummedMean(strata, 2, unit=2)
    points_interval = points.interval()
    return {
        "games": wins.count,
        "wins": wins.mean,
        "wins_interval": wins.share_interval(),
        "points": points.mean,
        "points_interval": points_interval,
        "mean_rank": ranks.mean,
        "mean_rank_interval": ranks.bounded_interval(1, players),
        "caveats": caveats_of(points.blocks, points_interval),
    }


def _deals_by_bot(summary: Summary) -> dict[str, Counter[str]]:
    """The number of each bot's deals, by the name of the game: the games of a deal come together."""
    counts: dict[str, Counter[str]] = {}
    for setting, tables in zip(summary.settings, summary.tables, strict=True):
        deals = numpy.bincount(tables.sums.bot, tables.sums.blocks)
        for bot in numpy.flatnonzero(deals).tolist():
            counts.setdefault(summary.bots[bot], Counter())[setting.game] += int(deals[bot])
    return counts


def _rows_of_seat(in_seats: Summary, part: Part, unranked: Collection[str]) -> list[StandingRow]:
    """The rows of a seat, which have no strengths: bots are ranked by their mean ranks."""
    rows = _mean_rows(in_seats, int(part.label.removeprefix("seat ")))
    ranks = sorted(row.mean_rank for row in rows if row.bot not in unranked)
    for row in rows:
        row.rank = None if row.bot in unranked else 1 + ranks.index(row.mean_rank)
    return in_order(rows)


def _unranked(summary: Summary, rows: Sequence[StandingRow]) -> tuple[list[str], dict[str, list[str]]]:
    """The games that bots with a rank play, and those of each bot without one; nothing if all have a rank."""
    names = [row.bot for row in rows if row.rank is None]
    if not names:
        return [], {}
    counts = _deals_by_bot(summary)
    return sorted(ranked_bots(counts)[0]), {name: sorted(counts[name]) for name in names}


def _seat_balance(summary: Summary) -> SeatBalance:
    """How often each bot had each seat."""
    balance = SeatBalance()
    for setting, tables in zip(summary.settings, summary.tables, strict=True):
        for bot, seat, games in zip(*(column.tolist() for column in tables.counts[:3]), strict=True):
            balance.add(setting.game, setting.players, summary.bots[bot], seat, games)
    return balance


def _anchored(rows: list[StandingRow], overall: Mapping[str, float]) -> list[StandingRow]:
    """The rows of a part, shifted to the mean strength that its bots have overall: parts share one scale."""
    shifts: dict[int | None, list[float]] = {}
    for row in rows:
        if row.strength is not None:
            shifts.setdefault(row.group, []).append(overall.get(row.bot, MU) - row.strength)
    for row in rows:
        shift = add_up(shifts.get(row.group, [])) / max(1, len(shifts.get(row.group, [])))
        if row.strength is not None:
            row.strength += shift
        if row.strength_interval is not None:
            low, high = row.strength_interval
            row.strength_interval = low + shift, high + shift
    return rows
