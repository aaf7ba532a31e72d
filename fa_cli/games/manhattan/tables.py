"""What the hot path of Manhattan looks up instead of working it out: one `Table` per number of players.

A tower is kept as one number, its cell: `height << 16 | (owner's colour + 1) << 11 | gaps`. A colour's gap is how many
floors it has fewer than the owner, 5 meaning 5 or more; `gaps` is the four of them in base 6. A colour may build with a
block at least as high as its gap: nothing else matters, since the owner never has fewer floors than anybody (whoever
builds must reach the owner before him), and a gap shrinks only by a build that closes it.

Where who may build with what is kept by site, for the six cities together: 24 bits for a seat, four per city, one for
each height. With two players 48 bits, eight per city, two for each height, one for each of the seat's colours. Two
numbers of 48 bits, the ways, hold a site's bits of all seats. So a seat's bits, masked with the blocks it has, are its
legal builds on that site, in order; they are looked up eight at a time.

All this is gone through at random, and what does not fit into the processor's cache is slow: so the tables are small.
What a block does to a tower is worked out when it is first asked for, and kept.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final

from .actions import ACTIONS, NUMBERS, SELECT_SIX, SELECTED
from .board import BLOCKS, CITIES, COLOURS, HAND, HEIGHTS, SITES, colours, sides, turned, unpack_blocks

GAPS: Final = 2047
"""The bits of a cell that hold the gaps."""
OWNER: Final = 11
HEIGHT: Final = 16
"""How far left in a cell the owner and the height are."""

HALF: Final = (1 << 48) - 1
"""All bits of one of a site's two ways; so it is when nothing is built there."""

ONE_TOWER: Final = [0, 1, 1 << 8, 1 << 16, 1 << 24]
"""By owner as in a cell: a tower of his as a packed number."""

_FAR: Final = 5  # no block closes such a gap
_BUILDABLE: Final = (15, 15, 14, 12, 8, 0)  # by gap: a mask of the heights that may be built

ONES: Final = 0o111111111
"""Of a hand: the lowest bit of every position."""
PLANS: Final = 1023
"""Numbers of nine octal digits, each 0 or 1, leave different remainders."""

Move = tuple[int, int, int, int, int, int, int]
"""What a build or discard means: tower (-1 to discard), site, city, 4 * colour + height, colour, the block as a packed
count, the card as a packed count."""
Step = tuple[int, int, int]
"""What a block does to a tower: its cell becomes this (plus the height before), and these bits of the two ways flip."""
Chunks = tuple[tuple[int, ...], ...]
"""By eight bits: the action numbers that they stand for, bit by bit from the lowest."""
Part = tuple[int, int, Chunks, Chunks, Chunks]
"""For a position: where in the ways its site is, how far left 24 bits of the seat's are, and the chunks of the lowest,
the middle and the highest eight of them."""
Plan = tuple[Part, ...]
"""The parts of each position in a hand, rising; with two players a seat has 48 bits, and each position two parts."""


