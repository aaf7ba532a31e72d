"""The auctions of Fifth Avenue in the search: what winning is worth, what a bid costs, and how an auction ends."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, inf
from typing import Any, NamedTuple

from ..actions import BID, BIDDING, DONE, PASS
from ..board import DISTRICT_COUNT, PARK_LOT
from ..state import State
from .evaluation import shares, specials
from .values import BLACK, COLOUR, SKYSCRAPER, card_share, horizon, park_points, weigh

CARE = 1.5  # the weight of the cards that a bid costs
SPREAD = 0.4  # the part of a later special scoring that counts for seats with too few districts
DENY = 0.3  # the weight of what an opponent would win otherwise
ENDS = 20.0  # points that ending the game is worth to the seat that wins by it
DOWN_FROM = ((0,), (1, 0), (2, 1, 0))  # cards of a suit that may be laid, the highest first, by the highest
Raise = tuple[float, list[int]]
"""The value of a raise, and its further cards."""


def play_lot(state: State) -> None:
    """Play the current auction to its end: the seat with the highest limit wins, just outbidding the second highest.

    Choosing each bid in turn has nearly the same result and takes three times as long.
    """
    lot, later = state.lot, len(state.lots)
    known = known_on(state)
    limits = [0 if state.passed >> seat & 1 else limit(state, seat, known) for seat in range(state.players)]
    favourite = max(range(state.players), key=limits.__getitem__)
    second = max(limits[:favourite] + limits[favourite + 1 :])
    while state.phase == BIDDING and state.lot == lot and len(state.lots) == later:
        if state.raising:
            play_bid(state, state.high)
        elif state.actor == favourite and limits[favourite] > state.high:
            play_bid(state, max(second, state.high))
        else:
            state.apply(PASS)


def play_bid(state: State, high: int) -> None:
    """Play all cards of the best raise above `high`, or pass."""
    best, cards = (-1e9 if state.raising else 0.0), None
    for value, further in raises(state, high) or raises(state, state.high):
        if value > best:
            best, cards = value, further
    if cards is None:
        state.apply(PASS)
        return
    for card in cards:
        state.apply(BID + card)
    state.apply(DONE)


def limit(state: State, seat: int, known: Known) -> int:
    """Return the highest bid that a seat would make: the cards for it cost no more than the prize is worth."""
    key = seat, hand_of(state, seat), state.laid[seat]
    highest = known.limits.get(key)
    if highest is None:
        highest = known.limits[key] = _limit(state, seat, known)
    return highest


def _limit(state: State, seat: int, known: Known) -> int:
    hand, at = state.hand, 18 * seat
    laid, begun = state.laid[seat], state.bids[seat]
    black, colour = card_prices(state)
    paid, shown = of_laid(laid, black, colour)
    with_black = begun + state.worth[6 * seat]
    highest = 0
    for suit, prize in prizes_of(state, seat, known):
        most = with_black + state.worth[6 * seat + suit]
        own = at + 3 * suit
        for top in range(2, shown - 1, -1):
            if most <= highest:
                break
            budget = prize[3 - top] - paid
            if budget < colour or not (laid or any(hand[own : own + top + 1])):
                continue
            total = begun
            for first, each in ((own, colour), (at, black)):
                for value in DOWN_FROM[top]:
                    count = hand[first + value]
                    if count:
                        if count * each > budget:
                            count = int(budget / each)
                        total += count * (4 + value)
                        budget -= count * each
            if total > highest:
                highest = total
    return highest


def of_laid(laid: bytes, black: float, colour: float) -> tuple[float, int]:
    """Return what laid cards cost, and the highest of them: 0 to 2 for 4 to 6, 0 for none."""
    if not laid:
        return 0.0, 0
    return fsum([colour if card >= 3 else black for card in laid]), max([card % 3 for card in laid])


def card_prices(state: State) -> tuple[float, float]:
    """Return the cost of each black card and of each colour card in a bid, in points."""
    care = CARE * card_share(state)
    return BLACK * care, COLOUR * care


def raises(state: State, high: int) -> list[Raise]:
    """List raises just above `high` with no card above 4, 5 or 6."""
    seat, known = state.actor, known_on(state)
    key = seat, hand_of(state, seat), state.laid[seat], high
    found = known.raises.get(key)
    if found is None:
        found = known.raises[key] = _raises(state, high, known)
    return found


def _raises(state: State, high: int, known: Known) -> list[Raise]:
    seat, hand, at = state.actor, state.hand, 18 * state.actor
    laid, begun = state.laid[seat], state.bids[seat]
    black, colour = card_prices(state)
    paid, shown = of_laid(laid, black, colour)
    choices = []
    for suit, prize in prizes_of(state, seat, known):
        if begun + state.worth[6 * seat] + state.worth[6 * seat + suit] <= high:
            continue
        for top in range(3):
            if top and not hand[at + top] and not hand[at + 3 * suit + top]:
                continue
            total, cards, price, worst = begun, [], paid, shown
            for first, each in ((3 * suit, colour), (0, black)):
                for value in DOWN_FROM[top]:
                    count = hand[at + first + value]
                    if count and total <= high:
                        count = min(count, (high - total) // (4 + value) + 1)
                        total += count * (4 + value)
                        price += count * each
                        cards += [first + value] * count
                        if value > worst:
                            worst = value
            if total > high and (laid or (cards and cards[0] >= 3)):
                choices.append((prize[3 - worst] - price, cards))
    return choices


Prizes = tuple[int, list[float]]
"""A suit, and what winning with it is worth, by the cards' limit of 0 to 3."""


