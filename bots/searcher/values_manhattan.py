"""What a position of Manhattan is worth to each seat, for the search.

A tower counts by how many blocks of rivals could take it over: those chosen for this round threaten it now, those in
supply in the rounds to come. The weights were found by comparing positions with how their rounds and games ended, over
tens of thousands of games of bots that decide by them, against each other and against simpler ones.
"""

from functools import lru_cache
from typing import NamedTuple

from fa_cli.games.manhattan.board import CITIES, SITES, unpack_blocks
from fa_cli.games.manhattan.tables import GAPS, HEIGHT, OWNER


class Weights(NamedTuple):
    """In points. What is `later` counts once for each round after this one."""

    tower: tuple[float, ...]  # by threats now: a tower
    tower_later: tuple[float, ...]  # by threats now
    lasting: tuple[float, ...]  # by threats from supply: a tower, later
    highest: tuple[float, ...]  # the highest tower, by threats now: none, one or two, more
    highest_later: tuple[float, ...]  # by how much higher it is than the next: less than 3, less than 5, more
    chosen: tuple[float, ...]  # by height: a block to be placed in this round
    chosen_later: tuple[float, ...]
    supply: tuple[float, ...]  # by height: a block to be chosen in a later round
    supply_later: tuple[float, ...]
    most: float  # the most towers in a city
    most_later: float


TWO = Weights(
    tower=(1.07, 1.24, 1.23, 1.24, 1.19, 1.21, 1.21),
    tower_later=(0.0, -0.06, -0.15, -0.18, -0.24, -0.31, -0.31),
    lasting=(1.34, 1.17, 1.10, 1.01, 0.93, 0.84, 0.78, 0.68),
    highest=(4.05, 1.44, 0.47),
    highest_later=(-0.41, -0.17, 0.06),
    chosen=(4.80, 5.22, 5.29, 5.75),
    chosen_later=(0.61, 0.94, 1.12, 1.50),
    supply=(-0.44, -0.47, 0.79, 0.12),
    supply_later=(-0.29, 0.13, -0.22, 0.38),
    most=2.25,
    most_later=0.36,
)
WEIGHTS = {2: TWO, 3: TWO, 4: TWO}
"""By number of players."""

STAYS = (1.0, 0.88, 0.82, 0.77, 0.73, 0.70, 0.60)
"""By threats now: how likely a tower is its owner's at the end of the round."""
LASTS = (1.0, 0.92, 0.88, 0.84, 0.80, 0.75, 0.70, 0.65)
"""By threats from supply: how likely it then stays so for another round."""
SOFT = 0.8
"""How sure a lead of one tower makes the points for the most."""

NOW = (0, 1, 2, 3, 4, 4, 5, 5, 5, *[6] * 20)
"""By number of blocks that threaten a tower now: where it is in the weights."""
LATER = tuple(place for place, count in enumerate((1, 2, 3, 4, 5, 6, 8, 44)) for _ in range(count))
"""The same for those from supply."""

GAP = [tuple(gaps // 6**colour % 6 for colour in range(4)) for gaps in range(2048)]
"""By the gaps of a cell: each colour's."""
LOW = (1 << HEIGHT) - 1
"""The bits of a cell that say how sure a tower is: whose, and the gaps."""


@lru_cache(maxsize=1 << 12)
def at_least(blocks):
    """By gap, 0 to 5: how many of these packed blocks close it."""
    counts = unpack_blocks(blocks)
    return tuple(sum(counts[max(0, gap - 1) :]) for gap in range(6))


class Towers(dict):
    """By `cell & LOW` of a seat's towers: points, how likely it stays and lasts, and its place in Weights.highest."""

    def __init__(self, weights, rivals, later):
        self.weights, self.later = weights, later
        self.rivals = [(colour, at_least(chosen), at_least(supply)) for colour, chosen, supply in rivals]

    def __missing__(self, low):
        gaps, weights = GAP[low & GAPS], self.weights
        now = NOW[sum([chosen[gaps[rival]] for rival, chosen, _ in self.rivals])]
        later = LATER[sum([supply[gaps[rival]] for rival, _, supply in self.rivals])]
        points = weights.tower[now] + self.later * (weights.tower_later[now] + weights.lasting[later])
        self[low] = entry = points, STAYS[now], STAYS[now] * LASTS[later], (now > 0) + (now > 2)
        return entry


@lru_cache(maxsize=1 << 10)
def towers_of(players, later, *rivals):
    """The towers of a seat whose rivals' colours have these blocks, chosen and in supply."""
    return Towers(WEIGHTS[players], rivals, later)


def all_towers(state, chosen):
    """By colour: its towers, while these blocks are to be placed."""
    players, supply = state.players, state.supply
    later = state.rounds() - state.round
    colours = range(4 if players != 3 else 3)
    by_seat = [
        towers_of(players, later, *[(c, chosen[c], supply[c]) for c in colours if c % players != seat])
        for seat in range(players)
    ]
    return [by_seat[colour % players] for colour in colours]


def lead(counts):
    """Who has the most of these, and how sure that is."""
    second, first = sorted(counts)[-2:]
    return counts.index(first), min(1.0, (first - second) * SOFT)


def evaluate(state):
    """By seat: the points it may have in the end."""
    players, cells = state.players, state.cells
    weights, later = WEIGHTS[players], state.rounds() - state.round
    towers = all_towers(state, state.chosen)
    points = [0.0] * 4
    for first in range(0, SITES * len(CITIES), SITES):
        now, then = [0.0] * 4, [0.0] * 4
        for cell in cells[first : first + SITES]:
            if cell:
                low = cell & LOW
                owner = (low >> OWNER) - 1
                worth, stays, lasts, _ = towers[owner][low]
                points[owner] += worth
                now[owner] += stays
                then[owner] += lasts
        leader, sure = lead(now)
        points[leader] += weights.most * sure
        if later:
            leader, sure = lead(then)
            points[leader] += weights.most_later * later * sure
    highest, second = sorted(cells)[:-3:-1]
    margin = (highest >> HEIGHT) - (second >> HEIGHT)
    if margin:
        owner = (highest >> OWNER & 7) - 1
        points[owner] += top(weights, later, towers[owner][highest & LOW], margin)
    for colour in range(len(towers)):
        points[colour] += blocks(players, later, state.chosen[colour], state.supply[colour])
    return [mine + sum(points[seat::players]) for seat, mine in enumerate(state.points)]


def top(weights, later, entry, margin):
    """What the highest tower is worth, so much higher than the next, beyond what every tower is."""
    return weights.highest[entry[3]] + later * weights.highest_later[(margin > 2) + (margin > 4)]


@lru_cache(maxsize=1 << 12)
def blocks(players, later, chosen, supply):
    """What blocks are worth that are to be placed."""
    weights = WEIGHTS[players]
    value = 0.0
    for height, (now, then) in enumerate(zip(unpack_blocks(chosen), unpack_blocks(supply), strict=True)):
        value += now * (weights.chosen[height] + later * weights.chosen_later[height])
        if later:
            value += then * (weights.supply[height] + later * weights.supply_later[height])
    return value
