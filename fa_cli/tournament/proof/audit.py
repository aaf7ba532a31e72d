"""Whether a log is that of its tournament: each game the one that the schedule has in its place, and all there."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from ...leaderboard.labels import bots_of
from ...replay.log_entry import LogEntry
from ...replay.log_file import scan_log
from ...replay.verify import Finding
from ..definition import Definition
from ..schedule import Job, Schedule

_WINDOW = 256
"""Games before and after the one that is due in which one that stands out of its place is looked for."""


def describe_difference(entry: LogEntry, job: Job, definition: Definition) -> str:
    """What tells a game in a log from the one that was to be played; empty if it is that one."""
    setting = definition.settings[job.setting]
    bots = [definition.bots[bot].name for bot in job.seats]
    pairs = (
        ("tournament", definition.source(), entry.meta.get("tournament")),
        ("game", setting.game, entry.game),
        ("options", setting.options, entry.options),
        ("bots", bots, bots_of(entry.players)),
        ("number", job.number, entry.number),
        ("seed", definition.seed.of_game(job.number).hex(), entry.seed),
    )
    return next((f"{what}: expected {due}, found {found}" for what, due, found in pairs if due != found), "")


def audit(definition: Definition, log: Path, tell: Callable[[Finding], None]) -> Schedule:
    """Compare a log with the schedule; every game that is not the one due goes to `tell`, in the order of the log.

    Returns the tournament as far as its log goes. What verify_file finds is not told again: damage, and games that were
    not played by the rules. Raises LogError for a file that is no log.
    """
    return _Audit(definition, tell).run(scan_log(log) if log.exists() else iter(()))


class _Audit:
    """How far the log was compared."""

    def __init__(self, definition: Definition, tell: Callable[[Finding], None]) -> None:
        self._definition = definition
        self._tell = tell
        self._course = Schedule(definition)
        self._due: deque[Job] = deque()  # given by the course, and not met yet
        self._met: deque[Job] = deque(maxlen=_WINDOW)
        self._passed: list[Job] = []  # were due before a game that was met
        # who plays whom need not follow from results: then it can be said even where some are lost
        self._is_fixed = not definition.format_spec.listens and definition.stopping_rule is None

    def run(self, found: Iterator[object]) -> Schedule:
        """Compare all of it."""
        is_whole = True
        entry = None
        for following in found:
            if not isinstance(following, LogEntry):
                is_whole = False
                continue
            if entry is not None and not self._compare(entry, following):
                return self._course
            if not is_whole and not self._skip_to(following):
                return self._course
            entry, is_whole = following, True
        if entry is not None:
            self._compare(entry, None)
        return self._course

    def _job(self, ahead: int) -> Job | None:
        """The game that is due after so many others."""
        while len(self._due) <= ahead:
            job = self._course.next()
            if job is None:
                return None
            self._due.append(job)
        return self._due[ahead]

    def _skip_to(self, entry: LogEntry) -> bool:
        """Pass over games that damage took; whether there is anything to compare after it."""
        if not self._is_fixed:
            self._say(entry, "what was to be played from here on follows from results that are lost")
            return False
        while (job := self._job(0)) and job.index < entry.index:
            self._take(job, [1] * len(job.seats))
        return True

    def _compare(self, entry: LogEntry, following: LogEntry | None) -> bool:
        """Whether there is anything to compare after this one."""
        job = self._job(0)
        if job is not None:
            wrong = describe_difference(entry, job, self._definition)
            if not wrong:
                self._take(job, entry.result.ranks, {fault.seat for fault in entry.faults})
                return True
        elif self._course.is_over:
            self._say(entry, f"the tournament has only {self._course.known_results} games")
            return False
        else:
            wrong = "the results before it are not those that it follows from"
        return self._misplaced(entry, following, job, wrong)

    def _misplaced(self, entry: LogEntry, following: LogEntry | None, job: Job | None, wrong: str) -> bool:
        """Say what stands here instead of the game that is due."""
        place = self._course.known_results + 1
        earlier = next((met for met in [*self._met, *self._passed] if self._is(entry, met)), None)
        later = next((ahead for ahead in self._ahead() if self._is(entry, ahead)), None)
        if later is not None:
            which = f"game {place}" if later.index == place else f"games {place} to {later.index}"
            self._say(entry, f"it is game {later.index + 1}, and {which} should come before it")
        elif earlier is not None:
            self._say(entry, f"it is game {earlier.index + 1} and does not belong here, where game {place} should be")
        else:
            self._say(entry, f"it is not game {place} of the tournament: {wrong}")
        if not self._is_fixed or job is None:
            self._say(entry, "what was to be played from here on follows from results that can't be relied on")
            return False
        if later is not None:
            while (passed := self._job(0)) and passed.index < later.index:
                self._take(passed, [1] * len(passed.seats))
                self._passed.append(passed)
            self._take(later, entry.result.ranks)
        elif earlier is None and (following is None or not self._is(following, job)):
            self._take(job, entry.result.ranks)  # it stands in place of the game that is due
        return True

    def _ahead(self) -> Iterator[Job]:
        for ahead in range(1, _WINDOW):
            job = self._job(ahead)
            if job is None:
                return
            yield job

    def _is(self, entry: LogEntry, job: Job) -> bool:
        return not describe_difference(entry, job, self._definition)

    def _take(self, job: Job, ranks: list[int], faulted: set[int] | None = None) -> None:
        """The game that is due has been met, or passed over."""
        self._due.popleft()
        self._met.append(job)
        self._course.report_result(ranks, faulted or set())

    def _say(self, entry: LogEntry, text: str) -> None:
        self._tell(Finding(entry.index, text))
