"""Blocks out, results in, places at the end: what a format and the schedule exchange."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

import msgspec


class Block(NamedTuple):
    """A group of bots at one table, which plays one or more seatings."""

    setting: int
    """An index in the definition's list of settings."""
    group: tuple[int, ...]


Blocks = Iterator[Block | None]
"""What a format generates: blocks, or None if it needs more results first."""


class GameOutcome(NamedTuple):
    """The result of one game, all tuples in the order of seats."""

    block: int
    """The number of the block, from 0."""
    group: tuple[int, ...]
    """The bots as the format knows them."""
    bots: tuple[int, ...]
    """The bots that played: the same, or later versions of them."""
    ranks: tuple[int, ...]
    faulted: frozenset[int]
    """The seats with a fault."""


class Place(msgspec.Struct, frozen=True):
    """A bot's place. The fields that a format adds are what the place follows from; all are columns, and have defaults.

    They are None or empty for bots of other formats.
    """

    place: int
    """The place from 1; bots that are level share it."""
    bot: int

    def reason(self) -> str:
        """What gave the bot its place, to be read after the name of the tournament: `with 83.3%`; or empty."""
        return ""


class TableResult(NamedTuple):
    """The result of one table of a round, from which bots advance."""

    points: dict[int, int]
    """The points of each bot, the best first: 2 for each rival that it ranked ahead of in a game, 1 for a tie.

    All are 0 before the first game.
    """
    advancing: int
    """The number of bots that advance, or would if the round ended now."""
    by_seed: bool
    """Whether points are equal and the better seed advances."""


class RoundResult(NamedTuple):
    """The tables of one round."""

    tables: list[TableResult]
    byes: list[int]
    """The bots without a table, which advance in a knockout."""
    is_final: bool


class Placing(Protocol):
    """The places that a format itself gives to bots. A format inherits from it."""

    def places(self) -> Iterable[Place]:
        """The place of each bot that has one already."""

    def lines(self) -> Iterable[str]:
        """What a terminal shows below the table of places."""
        return ()

    def round_results(self) -> Sequence[RoundResult]:
        """The rounds so far, if bots are eliminated in rounds."""
        return ()


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
        """The places, if the format gives some and sets this."""
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
