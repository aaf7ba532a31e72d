"""Lookup tables for the hot path of Manhattan: one `LookupTables` per number of players.

A tower is stored as one number, its cell: `height << 16 | (owner's colour + 1) << 11 | gaps`. A colour's gap is the
number of floors that it has fewer than the owner, where 5 stands for 5 or more. `gaps` holds the four gaps in base 6. A
colour may build with a block at least as high as its gap. The gaps suffice to decide that: no colour ever has more
floors than the owner, since a builder must reach the owner's floors to build at all, and only a build that closes a gap
makes it smaller.

The builds that are possible on a site are stored as bits, for all six cities together. A seat has 24 bits per site:
four per city, one per height. With two players it has 48: eight per city, two per height, one for each of its colours.
Two numbers of 48 bits, its build bits, hold the bits of all seats. A seat's bits, masked with the blocks that it
has, are its legal builds on that site in table order; they are translated to actions eight bits at a time.

These tables are accessed at random, so they are kept small enough for the processor's cache. The effect of a block on a
tower is computed on first use and then stored.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Final

from .actions import ACTIONS, NUMBERS, SELECT_SIX, SELECTED
from .board import BLOCKS, CITIES, COLOURS, HAND, HEIGHTS, SITES, colours, sides, turned, unpack_blocks

GAPS: Final = 2047
"""The bits of a cell that hold the gaps."""
OWNER: Final = 11
HEIGHT: Final = 16
"""The shifts of the owner and the height in a cell."""

HALF: Final = (1 << 48) - 1
"""All bits of one half of a site's build bits: the value while nothing is built there."""

ONE_TOWER: Final = [0, 1, 1 << 8, 1 << 16, 1 << 24]
"""One tower of an owner as a packed number, by owner as in a cell (colour + 1)."""

_FAR: Final = 5  # a gap that no block closes
_BUILDABLE: Final = (15, 15, 14, 12, 8, 0)  # by gap: mask of the heights that may be built

ONES: Final = 0o111111111
"""The lowest bit of every position in a hand."""
PLANS: Final = 1023
"""A modulus for which all numbers of nine octal digits that are 0 or 1 have different remainders."""

ONE_BITS: Final = bytes(mask.bit_count() for mask in range(4096))
"""The number of ones in each mask of twelve bits."""

Move = tuple[int, int, int, int, int, int, int]
"""The effect of a build or discard: tower (-1 to discard), site, city, 4 * colour + height, colour, the block as a
packed count, the card as a packed count."""
Step = tuple[int, int, int]
"""The effect of a block on a tower: its new cell less the height before, and the bits to flip in the two halves of the
site's build bits."""
Chunks = tuple[tuple[int, ...], ...]
"""The actions that eight bits stand for, from the lowest bit up."""
HandBits = tuple[int, int, Chunks, Chunks, Chunks]
"""For one position: the index of its site in `State.build_bits`, the shift of the seat's 24 bits there, and the chunks
of the lowest, the middle and the highest eight of these bits."""
Plan = tuple[HandBits, ...]
"""The parts for each position in a hand, rising. With two players a seat has 48 bits, so a position has two parts."""


