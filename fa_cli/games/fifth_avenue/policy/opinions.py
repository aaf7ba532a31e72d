"""The policy for Fifth Avenue: opinions on actions, quick play to the end of a turn, and expected rewards."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from ...search import win_shares
from ..actions import (
    ACTING,
    BID,
    BIDDING,
    BUILD,
    BUILDING,
    BUSINESS,
    COMMISSIONER,
    DONE,
    DRAW,
    DRAWING,
    DRAWN,
    MOVE,
    MOVING,
    OVER,
    PASS,
    PLACE,
    PLACING,
    SCORE,
    SKYSCRAPERS,
    STOP,
)
from ..board import (
    CENTRAL_PARK,
    CITY_HALL,
    DISTRICT_COUNT,
    LAST_BUSINESS,
    PARK_LOT,
    PLOTS,
    POINTS_BY_MASK,
    SPECIAL_SCORING,
    TYPES_ON,
)
from ..state import State
from .auctions import ENDS, play_lot, raises, stop
from .evaluation import evaluate, shares
from .values import (
    BLACK,
    COLOUR,
    SCORINGS,
    SKYSCRAPER,
    SUPPLY,
    balance,
    card_share,
    horizon,
    left,
    park_points,
    prospect,
    weigh,
)

# The parameters of the search: see search.py.
ITERATIONS = 30
EXPLORE = 0.12
TRUST = 6.0
PAIRED = 4
WIDTH = 6.0
WIDEN = 1.5
SCALE = 8.0

# The weights of what a commissioner's move makes possible.
CHANCE = 0.22  # the actor's gain by scoring a district where a commissioner stands
THREAT = 0.5  # the next player's gain by scoring one
ROUND = 0.3  # the actor's prospects in a round of auctions that begins now
ARRIVAL = 0.06  # its prospects in a round of auctions that anybody can begin


def searches(state: State) -> bool:
    """Return whether this decision is worth a search."""
    return True


def expect(state: State) -> list[float]:
    """Play on to the next turn and return by seat its expected share of the win."""
    settle(state)
    if state.phase == OVER:
        return win_shares([points + cards / 100 for points, cards in state.standing()], SCALE / 4)
    return win_shares(evaluate(state), SCALE * (0.4 + 0.6 * left(state)))


def settle(state: State) -> None:
    """Play on to the next turn by opinions alone."""
    while True:
        phase = state.phase
        if phase in (ACTING, OVER):
            return
        if phase == BIDDING:
            play_lot(state)
            continue
        legal = state.legal()
        if len(legal) == 1:
            state.apply(legal[0])
        else:
            values = opinions(state, legal)
            state.apply(legal[values.index(max(values))])


# -- opinions ----------------------------------------------------------------------------------------------------------


def opinions(state: State, legal: Sequence[int]) -> list[float]:
    """Return the value of each action to the actor, in points."""
    return OPINIONS[state.phase](state, legal)


def on_places(state: State, legal: Sequence[int]) -> list[float]:
    """Prefer plots of high value with room for businesses next to them, in a colour the seat has, away from others."""
    own = {plot % 6 for plot in state.home[7 * state.actor : 7 * state.actor + 7] if plot >= 0}
    values = []
    for action in legal:
        plot = action - PLACE
        first = plot - plot % 6
        room = sum(1 for near in state.neighbours[plot] if not state.height[near] and state.tiles[near] < 5)
        taken = sum(1 for near in range(first, first + 6) if state.height[near])
        values.append(state.plot_value(plot) + 0.5 * (plot % 6 in own) + 0.1 * room - 0.1 * taken)
    return values


def on_actions(state: State, legal: Sequence[int]) -> list[float]:
    """Value the points of the first action and the cards of the second."""
    seat = state.actor
    share = shares(state, seat)
    cards = card_share(state)
    black, colours = BLACK * cards, 2 * COLOUR * cards
    tiles = None
    values = []
    for action in legal:
        if action >= BUSINESS:
            if tiles is None:
                tiles = business_gains(state, share)
                common = colours + any_business(state, share)
                scorings = 1 + SCORINGS * (LAST_BUSINESS - state.placed - 1) / LAST_BUSINESS
            values.append(common + scorings * tiles.get(action, 0.0))
        elif action == COMMISSIONER:
            values.append(colours + black)
        elif action == SKYSCRAPERS:
            have = state.supply[seat]
            more = SUPPLY[have + 3] - SUPPLY[have]
            values.append(colours + more * (horizon(state) - 0.7))
        else:
            district = action - SCORE
            points = state.district_points(district)
            drawn = [0.0 if state.districts[other] >> district & 1 else black for other in range(state.players)]
            drawn[seat] += 2 * black
            values.append(weigh(points, share) + weigh(drawn, share))
    return values


def business_gains(state: State, share: Sequence[float]) -> dict[int, float]:
    """Return by action what a tile adds to one scoring; actions that add nothing are left out."""
    tiles, height, owner, neighbours = state.tiles, state.height, state.owner, state.neighbours
    others = state.players - 1
    gains: dict[int, float] = {}
    shop = set(state.shop)
    for plot in range(PLOTS):
        if height[plot] and owner[plot] <= others:
            left, right = neighbours[plot]
            types = TYPES_ON[tiles[left]] | TYPES_ON[tiles[right]]
            for tile in shop:
                if not types >> tile & 1:
                    more = POINTS_BY_MASK[types | 1 << tile] - POINTS_BY_MASK[types]
                    gain = share[owner[plot]] * height[plot] * more
                    first = BUSINESS + PLOTS * tile
                    gains[first + left] = gains.get(first + left, 0.0) + gain
                    gains[first + right] = gains.get(first + right, 0.0) + gain
    return gains


def any_business(state: State, share: Sequence[float]) -> float:
    """Return the value of placing a business on any plot: it brings special scorings and the end of the game nearer."""
    seat, placed = state.actor, state.placed + 1
    total = [0] * state.players
    for district in range(7):
        if not state.stopped >> district & 1:
            total = [now + more for now, more in zip(total, state.district_points(district), strict=True)]
    worth = -SCORINGS / LAST_BUSINESS * weigh(total, share)
    if placed in SPECIAL_SCORING:
        needed, points = SPECIAL_SCORING[placed]
        worth += weigh([points if DISTRICT_COUNT[mask] >= needed else 0 for mask in state.districts], share)
    if placed == LAST_BUSINESS:
        park = park_points(state)
        final = [
            now + more + park * high for now, more, high in zip(state.points, total, state.park_height, strict=True)
        ]
        worth += ENDS if final[seat] >= max(final) else -ENDS
    return worth


def on_draws(state: State, legal: Sequence[int]) -> list[float]:
    """Prefer cards for the seat's plots and for good empty ones, most of all where auctions are near; then 6s."""
    seat = state.turn
    soon = {place - 1 for place in state.commissioners}.union(*state.marks)
    worth = [0.0] * 5
    for district in range(7):
        if state.stopped >> district & 1:
            continue
        first, near = 6 * district, 2 if district in soon else 1
        home = state.home[7 * seat + district]
        if home >= 0:
            worth[home - first] += 0.2 * near * state.plot_value(home)
        else:
            for colour in range(5):
                if not state.height[first + colour] and not state.tiles[first + colour]:
                    worth[colour] += 0.1 * near * state.plot_value(first + colour)
    for colour, deck in enumerate(state.decks):
        if deck:
            worth[colour] += (0.3, 0.3, 0.6)[deck[0] % 3]
    return [fsum([worth[colour] for colour in DRAWN[action - DRAW]]) for action in legal]


