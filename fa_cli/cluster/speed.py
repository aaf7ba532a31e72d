"""Detects workers that are slower than the others: their games take longer than the same bots' games elsewhere."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from math import exp, log
from statistics import median

_KEPT = 200
"""Residuals kept for each worker: the latest."""
_FEWEST = 40
"""Games from which a worker is judged."""
_SLOW = 1.5
"""A worker whose games take so many times longer than elsewhere is slow."""
_RATE = 0.05
"""How fast a bot's expected time follows its games."""
_SHORTEST = 1e-4


class SpeedWatch:
    """Judges each worker by the ratio of its games' times to what their bots take, and warns once for each.

    A game is expected to take the sum of its bots' times in its setting, which are learnt from all workers' games.
    """

    def __init__(self) -> None:
        self._times: dict[tuple[int, int], float] = {}
        self._residuals: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=_KEPT))
        self._warned: set[str] = set()

    def add(self, worker: str, setting: int, seats: Sequence[int], seconds: float) -> None:
        """Count a game of a worker."""
        seconds = max(seconds, _SHORTEST)
        keys = [(setting, bot) for bot in seats]
        for key in keys:
            self._times.setdefault(key, seconds / len(seats))
        residual = log(seconds / sum(self._times[key] for key in keys))
        self._residuals[worker].append(residual)
        for key in keys:
            self._times[key] *= exp(_RATE * (residual - self._own(worker)))

    def _own(self, worker: str) -> float:
        """The part of residuals that is the worker's and not the bots': 0 until it is known."""
        known = self._residuals[worker]
        return median(known) - self._others(worker) if len(known) >= _FEWEST else 0.0

    def _others(self, worker: str) -> float:
        medians = [median(known) for name, known in self._residuals.items() if name != worker and len(known) >= _FEWEST]
        return median(medians) if medians else 0.0

    def slow_worker(self) -> tuple[str, float] | None:
        """A worker that is found to be slow for the first time, and how many times longer its games take."""
        judged = [name for name, known in self._residuals.items() if len(known) >= _FEWEST]
        for worker in judged if len(judged) > 1 else []:
            ratio = exp(median(self._residuals[worker]) - self._others(worker))
            if ratio > _SLOW and worker not in self._warned:
                self._warned.add(worker)
                return worker, ratio
        return None
