"""The board, the stones and the cards of New York as data: cells and cards as numbers, sets of cells as bit masks.

A cell's number is 7 * (avenue - 1) + street - 1; bit n of a mask is cell n. Lines have numbers too: the avenues 0-6,
the streets 7-13.

Identical cards have the same number; piles and hands are bytes of cards. 0-6 are the avenues, 7 the red joker, 8-14 the
streets, 15 the blue joker, 16-25 the action cards (of each kind the red one, then the blue one) and 26 the stop card.
"""

from __future__ import annotations

from typing import Final

SIZE: Final = 7
CELLS: Final = SIZE * SIZE
FULL: Final = (1 << CELLS) - 1

COLOURS: Final = ("red", "blue", "yellow", "green", "black")
CELLS_TEXT: Final = tuple(f"a{avenue}s{street}" for avenue in range(1, 8) for street in range(1, 8))

_AVENUE: Final = (1 << SIZE) - 1
_STREET: Final = sum(1 << SIZE * avenue for avenue in range(SIZE))

LINES: Final = [_AVENUE << SIZE * avenue for avenue in range(SIZE)] + [_STREET << street for street in range(SIZE)]
"""The mask of each line's cells."""
REACHED_AVENUES: Final = [
    FULL if held >> 7 else sum(LINES[line] for line in range(SIZE) if held >> line & 1) for held in range(256)
]
"""Mask of the cells that the red cards held reach, by mask of these cards (bit 7: the joker)."""
REACHED_STREETS: Final = [
    FULL if held >> 7 else sum(LINES[SIZE + line] for line in range(SIZE) if held >> line & 1) for held in range(256)
]
"""The same for the blue cards."""
LINE_CELLS: Final = [[cell for cell in range(CELLS) if line >> cell & 1] for line in LINES]
"""The cells of each line in order."""
AVENUE_OF: Final = [LINES[cell // SIZE] for cell in range(CELLS)]
"""The mask of each cell's avenue."""
STREET_OF: Final = [LINES[SIZE + cell % SIZE] for cell in range(CELLS)]
"""The mask of each cell's street."""
AVENUE_AT: Final = [len(COLOURS) * (cell // SIZE) for cell in range(CELLS)]
"""The index in `State.lines` where the counts of each cell's avenue begin."""
STREET_AT: Final = [len(COLOURS) * (SIZE + cell % SIZE) for cell in range(CELLS)]
"""The index in `State.lines` where the counts of each cell's street begin."""

MIDDLE: Final = 1 << 17 | 1 << 23 | 1 << 24 | 1 << 25 | 1 << 31
"""The cells that a renovation clears: a4s4 and its four neighbours."""
CORNERS: Final = 1 << 0 | 1 << 6 | 1 << 42 | 1 << 48
"""The cells that a ruin clears."""

NOT_FIRST_STREET: Final = FULL ^ LINES[SIZE]
NOT_LAST_STREET: Final = FULL ^ LINES[SIZE + 6]

PLAYERS: Final = (2, 3, 4, 5)
COLOURS_IN_PLAY: Final = {2: 4, 3: 3, 4: 4, 5: 5}
"""How many of COLOURS take part, by number of players."""
STONES_OF: Final = {2: 20, 3: 25, 4: 20, 5: 15}
"""Stones of each colour, by number of players."""
UNITS_OF: Final = {2: 12, 3: 8, 4: 6, 5: 5}
"""Purchase units that each player starts with, by number of players."""
FIRST_STONES_OF: Final = {2: 6, 3: 8, 4: 6, 5: 5}
"""Stones of each colour that are placed before the first turn, by number of players."""

SPECULATION_ABOVE: Final = 8
"""Speculation needs more than this many stones of the named colour on the board."""
STOP_AT: Final = 4
"""The stop cards enter the discard pile when at most this many cells are empty (NY-6)."""

BY_STOP_CARD: Final = 1  # why a game ended
BY_TURN_LIMIT: Final = 2
REASONS: Final = ("", "stop-card", "turn-limit")

POINTS_FOR: Final = ("chains", "stones", "units")
"""What points are for, by the number in a POINTS entry."""


def beside(cells: int) -> int:
    """Return the cells orthogonally adjacent to any of these cells, which may be among them."""
    return cells >> SIZE | cells << SIZE & FULL | (cells & NOT_FIRST_STREET) >> 1 | (cells & NOT_LAST_STREET) << 1


def cells_in(mask: int) -> list[int]:
    """List the cells of a mask, rising."""
    cells = []
    while mask:
        lowest = mask & -mask
        cells.append(lowest.bit_length() - 1)
        mask ^= lowest
    return cells


JOKER: Final = 7  # red
BLUE_JOKER: Final = 15
RENOVATION: Final = 16  # of this and the next four kinds the red card; the blue one is one more
RUIN: Final = 18
SPECULATION: Final = 20
DEVELOPER: Final = 22
STATICS: Final = 24
STOP: Final = 26

BACKS: Final = ("red", "blue")
KINDS: Final = ("renovation", "ruin", "speculation", "developer", "statics")

CARDS_TEXT: Final = (
    *(f"avenue {number}" for number in (*range(1, 8), "*")),
    *(f"street {number}" for number in (*range(1, 8), "*")),
    *(f"{kind} {back}" for kind in KINDS for back in BACKS),
    "stop",
)
BACK: Final = bytes([0] * 8 + [1] * 8 + [0, 1] * 5)
"""0 for a red back, 1 for a blue one, by card. The stop card is not in it, because it is never held."""
HELD: Final = [1 << card for card in range(STOP)]
"""The bit of each card in a mask of the cards in a hand."""
ONE_BITS: Final = bytes(mask.bit_count() for mask in range(1 << SIZE))
"""The number of cells in each mask of seven cells."""
ONE: Final = [bytes((card,)) for card in range(STOP + 1)]
"""Each card as bytes."""
STOPS: Final = bytes((STOP, STOP))


def _stock(actions: bool) -> bytes:
    """Return the cards of the unshuffled stock, in the order of the setup list in RULES.md."""
    avenues = [card for card in range(7) for _ in range(4)] + [JOKER] * 5
    streets = [8 + card for card in avenues]
    red = [RENOVATION, RUIN, SPECULATION, DEVELOPER, DEVELOPER, STATICS]
    return bytes([*avenues, *streets, *(red + [card + 1 for card in red] if actions else ())])


STOCK: Final = _stock(False)
"""The 66 cards of the basic game, unshuffled."""
STOCK_WITH_ACTIONS: Final = _stock(True)
"""The same with the twelve action cards."""
