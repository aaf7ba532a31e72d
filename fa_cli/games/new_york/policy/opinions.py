"""The policy for New York: opinions on actions, and the evaluation of positions.

Sets of cells are bit masks as in the game's board.py. Results that depend on stones alone are cached, because the
sampled states of one decision mostly have the same stones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ...search import win_shares
from ..actions import (
    CLEAR,
    COLOUR,
    DEVELOP,
    FIRST_STONES,
    OVER,
    PASS,
    PLACE,
    PLACING,
    PLAY,
    PLAYED_CARDS,
    PLAYED_CELL,
    REMOVE,
    STUDY,
    TURN,
    USE,
    development,
)
from ..board import AVENUE_OF, BLUE_JOKER, FULL, LINES, SIZE, STREET_OF, beside, cells_in
from ..board import JOKER as RED_JOKER
from ..state import State

# The parameters of the search: see search.py.
ITERATIONS = 40
EXPLORE = 0.12
TRUST = 6.0
PAIRED = 4
WIDTH = 4.0
WIDEN = 1.5
SCALE = 6.0

JOKER = 1.0  # points that a joker in hand is worth
UNIT = 1.3  # points that a purchase unit is worth with two players, where units break and repair chains
CHEAP = 1.1  # points that the chain loses for each of its stones that costs only one unit to buy
LINK = 0.25  # probability that an empty cell between a piece and the chain will join them
BUY = 0.1  # probability that a rival's cell between a piece and the chain will join them
ROOM = 0.1  # points for each empty cell next to the chain
TEMPO = 1.0  # points that having the next turn is worth

Group = tuple[int, int, int]
"""Connected stones: their number, their cells and the cells next to them."""


def searches(state: State) -> bool:
    """Return whether this decision is worth a search."""
    return state.phase != FIRST_STONES  # nobody knows yet who will own the colours


def expect(state: State) -> list[float]:
    """Play on to the next turn and return by seat its expected share of the win."""
    settle(state)
    if state.phase == OVER:
        return win_shares([points + chain / 50 for points, chain, _ in state.standing()], SCALE / 4)
    return win_shares(evaluate(state), SCALE * (0.4 + 0.6 * time_left(state)))


def settle(state: State) -> None:
    """Play on to the next turn by opinions alone: stones placed or given up after an action card."""
    while state.phase not in (COLOUR, TURN, OVER):
        legal = state.legal()
        values = opinions(state, legal)
        state.apply(legal[values.index(max(values))])


# -- evaluation --------------------------------------------------------------------------------------------------------


def time_left(state: State) -> float:
    """Return the fraction of the game that is left until the board is full, from 1 to 0."""
    return min(1.0, max(0, state.empty.bit_count() - 4) / 20)


def evaluate(state: State) -> list[float]:
    """Return by seat its expected points at the end."""
    time = time_left(state)
    worth = chains_of_two if state.players == 2 else chain_and_stones
    line = state.options.chain == "line"
    unit = UNIT if state.players == 2 else 1.0
    values = []
    for seat in range(state.players):
        value = unit * state.units[seat]
        for colour in state.colours[seat]:
            value += worth(state.board[colour], state.empty, time, line)
        hand = state.hands[seat]
        values.append(value + JOKER * (hand.count(RED_JOKER) + hand.count(BLUE_JOKER)))
    if state.actor >= 0:
        values[state.actor] += TEMPO
    return values


def chain_and_stones(stones: int, empty: int, time: float, line: bool) -> float:
    """Return a colour's expected points with three or more players."""
    groups = pieces(stones, line)
    if not groups or groups[0][0] < 2:
        return stones.bit_count()
    return stones.bit_count() + groups[0][0] + ROOM * (groups[0][2] & empty).bit_count() * time


@lru_cache(maxsize=1 << 15)
def chains_of_two(stones: int, empty: int, time: float, line: bool) -> float:
    """Return a colour's expected points with two players, including pieces that may join its longest chain."""
    groups = pieces(stones, line)
    if not groups:
        return 0.0
    length, group, edge = groups[0]
    points = 2.0 * length if length > 1 else 0.0
    points -= CHEAP * cheap(stones, group)
    points += ROOM * time * (edge & empty).bit_count()
    for size, _, around in groups[1:]:
        between = around & edge
        if between:
            free = (between & empty).bit_count()
            taken = between.bit_count() - free
            points += 2 * size * (1 - (1 - LINK) ** free * (1 - BUY) ** taken)
    return points


@lru_cache(maxsize=1 << 15)
def pieces(stones: int, line: bool) -> list[Group]:
    """Return the connected groups of stones, the largest first: size, stones and the cells next to them.

    With `line` a group is a row in one avenue or street.
    """
    groups = []
    for part in LINES if line else [FULL]:
        rest = stones & part
        while rest:
            group, grown = 0, rest & -rest
            while grown != group:
                group = grown
                grown = (group | beside(group)) & rest
            groups.append((group.bit_count(), group, beside(group) & part & ~stones))
            rest &= ~group
    groups.sort(reverse=True)
    return groups


