"""Adds the games of a running tournament to the index while it is played, so that little is left to do at its end."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from pathlib import Path
from time import monotonic

from ..errors import LogError
from ..replay.log_entry import LogEntry
from ..replay.log_file import LogPosition
from . import parts
from .boards import board
from .index import NAME, Index, Item
from .parts import Kind
from .rating.rating_states import RatingStates
from .sealed_file import IndexBusy, IndexDamaged, IndexUnusable
from .selected_results import SelectedResults

_CHUNK = 100
"""Games that are added at once: they take a few milliseconds, and a transaction takes as long as some of them."""
_MOST_READ = 1_000
"""Games of earlier runs that are read if the index lacks them, as after a kill. More are read after the run."""
_MOST_SUMMED = 10_000
"""Games that are summed at the end, which takes less than a second; the sums of more show their progress."""
_MOST_WAITING = 20 * _CHUNK
"""With more games waiting for another process they are read after the run."""
_SHARE = 20
"""Adding takes at most 1/20 of the time."""


class LiveIndex:
    """The index beside a log that grows. Whatever it does not add is read from the log by the next leaderboard."""

    def __init__(self, log: Path, end: LogPosition, rated: bool) -> None:
        """`end`: the log's end at present. `rated`: whether to fold the games into TrueSkill's ratings, too."""
        self._log = log
        self._rated = rated
        self._added = end
        """The position before the first waiting game."""
        self._waiting: deque[Item] = deque()
        self._index: Index | None = None
        self._ended = False
        self._not_before = 0.0

    @staticmethod
    def prepare() -> None:
        """Import what `finish` needs, NumPy above all: a run does that while its workers start, when it has time."""
        from .sums import ranking, summary  # noqa: F401

    def add(self, entry: LogEntry, position: LogPosition) -> None:
        """A game was written to the log, which ends at `position` now."""
        if not self._ended:
            self._waiting.append((entry, position))

    @property
    def is_due(self) -> bool:
        """Whether enough games wait, and adding the last ones was long enough ago."""
        return len(self._waiting) >= _CHUNK and monotonic() >= self._not_before

    def update(self) -> None:
        """Add the waiting games, unless another process writes; then they wait for the next call."""
        began = monotonic()
        try:
            self._index = self._index or Index(self._log.parent / NAME, waits=False)
            self._update(self._index)
        except (IndexDamaged, LogError):
            self.close()  # the next leaderboard reports it
        except (IndexBusy, IndexUnusable):
            if len(self._waiting) > _MOST_WAITING:
                self.close()
        self._not_before = monotonic() + _SHARE * (monotonic() - began)

    def _update(self, index: Index) -> None:
        """Add the waiting games that the index lacks. Closes it if it does not have the games before them."""
        known = index.log_at(self._log)
        indexed = known.games if known else 0
        if indexed < self._added.index <= indexed + _MOST_READ:
            index.refresh([self._log], only_tournaments=False)
            known = index.log_at(self._log)
            indexed = known.games if known else 0
        while self._waiting and self._waiting[0][1].index <= indexed:  # another process has added them
            self._added = self._waiting.popleft()[1]
        if self._added != (known.state.end if known else LogPosition()):
            self.close()
            return
        if self._waiting:
            known = index.append(self._log, self._waiting)
            self._added = known.state.end
            self._waiting.clear()
        if self._rated and known:
            states = RatingStates(SelectedResults(index, [known], known.name), Kind.BOTS)
            if states.behind() <= _MOST_READ + _MOST_WAITING:
                states.update()

    def finish(self) -> None:
        """The tournament is over: add the rest of its games, and get its leaderboard ready.

        The log must have its final mode and still be locked. What another process prevents, and what takes long, is
        left to the next leaderboard.
        """
        if self._waiting:
            self.update()
        if self._index:
            with suppress(IndexDamaged, IndexUnusable, LogError):
                self._index.mark_complete(self._log, self._added)
                known = self._index.log_at(self._log)
                if known and known.games <= _MOST_SUMMED:
                    board(SelectedResults(self._index, [known], known.name), parts.ANY, rated=False)

    def close(self) -> None:
        """End adding. Further calls do nothing."""
        self._ended = True
        self._waiting.clear()
        if self._index:
            self._index.close()
        self._index = None
