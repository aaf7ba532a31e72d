"""Every table about some games at once, as a report shows them: read from one state of the index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...game_result import By
from ...stats.faults import FaultRow
from ...stats.head_to_head import HeadToHead
from ...stats.luck.seat_values import SeatRow
from .. import parts, queries, standings
from ..comparisons import head_to_head
from ..index import Index
from ..queries import BotFaults
from ..standings import Leaderboard
from . import result_distributions
from .first_two import Separation, separation
from .game_rows import read_blocks
from .highlights import Highlights
from .history import History, HistoryRow
from .result_distributions import PointsRow, RankRow, TimeRow

MOST_GAMES = 100
"""Of a kind that is worth watching."""


class Overview(NamedTuple):
    """All tables."""

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
    variants: dict[str, int]
    """The number of games of each variant."""
    highlights: Highlights


def read(index: Index, scope: int, game: str | None, first_two: Sequence[str] = ()) -> Overview:
    """All tables of the scope, for all games or one; its sums are up to date.

    `first_two` are the bots to compare; by default those with the best ranks.
    """
    board = standings.show(index, scope, parts.ANY, game)
    pair = first_two or [row.bot for row in board.rows[:2] if row.rank is not None]
    names = dict(index.rows("SELECT id, name FROM bots ORDER BY name"))
    by_id = {log.id: log.log_name for log in index.logs().values()}
    logs = [by_id[log] for (log,) in index.rows("SELECT log FROM counted ORDER BY position")]
    strengths = {row.bot: row.strength for row in board.rows if row.strength is not None}
    ranked = {row.bot for row in board.rows}
    history = History(board.games)
    highlights = Highlights(
        {id: strengths[name] for id, name in names.items() if name in strengths}, names, logs, MOST_GAMES
    )
    for games in read_blocks(index, game):
        history.add(games)
        highlights.add(games)
    with_pair = queries.games(index, game, pair) if len(pair) > 1 else ()
    return Overview(
        board=board,
        by_side=standings.show(index, scope, By.SIDE.value, game),
        by_players=standings.show(index, scope, By.PLAYERS.value, game),
        deals=history.deals,
        history=history.rows([(id, name) for id, name in names.items() if name in ranked], board.rows),
        head_to_head=head_to_head(index, game),
        points=result_distributions.points(index, game),
        ranks=result_distributions.ranks(index, game),
        seats=queries.seat_values(index, game),
        times=result_distributions.times(index, game),
        faults=queries.faults(index, game),
        fault_details=queries.bot_faults(index),
        separation=separation(pair, with_pair, logs, history.starts, board.games) if len(pair) > 1 else None,
        variants=_variants(index, game),
        highlights=highlights,
    )


def _variants(index: Index, game: str | None) -> dict[str, int]:
    """The number of games of each variant."""
    known, found = parts.settings(index), dict[str, int]()
    for setting, games in index.rows("SELECT setting, SUM(games) FROM counted JOIN games USING (log) GROUP BY setting"):
        if game in (None, known[setting].game):
            found[known[setting].variant] = found.get(known[setting].variant, 0) + games
    return dict(sorted(found.items()))
