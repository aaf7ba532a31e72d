"""Determinization of Fifth Avenue: random states consistent with what one seat knows."""

from __future__ import annotations

import random

from ..chance import RandomChance
from .actions import BIDDING, BUSINESS, OVER, PLACING
from .auction import lot_suits
from .board import (
    BLACK_DECK,
    BUSINESSES,
    BY_BUSINESSES,
    BY_STOPS,
    BY_TURN_LIMIT,
    CARDS,
    CARDS_TEXT,
    COLOUR_DECK,
    COLOURS,
    COMMISSIONERS,
    DISTRICT_COUNT,
    DISTRICTS,
    LAST_BUSINESS,
    LAST_STOP,
    LOTS,
    NEIGHBOURS,
    PLACES,
    PLOT_NAMES,
    PLOTS,
    SUIT,
    SUITS,
)
from .state import State
from .view import PHASES, Auction, Observation, Stack


def resample_from_infostate(state: State, seat: int, generator: random.Random) -> State:
    """Return a copy in which every card hidden from the seat is drawn at random from the cards that it has not seen.

    Later chance comes from the generator too. Knowledge from counting the cards that were shuffled back into the black
    stack is not used: they are mixed with the unseen cards in hands.
    """
    while True:
        new = _deal_hidden(state, seat, generator)
        if _is_possible(new):
            return new


def _is_possible(state: State) -> bool:
    """Return whether a player who has begun a raise can complete it (FA-14). No other action reveals cards in hand."""
    if state.phase != BIDDING or not state.raising:
        return True
    at = 6 * state.actor
    worth = state.worth[at] + state.worth[at + state.suits[state.actor]]
    return state.bids[state.actor] + worth > state.high


def _deal_hidden(state: State, seat: int, generator: random.Random) -> State:
    new = state.copy()
    new.chance = RandomChance(generator)
    new.decks = state.decks[:]
    others = [other for other in range(state.players) if other != seat]
    for suit in range(6):
        cards = (3 * suit, 3 * suit + 1, 3 * suit + 2)
        held = [_take_hidden(new, other, cards) for other in others]
        # the top card of a colour stack is visible, that of the black stack is not
        top = state.decks[suit - 1][:1] if suit else b""
        below = state.decks[suit - 1][1 : state.fresh[suit - 1]] if suit else state.black
        unseen = [card for hidden in held for card in hidden] + list(below)
        generator.shuffle(unseen)
        for other, hidden in zip(others, held, strict=True):
            for _ in hidden:
                new.take_card(other, unseen.pop())
        if suit:
            new.decks[suit - 1] = top + bytes(unseen) + state.decks[suit - 1][len(top) + len(below) :]
        else:
            new.black = bytes(unseen)
    return new


