"""Points for a district, a building stop and Central Park, as pure functions of the board.

`tiles`, `height` and `home` are lists of `State`; `neighbours` is the entry of `board.NEIGHBOURS` for one side.
"""

from __future__ import annotations

from collections.abc import Sequence

from .board import POINTS_BY_MASK, POINTS_BY_TYPES, TYPES_ON


def plot_value(tiles: list[int], neighbours: list[tuple[int, int]], plot: int) -> int:
    """Return the points of one skyscraper on the plot, by the types of business on its two neighbours."""
    left, right = neighbours[plot]
    return POINTS_BY_MASK[TYPES_ON[tiles[left]] | TYPES_ON[tiles[right]]]


def district_points(
    tiles: list[int],
    height: list[int],
    home: list[int],
    neighbours: list[tuple[int, int]],
    players: int,
    district: int,
) -> list[int]:
    """Return by seat the points when the district is scored: the plot's value for each skyscraper."""
    points = []
    for index in range(district, 7 * players, 7):
        plot = home[index]
        points.append(height[plot] * plot_value(tiles, neighbours, plot) if plot >= 0 else 0)
    return points


def stop_points(normal: Sequence[int], skyscrapers: int, winner: int) -> list[int]:
    """Return by seat the points when `winner` stops a district (FA-17).

    The winner gets one point per skyscraper there, all others half of `normal`, the points of a normal scoring. If
    the winner is Alea, who is not a seat, every seat gets half (FA-19).
    """
    return [skyscrapers if seat == winner else points // 2 for seat, points in enumerate(normal)]


def park_value(shown: Sequence[int]) -> int:
    """Return the points of each skyscraper at Central Park, by the types of the tiles turned up (at most three).

    No tile counts as one type (FA-21).
    """
    return POINTS_BY_TYPES[max(1, len(set(shown)))]
