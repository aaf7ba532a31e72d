"""A turn in Fifth Avenue: its three actions and their effects; also the placing of the first skyscrapers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import auction
from .actions import (
    ACTING,
    BUSINESS,
    COMMISSIONER,
    DRAWING,
    MOVING,
    PLACE,
    SCORE,
    SKYSCRAPERS,
)
from .board import (
    BY_BUSINESSES,
    CARDS,
    CITY_HALL,
    DASHED,
    DISTRICT_COUNT,
    FOR_SPECIAL,
    LAST_BUSINESS,
    PLOTS,
    SET_SIZES,
    SPECIAL_SCORING,
)

if TYPE_CHECKING:
    from .state import State


def legal_actions(state: State) -> list[int]:
    """Return the legal first actions: A, B (FA-5), C, D (FA-7)."""
    legal = [COMMISSIONER, SKYSCRAPERS] if state.general[state.turn] else [COMMISSIONER]
    white, beige = state.position
    if white > beige:
        white, beige = beige, white
    if 1 <= white <= 7 and not state.stopped >> (white - 1) & 1:
        legal.append(SCORE - 1 + white)
    if 1 <= beige <= 7 and beige != white and not state.stopped >> (beige - 1) & 1:
        legal.append(SCORE - 1 + beige)
    previous = -1
    for tile in state.shop:
        if tile != previous:
            legal += state.sites[tile]
            previous = tile
    return legal


def legal_places(state: State) -> list[int]:
    """Return the legal first placements: empty plots outside the district of the seat's first skyscraper (FA-3)."""
    taken = state.districts[state.actor]
    return [
        PLACE + plot
        for plot in range(PLOTS)
        if plot % 6 != DASHED and not state.height[plot] and not state.tiles[plot] and not taken >> plot // 6 & 1
    ]


def place(state: State, plot: int) -> None:
    """Place a first skyscraper. Each seat places two, in the order 0, n-1, ..., 1, then 1, ..., n-1, 0."""
    state.raise_skyscrapers(state.actor, plot, 1)
    state.turn += 1
    players, count = state.players, state.turn
    if count < 2 * players:
        state.actor = -count % players if count < players else (count - players + 1) % players
    else:
        state.turn = state.actor = 0
        state.phase = ACTING


def act(state: State, action: int) -> None:
    """Play the first action of a turn; action C begins with drawing a black card (FA-6)."""
    if action >= BUSINESS:
        _place_business(state, *divmod(action - BUSINESS, PLOTS))
    elif action == COMMISSIONER:
        state.draw_black(state.turn, 1)
        state.first_move = True
        state.phase = MOVING
    elif action == SKYSCRAPERS:
        seat = state.turn
        state.general = state.general[:]
        state.general[seat] -= 3  # never negative: a player takes all twelve in threes (FA-4)
        state.supply = state.supply[:]
        state.supply[seat] += 3
        state.phase = DRAWING
    else:
        _score(state, action - SCORE)


def _place_business(state: State, tile: int, plot: int) -> None:
    state.tiles = tiles = state.tiles[:]
    if tiles[plot]:
        tiles[plot] += 5 * (tile + 1)
        state.close_site(plot)
    else:
        tiles[plot] = tile + 1
    shop = list(state.shop)
    shop.remove(tile)
    state.placed = placed = state.placed + 1
    if len(shop) > 1:
        state.shop = tuple(shop)
    else:
        _next_set(state, shop[0])
        if placed == LAST_BUSINESS:
            state.finish(BY_BUSINESSES)
            return
    if placed in SPECIAL_SCORING:
        _score_special(state, *SPECIAL_SCORING[placed])
    state.phase = DRAWING


def _next_set(state: State, last: int) -> None:
    """Move the last tile of the current set to Central Park and make the next set current."""
    state.park += bytes((last,))
    if state.journal is not None:
        state.journal.append(("park", -1, last))
    size = SET_SIZES[len(state.park)] if len(state.park) < len(SET_SIZES) else 0
    state.shop = tuple(sorted(state.row[:size]))
    state.row = state.row[size:]


def _score_special(state: State, districts: int, points: int) -> None:
    gained = [points if DISTRICT_COUNT[mask] >= districts else 0 for mask in state.districts]
    state.gain(gained, FOR_SPECIAL)


def _score(state: State, district: int) -> None:
    """Play action D: score the district, then draw black cards as the second action (FA-8)."""
    state.gain(state.district_points(district), district)
    turn, players = state.turn, state.players
    state.draw_black(turn, 2)
    for seat in (*range(turn, players), *range(turn)):
        if not state.districts[seat] >> district & 1:
            state.draw_black(seat, 1)
    state.first_move = False
    state.phase = MOVING


def draw(state: State, colours: tuple[int, ...]) -> None:
    """Play the second action of A, B and C: take the top cards of these colour stacks, visible to all."""
    seat = state.turn
    state.decks = decks = state.decks[:]
    for colour in colours:
        card = decks[colour][0]
        decks[colour] = decks[colour][1:]
        if not decks[colour]:
            state.stocked &= ~(1 << colour)
        if state.fresh[colour]:
            state.fresh = state.fresh[:]
            state.fresh[colour] -= 1
        state.take_card(seat, card)
        state.known[CARDS * seat + card] += 1
        if state.journal is not None:
            state.journal.append(("took", seat, card))
    state.first_move = False
    state.phase = MOVING


def move(state: State, move: int) -> None:
    """Move a commissioner (FA-12); `move` is 9 * commissioner + place. City Hall begins a round of auctions."""
    who, place = divmod(move, 9)
    position = state.position
    came_from = position[who]
    state.position = (place, position[1]) if who == 0 else (position[0], place)
    if 1 <= came_from <= 7 and not state.stopped >> (came_from - 1) & 1:
        marks = state.marks
        left = bytes((came_from - 1,))
        state.marks = (marks[0] + left, marks[1]) if who == 0 else (marks[0], marks[1] + left)
    if place == CITY_HALL:
        auction.begin_round(state, who)
    else:
        state.end_move()