def _take_hidden(state: State, seat: int, cards: tuple[int, int, int]) -> list[int]:
    """Remove the cards of a suit that are not public from a hand, and return them."""
    hidden: list[int] = []
    for card in cards:
        at = CARDS * seat + card
        count = state.hand[at] - state.known[at]
        if count:
            hidden += [card] * count
            state.hand[at] -= count
            state.worth[6 * seat + card // 3] -= count * (4 + card % 3)
            if not state.hand[at]:
                state.held[6 * seat + card // 3] &= ~(1 << card % 3)
    return hidden


def sample_state(seen: Observation, generator: random.Random) -> State:
    """Return a random state in which the seat has exactly this observation."""
    state = State()
    state.players = len(seen.seats)
    state.options = seen.options
    state.neighbours = NEIGHBOURS[seen.options.side == "six"]
    state.chance = RandomChance(generator)
    state.journal = None
    state.phase = PHASES.index(seen.phase)
    state.actor, state.turns, state.ending = seen.actor, seen.turns, 0
    state.first_move = seen.draw_follows
    _set_board(state, seen)
    _set_tiles(state, seen)
    if state.phase == OVER:
        state.ending = _ending_of(state)
    state.turn = sum(state.height) if state.phase == PLACING else seen.turn
    state.supply = [seat.supply for seat in seen.seats]
    state.general = [seat.general for seat in seen.seats]
    state.points = [seat.points for seat in seen.seats]
    state.park_height = [seat.central_park for seat in seen.seats]
    state.alea_supply = seen.alea_skyscrapers
    commissioners = [seen.commissioners[who] for who in COMMISSIONERS]
    white, beige = (PLACES.index(commissioner.at) for commissioner in commissioners)
    state.commissioners = (white, beige)
    marks = [bytes(DISTRICTS.index(name) for name in commissioner.marked) for commissioner in commissioners]
    state.marks = (marks[0], marks[1])
    state.lot = -1
    if seen.auction is not None:
        _set_auction(state, seen.auction)
    _set_cards(state, seen)
    return resample_from_infostate(state, seen.seat, generator)


def _ending_of(state: State) -> int:
    """Return why a game with this board and these tiles ended: the last business and the last stop end it at once."""
    if state.placed == LAST_BUSINESS:
        return BY_BUSINESSES
    return BY_STOPS if DISTRICT_COUNT[state.stopped] == LAST_STOP else BY_TURN_LIMIT


def _set_board(state: State, seen: Observation) -> None:
    """Set the contents of the plots and the lists derived from them."""
    state.tiles = [0] * PLOTS
    state.owner = [-1] * PLOTS
    state.height = [0] * PLOTS
    state.home = [-1] * (7 * state.players)
    state.districts = [0] * state.players
    state.stopped = 0
    for district, name in enumerate(DISTRICTS):
        if name not in seen.board:
            state.stopped |= 1 << district
            continue
        for plot_name, shown in seen.board[name].items():
            plot = 6 * district + PLOT_NAMES.index(plot_name)
            for index, business in enumerate(shown.businesses):
                state.tiles[plot] += 5**index * (BUSINESSES.index(business) + 1)
            if shown.owner is not None:
                state.owner[plot] = shown.owner
                state.height[plot] = shown.skyscrapers
                if shown.owner < state.players:
                    state.home[7 * shown.owner + district] = plot
                    state.districts[shown.owner] |= 1 << district
    state.sites = _open_sites(state)


def _open_sites(state: State) -> list[list[int]]:
    """Return `State.sites` for this board."""
    plots = [
        plot
        for plot in range(PLOTS)
        if state.neighbours[plot][0] != plot
        and not state.height[plot]
        and state.tiles[plot] < 5
        and not state.stopped >> plot // 6 & 1
    ]
    return [[BUSINESS + PLOTS * tile + plot for plot in plots] for tile in range(len(BUSINESSES))]


def _set_tiles(state: State, seen: Observation) -> None:
    """Set the tiles of the supply row and Central Park."""
    state.shop = tuple(sorted(BUSINESSES.index(tile) for tile in seen.businesses))
    state.row = bytes(BUSINESSES.index(tile) for tiles in seen.later_sets for tile in tiles)
    state.placed = seen.placed
    state.park = bytes(BUSINESSES.index(tile) for tile in seen.park_tiles)
    state.shown = b""


def _set_auction(state: State, seen: Auction) -> None:
    state.lot = LOTS.index(seen.lot)
    state.lots = bytes(LOTS.index(lot) for lot in seen.later)
    state.full = seen.full
    state.passed = sum(1 << seat for seat, bid in enumerate(seen.bids) if bid.passed)
    state.bid_turns = seen.first_turns
    state.raising = seen.raising
    state.laid = [bytes(CARDS_TEXT.index(card) for card in bid.cards) for bid in seen.bids]
    state.suits = [SUIT[cards[0]] if cards else 0 for cards in state.laid]
    state.bids = [bid.total for bid in seen.bids]
    state.high = seen.high
    state.high_seat = -1 if seen.leader is None else seen.leader
    state.alea_cards = bytes(CARDS_TEXT.index(card) for card in seen.alea)
    state.lot_suits = lot_suits(state)


def _set_cards(state: State, seen: Observation) -> None:
    """Set hands and stacks. Cards that this seat has not seen go anywhere: `resample_from_infostate` deals them."""
    players = state.players
    state.hand = [0] * (CARDS * players)
    state.known = [0] * (CARDS * players)
    state.worth = [0] * (6 * players)
    state.held = [0] * (6 * players)
    state.decks = []
    state.fresh = []
    # once an auction is won, its cards are back in the stacks
    shown = b"".join(state.laid) + state.alea_cards if state.phase == BIDDING else b""
    for suit, name in enumerate(SUITS):
        stack = seen.stacks[name] if suit else Stack(seen.black.face_down, None, [])
        returned = stack.returned if suit else seen.black.returned
        fresh = stack.count - len(stack.returned)
        top = [stack.top - 4] if stack.top is not None and fresh else []
        unseen = _unseen(seen, suit, [*(value - 4 for value in returned), *top], shown)
        for seat, player in enumerate(seen.seats):
            *known, hidden = player.cards[name]
            state.known[CARDS * seat + 3 * suit : CARDS * seat + 3 * suit + 3] = known
            if seat == seen.seat:
                values = [value for value in range(3) for _ in range(seen.hand[name][value])]
            else:
                values = [value for value in range(3) for _ in range(known[value])]
                values += [unseen.pop() for _ in range(hidden)]
            for value in values:
                state.take_card(seat, 3 * suit + value)
        below = [unseen.pop() for _ in range(fresh - len(top))]
        cards = bytes(3 * suit + value for value in (*top, *below))
        if suit:
            state.decks.append(cards + bytes(3 * suit + value - 4 for value in returned))
            state.fresh.append(fresh)
        else:
            state.black = cards
            state.black_back = bytes(value - 4 for value in returned)
    state.stocked = sum(1 << colour for colour in range(len(COLOURS)) if state.decks[colour])
    state.shuffles = 0


def _unseen(seen: Observation, suit: int, elsewhere: list[int], laid: bytes) -> list[int]:
    """List the values, less 4, of the suit's cards that are neither `elsewhere` nor laid nor known to be in a hand."""
    name = SUITS[suit]
    left = list(COLOUR_DECK if suit else BLACK_DECK)
    for value in [*elsewhere, *(card % 3 for card in laid if SUIT[card] == suit)]:
        left[value] -= 1
    for seat, player in enumerate(seen.seats):
        known = seen.hand[name] if seat == seen.seat else player.cards[name][:3]
        left = [count - held for count, held in zip(left, known, strict=True)]
    return [value for value in range(3) for _ in range(left[value])]