class LookupTables:
    """The lookup tables for one number of players."""

    __slots__ = ("have", "moves", "named", "next_seat", "owned", "plans", "sites", "steps", "width")

    def __init__(self, players: int) -> None:
        self.named: bool = players == 2
        """Whether actions name a colour."""
        self.owned: list[tuple[int, ...]] = colours(players)
        """The colours of each seat."""
        self.width: int = 8 if self.named else 4
        """Bits of a seat per city."""
        self.have: list[int] = _height_masks(self.width)
        """Mask of the 24 bits that blocks allow, by their packed count. With two players it is for the seat's first
        colour; shifted left by one it is for the second."""
        self.next_seat: list[int] = [*range(1, players), 0]
        self.sites: list[list[int]] = [[turned(card, side) for card in range(SITES)] for side in sides(players)]
        """The site, by seat and position on a card."""
        self.moves: list[list[Move]] = [self._moves(seat) for seat in range(players)]
        """The effect of each action, by seat."""
        self.steps: list[Step | None] = [None] * (6 ** len(COLOURS) << 4)
        """The effect of a block, by `gaps << 4 | 4 * colour + height`; None until it is computed."""
        chunks = [self._chunks(seat) for seat in range(players if self.named else 1)]  # by seat if actions name colours
        self.plans: list[list[Plan]] = [self._plans(seat, chunks[seat % len(chunks)]) for seat in range(players)]
        """A number with an octal digit of 1 for each position held, modulo PLANS, by seat, by hand."""

    def __reduce__(self) -> tuple[Callable[[int], LookupTables], tuple[int]]:
        return table_for, (len(self.next_seat),)  # pickled by reference, not with the states that share it

    def _moves(self, seat: int) -> list[Move]:
        moves: list[Move] = [(-1, 0, 0, 0, 0, 0, 0)] * len(ACTIONS)
        for (card, city, height, named), number in NUMBERS.items():
            if named not in (self.owned[seat] if self.named else (-1,)):
                continue
            colour = named if self.named else seat
            site = self.sites[seat][card]
            tower = SITES * city + site if city >= 0 else -1
            moves[number] = (tower, site, city, 4 * colour + height, colour, 1 << 4 * height, 1 << 3 * card)
        return moves

    def _chunks(self, seat: int) -> list[list[Chunks]]:
        """Return by position the chunks that translate its bits to actions."""
        named = self.owned[seat] if self.named else (-1,)
        builds = list(product(range(len(CITIES)), range(len(HEIGHTS)), named))
        return [
            [_subsets([NUMBERS[card, *build] for build in builds[at : at + 8]]) for at in range(0, len(builds), 8)]
            for card in range(SITES)
        ]

    def _plans(self, seat: int, chunks: list[list[Chunks]]) -> list[Plan]:
        by_hand: list[tuple[int, Plan]] = [(0, ())]
        for card in range(SITES):
            parts: Plan = ()
            for at in range(0, len(chunks[card]), 3):
                half, shift = (seat, 8 * at) if self.named else (seat >> 1, (seat & 1) * 24)
                low, middle, high = chunks[card][at : at + 3]
                parts += ((self.sites[seat][card] + SITES * half, shift, low, middle, high),)
            by_hand += [(held | 1 << 3 * card, plan + parts) for held, plan in by_hand if held.bit_count() < HAND]
        plans: list[Plan] = [()] * PLANS
        for held, plan in by_hand:
            plans[held % PLANS] = plan
        return plans

    def step(self, key: int) -> Step:
        """Compute the step with this key and store it in `steps`."""
        colour, height = key >> 2 & 3, (key & 3) + 1
        before = [(key >> 4) // 6**rival % 6 for rival in range(len(COLOURS))]
        after = [min(_FAR, gap + height - before[colour]) for gap in before]
        after[colour] = 0
        gaps = sum(gap * 6**rival for rival, gap in enumerate(after))
        flip = self._bits(before) ^ self._bits(after)
        step = (height << HEIGHT | (colour + 1) << OWNER | gaps, flip & HALF, flip >> 48)
        self.steps[key] = step
        return step

    def _bits(self, gaps: list[int]) -> int:
        """Return the first city's part of a site's build bits, both halves as one number, for these gaps by colour."""
        bits = 0
        for seat, owned in enumerate(self.owned):
            for index, colour in enumerate(owned):
                for height in range(len(HEIGHTS)):
                    if _BUILDABLE[gaps[colour]] >> height & 1:
                        bits |= 1 << seat * self.width * len(CITIES) + height * len(owned) + index
        return bits


def _subsets(numbers: list[int]) -> Chunks:
    """Return by mask the numbers whose bit is set."""
    subsets: list[tuple[int, ...]] = [()]
    for number in numbers:
        last = (number,)
        subsets += [subset + last for subset in subsets]
    return tuple(subsets)


@cache
def table_for(players: int) -> LookupTables:
    """Return the table for this number of players, made once."""
    return LookupTables(players)


@cache
def selections(supply: int, count: int) -> list[int]:
    """List the legal selections of `count` blocks (4 or 6) from this packed supply."""
    first, end = (0, SELECT_SIX) if count == 4 else (SELECT_SIX, len(SELECTED))
    available = unpack_blocks(supply)
    return [
        number
        for number in range(first, end)
        if all(needed <= limit for needed, limit in zip(unpack_blocks(SELECTED[number]), available, strict=True))
    ]


def _height_masks(width: int) -> list[int]:
    """Return by packed count of blocks a 24-bit mask of the heights available, repeated every `width` bits.

    The bits of neighbouring heights are `width // 4` apart.
    """
    heights = [0]  # by packed count of blocks: the heights available, one bit each
    for height in range(len(HEIGHTS)):
        heights += [held | 1 << height for held in heights] * (15 if height < 3 else BLOCKS[3])
    masks = [sum(1 << width // 4 * height for height in range(4) if held >> height & 1) for held in range(16)]
    masks = [sum(mask << at for at in range(0, 24, width)) for mask in masks]
    return [masks[held] for held in heights]
