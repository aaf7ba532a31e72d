"""The evaluation of Manhattan positions: each seat's expected points at the end.

A tower's value depends on its threats, the rivals' blocks that could take it over: blocks chosen for this round
threaten it now, blocks in supply in later rounds. The weights were fitted to the outcomes of rounds and games in tens
of thousands of games between bots that use them, and against simpler bots.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import fsum

from ..board import CITIES, SITES, unpack_blocks
from ..state import State
from ..tables import HEIGHT, OWNER
from .towers import LOW, Entry, Rival, Towers

# Values named LATER or LASTING count once for each round after this one.
HIGHEST = (4.61, 1.43, 0.27)  # by threats now (none, one or two, more): points for the highest tower
HIGHEST_LATER = (-0.22, -0.07, 0.23)  # by its lead over the next tower in floors: less than 3, less than 5, more
BLOCK = (4.92, 5.13, 4.86, 5.28)  # by height: points for a block to be placed in this round
BLOCK_LATER = (0.50, 0.90, 1.07, 1.56)
MOST = 2.27  # points for the majority of towers in a city
MOST_LATER = 0.36

SOFT = 0.8
"""The probability that a lead of one tower brings the points for the majority."""


@lru_cache(maxsize=1 << 10)
def towers_of(later: int, *rivals: Rival) -> Towers:
    """Return the `Towers` of a seat; `rivals` has each rival colour with its blocks chosen and in supply."""
    return Towers(later, rivals)


def all_towers(state: State, chosen: list[int]) -> list[Towers]:
    """Return by colour its `Towers` while these blocks are to be placed."""
    players, supply = state.players, state.supply
    later = state.rounds() - state.round
    colours = range(4 if players != 3 else 3)
    by_seat = [
        towers_of(later, *[(rival, chosen[rival], supply[rival]) for rival in colours if rival % players != seat])
        for seat in range(players)
    ]
    return [by_seat[colour % players] for colour in colours]


def lead(counts: Sequence[float]) -> tuple[int, float]:
    """Return the index of the highest count, and the probability that it stays the highest."""
    second, first = sorted(counts)[-2:]
    return counts.index(first), min(1.0, (first - second) * SOFT)


def evaluate(state: State) -> list[float]:
    """Return by seat its expected points at the end."""
    cells, later = state.cells, state.rounds() - state.round
    towers = all_towers(state, state.chosen)
    points = [0.0] * 4
    for first in range(0, SITES * len(CITIES), SITES):
        now, then = [0.0] * 4, [0.0] * 4
        for cell in cells[first : first + SITES]:
            if cell:
                low = cell & LOW
                owner = (low >> OWNER) - 1
                value, stays, lasts, _ = towers[owner][low]
                points[owner] += value
                now[owner] += stays
                then[owner] += lasts
        leader, sure = lead(now)
        points[leader] += MOST * sure
        if later:
            leader, sure = lead(then)
            points[leader] += MOST_LATER * later * sure
    highest, second = sorted(cells)[:-3:-1]
    margin = (highest >> HEIGHT) - (second >> HEIGHT)
    if margin:
        owner = (highest >> OWNER & 7) - 1
        points[owner] += top(later, towers[owner][highest & LOW], margin)
    if state.left:  # while blocks are being selected, comparing them would favour the seats that have selected
        for colour in range(len(towers)):
            points[colour] += blocks(later, state.chosen[colour])
    return [scored + fsum(points[seat :: state.players]) for seat, scored in enumerate(state.points)]


def top(later: int, entry: Entry, margin: int) -> float:
    """Return what the highest tower, with this entry in `Towers`, is worth beyond a tower's ordinary value.

    `margin` is its lead over the next tower in floors.
    """
    return HIGHEST[entry[3]] + later * HIGHEST_LATER[(margin > 2) + (margin > 4)]


@lru_cache(maxsize=1 << 12)
def blocks(later: int, chosen: int) -> float:
    """Return what packed blocks to be placed in this round are worth."""
    counts = zip(unpack_blocks(chosen), BLOCK, BLOCK_LATER, strict=True)
    return fsum(count * (now + later * then) for count, now, then in counts)
