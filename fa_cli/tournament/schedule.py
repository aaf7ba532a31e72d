"""Who plays whom, in which seats, with which deal: made one job after another, and always the same.

A format gives *blocks*: one group of bots at one table. A block is played in several seatings: once for each turn of
the table, so that each bot of the group has had every seat, or in every order there is. In a duplicate set all games
of a block have one deal.

Some formats need results to go on. They are told them in the order of the games, and look only at those of a number
of whole blocks that they themselves fix; so the schedule follows from the definition and the results alone, whatever
is played at the same time and however often a run was stopped.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

import msgspec

from ..stats.stopping import SequentialResult, StoppingTracker, sequential_result
from .definition import Change, Definition
from .format_specs import Gauntlet, Knockout, Ladder, RoundRobin, Swiss
from .formats.block import Blocks, GameOutcome, ResultFeed
from .formats.gauntlet import gauntlet
from .formats.knockout import knockout
from .formats.ladder import ladder
from .formats.round_robin import round_robin
from .formats.swiss import swiss
from .options import Duplicate
from .pairing.pair_counts import Group
from .pairing.seating import SeatCounts, seatings

KEPT_PROCESSES = 6
"""Lanes whose processes are kept for the next block. Seatings beyond them are played by processes of their own, which
end after it: 24 lanes of four bots each would be too many to keep."""
NEW_PROCESS = -1
"""The lane of those."""

FORMATS: dict[type, Callable[[Definition, ResultFeed], Blocks]] = {
    RoundRobin: round_robin,
    Gauntlet: gauntlet,
    Swiss: swiss,
    Knockout: knockout,
    Ladder: ladder,
}


class Job(msgspec.Struct, frozen=True, array_like=True):
    """One game to be played."""

    index: int
    """Its place in the log, from 0."""
    number: int
    """What its deal follows from; the games of one duplicate set share it."""
    setting: int
    seats: tuple[int, ...]
    """A bot per seat, as places in the definition's list of bots."""
    process_slot: int
    """Which of a bot's processes plays it: those of one lane never see the same deal twice. FRESH: new ones."""


class _PendingJob(NamedTuple):
    """A job whose result is not known yet."""

    job: Job
    block: int
    group: Group
    """Who sits there by the format's reckoning, seat by seat: a bot that was updated since stands in for it."""


class Schedule:
    """A tournament as it goes on: it gives jobs and is told results, both in the order of the games."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.results = ResultFeed(listens=definition.format_spec.listens)
        self.seats = SeatCounts()
        """Counted over the games whose results are known."""
        self._jobs = self._generate()
        self._ahead: _PendingJob | None = None
        self._exhausted = False
        self._pending: deque[_PendingJob] = deque()
        self.stopping = StoppingTracker(definition.stopping_rule) if definition.stopping_rule else None
        self._in_block = 0  # games of the block under way that were judged

    @property
    def games(self) -> int:
        """How many there are to be, as far as is known: a knockout's level tables play some more."""
        return self.definition.games + self.results.extra

    @property
    def known_results(self) -> int:
        """Games whose results are known."""
        return self.results.known

    def next(self) -> Job | None:
        """The next job; None if there is none before more results are told, or none at all."""
        job = None if self.is_decided else self.peek()
        if job and self._ahead:
            self._pending.append(self._ahead)
            self._ahead = None
        return job

    def report_result(self, ranks: Sequence[int], faulted: Collection[int]) -> None:
        """The result of the first job of those given whose result was not told."""
        given = self._pending.popleft()
        self.seats.add(given.job.seats)
        self.results.add(GameOutcome(given.block, given.group, given.job.seats, tuple(ranks), frozenset(faulted)))
        if self.stopping:
            self._update_stopping(self.stopping, given, ranks)

    def _update_stopping(self, judge: StoppingTracker, given: _PendingJob, ranks: Sequence[int]) -> None:
        judge.add(given.job.seats, ranks)
        self._in_block += 1
        if not self._pending:
            self.peek()
        after = self._pending[0] if self._pending else self._ahead
        if after is None or after.block != given.block:
            seats = seatings(self.definition.duplicate, given.block, given.group, self.definition.secret)
            judge.end_block(is_whole=self._in_block == sum(1 for _ in seats))
            self._in_block = 0

    @property
    def is_decided(self) -> bool:
        """Whether the question that the tournament is about has its answer; jobs given beyond are not needed."""
        return self.stopping is not None and self.stopping.is_decided

    @property
    def sequential_result(self) -> SequentialResult | None:
        """What is known of the two bots that the tournament compares; None if it compares none."""
        until, bots = self.definition.stopping_rule, self.definition.bots
        return (
            sequential_result(until, self.stopping.test, [bot.name for bot in bots])
            if until and self.stopping
            else None
        )

    @property
    def is_over(self) -> bool:
        """Whether all results of all games are known, or as many as are needed."""
        if self.is_decided:
            return True
        return not self._pending and self.peek() is None and self._exhausted

    def peek(self) -> Job | None:
        """The next job, which stays the next."""
        if self._ahead is None and not self._exhausted:
            try:
                self._ahead = next(self._jobs)
            except StopIteration:
                self._exhausted = True
        return self._ahead.job if self._ahead else None

    def _generate(self) -> Iterator[_PendingJob | None]:
        definition, results = self.definition, self.results
        most = None if definition.format_spec.counts_itself else definition.games
        number = index = 0
        for block in FORMATS[type(definition.format_spec)](definition, results):
            if block is None:
                yield None
                continue
            for lane, seats in enumerate(seatings(definition.duplicate, number, block.group, definition.secret)):
                bots = current_versions(definition.changes, seats, index)
                if index == most or bots is None:
                    break  # the games are over, or one of the bots has retired
                yield _PendingJob(_job(definition, index, number, block.setting, bots, lane), number, seats)
                index += 1
            number += 1
            results.block_ends(index)
            if index == most:
                return


def _job(definition: Definition, index: int, number: int, setting: int, seats: tuple[int, ...], lane: int) -> Job:
    if definition.duplicate is Duplicate.OFF:
        number, lane = index, 0
    kept = lane < KEPT_PROCESSES and not definition.anonymous  # what a process remembers of others would be a name
    return Job(index, number, setting, seats, lane if kept else NEW_PROCESS)


def current_versions(changes: Sequence[Change], seats: tuple[int, ...], index: int) -> tuple[int, ...] | None:
    """Who plays game `index` for these: the bots themselves or later versions of them; None if one has retired."""
    for change in changes:
        if change.at <= index and change.left in seats:
            joined = change.joined
            if joined is None:
                return None
            seats = tuple(joined if bot == change.left else bot for bot in seats)
    return seats
