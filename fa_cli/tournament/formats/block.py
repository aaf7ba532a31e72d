"""Blocks, results and draws of groups: what all formats are built from. Blocks go out, results come in."""

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
    """A group of bots at one table, which plays one or more seatings."""

    setting: int
    """An index in the definition's list of settings."""
    group: Group


class GameOutcome(NamedTuple):
    """The result of one game, all tuples in the order of seats."""

    block: int
    """The number of the block, from 0."""
    group: Group
    """The bots as the format knows them."""
    bots: tuple[int, ...]
    """The bots that played: the same, or later versions of them."""
    ranks: tuple[int, ...]
    faulted: frozenset[int]
    """The seats with a fault."""


Blocks = Iterator[Block | None]
"""What a format generates: blocks, or None if it needs more results first."""


class Placed(NamedTuple):
    """A bot's place, and what it follows from."""

    place: int
    """From 1; bots that are level share it."""
    score: float | None = None
    """In a swiss: the share of its possible points."""
    opposition: float | None = None
    """In a swiss: the mean score of its opponents, which breaks ties."""
    eliminated_in: int | None = None
    """In a knockout: the round after which it was out, from 1; None for the winner, and while it plays."""


class TableResult(NamedTuple):
    """The result of one table of a round."""

    points: dict[int, int]
    """By bot, the best first: 2 for each rival that it ranked ahead of in a game, 1 for a tie. All 0 before games."""
    advancing: int
    """The number of bots that advance, or would if the round ended now."""
    by_seed: bool
    """Whether points are equal and the better seed advances."""


class RoundResult(NamedTuple):
    """The tables of one round."""

    tables: list[TableResult]
    byes: list[int]
    """The bots that advance without a table."""
    is_final: bool


class Placing(Protocol):
    """The places that a format itself gives to bots."""

    def places(self) -> dict[int, Placed]:
        """The place of each bot that has one already."""

    def round_results(self) -> list[RoundResult]:
        """The rounds so far, where a format advances bots from round to round."""


class ResultFeed:
    """The results that a format may use. Each outcome is kept until it is taken, or not at all."""

    def __init__(self, keep_outcomes: bool = True) -> None:
        self.known = 0
        """The number of games whose results are known."""
        self.extra_games = 0
        """Games beyond those planned; the format counts them."""
        self.next_index = 0
        """The index of the first game of the next block."""
        self.placing: Placing | None = None
        """Set by a format that gives places itself."""
        self._keep_outcomes = keep_outcomes
        self._outcomes: deque[GameOutcome] = deque()
        self._ends: deque[int] = deque()  # per block that is not taken: the index after its last game
        self._taken_blocks = 0

    def add(self, outcome: GameOutcome) -> None:
        """Add the result of the next game."""
        self.known += 1
        if self._keep_outcomes:
            self._outcomes.append(outcome)

    def end_block(self, index: int) -> None:
        """End the current block before the game with this index."""
        self.next_index = index
        if self._keep_outcomes:
            self._ends.append(index)

    def has_results_of(self, blocks: int) -> bool:
        """Whether all results of the first `blocks` blocks are known."""
        untaken = blocks - self._taken_blocks
        return untaken <= 0 or (untaken <= len(self._ends) and self._ends[untaken - 1] <= self.known)

    def take(self, blocks: int) -> Iterator[GameOutcome]:
        """Take the outcomes of the first `blocks` blocks, except those taken before; all must be known."""
        while self._taken_blocks < blocks:
            self._ends.popleft()
            self._taken_blocks += 1
        while self._outcomes and self._outcomes[0].block < blocks:
            yield self._outcomes.popleft()


class GroupDraw(NamedTuple):
    """How groups are drawn for a setting: from which bots, of which size, and how many blocks each group plays."""

    bots: tuple[int, ...]
    """In increasing order."""
    size: int
    blocks: int = 1


def draw_groups(definition: Definition, draws: Sequence[GroupDraw]) -> Iterator[tuple[int, Group]]:
    """Endless groups for the settings in turn, each with the index of its setting; `draws` has one draw per setting.

    Counts are balanced at the planned end, and at earlier planned ends. Settings with the same draw share a balance.
    """
    overall = AppearanceCounts()
    streams: list[Iterator[Group]] = []
    shared: dict[GroupDraw, Iterator[Group]] = {}
    for draw in draws:
        if len(draw.bots) < draw.size:  # some bots sit at the table twice
            streams.append(groups_with_repeats(draw.bots, draw.size, overall, definition.secret))
            continue
        if draw not in shared:
            shared[draw] = _balanced_groups(definition, draws, draw)
        streams.append(shared[draw])
    for setting, stream in itertools.cycle(enumerate(streams)):
        yield setting, next(stream)


def _balanced_groups(definition: Definition, draws: Sequence[GroupDraw], draw: GroupDraw) -> Iterator[Group]:
    """The groups of all settings with this draw, in turn."""
    assert isinstance(definition.format_spec, RoundRobin | Gauntlet)
    sizes = [block_size(definition.duplicate_of(setting), setting) for setting in definition.settings]
    ends = [
        end
        for games in (*definition.format_spec.ends, definition.games)
        for end in _count_groups(sizes, draws, draw, games)
    ]
    bots = list(draw.bots)
    if definition.secret:  # few possible groups always come in the same order, so the bots are shuffled
        bots = random.Random(definition.secret).sample(bots, len(bots))
    groups = BalancedGroups(len(bots), draw.size, draws.count(draw), ends, definition.secret)
    return (tuple(sorted(bots[i] for i in group)) for group in groups)


def _count_groups(sizes: Sequence[int], draws: Sequence[GroupDraw], draw: GroupDraw, games: int) -> list[int]:
    """The number of groups with this draw in the first `games` games; a block that is cut short counts.

    If the last group plays only some of its blocks, also the number without it. `sizes` has the games of a block, per
    setting.
    """
    cycles, left = divmod(games, sum(size * each.blocks for size, each in zip(sizes, draws, strict=True)))
    groups = cycles * draws.count(draw)
    for size, each in zip(sizes, draws, strict=True):
        blocks = min(-(-left // size), each.blocks)
        left = max(0, left - size * each.blocks)
        if each == draw and blocks:
            groups += 1
            if blocks < each.blocks:
                return [groups - 1, groups]
    return [groups]
