"""Whether an answer of a worker can be true: a worker may be broken, or lie.

Each game is compared with its job and replayed against the engine before it counts, which takes about a hundredth of
playing it. What the engine can't know is believed: which legal action a bot chose, how long it took, how it failed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import isfinite

import msgspec

from ...decoding import built
from ...errors import LogError
from ...match.referee import STDERR_KEPT
from ...replay.log_entry import LogEntry
from ...replay.packing.times import pack_times, unpack_symbols
from ...replay.verify import check
from ...tournament.definition import Definition
from ...tournament.proof.audit import describe_difference
from ...tournament.running.job_queue import JobResult, Task
from ...tournament.running.watchdog import NO_SEAT
from ..batch_messages import Answer, FalseAnswer

_LONGEST_TEXT = 10_000
"""Characters of an error, of a reason, or of what a fault was."""
_CLOCK_TOLERANCE = 1.5
"""Clocks of two machines differ: a game may seem to take this much longer than its batch, and a second more."""


class _FaultDetails(msgspec.Struct, forbid_unknown_fields=True):
    """What a record's `meta` says about a fault."""

    seat: int
    ply: int
    kind: str
    detail: str
    stderr: str | msgspec.UnsetType = msgspec.UNSET


class _Meta(msgspec.Struct, forbid_unknown_fields=True):
    """The `meta` of a game that a worker played."""

    tournament: object
    number: int
    asked: list[int] | msgspec.UnsetType = msgspec.UNSET
    time_us: list[int] | msgspec.UnsetType = msgspec.UNSET
    fault_details: list[_FaultDetails] | msgspec.UnsetType = msgspec.UNSET


def check_answer(
    answer: Answer, tasks: Mapping[int, Task], needed: Collection[int], definition: Definition, seconds: float
) -> None:
    """Raises FalseAnswer.

    `tasks`: those of the batch, by the index of their game. `needed`: the bots that it may report about. `seconds`:
    the time since the batch was sent.
    """
    for bot in (*answer.ready, *answer.missing, *answer.failed):
        if bot not in needed:
            raise FalseAnswer(f"it reports about bot {bot}, which it was not asked for")
    _check_text(answer.problem, *answer.failed.values())
    for index, seat in answer.stuck.items():
        if index not in tasks or not NO_SEAT <= seat < len(tasks[index].job.seats):
            raise FalseAnswer(f"it reports that seat {seat} of game {index + 1} is stuck, which it does not play")
    found = [result.index for result in answer.results] + list(answer.stuck)
    if len(set(found)) < len(found):
        raise FalseAnswer("it has a game twice")
    longest = _CLOCK_TOLERANCE * seconds + 1
    for result in answer.results:
        task = tasks.get(result.index)
        if task is None:
            raise FalseAnswer(f"it has game {result.index + 1}, which it was not given")
        if not 0 <= result.seconds <= longest:
            raise FalseAnswer(f"a game of {result.seconds:g} seconds in a batch of {seconds:.1f}")
        _check_result(result, task, definition, longest)


def _check_text(*texts: str) -> None:
    if any(len(text) > _LONGEST_TEXT for text in texts):
        raise FalseAnswer(f"a text of more than {_LONGEST_TEXT:,} characters")


def _check_result(result: JobResult, task: Task, definition: Definition, seconds: float) -> None:
    game = f"game {result.index + 1}"
    if not all(isfinite(time) and time >= 0 for time in result.core_times):
        raise FalseAnswer(f"{game}: core times {result.core_times}")
    if result.revoked or result.changed_bots or result.lost_seat >= 0:
        raise FalseAnswer(f"{game}: what a worker mends by itself: changed bots, a lost supervisor, a game given back")
    if result.suspended != task.suspended:
        raise FalseAnswer(f"{game}: other seats are suspended than in its task")
    _check_text(result.error, result.shortage)
    if result.entry is None:
        if not (result.error or result.shortage):
            raise FalseAnswer(f"{game}: neither a record nor a reason")
        return
    entry = result.entry
    if entry.index or entry.packed is None or entry.plain is not None:
        raise FalseAnswer(f"{game}: its record is not that of a whole game")
    if difference := describe_difference(entry, task.job, definition):
        raise FalseAnswer(f"{game}: {difference}")
    if finding := check(entry):
        raise FalseAnswer(f"{game}: {finding.text}")
    for seat, failure in task.absent_seats().items():
        if not any(fault.seat == seat and fault.ply == 0 and fault.kind is failure.kind for fault in entry.faults):
            raise FalseAnswer(f"{game}: seat {seat} played, though its bot was not to start")
    _check_meta(entry, definition, seconds)


def _check_meta(entry: LogEntry, definition: Definition, seconds: float) -> None:
    """Details of faults and times; `seconds` is the longest time of the game."""
    try:
        meta = msgspec.convert(entry.meta, built(_Meta))
    except msgspec.ValidationError as error:
        raise FalseAnswer(f"meta: {error}") from None
    details = meta.fault_details or []
    stated = [(each.seat, each.ply, each.kind) for each in details]
    if stated != [(fault.seat, fault.ply, fault.kind.value) for fault in entry.faults]:
        raise FalseAnswer("the details of faults are not those of its faults")
    _check_text(*(each.detail for each in details))
    if any(each.stderr and len(each.stderr) > STDERR_KEPT for each in details):
        raise FalseAnswer(f"more than {STDERR_KEPT} characters of stderr")
    has_times = bool(meta.asked or meta.time_us or entry.times)
    if has_times != definition.times:
        raise FalseAnswer("it has times" if has_times else "its times are missing")
    if has_times:
        _check_times(entry, meta.asked or [], meta.time_us or [], seconds)


def _check_times(entry: LogEntry, asked: Sequence[int], time_us: Sequence[int], seconds: float) -> None:
    seats = len(entry.players)
    if not len(asked) == len(time_us) == seats or min(*asked, *time_us) < 0:
        raise FalseAnswer("its times are not one for each seat")
    if sum(asked) > entry.decisions or sum(time_us) > seconds * 1e6:
        raise FalseAnswer(f"{sum(asked)} decisions in {sum(time_us) / 1e6:.1f} seconds, which is more than it had")
    try:
        packed = pack_times([*asked], [*time_us], unpack_symbols(entry.times or b"", seats, entry.decisions))
    except LogError as error:
        raise FalseAnswer(f"its times can't be read: {error}") from None
    if packed != entry.times:
        raise FalseAnswer("its times are not packed as they should be")
