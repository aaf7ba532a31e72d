"""The auctions of Fifth Avenue: rounds of auctions, bidding card by card, Alea's bids, and what winners build."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .actions import BID, BIDDING, BUILD, BUILDING, DONE, FIRST_BIDS, LEGAL_BUILDS, LEGAL_RAISES, PASS, STOP
from .board import CARDS, DASHED, LIMIT, PARK_LOT, SUIT, WORTH

if TYPE_CHECKING:
    from .state import State

_PASS_ONLY = [PASS]
_STOP_ONLY = [STOP]
_ALL_SUITS = [1, 2, 3, 4, 5]


def begin_round(state: State, who: int) -> None:
    """Begin the auctions that commissioner `who` brings: the districts marked, in the order visited, then Central Park.

    See FA-13.
    """
    marks = state.marks
    state.lots = marks[who] + bytes((PARK_LOT,))
    state.marks = (b"", marks[1]) if who == 0 else (marks[0], b"")
    _next_lot(state)


def _next_lot(state: State) -> None:
    """Begin the next auction of the round, or end the round if there is none."""
    if not state.lots:
        state.lot = -1
        state.end_move()
        return
    players = state.players
    state.lot = lot = state.lots[0]
    state.lots = state.lots[1:]
    state.full = lot != PARK_LOT and not _empty_suits(state, lot)
    state.suits = [0] * players
    state.lot_suits = lot_suits(state)
    state.passed = 0
    state.bid_turns = 0
    state.raising = False
    state.bids = [0] * players
    state.laid = [b""] * players
    state.high = 0
    state.high_seat = -1
    state.alea_cards = b""
    state.actor = state.turn
    state.phase = BIDDING
    if state.journal is not None:
        state.journal.append(("auction", -1, lot))


def _empty_suits(state: State, lot: int) -> list[int]:
    """Return the suits of the district's empty plots."""
    first = 6 * lot
    return [
        plot - first + 1 for plot in range(first, first + DASHED) if not state.height[plot] and not state.tiles[plot]
    ]


def lot_suits(state: State) -> list[int]:
    """Return the suits with which a player without a skyscraper there may bid.

    At Central Park all players must bid with the suit of the first card laid.
    """
    lot = state.lot
    if lot == PARK_LOT:
        return [suit for suit in state.suits if suit][:1] or _ALL_SUITS
    if state.full:
        return [suit for suit in _ALL_SUITS if state.tiles[6 * lot + suit - 1]]
    return _empty_suits(state, lot)


def copy_auction(state: State, new: State) -> None:
    """Copy the fields that are defined only during an auction, for `State.copy`."""
    new.lots = state.lots
    new.lot_suits = state.lot_suits
    new.full = state.full
    new.passed = state.passed
    new.bid_turns = state.bid_turns
    new.raising = state.raising
    new.suits = state.suits
    new.bids = state.bids
    new.laid = state.laid
    new.high = state.high
    new.high_seat = state.high_seat
    new.alea_cards = state.alea_cards


def legal_bids(state: State) -> list[int]:
    """Return the legal actions in an auction: cards to lay, `pass` or `done` (FA-14)."""
    seat = state.actor
    at = 6 * seat
    held = state.held
    suit = state.suits[seat]
    if state.raising:
        done = 1 if state.bids[seat] > state.high else 0
        return LEGAL_RAISES[done][suit][held[at] << 3 | held[at + suit]]
    worth = state.worth
    missing = state.high - worth[at]  # the suit's cards, laid and in hand, must be worth more than this
    if suit:
        if state.bids[seat] + worth[at + suit] > missing:
            return LEGAL_RAISES[2][suit][held[at] << 3 | held[at + suit]]
        return _PASS_ONLY
    legal = [PASS]
    for suit in _first_suits(state, seat):
        if worth[at + suit] > missing and held[at + suit]:
            legal += FIRST_BIDS[suit][held[at + suit]]
    return legal


def _first_suits(state: State, seat: int) -> list[int]:
    """Return the suits with which a seat may begin to bid: its own plot's, or the lot's.

    These are the three situations of the rule book.
    """
    lot = state.lot
    if lot != PARK_LOT:
        plot = state.home[7 * seat + lot]
        if plot >= 0:
            return [plot % 6 + 1]
    return state.lot_suits


def bid(state: State, action: int) -> None:
    """Play `pass` or `done`, or lay one card."""
    if action >= BID:
        _lay(state, action - BID)
        return
    seat = state.actor
    if action == DONE:
        state.high = state.bids[seat]
        state.high_seat = seat
        state.raising = False
    else:
        state.passed |= 1 << seat
        if state.laid[seat]:
            _take_back(state, seat)
    _next_bidder(state)


