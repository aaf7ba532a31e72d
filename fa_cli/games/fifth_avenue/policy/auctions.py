"""The auctions of Fifth Avenue in the search: what winning is worth, what a bid costs, and how an auction ends."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any

from ..actions import BID, BIDDING, DONE, PASS
from ..board import DISTRICT_COUNT, PARK_LOT
from ..state import State
from .evaluation import shares
from .values import (
    BLACK,
    COLOUR,
    SKYSCRAPER,
    card_share,
    horizon,
    park_points,
    spread,
    weigh,
)

CARE = 1.5  # the weight of the cards that a bid costs
DENY = 0.3  # the weight of what an opponent would win otherwise
ENDS = 20.0  # points that ending the game is worth to the seat that wins by it


def play_lot(state: State) -> None:
    """Play the current auction to its end: the seat with the highest limit wins, just outbidding the second highest.

    Choosing each bid in turn has nearly the same result and takes three times as long.
    """
    lot, later = state.lot, len(state.lots)
    limits = [0 if state.passed >> seat & 1 else limit(state, seat) for seat in range(state.players)]
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


def limit(state: State, seat: int) -> int:
    """Return the highest bid that a seat would make: the cards for it cost no more than the prize is worth."""
    hand, at = state.hand, 18 * seat
    laid = state.laid[seat]
    black, colour = card_prices(state)
    paid = fsum([colour if card >= 3 else black for card in laid])
    shown = max([card % 3 for card in laid], default=0)
    highest = 0
    for suit, prize in prizes_of(state, seat):
        for top in range(shown, 3):
            budget = prize[3 - top] - paid
            total = state.bids[seat]
            if budget < colour or not (laid or sum(hand[at + 3 * suit : at + 3 * suit + top + 1])):
                continue
            for first, each in ((at + 3 * suit, colour), (at, black)):
                for value in range(top, -1, -1):
                    count = hand[first + value]
                    if count:
                        if count * each > budget:
                            count = int(budget / each)
                        total += count * (4 + value)
                        budget -= count * each
            if total > highest:
                highest = total
    return highest


def card_prices(state: State) -> tuple[float, float]:
    """Return the cost of each black card and of each colour card in a bid, in points."""
    care = CARE * card_share(state)
    return BLACK * care, COLOUR * care


def raises(state: State, high: int) -> list[tuple[float, list[int]]]:
    """List raises just above `high` with no card above 4, 5 or 6: the value of each and its further cards."""
    seat, hand, at = state.actor, state.hand, 18 * state.actor
    laid, begun = state.laid[seat], state.bids[seat]
    black, colour = card_prices(state)
    paid = fsum([colour if card >= 3 else black for card in laid])
    shown = max([card % 3 for card in laid], default=0)
    choices = []
    for suit, prize in prizes_of(state, seat):
        if begun + state.worth[6 * seat] + state.worth[6 * seat + suit] <= high:
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
                choices.append((prize[3 - worst] - price, cards))
    return choices


Prizes = tuple[int, list[float]]
"""A suit, and what winning with it is worth, by the cards' limit of 0 to 3."""

_prizes: dict[tuple[Any, ...], list[Prizes]] = {}


def prizes_of(state: State, seat: int) -> list[Prizes]:
    """List the suits with which a seat may bid, and what winning with each is worth; cached by what that depends on.

    What a building stop is worth depends on hands too.
    """
    suits = bidding_suits(state, seat)
    if state.full:
        return [(suit, wins(state, seat, suit)) for suit in suits]
    board = (*state.tiles, *state.home, *state.supply, *state.park, state.placed, state.lot)
    key = state.options.side, board, seat, tuple(suits), state.passed, tuple(state.lot_suits)
    prizes = _prizes.get(key)
    if prizes is None:
        if len(_prizes) > 5000:
            _prizes.clear()
        prizes = _prizes[key] = [(suit, wins(state, seat, suit)) for suit in suits]
    return prizes


def bidding_suits(state: State, seat: int) -> Sequence[int]:
    """Return the suits with which the seat can bid."""
    if state.suits[seat]:
        return (state.suits[seat],)
    home = state.home[7 * seat + state.lot] if state.lot != PARK_LOT else -1
    return (home % 6 + 1,) if home >= 0 else state.lot_suits


def wins(state: State, seat: int, suit: int) -> list[float]:
    """Return what winning with this suit is worth, including that no opponent wins, by the cards' limit of 0 to 3."""
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
        stopped = stop(state, seat)
        return [max(stopped, each * count) if home >= 0 else stopped for count in counts]
    denied = DENY * deny(state, seat) * scorings / (state.players - 1)
    have = DISTRICT_COUNT[state.districts[seat]]
    new = spread(state.placed, have + 1) - spread(state.placed, have) if home < 0 else 0.0
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
