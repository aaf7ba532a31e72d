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
from ..tables import GAPS, HEIGHT, OWNER

# Values named LATER or LASTING count once for each round after this one.
TOWER = (1.14, 1.23, 1.17, 1.15, 1.11, 1.19, 1.19)  # by threats now: points for a tower
TOWER_LATER = (0.0, -0.03, -0.10, -0.11, -0.19, -0.22, -0.22)
LASTING = (1.10, 1.19, 0.97, 0.89, 0.79, 0.67, 0.66, 0.72)  # by threats from supply: points for a tower
HIGHEST = (4.61, 1.43, 0.27)  # by threats now (none, one or two, more): points for the highest tower
HIGHEST_LATER = (-0.22, -0.07, 0.23)  # by its lead over the next tower in floors: less than 3, less than 5, more
BLOCK = (4.92, 5.13, 4.86, 5.28)  # by height: points for a block to be placed in this round
BLOCK_LATER = (0.50, 0.90, 1.07, 1.56)
MOST = 2.27  # points for the majority of towers in a city
MOST_LATER = 0.36

STAYS = (1.0, 0.88, 0.82, 0.77, 0.73, 0.70, 0.60)
"""By threats now: the probability that a tower has the same owner at the end of the round."""
LASTS = (1.0, 0.92, 0.88, 0.84, 0.80, 0.75, 0.70, 0.65)
"""By threats from supply: the probability that it then keeps its owner for another round."""
SOFT = 0.8
"""The probability that a lead of one tower brings the points for the majority."""

NOW = (0, 1, 2, 3, 4, 4, 5, 5, 5, *[6] * 20)
"""By number of blocks that threaten a tower now: the index in the tables by threats now."""
LATER = tuple(index for index, count in enumerate((1, 2, 3, 4, 5, 6, 8, 44)) for _ in range(count))
"""By number of blocks in supply that threaten a tower: the index in the tables by threats from supply."""

GAP = [tuple(gaps // 6**colour % 6 for colour in range(4)) for gaps in range(2048)]
"""By the gaps in a cell: the gap of each colour."""
LOW = (1 << HEIGHT) - 1
"""The bits of a cell that its safety depends on: owner and gaps."""


@lru_cache(maxsize=1 << 12)
def at_least(blocks: int) -> tuple[int, ...]:
    """Return by gap, 0 to 5, how many of these packed blocks close it."""
    counts = unpack_blocks(blocks)
    return tuple(sum(counts[max(0, gap - 1) :]) for gap in range(6))


Rival = tuple[int, int, int]
"""A rival colour with its blocks, packed: those chosen and those in supply."""
Entry = tuple[float, float, float, int]
"""A tower's points, probabilities that it stays and lasts, and its index in HIGHEST."""


class Towers(dict[int, Entry]):
    """A seat's towers by `cell & LOW`: points, probabilities that it stays and lasts, and its index in HIGHEST."""

    def __init__(self, later: int, rivals: Sequence[Rival]) -> None:
        self.later = later
        self.rivals = [(colour, at_least(chosen), at_least(supply)) for colour, chosen, supply in rivals]

    def __missing__(self, low: int) -> Entry:
        gaps = GAP[low & GAPS]
        now = NOW[sum([chosen[gaps[rival]] for rival, chosen, _ in self.rivals])]
        then = LATER[sum([supply[gaps[rival]] for rival, _, supply in self.rivals])]
        points = TOWER[now] + self.later * (TOWER_LATER[now] + LASTING[then])
        self[low] = entry = points, STAYS[now], STAYS[now] * LASTS[then], (now > 0) + (now > 2)
        return entry


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
