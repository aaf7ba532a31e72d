"""What a bot uses of the processors, and which part of its time other programs took.

A question's time runs from the question to the answer. On a shared core some of it belongs to others: the bot could
run and did not get the core. That part is deducted, so that no bot pays for what another one does. Two sources say how
much it is: the time that the kernel counts for each thread that waits for a core, and the processor time of the other
bots at the table, for processes that have ended meanwhile and kernels that count no waiting. The deduction leaves at
least the bot's own processor time divided by the cores it may use: a bot that waits for its own threads pays for them.

The kernel counts nowhere what a process has used whose parent ignores its end. A bot could wait for a core that such
processes of its own have. So its waiting counts only between looks that find the same processes.
"""

from __future__ import annotations

from threading import get_native_id
from weakref import WeakSet

from ..system import cores
from . import procfs
from .limits import Limits
from .spawn import Process

LOOK_AFTER = 0.05
"""Seconds of questions after which a look is due: at four players it takes about 1 ms."""
_ALL_CORES = cores()
_METERS: WeakSet[Meter] = WeakSet()


class Meter:
    """The processor time of one bot's process and of all it started, in seconds. `close` must be called.

    `own_cores`: the number of cores that it may use.
    """

    def __init__(self, process: Process, limits: Limits, own_cores: int) -> None:
        self._process = process
        self._limits = limits
        self._own_cores = own_cores
        self.is_asked = False
        """Whether a question is with the bot; set by the caller."""
        self.asked = 0.0
        """How long its questions took since the last look; the caller adds to it."""
        self.used = 0.0
        """Processor time in this game, as of the last look."""
        self._outside = self._outside_before = 0.0
        self._cpu = self._others = self._waited = 0.0
        self._delays: dict[int, float] = {}
        self._processes: list[int] = []
        self._referee = _referee_delay()
        _METERS.add(self)

    @property
    def idle(self) -> float:
        """Processor time in this game outside questions, as of the last look."""
        return self._outside - self._outside_before

    def begin_game(self) -> None:
        """Count another game from here on."""
        self.used = 0.0
        self._outside_before = self._outside

    def close(self) -> None:
        """Other bots' clocks no longer look at this one."""
        _METERS.discard(self)

    def sample(self) -> float:
        """Note how long its threads have waited: an ended one leaves no trace of that. Returns `cpu_seconds`.

        Nothing counts between two samples that find other processes.

        To be called while the bot has not answered: what the referee waited for its core until then delayed nothing.
        """
        self._referee = _referee_delay()
        cpu, delays, processes = self._process.cpu_and_delays()
        if processes == self._processes:
            self._waited += sum(max(0.0, delay - self._delays.get(thread, 0.0)) for thread, delay in delays.items())
        self._delays, self._processes = delays, processes
        return cpu

    def look(self) -> float:
        """Count what was used since the last look. Returns how much of `asked` belongs to others, and clears it."""
        self._waited += max(0.0, _referee_delay() - self._referee)  # between the answer and its reading
        cpu = self.sample()
        others = sum(other._outside_now() for other in list(_METERS) if other is not self and not other.is_asked)
        used = max(0.0, cpu - self._cpu)
        lost = min(max(self._waited, others - self._others), self.asked - used / self._own_cores)
        self.used += used
        self._outside += self._beyond_questions(used)
        self._cpu, self._others, self._waited, self.asked = cpu, others, 0.0, 0.0
        return max(0.0, lost)

    def _outside_now(self) -> float:
        """Processor time outside questions, in all games until now."""
        return self._outside + self._beyond_questions(self._process.cpu_seconds() - self._cpu)

    def _beyond_questions(self, used: float) -> float:
        """The part of the processor time used since the last look that questions can't explain."""
        return max(0.0, used - self.asked * _ALL_CORES)


def _referee_delay() -> float:
    """Seconds that this thread was ready to run and had no core."""
    thread = get_native_id()
    return procfs.run_delays(thread).get(thread, 0.0)