def on_moves(state: State, legal: Sequence[int]) -> list[float]:
    """Prefer districts where the seat leads and the next player does not, and auctions when its hand is strong."""
    seat = state.turn
    next_seat, share = (seat + 1) % state.players, shares(state, seat)
    values = []
    for action in legal:
        who, to = divmod(action - MOVE, 9)
        worth = best = threat = 0.0
        for place in {to, state.commissioners[1 - who]}:
            if 1 <= place <= 7 and not state.stopped >> place - 1 & 1:
                points = state.district_points(place - 1)
                best = max(best, weigh(points, share))
                threat = max(threat, balance(points, next_seat))
        worth = CHANCE * best - THREAT * threat
        if to in (CITY_HALL, CENTRAL_PARK):
            weight = ROUND if to == CITY_HALL else ARRIVAL
            worth += weight * fsum(prospect(state, share, lot) for lot in state.marks[who])
        values.append(worth)
    return values


def on_bids(state: State, legal: Sequence[int]) -> list[float]:
    """Value each card by the best raise that begins with it."""
    best: dict[int, float] = {}
    for value, cards in raises(state, state.high):
        action = BID + cards[0] if cards else DONE
        best[action] = max(value, best.get(action, -1e9))
    return [best.get(action, 0.0 if action == PASS else -3.0) for action in legal]


def on_builds(state: State, legal: Sequence[int]) -> list[float]:
    """Value the number of skyscrapers to build, or a building stop."""
    seat, lot = state.actor, state.lot
    if lot == PARK_LOT:
        each = park_points(state) - SKYSCRAPER / 2
    else:
        each = state.plot_value(6 * lot + state.suits[seat] - 1) * horizon(state) - SKYSCRAPER / 2
    return [stop(state, seat) if action == STOP else each * (action - BUILD) for action in legal]


OPINIONS = {
    PLACING: on_places,
    ACTING: on_actions,
    DRAWING: on_draws,
    MOVING: on_moves,
    BIDDING: on_bids,
    BUILDING: on_builds,
}
