"""Points in New York (NY-10, NY-11): pure functions of masks of cells."""

from __future__ import annotations

from .board import NOT_FIRST_STREET, NOT_LAST_STREET, SIZE, beside


def longest_group(stones: int) -> int:
    """Return the size of the largest orthogonally connected group of at least two stones; 0 if there is none."""
    longest = 0
    stones &= beside(stones)
    while stones.bit_count() > longest:
        group, grown = 0, stones & -stones
        while grown != group:
            group = grown
            along = (group & NOT_FIRST_STREET) >> 1 | (group & NOT_LAST_STREET) << 1
            grown = (group | along | group >> SIZE | group << SIZE) & stones
        stones ^= group
        size = group.bit_count()
        if size > longest:
            longest = size
    return longest


def longest_line(stones: int) -> int:
    """Return the length of the longest run of at least two stones in one avenue or street; 0 if there is none."""
    length = 1
    along = stones & (stones & NOT_FIRST_STREET) >> 1
    across = stones & stones >> SIZE
    while along or across:
        length += 1
        along &= (along & NOT_FIRST_STREET) >> 1
        across &= across >> SIZE
    return length if length > 1 else 0


def points_for(chains: list[int], stones: int, units: int) -> tuple[int, int, int]:
    """Return a player's points for chains (the longest of each colour), for other stones and for purchase units.

    With two colours (two players, NY-11) other stones score nothing.
    """
    return 2 * sum(chains), stones - chains[0] if len(chains) == 1 else 0, units
