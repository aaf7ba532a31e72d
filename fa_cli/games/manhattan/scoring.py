"""The scoring of Manhattan as pure functions of the towers.

Numbers of towers by colour are packed into one number, eight bits per colour.
"""

from __future__ import annotations

from functools import cache

from .board import COLOURS
from .tables import HEIGHT, OWNER

# What points are for. POINTS entries of the journal hold 4 * this + colour. 0 to 5 are the cities.
FOR_HIGHEST, FOR_TOWERS = 6, 7

HIGHEST_POINTS, CITY_POINTS, TOWER_POINTS = 3, 2, 1

Award = tuple[int, int, int]
"""Points, the colour that gets them, and what they are for."""


def highest(cells: list[int]) -> int:
    """Return the colour that owns the highest tower; -1 if several towers are highest or there is none."""
    second, top = sorted(cells)[-2:]
    return (top >> OWNER & 7) - 1 if top >> HEIGHT > second >> HEIGHT else -1


def highest_height(cells: list[int]) -> tuple[int, int]:
    """Return the height of the highest tower in floors, and how many towers are that high."""
    heights = [cell >> HEIGHT for cell in cells]
    top = max(heights)
    return top, heights.count(top)


@cache
def majority(towers: int) -> int:
    """Return the colour with more towers than every other colour; -1 if there is none."""
    counts = [towers >> 8 * colour & 255 for colour in range(len(COLOURS))]
    most = max(counts)
    return counts.index(most) if counts.count(most) == 1 else -1


def awards(cells: list[int], cities: list[int]) -> list[Award]:
    """List the awards of one scoring.

    `cells` is by tower (tables.py); `cities` is by city the packed numbers of towers by colour.
    """
    result: list[Award] = []
    colour = highest(cells)
    if colour >= 0:
        result.append((HIGHEST_POINTS, colour, FOR_HIGHEST))
    for city, towers in enumerate(cities):
        colour = majority(towers)
        if colour >= 0:
            result.append((CITY_POINTS, colour, city))
    total = sum(cities)
    for colour in range(len(COLOURS)):
        count = total >> 8 * colour & 255
        if count:
            result.append((count * TOWER_POINTS, colour, FOR_TOWERS))
    return result
