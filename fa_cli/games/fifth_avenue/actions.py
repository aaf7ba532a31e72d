"""The action table of Fifth Avenue. An action's number is its index in `ACTIONS`; legal actions are in this order."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from .board import (
    BUSINESSES,
    CARDS_TEXT,
    COLOURS,
    COMMISSIONERS,
    DISTRICTS,
    PLACES,
    PLOTS,
    PLOTS_TEXT,
    successors,
)

ACTIONS: Final = (
    "pass",
    "done",
    *(f"build {count}" for count in range(4)),
    "stop",
    "commissioner",
    "skyscrapers",
    *(f"score {district}" for district in DISTRICTS),
    "draw none",
    *(f"draw {colour}" for colour in COLOURS),
    *(f"draw {first} {second}" for first, second in combinations(COLOURS, 2)),
    *(f"move {who} {place}" for who in COMMISSIONERS for place in PLACES),
    *(f"bid {card}" for card in CARDS_TEXT),
    *(f"business {tile} {plot}" for tile in BUSINESSES for plot in PLOTS_TEXT),
    *(f"place {plot}" for plot in PLOTS_TEXT),
)

PASS: Final = 0
DONE: Final = 1
BUILD: Final = 2
STOP: Final = 6
COMMISSIONER: Final = 7
SKYSCRAPERS: Final = 8
SCORE: Final = 9
DRAW: Final = 16
MOVE: Final = 32
BID: Final = 50
BUSINESS: Final = 68
PLACE: Final = BUSINESS + 4 * PLOTS

PLACING: Final = 0  # the phases: the kind of the next decision
ACTING: Final = 1
DRAWING: Final = 2
MOVING: Final = 3
BIDDING: Final = 4
BUILDING: Final = 5
OVER: Final = 6

DRAWN: Final[list[tuple[int, ...]]] = [
    (),
    *((colour,) for colour in range(5)),
    *combinations(range(5), 2),
]
"""The colours (0-4) to draw, by action - DRAW."""


def _draws(stocked: int) -> list[int]:
    """Return the legal draws if the colours in the mask `stocked` have cards (FA-9)."""
    colours = [colour for colour in range(5) if stocked >> colour & 1]
    choices = list(combinations(colours, 2)) if len(colours) > 1 else [tuple(colours)]
    return [DRAW + DRAWN.index(choice) for choice in choices]


LEGAL_DRAWS: Final = [_draws(stocked) for stocked in range(32)]
"""The legal draws, by mask of the colour stacks that have cards."""

LEGAL_MOVES: Final = [
    [[MOVE + 9 * who + place for place in successors(at, stopped)] for at in range(9)]
    for stopped in (0, 1, 2, 4, 8, 16, 32, 64)
    for who in range(2)
]
"""The legal moves, by 2k + commissioner, then by its place; k: 0, or 1 + the stopped district."""

LEGAL_BUILDS: Final = [[BUILD + count for count in range(most + 1)] for most in range(4)]
"""The legal builds, by the highest number of skyscrapers allowed."""

FIRST_BIDS: Final = [
    [[BID + 3 * suit + value for value in range(3) if held >> value & 1] for held in range(8)] for suit in range(6)
]
"""The bids of one card, by suit, then by mask of the values held."""

LEGAL_RAISES: Final = [
    [[[*start, *FIRST_BIDS[0][held >> 3], *FIRST_BIDS[suit][held & 7]] for held in range(64)] for suit in range(6)]
    for start in ([], [DONE], [PASS])
]
"""The legal actions once a suit is chosen: by 0 (must lay a card), 1 (may also be done) or 2 (may also pass), then by
suit, then by 8 * mask of the black values held + mask of the suit's values held."""
