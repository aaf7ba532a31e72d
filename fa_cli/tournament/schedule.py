"""Who plays whom, in which seats, with which deal: pure, made one job after another, the same for ever.

A round is one block of games for each setting; a block is one group of bots at one table, once for each turn of the
table, so that each bot of the group has had every seat. In a duplicate set all games of a block have one deal.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

import msgspec

from .config import Definition, Duplicate, Setting
from .groups import Group, Tally, balanced_groups


class Job(msgspec.Struct, frozen=True, array_like=True):
    """One game to be played."""

    index: int
    """Its place in the log, from 0."""
    number: int
    """What its deal follows from; the games of one duplicate set share it."""
    setting: int
    seats: tuple[int, ...]
    """A bot per seat, as places in the definition's list of bots."""
    lane: int
    """Which of a bot's processes plays it: those of one lane never see the same deal twice."""


def schedule(definition: Definition, start: int = 0) -> Iterator[Job]:
    """The jobs of a tournament in order, from the one of index `start` on."""
    index = 0
    duplicate = definition.duplicate is Duplicate.ROTATIONS
    for number, (setting, group) in enumerate(blocks(definition.settings)):
        turns = table_turns(number, group)
        for lane, seats in enumerate(turns[: definition.games - index]):
            if index >= start:
                yield Job(index, number if duplicate else index, setting, seats, lane if duplicate else 0)
            index += 1
        if index >= definition.games:
            return


def blocks(settings: Sequence[Setting]) -> Iterator[tuple[int, Group]]:
    """Setting and group of each block, without end: the settings take turns."""
    overall = Tally()
    streams = [balanced_groups(setting.bots, setting.players, overall) for setting in settings]
    for place, stream in itertools.cycle(enumerate(streams)):
        yield place, next(stream)


def table_turns(number: int, group: Group) -> list[tuple[int, ...]]:
    """The seatings of a block: one order of the group around the table, turned until everybody has had every seat.

    The order is another one in each block. A bot against itself has one seating, since turning changes nothing.
    """
    if len(set(group)) == 1:
        return [group]
    order = list(group)
    generator = random.Random(f"block {number}")
    while True:
        generator.shuffle(order)
        turns = [tuple(order[turn:] + order[:turn]) for turn in range(len(order))]
        if len(set(turns)) == len(turns):
            return turns
