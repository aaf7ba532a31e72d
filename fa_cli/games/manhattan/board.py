"""What lies on the table in Manhattan: cities, sites, colours, blocks and cards, as data.

A tower is `9 * city + site`, all counted from 0. A count of blocks by height is packed into one number, four bits for
each height from the lowest up; a hand of cards likewise, three bits for each position.
"""

from __future__ import annotations

from typing import Final

CITIES: Final = ("Sydney", "Manhattan", "Frankfurt", "Hongkong", "SaoPaulo", "Cairo")
COLOURS: Final = ("red", "blue", "yellow", "green")
SIDES: Final = ("south", "west", "north", "east")

SITES: Final = 9
"""Building sites of a city, three rows of three; the positions on the cards are as many."""
TOWERS: Final = len(CITIES) * SITES

HEIGHTS: Final = (1, 2, 3, 4)
BLOCKS: Final = (11, 6, 4, 3)
"""MA-1: how many blocks of each height a colour has."""
COLOUR_BLOCKS: Final = sum(BLOCKS)

COPIES: Final = 5
"""Cards of each position (MA-2)."""
NEW_DECK: Final = [card for card in range(SITES) for _ in range(COPIES)]
"""The cards before they are shuffled; positions from 0."""
HAND: Final = 4
"""Cards in every hand."""

ROUNDS: Final = "rounds"
"""The reason of every game's end (MA-5)."""

# Kinds of journal entries for people; bots see as much on the board.
GREW: Final = "grew"
"""A block went on a tower: `(GREW, seat, height now, colour that owned it, colour that owns it)`."""
TIED: Final = "tied"
"""Several towers are highest at a scoring: `(TIED, -1, their height, how many)`."""


def pack_blocks(counts: tuple[int, ...]) -> int:
    """Counts by height as one number."""
    return sum(count << 4 * height for height, count in enumerate(counts))


def unpack_blocks(packed: int) -> list[int]:
    """One number as counts by height."""
    return [packed >> 4 * height & 15 for height in range(len(HEIGHTS))]


def pack_cards(cards: list[int]) -> int:
    """Positions from 0 as a hand."""
    return sum(1 << 3 * card for card in cards)


def unpack_cards(packed: int) -> list[int]:
    """A hand as rising positions from 0, doubles included."""
    return [position for position in range(SITES) for _ in range(packed >> 3 * position & 7)]


ALL_BLOCKS: Final = pack_blocks(BLOCKS)


def sides(players: int) -> tuple[int, ...]:
    """By seat: the side of the table it sits at (MA-2)."""
    return (0, 2) if players == 2 else tuple(range(players))


def colours(players: int) -> list[tuple[int, ...]]:
    """By seat: the colours it plays."""
    return [(0, 2), (1, 3)] if players == 2 else [(seat,) for seat in range(players)]


def turned(position: int, side: int) -> int:
    """The site that a card's position means to one who sits at that side (MA-2)."""
    row, column = divmod(position, 3)
    for _ in range(side):
        row, column = column, 2 - row  # a quarter of a turn: south to west, west to north, north to east
    return 3 * row + column
