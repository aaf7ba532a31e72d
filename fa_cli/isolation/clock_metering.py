"""Metering a bot: the processor time it uses, and the part of its clock during which other programs had its core.

A bot's clock runs from a question to its answer. On a shared core the bot may be ready to run during that time while
another program has the core; that part is deducted, so that no bot pays for another one. It is the larger of

- the run delay: the time that the bot's threads were ready but waited for a core, as the kernel counts it in
  /proc/PID/task/TID/schedstat;
- the processor time that the other bots at the table used outside their own questions. This covers threads that ended
  before their run delay was read, and kernels that count none.

At least the bot's own processor time divided by its cores remains on the clock: a bot that waits for its own threads
pays for them. A bot could also wait for short-lived processes of its own, whose processor time the kernel drops if
their parent ignores SIGCHLD. So run delays count only between two samples that find the same processes.
"""

from __future__ import annotations

from threading import get_native_id
from typing import Final

from ..system import cores
from .spawn import Process
from .supervision import procfs

MEASURE_AFTER: Final = 0.05
"""Seconds of questions after which the meter is read. With four players that takes about 1 ms."""
_OVERSLEEP_SECONDS: Final = 0.05
"""A poll that takes longer than planned by more than this counts as planned: this process was stopped or starved."""
_ALL_CORES = cores()
_METERS: set[Meter] = set()


def counted_seconds(passed: float, planned: float) -> float:
    """The seconds of a wait that count on the bot's clock."""
    return passed if passed <= planned + _OVERSLEEP_SECONDS else planned


class Meter:
    """Processor time, in seconds, of one bot with all processes that it started. `close` must be called.

    `core_count`: the number of cores that the bot may use.
    """

    def __init__(self, process: Process, core_count: int) -> None:
        self._process = process
        self._core_count = core_count
        self.is_asked = False
        """Whether the bot is working on a question; the caller sets it."""
        self.asked = 0.0
        """Seconds that questions took since the last `measure`; the caller adds to it."""
        self.used = 0.0
        """Processor time in this game until the last `measure`."""
        self._outside = self._outside_before = 0.0
        self._cpu = self._others = self._waited = 0.0
        self._delays: dict[int, float] = {}
        self._processes: list[int] = []
        self._referee = procfs.own_delay()
        self._player = 0  # the thread that plays its game; 0 before the first one
        _METERS.add(self)

    @property
    def idle(self) -> float:
        """Processor time in this game outside questions, until the last `measure`."""
        return self._outside - self._outside_before

    def begin_game(self) -> None:
        """Count a new game from now on, which is played in this thread."""
        self._player = get_native_id()
        self.used = 0.0
        self._outside_before = self._outside

    def close(self) -> None:
        """Stop counting this bot's processor time as a delay of others."""
        _METERS.discard(self)

    def sample(self) -> float:
        """Add the run delays of the bot's threads since the last sample. Returns `Process.cpu_seconds`.

        Call it often while waiting for an answer: the run delay of a thread that ends is lost. It also forgets the
        referee's own run delay so far, which can't have delayed an answer that is not there.
        """
        self._referee = procfs.own_delay()
        cpu, delays, processes = self._process.cpu_and_delays()
        if processes == self._processes:
            self._waited += sum(max(0.0, delay - self._delays.get(thread, 0.0)) for thread, delay in delays.items())
        self._delays, self._processes = delays, processes
        return cpu

    def measure(self) -> float:
        """Count what was used since the last call. Returns the part of `asked` that belongs to others; sets it to 0."""
        self._waited += max(0.0, procfs.own_delay() - self._referee)  # the referee read the answer late
        cpu = self.sample()
        others = sum(meter._outside_now() for meter in list(_METERS) if self._may_lose_to(meter))
        used = max(0.0, cpu - self._cpu)
        delay = min(max(self._waited, others - self._others), self.asked - used / self._core_count)
        self.used += used
        self._outside += self._beyond_questions(used)
        self._cpu, self._others, self._waited, self.asked = cpu, others, 0.0, 0.0
        return max(0.0, delay)

    def _may_lose_to(self, other: Meter) -> bool:
        """Whether the other bot may be at the same table, and is not asked: a game is played in one thread."""
        return other is not self and not other.is_asked and other._player in (0, self._player)

    def _outside_now(self) -> float:
        """Processor time outside questions until now, in all games."""
        return self._outside + self._beyond_questions(self._process.cpu_seconds() - self._cpu)

    def _beyond_questions(self, used: float) -> float:
        """The part of the processor time used since the last `measure` that questions can't account for."""
        return max(0.0, used - self.asked * _ALL_CORES)