class Known(NamedTuple):
    """What was found out before on a board, by seat and what else it depends on."""

    prizes: dict[tuple[int, ...], list[Prizes]]
    """By suits."""
    limits: dict[tuple[int, bytes, bytes], int]
    """By hand and laid cards."""
    raises: dict[tuple[int, bytes, bytes, int], list[Raise]]
    """By hand, laid cards and the highest bid."""


_known: dict[tuple[Any, ...], Known] = {}


def known_on(state: State) -> Known:
    """Return what was found out on this board: all that prizes depend on beside the seat and its suits.

    A building stop is worth something else with other hands, so where one can be won nothing is remembered.
    """
    if state.full:
        return Known({}, {}, {})
    now = state.placed, state.lot, state.passed, state.park, tuple(state.lot_suits)
    board = (state.options.side, *state.tiles, *state.home, *state.supply, *now)
    known = _known.get(board)
    if known is None:
        if len(_known) > 500:
            _known.clear()
        known = _known[board] = Known({}, {}, {})
    return known


def hand_of(state: State, seat: int) -> bytes:
    """Return the number of each card in a hand."""
    return bytes(state.hand[18 * seat : 18 * seat + 18])


def prizes_of(state: State, seat: int, known: Known) -> list[Prizes]:
    """List the suits with which a seat may bid, and what winning with each is worth."""
    suits = bidding_suits(state, seat)
    key = (seat, *suits)
    prizes = known.prizes.get(key)
    if prizes is None:
        prizes = [(suit, wins(state, seat, suit)) for suit in suits]
        if state.full:
            stopped = stop(state, seat)
            prizes = [(suit, [max(stopped, built) for built in worth]) for suit, worth in prizes]
        known.prizes[key] = prizes
    return prizes


def bidding_suits(state: State, seat: int) -> Sequence[int]:
    """Return the suits with which the seat can bid."""
    if state.suits[seat]:
        return (state.suits[seat],)
    home = state.home[7 * seat + state.lot] if state.lot != PARK_LOT else -1
    return (home % 6 + 1,) if home >= 0 else state.lot_suits


def wins(state: State, seat: int, suit: int) -> list[float]:
    """Return what winning with this suit is worth, including that no opponent wins, by the cards' limit of 0 to 3.

    Where it brings a building stop, return what building instead of it is worth.
    """
    lot, supply = state.lot, state.supply[seat]
    counts = [min(limit, supply) for limit in range(4)]
    if lot == PARK_LOT:
        each = park_points(state) - SKYSCRAPER / 2
        return [each * count for count in counts]
    home = state.home[7 * seat + lot]
    scorings = horizon(state)
    plot = home if home >= 0 else 6 * lot + suit - 1
    each = state.plot_value(plot) * scorings - SKYSCRAPER / 2
    if state.full:
        return [each * count if home >= 0 else -inf for count in counts]
    denied = DENY * deny(state, seat) * scorings / (state.players - 1)
    have = DISTRICT_COUNT[state.districts[seat]]
    new = 0.0
    if home < 0:
        new = specials(state.placed, have + 1, 1.0, SPREAD) - specials(state.placed, have, 1.0, SPREAD)
    return [each * count + denied + (new if count else 0.0) for count in counts]


def deny(state: State, seat: int) -> float:
    """Return the most points per scoring that an opponent still in the auction could gain from it."""
    lot, best = state.lot, 0
    for rival in range(state.players):
        if rival != seat and not state.passed >> rival & 1 and state.supply[rival]:
            home = state.home[7 * rival + lot]
            plots = [home] if home >= 0 else [6 * lot + suit - 1 for suit in state.lot_suits]
            best = max(best, *[state.plot_value(plot) for plot in plots], 0)
    return 2 * best


def stop(state: State, seat: int) -> float:
    """Return the value of a building stop: its points now, less what the district would still have brought.

    The second stop ends the game.
    """
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
        return ENDS if totals[seat] >= max(totals) else -ENDS
    share = shares(state, seat)
    return weigh(gains, share) - horizon(state) * weigh(normal, share)