class Table:
    """Everything looked up for a number of players."""

    __slots__ = ("have", "moves", "named", "next_seat", "owned", "plans", "sites", "steps", "width")

    def __init__(self, players: int) -> None:
        self.named: bool = players == 2
        """Whether actions name a colour."""
        self.owned: list[tuple[int, ...]] = colours(players)
        """By seat: its colours."""
        self.width: int = 8 if self.named else 4
        """How many bits a seat has for a city."""
        self.have: list[int] = _haves(self.width)
        """By packed count of blocks: which of 24 bits they reach; with two players one further left for the second."""
        self.next_seat: list[int] = [*range(1, players), 0]
        self.sites: list[list[int]] = [[turned(card, side) for card in range(SITES)] for side in sides(players)]
        """By seat, by position on a card."""
        self.moves: list[list[Move]] = [self._moves(seat) for seat in range(players)]
        """By seat, by action."""
        self.steps: list[Step | None] = [None] * (6 ** len(COLOURS) << 4)
        """By `gaps << 4 | 4 * colour + height`: what that block does; None: not yet asked for."""
        chunks = [self._chunks(seat) for seat in range(players if self.named else 1)]  # by seat where it matters
        self.plans: list[list[Plan]] = [self._plans(seat, chunks[seat % len(chunks)]) for seat in range(players)]
        """By seat, by the remainder of the positions held, PLANS dividing: the octal digits of a hand as ones."""

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
        """By position: what every eight bits stand for."""
        named = self.owned[seat] if self.named else (-1,)
        places = list(product(range(len(CITIES)), range(len(HEIGHTS)), named))
        return [
            [_subsets([NUMBERS[card, *place] for place in places[at : at + 8]]) for at in range(0, len(places), 8)]
            for card in range(SITES)
        ]

    def _plans(self, seat: int, chunks: list[list[Chunks]]) -> list[Plan]:
        known: list[tuple[int, Plan]] = [(0, ())]
        for card in range(SITES):
            parts: Plan = ()
            for at in range(0, len(chunks[card]), 3):
                half, shift = (seat, 8 * at) if self.named else (seat >> 1, (seat & 1) * 24)
                low, middle, high = chunks[card][at : at + 3]
                parts += ((self.sites[seat][card] + SITES * half, shift, low, middle, high),)
            known += [(held | 1 << 3 * card, plan + parts) for held, plan in known if held.bit_count() < HAND]
        plans: list[Plan] = [()] * PLANS
        for held, plan in known:
            plans[held % PLANS] = plan
        return plans

    def step(self, key: int) -> Step:
        """The step that is not yet in `steps`."""
        colour, height = key >> 2 & 3, (key & 3) + 1
        before = [(key >> 4) // 6**other % 6 for other in range(len(COLOURS))]
        after = [min(_FAR, gap + height - before[colour]) for gap in before]
        after[colour] = 0
        gaps = sum(gap * 6**other for other, gap in enumerate(after))
        flip = self._bits(before) ^ self._bits(after)
        step = (height << HEIGHT | (colour + 1) << OWNER | gaps, flip & HALF, flip >> 48)
        self.steps[key] = step
        return step

    def _bits(self, gaps: list[int]) -> int:
        """What the first city has in a site's ways, the second above the first, when its tower has these gaps."""
        bits = 0
        for seat, owned in enumerate(self.owned):
            for place, colour in enumerate(owned):
                for height in range(len(HEIGHTS)):
                    if _BUILDABLE[gaps[colour]] >> height & 1:
                        bits |= 1 << seat * self.width * len(CITIES) + height * len(owned) + place
        return bits


def _subsets(numbers: list[int]) -> Chunks:
    """By bits: those of the numbers whose bit is set."""
    subsets: list[tuple[int, ...]] = [()]
    for number in numbers:
        one = (number,)
        subsets += [before + one for before in subsets]
    return tuple(subsets)


@cache
def table_for(players: int) -> Table:
    """The table for so many players, made once."""
    return Table(players)


@cache
def selections(supply: int, count: int) -> list[int]:
    """The legal selections of so many blocks from this packed supply."""
    first, end = (0, SELECT_SIX) if count == 4 else (SELECT_SIX, len(SELECTED))
    have = unpack_blocks(supply)
    return [
        number
        for number in range(first, end)
        if all(some <= most for some, most in zip(unpack_blocks(SELECTED[number]), have, strict=True))
    ]


def _haves(width: int) -> list[int]:
    """By packed count of blocks: one for every height there is, `width // 4` apart, the same in every `width` of 24."""
    heights = [0]
    for height in range(len(HEIGHTS)):
        heights += [held | 1 << height for held in heights] * (15 if height < 3 else BLOCKS[3])
    every = [sum(1 << width // 4 * height for height in range(4) if held >> height & 1) for held in range(16)]
    every = [sum(one << at for at in range(0, 24, width)) for one in every]
    return [every[held] for held in heights]
