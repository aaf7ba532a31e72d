"""Fifth Avenue positions as numbers for the network: `SIZE` numbers for each seat. Of hands they hold what can be won.

The positions are those at the beginning of a turn. What the plots of a district alone say is cached: the sampled states
of one decision mostly have the same plots.
"""

from functools import lru_cache

import numpy as np

from fa_cli.games.fifth_avenue.board import (
    DISTRICT_COUNT,
    LAST_BUSINESS,
    NEIGHBOURS,
    POINTS_BY_MASK,
    POINTS_BY_TYPES,
    SPECIAL_SCORING,
    TYPE_COUNT,
    TYPES_ON,
    successors,
)
from fa_cli.games.fifth_avenue.policy.evaluation import specials
from fa_cli.games.fifth_avenue.policy.values import balance, left, park_points

ALEA = 13
"""About what Alea bids."""
FAR = (0, 1, 1, 2, 2, 2, 3, 3, 4)
"""By place: how many moves a commissioner has made, on the long way."""
HOME_NEXT = 4
OF_DISTRICT = 16
OF_HAND = 14
OF_AUCTIONS = 9
OF_SEAT = 17
OF_ALL = 7
SIZE = OF_DISTRICT + OF_HAND + OF_AUCTIONS + OF_SEAT + OF_ALL


def positions(states):
    """Return the numbers of these positions: by position, seat and number."""
    return np.array([position(state) for state in states], np.float32)


def position(state):
    """Return the numbers of a position by seat."""
    side = state.options.side == "six"
    board = [of_district(state, side, number) for number in range(7)]
    found = (*(district for district in board if district),)
    lots, tempo, game = auctions(state, board), leads(state, board, found), of_game(state, side)
    park = park_points(state)
    sums = sums_of(*found)
    totals = [state.points[seat] + row[0] + park * state.park_height[seat] for seat, row in enumerate(sums)]
    return [
        sums[seat]
        + hand(state, seat)
        + lots[seat]
        + [(totals[seat] - max(totals[:seat] + totals[seat + 1 :])) / 10]
        + assets(state, seat, park)
        + tempo[seat]
        + game
        for seat in range(state.players)
    ]


@lru_cache(maxsize=1 << 12)
def sums_of(*found):
    """Return by seat the sums of the numbers of these districts."""
    by_seat = zip(*(district.rows for district in found), strict=True)
    return [[sum(column) for column in zip(*rows, strict=True)] for rows in by_seat]


@lru_cache(maxsize=1 << 12)
def gains_of(players, shop, *found):
    """Return by seat what the best tile adds on the best plot of these districts."""
    rows = [district.gains[tile] for district in found for tile in {*shop}]
    return [max([0.0, *(row[seat] for row in rows)]) for seat in range(players)]


def assets(state, seat, park):
    """Return what a seat has beside its districts and its hand."""
    high, have, placed = state.park_height[seat], DISTRICT_COUNT[state.districts[seat]], state.placed
    sure, part = specials(placed, have, 1.0, 0.0), specials(placed, have, 0.0, 1.0)
    return [state.points[seat] / 10, park * high, high, sure, part]


def leads(state, board, found):
    """Return by seat its turn, and what scoring districts and placing businesses now could bring it or cost it."""
    here = [place - 1 for place in state.commissioners if 1 <= place <= 7 and board[place - 1]]
    places = {to for place in state.commissioners for to in ways(place, state.stopped)}
    there = [place - 1 for place in places if 1 <= place <= 7 and board[place - 1]]
    players, rows = state.players, []
    for seat, gain in enumerate(gains_of(players, state.shop, *found)):
        now = [board[number].leads[seat] for number in here]
        then = [board[number].leads[seat] for number in there]
        best, worst, after = max(now, default=0.0), min(now, default=0.0), (seat - state.turn) % players
        first = after == 0
        turn = (float(first), float(after == 1), float(after == players - 1))
        mine = (best, worst, gain) if first else (0.0, 0.0, 0.0)
        rows.append([*turn, *mine, best, worst, gain, max(then, default=0.0), min(then, default=0.0)])
    return rows


def of_game(state, side):
    """Return the numbers that all seats have in common: how far the game is, and the commissioners."""
    white, beige = (FAR[place] for place in state.commissioners)
    special = next((at - state.placed for at in SPECIAL_SCORING if at > state.placed), LAST_BUSINESS - state.placed)
    marked = len(state.marks[0]) + len(state.marks[1])
    return [left(state), special, float(side), float(state.stopped > 0), max(white, beige), min(white, beige), marked]


@lru_cache(maxsize=1 << 12)
def ways(place, stopped):
    """Return where a commissioner can go from a place."""
    return successors(place, stopped)


def hand(state, seat):
    """Return what the cards of a seat and its supplies say."""
    at = 18 * seat
    cards, worth = state.hand[at : at + 18], state.worth[6 * seat : 6 * seat + 6]
    colours = sorted(worth[1:], reverse=True)
    own = [worth[1 + plot % 6] / 10 for plot in state.home[7 * seat : 7 * seat + 7] if plot >= 0]
    supply = state.supply[seat]
    return [
        *cards[:3],
        sum(cards[3::3]),
        sum(cards[4::3]),
        sum(cards[5::3]),
        (worth[0] + colours[0]) / 10,
        colours[1] / 10,
        max(own, default=0.0),
        sum(own),
        5 - colours.count(0),
        min(supply, 3),
        supply,
        state.general[seat] / 3,
    ]


