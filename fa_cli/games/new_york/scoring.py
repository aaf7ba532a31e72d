"""Points in New York (NY-10, NY-11): pure functions of masks of cells."""

from __future__ import annotations

from .board import NOT_FIRST_STREET, NOT_LAST_STREET, SIZE, beside


def longest_group(stones: int) -> int:
    """The size of the largest set of two stones or more that are joined orthogonally; 0 without one."""
    most = 0
    stones &= beside(stones)
    while stones.bit_count() > most:
        group, grown = 0, stones & -stones
        while grown != group:
            group = grown
            along = (group & NOT_FIRST_STREET) >> 1 | (group & NOT_LAST_STREET) << 1
            grown = (group | along | group >> SIZE | group << SIZE) & stones
        stones ^= group
        size = group.bit_count()
        if size > most:
            most = size
    return most


def longest_line(stones: int) -> int:
    """The length of the longest unbroken run of two stones or more in one avenue or street; 0 without one."""
    length = 1
    along = stones & (stones & NOT_FIRST_STREET) >> 1
    across = stones & stones >> SIZE
    while along or across:
        length += 1
        along &= (along & NOT_FIRST_STREET) >> 1
        across &= across >> SIZE
    return length if length > 1 else 0


def points_for(chains: list[int], stones: int, units: int) -> tuple[int, int, int]:
    """Points for a player's longest chains (one per colour), for other stones on the board and for purchase units.

    With two colours (two players, NY-11) other stones count nothing.
    """
    return 2 * sum(chains), stones - chains[0] if len(chains) == 1 else 0, units
