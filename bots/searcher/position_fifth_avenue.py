"""What a position of Fifth Avenue is worth to each seat: a sum of what it has, weighted by what that came to.

The weights are fitted (least squares) to the ends of 6000 games of two that this bot played against itself: what
each seat still won, told from what it had at the start of a turn. They change evenly with what is left of the game.
"""

from functools import cache
from operator import mul, or_

from values_fifth_avenue import balance, park_points, prospect

from fa_cli.games.fifth_avenue.board import DISTRICT_COUNT, LAST_BUSINESS, POINTS_BY_MASK, SPECIAL_SCORING, TYPES_ON

# By what there is: its points at the end of the game, and how many more at the start.
WEIGHTS = {
    "point": (0.93, 0.04),  # what a scoring of all districts would bring
    "skyscraper": (0.55, 3.24),  # in a district: business comes to it
    "closed": (-0.13, -4.45),  # the same where no plot is empty, so that it can be stopped
    "district": (-0.28, -4.32),  # where it has skyscrapers
    "black 4": (0.53, 2.32),
    "black 5": (0.35, 2.37),
    "black 6": (0.44, 1.49),
    "colour 4": (-0.07, 1.7),
    "colour 5": (-0.11, 1.57),
    "colour 6": (-0.15, 1.44),
    "own": (0.2, 0.35),  # a card in a colour in which it has a plot, more
    "first": (-1.12, 2.08),  # each of three skyscrapers in the supply, more
    "supply": (0.55, 0.56),  # each of nine
    "sure": (0.56, 1.09),  # a point of a special scoring to come for which it has the districts
    "part": (-0.35, 1.63),  # and for which it has some
    "park": (1.05, 0.16),  # a point that is expected at Central Park
    "next": (2.27, 1.16),  # being next
    "lead": (0.91, -0.39),  # and each point that scoring a district would then bring more than others
}
PROSPECT = 0.15  # what the auctions ahead should bring more than others


@cache
def weights(placed):
    """All of them in this order when so many businesses lie; in front by card, as in a hand."""
    rest = (LAST_BUSINESS - placed) / LAST_BUSINESS
    now = {name: last + more * rest for name, (last, more) in WEIGHTS.items()}
    by_card = [now[f"{suit} {value}"] for suit in ("black", *5 * ["colour"]) for value in (4, 5, 6)]
    return by_card, *now.values()


def evaluate(state):
    """By seat: the points it may have in the end, at the start of a turn."""
    values, seat = expected(state), state.actor
    *_, following, lead = weights(state.placed)
    best = 0.0
    for place in set(state.position):
        if 1 <= place <= 7 and not state.stopped >> place - 1 & 1:
            best = max(best, balance(state.district_points(place - 1), seat))
    share = shares_of(values, seat)
    ahead = sum([prospect(state, share, lot) for lots in state.marks for lot in lots])
    values[seat] += following + lead * best + PROSPECT * ahead
    return values


def expected(state):
    """The same, whoever is next."""
    by_card, point, skyscraper, closed, district, *more = weights(state.placed)
    own, first, supply, sure, part, park, _, _ = more[6:]
    tiles, height, home, neighbours = state.tiles, state.height, state.home, state.neighbours
    full = [all(map(or_, height[at : at + 5], tiles[at : at + 5])) for at in range(0, 42, 6)]
    park *= park_points(state)
    values = []
    for seat in range(state.players):
        cards = state.hand[18 * seat : 18 * seat + 18]
        value = state.points[seat] + park * state.park_height[seat]
        value += sum(map(mul, by_card, cards))
        suits = set()
        for plot in home[7 * seat : 7 * seat + 7]:
            if plot >= 0:
                one, other = neighbours[plot]
                each = skyscraper + point * POINTS_BY_MASK[TYPES_ON[tiles[one]] | TYPES_ON[tiles[other]]]
                value += district + height[plot] * (each + closed if full[plot // 6] else each)
                suits.add(3 * (plot % 6) + 3)
        value += own * sum([sum(cards[suit : suit + 3]) for suit in suits])
        have = state.supply[seat]
        value += first * min(have, 3) + supply * min(have, 9)
        values.append(value + specials(state.placed, DISTRICT_COUNT[state.districts[seat]], sure, part))
    return values


@cache
def specials(placed, have, sure, part):
    """What skyscrapers in so many districts bring in special scorings to come, when so many businesses lie."""
    return sum(
        sure * points if have >= needed else part * points * have / needed
        for at, (needed, points) in SPECIAL_SCORING.items()
        if placed < at
    )


def shares(state, seat):
    """How much a point of each seat is worth to one: the others' against it, half on all, half on who is ahead."""
    return shares_of(expected(state) if state.players > 2 else [0.0, 0.0], seat)


def shares_of(values, seat):
    """The same of what each seat can expect."""
    others = [value if other != seat else -1e9 for other, value in enumerate(values)]
    share = [-0.5 / (len(values) - 1)] * len(values)
    share[others.index(max(others))] -= 0.5
    share[seat] = 1.0
    return share
