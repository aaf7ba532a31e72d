"""The board and the stones of New York as data: cells as numbers, sets of cells as bit masks.

A cell's number is 7 * (avenue - 1) + street - 1; bit n of a mask is cell n. Lines have numbers too: the avenues 0-6,
the streets 7-13.
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
"""By line: the mask of its cells."""
REACHED_AVENUES: Final = [
    FULL if held >> 7 else sum(LINES[line] for line in range(SIZE) if held >> line & 1) for held in range(256)
]
"""By mask of the red cards held (bit 7: the joker): mask of the cells that they reach."""
REACHED_STREETS: Final = [
    FULL if held >> 7 else sum(LINES[SIZE + line] for line in range(SIZE) if held >> line & 1) for held in range(256)
]
"""The same for the blue cards."""
LINE_CELLS: Final = [[cell for cell in range(CELLS) if line >> cell & 1] for line in LINES]
"""By line: its cells in order."""
AVENUE_OF: Final = [LINES[cell // SIZE] for cell in range(CELLS)]
"""By cell: the mask of its avenue."""
STREET_OF: Final = [LINES[SIZE + cell % SIZE] for cell in range(CELLS)]
"""By cell: the mask of its street."""
AVENUE_AT: Final = [len(COLOURS) * (cell // SIZE) for cell in range(CELLS)]
"""By cell: the index in `State.lines` where the counts of its avenue begin."""
STREET_AT: Final = [len(COLOURS) * (SIZE + cell % SIZE) for cell in range(CELLS)]
"""By cell: the index in `State.lines` where the counts of its street begin."""

MIDDLE: Final = 1 << 17 | 1 << 23 | 1 << 24 | 1 << 25 | 1 << 31
"""The cells that a renovation clears: a4s4 and its four neighbours."""
CORNERS: Final = 1 << 0 | 1 << 6 | 1 << 42 | 1 << 48
"""The cells that a ruin clears."""

NOT_FIRST_STREET: Final = FULL ^ LINES[SIZE]
NOT_LAST_STREET: Final = FULL ^ LINES[SIZE + 6]

PLAYERS: Final = (2, 3, 4, 5)
COLOURS_IN_PLAY: Final = {2: 4, 3: 3, 4: 4, 5: 5}
"""By number of players: how many of COLOURS take part."""
STONES_OF: Final = {2: 20, 3: 25, 4: 20, 5: 15}
"""By number of players: stones of each colour."""
UNITS_OF: Final = {2: 12, 3: 8, 4: 6, 5: 5}
"""By number of players: purchase units that each player starts with."""
FIRST_STONES_OF: Final = {2: 6, 3: 8, 4: 6, 5: 5}
"""By number of players: stones of each colour that are placed before the first turn."""

SPECULATION_ABOVE: Final = 8
"""Speculation needs more than this many stones of the named colour on the board."""
STOP_AT: Final = 4
"""The stop cards enter the discard pile when at most this many cells are empty (NY-6)."""


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
