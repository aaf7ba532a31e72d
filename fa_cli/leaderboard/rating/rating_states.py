"""Ratings as stored states: after all games of some logs, and after each log what it has changed.

A rating depends on all earlier games. If a log is inserted or an earlier one grows, the fold restarts from the ratings
before that log.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from ...decoding import built
from ..index import CHUNK_SECONDS, digest_of
from ..parts import Kind, Part
from ..selected_results import SelectedResults
from .rating_fold import RatingFold, RatingGroup
from .ratings import Rating

_CLOCK_INTERVAL = 16
"""Games between two checks of the clock."""
Known = dict[Part, dict[Any, Rating]]
"""Ratings by part, and by bot, or by bot and seat."""


class _Step(msgspec.Struct, frozen=True, array_like=True):
    """The first games of a log are folded."""

    log: bytes
    """Its id."""
    games: int


class _State(msgspec.Struct, array_like=True):
    """The ratings after some steps."""

    steps: list[_Step]
    groups: list[RatingGroup]


class RatingStates:
    """The stored ratings of the logs of some results, of bots or of bots in seats."""

    def __init__(self, results: SelectedResults, kind: Kind) -> None:
        self._results = results
        self._name = f"ratings of {kind.value}"
        self._in_seats = kind is Kind.BOTS_IN_SEATS
        self._target = [_Step(log.state.id, log.games) for log in results.logs]

    def known(self) -> Known:
        """The ratings as they were when games were last folded."""
        return _by_part(self._stored().groups)

    def behind(self) -> int:
        """The number of games that are still to be folded."""
        return sum(step.games for step in self._target) - sum(step.games for step in self._stored().steps)

    def update(self) -> Known:
        """The ratings after all games; new ones are folded."""
        state = self._stored()
        if state.steps == self._target:
            return _by_part(state.groups)
        state = self._rewound(state)
        fold, done = RatingFold(self._in_seats, state.groups), len(state.steps)
        if done and state.steps[-1] != self._target[done - 1]:  # its log has grown
            fold.begin_log(self._changes(state.steps) or state.groups)
            self._fold_log(fold, done - 1, state.steps[-1].games)
        for position in range(done, len(self._target)):
            fold.begin_log()
            self._fold_log(fold, position, 0)
        return _by_part(fold.groups())

    def _stored(self) -> _State:
        value = self._results.kept(self._name, b"")
        return _State([], []) if value is None else msgspec.msgpack.decode(value, type=built(_State))

    def _rewound(self, state: _State) -> _State:
        """The last state before the first step that differs from the target."""
        pairs = zip(state.steps, self._target, strict=False)
        equal = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
        if equal < min(len(state.steps), len(self._target)):
            folded, target = state.steps[equal], self._target[equal]
            equal += folded.log == target.log and folded.games < target.games  # the log has only grown
        if equal == len(state.steps):
            return state
        fold = RatingFold(self._in_seats)
        rewound = _State([], [])
        for step in state.steps[:equal]:
            changes = self._changes([*rewound.steps, step])
            if changes is None:
                break
            fold.change(changes)
            rewound.steps.append(step)
        rewound.groups = fold.groups()
        return rewound

    def _changes(self, steps: Sequence[_Step]) -> list[RatingGroup] | None:
        """The ratings that the last of these steps has changed; None if they are not known."""
        log = self._results.logs[len(steps) - 1]
        value = self._results.of_log(log).kept(f"all {self._name}", _digest(steps))
        return None if value is None else msgspec.msgpack.decode(value, type=built(list[RatingGroup]))

    def _fold_log(self, fold: RatingFold, position: int, first: int) -> None:
        """Fold the remaining games of a log and save every `CHUNK_SECONDS`."""
        log, before = self._results.logs[position], sum(step.games for step in self._target[:position])
        total = sum(step.games for step in self._target)
        next_save = time.monotonic() + CHUNK_SECONDS
        for part in self._results.columns(log):
            for game in part.games(log.log_name, part.indices >= first):
                fold.add(game)
                if game.index % _CLOCK_INTERVAL:
                    continue
                self._results.report("rating games", before + game.index, total)
                if time.monotonic() >= next_save:
                    self._save(fold, position, game.index + 1)
                    next_save = time.monotonic() + CHUNK_SECONDS
        self._save(fold, position, log.games)

    def _save(self, fold: RatingFold, position: int, games: int) -> None:
        """Store the ratings after so many games of the log at this position."""
        steps = [*self._target[:position], _Step(self._target[position].log, games)]
        if self._results.is_all:
            changes = msgspec.msgpack.encode(fold.groups(of_log=True))
            self._results.of_log(self._results.logs[position]).keep(f"all {self._name}", _digest(steps), changes)
        self._results.keep(self._name, b"", msgspec.msgpack.encode(_State(steps, fold.groups())))


def _by_part(groups: Sequence[RatingGroup]) -> Known:
    return {part: group.ratings for group in groups for part in group.parts}


def _digest(steps: Sequence[_Step]) -> bytes:
    return digest_of(*(b"%s %d" % (step.log, step.games) for step in steps))