@lru_cache(maxsize=1 << 15)
def cheap(stones: int, group: int) -> int:
    """Return how many stones of the group cost one unit to buy."""
    return sum(
        [
            (stones & AVENUE_OF[cell]).bit_count() == 1 or (stones & STREET_OF[cell]).bit_count() == 1
            for cell in cells_in(group)
        ]
    )


# -- opinions ----------------------------------------------------------------------------------------------------------


def opinions(state: State, legal: Sequence[int]) -> list[float]:
    """Return the value of each action to the actor, in points."""
    phase = state.phase
    if phase == FIRST_STONES:
        return [0.0] * len(legal)  # nobody knows yet who will own the colours
    if phase == COLOUR:
        return [best_play(state, action - USE) for action in legal]
    if phase == PLACING and state.stone < 0:
        return [best_place(state, action - USE) for action in legal]
    change = Changes(state, state.colour if phase == TURN else state.stone)
    values = []
    for action in legal:
        if PLAY <= action < CLEAR:
            cards = PLAYED_CARDS[action - PLAY]
            jokers = (cards[0] == RED_JOKER) + (cards[1] == BLUE_JOKER)
            values.append(change.put(PLAYED_CELL[action - PLAY], True) - JOKER * jokers)
        elif PLACE <= action < PASS:
            values.append(change.put(action - PLACE, False))
        elif REMOVE <= action < PLAY:
            values.append(change.lift(action - REMOVE))
        elif DEVELOP <= action < STUDY:
            _, partner, cell = development(action)
            values.append(change.put(cell, False) - JOKER * (partner in (RED_JOKER, BLUE_JOKER)))
        else:
            values.append(1.5 if action >= CLEAR else 0.0)
    return values


def best_play(state: State, colour: int) -> float:
    """Return the colour's best gain from the cards in hand, without jokers."""
    hand, change = state.hands[state.actor], Changes(state, colour)
    allowed = state._allowed(colour) & ~state.board[colour]
    avenues = {card for card in hand if card < RED_JOKER}
    streets = {card - RED_JOKER - 1 for card in hand if RED_JOKER < card < BLUE_JOKER}
    cells = [SIZE * avenue + street for avenue in sorted(avenues) for street in sorted(streets)]
    return max([change.put(cell, True) for cell in cells if allowed >> cell & 1], default=0.0)


def best_place(state: State, colour: int) -> float:
    """Return the colour's best gain from a chance in a renovation or ruin; 0 to pass."""
    change = Changes(state, colour)
    return max(0.0, *(change.put(cell, False) for cell in cells_in(state.pending)))


class Changes:
    """The gains from placing or removing a stone of one colour, cached by cell."""

    def __init__(self, state: State, colour: int) -> None:
        self.state = state
        self.seat = state.actor
        self.colour = colour
        self.time = time_left(state)
        self.worth = chains_of_two if state.players == 2 else chain_and_stones
        self.line = state.options.chain == "line"
        self.cells: dict[int, float] = {}
        self.before = self.value(state.board[self.colour], state.empty)
        self.hurt = 1 / (state.players - 1)
        self.unit = UNIT if state.players == 2 else 1.0

    def value(self, stones: int, empty: int) -> float:
        """Return a colour's expected points with these stones."""
        return self.worth(stones, empty, self.time, self.line)

    def put(self, cell: int, pays: bool) -> float:
        """Return the gain from playing on the cell: place a stone there, replace a rival's, or take back an own one.

        `pays` says whether a rival's stone must be bought.
        """
        if cell in self.cells:
            return self.cells[cell]
        state, bit = self.state, 1 << cell
        own = state.board[self.colour]
        if own & bit:
            value = self.lift(cell)
        elif state.empty & bit:
            value = self.value(own | bit, state.empty ^ bit) - self.before
        else:
            value = self.value(own | bit, state.empty) - self.before
            for rival, stones in enumerate(state.board):
                if stones & bit:
                    lost = self.value(stones, state.empty) - self.value(stones ^ bit, state.empty)
                    price = 0
                    if pays:
                        price = min((stones & AVENUE_OF[cell]).bit_count(), (stones & STREET_OF[cell]).bit_count())
                    if state.owner[rival] == self.seat:
                        value -= lost
                    else:
                        value += self.hurt * lost - (1 + self.hurt) * self.unit * price
        self.cells[cell] = value
        return value

    def lift(self, cell: int) -> float:
        """Return the gain from taking a stone of the colour off the cell."""
        bit = 1 << cell
        return self.value(self.state.board[self.colour] ^ bit, self.state.empty ^ bit) - self.before
