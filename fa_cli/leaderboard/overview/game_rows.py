"""The rows of the index as arrays, which NumPy sums without a loop over games."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy

from ...stats.strength.pair_sums import Ints
from ..index import Index
from ..parts import settings

_ROWS = (
    "SELECT x.setting, stratum, block, game_index, bot, rank, points, decisions, fault IS NOT NULL FROM results AS x "
    "WHERE log = ? AND {where} ORDER BY game_index, seat"
)
_BLOCK, _GAME = 2, 3
"""Columns."""
_CHUNK = 20_000
"""The number of rows that are read at once."""


class Games(NamedTuple):
    """Games with equally many seats: a row for each game, in tables also a column for each seat."""

    position: int
    """That of their log, from 0."""
    setting: int
    stratum: Ints
    block: Ints
    before: Ints
    """The number of all games, of any setting and in all logs, before the game's block."""
    game_index: Ints
    """The game's index in its log."""
    bots: Ints
    """By seat, as ids."""
    ranks: Ints
    points: Ints
    decisions: Ints
    faults: Ints
    """By seat: 1 if the bot failed or was suspended."""


def read_blocks(index: Index, game: str | None) -> Iterator[Games]:
    """All games, or those of one game, in whole blocks and in the order of their logs; those of each setting apart.

    The games of a block must come together in the log. Raises ValueError if a game lacks seats.
    """
    index.check("settings")
    index.check_selected_results()
    where = "TRUE" if game is None else "x.setting IN (SELECT id FROM settings WHERE game = ?)"
    values = () if game is None else (game,)
    players = {setting: variant.players for setting, variant in settings(index).items()}
    total = 0
    for position, (log,) in enumerate(index.rows("SELECT log FROM counted ORDER BY position")):
        for rows in _whole_blocks(index.each(_ROWS.format(where=where), (log, *values))):
            games, blocks = _starts(rows[:, _GAME]), _starts(rows[:, _BLOCK])
            before = numpy.repeat(total + numpy.searchsorted(games, blocks), numpy.diff(blocks, append=len(rows)))
            total += len(games)
            for setting in numpy.unique(rows[:, 0]).tolist():
                of_setting = rows[:, 0] == setting
                table = numpy.column_stack([before, rows])[of_setting].reshape(-1, players[setting], 10)
                in_order, _, stratum, block, number = table[:, 0, :5].T
                by_seat = table[:, :, 5:].transpose(2, 0, 1)
                yield Games(position, setting, stratum, block, in_order, number, *by_seat)


def _starts(column: Ints) -> Ints:
    """The rows in which the value is another than in the row before, with the first row."""
    return numpy.flatnonzero(numpy.diff(column, prepend=column[0] - 1))


def _whole_blocks(rows: Iterator[Sequence[int]]) -> Iterator[Ints]:
    """The rows in parts; those of a block stay together."""
    rest = numpy.empty((0, 9), dtype=numpy.int64)
    while chunk := list(itertools.islice(rows, _CHUNK)):
        read = numpy.concatenate([rest, numpy.array(chunk, dtype=numpy.int64)])
        last = int(_starts(read[:, _BLOCK])[-1])
        if last:
            yield read[:last]
        rest = read[last:]
    if len(rest):
        yield rest
