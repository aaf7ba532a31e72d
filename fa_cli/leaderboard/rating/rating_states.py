"""Ratings as a stored state: after all games of some logs.

A rating depends on all earlier games. If only the last log has grown, or later ones have come, the fold goes on;
otherwise it starts anew.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import msgspec

from ...decoding import built
from ..index import CHUNK_SECONDS
from ..parts import Kind, Part
from ..selected_results import SelectedResults
from .rating_fold import Known, RatingFold
from .ratings import Rating

_CLOCK_INTERVAL = 16
"""Games between two checks of the clock."""


class _State(msgspec.Struct, array_like=True):
    """The ratings after the first games of some logs."""

    folded: list[tuple[bytes, int]]
    """The id of each log, and how many of its games are folded."""
    ratings: Mapping[Part, Mapping[str | tuple[str, int], Rating]]


class RatingStates:
    """The stored ratings of the logs of some results, of bots or of bots in seats."""

    def __init__(self, results: SelectedResults, kind: Kind) -> None:
        self._results = results
        self._name = f"ratings of {kind.value}"
        self._in_seats = kind is Kind.BOTS_IN_SEATS
        self._target = [(log.state.id, log.games) for log in results.logs]

    def known(self) -> Known:
        """The ratings as they were when games were last folded."""
        return self._stored().ratings

    def behind(self) -> int:
        """The number of games that are still to be folded."""
        return sum(games for _, games in self._target) - sum(games for _, games in self._stored().folded)

    def update(self) -> Known:
        """The ratings after all games; new ones are folded, and saved every `CHUNK_SECONDS`."""
        state = self._stored()
        if state.folded == self._target:
            return state.ratings
        if not self._only_last_has_grown(state.folded):
            state = _State([], {})
        fold, folded = RatingFold(self._in_seats, state.ratings), dict(state.folded)
        before, total = 0, sum(games for _, games in self._target)
        next_save = time.monotonic() + CHUNK_SECONDS
        for position, log in enumerate(self._results.logs):
            first = folded.get(log.state.id, 0)
            for part in self._results.columns(log) if first < log.games else ():
                for game in part.games(log.log_name, part.indices >= first):
                    fold.add(game)
                    if game.index % _CLOCK_INTERVAL:
                        continue
                    self._results.report("rating games", before + game.index, total)
                    if time.monotonic() >= next_save:
                        self._save(fold, [*self._target[:position], (log.state.id, game.index + 1)])
                        next_save = time.monotonic() + CHUNK_SECONDS
            before += log.games
        return self._save(fold, self._target)

    def _only_last_has_grown(self, folded: list[tuple[bytes, int]]) -> bool:
        """Whether the folded logs are still the first ones, and none but the last of them has other games now."""
        now = self._target[: len(folded)]
        return [log for log, _ in folded] == [log for log, _ in now] and folded[:-1] == now[:-1] and folded <= now

    def _stored(self) -> _State:
        value = self._results.kept(self._name, b"")
        return _State([], {}) if value is None else msgspec.msgpack.decode(value, type=built(_State))

    def _save(self, fold: RatingFold, folded: list[tuple[bytes, int]]) -> Known:
        self._results.keep(self._name, b"", msgspec.msgpack.encode(_State(folded, fold.known)))
        return fold.known
