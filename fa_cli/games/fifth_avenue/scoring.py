"""Points: of a district, of a building stop, of Central Park. Pure functions of the board's lists.

`tiles`, `height` and `home` are the lists of `State`; `beside` is one side's `NEIGHBOURS`.
"""

from __future__ import annotations

from collections.abc import Sequence

from .board import POINTS_BY_MASK, POINTS_BY_TYPES, TYPES_ON


def plot_value(tiles: list[int], beside: list[tuple[int, int]], plot: int) -> int:
    """Points of one skyscraper on the plot: by the different types of business on the two plots beside it."""
    left, right = beside[plot]
    return POINTS_BY_MASK[TYPES_ON[tiles[left]] | TYPES_ON[tiles[right]]]


def district_points(
    tiles: list[int],
    height: list[int],
    home: list[int],
    beside: list[tuple[int, int]],
    players: int,
    district: int,
) -> list[int]:
    """Points per seat when the district is scored: each skyscraper its plot's value."""
    points = []
    for place in range(district, 7 * players, 7):
        plot = home[place]
        points.append(height[plot] * plot_value(tiles, beside, plot) if plot >= 0 else 0)
    return points


def stop_points(normal: Sequence[int], skyscrapers: int, winner: int) -> list[int]:
    """Points per seat when `winner` stops a district (FA-17): he one for each skyscraper there, the others half.

    `normal` is what a normal scoring would give; a winner that is no seat (Alea) leaves half to everybody (FA-19).
    """
    return [skyscrapers if seat == winner else points // 2 for seat, points in enumerate(normal)]


def park_value(shown: Sequence[int]) -> int:
    """Points of each skyscraper at Central Park: by the different types among the tiles turned up (at most three).

    Without a tile it counts as with one type (FA-21).
    """
    return POINTS_BY_TYPES[max(1, len(set(shown)))]
