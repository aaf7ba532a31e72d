"""Games of all logs as arrays, in whole blocks, which NumPy sums without a loop over games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy

from ...stats.strength.pair_sums import Ints, runs, starts_of
from ..selected_results import SelectedResults
from .game_columns import Tables, joined
from .summary import Summary


class Games(NamedTuple):
    """Games of one setting of a log."""

    position: int
    """That of their log, from 0."""
    before: Ints
    """The number of all games, of any setting and in all logs, before the block of each game."""
    tables: Tables
    """Their results; bots and settings are numbered as in the summary."""


def read_blocks(results: SelectedResults, summary: Summary) -> Iterator[Games]:
    """All games, in whole blocks and in the order of their logs; those of each setting apart."""
    total = 0
    for position, log in enumerate(results.logs):
        games = joined(results.columns(log))
        numbers = numpy.array([summary.bots.index(bot) for bot in games.bots], dtype=numpy.int64)
        deal = runs(games.block)
        deal = starts_of(deal)[deal]
        for tables in games.tables():
            setting = summary.settings.index(games.settings[tables.setting])
            tables = tables._replace(setting=setting, bot=numbers[tables.bot])
            yield Games(position, total + deal[tables.place], tables)
        total += len(games.setting)
