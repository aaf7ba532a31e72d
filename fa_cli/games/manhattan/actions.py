"""The action table of Manhattan. An action's number is its index in `ACTIONS`; legal actions are in this order."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from typing import Final

from .board import BLOCKS, CITIES, COLOURS, HEIGHTS, SITES, pack_blocks


def _selections(size: int) -> list[tuple[int, ...]]:
    """List the selections of `size` blocks of one colour as counts by height, sorted by their heights."""
    selections = (tuple(map(heights.count, HEIGHTS)) for heights in combinations_with_replacement(HEIGHTS, size))
    return [counts for counts in selections if all(count <= limit for count, limit in zip(counts, BLOCKS, strict=True))]


_FOURS: Final = _selections(4)
_SELECTIONS: Final = _FOURS + _selections(6)

SELECTED: Final = [pack_blocks(counts) for counts in _SELECTIONS]
"""The blocks, packed, by number of a `select` action."""
SELECT_SIX: Final = len(_FOURS)
"""The first `select` action of six blocks."""

Play = tuple[int, int, int, int]
"""A build or discard: card, city (-1: discard), height, colour (-1: not named). All count from 0, heights too."""

PLAYS: Final[list[Play]] = [
    (card, city, height, colour)
    for cities in (range(len(CITIES)), (-1,))
    for colours in ((-1,), range(len(COLOURS)))
    for card, city, height, colour in product(range(SITES), cities, range(len(HEIGHTS)), colours)
]
"""All builds and discards, by number of the action - BUILD."""

BUILD: Final = len(SELECTED)
"""The first `build` action; the actions before it are selections."""
CARD_OF: Final = [-1] * BUILD + [card for card, _, _, _ in PLAYS]
"""The card that each action plays, -1 for a selection."""
NUMBERS: Final = {play: BUILD + index for index, play in enumerate(PLAYS)}
"""The action of each build or discard."""


def _select_text(counts: tuple[int, ...]) -> str:
    heights = (str(height) for height, count in zip(HEIGHTS, counts, strict=True) for _ in range(count))
    return f"select {' '.join(heights)}"


def _play_text(card: int, city: int, height: int, colour: int) -> str:
    what = f"build {card + 1} {CITIES[city]}" if city >= 0 else f"discard {card + 1}"
    return f"{what} {HEIGHTS[height]} {COLOURS[colour]}" if colour >= 0 else f"{what} {HEIGHTS[height]}"


ACTIONS: Final = (*map(_select_text, _SELECTIONS), *(_play_text(*play) for play in PLAYS))