def auctions(state, board):
    """Return by seat what the auctions ahead can bring: those that the next move can begin, the others, and both."""
    players, sums = state.players, [[0.0] * OF_AUCTIONS for _ in range(state.players)]
    alea = ALEA * ALEA if players == 2 else 0
    for who in (0, 1):
        at = 0 if FAR[state.commissioners[who]] == HOME_NEXT else 3
        for lot in state.marks[who]:
            district = board[lot]
            if not district:
                continue
            bids = [strength(state, seat, lot, district) for seat in range(players)]
            total = sum(power * power for power, _ in bids) + alea or 1
            for seat, (power, prize) in enumerate(bids):
                row, chance = sums[seat], power * power / total
                row[at] += chance * prize
                row[at + 1] += chance
                if district.full:
                    row[at + 2] += chance * (district.heights - district.points[seat])
                    row[6] += district.points[seat]
                ahead = power - max(other for rival, (other, _) in enumerate(bids) if rival != seat)
                if ahead > 0:
                    row[7] += prize
                    row[8] += ahead > 6
    return sums


def strength(state, seat, lot, district):
    """Return what a seat can bid for a district at most, and the points of a scoring that winning it brings."""
    worth, values, at = state.worth, district.values, 6 * seat
    plot = state.home[7 * seat + lot] - 6 * lot
    plots = (plot,) if plot >= 0 else district.empty
    power = value = best = 0
    for plot in plots or range(5):
        colour = worth[at + plot + 1]
        if colour and values[plot] + (worth[at] + colour) / 20 > best:
            power, value = worth[at] + colour, values[plot]
            best = value + power / 20
    return power, value * min(3, state.supply[seat]) if plots else 0


class District:
    """What the plots of a district say. `rows` are the numbers by seat, `leads` what a scoring is worth to each.

    `gains` are by tile and seat what placing the tile in the best place adds to this worth.
    """

    __slots__ = ("empty", "full", "gains", "heights", "leads", "points", "rows", "values")


def of_district(state, side, number):
    """Return what the plots of a district say; None if it is stopped."""
    if state.stopped >> number & 1:
        return None
    plots = slice(6 * number, 6 * number + 6)
    return district_of(
        side, number, state.players, (*state.tiles[plots],), (*state.height[plots],), (*state.owner[plots],)
    )


@lru_cache(maxsize=1 << 15)
def district_of(side, number, players, tiles, height, owner):
    """Return the district with these contents, skyscrapers and owners by plot."""
    first, district = 6 * number, District()
    around = [(one - first, two - first) for one, two in NEIGHBOURS[side][first : first + 6]]
    masks = [TYPES_ON[tiles[one]] | TYPES_ON[tiles[two]] for one, two in around]
    values = [POINTS_BY_MASK[mask] for mask in masks]
    empty = [plot for plot in range(5) if not height[plot] and not tiles[plot]]
    home = [next((plot for plot in range(5) if height[plot] and owner[plot] == seat), -1) for seat in range(players)]
    points = [height[plot] * values[plot] if plot >= 0 else 0 for plot in home]
    room = [not height[plot] and tiles[plot] < 5 and (plot < 5 or side) for plot in range(6)]
    district.values, district.empty, district.full, district.points = values, empty, not empty, points
    district.heights = sum(height)
    district.leads = [balance(points, seat) for seat in range(players)]
    district.gains = [gains(tile, height, home, around, masks, room) for tile in range(4)]
    district.rows = [
        owned(district, seat, height[plot], TYPE_COUNT[masks[plot]], sum(room[near] for near in around[plot]))
        if plot >= 0
        else absent(district)
        for seat, plot in enumerate(home)
    ]
    return district


def owned(district, seat, high, types, room):
    """Return the numbers of a seat with skyscrapers: so high, so many types beside them, so many plots for more."""
    by_types = [0] * 5
    by_types[types] = high
    more = POINTS_BY_TYPES[types + 1] - POINTS_BY_TYPES[types] if room and types < 4 else 0
    alone = high if high == district.heights else 0
    growth = (high if district.full else 0, high * more, high * room, alone)
    lead = district.leads[seat]
    return [district.points[seat], high, 1, *by_types, *growth, 0, 0, max(lead, 0.0), min(lead, 0.0)]


def absent(district):
    """Return the numbers of a seat without skyscrapers."""
    best = max((district.values[plot] for plot in district.empty), default=0)
    return [0] * 12 + [best, int(district.full), max(district.points), 0]


def gains(tile, height, home, around, masks, room):
    """Return by seat what placing the tile adds to one scoring, on the plot that is best for it."""
    best = [0.0] * len(home)
    for plot in range(6):
        if room[plot]:
            more = [
                height[own] * (POINTS_BY_MASK[masks[own] | 1 << tile] - POINTS_BY_MASK[masks[own]])
                if own >= 0 and plot in around[own]
                else 0
                for own in home
            ]
            best = [max(old, balance(more, seat)) for seat, old in enumerate(best)]
    return best
