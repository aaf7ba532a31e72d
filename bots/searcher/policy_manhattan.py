"""Manhattan for the search: opinions on actions, and what a seat can expect.

Colours and towers are numbered as in the game's state; see the game's tables.py for what a tower's number, its cell,
holds.
"""

from math import dist

from tree import win_shares
from values_manhattan import LOW, MOST, MOST_LATER, all_towers, blocks, evaluate, lead, top

from fa_cli.games.manhattan.actions import SELECTED
from fa_cli.games.manhattan.board import SITES, unpack_blocks
from fa_cli.games.manhattan.tables import GAPS, HEIGHT, OWNER

# How it searches: see tree.py.
ITERATIONS = 40
EXPLORE = 0.12
TRUST = 6.0
PAIRED = 2
WIDTH = 2.0
WIDEN = 1.0
SCALE = 6.0

TILT = {2: 2.6, 3: 1.4, 4: 1.4}
"""By number of players: how far it prefers high blocks in the first rounds. No tower is as high later on."""


def searches(state):
    """Whether there is something to search for."""
    return state.left > 0


def expect(state):
    """What each seat can expect of the game."""
    if state.actor < 0:
        return win_shares(state.points, SCALE / 4)
    done = (state.round - (state.left > 0) * 0.5) / state.rounds()
    return win_shares(evaluate(state), SCALE * (1 - 0.6 * done))


# -- opinions ----------------------------------------------------------------------------------------------------------


def opinions(state, legal):
    """What each of these actions is worth to the actor, in points."""
    return Builds(state).values(legal) if state.left else on_selections(state, legal)


def on_selections(state, legal):
    """An even share of the supply, tilted to high blocks in the first rounds and to low ones in the last."""
    supply = unpack_blocks(state.supply[state.selecting_colour()])
    tilt, early = TILT[state.players], 0.5 - (state.round - 1) / (state.rounds() - 1)
    weights = [max(0.01, count * (1 + tilt * early * (height - 1.5))) for height, count in enumerate(supply)]
    share = state.blocks / sum(weights)
    even = [share * weight for weight in weights]
    return [-dist(unpack_blocks(SELECTED[action]), even) for action in legal]


class Builds:
    """What the actor's builds change, in points for it and against the others."""

    def __init__(self, state):
        self.state, self.seat = state, state.actor
        self.later = state.rounds() - state.round
        others = -1 / (state.players - 1)
        self.shares = [1.0 if colour % state.players == self.seat else others for colour in range(4)]
        self.towers = all_towers(state, state.chosen)
        cells = state.cells
        self.theirs = [cell & LOW for cell in cells if cell and ((cell >> OWNER & 7) - 1) % state.players != self.seat]
        highest, second = sorted(cells)[:-3:-1]
        self.highest, self.first, self.second = highest, highest >> HEIGHT, second >> HEIGHT
        self.held = self.top(highest, self.first - self.second)
        self.cities = {}
        self.spent = {}
        self.known = {}

    def values(self, legal):
        table, cells = self.state.table, self.state.cells
        moves = table.moves[self.seat]
        values = []
        for action in legal:
            tower, _, city, block, colour, piece, _ = moves[action]
            value = self.spent.get(block)
            if value is None:
                value = self.spent[block] = self.spend(colour, piece)
            if tower >= 0:
                cell = cells[tower]
                gaps = (cell & GAPS) << 4 | block
                new = (cell >> HEIGHT << HEIGHT) + (table.steps[gaps] or table.step(gaps))[0]
                value += self.change(city, cell, new) + self.height(cell, new)
            values.append(value)
        return values

    def spend(self, colour, piece):
        """What it costs not to have the block any more: it threatens no tower."""
        before = self.state.chosen
        chosen = before[:]
        chosen[colour] -= piece
        after = all_towers(self.state, chosen)
        value = blocks(self.later, chosen[colour]) - blocks(self.later, before[colour])
        for low in self.theirs:
            owner = (low >> OWNER) - 1
            value += self.shares[owner] * (after[owner][low][0] - self.towers[owner][low][0])
        return value

    def change(self, city, old, new):
        """What it brings that a tower becomes this one: by itself, and for the most towers in the city."""
        key = city, old & LOW, new & LOW
        value = self.known.get(key)
        if value is None:
            if city not in self.cities:
                self.cities[city] = self.counts(self.state.cells[SITES * city : SITES * city + SITES])
            now, then, before = self.cities[city]
            value, now, then = -before, now[:], then[:]
            for cell, sign in ((old, -1), (new, 1)):
                if cell:
                    owner = (cell >> OWNER & 7) - 1
                    worth, stays, lasts, _ = self.towers[owner][cell & LOW]
                    value += sign * self.shares[owner] * worth
                    now[owner] += sign * stays
                    then[owner] += sign * lasts
            value += self.most(now, then)
            self.known[key] = value
        return value

    def counts(self, cells):
        """By colour: how many of these towers it may own after this round, and later; and what the most bring."""
        now, then = [0.0] * 4, [0.0] * 4
        for cell in cells:
            if cell:
                owner = (cell >> OWNER & 7) - 1
                _, stays, lasts, _ = self.towers[owner][cell & LOW]
                now[owner] += stays
                then[owner] += lasts
        return now, then, self.most(now, then)

    def most(self, now, then):
        """What the most towers in a city bring, with so many by colour."""
        leader, sure = lead(now)
        value = self.shares[leader] * MOST * sure
        if self.later:
            leader, sure = lead(then)
            value += self.shares[leader] * MOST_LATER * self.later * sure
        return value

    def height(self, old, new):
        """What it brings for the highest tower that one becomes so high."""
        reached = new >> HEIGHT
        rest = self.second if old >> HEIGHT == self.first else self.first
        if reached >= rest:
            return self.top(new, reached - rest) - self.held
        return self.top(self.highest, self.first - reached) - self.held if reached > self.second else 0.0

    def top(self, cell, margin):
        """What this tower brings, so much higher than the next."""
        if not margin or not cell:
            return 0.0
        owner = (cell >> OWNER & 7) - 1
        return self.shares[owner] * top(self.later, self.towers[owner][cell & LOW], margin)
