"""Tables besides the leaderboard that are computed from sums: seats, and bots head to head."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from operator import itemgetter

import numpy

from ...stats import meetings
from ...stats.block_means import SummedMean
from ...stats.head_to_head import HeadToHead, PairMeetings
from ...stats.luck.seat_values import SeatRow, SeatSums, SeatValues, seat_values
from ...stats.strength.pair_sums import AHEAD, Ints, grouped, none, stacked, starts_of, summed
from ..parts import Kind
from ..selected_results import SelectedResults
from .game_columns import Tables
from .game_rows import read_blocks
from .ranking import mean_fields
from .summary import Summary, half_ranks

_PLACE = 1024
"""Place scores are summed as whole numbers of half ranks / 1024, so sums do not depend on the order of logs."""


def head_to_head(summary: Summary) -> HeadToHead:
    """How often each bot ranks ahead of each other."""
    found: dict[tuple[str, str], PairMeetings] = {}
    parts = [none(meetings.Meetings), *(tables.meetings for tables in summary.tables)]
    columns = meetings.singles_pooled(meetings.joined(parts))
    for (own, rival), strata in itertools.groupby(
        zip(*(column.tolist() for column in columns), strict=True), itemgetter(0, 1)
    ):
        own_rows = [row[4:] for row in strata]
        ahead = SummedMean([row[:6] for row in own_rows], unit=AHEAD)
        ties, points = sum(row[6] for row in own_rows), float(sum(row[7] for row in own_rows))
        found[summary.bots[own], summary.bots[rival]] = PairMeetings(ahead, ties, points)
    return HeadToHead(found)


def seat_rows(results: SelectedResults) -> list[SeatRow]:
    """The results of each seat over all bots."""
    summary = results.summary(Kind.SEATS)
    strata: dict[tuple[str, int, int], list[tuple[int, list[float]]]] = {}
    for setting, (sums, *_) in zip(summary.settings, summary.tables, strict=True):
        rows = numpy.stack(sums.moments, axis=1).tolist()
        for seat, first, row in zip(sums.seat.tolist(), sums.first.tolist(), rows, strict=True):
            strata.setdefault((setting.game, setting.players, seat), []).append((first, row))
    values, found = _values(results), []
    for game, players, seat in sorted(strata):
        of_table, own = values[game, players], sorted(strata[game, players, seat], key=itemgetter(0))
        row = SeatRow(
            game=game,
            players=players,
            seat=seat,
            value=of_table.values[seat],
            value_interval=of_table.intervals[seat],
            expected=1 / players,
            p_value=of_table.p_value,
            **mean_fields([moments for _, moments in own], players),
        )
        found.append(row)
    return found


def _values(results: SelectedResults) -> dict[tuple[str, int], SeatValues]:
    """What the seats are worth, in place scores, by game and size of the table."""
    summary = results.summary(Kind.BOTS)
    averages = _average_places(summary)
    rows: dict[int, list[tuple[Ints, ...]]] = {}
    for games in read_blocks(results, summary):
        setting = games.tables.setting
        found = _block_rows(games.tables, averages[setting])
        found[1][:] += games.position << 40
        rows.setdefault(setting, []).append(found)
    strata: dict[tuple[str, int], list[tuple[int, SeatSums]]] = {}
    for setting, parts in rows.items():
        one = summary.settings[setting]
        columns = grouped(stacked(parts), 1, 2)
        strata.setdefault((one.game, one.players), []).extend(_seat_sums(columns, one.players))
    return {key: seat_values([sums for _, sums in sorted(found, key=itemgetter(0))]) for key, found in strata.items()}


def _average_places(summary: Summary) -> Ints:
    """The mean place of each bot in each setting, in parts of `_PLACE` of half ranks."""
    found = []
    for sums, *_ in summary.tables:
        ranks, sizes = (numpy.bincount(sums.bot, column, len(summary.bots)) for column in (sums.ranks, sums.size))
        found.append(numpy.floor(_PLACE * (ranks / numpy.maximum(1, sizes)) + 0.5).astype(numpy.int64))
    return numpy.array(found, dtype=numpy.int64)


def _block_rows(tables: Tables, averages: Ints) -> tuple[Ints, ...]:
    """Sums over blocks as columns for `_seat_sums`, given the mean places of all bots in this setting."""
    starts = starts_of(tables.run)
    totals = summed(list((averages[tables.bot] - _PLACE * half_ranks(tables.rank)).T), starts)
    size = numpy.diff(starts, append=len(tables.stratum))
    pairs = itertools.combinations_with_replacement(totals, 2)
    products = [*(total * size for total in totals), *(left * right for left, right in pairs)]
    columns = (numpy.ones_like(size), size, size * size, *totals, *products)
    return grouped((tables.stratum[starts], tables.game[starts], *columns), 1, 2)


def _seat_sums(columns: Sequence[Ints], players: int) -> Iterator[tuple[int, SeatSums]]:
    """The sums of each stratum, with its first game."""
    unit = _PLACE * 2 * max(1, players - 1)
    left, right = numpy.triu_indices(players)
    for _, first, blocks, games, squares, *sums in zip(*(column.tolist() for column in columns), strict=True):
        totals, by_games = (numpy.array(sums[start : start + players]) / unit for start in (0, players))
        products = numpy.zeros((players, players))
        products[left, right] = products[right, left] = [product / unit**2 for product in sums[2 * players :]]
        yield first, SeatSums(blocks, games, squares, totals, by_games, products)
