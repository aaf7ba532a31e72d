"""What a position of Manhattan is worth to each seat, for the search.

A tower counts by how many blocks of rivals could take it over: those chosen for this round threaten it now, those in
supply in the rounds to come. The weights were found by comparing positions with how their rounds and games ended, over
tens of thousands of games of bots that decide by them, against each other and against simpler ones.
"""

from functools import lru_cache

from fa_cli.games.manhattan.board import CITIES, SITES, unpack_blocks
from fa_cli.games.manhattan.tables import GAPS, HEIGHT, OWNER

# What is `later` counts once for each round after this one.
TOWER = (1.14, 1.23, 1.17, 1.15, 1.11, 1.19, 1.19)  # by threats now: points for a tower
TOWER_LATER = (0.0, -0.03, -0.10, -0.11, -0.19, -0.22, -0.22)
LASTING = (1.10, 1.19, 0.97, 0.89, 0.79, 0.67, 0.66, 0.72)  # by threats from supply: points for a tower, later
HIGHEST = (4.61, 1.43, 0.27)  # by threats now, none, one or two, more: points for the highest tower
HIGHEST_LATER = (-0.22, -0.07, 0.23)  # by how much higher it is than the next: less than 3, less than 5, more
BLOCK = (4.92, 5.13, 4.86, 5.28)  # by height: points for a block to be placed in this round
BLOCK_LATER = (0.50, 0.90, 1.07, 1.56)
MOST = 2.27  # points for the most towers in a city
MOST_LATER = 0.36

STAYS = (1.0, 0.88, 0.82, 0.77, 0.73, 0.70, 0.60)
"""By threats now: how likely a tower is its owner's at the end of the round."""
LASTS = (1.0, 0.92, 0.88, 0.84, 0.80, 0.75, 0.70, 0.65)
"""By threats from supply: how likely it then stays so for another round."""
SOFT = 0.8
"""How sure a lead of one tower makes the points for the most."""

NOW = (0, 1, 2, 3, 4, 4, 5, 5, 5, *[6] * 20)
"""By number of blocks that threaten a tower now: where it is in these tables."""
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
    """By `cell & LOW` of a seat's towers: points, how likely it stays and lasts, and its place in HIGHEST."""

    def __init__(self, later, rivals):
        self.later = later
        self.rivals = [(colour, at_least(chosen), at_least(supply)) for colour, chosen, supply in rivals]

    def __missing__(self, low):
        gaps = GAP[low & GAPS]
        now = NOW[sum([chosen[gaps[rival]] for rival, chosen, _ in self.rivals])]
        then = LATER[sum([supply[gaps[rival]] for rival, _, supply in self.rivals])]
        points = TOWER[now] + self.later * (TOWER_LATER[now] + LASTING[then])
        self[low] = entry = points, STAYS[now], STAYS[now] * LASTS[then], (now > 0) + (now > 2)
        return entry


@lru_cache(maxsize=1 << 10)
def towers_of(later, *rivals):
    """The towers of a seat whose rivals' colours have these blocks, chosen and in supply."""
    return Towers(later, rivals)


def all_towers(state, chosen):
    """By colour: its towers, while these blocks are to be placed."""
    players, supply = state.players, state.supply
    later = state.rounds() - state.round
    colours = range(4 if players != 3 else 3)
    by_seat = [
        towers_of(later, *[(rival, chosen[rival], supply[rival]) for rival in colours if rival % players != seat])
        for seat in range(players)
    ]
    return [by_seat[colour % players] for colour in colours]


def lead(counts):
    """Who has the most of these, and how sure that is."""
    second, first = sorted(counts)[-2:]
    return counts.index(first), min(1.0, (first - second) * SOFT)


def evaluate(state):
    """By seat: the points it may have in the end."""
    cells, later = state.cells, state.rounds() - state.round
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
        points[leader] += MOST * sure
        if later:
            leader, sure = lead(then)
            points[leader] += MOST_LATER * later * sure
    highest, second = sorted(cells)[:-3:-1]
    margin = (highest >> HEIGHT) - (second >> HEIGHT)
    if margin:
        owner = (highest >> OWNER & 7) - 1
        points[owner] += top(later, towers[owner][highest & LOW], margin)
    if state.left:  # before that not everybody has chosen, and all have equally many
        for colour in range(len(towers)):
            points[colour] += blocks(later, state.chosen[colour])
    return [mine + sum(points[seat :: state.players]) for seat, mine in enumerate(state.points)]


def top(later, entry, margin):
    """What the highest tower is worth, so much higher than the next, beyond what every tower is."""
    return HIGHEST[entry[3]] + later * HIGHEST_LATER[(margin > 2) + (margin > 4)]


@lru_cache(maxsize=1 << 12)
def blocks(later, chosen):
    """What packed blocks are worth that are to be placed in this round."""
    counts = zip(unpack_blocks(chosen), BLOCK, BLOCK_LATER, strict=True)
    return sum(count * (now + later * then) for count, now, then in counts)
