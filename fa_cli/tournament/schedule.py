"""The schedule of a tournament: who plays whom, in which seats, with which deal, as a sequence of jobs.

A format generates *blocks*: one group of bots at one table. A block is played in several seatings: all rotations, so
that each bot of the group has every seat, or all permutations. In a duplicate set all games of a block share one deal.

Formats that use results get them in the order of the games, and look only at a fixed number of whole blocks. So the
schedule depends on the definition and the results alone, not on the number of workers or on stops of the run.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import msgspec

from ..stats.stopping import StoppingTracker
from ..stats.stopping_results import (
    EvidenceRow,
    RankedResult,
    SequentialResult,
    evidence_rows,
    nearest_decision,
    pair_result,
    result_of,
)
from .changes import current_versions
from .definition import Definition
from .formats.block import GameOutcome, ResultFeed
from .pairing.pair_counts import Group
from .pairing.seating import SeatCounts, seatings
from .request import Duplicate

KEPT_PROCESSES = 6
"""Process slots whose bot processes are kept for the next block. Further seatings of a block are played by new
processes, which end after their game: 24 slots of four bots each would be too many to keep."""
NEW_PROCESS = -1
"""The process slot of games that are played by new processes."""


class Job(msgspec.Struct, frozen=True, array_like=True):
    """One game to be played."""

    index: int
    """The position of the game in the log, from 0."""
    number: int
    """The number of the deal; the games of one duplicate set share it."""
    setting: int
    """An index in the definition's list of settings."""
    seats: tuple[int, ...]
    """A bot per seat, as indexes in the definition's list of bots."""
    process_slot: int
    """The slot of the processes that play it, which never see a deal twice; `NEW_PROCESS` for new ones."""


class _PendingJob(NamedTuple):
    """A job whose result is not known yet."""

    job: Job
    block: int
    group: Group
    """The bots as the format knows them, seat by seat; `job.seats` may have later versions of them."""


class Schedule:
    """Generates the jobs of a tournament and receives their results, both in the order of the games."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.results = ResultFeed(keep_outcomes=definition.format_spec.uses_results)
        self.seat_counts = SeatCounts()
        """The seats of the games whose results are known."""
        self.tournament = definition.for_format(self.results)
        """What the format reads."""
        self._jobs = self._generate_jobs()
        self._peeked: _PendingJob | None = None
        self._exhausted = False
        self._pending: deque[_PendingJob] = deque()
        rule = definition.stopping_rule
        self.stopping = StoppingTracker(rule, len(definition.bots)) if rule else None
        self._games_in_block = 0  # games of the current block that the stopping rule has counted

    @property
    def games(self) -> int:
        """The number of games as known now; a format may add some."""
        return self.definition.games + self.results.extra_games

    @property
    def known_results(self) -> int:
        """The number of games whose results are known."""
        return self.results.known

    def next_job(self) -> Job | None:
        """Take the next job; None if more results are needed first, or if there are no more jobs."""
        job = None if self.is_decided else self.peek_job()
        if job and self._peeked:
            self._pending.append(self._peeked)
            self._peeked = None
        return job

    def report_result(self, ranks: Sequence[int], faulted: Collection[int]) -> None:
        """Report the result of the oldest job without one: ranks per seat, and the seats with a fault."""
        pending = self._pending.popleft()
        self.seat_counts.add(pending.job.seats)
        self.results.add(GameOutcome(pending.block, pending.group, pending.job.seats, tuple(ranks), frozenset(faulted)))
        if self.stopping:
            self.stopping.add(pending.job.seats, ranks, faulted)
            self._update_stopping(self.stopping, pending)

    def _update_stopping(self, tracker: StoppingTracker, finished: _PendingJob) -> None:
        self._games_in_block += 1
        if not self._pending:
            self.peek_job()
        following = self._pending[0] if self._pending else self._peeked
        if following is None or following.block != finished.block:
            duplicate = self.definition.duplicate_of(self.definition.settings[finished.job.setting])
            all_seatings = seatings(duplicate, finished.block, finished.group, self.definition.secret)
            tracker.end_block(is_whole=self._games_in_block == sum(1 for _ in all_seatings))
            self._games_in_block = 0

    @property
    def is_decided(self) -> bool:
        """Whether the stopping rule has ended the tournament; jobs already taken are not needed any more."""
        return self.stopping is not None and self.stopping.is_decided

    @property
    def sequential_result(self) -> SequentialResult | RankedResult | None:
        """What the stopping rule has decided; None without one."""
        return result_of(self.stopping, [bot.name for bot in self.definition.bots]) if self.stopping else None

    def pair_results(self, left: Collection[str], right: Collection[str]) -> list[SequentialResult]:
        """What the stopping rule has decided of pairs with one of the `left` bots and one of the `right` ones."""
        if not self.stopping:
            return []
        names = [bot.name for bot in self.definition.bots]
        pairs = self.stopping.rule.pairs(len(names))
        found = (pair for pair in pairs if any(names[a] in left and names[b] in right for a, b in (pair, pair[::-1])))
        return [pair_result(self.stopping, pair, names) for pair in found]

    @property
    def evidence(self) -> list[EvidenceRow]:
        """The evidence of the stopping rule's tests; none without a rule."""
        return evidence_rows(self.stopping, [bot.name for bot in self.definition.bots]) if self.stopping else []

    @property
    def evidence_text(self) -> str:
        """How near the test of two bots is to a decision; empty without one, or if there are more."""
        tracker = self.stopping
        if tracker is None or tracker.rule.first is None or not tracker.blocks:
            return ""
        return nearest_decision(self.evidence, tracker.rule)

    @property
    def verdict_text(self) -> str:
        """What the stopping rule has decided, in words; empty without one."""
        rule, result = self.definition.stopping_rule, self.sequential_result
        return result.describe(rule.errors.margin) if rule and result else ""

    @property
    def is_over(self) -> bool:
        """Whether all results are known, or the stopping rule needs no more of them."""
        if self.is_decided:
            return True
        return not self._pending and self.peek_job() is None and self._exhausted

    def peek_job(self) -> Job | None:
        """The job that `next_job` would return, without taking it."""
        if self._peeked is None and not self._exhausted:
            try:
                self._peeked = next(self._jobs)
            except StopIteration:
                self._exhausted = True
        return self._peeked.job if self._peeked else None

    def _generate_jobs(self) -> Iterator[_PendingJob | None]:
        """All jobs; None while the format waits for more results."""
        definition, results = self.definition, self.results
        end = None if definition.format_spec.fixes_game_count else definition.games
        number = index = 0
        for block in definition.format_spec.blocks(self.tournament):
            if block is None:
                yield None
                continue
            duplicate = definition.duplicate_of(definition.settings[block.setting])
            for slot, seats in enumerate(seatings(duplicate, number, block.group, definition.secret)):
                bots = current_versions(definition.changes, seats, index)
                if index == end or bots is None:
                    break  # the last game is scheduled, or one of the bots has retired
                yield _PendingJob(_make_job(definition, index, number, block.setting, bots, slot), number, seats)
                index += 1
            number += 1
            results.end_block(index)
            if index == end:
                return


def _make_job(definition: Definition, index: int, number: int, setting: int, seats: tuple[int, ...], slot: int) -> Job:
    if definition.duplicate_of(definition.settings[setting]) is Duplicate.OFF:
        number, slot = index, 0
    elif definition.numbers_by_index:
        number = index - slot
    kept = slot < KEPT_PROCESSES and not definition.anonymous  # a process could recognise opponents by their play
    return Job(index, number, setting, seats, slot if kept else NEW_PROCESS)
