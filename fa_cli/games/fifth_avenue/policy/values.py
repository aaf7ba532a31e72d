"""Values of cards, skyscrapers and auctions in Fifth Avenue, for quick opinions on actions.

evaluation.py evaluates whole positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from ..board import LAST_BUSINESS
from ..state import State

SCORINGS = 1.34  # scorings of a district in a whole game, without the one at the end
BLACK = 2.25  # points that a black card is worth at the start of the game
COLOUR = 1.5  # points that a colour card is worth at the start of the game
LATE = 0.3  # the fraction of a card's worth that is left at the end
SKYSCRAPER = 2.0  # points that the first skyscraper in an empty supply is worth
PARK_POINTS = (3.3, 2.0, 2.6, 3.2, 3.8)  # expected per skyscraper at Central Park, by the number of types there so far

SUPPLY = [fsum(SKYSCRAPER * max(0.0, 1 - number / 6) for number in range(count)) for count in range(19)]
"""By number of skyscrapers in a supply: their value."""


def park_points(state: State) -> float:
    """Return the expected points of a skyscraper at Central Park."""
    return PARK_POINTS[len(set(state.park))]


def card_share(state: State) -> float:
    """Return the fraction of its worth at the start that a card still has."""
    return LATE + (1 - LATE) * left(state)


def left(state: State) -> float:
    """Return the fraction of the game that is left, from 1 to 0."""
    return (LAST_BUSINESS - state.placed) / LAST_BUSINESS


def horizon(state: State) -> float:
    """Return how often a skyscraper will still be scored, on average."""
    return 1 + SCORINGS * left(state)


def balance(points: list[int], seat: int) -> float:
    """Return what points by seat are worth to one seat.

    Opponents' points count -1 in sum: half is spread over all of them, half is on the one who gets most.
    """
    others = points[:seat] + points[seat + 1 :]
    return points[seat] - 0.5 * max(others) - 0.5 * fsum(others) / len(others)


def weigh(points: Sequence[float], share: Sequence[float]) -> float:
    """Return the sum of points by seat, weighted by seat."""
    return fsum([gain * weight for gain, weight in zip(points, share, strict=True)])


def prospect(state: State, share: Sequence[float], lot: int) -> float:
    """Return the expected value of an auction, weighted by seat.

    Each seat's chance to win is proportional to the square of its best hand.
    """
    power, prizes = [], []
    scorings = horizon(state)
    first = 6 * lot
    worth, height, tiles = state.worth, state.height, state.tiles
    value = [state.plot_value(plot) for plot in range(first, first + 5)]
    empty = [plot for plot in range(5) if not height[first + plot] and not tiles[first + plot]]
    for seat in range(state.players):
        home = state.home[7 * seat + lot]
        plots = [home - first] if home >= 0 else empty
        if not plots or not state.supply[seat]:
            power.append(0.0)
            prizes.append(0.0)
            continue
        at, best = 6 * seat, plots[0]
        if len(plots) > 1:
            best = max(plots, key=[value[plot] + worth[at + plot + 1] / 20 for plot in range(5)].__getitem__)
        power.append((worth[at] + worth[at + best + 1]) ** 2)
        prizes.append(min(2, state.supply[seat]) * value[best] * scorings)
    total = fsum(power) or 1.0
    return weigh([strength / total * prize for strength, prize in zip(power, prizes, strict=True)], share)
