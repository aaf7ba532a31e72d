"""The components of Manhattan as data: cities, sites, colours, blocks and cards.

A tower's number is `9 * city + site`, both from 0. Counts of blocks by height are packed into one number, four bits
per height, the lowest height in the lowest bits. A hand of cards is packed the same way, three bits per position.
"""

from __future__ import annotations

from typing import Final

CITIES: Final = ("Sydney", "Manhattan", "Frankfurt", "Hongkong", "SaoPaulo", "Cairo")
COLOURS: Final = ("red", "blue", "yellow", "green")
SIDES: Final = ("south", "west", "north", "east")

SITES: Final = 9
"""Building sites of a city, in three rows of three; also the positions that cards show."""
TOWERS: Final = len(CITIES) * SITES

HEIGHTS: Final = (1, 2, 3, 4)
BLOCKS: Final = (11, 6, 4, 3)
"""The number of blocks that a colour has, by height (MA-1)."""
COLOUR_BLOCKS: Final = sum(BLOCKS)

COPIES: Final = 5
"""Cards per position (MA-2)."""
NEW_DECK: Final = [card for card in range(SITES) for _ in range(COPIES)]
"""The unshuffled cards; positions from 0."""
HAND: Final = 4
"""Cards per hand."""

ROUNDS: Final = "rounds"
"""Why every game ends (MA-5)."""

# Kinds of journal entries for people. Bots get no events for them, because the board shows the same.
GREW: Final = "grew"
"""A block was built on a tower: `(GREW, seat, new height, previous owner's colour, new owner's colour)`."""
TIED: Final = "tied"
"""Several towers are highest at a scoring: `(TIED, -1, their height, their number)`."""


def pack_blocks(counts: tuple[int, ...]) -> int:
    """Pack counts by height into one number."""
    return sum(count << 4 * height for height, count in enumerate(counts))


def unpack_blocks(packed: int) -> list[int]:
    """Unpack a number into counts by height."""
    return [packed >> 4 * height & 15 for height in range(len(HEIGHTS))]


def pack_cards(cards: list[int]) -> int:
    """Pack positions from 0 into one number: how many there are of each. No position may be there more than 7 times."""
    packed = 0
    for card in cards:
        packed += 1 << 3 * card
    return packed


def unpack_cards(packed: int) -> list[int]:
    """Unpack a hand into rising positions from 0, duplicates included."""
    return [position for position in range(SITES) for _ in range(packed >> 3 * position & 7)]


def count_cards(packed: int) -> list[int]:
    """Unpack a hand into counts by position."""
    return [packed >> 3 * position & 7 for position in range(SITES)]


ALL_BLOCKS: Final = pack_blocks(BLOCKS)


def sides(players: int) -> tuple[int, ...]:
    """Return by seat the side of the table where it sits (MA-2)."""
    return (0, 2) if players == 2 else tuple(range(players))


def colours(players: int) -> list[tuple[int, ...]]:
    """Return by seat the colours that it plays."""
    return [(0, 2), (1, 3)] if players == 2 else [(seat,) for seat in range(players)]


def turned(position: int, side: int) -> int:
    """Return the site that a position on a card means to a player at this side of the table (MA-2)."""
    row, column = divmod(position, 3)
    for _ in range(side):
        row, column = column, 2 - row  # a quarter turn: south to west, west to north, north to east
    return 3 * row + column
