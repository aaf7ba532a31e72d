"""The auctions of Fifth Avenue: rounds of auctions, bidding card by card, Alea's bids, and what winners build."""

from __future__ import annotations

from .actions import (
    BID,
    BIDDING,
    BUILD,
    BUILDING,
    BUSINESS,
    DONE,
    FIRST_BIDS,
    LEGAL_BUILDS,
    LEGAL_RAISES,
    OVER,
    PASS,
    STOP,
)
from .board import BY_STOPS, CARDS, DASHED, DISTRICT_COUNT, FOR_STOP, LAST_STOP, LIMIT, PARK_LOT, PLOTS, SUIT, WORTH
from .position import Position
from .scoring import stop_points

_PASS_ONLY = [PASS]
_STOP_ONLY = [STOP]
_ALL_SUITS = [1, 2, 3, 4, 5]


def begin_round(position: Position, who: int) -> None:
    """Begin the auctions that commissioner `who` brings: the districts marked, in the order visited, then Central Park.

    See FA-13.
    """
    marks = position.marks
    position.lots = marks[who] + bytes((PARK_LOT,))
    position.marks = (b"", marks[1]) if who == 0 else (marks[0], b"")
    _next_lot(position)


def _next_lot(position: Position) -> None:
    """Begin the next auction of the round, or end the round if there is none."""
    if not position.lots:
        position.lot = -1
        position.end_move()
        return
    players = position.players
    position.lot = lot = position.lots[0]
    position.lots = position.lots[1:]
    position.full = lot != PARK_LOT and not _empty_suits(position, lot)
    position.suits = [0] * players
    position.lot_suits = lot_suits(position)
    position.passed = 0
    position.bid_turns = 0
    position.raising = False
    position.bids = [0] * players
    position.laid = [b""] * players
    position.high = 0
    position.high_seat = -1
    position.alea_cards = b""
    position.actor = position.turn
    position.phase = BIDDING
    if position.journal is not None:
        position.journal.append(("auction", -1, lot))


def _empty_suits(position: Position, lot: int) -> list[int]:
    """Return the suits of the district's empty plots."""
    first = 6 * lot
    return [
        plot - first + 1
        for plot in range(first, first + DASHED)
        if not position.height[plot] and not position.tiles[plot]
    ]


def lot_suits(position: Position) -> list[int]:
    """Return the suits with which a player without a skyscraper there may bid.

    At Central Park all players must bid with the suit of the first card laid.
    """
    lot = position.lot
    if lot == PARK_LOT:
        return [suit for suit in position.suits if suit][:1] or _ALL_SUITS
    if position.full:
        return [suit for suit in _ALL_SUITS if position.tiles[6 * lot + suit - 1]]
    return _empty_suits(position, lot)


def legal_bids(position: Position) -> list[int]:
    """Return the legal actions in an auction: cards to lay, `pass` or `done` (FA-14)."""
    seat = position.actor
    at = 6 * seat
    held = position.held
    suit = position.suits[seat]
    if position.raising:
        done = 1 if position.bids[seat] > position.high else 0
        return LEGAL_RAISES[done][suit][held[at] << 3 | held[at + suit]]
    worth = position.worth
    missing = position.high - worth[at]  # the suit's cards, laid and in hand, must be worth more than this
    if suit:
        if position.bids[seat] + worth[at + suit] > missing:
            return LEGAL_RAISES[2][suit][held[at] << 3 | held[at + suit]]
        return _PASS_ONLY
    legal = [PASS]
    for suit in _first_suits(position, seat):
        if worth[at + suit] > missing and held[at + suit]:
            legal += FIRST_BIDS[suit][held[at + suit]]
    return legal


def _first_suits(position: Position, seat: int) -> list[int]:
    """Return the suits with which a seat may begin to bid: its own plot's, or the lot's.

    These are the three situations of the rule book.
    """
    lot = position.lot
    if lot != PARK_LOT:
        plot = position.home[7 * seat + lot]
        if plot >= 0:
            return [plot % 6 + 1]
    return position.lot_suits


def bid(position: Position, action: int) -> None:
    """Play `pass` or `done`, or lay one card."""
    if action >= BID:
        _lay(position, action - BID)
        return
    seat = position.actor
    if action == DONE:
        position.high = position.bids[seat]
        position.high_seat = seat
        position.raising = False
    else:
        position.passed |= 1 << seat
        if position.laid[seat]:
            _take_back(position, seat)
    _next_bidder(position)


def _lay(position: Position, card: int) -> None:
    seat = position.actor
    suit = SUIT[card]
    at = CARDS * seat + card
    hand = position.hand
    hand[at] -= 1
    if not hand[at]:
        position.held[6 * seat + suit] -= 1 << card % 3
    if position.known[at]:
        position.known[at] -= 1
    worth = WORTH[card]
    position.worth[6 * seat + suit] -= worth
    position.bids = bids = position.bids[:]
    bids[seat] += worth
    position.laid = laid = position.laid[:]
    laid[seat] += bytes((card,))
    if not position.raising:
        position.raising = True
        if not position.suits[seat]:
            position.suits = position.suits[:]
            position.suits[seat] = suit
            if position.lot == PARK_LOT:
                position.lot_suits = [suit]


def _take_back(position: Position, seat: int) -> None:
    """Give a seat that passes the cards back that it laid (FA-11); from now on everybody knows them."""
    for card in position.laid[seat]:
        position.take_card(seat, card)
        position.known[CARDS * seat + card] += 1
    position.laid = position.laid[:]
    position.laid[seat] = b""
    position.bids = position.bids[:]
    position.bids[seat] = 0


