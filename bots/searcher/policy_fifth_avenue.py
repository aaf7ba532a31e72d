"""Fifth Avenue for the search: opinions on actions, how a turn is played to its end, and what a position is worth."""

from functools import cache

from tree import win_shares

from fa_cli.games.fifth_avenue.actions import (
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
from fa_cli.games.fifth_avenue.board import (
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

ITERATIONS = 25
EXPLORE = 0.12
TRUST = 3.0
PAIRED = 4
WIDTH = 6.0
WIDEN = 1.5
SCALE = 8.0

SCORINGS = 1.34
BLACK = 2.25
COLOUR = 1.5
LATE = 0.3
SKYSCRAPER = 2.0
PARK_POINTS = (3.3, 2.0, 2.6, 3.2, 3.8)
CHANCE = 0.22
THREAT = 0.5
ROUND = 0.3
ARRIVAL = 0.06
DENY = 0.3
CARE = 1.5
SPREAD = 0.4
TEMPO = 0.5
TURN = 2.0
EVAL = 1.34

SUPPLY = [0.0]
for _number in range(18):
    SUPPLY.append(SUPPLY[-1] + SKYSCRAPER * max(0.0, 1 - _number / 6))


def searches(state):
    """Whether there is something to search for."""
    return True


def expect(state):
    """What each seat can expect of the game, after the turn under way."""
    settle(state)
    if state.phase == OVER:
        return win_shares([points + cards / 100 for points, cards in state.standing()], SCALE / 4)
    return win_shares(evaluate(state), SCALE * (0.4 + 0.6 * (LAST_BUSINESS - state.placed) / LAST_BUSINESS))


def settle(state):
    """Play on to the next turn, without searching."""
    prizes = {}
    while True:
        phase = state.phase
        if phase in (ACTING, OVER):
            return
        legal = state.legal()
        if len(legal) == 1:
            state.apply(legal[0])
        elif phase == BIDDING:
            play_bid(state, prizes)
        else:
            values = opinions(state, legal)
            state.apply(legal[values.index(max(values))])


# -- what a position is worth ------------------------------------------------------------------------------------------


def left(state):
    return (LAST_BUSINESS - state.placed) / LAST_BUSINESS


def horizon(state):
    return 1 + SCORINGS * left(state)


def evaluate(state):
    """By seat: the points it may have in the end."""
    late = left(state)
    scorings = 1 + EVAL * late
    cards = LATE + (1 - LATE) * late
    tiles, height, home, beside, hand = state.tiles, state.height, state.home, state.beside, state.hand
    park = PARK_POINTS[len(set(state.park))]
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
    return values if state.actor < 0 else with_tempo(state, values)


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


# -- opinions ----------------------------------------------------------------------------------------------------------


def opinions(state, legal):
    """What each of these actions is worth to the actor, in points."""
    return OPINIONS[state.phase](state, legal)


def on_places(state, legal):
    mine = {plot % 6 for plot in state.home[7 * state.actor : 7 * state.actor + 7] if plot >= 0}
    values = []
    for action in legal:
        plot = action - PLACE
        first = plot - plot % 6
        room = sum(1 for near in state.beside[plot] if not state.height[near] and state.tiles[near] < 5)
        taken = sum(1 for near in range(first, first + 6) if state.height[near])
        values.append(state.plot_value(plot) + 0.5 * (plot % 6 in mine) + 0.1 * room - 0.1 * taken)
    return values


def on_actions(state, legal):
    """Points, and what the cards of the second action are worth."""
    seat = state.actor
    cards = LATE + (1 - LATE) * left(state)
    black, colours = BLACK * cards, 2 * COLOUR * cards
    tiles = None
    values = []
    for action in legal:
        if action >= BUSINESS:
            if tiles is None:
                tiles = business_gains(state)
                general = colours + business_place(state)
                scorings = 1 + SCORINGS * (LAST_BUSINESS - state.placed - 1) / LAST_BUSINESS
            values.append(general + scorings * tiles.get(action, 0.0))
        elif action == COMMISSIONER:
            values.append(colours + black)
        elif action == SKYSCRAPERS:
            have = state.supply[seat]
            more = SUPPLY[have + min(3, state.general[seat])] - SUPPLY[have]
            values.append(colours + more * (horizon(state) - 0.7))
        else:
            district = action - SCORE
            points = state.district_points(district)
            drawn = [0.0 if state.districts[other] >> district & 1 else black for other in range(state.players)]
            drawn[seat] += 2 * black
            values.append(balance(points, seat) + balance(drawn, seat))
    return values


def business_gains(state):
    """By action: what a tile brings more in one scoring, of those that bring anything."""
    seat = state.actor
    tiles, height, owner, beside = state.tiles, state.height, state.owner, state.beside
    others = state.players - 1
    gains = {}
    shop = set(state.shop)
    for plot in range(PLOTS):
        if height[plot] and owner[plot] <= others:
            one, other = beside[plot]
            there = TYPES_ON[tiles[one]] | TYPES_ON[tiles[other]]
            share = 1.0 if owner[plot] == seat else -0.75 if others > 1 else -1.0
            for tile in shop:
                if not there >> tile & 1:
                    gain = share * height[plot] * (POINTS_BY_MASK[there | 1 << tile] - POINTS_BY_MASK[there])
                    at = BUSINESS + PLOTS * tile
                    gains[at + one] = gains.get(at + one, 0.0) + gain
                    gains[at + other] = gains.get(at + other, 0.0) + gain
    return gains


def business_place(state):
    """What it is worth that one more business lies, wherever."""
    seat, placed = state.actor, state.placed + 1
    total = [0] * state.players
    for district in range(7):
        if not state.stopped >> district & 1:
            total = [now + more for now, more in zip(total, state.district_points(district), strict=True)]
    worth = -SCORINGS / LAST_BUSINESS * balance(total, seat)
    if placed in SPECIAL_SCORING:
        needed, points = SPECIAL_SCORING[placed]
        worth += balance([points if DISTRICT_COUNT[mask] >= needed else 0 for mask in state.districts], seat)
    if placed == LAST_BUSINESS:
        park = PARK_POINTS[len(set(state.park))]
        final = [
            now + more + park * high for now, more, high in zip(state.points, total, state.park_height, strict=True)
        ]
        worth += 20 if final[seat] >= max(final) else -20
    return worth


def on_draws(state, legal):
    """Cards for its plots and for good empty ones, most of all where auctions are near; then 6s and 4s."""
    seat = state.turn
    soon = {place - 1 for place in state.position}.union(*state.marks)
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
    return [sum([worth[colour] for colour in DRAWN[action - DRAW]]) for action in legal]


def on_moves(state, legal):
    """Districts where it leads, none where the next player does; auctions when its hand is strong."""
    seat = state.turn
    following = (seat + 1) % state.players
    values = []
    for action in legal:
        who, to = divmod(action - MOVE, 9)
        worth = best = threat = 0.0
        for place in {to, state.position[1 - who]}:
            if 1 <= place <= 7 and not state.stopped >> place - 1 & 1:
                points = state.district_points(place - 1)
                best = max(best, balance(points, seat))
                threat = max(threat, balance(points, following))
        worth = CHANCE * best - THREAT * threat
        if to in (CITY_HALL, CENTRAL_PARK):
            weight = ROUND if to == CITY_HALL else ARRIVAL
            worth += weight * sum(prospect(state, seat, lot) for lot in state.marks[who])
        values.append(worth)
    return values


def prospect(state, seat, lot):
    """What an auction should bring the seat more than the others: prizes by the strength of the hands."""
    power, prizes = [], []
    scorings = horizon(state)
    first = 6 * lot
    empty = [plot for plot in range(first, first + 5) if not state.height[plot] and not state.tiles[plot]]
    for other in range(state.players):
        home = state.home[7 * other + lot]
        plots = [home] if home >= 0 else empty
        if not plots or not state.supply[other]:
            power.append(0.0)
            prizes.append(0.0)
            continue
        at = 6 * other
        best = max(plots, key=lambda plot: state.plot_value(plot) + state.worth[at + plot % 6 + 1] / 20)
        power.append((state.worth[at] + state.worth[at + best % 6 + 1]) ** 2)
        prizes.append(min(2, state.supply[other]) * state.plot_value(best) * scorings)
    whole = sum(power) or 1.0
    return balance([mine / whole * prize for mine, prize in zip(power, prizes, strict=True)], seat)


# -- auctions ----------------------------------------------------------------------------------------------------------


def play_bid(state, prizes):
    """The whole of the best raise, or `pass`."""
    best, cards = (-1e9 if state.raising else 0.0), None
    for worth, more in raises(state, prizes, best):
        if worth > best:
            best, cards = worth, more
    if cards is None:
        state.apply(PASS)
        return
    for card in cards:
        state.apply(BID + card)
    state.apply(DONE)


def raises(state, prizes, wanted=-1e9):
    """Raises that are just enough, no card of them above 4, 5 or 6: what each is worth and its further cards.

    Those that can't be worth more than `wanted` are left out. `prizes` keeps what winning is worth, by lot, seat and
    suit, for as long as the board does not change.
    """
    seat, lot = state.actor, state.lot
    hand, worth, high = state.hand, state.worth, state.high
    at = 18 * seat
    laid, begun = state.laid[seat], state.bids[seat]
    care = CARE * (LATE + (1 - LATE) * left(state))
    black, colour = BLACK * care, COLOUR * care
    paid = sum([colour if card >= 3 else black for card in laid])
    shown = max([card % 3 for card in laid], default=0)
    found = []
    for suit in bidding_suits(state, seat):
        key = lot, seat, suit
        prize = prizes.get(key)
        if prize is None:
            prize = prizes[key] = wins(state, seat, suit)
        if max(prize[3 - shown], prize[0]) - paid - ((high - begun) // 6 + 1) * colour <= wanted:
            continue
        if begun + worth[6 * seat] + worth[6 * seat + suit] <= high:
            continue
        for top in range(3):
            if top and not hand[at + top] and not hand[at + 3 * suit + top]:
                continue
            total, cards, price, worst = begun, [], paid, shown
            for first, each in ((3 * suit, colour), (0, black)):
                for value in range(top, -1, -1):
                    count = hand[at + first + value]
                    if count and total <= high:
                        count = min(count, (high - total) // (4 + value) + 1)
                        total += count * (4 + value)
                        price += count * each
                        cards += [first + value] * count
                        if value > worst:
                            worst = value
            if total > high and (laid or (cards and cards[0] >= 3)):
                found.append((prize[3 - worst] - price, cards))
    return found


def bidding_suits(state, seat):
    """The suits that it can bid with."""
    if state.suits[seat]:
        return (state.suits[seat],)
    home = state.home[7 * seat + state.lot] if state.lot != PARK_LOT else -1
    return (home % 6 + 1,) if home >= 0 else state.lot_suits


def wins(state, seat, suit):
    """What winning with this suit is worth, and that no other wins: by how many the cards allow, 0 to 3."""
    lot, supply = state.lot, state.supply[seat]
    counts = [min(limit, supply) for limit in range(4)]
    if lot == PARK_LOT:
        each = PARK_POINTS[len(set(state.park))] - SKYSCRAPER / 2
        return [each * count for count in counts]
    home = state.home[7 * seat + lot]
    scorings = horizon(state)
    plot = home if home >= 0 else 6 * lot + suit - 1
    each = state.plot_value(plot) * scorings - SKYSCRAPER / 2
    if state.full:
        stopped = stop(state, seat)
        return [max(stopped, each * count) if home >= 0 else stopped for count in counts]
    denied = DENY * deny(state, seat) * scorings / (state.players - 1)
    have = DISTRICT_COUNT[state.districts[seat]]
    new = spread(state.placed, have + 1) - spread(state.placed, have) if home < 0 else 0.0
    return [each * count + denied + (new if count else 0.0) for count in counts]


def deny(state, seat):
    """The most that one who is still in the auction could make of it, for one scoring."""
    lot, best = state.lot, 0
    for rival in range(state.players):
        if rival != seat and not state.passed >> rival & 1 and state.supply[rival]:
            home = state.home[7 * rival + lot]
            plots = [home] if home >= 0 else [6 * lot + suit - 1 for suit in state.lot_suits]
            best = max(best, *[state.plot_value(plot) for plot in plots], 0)
    return 2 * best


def stop(state, seat):
    """A building stop: what it brings now, less what the district would still have brought; the second one ends it."""
    lot = state.lot
    normal = state.district_points(lot)
    gains = [points // 2 for points in normal]
    gains[seat] = sum(state.height[6 * lot : 6 * lot + 6])
    if state.stopped:
        totals = state.points[:]
        for district in range(7):
            if district != lot and not state.stopped >> district & 1:
                totals = [now + more for now, more in zip(totals, state.district_points(district), strict=True)]
        totals = [now + more for now, more in zip(totals, gains, strict=True)]
        return 20.0 if totals[seat] >= max(totals) else -20.0
    return balance(gains, seat) - horizon(state) * balance(normal, seat)


def on_bids(state, legal):
    """For each card the best raise that begins with it."""
    found = {}
    for worth, cards in raises(state, {}):
        action = BID + cards[0] if cards else DONE
        found[action] = max(worth, found.get(action, -1e9))
    return [found.get(action, 0.0 if action == PASS else -3.0) for action in legal]


def on_builds(state, legal):
    """As many skyscrapers as pay, or the end of building there."""
    seat, lot = state.actor, state.lot
    if lot == PARK_LOT:
        each = PARK_POINTS[len(set(state.park))] - SKYSCRAPER / 2
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
