"""Games of all logs as arrays, in whole blocks, which NumPy sums without a loop over games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy

from ...stats.strength.pair_sums import Ints, runs, starts_of
from ..selected_results import SelectedResults
from .game_columns import joined
from .summary import Summary


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


def read_blocks(results: SelectedResults, summary: Summary) -> Iterator[Games]:
    """All games, in whole blocks and in the order of their logs; those of each setting apart.

    Bots and settings are numbered as in the summary.
    """
    total = 0
    for position, log in enumerate(results.logs):
        games = joined(results.columns(log))
        numbers = numpy.array([summary.bots.index(bot) for bot in games.bots], dtype=numpy.int64)
        deal = runs(games.block)
        deal = starts_of(deal)[deal]
        for tables in games.tables():
            setting = summary.settings.index(games.settings[tables.setting])
            yield Games(
                position,
                setting,
                tables.stratum,
                tables.block,
                total + deal[tables.place],
                tables.game,
                numbers[tables.bot],
                tables.rank,
                tables.points,
                tables.decisions,
                (tables.fault > 0).astype(numpy.int64),
            )
        total += len(games.setting)
