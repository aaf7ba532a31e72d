"""Manhattan for the search: opinions on actions, and what a position is worth.

A tower counts by how surely it stays its owner's until the round is scored, and until later rounds are. Colours and
towers are numbered as in the game's state; see the game's tables.py for what a tower's number, its cell, holds.
"""

from functools import lru_cache
from math import dist

from tree import win_shares

from fa_cli.games.manhattan.actions import SELECTED
from fa_cli.games.manhattan.board import CITIES, SITES, unpack_blocks
from fa_cli.games.manhattan.tables import GAPS, HEIGHT, OWNER

# How it searches: see tree.py.
ITERATIONS = 40
EXPLORE = 0.12
TRUST = 6.0
PAIRED = 4
WIDTH = 4.0
WIDEN = 1.5
SCALE = 6.0

NOW = 0.02  # how likely one block that could take a tower over before the next scoring will do it
LATER = 0.03  # the same before a later scoring
DISCOUNT = 0.4  # how much a later scoring counts
SOFT = 0.8  # how sure a lead of one tower makes the points for the most
BLOCK = 0.6  # points that a floor is worth while there are other blocks to place
KEPT = 0.4  # the same in a position
TILT = -0.6  # how far it prefers low blocks in the first rounds: high towers are its own for long
TOP = 3.0  # points for the highest tower
TOP_LATER = 0.3  # how much of them a later scoring counts

# What a position is worth, found by comparing positions with how their games ended.
OWNED_LATER = 0.75  # points that a tower brings in each later round
MOST_NOW = 1.0  # points for the most towers in a city at the next scoring
MOST_LATER = 1.4  # and in each later one
HIGHEST = 2.2
TURN = 4.4  # points that a block is worth that is still to be placed in this round
TURN_LATER = 0.9  # and for each later round as much more

