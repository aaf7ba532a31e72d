"""What formats are made of: blocks of games out, results in."""

from __future__ import annotations

import itertools
import random
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from ..definition import Definition
from ..format_specs import Gauntlet, RoundRobin
from ..pairing.balanced_groups import BalancedGroups
from ..pairing.pair_counts import Group
from ..pairing.repeated_bots import AppearanceCounts, groups_with_repeats
from ..pairing.seating import block_size


class Block(NamedTuple):
    """One group of bots at one table, which plays in several seatings."""

    setting: int
    group: Group


class GameOutcome(NamedTuple):
    """One game's result."""

    block: int
    """Which of the format's blocks it was in, from 0."""
    group: Group
    """Who sat there by the format's reckoning, seat by seat."""
    bots: tuple[int, ...]
    """Who really did: a bot that was updated has a later version stand in for it."""
    ranks: tuple[int, ...]
    faulted: frozenset[int]
    """Seats with a fault."""


Blocks = Iterator[Block | None]
"""What a format gives: blocks, and None for "not before more results are known"."""


class Placing(Protocol):
    """What a format that has places of its own knows of them."""

    def places(self) -> dict[int, int]:
        """The place of each bot that has one by now, from 1."""


class ResultFeed:
    """What a format may know of the games so far. Nothing is kept that nobody listens to, or that was taken."""

    def __init__(self, listens: bool = True) -> None:
        self.known = 0
        """Games whose results are known."""
        self.extra = 0
        """Games beyond those that were planned; the format counts them."""
        self.next_index = 0
        """The first game of the next block."""
        self.placing: Placing | None = None
        """Set by a format that has places of its own."""
        self._listens = listens
        self._outcomes: deque[GameOutcome] = deque()
        self._ends: deque[int] = deque()  # of the blocks not taken: one more than the index of the last game
        self._taken = 0  # blocks

    def add(self, outcome: GameOutcome) -> None:
        """The next game's result."""
        self.known += 1
        if self._listens:
            self._outcomes.append(outcome)

    def block_ends(self, index: int) -> None:
        """The block under way has no games from this index on."""
        self.next_index = index
        if self._listens:
            self._ends.append(index)

    def has_results_of(self, blocks: int) -> bool:
        """Whether all results of the first so many blocks are known."""
        ahead = blocks - self._taken
        return ahead <= 0 or (ahead <= len(self._ends) and self._ends[ahead - 1] <= self.known)

    def take(self, blocks: int) -> Iterator[GameOutcome]:
        """The results of the first so many blocks that were not taken before; they must be known."""
        while self._taken < blocks:
            self._ends.popleft()
            self._taken += 1
        while self._outcomes and self._outcomes[0].block < blocks:
            yield self._outcomes.popleft()


class GroupDraw(NamedTuple):
    """What is drawn for a setting: groups of so many of these bots, each for so many blocks."""

    bots: tuple[int, ...]
    """Rising."""
    size: int
    blocks: int = 1


def draw_groups(definition: Definition, draws: Sequence[GroupDraw]) -> Iterator[tuple[int, Group]]:
    """The settings in turn, without end, each with a group of what is drawn for it.

    All is even where the tournament ends, or was once to end. Settings that draw alike are evened out together.
    """
    overall = AppearanceCounts()
    streams: list[Iterator[Group]] = []
    shared: dict[GroupDraw, Iterator[Group]] = {}
    for draw in draws:
        if len(draw.bots) < draw.size:  # with the same bot twice at a table
            streams.append(groups_with_repeats(draw.bots, draw.size, overall, definition.secret))
            continue
        if draw not in shared:
            shared[draw] = _even_groups(definition, draws, draw)
        streams.append(shared[draw])
    for place, stream in itertools.cycle(enumerate(streams)):
        yield place, next(stream)


def _even_groups(definition: Definition, draws: Sequence[GroupDraw], draw: GroupDraw) -> Iterator[Group]:
    """The groups of all settings that draw so, in turn."""
    assert isinstance(definition.format_spec, RoundRobin | Gauntlet)
    sizes = [block_size(definition.duplicate, setting) for setting in definition.settings]
    ends = [
        end for games in (*definition.format_spec.ends, definition.games) for end in _groups(sizes, draws, draw, games)
    ]
    bots = list(draw.bots)
    if definition.secret:  # where there are few groups their order is always the same
        bots = random.Random(definition.secret).sample(bots, len(bots))
    groups = BalancedGroups(len(bots), draw.size, draws.count(draw), ends, definition.secret)
    return (tuple(sorted(bots[place] for place in group)) for group in groups)


def _groups(sizes: Sequence[int], draws: Sequence[GroupDraw], draw: GroupDraw, games: int) -> list[int]:
    """Of the groups that so many games take, how many are of this draw; a block that is cut counts.

    Where the last group has some of its blocks only, also how many there are without it.
    """
    whole, left = divmod(games, sum(size * its.blocks for size, its in zip(sizes, draws, strict=True)))
    groups = whole * draws.count(draw)
    for size, its in zip(sizes, draws, strict=True):
        blocks = min(-(-left // size), its.blocks)
        left = max(0, left - size * its.blocks)
        if its == draw and blocks:
            groups += 1
            if blocks < its.blocks:
                return [groups - 1, groups]
    return [groups]
