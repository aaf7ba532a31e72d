"""New York for the search: opinions on actions, and what a position is worth.

Sets of cells are numbers with 49 bits, as in the game's board.py. What depends on stones alone is kept by them, since
the worlds of one decision share most of their boards.
"""

from functools import lru_cache

from tree import win_shares

from fa_cli.games.new_york.actions import (
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
from fa_cli.games.new_york.board import AVENUE_OF, SIZE, STREET_OF, beside, cells_in
from fa_cli.games.new_york.cards import BLUE_JOKER
from fa_cli.games.new_york.cards import JOKER as RED_JOKER

# How it searches: see tree.py.
ITERATIONS = 40
EXPLORE = 0.12
TRUST = 6.0
PAIRED = 4
WIDTH = 4.0
WIDEN = 1.5
SCALE = 6.0

JOKER = 1.0  # points that a joker in hand is worth
UNIT = 1.3  # and a purchase unit, with two players: chains can be lost
CHEAP = 1.1  # points that a stone of the chain loses which costs only one unit to buy
LINK = 0.25  # how likely an empty cell between a piece and the chain will join them
BUY = 0.1  # the same for a cell that must be bought
ROOM = 0.1  # points for each empty cell beside the chain
TEMPO = 1.0  # points that it is worth to be next

ALL = (1 << 49) - 1


def searches(state):
    """Whether there is something to search for."""
    return state.phase != FIRST_STONES  # nobody knows yet whose stones these will be


def expect(state):
    """What each seat can expect of the game."""
    settle(state)
    if state.phase == OVER:
        return win_shares([points + chain / 50 for points, chain, _ in state.standing()], SCALE / 4)
    return win_shares(evaluate(state), SCALE * (0.4 + 0.6 * time_left(state)))


def settle(state):
    """Play on to the next turn: stones that are placed or given up by an action card."""
    while state.phase not in (COLOUR, TURN, OVER):
        legal = state.legal()
        values = opinions(state, legal)
        state.apply(legal[values.index(max(values))])


# -- what a position is worth ------------------------------------------------------------------------------------------


def time_left(state):
    """How much of the game is left until the board is full, from 1 to 0."""
    return min(1.0, max(0, state.empty.bit_count() - 4) / 20)


def evaluate(state):
    """By seat: the points it may have in the end."""
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


def chain_and_stones(stones, empty, time, line):
    """What a colour brings with three or more players."""
    found = pieces(stones, line)
    if not found or found[0][0] < 2:
        return stones.bit_count()
    return stones.bit_count() + found[0][0] + ROOM * (found[0][2] & empty).bit_count() * time


def chains_of_two(stones, empty, time, line):
    """What a colour brings with two players, and what may still join its longest chain."""
    found = pieces(stones, line)
    if not found:
        return 0.0
    length, group, edge = found[0]
    points = 2.0 * length if length > 1 else 0.0
    points -= CHEAP * cheap(stones, group)
    points += ROOM * time * (edge & empty).bit_count()
    for size, _, around in found[1:]:
        between = around & edge
        if between:
            free = (between & empty).bit_count()
            taken = between.bit_count() - free
            points += 2 * size * (1 - (1 - LINK) ** free * (1 - BUY) ** taken)
    return points


@lru_cache(maxsize=1 << 15)
def pieces(stones, line):
    """What hangs together, the most stones first: how many, which, and the cells beside them."""
    found = []
    parts = [AVENUE_OF[SIZE * at] for at in range(SIZE)] + [STREET_OF[at] for at in range(SIZE)] if line else [ALL]
    for part in parts:
        rest = stones & part
        while rest:
            group, grown = 0, rest & -rest
            while grown != group:
                group = grown
                grown = (group | beside(group)) & rest
            found.append((group.bit_count(), group, beside(group) & (part if line else ALL) & ~stones))
            rest &= ~group
    found.sort(reverse=True)
    return found


@lru_cache(maxsize=1 << 15)
def cheap(stones, group):
    """How many stones of the group cost one unit."""
    count, rest = 0, group
    while rest:
        cell = rest.bit_length() - 1
        rest ^= 1 << cell
        count += (stones & AVENUE_OF[cell]).bit_count() == 1 or (stones & STREET_OF[cell]).bit_count() == 1
    return count


# -- opinions ----------------------------------------------------------------------------------------------------------


def opinions(state, legal):
    """What each of these actions is worth to the actor, in points."""
    phase = state.phase
    if phase == FIRST_STONES:
        return [0.0] * len(legal)  # nobody knows yet whose stones these will be
    if phase == COLOUR:
        return [best_play(state, action - USE) for action in legal]
    if phase == PLACING and state.stone < 0:
        return [best_place(state, action - USE) for action in legal]
    change = Changes(state, state.colour if phase == TURN else state.stone)
    joker = JOKER
    values = []
    for action in legal:
        if PLAY <= action < CLEAR:
            cards = PLAYED_CARDS[action - PLAY]
            jokers = (cards[0] == RED_JOKER) + (cards[1] == BLUE_JOKER)
            values.append(change.put(PLAYED_CELL[action - PLAY], True) - joker * jokers)
        elif PLACE <= action < PASS:
            values.append(change.put(action - PLACE, False))
        elif REMOVE <= action < PLAY:
            values.append(change.lift(action - REMOVE))
        elif DEVELOP <= action < STUDY:
            _, partner, cell = development(action)
            values.append(change.put(cell, False) - joker * (partner in (RED_JOKER, BLUE_JOKER)))
        else:
            values.append(1.5 if action >= CLEAR else 0.0)
    return values


def best_play(state, colour):
    """The best that the colour can do without jokers."""
    hand, change = state.hands[state.actor], Changes(state, colour)
    allowed = state._allowed(colour) & ~state.board[colour]
    avenues = {card for card in hand if card < RED_JOKER}
    streets = {card - RED_JOKER - 1 for card in hand if RED_JOKER < card < BLUE_JOKER}
    cells = [SIZE * avenue + street for avenue in sorted(avenues) for street in sorted(streets)]
    return max([change.put(cell, True) for cell in cells if allowed >> cell & 1], default=0.0)


def best_place(state, colour):
    """The best that the colour can do with a chance of a renovation or ruin; nothing if it is passed."""
    change = Changes(state, colour)
    return max(0.0, *(change.put(cell, False) for cell in cells_in(state.pending)))


class Changes:
    """What a stone more or less changes, worked out once for each cell."""

    def __init__(self, state, colour):
        self.state = state
        self.seat = state.actor
        self.colour = colour
        self.time = time_left(state)
        self.worth = chains_of_two if state.players == 2 else chain_and_stones
        self.line = state.options.chain == "line"
        self.cells = {}
        self.now = self.of(self.colour, state.board[self.colour], state.empty)
        self.hurt = 1 / (state.players - 1)
        self.unit = UNIT if state.players == 2 else 1.0

    def of(self, colour, stones, empty):
        return self.worth(stones, empty, self.time, self.line)

    def put(self, cell, pays):
        """The colour's stone comes to the cell, in place of another's, or goes away from there."""
        if cell in self.cells:
            return self.cells[cell]
        state, bit, colour = self.state, 1 << cell, self.colour
        mine = state.board[colour]
        if mine & bit:
            value = self.lift(cell)
        elif state.empty & bit:
            value = self.of(colour, mine | bit, state.empty ^ bit) - self.now
        else:
            value = self.of(colour, mine | bit, state.empty) - self.now
            for rival, stones in enumerate(state.board):
                if stones & bit:
                    lost = self.of(rival, stones, state.empty) - self.of(rival, stones ^ bit, state.empty)
                    price = 0
                    if pays:
                        price = min((stones & AVENUE_OF[cell]).bit_count(), (stones & STREET_OF[cell]).bit_count())
                    if state.owner[rival] == self.seat:
                        value -= lost
                    else:
                        value += self.hurt * lost - (1 + self.hurt) * self.unit * price
        self.cells[cell] = value
        return value

    def lift(self, cell):
        """A stone of the colour goes from the cell."""
        bit = 1 << cell
        return self.of(self.colour, self.state.board[self.colour] ^ bit, self.state.empty ^ bit) - self.now
