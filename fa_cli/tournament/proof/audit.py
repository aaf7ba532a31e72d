"""Compares a log with the schedule of its tournament: each game must be the scheduled one, and none may be missing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from ...errors import LogError
from ...leaderboard.labels import bots_of
from ...printing.text import counted
from ...replay.log_entry import LogEntry
from ...replay.log_file import scan_log
from ...replay.packing.meta import tournament_of
from ...replay.verify import Finding
from ..definition import Definition
from ..schedule import Job, Schedule

_WINDOW = 256
"""A game that is not the scheduled one is looked for among this many games before and after it."""


def describe_difference(entry: LogEntry, job: Job, definition: Definition) -> str:
    """The first difference between a game in a log and the scheduled one, in words; empty if there is none.

    It tells no seed, which may be a secret until the last game.
    """
    if difference := _other_tournament(entry, definition):
        return difference
    setting = definition.settings[job.setting]
    bots = [definition.bots[bot].name for bot in job.seats]
    pairs = (
        ("game", setting.game, entry.game),
        ("options", setting.options, entry.options),
        ("bots", bots, bots_of(entry.players)),
        ("number", job.number, entry.number),
    )
    for part, expected, found in pairs:
        if expected != found:
            return f"{part}: expected {_json(expected)}, found {_json(found)}"
    return "" if entry.seed == definition.deal_seed.of_game(job.number).hex() else "seed: it is not that of its number"


def check_is_own(definition: Definition, log: Path) -> None:
    """Raises LogError if a log, which need not exist, begins with a game of another tournament."""
    first = next((item for item in scan_log(log) if isinstance(item, LogEntry)), None) if log.exists() else None
    if first and (difference := _other_tournament(first, definition)):
        raise LogError(f"{log}: it is not the log of {definition.name}: {difference}")


def _other_tournament(entry: LogEntry, definition: Definition) -> str:
    """How the tournament that a game names differs from this one; empty if it does not."""
    expected, found = definition.source(), tournament_of(entry.meta) or {}
    if expected == found:
        return ""
    told = [_json({name: value for name, value in source.items() if name != "seed"}) for source in (expected, found)]
    return f"tournament: expected {told[0]}, found {told[1]}{'' if told[0] != told[1] else ' with another seed'}"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def audit(definition: Definition, log: Path, report: Callable[[Finding], None]) -> Schedule:
    """Compare a log with the schedule; `report` gets a finding for every game that is not the scheduled one.

    Returns the schedule after the games of the log. Findings of `verify_file` are not repeated: damage, and games that
    break the rules. Raises LogError if the file is not a log.
    """
    return _Audit(definition, report).run(scan_log(log) if log.exists() else iter(()))


class _Audit:
    """The state of one comparison."""

    def __init__(self, definition: Definition, report: Callable[[Finding], None]) -> None:
        self._definition = definition
        self._report = report
        self._schedule = Schedule(definition)
        self._scheduled: deque[Job] = deque()  # taken from the schedule, and not compared yet
        self._compared: deque[Job] = deque(maxlen=_WINDOW)
        self._skipped: list[Job] = []  # missing before a game that comes too early
        # only a schedule that does not depend on results is known after a part of them is lost
        self._is_fixed = not definition.format_spec.uses_results and definition.stopping_rule is None

    def run(self, items: Iterator[object]) -> Schedule:
        """Compare a whole log; items other than entries stand for damage."""
        is_damaged = False
        entry = None
        for item in items:
            if not isinstance(item, LogEntry):
                is_damaged = True
                continue
            if entry is not None and not self._compare(entry, item):
                return self._schedule
            if is_damaged and not self._skip_to(item):
                return self._schedule
            entry, is_damaged = item, False
        if entry is not None:
            self._compare(entry, None)
        return self._schedule

    def _job(self, ahead: int) -> Job | None:
        """The scheduled game, or the one `ahead` games later; None if it is not known or there is none."""
        while len(self._scheduled) <= ahead:
            job = self._schedule.next_job()
            if job is None:
                return None
            self._scheduled.append(job)
        return self._scheduled[ahead]

    def _skip_to(self, entry: LogEntry) -> bool:
        """Skip the games lost to damage before `entry`; returns whether the comparison can continue."""
        if not self._is_fixed:
            self._add_finding(entry, "what was to be played from here on follows from results that are lost")
            return False
        while (job := self._job(0)) and job.index < entry.index:
            self._finish(job, [1] * len(job.seats))
        return True

    def _compare(self, entry: LogEntry, following: LogEntry | None) -> bool:
        """Compare one game; returns whether the comparison can continue."""
        job = self._job(0)
        if job is not None:
            difference = describe_difference(entry, job, self._definition)
            if not difference:
                self._finish(job, entry.result.ranks, {fault.seat for fault in entry.faults})
                return True
        elif self._schedule.is_over:
            self._add_finding(entry, f"the tournament has only {counted(self._schedule.known_results, 'game')}")
            return False
        else:
            difference = "the results before it are not those that it follows from"
        return self._handle_misplaced(entry, following, job, difference)

    def _handle_misplaced(self, entry: LogEntry, following: LogEntry | None, job: Job | None, difference: str) -> bool:
        """Report a game that is not the scheduled one; returns whether the comparison can continue."""
        number = self._schedule.known_results + 1
        earlier = next((job for job in [*self._compared, *self._skipped] if self._matches(entry, job)), None)
        later = next((job for job in self._later_jobs() if self._matches(entry, job)), None)
        if later is not None:
            missing = f"game {number}" if later.index == number else f"games {number} to {later.index}"
            self._add_finding(entry, f"it is game {later.index + 1}, and {missing} should come before it")
        elif earlier is not None:
            self._add_finding(
                entry, f"it is game {earlier.index + 1} and does not belong here, where game {number} should be"
            )
        else:
            self._add_finding(entry, f"it is not game {number} of the tournament: {difference}")
        if not self._is_fixed or job is None:
            self._add_finding(entry, "what was to be played from here on follows from results that can't be relied on")
            return False
        if later is not None:
            while (missing_job := self._job(0)) and missing_job.index < later.index:
                self._finish(missing_job, [1] * len(missing_job.seats))
                self._skipped.append(missing_job)
            self._finish(later, entry.result.ranks)
        elif earlier is None and (following is None or not self._matches(following, job)):
            self._finish(job, entry.result.ranks)  # a different game in place of the scheduled one
        return True

    def _later_jobs(self) -> Iterator[Job]:
        for ahead in range(1, _WINDOW):
            job = self._job(ahead)
            if job is None:
                return
            yield job

    def _matches(self, entry: LogEntry, job: Job) -> bool:
        return not describe_difference(entry, job, self._definition)

    def _finish(self, job: Job, ranks: list[int], faulted: set[int] | None = None) -> None:
        """Go on to the next scheduled game, with this result of `job`."""
        self._scheduled.popleft()
        self._compared.append(job)
        self._schedule.report_result(ranks, faulted or set())

    def _add_finding(self, entry: LogEntry, text: str) -> None:
        self._report(Finding(entry.index, text))