def _next_bidder(position: Position) -> None:
    """Continue after a bid or a pass: with the next seat, Alea's bid or the end of the auction (FA-13, FA-18)."""
    players = position.players
    if position.bid_turns < players:
        position.bid_turns += 1
        if position.bid_turns < players:
            position.actor = (position.actor + 1) % players
            return
        if players == 2:
            _bid_for_alea(position)
            position.actor = 1 - position.turn  # so that the search below starts with the seat that began
    passed = position.passed
    left = (1 << players) - 1 & ~passed
    if not left or (left & (left - 1) == 0 and left == 1 << position.high_seat):
        _end_auction(position)
        return
    seat = position.actor
    while True:
        seat = (seat + 1) % players
        if not passed >> seat & 1:
            position.actor = seat
            return


def _bid_for_alea(position: Position) -> None:
    """Draw black cards for Alea until a value appears for the second time or none is left (FA-18)."""
    cards: list[int] = []
    while position.black:
        card = position.pop_black()
        cards.append(card)
        if cards.count(card) == 2:
            break
    position.alea_cards = bytes(cards)
    total = sum([WORTH[card] for card in cards])
    if position.journal is not None:
        position.journal.append(("alea", -1, total, *cards))
    if total > position.high:
        position.high = total
        position.high_seat = position.players


def _end_auction(position: Position) -> None:
    """Return the winner's cards to their stacks, then Alea's (FA-11, FA-10); then let the winner build."""
    winner = position.high_seat
    if position.journal is not None:
        position.journal.append(("won", winner, position.high))
    if 0 <= winner < position.players:
        _give_back(position, winner)
    if position.alea_cards:
        position.black_back += position.alea_cards
        position.alea_cards = b""
    position.turn_black()
    if winner < 0:
        _next_lot(position)
    elif winner == position.players:
        _build_for_alea(position)
    else:
        position.actor = winner
        position.phase = BUILDING


def _give_back(position: Position, winner: int) -> None:
    """Put the cards of the winning bid under their stacks, in the order laid."""
    suit = position.suits[winner]
    colour = [card for card in position.laid[winner] if card >= 3]
    black = [card for card in position.laid[winner] if card < 3]
    position.decks = position.decks[:]
    position.decks[suit - 1] += bytes(colour)
    position.stocked |= 1 << suit - 1
    position.black_back += bytes(black)


def legal_builds(position: Position) -> list[int]:
    """Return the numbers of skyscrapers that the winner may build (FA-15), and `stop` if it may (FA-16)."""
    winner = position.actor
    lot = position.lot
    if position.full and position.home[7 * winner + lot] < 0:
        return _STOP_ONLY
    most = position.supply[winner]
    for card in position.laid[winner]:
        if LIMIT[card] < most:
            most = LIMIT[card]
    builds = LEGAL_BUILDS[most if most < 3 else 3]
    return [*builds, STOP] if position.full else builds


def build(position: Position, action: int) -> None:
    """Build or stop as the winner chose, then begin the next auction."""
    winner = position.actor
    lot = position.lot
    if action == STOP:
        _stop(position, lot, winner)
        if position.phase == OVER:
            return
    elif action > BUILD:
        count = action - BUILD
        position.supply = position.supply[:]
        position.supply[winner] -= count
        if lot == PARK_LOT:
            position.park_height = position.park_height[:]
            position.park_height[winner] += count
        else:
            position.raise_skyscrapers(winner, 6 * lot + position.suits[winner] - 1, count)
    _next_lot(position)


def _build_for_alea(position: Position) -> None:
    """Build for Alea: a skyscraper on each of the best empty plots, or a stop if the district is full (FA-19)."""
    lot = position.lot
    if position.full:
        _stop(position, lot, position.players)
        if position.phase == OVER:
            return
    elif lot != PARK_LOT:
        plots = [6 * lot + suit - 1 for suit in position.lot_suits]
        values = [position.plot_value(plot) for plot in plots]
        best = [plot for plot, value in zip(plots, values, strict=True) if value == max(values)]
        for plot in best[: position.alea_supply]:
            position.alea_supply -= 1
            position.raise_skyscrapers(position.players, plot, 1)
            if position.journal is not None:
                position.journal.append(("built", position.players, plot))
    _next_lot(position)


def _stop(position: Position, district: int, winner: int) -> None:
    """Stop building in the district, for a seat or Alea (FA-17, FA-19): score it and remove all pieces.

    The second stop ends the game.
    """
    first = 6 * district
    if position.journal is not None:
        position.journal.append(("stopped", winner, district))
    skyscrapers = sum(position.height[first : first + 6])
    position.gain(stop_points(position.district_points(district), skyscrapers, winner), FOR_STOP)
    position.tiles = position.tiles[:first] + [0] * 6 + position.tiles[first + 6 :]
    position.height = position.height[:first] + [0] * 6 + position.height[first + 6 :]
    position.owner = position.owner[:first] + [-1] * 6 + position.owner[first + 6 :]
    position.home = [plot if plot // 6 != district else -1 for plot in position.home]
    position.districts = [mask & ~(1 << district) for mask in position.districts]
    position.sites = [
        [site for site in sites if (site - BUSINESS) % PLOTS // 6 != district] for sites in position.sites
    ]
    gone = bytes((district,))
    position.marks = (position.marks[0].replace(gone, b""), position.marks[1].replace(gone, b""))
    position.stopped |= 1 << district
    if DISTRICT_COUNT[position.stopped] == LAST_STOP:
        position.finish(BY_STOPS)
