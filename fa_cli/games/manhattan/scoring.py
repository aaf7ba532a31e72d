"""The scoring of Manhattan: what a board is worth, as pure functions of its towers."""

from __future__ import annotations

from collections.abc import Iterator

from .board import CITIES, COLOURS, SITES
from .tables import HEIGHT, OWNER

# What points are for, in the journal's POINTS entries: 4 * this + colour. 0 to 5 is a city.
FOR_HIGHEST, FOR_TOWERS = 6, 7

HIGHEST_POINTS, CITY_POINTS, TOWER_POINTS = 3, 2, 1


def highest(cells: list[int]) -> int:
    """The colour that owns the one tower higher than every other; -1 when several are the highest, or none is there."""
    top, second = sorted(cells)[:-3:-1]
    return (top >> OWNER & 7) - 1 if top >> HEIGHT > second >> HEIGHT else -1


def majority(towers: list[int]) -> int:
    """The colour with more towers than each other one, of the numbers of towers by colour; -1 for none."""
    most = max(towers)
    return towers.index(most) if towers.count(most) == 1 else -1


def awards(cells: list[int]) -> Iterator[tuple[int, int, int]]:
    """Every award of one scoring: points, colour, and what for."""
    colour = highest(cells)
    if colour >= 0:
        yield HIGHEST_POINTS, colour, FOR_HIGHEST
    owners = bytes([cell >> OWNER & 7 for cell in cells])  # by tower, 0 for an empty site
    for city in range(len(CITIES)):
        first = SITES * city
        colour = majority([owners.count(owner, first, first + SITES) for owner in range(1, len(COLOURS) + 1)])
        if colour >= 0:
            yield CITY_POINTS, colour, city
    for colour in range(len(COLOURS)):
        count = owners.count(colour + 1)
        if count:
            yield count * TOWER_POINTS, colour, FOR_TOWERS