def _lay(state: State, card: int) -> None:
    seat = state.actor
    suit = SUIT[card]
    at = CARDS * seat + card
    hand = state.hand
    hand[at] -= 1
    if not hand[at]:
        state.held[6 * seat + suit] -= 1 << card % 3
    if state.known[at]:
        state.known[at] -= 1
    worth = WORTH[card]
    state.worth[6 * seat + suit] -= worth
    state.bids = bids = state.bids[:]
    bids[seat] += worth
    state.laid = laid = state.laid[:]
    laid[seat] += bytes((card,))
    if not state.raising:
        state.raising = True
        if not state.suits[seat]:
            state.suits = state.suits[:]
            state.suits[seat] = suit
            if state.lot == PARK_LOT:
                state.lot_suits = [suit]


def _take_back(state: State, seat: int) -> None:
    """Give a seat that passes the cards back that it laid (FA-11); from now on everybody knows them."""
    for card in state.laid[seat]:
        state.take_card(seat, card)
        state.known[CARDS * seat + card] += 1
    state.laid = state.laid[:]
    state.laid[seat] = b""
    state.bids = state.bids[:]
    state.bids[seat] = 0


def _next_bidder(state: State) -> None:
    """Continue after a bid or a pass: with the next seat, Alea's bid or the end of the auction (FA-13, FA-18)."""
    players = state.players
    if state.bid_turns < players:
        state.bid_turns += 1
        if state.bid_turns < players:
            state.actor = (state.actor + 1) % players
            return
        if players == 2:
            _bid_for_alea(state)
            state.actor = 1 - state.turn  # so that the search below starts with the seat that began
    passed = state.passed
    left = (1 << players) - 1 & ~passed
    if not left or (left & (left - 1) == 0 and left == 1 << state.high_seat):
        _end_auction(state)
        return
    seat = state.actor
    while True:
        seat = (seat + 1) % players
        if not passed >> seat & 1:
            state.actor = seat
            return


def _bid_for_alea(state: State) -> None:
    """Draw black cards for Alea until a value appears for the second time or none is left (FA-18)."""
    cards: list[int] = []
    while state.black:
        card = state.pop_black()
        cards.append(card)
        if cards.count(card) == 2:
            break
    state.alea_cards = bytes(cards)
    total = sum([WORTH[card] for card in cards])
    if state.journal is not None:
        state.journal.append(("alea", -1, total, *cards))
    if total > state.high:
        state.high = total
        state.high_seat = state.players


def _end_auction(state: State) -> None:
    """Return the winner's cards to their stacks, then Alea's (FA-11, FA-10); then let the winner build."""
    winner = state.high_seat
    if state.journal is not None:
        state.journal.append(("won", winner, state.high))
    if 0 <= winner < state.players:
        _give_back(state, winner)
    if state.alea_cards:
        state.black_back += state.alea_cards
        state.alea_cards = b""
    state.turn_black()
    if winner < 0:
        _next_lot(state)
    elif winner == state.players:
        _build_for_alea(state)
    else:
        state.actor = winner
        state.phase = BUILDING


def _give_back(state: State, winner: int) -> None:
    """Put the cards of the winning bid under their stacks, in the order laid."""
    suit = state.suits[winner]
    colour = [card for card in state.laid[winner] if card >= 3]
    black = [card for card in state.laid[winner] if card < 3]
    state.decks = state.decks[:]
    state.decks[suit - 1] += bytes(colour)
    state.stocked |= 1 << suit - 1
    state.black_back += bytes(black)


def legal_builds(state: State) -> list[int]:
    """Return the numbers of skyscrapers that the winner may build (FA-15), and `stop` if it may (FA-16)."""
    winner = state.actor
    lot = state.lot
    if state.full and state.home[7 * winner + lot] < 0:
        return _STOP_ONLY
    most = state.supply[winner]
    for card in state.laid[winner]:
        if LIMIT[card] < most:
            most = LIMIT[card]
    builds = LEGAL_BUILDS[most if most < 3 else 3]
    return [*builds, STOP] if state.full else builds


def build(state: State, action: int) -> None:
    """Build or stop as the winner chose, then begin the next auction."""
    winner = state.actor
    lot = state.lot
    if action == STOP:
        state.stop_district(lot, winner)
        if state.is_over():
            return
    elif action > BUILD:
        count = action - BUILD
        state.supply = state.supply[:]
        state.supply[winner] -= count
        if lot == PARK_LOT:
            state.park_height = state.park_height[:]
            state.park_height[winner] += count
        else:
            state.raise_skyscrapers(winner, 6 * lot + state.suits[winner] - 1, count)
    _next_lot(state)


def _build_for_alea(state: State) -> None:
    """Build for Alea: a skyscraper on each of the best empty plots, or a stop if the district is full (FA-19)."""
    lot = state.lot
    if state.full:
        state.stop_district(lot, state.players)
        if state.is_over():
            return
    elif lot != PARK_LOT:
        plots = [6 * lot + suit - 1 for suit in state.lot_suits]
        values = [state.plot_value(plot) for plot in plots]
        best = [plot for plot, value in zip(plots, values, strict=True) if value == max(values)]
        for plot in best[: state.alea_supply]:
            state.alea_supply -= 1
            state.raise_skyscrapers(state.players, plot, 1)
            if state.journal is not None:
                state.journal.append(("built", state.players, plot))
    _next_lot(state)
