"""Points in New York (NY-10, NY-11): pure functions of masks of cells."""

from __future__ import annotations

from .board import NOT_FIRST_STREET, SIZE, beside


def longest_group(stones: int) -> int:
    """The size of the largest set of stones joined orthogonally."""
    most = 0
    while stones:
        group, grown = 0, stones & -stones
        while grown != group:
            group = grown
            grown |= beside(group) & stones
        stones ^= group
        most = max(most, group.bit_count())
    return most


def longest_line(stones: int) -> int:
    """The length of the longest unbroken run of stones in one avenue or street."""
    length, along, across = 0, stones, stones
    while along or across:
        length += 1
        along &= (along & NOT_FIRST_STREET) >> 1
        across &= across >> SIZE
    return length


def longest_chain(stones: int, groups: bool) -> int:
    """The longest chain as a group or as a line; a chain is two stones or more, so 0 for stones that stand alone."""
    length = longest_group(stones) if groups else longest_line(stones)
    return length if length > 1 else 0


def points_for(chains: list[int], stones: int, units: int) -> tuple[int, int, int]:
    """Points for a player's longest chains (one per colour), for other stones on the board and for purchase units.

    With two colours (two players, NY-11) other stones count nothing.
    """
    return 2 * sum(chains), stones - chains[0] if len(chains) == 1 else 0, units
