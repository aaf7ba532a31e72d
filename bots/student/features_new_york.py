"""New York positions as numbers for the network: `SIZE` numbers for each seat. Of hands they hold what can be counted.

Sets of cells are bit masks, as in the game's board.py. What stones alone say is cached: the sampled states of one
decision mostly have the same stones.
"""

from functools import lru_cache

import numpy as np

from fa_cli.games.new_york.board import (
    AVENUE_OF,
    BLUE_JOKER,
    JOKER,
    REACHED_AVENUES,
    REACHED_STREETS,
    RENOVATION,
    STOP,
    STREET_OF,
    beside,
    cells_in,
)
from fa_cli.games.new_york.policy.opinions import pieces

PRICES = 4
"""Stones of the chain are counted by price, from 1 to this and more."""
OF_STONES = 5 + 2 * PRICES + 2  # numbers of a colour that its stones alone say
OF_BOARD = 6  # and that depend on the other cells
OF_COLOURS = 2 * (OF_STONES + OF_BOARD)  # as they are, and by the time that is left
OF_SEAT = 17
SIZE = OF_COLOURS + OF_SEAT
LINK, BUY = 0.25, 0.1  # probabilities that an empty cell, or a rival's, will join a piece and the chain


def positions(states):
    """Return the numbers of these positions: by position, seat and number."""
    return np.array([position(state) for state in states], np.float32)


def position(state):
    """Return the numbers of a position by seat."""
    line, empty, players = state.options.chain == "line", state.empty, state.players
    time = min(1.0, state.free / 24)
    reached = [reach(hand) for hand in state.hands]
    dangers = [0.0] * players
    rows = []
    for seat in range(players):
        now, grows, joins = [0.0] * (OF_STONES + OF_BOARD), 0, 0
        for colour in state.colours[seat]:
            stones = state.board[colour]
            board, edge, others = on_board(stones, empty, line)
            for at, number in enumerate((*of_stones(stones, line), *board)):
                now[at] += number
            edge &= reached[seat]
            grows += edge.bit_count()
            joins = max(joins, next((size for size, _, around in others if around & edge), 0))
        attack = 0
        for rival in range(players):
            if rival != seat:
                loss = taken(state, rival, reached[seat], state.units[seat], line)
                dangers[rival] = max(dangers[rival], loss)
                attack = max(attack, loss)
        hand = state.hands[seat]
        first, _, units = state.standing_of(seat)
        rows.append(
            [
                *now,
                *(time * number for number in now),
                first,
                units,
                time * units,
                hand.count(JOKER) + hand.count(BLUE_JOKER),
                sum(RENOVATION <= card < STOP for card in hand),
                len(hand),
                *(float((seat - state.turn) % players == ahead) for ahead in range(3)),
                min(grows, 3),
                grows > 0,
                joins,
                attack,
                time,
                line,
                state.stops,
            ]
        )
    for row, danger in zip(rows, dangers, strict=True):
        row.append(danger)
    return rows


def taken(state, rival, reached, units, line):
    """Return the greatest loss that a purchase on these cells, for at most so many units, does to a rival."""
    worst = 0
    for colour in state.colours[rival]:
        for loss, cost, cell in losses(state.board[colour], line):
            if reached >> cell & 1 and cost <= units:
                worst = max(worst, loss)
                break
    return worst


@lru_cache(maxsize=1 << 15)
def reach(hand):
    """Return the cells that these cards reach."""
    held = 0
    for card in hand:
        held |= 1 << card
    return REACHED_AVENUES[held & 255] & REACHED_STREETS[held >> 8 & 255]


@lru_cache(maxsize=1 << 15)
def losses(stones, line):
    """List the stones of the chain that are worth more than their price: loss, price and cell, the greatest first."""
    groups = pieces(stones, line)
    if not groups:
        return []
    found = []
    for cell in cells_in(groups[0][1]):
        left, units = length_without(cell, groups, line, stones), price(stones, cell)
        found.append((1 + length(groups) - left - units, units, cell))
    found.sort(reverse=True)
    return [loss for loss in found if loss[0] > 0]


def length_without(cell, groups, line, stones):
    """Return the length of the longest of these pieces as a chain, without a stone of the longest."""
    bit = 1 << cell
    if line:  # the stone may be in another piece too
        return length(pieces(stones ^ bit, line))
    (size, chain, _), *others = groups
    joined = beside(bit) & chain
    left = size - 1 if joined & joined - 1 == 0 else pieces(chain ^ bit, line)[0][0]
    left = max(left, others[0][0]) if others else left
    return left if left > 1 else 0


@lru_cache(maxsize=1 << 15)
def of_stones(stones, line):
    """Return what the stones of a colour say: pieces, prices, and what buyers could take."""
    groups = pieces(stones, line)
    if not groups:
        return (0.0,) * OF_STONES
    chain = groups[0][1]
    by_price, elsewhere = [0] * PRICES, [0] * PRICES
    for cell in cells_in(stones):
        (by_price if chain >> cell & 1 else elsewhere)[min(price(stones, cell), PRICES) - 1] += 1
    lost = [loss for loss, _, _ in losses(stones, line)]
    exposed, worst = sum(lost), max(lost, default=0)
    sizes = [group[0] for group in groups[1:3]] + [0, 0]
    return (stones.bit_count(), length(groups), *sizes[:2], len(groups), *by_price, *elsewhere, exposed, worst)


def length(groups):
    """Return the length of the longest of these pieces as a chain, which has two stones or more."""
    return groups[0][0] if groups and groups[0][0] > 1 else 0


def price(stones, cell):
    """Return what a rival pays for the stone on the cell."""
    return min((stones & AVENUE_OF[cell]).bit_count(), (stones & STREET_OF[cell]).bit_count())


@lru_cache(maxsize=1 << 15)
def on_board(stones, empty, line):
    """Return what the cells around say, the empty cells where the chain may grow, and the other pieces."""
    groups = pieces(stones, line)
    if not groups:
        return (0.0,) * OF_BOARD, 0, []
    edge = groups[0][2]
    joins = best = 0.0
    reach = 0
    for size, _, around in groups[1:]:
        between = around & edge
        reach |= between & empty
        if between:
            free = (between & empty).bit_count()
            chance = size * (1 - (1 - LINK) ** free * (1 - BUY) ** (between.bit_count() - free))
            joins += chance
            best = max(best, size if free else 0)
    room = (edge & empty).bit_count()
    numbers = (room, edge.bit_count() - room, joins, best, reach.bit_count(), min(room, 3))
    return numbers, edge & empty, groups[1:]
