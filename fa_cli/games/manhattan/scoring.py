"""The scoring of Manhattan: what a board is worth, as pure functions of its towers.

How many towers each colour has, in a city or on the board, is packed into one number, eight bits for each colour.
"""

from __future__ import annotations

from functools import cache

from .board import COLOURS
from .tables import HEIGHT, OWNER

# What points are for, in the journal's POINTS entries: 4 * this + colour. 0 to 5 is a city.
FOR_HIGHEST, FOR_TOWERS = 6, 7

HIGHEST_POINTS, CITY_POINTS, TOWER_POINTS = 3, 2, 1

Award = tuple[int, int, int]
"""Points, colour, and what for."""


def highest(cells: list[int]) -> int:
    """The colour that owns the one tower higher than every other; -1 when several are the highest, or none is there."""
    top = second = 0
    for cell in cells:
        if cell > second:
            if cell > top:
                top, second = cell, top
            else:
                second = cell
    return (top >> OWNER & 7) - 1 if top >> HEIGHT > second >> HEIGHT else -1


def highest_height(cells: list[int]) -> tuple[int, int]:
    """The floors of the highest tower, and how many towers are that high."""
    heights = [cell >> HEIGHT for cell in cells]
    most = max(heights)
    return most, heights.count(most)


@cache
def majority(towers: int) -> int:
    """The colour with more towers than each other one; -1 for none."""
    counts = [towers >> 8 * colour & 255 for colour in range(len(COLOURS))]
    most = max(counts)
    return counts.index(most) if counts.count(most) == 1 else -1


def awards(cells: list[int], cities: list[int]) -> list[Award]:
    """Every award of one scoring: from the towers, and from their packed numbers by city."""
    found: list[Award] = []
    colour = highest(cells)
    if colour >= 0:
        found.append((HIGHEST_POINTS, colour, FOR_HIGHEST))
    for city, towers in enumerate(cities):
        colour = majority(towers)
        if colour >= 0:
            found.append((CITY_POINTS, colour, city))
    total = sum(cities)
    for colour in range(len(COLOURS)):
        count = total >> 8 * colour & 255
        if count:
            found.append((count * TOWER_POINTS, colour, FOR_TOWERS))
    return found
