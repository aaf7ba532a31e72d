"""What things are worth at Fifth Avenue, as quick opinions take it; position_fifth_avenue.py judges positions."""

from functools import cache

from fa_cli.games.fifth_avenue.board import (
    LAST_BUSINESS,
    SPECIAL_SCORING,
)

SCORINGS = 1.34  # how often a district is scored in a whole game, the end not counted
BLACK = 2.25  # points that a black card is worth at the start of the game
COLOUR = 1.5  # and a coloured one
LATE = 0.3  # how much of that is left at the end
SKYSCRAPER = 2.0  # points that the first one in an empty supply is worth
PARK_POINTS = (3.3, 2.0, 2.6, 3.2, 3.8)  # expected at Central Park, by the number of types that lie there so far
SPREAD = 0.4  # of the points of a special scoring to come, for those who still lack districts

SUPPLY = [sum(SKYSCRAPER * max(0.0, 1 - number / 6) for number in range(count)) for count in range(19)]
"""By size of the own supply: what it is worth."""


def park_points(state):
    """What a skyscraper at Central Park may bring."""
    return PARK_POINTS[len(set(state.park))]


def card_share(state):
    """How much of its first worth a card still has."""
    return LATE + (1 - LATE) * left(state)


def left(state):
    """How much of the game is left, from 1 to 0."""
    return (LAST_BUSINESS - state.placed) / LAST_BUSINESS


def horizon(state):
    """How often a skyscraper can expect to be scored."""
    return 1 + SCORINGS * left(state)


@cache
def spread(placed, have):
    """What skyscrapers in so many districts bring in special scorings to come, when so many businesses lie."""
    return sum(
        points if have >= needed else SPREAD * points * have / needed
        for at, (needed, points) in SPECIAL_SCORING.items()
        if placed < at
    )


def balance(points, seat):
    """What these points are worth to a seat: the others' against it, half on all of them, half on the best."""
    others = points[:seat] + points[seat + 1 :]
    return points[seat] - 0.5 * max(others) - 0.5 * sum(others) / len(others)


def weigh(points, share):
    """Points by seat, each times what it is worth."""
    return sum([gain * each for gain, each in zip(points, share, strict=True)])


def prospect(state, share, lot):
    """What an auction should bring the seat more than the others: prizes by the strength of the hands."""
    power, prizes = [], []
    scorings = horizon(state)
    first = 6 * lot
    worth, height, tiles = state.worth, state.height, state.tiles
    value = [state.plot_value(plot) for plot in range(first, first + 5)]
    empty = [plot for plot in range(5) if not height[first + plot] and not tiles[first + plot]]
    for other in range(state.players):
        home = state.home[7 * other + lot]
        plots = [home - first] if home >= 0 else empty
        if not plots or not state.supply[other]:
            power.append(0.0)
            prizes.append(0.0)
            continue
        at = 6 * other
        best = max(plots, key=[value[plot] + worth[at + plot + 1] / 20 for plot in range(5)].__getitem__)
        power.append((worth[at] + worth[at + best + 1]) ** 2)
        prizes.append(min(2, state.supply[other]) * value[best] * scorings)
    whole = sum(power) or 1.0
    return weigh([mine / whole * prize for mine, prize in zip(power, prizes, strict=True)], share)
