"""What a run on a cluster watches: whether anybody plays, and which workers are slower than the others."""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import Any

from ...tournament.running.job_queue import WorkerLost

_NOTICE = 3.0
"""Seconds without progress before the user is warned."""
_KEPT = 1_000
"""Games that are compared: the latest of all workers."""
_FEWEST = 40
"""Games of a worker among them from which it is judged."""
_MOST_BETWEEN = 5_000
"""Games of a worker between two judgements; at first fewer, as many as it has played."""
_SLOW = 1.5
"""A worker whose games take so many times longer than elsewhere is slow."""
_ROUNDS = 8
_LARGEST_STEP = 4.0
"""An estimate changes at most by this factor in a round, so it stays within bounds whatever the times are."""
_SHORTEST = 1e-4
_Key = tuple[int, int]
"""A setting and a bot."""


class Stall:
    """How long nobody has played. The run stops after `wait` seconds. `warn` takes sentences for the user."""

    def __init__(self, wait: float, warn: Callable[[str], None]) -> None:
        self._wait = wait
        self._warn = warn
        self._since = 0.0
        self._has_warned = False

    def end(self) -> None:
        """Somebody plays, or nothing is left to play."""
        self._since, self._has_warned = 0.0, False

    def check(self, reason: str, remedy: str) -> None:
        """Nobody plays now. Without a remedy there is no warning. Raises WorkerLost after `wait` seconds."""
        now = time.monotonic()
        self._since = self._since or now
        if now - self._since > self._wait:
            raise WorkerLost(f"{reason}, for {self._wait:.0f} seconds")
        if remedy and now - self._since > _NOTICE and not self._has_warned:
            self._has_warned = True
            self._warn(f"{reason}; {remedy}")


class SpeedWatch:
    """Detects workers whose games take longer than the same bots' games elsewhere.

    Judges each worker by the median ratio of its games' times to what their bots take, and warns once for each.
    A game is expected to take the sum of its bots' times in its setting. These and the workers' ratios are estimated
    together, by medians, from the latest games alone: nothing is carried on from one judgement to the next.
    """

    def __init__(self) -> None:
        self._games: deque[tuple[str, list[_Key], float]] = deque(maxlen=_KEPT)
        self._counts: Counter[str] = Counter()
        self._next: dict[str, int] = defaultdict(lambda: _FEWEST)
        self._warned: set[str] = set()

    def add(self, worker: str, setting: int, seats: Sequence[int], seconds: float) -> None:
        """Count a game of a worker."""
        self._games.append((worker, [(setting, bot) for bot in seats], max(seconds, _SHORTEST)))
        self._counts[worker] += 1

    def slow_worker(self) -> tuple[str, float] | None:
        """A worker that is found to be slow for the first time, and how many times longer its games take."""
        due = [worker for worker, count in self._counts.items() if count >= self._next[worker]]
        if not due or len(self._counts) < 2:
            return None
        for worker in due:
            self._next[worker] += min(self._counts[worker], _MOST_BETWEEN)
        ratios = self._ratios()
        for worker in due:
            others = [ratio for name, ratio in ratios.items() if name != worker]
            slowness = ratios[worker] / median(others) if worker in ratios and others else 1.0
            if slowness > _SLOW and worker not in self._warned:
                self._warned.add(worker)
                return worker, slowness
        return None

    def _ratios(self) -> dict[str, float]:
        """For each worker with enough games how many times longer they take than their bots do on all workers."""
        times = _medians((key, seconds / len(keys)) for _, keys, seconds in self._games for key in keys)
        ratios = dict.fromkeys(self._counts, 1.0)
        for _ in range(_ROUNDS):
            left = [
                (worker, keys, seconds / (ratios[worker] * sum(times[key] for key in keys)))
                for worker, keys, seconds in self._games
            ]
            for key, step in _medians((key, rest) for _, keys, rest in left for key in keys).items():
                times[key] *= _bounded(step)
            for worker, step in _medians((worker, rest) for worker, _, rest in left).items():
                ratios[worker] *= _bounded(step) ** 0.5  # half of it: the bots' times take their share of the rest
        enough = Counter(worker for worker, _, _ in self._games)
        return {worker: ratio for worker, ratio in ratios.items() if enough[worker] >= _FEWEST}


def _bounded(step: float) -> float:
    return min(max(step, 1 / _LARGEST_STEP), _LARGEST_STEP)


def _medians(pairs: Iterable[tuple[Any, float]]) -> dict[Any, float]:
    """The median of the values of each key."""
    values: dict[Any, list[float]] = defaultdict(list)
    for key, value in pairs:
        values[key].append(value)
    return {key: median(found) for key, found in values.items()}
