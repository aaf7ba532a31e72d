"""Every table about some games at once, as a report shows them: read from one state of the index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from ...game_result import By, PlayedGame
from ...stats.comparison import Comparison
from ...stats.comparison_row import ComparisonRow
from ...stats.faults import FaultRow
from ...stats.head_to_head import HeadToHead
from ...stats.luck.seat_values import SeatRow
from .. import parts, queries, standings
from ..comparisons import head_to_head
from ..index import Index
from ..queries import BotFaults
from ..standings import Leaderboard
from . import result_distributions
from .history import HistoryRow, strengths_over_games
from .result_distributions import PointsRow, RankRow, TimeRow

_POINTS = 20
"""The number of points at which the two best are compared."""


class Separation(NamedTuple):
    """How the difference of the two best bots became known."""

    row: ComparisonRow
    """After all games; the bot with the first rank is the first one."""
    course: list[tuple[int, ComparisonRow]]
    """After growing numbers of games, each with the number of all games until then."""
    games_to_decide: int | None
    """The games of a tournament like this one that tell the two apart in 80% of cases; None if no number is known."""
    logs: set[str]
    """The names of the logs in which the two can be compared."""


class GameKey(NamedTuple):
    """A game, by its log's name and its index there, from 0."""

    log: str
    game_index: int


class Overview(NamedTuple):
    """All tables."""

    board: Leaderboard
    """Without parts."""
    by_side: Leaderboard
    by_players: Leaderboard
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
    meetings: dict[tuple[str, str], GameKey]
    """The first game of each pair of bots, whose names are sorted; games without faults come first."""


def read(index: Index, scope: int, game: str | None) -> Overview:
    """All tables of the scope, for all games or one; its sums are up to date."""
    board = standings.show(index, scope, parts.ANY, game)
    found = _Found([row.bot for row in board.rows[:2] if row.rank is not None], board.games)
    for played in queries.games(index, game):
        found.add(played)
    return Overview(
        board=board,
        by_side=standings.show(index, scope, By.SIDE.value, game),
        by_players=standings.show(index, scope, By.PLAYERS.value, game),
        history=strengths_over_games(index, game, board.rows),
        head_to_head=head_to_head(index, game),
        points=result_distributions.points(index, game),
        ranks=result_distributions.ranks(index, game),
        seats=queries.seat_values(index, game),
        times=result_distributions.times(index, game),
        faults=queries.faults(index, game),
        fault_details=queries.bot_faults(index),
        separation=found.separation(),
        variants=dict(sorted(found.variants.items())),
        meetings=found.meetings,
    )


class _Found:
    """What one pass over the games finds; there may be a million, so none is kept."""

    def __init__(self, best: Sequence[str], total: int) -> None:
        """`best`: the two best bots, fewer if there are no two to compare. `total`: the number of all games."""
        self.variants = Counter[str]()
        self._clean, self._faulted = dict[tuple[str, str], GameKey](), dict[tuple[str, str], GameKey]()
        self._comparison = Comparison(best[0], best[1]) if len(best) > 1 else None
        self._course = list[tuple[int, ComparisonRow]]()
        self._done, self._total = 0, total
        self._deal: object = None

    def add(self, game: PlayedGame) -> None:
        """Add the next game, in the order of the logs."""
        self.variants[game.variant] += 1
        for pair in combinations(sorted(set(game.bots)), 2):
            (self._faulted if game.faults else self._clean).setdefault(pair, GameKey(game.log, game.index))
        if self._comparison:
            if game.deal != self._deal:
                self._compare(self._comparison)
            self._comparison.add(game)
        self._deal = game.deal
        self._done += 1

    def _compare(self, comparison: Comparison) -> None:
        """Note the comparison at the end of a block, about `_POINTS` times."""
        if self._done * _POINTS >= self._total * (len(self._course) + 1):
            self._course.append((self._done, comparison.rows()[-1]))  # over the field, if it has more than meetings

    @property
    def meetings(self) -> dict[tuple[str, str], GameKey]:
        """The first game of each pair of bots; games without faults come first."""
        return self._faulted | self._clean

    def separation(self) -> Separation | None:
        """The comparison of the two, which goes on from one point to the next."""
        comparison = self._comparison
        if comparison is None:
            return None
        self._compare(comparison)
        row = self._course[-1][1]
        if not row.blocks:
            return None
        needed = comparison.blocks_to_decide()
        to_decide = None if needed is None else -int(-needed * self._total // row.blocks)
        return Separation(row, [point for point in self._course if point[1].blocks], to_decide, comparison.logs_of(row))
