"""Observations of Fifth Avenue as numbers. With two players Alea is an owner after the last seat."""

from __future__ import annotations

from ..features import Features, count, from_observer, one_hot, padded, seat_one_hot
from .board import (
    BUSINESSES,
    CARDS_TEXT,
    COLOUR_DECK,
    COLOURS,
    COMMISSIONERS,
    DISTRICTS,
    LOTS,
    PLACES,
    PLOT_NAMES,
    SET_SIZES,
    SUITS,
)
from .view import PHASES, Auction, Bid, Observation, Plot

WORTHS = (4, 5, 6)


def features(observation: Observation) -> Features:
    """Encode the observation. Lost are most options, and the order of black cards, laid cards and park tiles."""
    seen, me, players = observation, observation.seat, len(observation.seats)
    return {
        "phase": one_hot(PHASES, seen.phase),
        "actor": seat_one_hot(players, me, seen.actor),
        "turn": seat_one_hot(players, me, seen.turn),
        "turns": [seen.turns],
        "draw_follows": [int(seen.draw_follows)],
        "side": one_hot(("five", "six"), seen.options.side),
        "stopped": [int(district not in seen.board) for district in DISTRICTS],
        "plots": [
            number
            for district in DISTRICTS
            for plot in PLOT_NAMES
            for number in _plot(seen.board.get(district, {}).get(plot), me, players)
        ],
        "commissioners": [
            number
            for who in COMMISSIONERS
            for number in (
                *one_hot(PLACES, seen.commissioners[who].at),
                *count(DISTRICTS, seen.commissioners[who].marked),
            )
        ],
        "businesses": count(BUSINESSES, seen.businesses),
        "later_sets": padded(
            [number for tiles in seen.later_sets for number in count(BUSINESSES, tiles)],
            len(BUSINESSES) * (len(SET_SIZES) - 1),
        ),
        "placed": [seen.placed],
        "park_tiles": count(BUSINESSES, seen.park_tiles),
        "hand": [number for suit in SUITS for number in seen.hand[suit]],
        "stacks": [
            number
            for colour in COLOURS
            for stack in (seen.stacks[colour],)
            for number in (stack.count, *one_hot(WORTHS, stack.top), *padded(stack.returned, sum(COLOUR_DECK)))
        ],
        "black": [seen.black.face_down, *count(WORTHS, seen.black.returned)],
        "seats": [
            number
            for seat in from_observer(seen.seats, me)
            for number in (
                seat.points,
                seat.supply,
                seat.general,
                seat.central_park,
                *(number for suit in SUITS for number in seat.cards[suit]),
            )
        ],
        "alea_skyscrapers": [seen.alea_skyscrapers],
        "auction": _auction(seen.auction, me, players),
    }


def _owner(seat: int | None, me: int, players: int) -> list[int]:
    """Return an owner one-hot, with Alea after the last seat."""
    alea = [int(seat == players)] if players == 2 else []
    return [*seat_one_hot(players, me, None if seat == players else seat), *alea]


def _plot(plot: Plot | None, me: int, players: int) -> list[int]:
    """Return whether the plot exists, its value, its businesses by type, its owner and its number of skyscrapers."""
    exists = int(plot is not None)
    plot = plot or Plot(0)
    tiles = count(BUSINESSES, plot.businesses)
    return [exists, plot.value, *tiles, *_owner(plot.owner, me, players), plot.skyscrapers]


def _auction(auction: Auction | None, me: int, players: int) -> list[int]:
    """Return 1 and the fields of the auction in the order of the observation; all zeros if there is no auction."""
    exists = int(auction is not None)
    auction = auction or Auction("", [], False, 0, None, [Bid(False, 0, [])] * players, [], False, 0)
    bids = [
        number
        for bid in from_observer(auction.bids, me)
        for number in (int(bid.passed), bid.total, *count(CARDS_TEXT, bid.cards))
    ]
    return [
        exists,
        *one_hot(LOTS, auction.lot),
        *count(LOTS, auction.later),
        int(auction.full),
        auction.high,
        *_owner(auction.leader, me, players),
        *bids,
        *count(CARDS_TEXT, auction.alea),
        int(auction.raising),
        auction.first_turns,
    ]
