"""The evaluation of Fifth Avenue positions: each seat's expected points at the end, as a weighted sum of its assets.

The weights are fitted by least squares to 6000 two-player games of this bot against itself. They predict the points
that a seat still won from its assets at the start of a turn, and change linearly with the fraction of the game left.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import fsum
from operator import mul, or_
from typing import Any

from ..board import DISTRICT_COUNT, LAST_BUSINESS, POINTS_BY_MASK, SPECIAL_SCORING, TYPES_ON
from ..state import State
from .values import balance, park_points, prospect

# By asset: its points at the end of the game, and how many more points at the start.
WEIGHTS = {
    "point": (0.93, 0.04),  # a point from scoring all districts now
    "skyscraper": (0.55, 3.24),  # a skyscraper in a district, where more businesses may come
    "closed": (-0.13, -4.45),  # added for each skyscraper in a district without empty plots, which can be stopped
    "district": (-0.28, -4.32),  # a district with skyscrapers
    "black 4": (0.53, 2.32),
    "black 5": (0.35, 2.37),
    "black 6": (0.44, 1.49),
    "colour 4": (-0.07, 1.7),
    "colour 5": (-0.11, 1.57),
    "colour 6": (-0.15, 1.44),
    "own": (0.2, 0.35),  # added for a card in a colour in which the seat has a plot
    "first": (-1.12, 2.08),  # added for each of the first three skyscrapers in the supply
    "supply": (0.55, 0.56),  # each of the first nine skyscrapers in the supply
    "sure": (0.56, 1.09),  # a point of a later special scoring for which the seat has enough districts
    "part": (-0.35, 1.63),  # a point of one for which it has some, in proportion
    "park": (1.05, 0.16),  # a point expected at Central Park
    "next": (2.27, 1.16),  # having the next turn
    "lead": (0.91, -0.39),  # a point of the best lead that this turn's scoring could bring
}
PROSPECT = 0.15  # the weight of the auctions ahead


@cache
def weights(placed: int) -> tuple[Any, ...]:
    """Return the weights with `placed` businesses placed: a list by card, as in a hand, then all in the order above."""
    rest = (LAST_BUSINESS - placed) / LAST_BUSINESS
    now = {name: end + more * rest for name, (end, more) in WEIGHTS.items()}
    by_card = [now[f"{suit} {value}"] for suit in ("black", *5 * ["colour"]) for value in (4, 5, 6)]
    return by_card, *now.values()


def evaluate(state: State) -> list[float]:
    """Return by seat its expected points at the end, for a position at the start of a turn."""
    values, seat = expected(state), state.actor
    *_, tempo, lead = weights(state.placed)
    best = 0.0
    for place in set(state.commissioners):
        if 1 <= place <= 7 and not state.stopped >> place - 1 & 1:
            best = max(best, balance(state.district_points(place - 1), seat))
    share = shares_of(values, seat)
    ahead = fsum([prospect(state, share, lot) for lots in state.marks for lot in lots])
    values[seat] += tempo + lead * best + PROSPECT * ahead
    return values


def expected(state: State) -> list[float]:
    """Return the same without the value of having the next turn."""
    by_card, point, skyscraper, closed, district, *more = weights(state.placed)
    own, first, supply, sure, part, park, _, _ = more[6:]
    tiles, height, home, neighbours = state.tiles, state.height, state.home, state.neighbours
    has = list(map(or_, height, tiles))
    full = [has[at] and has[at + 1] and has[at + 2] and has[at + 3] and has[at + 4] for at in range(0, 42, 6)]
    park *= park_points(state)
    values = []
    for seat in range(state.players):
        cards = state.hand[18 * seat : 18 * seat + 18]
        value = state.points[seat] + park * state.park_height[seat]
        value += fsum(map(mul, by_card, cards))
        suits = set()
        for plot in home[7 * seat : 7 * seat + 7]:
            if plot >= 0:
                left, right = neighbours[plot]
                each = skyscraper + point * POINTS_BY_MASK[TYPES_ON[tiles[left]] | TYPES_ON[tiles[right]]]
                value += district + height[plot] * (each + closed if full[plot // 6] else each)
                suits.add(3 * (plot % 6) + 3)
        value += own * sum([sum(cards[suit : suit + 3]) for suit in suits])
        have = state.supply[seat]
        value += first * min(have, 3) + supply * min(have, 9)
        values.append(value + specials(state.placed, DISTRICT_COUNT[state.districts[seat]], sure, part))
    return values


@cache
def specials(placed: int, have: int, sure: float, part: float) -> float:
    """Return what skyscrapers in `have` districts bring in later special scorings, with `placed` businesses placed.

    `sure` is the weight of the points for which they are enough, `part` that of others, in proportion.
    """
    return fsum(
        sure * points if have >= needed else part * points * have / needed
        for at, (needed, points) in SPECIAL_SCORING.items()
        if placed < at
    )


def shares(state: State, seat: int) -> list[float]:
    """Return by seat what a point of it is worth to this seat: 1 for its own.

    Opponents' points count -1 in sum: half is spread over all of them, half is on the one who is ahead.
    """
    return shares_of(expected(state) if state.players > 2 else [0.0, 0.0], seat)


def shares_of(values: Sequence[float], seat: int) -> list[float]:
    """Return the same from each seat's expected points."""
    others = [value if other != seat else -1e9 for other, value in enumerate(values)]
    share = [-0.5 / (len(values) - 1)] * len(values)
    share[others.index(max(others))] -= 0.5
    share[seat] = 1.0
    return share
