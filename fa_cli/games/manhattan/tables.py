"""What the hot path of Manhattan looks up instead of working it out: one `Table` per number of players.

A tower is kept as one number, its cell: `height << 16 | (owner's colour + 1) << 11 | gaps`. A colour's gap is how many
floors it has fewer than the owner, 5 meaning 5 or more; `gaps` is the four of them in base 6. A colour may build with a
block at least as high as its gap: nothing else matters, since the owner never has fewer floors than anybody (whoever
builds must reach the owner before him), and a gap shrinks only by a build that closes it.

Where who may build with what is kept by site, for the six cities together: 24 bits for a seat, four per city, one for
each height. With two players 48 bits, eight per city, two for each height, one for each of the seat's colours. Two
numbers of 48 bits, the ways, hold a site's bits of all seats. So a seat's bits, masked with the blocks it has, are its
legal builds on that site, in order; they are looked up twelve at a time.

What is asked for the first time is worked out then and kept.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final

from .actions import ACTIONS, NUMBERS, SELECT_SIX, SELECTED
from .board import CITIES, COLOURS, HEIGHTS, SITES, colours, sides, turned, unpack_blocks

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

Move = tuple[int, int, int, int, int, int, int]
"""What a build or discard means: tower (-1 to discard), site, city, 4 * colour + height, colour, the block as a packed
count, the card as a packed count."""
Step = tuple[int, int, int]
"""What a block does to a tower: its cell becomes this (plus the height before), and these bits of the two ways flip."""
Chunks = list[tuple[int, ...] | None]
"""By twelve bits: the action numbers that they stand for, bit by bit from the lowest; None: not yet asked for."""
Plan = list[tuple[int, int, Chunks, Chunks]]
"""For each position in a hand, rising: where in the ways its site is, how far left 24 bits of the seat's are, and the
chunks of the lower and the higher twelve. With two players a seat has 24 bits more, and each position comes twice."""


class Table:
    """Everything looked up for a number of players."""

    __slots__ = ("chunks", "have", "moves", "named", "next_seat", "owned", "plans", "sites", "steps", "width")

    def __init__(self, players: int) -> None:
        self.named: bool = players == 2
        """Whether actions name a colour."""
        self.owned: list[tuple[int, ...]] = colours(players)
        """By seat: its colours."""
        self.width: int = 8 if self.named else 4
        """How many bits a seat has for a city."""
        self.have: dict[int, int] = {blocks: _every_city(blocks, self.width) for blocks in _all_blocks()}
        """By packed count of blocks: which of 24 bits they reach; with two players one further left for the second."""
        self.next_seat: list[int] = [*range(1, players), 0]
        self.sites: list[list[int]] = [[turned(card, side) for card in range(SITES)] for side in sides(players)]
        """By seat, by position on a card."""
        self.moves: list[list[Move]] = [self._moves(seat) for seat in range(players)]
        """By seat, by action."""
        self.steps: list[Step | None] = [None] * (6 ** len(COLOURS) << 4)
        """By `gaps << 4 | 4 * colour + height`: what that block does; None: not yet asked for."""
        self.chunks: list[list[list[Chunks]]] = [self._chunks(seat) for seat in range(players if self.named else 1)]
        """By seat where actions name colours, by position: what every twelve bits stand for."""
        self.plans: list[dict[int, Plan]] = [{} for _ in range(players)]
        """By seat, by hand; only those asked for."""

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
        named = self.owned[seat] if self.named else (-1,)
        places = list(product(range(len(CITIES)), range(len(HEIGHTS)), named))
        return [
            [_chunks_of([NUMBERS[card, *place] for place in places[at : at + 12]]) for at in range(0, len(places), 12)]
            for card in range(SITES)
        ]

    def plan(self, seat: int, hand: int) -> Plan:
        """The plan of a hand that is not yet in `plans`."""
        plan: Plan = []
        for card in range(SITES):
            if hand >> 3 * card & 7:
                chunks = self.chunks[seat if self.named else 0][card]
                for at in range(0, len(chunks), 2):
                    half, shift = (seat, 12 * at) if self.named else (seat >> 1, (seat & 1) * 24)
                    plan.append((self.sites[seat][card] + SITES * half, shift, chunks[at], chunks[at + 1]))
        self.plans[seat][hand] = plan
        return plan

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


def _chunks_of(numbers: list[int]) -> Chunks:
    """Chunks of which only the one that has all is known."""
    chunks: Chunks = [None] * (1 << len(numbers))
    chunks[-1] = tuple(numbers)
    return chunks


def chunk(chunks: Chunks, bits: int) -> tuple[int, ...]:
    """The chunk that is not yet in `chunks`."""
    numbers = chunks[-1] or ()
    some = tuple([number for bit, number in enumerate(numbers) if bits >> bit & 1])
    chunks[bits] = some
    return some


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


def _every_city(blocks: int, width: int) -> int:
    """24 bits: one for every height there is, `width // 4` apart, the same in every `width` of them."""
    one = sum(1 << width // 4 * height for height in range(4) if blocks >> 4 * height & 15)
    return sum(one << at for at in range(0, 24, width))


def _all_blocks() -> list[int]:
    """Every packed count of blocks that a player can have before him: up to six."""
    return [
        ones | twos << 4 | threes << 8 | fours << 12
        for ones in range(7)
        for twos in range(7 - ones)
        for threes in range(min(4, 6 - ones - twos) + 1)
        for fours in range(min(3, 6 - ones - twos - threes) + 1)
    ]
