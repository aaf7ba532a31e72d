"""A turn in Fifth Avenue: its three actions and their effects; also the placing of the first skyscrapers."""

from __future__ import annotations

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
from .position import Position


def legal_actions(position: Position) -> list[int]:
    """Return the legal first actions: A, B (FA-5), C, D (FA-7)."""
    legal = [COMMISSIONER, SKYSCRAPERS] if position.general[position.turn] else [COMMISSIONER]
    white, beige = position.commissioners
    if white > beige:
        white, beige = beige, white
    if 1 <= white <= 7 and not position.stopped >> (white - 1) & 1:
        legal.append(SCORE - 1 + white)
    if 1 <= beige <= 7 and beige != white and not position.stopped >> (beige - 1) & 1:
        legal.append(SCORE - 1 + beige)
    previous = -1
    for tile in position.shop:
        if tile != previous:
            legal += position.sites[tile]
            previous = tile
    return legal


def legal_places(position: Position) -> list[int]:
    """Return the legal first placements: empty plots outside the district of the seat's first skyscraper (FA-3)."""
    taken = position.districts[position.actor]
    return [
        PLACE + plot
        for plot in range(PLOTS)
        if plot % 6 != DASHED and not position.height[plot] and not position.tiles[plot] and not taken >> plot // 6 & 1
    ]


def place(position: Position, plot: int) -> None:
    """Place a first skyscraper. Each seat places two, in the order 0, n-1, ..., 1, then 1, ..., n-1, 0."""
    position.raise_skyscrapers(position.actor, plot, 1)
    position.turn += 1
    players, count = position.players, position.turn
    if count < 2 * players:
        position.actor = -count % players if count < players else (count - players + 1) % players
    else:
        position.turn = position.actor = 0
        position.phase = ACTING


def act(position: Position, action: int) -> None:
    """Play the first action of a turn; action C begins with drawing a black card (FA-6)."""
    if action >= BUSINESS:
        _place_business(position, *divmod(action - BUSINESS, PLOTS))
    elif action == COMMISSIONER:
        position.draw_black(position.turn, 1)
        position.first_move = True
        position.phase = MOVING
    elif action == SKYSCRAPERS:
        seat = position.turn
        position.general = position.general[:]
        position.general[seat] -= 3  # never negative: a player takes all twelve in threes (FA-4)
        position.supply = position.supply[:]
        position.supply[seat] += 3
        position.phase = DRAWING
    else:
        _score(position, action - SCORE)


def _place_business(position: Position, tile: int, plot: int) -> None:
    position.tiles = tiles = position.tiles[:]
    if tiles[plot]:
        tiles[plot] += 5 * (tile + 1)
        position.close_site(plot)
    else:
        tiles[plot] = tile + 1
    shop = list(position.shop)
    shop.remove(tile)
    position.placed = placed = position.placed + 1
    if len(shop) > 1:
        position.shop = tuple(shop)
    else:
        _next_set(position, shop[0])
        if placed == LAST_BUSINESS:
            position.finish(BY_BUSINESSES)
            return
    if placed in SPECIAL_SCORING:
        districts, points = SPECIAL_SCORING[placed]
        gained = [points if DISTRICT_COUNT[mask] >= districts else 0 for mask in position.districts]
        position.gain(gained, FOR_SPECIAL)
    position.phase = DRAWING


def _next_set(position: Position, last: int) -> None:
    """Move the last tile of the current set to Central Park and make the next set current."""
    position.park += bytes((last,))
    if position.journal is not None:
        position.journal.append(("park", -1, last))
    size = SET_SIZES[len(position.park)] if len(position.park) < len(SET_SIZES) else 0
    position.shop = tuple(sorted(position.row[:size]))
    position.row = position.row[size:]


def _score(position: Position, district: int) -> None:
    """Play action D: score the district, then draw black cards as the second action (FA-8)."""
    position.gain(position.district_points(district), district)
    turn, players = position.turn, position.players
    position.draw_black(turn, 2)
    for seat in (*range(turn, players), *range(turn)):
        if not position.districts[seat] >> district & 1:
            position.draw_black(seat, 1)
    position.first_move = False
    position.phase = MOVING


def draw(position: Position, colours: tuple[int, ...]) -> None:
    """Play the second action of A, B and C: take the top cards of these colour stacks, visible to all."""
    seat = position.turn
    position.decks = decks = position.decks[:]
    for colour in colours:
        card = decks[colour][0]
        decks[colour] = decks[colour][1:]
        if not decks[colour]:
            position.stocked &= ~(1 << colour)
        if position.fresh[colour]:
            position.fresh = position.fresh[:]
            position.fresh[colour] -= 1
        position.take_card(seat, card)
        position.known[CARDS * seat + card] += 1
        if position.journal is not None:
            position.journal.append(("took", seat, card))
    position.first_move = False
    position.phase = MOVING


def move(position: Position, move: int) -> None:
    """Move a commissioner (FA-12); `move` is 9 * commissioner + place. City Hall begins a round of auctions."""
    who, place = divmod(move, 9)
    places = position.commissioners
    came_from = places[who]
    position.commissioners = (place, places[1]) if who == 0 else (places[0], place)
    if 1 <= came_from <= 7 and not position.stopped >> (came_from - 1) & 1:
        marks = position.marks
        left = bytes((came_from - 1,))
        position.marks = (marks[0] + left, marks[1]) if who == 0 else (marks[0], marks[1] + left)
    if place == CITY_HALL:
        auction.begin_round(position, who)
    else:
        position.end_move()
