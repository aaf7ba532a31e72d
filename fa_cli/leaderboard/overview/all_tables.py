"""Every table about some games at once, as a report shows them: read from one state of the index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...game_result import By
from ...stats.faults import FaultRow
from ...stats.head_to_head import HeadToHead
from ...stats.luck.seat_values import SeatRow
from .. import parts, queries
from ..boards import board
from ..parts import Kind
from ..queries import BotFaults
from ..selected_results import SelectedResults
from ..standings import Leaderboard
from ..sums import sum_tables
from ..sums.game_rows import read_blocks
from . import result_distributions
from .first_two import Separation, separation
from .highlights import Highlights
from .history import History, HistoryRow
from .result_distributions import PointsRow, RankRow, TimeRow

MOST_GAMES = 100
"""Of a kind that is worth watching."""


class Overview(NamedTuple):
    """All tables."""

    logs: list[str]
    """The names of the logs, without those that were skipped."""
    board: Leaderboard
    """Without parts."""
    by_side: Leaderboard
    by_players: Leaderboard
    deals: int
    """The number of deals: games of a duplicate set share one."""
    history: list[HistoryRow]
    head_to_head: HeadToHead
    points: list[PointsRow]
    ranks: list[RankRow]
    seats: list[SeatRow]
    times: list[TimeRow]
    faults: list[FaultRow]
    fault_details: dict[str, BotFaults]
    separation: Separation | None
    """None with fewer than two bots that can be compared."""
    pair: Sequence[str]
    """The bots that are compared; fewer than two if there are no more."""
    variants: dict[str, int]
    """The number of games of each variant."""
    highlights: Highlights


def read(results: SelectedResults, first_two: Sequence[str] = ()) -> Overview:
    """All tables. `first_two` are the bots to compare; by default those with the best ranks."""
    whole, sums = board(results, parts.ANY, rated=False), results.summary(Kind.BOTS)
    pair = first_two or [row.bot for row in whole.rows[:2] if row.rank is not None]
    names, logs = dict(enumerate(sums.bots)), [log.log_name for log in results.logs]
    strengths = {row.bot: row.strength for row in whole.rows if row.strength is not None}
    ranked = {row.bot for row in whole.rows}
    history = History(whole.games)
    highlights = Highlights(
        {id: strengths[name] for id, name in names.items() if name in strengths}, names, logs, MOST_GAMES
    )
    for games in read_blocks(results, sums):
        history.add(games)
        highlights.add(games)
    with_pair = queries.games(results, pair) if len(pair) > 1 else ()
    counts = zip(sums.settings, sums.games, strict=True)
    return Overview(
        logs=logs,
        board=whole,
        by_side=board(results, By.SIDE.value, rated=False),
        by_players=board(results, By.PLAYERS.value, rated=False),
        deals=history.deals,
        history=history.rows([(id, name) for id, name in names.items() if name in ranked], whole.rows),
        head_to_head=sum_tables.head_to_head(sums),
        points=result_distributions.points(results),
        ranks=result_distributions.ranks(results),
        seats=queries.seat_values(results),
        times=result_distributions.times(results),
        faults=queries.faults(results),
        fault_details=queries.bot_faults(results),
        separation=separation(pair, with_pair, logs, history.starts, whole.games) if len(pair) > 1 else None,
        pair=pair,
        variants=dict(sorted((one.variant, count) for one, count in counts)),
        highlights=highlights,
    )
