"""The policy for Manhattan: opinions on actions, and expected rewards.

Colours and towers are numbered as in the game's state. The game's tables.py explains a tower's cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, fsum

from ...search import win_shares
from ..actions import SELECTED
from ..board import SITES, unpack_blocks
from ..state import State
from ..tables import GAPS, HEIGHT, OWNER
from .towers import LOW
from .values import MOST, MOST_LATER, all_towers, blocks, evaluate, lead, top

# The parameters of the search: see search.py.
ITERATIONS = 40
EXPLORE = 0.12
TRUST = 6.0
PAIRED = 2
WIDTH = 2.0
WIDEN = 1.0
SCALE = 6.0

TILT = {2: 2.6, 3: 1.4, 4: 1.4}
"""By number of players: the preference for high blocks in the first rounds, when they make the highest towers."""


def searches(state: State) -> bool:
    """Return whether this decision is worth a search: builds are, selections are not."""
    return state.left > 0


def expect(state: State) -> list[float]:
    """Return by seat its expected share of the win."""
    if state.actor < 0:
        return win_shares(state.points, SCALE / 4)
    done = (state.round - (state.left > 0) * 0.5) / state.rounds()
    return win_shares(evaluate(state), SCALE * (1 - 0.6 * done))


# -- opinions ----------------------------------------------------------------------------------------------------------


def opinions(state: State, legal: Sequence[int]) -> list[float]:
    """Return the value of each action to the actor, in points."""
    return Builds(state).values(legal) if state.left else on_selections(state, legal)


def on_selections(state: State, legal: Sequence[int]) -> list[float]:
    """Prefer an even share of the supply, tilted towards high blocks in the first rounds and low ones in the last."""
    supply = unpack_blocks(state.supply[state.selecting_colour()])
    tilt, early = TILT[state.players], 0.5 - (state.round - 1) / (state.rounds() - 1)
    weights = [max(0.01, count * (1 + tilt * early * (height - 1.5))) for height, count in enumerate(supply)]
    share = state.blocks / fsum(weights)
    even = [share * weight for weight in weights]
    return [-dist(unpack_blocks(SELECTED[action]), even) for action in legal]


class Builds:
    """The values of the actor's builds: the change of its points, less the change of its opponents' on average."""

    def __init__(self, state: State) -> None:
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
        self.cities: dict[int, tuple[list[float], list[float], float]] = {}
        self.spent: dict[int, float] = {}
        self.changes: dict[tuple[int, int, int], float] = {}

    def values(self, legal: Sequence[int]) -> list[float]:
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

    def spend(self, colour: int, piece: int) -> float:
        """Return what using up the block changes: its own value is lost, and it no longer threatens towers."""
        before = self.state.chosen
        chosen = before[:]
        chosen[colour] -= piece
        after = all_towers(self.state, chosen)
        value = blocks(self.later, chosen[colour]) - blocks(self.later, before[colour])
        for low in self.theirs:
            owner = (low >> OWNER) - 1
            value += self.shares[owner] * (after[owner][low][0] - self.towers[owner][low][0])
        return value

    def change(self, city: int, old: int, new: int) -> float:
        """Return the value of changing a tower from one cell to another, including the majority in its city."""
        key = city, old & LOW, new & LOW
        value = self.changes.get(key)
        if value is None:
            if city not in self.cities:
                self.cities[city] = self.counts(self.state.cells[SITES * city : SITES * city + SITES])
            now, then, before = self.cities[city]
            value, now, then = -before, now[:], then[:]
            for cell, sign in ((old, -1), (new, 1)):
                if cell:
                    owner = (cell >> OWNER & 7) - 1
                    points, stays, lasts, _ = self.towers[owner][cell & LOW]
                    value += sign * self.shares[owner] * points
                    now[owner] += sign * stays
                    then[owner] += sign * lasts
            value += self.most(now, then)
            self.changes[key] = value
        return value

    def counts(self, cells: Sequence[int]) -> tuple[list[float], list[float], float]:
        """Return by colour its expected towers among these after this round and later, and the majority's value."""
        now, then = [0.0] * 4, [0.0] * 4
        for cell in cells:
            if cell:
                owner = (cell >> OWNER & 7) - 1
                _, stays, lasts, _ = self.towers[owner][cell & LOW]
                now[owner] += stays
                then[owner] += lasts
        return now, then, self.most(now, then)

    def most(self, now: list[float], then: list[float]) -> float:
        """Return what the majority in a city is worth, by colours' expected towers after this round and later."""
        leader, sure = lead(now)
        value = self.shares[leader] * MOST * sure
        if self.later:
            leader, sure = lead(then)
            value += self.shares[leader] * MOST_LATER * self.later * sure
        return value

    def height(self, old: int, new: int) -> float:
        """Return how the value of the highest tower changes when a tower grows from one cell to another."""
        reached = new >> HEIGHT
        rest = self.second if old >> HEIGHT == self.first else self.first
        if reached >= rest:
            return self.top(new, reached - rest) - self.held
        return self.top(self.highest, self.first - reached) - self.held if reached > self.second else 0.0

    def top(self, cell: int, margin: int) -> float:
        """Return the value of this highest tower with this lead over the next one."""
        if not margin or not cell:
            return 0.0
        owner = (cell >> OWNER & 7) - 1
        return self.shares[owner] * top(self.later, self.towers[owner][cell & LOW], margin)
