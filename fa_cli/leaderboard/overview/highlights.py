"""Games worth watching: the closest, the longest, upsets, each bot's best win and worst loss, and first meetings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import combinations
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from ..sums.game_rows import Games

_WEIGHT = 1e6
"""Of a difference in strength beside one of points, which decides between equal ones."""


class GameKey(NamedTuple):
    """A game, by its log's name and its index there, from 0."""

    log: str
    game_index: int


class Why(Enum):
    """Why a game is worth watching."""

    CLOSEST = "closest"
    UPSET = "upset"
    LONGEST = "longest"
    BEST_WIN = "best win"
    WORST_LOSS = "worst loss"


class Highlight(NamedTuple):
    """A game worth watching. It has one winner, and no faults."""

    game: GameKey
    bot: str
    """Whose best win or worst loss it is; else the winner."""
    value: float
    """What the game has most of: points between the first two (less them), strength behind a rival, or decisions."""


class _Found(NamedTuple):
    """A game with its score, to be sorted: the highest score first, then the earliest game."""

    less_score: float
    position: int
    game_index: int
    bot: int


class Highlights:
    """Finds them among all games."""

    def __init__(
        self, strengths: Mapping[int, float], names: Mapping[int, str], logs: Sequence[str], most: int
    ) -> None:
        """`strengths` and `names`: of each bot by id. `logs`: their names, in order. `most`: of a kind."""
        self._names, self._logs, self._most = names, logs, most
        self._strengths = numpy.full(max(names, default=0) + 1, numpy.nan)
        self._strengths[list(strengths)] = list(strengths.values())
        self._best: dict[Why, list[_Found]] = {why: [] for why in (Why.CLOSEST, Why.UPSET, Why.LONGEST)}
        self._of_bots: dict[Why, dict[int, _Found]] = {Why.BEST_WIN: {}, Why.WORST_LOSS: {}}
        self._meetings: dict[tuple[int, int], tuple[bool, int, int]] = {}

    def add(self, games: Games) -> None:
        """Add the next games."""
        self._add_meetings(games)
        tables = games.tables
        chosen = ((tables.rank == 1).sum(axis=1) == 1) & ~tables.fault.any(axis=1)
        if tables.rank.shape[1] < 2 or not chosen.any():
            return
        index, bots = tables.game[chosen], tables.bot[chosen]
        ranks, points = tables.rank[chosen], tables.points[chosen]
        strengths = self._strengths[bots]
        wins = ranks == 1
        winner, won, by = bots[wins], points[wins], strengths[wins]
        margin = won - numpy.where(wins, numpy.iinfo(numpy.int64).min, points).max(axis=1)
        rival = numpy.where(wins, -numpy.inf, strengths).max(axis=1)
        in_log = games.position, index
        level = numpy.where(margin >= 0, -margin.astype(float), numpy.nan)  # tie-breaks may turn points around
        self._add_best(Why.CLOSEST, level, winner, *in_log)
        self._add_best(Why.UPSET, numpy.where(rival > by, rival - by, numpy.nan), winner, *in_log)
        self._add_best(Why.LONGEST, tables.decisions[chosen].sum(axis=1).astype(float), winner, *in_log)
        against = numpy.where(wins, 0, strengths).sum(axis=1).round(6)
        self._add_of_bots(Why.BEST_WIN, against * _WEIGHT + margin, winner, *in_log)
        behind = (strengths - by[:, None]).round(6) * _WEIGHT + (won[:, None] - points)
        loses = numpy.asarray(~wins & (bots != winner[:, None]))
        of_game = numpy.broadcast_to(index[:, None], bots.shape)
        self._add_of_bots(Why.WORST_LOSS, behind[loses], bots[loses], games.position, of_game[loses])

    def _add_best(self, why: Why, score: NDArray[Any], bots: NDArray[Any], position: int, index: NDArray[Any]) -> None:
        order = numpy.lexsort((index, -score))[: self._most]  # NaN comes last
        found = [
            _Found(-float(score[at]), position, int(index[at]), int(bots[at]))
            for at in order
            if not numpy.isnan(score[at])
        ]
        self._best[why] = sorted([*self._best[why], *found])[: self._most]

    def _add_of_bots(
        self, why: Why, score: NDArray[Any], bots: NDArray[Any], position: int, index: NDArray[Any]
    ) -> None:
        order = numpy.lexsort((index, -score, bots))
        for at in order[numpy.unique(bots[order], return_index=True)[1]].tolist():
            if not numpy.isnan(score[at]):
                found, known = _Found(-float(score[at]), position, int(index[at]), int(bots[at])), self._of_bots[why]
                known[found.bot] = min(found, known.get(found.bot, found))

    def _add_meetings(self, games: Games) -> None:
        """Note the first game of each pair; games without faults come first."""
        index = games.tables.game
        has_faults: NDArray[Any] = games.tables.fault.max(axis=1) > 0
        for left, right in combinations(games.tables.bot.T, 2):
            pairs = numpy.minimum(left, right) << 32 | numpy.maximum(left, right)
            order = numpy.lexsort((index, has_faults, pairs))
            for at in order[numpy.unique(pairs[order], return_index=True)[1]].tolist():
                first, second = sorted((int(left[at]), int(right[at])))
                found = bool(has_faults[at]), games.position, int(index[at])
                if first != second:
                    self._meetings[first, second] = min(found, self._meetings.get((first, second), found))

    def best(self, why: Why) -> list[Highlight]:
        """The closest or longest games, or upsets; the best first."""
        return [self._highlight(found) for found in self._best[why]]

    def of_bots(self, why: Why) -> dict[str, Highlight]:
        """The best win or the worst loss of each bot that has one."""
        return {self._names[bot]: self._highlight(found) for bot, found in self._of_bots[why].items()}

    def meetings(self) -> dict[tuple[str, str], GameKey]:
        """The first game of each pair of bots, whose names are sorted; games without faults come first."""
        found = {}
        for bots, (_, position, index) in self._meetings.items():
            first, second = sorted(self._names[bot] for bot in bots)
            found[first, second] = GameKey(self._logs[position], index)
        return found

    def _highlight(self, found: _Found) -> Highlight:
        game = GameKey(self._logs[found.position], found.game_index)
        return Highlight(game, self._names[found.bot], -found.less_score)
