"""Results summed by setting, bot, seat and stratum: all that tables of bots need, pure.

Sums are of whole blocks. They are whole numbers, but for the spreads of comparisons, so that they do not depend on the
order of logs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from ...stats import meetings
from ...stats.lack_of_fit import fit_sums
from ...stats.lack_of_fit.fit_sums import FitSums
from ...stats.meetings import Meetings, meetings_of
from ...stats.outcomes import WIN
from ...stats.strength import pair_sums
from ...stats.strength.pair_sums import (
    Ints,
    PairRows,
    PairSums,
    StratumPairs,
    compare_seats,
    grouped,
    none,
    rows_at,
    runs,
    stacked,
    starts_of,
    stratum_pairs,
    summed,
)
from ..parts import Kind, Setting
from .game_columns import FAULTS, GameColumns, Tables, numbers_of

_LOG = 40
"""The first game of a row has the position of its log above so many bits."""
Column = NDArray[Any]


class BlockSums(NamedTuple):
    """Sums over the blocks of a stratum: of each bot, of each in each seat, or of each seat."""

    bot: Column
    """0 for all bots together."""
    seat: Column
    """-1 for all seats together."""
    stratum: Column
    first: Column
    """The first game, after the position of its log."""
    blocks: Column
    size: Column
    """The number of games; a bot that sits twice counts twice."""
    size_size: Column
    """The sum of the products of blocks, as in the columns below."""
    win: Column
    win_win: Column
    win_size: Column
    points: Column
    points_points: Column
    points_size: Column
    ranks: Column
    ranks_ranks: Column
    ranks_size: Column
    size_3: Column
    points_3: Column
    points_2_size: Column
    points_size_2: Column
    faults: Column
    suspended: Column
    decisions: Column
    time_us: Column
    answers: Column
    refused: Column
    tokens: Column
    cost: Column

    @property
    def moments(self) -> Sequence[Column]:
        """The columns that `SummedMean` takes."""
        return self[self._fields.index("blocks") : self._fields.index("faults")]


class Counts(NamedTuple):
    """How often each bot had each seat, and how it failed there, by kind and as one that was suspended."""

    bot: Column
    seat: Column
    games: Column
    start: Column
    timeout: Column
    crash: Column
    protocol: Column
    illegal: Column
    resource: Column
    suspended: Column


class SettingSums(NamedTuple):
    """The sums of one setting; the tables after the first are empty if seats are summed."""

    sums: BlockSums
    counts: Counts
    pairs: PairSums
    """Those of one log after the other; a tournament is the position of its log."""
    meetings: Meetings
    early: FitSums
    """What the test of the fit needs of the blocks in the first half of their log."""
    late: FitSums


class Summary(NamedTuple):
    """The sums of one log, or of several in the order of their logs."""

    bots: list[str]
    """Numbers of bots are places in here."""
    settings: list[Setting]
    tables: list[SettingSums]
    """Of each setting."""

    def select(self, counts: Callable[[Setting], bool]) -> Summary:
        """The sums of some of the settings."""
        chosen = [pair for pair in zip(self.settings, self.tables, strict=True) if counts(pair[0])]
        return Summary(self.bots, [setting for setting, _ in chosen], [tables for _, tables in chosen])

    def renamed(self, rename: Callable[[str], str]) -> Summary | None:
        """Those of `Kind.BOTS` for other names of the bots; None if two get one name: no block is summed for both."""
        bots = [rename(bot) for bot in self.bots]
        if len(set(bots)) < len(bots):
            return None
        numbers = numbers_of(bots)
        tables = [_in_strata(*each, numbers) for each in zip(self.tables, self.settings, strict=True)]
        return Summary(bots, self.settings, tables)

    @property
    def games(self) -> list[int]:
        """The number of games of each setting."""
        return [int(tables.counts.games[tables.counts.seat == 0].sum()) for tables in self.tables]


def summary(games: GameColumns, kind: Kind) -> Summary:
    """The sums of all games of a log."""
    parts: dict[int, list[_Part]] = {}
    middle = int(games.indices.max(initial=0)) // 2
    for tables in games.tables():
        parts.setdefault(tables.setting, []).append(_part(tables, kind, middle))
    bots = [""] if kind is Kind.SEATS else games.bots
    return Summary(bots, [games.settings[number] for number in parts], [_all(part) for part in parts.values()])


_Part = tuple[BlockSums, Counts, StratumPairs, Meetings, FitSums, FitSums]
"""The sums of some whole blocks of one setting."""


def _part(tables: Tables, kind: Kind, middle: int) -> _Part:
    """The sums of these blocks; `middle` is the last game of the first half of the log."""
    sums = _block_sums(tables, kind)
    if kind is not Kind.BOTS:
        return sums, none(Counts), none(StratumPairs), none(Meetings), fit_sums.NONE, fit_sums.NONE
    pairs = compare_seats(tables.stratum, tables.block, tables.bot, tables.rank)
    early, late = map(fit_sums.fit_sums, _halves(pairs, tables, middle))
    met = meetings_of(tables.stratum, tables.block, tables.game, tables.bot, tables.rank, tables.points)
    return sums, _counts(tables), stratum_pairs(pairs), met, early, late


def _all(parts: Sequence[_Part]) -> SettingSums:
    """The sums of all blocks of one setting."""
    sums, counts, pairs, met, early, late = stacked(parts)
    of_log = pair_sums.pair_sums(pair_sums.joined([pairs]))
    strata = numpy.unique(of_log.loose.stratum, return_inverse=True)[1]  # small numbers
    of_log = of_log._replace(loose=of_log.loose._replace(stratum=strata))
    return _grouped(SettingSums(sums, counts, of_log, meetings.joined([met]), early, late))


def _halves(pairs: PairRows, tables: Tables, middle: int) -> tuple[PairRows, PairRows]:
    """The comparisons of blocks that begin early, and those of the others."""
    starts = starts_of(tables.run)
    is_late = tables.game[starts] > middle
    keys = zip(tables.stratum[starts][is_late].tolist(), tables.block[starts][is_late].tolist(), strict=True)
    late, blocks = set(keys), runs(pairs.stratum, pairs.block)
    first = starts_of(blocks)
    of_block = [key in late for key in zip(pairs.stratum[first].tolist(), pairs.block[first].tolist(), strict=True)]
    chosen = numpy.array(of_block, dtype=bool)[blocks]
    return rows_at(pairs, ~chosen), rows_at(pairs, chosen)


def _block_sums(tables: Tables, kind: Kind) -> BlockSums:
    """The sums of some blocks."""
    seats, alike = tables.bot.shape[1], _alike(tables.rank)
    bot = numpy.zeros_like(tables.bot) if kind is Kind.SEATS else tables.bot
    seat = numpy.full(seats, -1) if kind is Kind.BOTS else numpy.arange(seats)
    wins = numpy.where((tables.rank == 1) & (tables.fault == 0), WIN // alike, 0)
    suspended = tables.fault == len(FAULTS)
    of_seats = (wins, tables.points, 2 * tables.rank + alike - 1, (tables.fault > 0) & ~suspended, suspended)
    run = tables.run
    key = ((bot * seats + seat) * len(run) + run[:, None]).reshape(-1)
    order = numpy.argsort(key)  # of each bot or seat one stratum after the other, as runs are
    starts = starts_of(runs(key[order]))
    size, first = numpy.diff(starts, append=len(order)), numpy.minimum.reduceat(order, starts)
    of_models = (tables.answers, tables.refused, tables.tokens, tables.cost)
    columns = (*of_seats, tables.decisions, tables.time_us, *(of_models if tables.answers.any() else ()))
    values = [column.take(order).astype(numpy.int64) for column in columns]
    wins, points, ranks, faults, suspended, *counts = summed(values, starts)
    counts += [numpy.zeros_like(size)] * (len(of_seats) + 2 + len(of_models) - len(columns))
    n, w, p, r = (column.astype(numpy.float64) for column in (size, wins, points, ranks))
    game, place = numpy.divmod(first, seats)
    bot, seat, stratum, game = bot[game, place], seat[place], tables.stratum[game], tables.game[game]
    starts = starts_of(runs(bot, seat, stratum))
    return BlockSums(
        *(bot[starts], seat[starts], stratum[starts], numpy.minimum.reduceat(game, starts)),
        *summed(
            [
                *(numpy.ones_like(size), size, size * size),
                *(w, w * w, w * n, p, p * p, p * n, r, r * r, r * n, n**3, p**3, p * p * n, p * n * n),
                *(faults, suspended, *(column.astype(numpy.float64) for column in counts)),
            ],
            starts,
        ),
    )


def _alike(ranks: Ints) -> Ints:
    """How many seats of the game have the rank of each seat."""
    found: Ints = numpy.add.reduce([ranks == ranks[:, [seat]] for seat in range(ranks.shape[1])])
    return found


def half_ranks(ranks: Ints) -> Ints:
    """Ranks in halves; seats that tie share the mean of theirs: `[1, 2, 2]` gives `[2, 5, 5]`."""
    return 2 * ranks + _alike(ranks) - 1


def _counts(tables: Tables) -> Counts:
    """The seats and faults of some games."""
    seats, kinds = tables.bot.shape[1], len(FAULTS) + 1
    known, place = numpy.unique(tables.bot * seats + numpy.arange(seats), return_inverse=True)
    cells = place.reshape(-1) * kinds + tables.fault.reshape(-1)
    by_fault = numpy.bincount(cells, minlength=len(known) * kinds).reshape(-1, kinds).T
    return Counts(*numpy.divmod(known, seats), by_fault.sum(axis=0), *by_fault[1:])


def _in_strata(tables: SettingSums, setting: Setting, numbers: Ints) -> SettingSums:
    """The sums with the strata that `GameColumns.renamed` gives to tables of bots with these numbers."""
    sums, met = tables.sums, tables.meetings
    known, place = numpy.unique(sums.stratum, return_inverse=True)
    seats = numpy.bincount(place, sums.size).astype(numpy.int64)[place]
    copies = sums.size * setting.players // seats  # a bot may sit twice at a table
    stratum = numpy.repeat(numbers_of([setting.variant]), len(known))
    numpy.add.at(stratum, place, copies * numbers[sums.bot])
    return tables._replace(
        sums=sums._replace(stratum=stratum[place]),
        meetings=met._replace(stratum=stratum[numpy.searchsorted(known, met.stratum)]),
    )


def merged(parts: Sequence[Summary]) -> Summary:
    """The sums of several logs, in the order of the logs; bots are in the order of their names."""
    bots = sorted({bot for part in parts for bot in part.bots})
    tables: dict[Setting, list[SettingSums]] = {}
    for position, part in enumerate(parts):
        numbers = numpy.array([bots.index(bot) for bot in part.bots], dtype=numpy.int64)
        for setting, sums in zip(part.settings, part.tables, strict=True):
            tables.setdefault(setting, []).append(_numbered(sums, numbers, position))
    return Summary(bots, list(tables), [_grouped(stacked(sums)) for sums in tables.values()])


def _numbered(tables: SettingSums, bots: Ints, position: int) -> SettingSums:
    """The sums of the log at this position, with other numbers for its bots."""
    sums, counts, pairs, met, early, late = tables
    return SettingSums(
        sums._replace(bot=bots[sums.bot], first=sums.first + (position << _LOG)),
        counts._replace(bot=bots[counts.bot]),
        pairs.numbered(bots).apart(position),
        met._replace(first=met.first + (position << _LOG)).numbered(bots),
        fit_sums.renumbered(early, bots),
        fit_sums.renumbered(late, bots),
    )


def _grouped(tables: SettingSums) -> SettingSums:
    """The sums with one row for each bot, or two, in a stratum."""
    return tables._replace(
        sums=grouped(tables.sums, 3, 4),
        counts=grouped(tables.counts, 2, 2),
        early=fit_sums.joined([tables.early]),
        late=fit_sums.joined([tables.late]),
    )
