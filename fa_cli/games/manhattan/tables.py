"""What the hot path of Manhattan looks up instead of working it out: one `Table` per number of players.

A tower is kept as one number, its cell: `height << 16 | (owner's colour + 1) << 11 | gaps`. A colour's gap is how many
floors it has fewer than the owner, 5 meaning 5 or more; `gaps` is the four of them in base 6. A colour may build with a
block at least as high as its gap: nothing else matters, since the owner never has fewer floors than anybody (whoever
builds must reach the owner before him), and a gap shrinks only by a build that closes it.

Where who may build with what is kept by site, for the six cities together, as one number of 96 bits: a seat has 24 of
them, four per city, one for each height; with two players 48, eight per city, two for each height, one for each of its
colours. So a seat's part of that number, masked with the blocks it has, is its legal builds on that site, in order.

The dictionaries here fill themselves: what is asked for the first time is worked out and kept.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final

from .actions import NUMBERS, SELECT_SIX, SELECTED
from .board import CITIES, COLOURS, HEIGHTS, SITES, colours, sides, turned, unpack_blocks

GAPS: Final = 2047
"""The bits of a cell that hold the gaps."""
OWNER: Final = 11
HEIGHT: Final = 16
"""How far left in a cell the owner and the height are."""

PIECE: Final = 12
"""How many bits are looked up at once: few enough that the lists for all that comes up are kept."""

_FAR: Final = 5  # no block closes such a gap
_BUILDABLE: Final = (15, 15, 14, 12, 8, 0)  # by gap: a mask of the heights that may be built

Move = tuple[int, int, int, int, int, int, int]
"""What a build or a discard means: tower (-1 to discard), site, how far left the city's bits are, 4 * colour + height,
colour, the block as a packed count, the card as a packed count."""
Step = tuple[int, int]
"""What a block does to a tower: its cell becomes this (plus the height before), and these bits of a site flip."""
Plan = list[tuple[int, "list[Chunks]"]]
"""For each position in a hand, rising: its site, and the legal builds by the parts of that site's bits."""


class Chunks(dict[int, list[int]]):
    """By bits: the action numbers that they stand for, bit by bit from the lowest."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers

    def __missing__(self, bits: int) -> list[int]:
        self[bits] = chunk = [number for bit, number in enumerate(self.numbers) if bits >> bit & 1]
        return chunk


class Steps(dict[int, Step]):
    """By `gaps << 4 | 4 * colour + height`: what that block does to a tower with these gaps."""

    def __init__(self, hues: list[tuple[int, ...]], seat_bits: int) -> None:
        self.hues = hues
        self.seat_bits = seat_bits

    def __missing__(self, key: int) -> Step:
        colour, height = key >> 2 & 3, (key & 3) + 1
        before = [(key >> 4) // 6**other % 6 for other in range(len(COLOURS))]
        after = [min(_FAR, gap + height - before[colour]) for gap in before]
        after[colour] = 0
        gaps = sum(gap * 6**other for other, gap in enumerate(after))
        self[key] = step = (height << HEIGHT | (colour + 1) << OWNER | gaps, self._bits(before) ^ self._bits(after))
        return step

    def _bits(self, gaps: list[int]) -> int:
        """What the first city has in a site's number when its tower has these gaps."""
        bits = 0
        for seat, hues in enumerate(self.hues):
            for place, colour in enumerate(hues):
                for height in range(len(HEIGHTS)):
                    if _BUILDABLE[gaps[colour]] >> height & 1:
                        bits |= 1 << seat * self.seat_bits + height * len(hues) + place
        return bits


class Plans(dict[int, Plan]):
    """By hand: what to look through for a seat's legal builds."""

    def __init__(self, sites: list[int], pieces: list[list[Chunks]]) -> None:
        self.sites = sites
        self.pieces = pieces

    def __missing__(self, hand: int) -> Plan:
        held = [card for card in range(SITES) if hand >> 3 * card & 7]
        self[hand] = plan = [(self.sites[card], self.pieces[card]) for card in held]
        return plan


class Table:
    """Everything looked up for a number of players."""

    __slots__ = ("moves", "named", "next_seat", "owned", "plans", "seat_bits", "sites", "steps")

    def __init__(self, players: int) -> None:
        self.named: bool = players == 2
        """Whether actions name a colour."""
        self.owned: list[tuple[int, ...]] = colours(players)
        """By seat: its colours."""
        self.seat_bits: int = (8 if self.named else 4) * len(CITIES)
        """How many bits of a site's number a seat has."""
        self.next_seat: list[int] = [*range(1, players), 0]
        self.sites: list[list[int]] = [[turned(card, side) for card in range(SITES)] for side in sides(players)]
        """By seat, by position on a card."""
        self.moves: list[dict[int, Move]] = [self._moves(seat) for seat in range(players)]
        """By seat, by action."""
        self.steps: Steps = Steps(self.owned, self.seat_bits)
        self.plans: list[Plans] = [Plans(self.sites[seat], self._pieces(seat)) for seat in range(players)]
        """By seat."""

    def _moves(self, seat: int) -> dict[int, Move]:
        moves: dict[int, Move] = {}
        for (card, city, height, named), number in NUMBERS.items():
            if (named >= 0) != self.named or named not in (-1, *self.owned[seat]):
                continue
            colour = named if self.named else seat
            site = self.sites[seat][card]
            place = (SITES * city + site, site, city * self.seat_bits // len(CITIES)) if city >= 0 else (-1, 0, 0)
            moves[number] = (*place, 4 * colour + height, colour, 1 << 4 * height, 1 << 3 * card)
        return moves

    def _pieces(self, seat: int) -> list[list[Chunks]]:
        """By position: the builds behind a seat's bits, `PIECE` bits at a time."""
        named = self.owned[seat] if self.named else (-1,)
        places = list(product(range(len(CITIES)), range(len(HEIGHTS)), named))
        pieces = [places[first : first + PIECE] for first in range(0, len(places), PIECE)]
        return [[Chunks([NUMBERS[card, *place] for place in piece]) for piece in pieces] for card in range(SITES)]


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
    """A bit for every height there is, `width // 4` apart, the same for each of the six cities."""
    one = sum(1 << width // 4 * height for height in range(4) if blocks >> 4 * height & 15)
    return sum(one << width * city for city in range(len(CITIES)))


def _all_blocks() -> list[int]:
    """Every packed count of blocks that a player can have before him: up to six."""
    return [
        ones | twos << 4 | threes << 8 | fours << 12
        for ones in range(7)
        for twos in range(7 - ones)
        for threes in range(min(4, 6 - ones - twos) + 1)
        for fours in range(min(3, 6 - ones - twos - threes) + 1)
    ]


HAVE: Final = {blocks: _every_city(blocks, 4) for blocks in _all_blocks()}
"""By packed count of blocks: the bits of a seat's part of a site's number that these blocks reach."""
HAVE_FIRST: Final = {blocks: _every_city(blocks, 8) for blocks in _all_blocks()}
"""The same with two players, for a seat's first colour; one bit to the left for its second."""
