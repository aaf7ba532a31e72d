"""What a position of Fifth Avenue is worth to each seat."""

from functools import cache

from fa_cli.games.fifth_avenue.board import (
    DISTRICT_COUNT,
    LAST_BUSINESS,
    POINTS_BY_MASK,
    SPECIAL_SCORING,
    TYPES_ON,
)

SCORINGS = 1.34  # how often a district is scored in a whole game, the end not counted
BLACK = 2.25  # points that a black card is worth at the start of the game
COLOUR = 1.5  # and a coloured one
LATE = 0.3  # how much of that is left at the end
SKYSCRAPER = 2.0  # points that the first one in an empty supply is worth
PARK_POINTS = (3.3, 2.0, 2.6, 3.2, 3.8)  # expected at Central Park, by the number of types that lie there so far
SPREAD = 0.4  # of the points of a special scoring to come, for those who still lack districts
TEMPO = 0.5  # how surely who is next scores the best district that he can
TURN = 2.0  # points that it is worth to be next

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


def evaluate(state):
    """By seat: the points it may have in the end, at the start of a turn."""
    return with_tempo(state, expected(state))


def expected(state):
    """The same, whoever is next."""
    scorings, cards, park = horizon(state), card_share(state), park_points(state)
    tiles, height, home, beside, hand = state.tiles, state.height, state.home, state.beside, state.hand
    values = []
    for seat in range(state.players):
        total = 0
        for plot in home[7 * seat : 7 * seat + 7]:
            if plot >= 0:
                one, other = beside[plot]
                total += height[plot] * POINTS_BY_MASK[TYPES_ON[tiles[one]] | TYPES_ON[tiles[other]]]
        at = 18 * seat
        black = hand[at] + hand[at + 1] + hand[at + 2]
        values.append(
            state.points[seat]
            + scorings * total
            + park * state.park_height[seat]
            + cards * (BLACK * black + COLOUR * sum(hand[at + 3 : at + 18]))
            + SUPPLY[state.supply[seat]] * (scorings - 0.7)
            + spread(state.placed, DISTRICT_COUNT[state.districts[seat]])
        )
    return values


@cache
def spread(placed, have):
    """What skyscrapers in so many districts bring in special scorings to come, when so many businesses lie."""
    return sum(
        points if have >= needed else SPREAD * points * have / needed
        for at, (needed, points) in SPECIAL_SCORING.items()
        if placed < at
    )


def with_tempo(state, values):
    """The values, the actor's chance to score a district now among them."""
    seat = state.actor
    best, points = 0.0, None
    for place in set(state.position):
        if 1 <= place <= 7 and not state.stopped >> place - 1 & 1:
            scored = state.district_points(place - 1)
            lead = balance(scored, seat)
            if lead > best:
                best, points = lead, scored
    if points:
        values = [value + TEMPO * gain for value, gain in zip(values, points, strict=True)]
    values[seat] += TURN
    return values


def balance(points, seat):
    """What these points are worth to a seat: the others' against it, half on all of them, half on the best."""
    others = points[:seat] + points[seat + 1 :]
    return points[seat] - 0.5 * max(others) - 0.5 * sum(others) / len(others)


def shares(state, seat):
    """How much a point of each seat is worth to one: the others' against it, half on all, half on who is ahead."""
    if state.players == 2:
        return [1.0, -1.0] if seat == 0 else [-1.0, 1.0]
    values = expected(state)
    values[seat] = -1e9
    share = [-0.5 / (state.players - 1)] * state.players
    share[values.index(max(values))] -= 0.5
    share[seat] = 1.0
    return share


def weigh(points, share):
    """Points by seat, each times what it is worth."""
    return sum([gain * each for gain, each in zip(points, share, strict=True)])
