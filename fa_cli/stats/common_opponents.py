"""Deals in which two bots each met the same other bots, joined to pairs that compare the two."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from typing import NamedTuple

_MOST_WAITING = 4096
"""Deals of one kind that wait for a partner. The oldest are dropped, for the memory; that depends on no result."""


class OneSided(NamedTuple):
    """A block with only one of the two bots."""

    score: float
    """The bot's mean rank score."""
    points: float
    """Its mean points."""
    seats: int
    """The number of seats that it had."""


class CommonOpponents:
    """Joins each block with the first bot only to one with the second only, of the same log, setting and other bots.

    They are joined in the order of the log, whatever their results. If the bots are equal, each pair could equally
    have gone the other way, as a block with both.
    """

    def __init__(self) -> None:
        self._waiting: dict[Hashable, deque[OneSided]] = {}

    def add(self, side: int, tables: Hashable, block: OneSided) -> tuple[OneSided, OneSided] | None:
        """Add a block of side 0 or 1 against the others in `tables`. Returns the pair that it completes, if any."""
        others = self._waiting.get((1 - side, tables))
        if others:
            partner = others.popleft()
            return (block, partner) if side == 0 else (partner, block)
        self._waiting.setdefault((side, tables), deque(maxlen=_MOST_WAITING)).append(block)
        return None