GAP = [tuple(gaps // 6**colour % 6 for colour in range(4)) for gaps in range(2048)]
"""By the gaps of a cell: each colour's."""


def prepare():
    """Tables that follow from the weights."""
    global STAYS_NOW, STAYS_LATER
    STAYS_NOW = [(1 - NOW) ** threats for threats in range(200)]
    STAYS_LATER = [(1 - LATER) ** threats for threats in range(200)]


prepare()


def searches(state):
    """Whether there is something to search for."""
    return state.left > 0


def expect(state):
    """What each seat can expect of the game."""
    if state.actor < 0:
        return win_shares(state.points, SCALE / 4)
    done = (state.round - (state.left > 0) * 0.5) / state.rounds()
    return win_shares(evaluate(state), SCALE * (1 - 0.6 * done))


# -- what a position is worth ------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 12)
def at_least(blocks):
    """By gap, 0 to 5: how many of these packed blocks close it."""
    counts = unpack_blocks(blocks)
    return tuple(sum(counts[max(0, gap - 1) :]) for gap in range(6))


class Scorings:
    """The scorings to come: the next one, and the later ones as if they were one."""

    def __init__(self, state):
        self.players = state.players
        colours = range(4 if state.players != 3 else 3)
        self.colours = colours
        later = state.rounds() - state.round
        now = [at_least(state.chosen[colour]) for colour in colours]
        self.parts = [(1.0, STAYS_NOW, self.threats(now))]
        if later:
            after = [at_least(state.supply[colour]) for colour in colours]
            self.parts.append((DISCOUNT * later, STAYS_LATER, self.threats(after)))
        self.top = TOP * (1 + TOP_LATER * later)

    def threats(self, blocks):
        """By owner: the colours that threaten its towers, with what they have."""
        players = self.players
        return [
            [(rival, blocks[rival]) for rival in self.colours if (rival - owner) % players] for owner in self.colours
        ]

    def sure(self, part, cell):
        """How surely the tower stays its owner's."""
        _, stays, threats = part
        gaps = GAP[cell & GAPS]
        return stays[sum([blocks[gaps[rival]] for rival, blocks in threats[(cell >> OWNER & 7) - 1]])]

    def city(self, part, cells):
        """By colour: how many of these towers it may own."""
        counts = [0.0] * 4
        _, stays, threats = part
        for cell in cells:
            if cell:
                gaps = GAP[cell & GAPS]
                owner = (cell >> OWNER & 7) - 1
                number = 0
                for rival, blocks in threats[owner]:
                    number += blocks[gaps[rival]]
                counts[owner] += stays[number]
        return counts

    def award(self, points, counts, each, most):
        """Add to each seat's points what a city with these counts brings: for a tower, for having the most."""
        first = second = 0.0
        leader = 0
        for colour in self.colours:
            count = counts[colour]
            points[colour % self.players] += each * count
            if count > first:
                first, second, leader = count, first, colour
            elif count > second:
                second = count
        lead = (first - second) * SOFT
        points[leader % self.players] += most * (lead if lead < 1 else 1.0)


def evaluate(state):
    """By seat: the points it may have in the end."""
    points = [float(mine) for mine in state.points]
    scorings = Scorings(state)
    later = state.rounds() - state.round
    cells = state.cells
    weights = ((1 + OWNED_LATER * later, MOST_NOW), (0.0, MOST_LATER * later))
    for part, (each, most) in zip(scorings.parts, weights, strict=False):
        for first in range(0, SITES * len(CITIES), SITES):
            scorings.award(points, scorings.city(part, cells[first : first + SITES]), each, most)
    top = max(cells)
    if top:
        heights = [cell >> HEIGHT for cell in cells]
        if heights.count(top >> HEIGHT) == 1:
            points[((top >> OWNER & 7) - 1) % state.players] += HIGHEST
    if state.left:
        turn = TURN + TURN_LATER * later if state.players == 2 else TURN / 2
        for colour in scorings.colours:
            chosen = state.chosen[colour]
            points[colour % state.players] += KEPT * floors(chosen) + turn * sum(unpack_blocks(chosen))
    return points


@lru_cache(maxsize=1 << 12)
def floors(blocks):
    """Of packed blocks: their floors, beyond one each."""
    return sum(count * place for place, count in enumerate(unpack_blocks(blocks)))


# -- opinions ----------------------------------------------------------------------------------------------------------


def opinions(state, legal):
    """What each of these actions is worth to the actor, in points."""
    return on_builds(state, legal) if state.left else on_selections(state, legal)


def on_selections(state, legal):
    """An even share of the supply, tilted to low blocks in the first rounds and to high ones in the last."""
    supply = unpack_blocks(state.supply[state.selecting_colour()])
    progress = state.round / max(1, state.rounds() - 1) - 0.5
    weights = [max(0.01, count * (1 + TILT * progress * (height - 1.5))) for height, count in enumerate(supply)]
    share = state.blocks / sum(weights)
    even = [share * weight for weight in weights]
    return [-dist(unpack_blocks(SELECTED[action]), even) for action in legal]


def on_builds(state, legal):
    seat, table, cells = state.actor, state.table, state.cells
    scorings = Scorings(state)
    left = min(1.0, (sum(sum(unpack_blocks(state.chosen[colour])) for colour in table.owned[seat]) - 1) / 3)
    heights = sorted([cell >> HEIGHT for cell in cells], reverse=True)
    top_owner = (max(cells) >> OWNER & 7) - 1 if heights[0] > heights[1] else -1
    hurt = 1 / (state.players - 1)
    held = 0.0
    if top_owner >= 0:
        held = scorings.top * (1.0 if top_owner % state.players == seat else -hurt)
    cities = {}
    values = []
    for action in legal:
        tower, _, city, block, *_ = table.moves[seat][action]
        height = (block & 3) + 1
        if tower < 0:
            values.append(-float(height))
            continue
        if city not in cities:
            cities[city] = City(scorings, seat, hurt, cells[SITES * city : SITES * city + SITES])
        cell = cells[tower]
        key = (cell & GAPS) << 4 | block
        new = (table.steps[key] or table.step(key))[0]
        value = cities[city].change(cell, new)
        reached = (cell >> HEIGHT) + height
        rest = heights[1] if cell >> HEIGHT == heights[0] else heights[0]
        if reached > rest:
            value += scorings.top - held
        elif reached == rest:
            value -= held
        values.append(value - BLOCK * height * left)
    return values


class City:
    """What changes of one tower are worth to a seat."""

    def __init__(self, scorings, seat, hurt, cells):
        self.scorings, self.seat, self.hurt = scorings, seat, hurt
        self.counts = [scorings.city(part, cells) for part in scorings.parts]
        self.now = self.balance(self.counts)
        self.known = {}

    def change(self, old, new):
        key = old, new
        value = self.known.get(key)
        if value is None:
            counts = []
            for part, before in zip(self.scorings.parts, self.counts, strict=True):
                after = before[:]
                if old:
                    after[(old >> OWNER & 7) - 1] -= self.scorings.sure(part, old)
                after[(new >> OWNER & 7) - 1] += self.scorings.sure(part, new)
                counts.append(after)
            value = self.known[key] = self.balance(counts) - self.now
        return value

    def balance(self, counts):
        points = [0.0] * self.scorings.players
        for part, count in zip(self.scorings.parts, counts, strict=True):
            self.scorings.award(points, count, part[0], 2 * part[0])
        mine = points[self.seat]
        return mine - self.hurt * (sum(points) - mine)
