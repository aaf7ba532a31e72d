"""The drawing of Fifth Avenue: the map, from City Hall at the bottom to Central Park at the top, and the players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from ...printing.text import counted, listed, spaced
from . import fifth_avenue_districts as districts
from . import fifth_avenue_seats as seats
from .document import Drawing, Piece, assembled
from .fifth_avenue_districts import DISTRICTS, OUTER, PLACES, business, colour_of, tower
from .fifth_avenue_seats import SHORT
from .shapes import (
    COLOURS,
    EMPTY,
    MARGIN,
    WIDTH,
    box,
    caption,
    disc,
    group,
    moved,
    path,
    piece,
    points_of,
    text,
)

_STREETS = (
    ("CityHall", "34W"),
    ("CityHall", "34E"),
    ("34W", "42W"),
    ("34W", "TS"),
    ("34E", "TS"),
    ("34E", "42E"),
    ("42W", "52W"),
    ("TS", "52W"),
    ("TS", "52E"),
    ("42E", "52E"),
    ("52W", "CentralPark"),
    ("52E", "CentralPark"),
)
COMMISSIONERS = ("white", "beige")
SETS = 8
TRACK = ("4", "6", "8", "end")
"""After each three businesses: the points of the special scoring, or the end."""
PHASES = {
    "place": "places a first skyscraper",
    "action": "chooses an action",
    "draw": "draws two colour cards",
    "move": "moves a commissioner",
    "bid": "bids or passes",
    "build": "builds",
}

LEGEND = (
    "Or, Gn, Gy, Br, Vi, Bk: orange, green, gray, brown, violet, black. A dashed plot has no colour.",
    "=3: what each skyscraper on the plot is worth now, or would be on an empty one.",
    "A big number beside a tower: how many skyscrapers it has; the sign on it is the owner's.",
    "Handbag, gem, painting and bottle: boutique, jeweler, gallery and perfumery.",
    "The round figure is the white commissioner, the square one the beige one; smaller signs are where each has been.",
    "A ring around a district: it is being auctioned. STOP: building has stopped there.",
    "×8 beside a stack: its cards. A frame at the left: the businesses to place now.",
    "A hand: how many 4s, 5s and 6s of each colour; ?2 are two cards that you can't see.",
    "supply: a player's skyscrapers ready to build; general: those that still have to be taken.",
    "placed: businesses. After 3, 6 and 9 who is in 3, 4 or 5 districts scores 4, 6 or 8; the 12th ends the game.",
    "stops: building stops; the second ends the game.",
)


def draw(view: dict[str, Any]) -> Drawing:
    """Return a view, drawn."""
    players, side, auction = len(view["seats"]), view["options"]["side"], view["auction"]
    places = ", ".join(f"{name} at {shown['at']}" for name, shown in view["commissioners"].items())
    lot = f" Auction of {auction['lot']}." if auction else ""
    board = [
        Piece("streets", _streets()),
        *districts.draw(view, side),
        *_commissioners(view),
        *_park(view),
        *_supplies(view),
        *_auction(auction, players),
    ]
    return assembled(
        view,
        "Fifth Avenue",
        f"side {side}, {counted(players, 'player')}",
        counted(view["turns"], "turn"),
        lambda view: PHASES[view["phase"]],
        f"{points_of(view)}. Commissioners: {places}.{lot}",
        board,
        draw_seats(view),
        seats.TOP,
        seats.TOP + players * seats.PITCH + (seats.ALEA if players == 2 else 0),
    )


draw_seats = seats.draw


# -- the map


@lru_cache(1)
def _streets() -> str:
    lines = "".join("M{} {}L{} {}".format(*PLACES[here], *PLACES[there]) for here, there in _STREETS)
    return group(
        path(lines, "street"),
        path("M248 980V974H472V980z M254 920 360 896 466 920z M254 920H466V926H254z", "soft"),
        path("".join(f"M{x} 926h8v48h-8z" for x in (258, 282, 430, 454)), "soft"),
        text(360, 968, "City Hall", "bold middle"),
        text(MARGIN, 230, "to place"),
        box(MARGIN, 84, WIDTH - 2 * MARGIN, 108, "park", 14),
        text(MARGIN + 16, 114, "Central Park", "bold"),
    )


# -- the pieces


_STANDS = {"CityHall": (122, 360, 958), "CentralPark": (14, 242, 106)}
"""By place outside the districts: how far from the middle between them the commissioners stand, and this middle."""


def _stand(who: str, place: str) -> tuple[float, float]:
    """Return where a commissioner stands at a place."""
    x, y = PLACES[place]
    apart, x, y = _STANDS.get(place, (16, x, y + 12))
    return x + (-apart if who == "white" else apart), y


@lru_cache(1 << 6)
def _figure(who: str, place: str, is_marker: bool) -> str:
    """Draw a commissioner or his marker: the white one is round, the beige one is square."""
    x, y = _stand(who, place)
    head = disc(0, -8, 7.5, f"{who} edge") if who == "white" else box(-7, -15, 14, 14, f"{who} edge", 2)
    body = path("M-10 16Q-9-1 0-1T10 16z", f"{who} edge")
    mark = disc(0, 4, 9, f"{who} edge") if who == "white" else box(-8, -4, 16, 16, f"{who} edge", 2)
    what = "marker of the " if is_marker else ""
    return group(
        moved(x, y, mark if is_marker else body + head),
        title=f"{what}{who} commissioner: {spaced(place)}",
        **{"marker" if is_marker else "commissioner": f"{who} {place}", **({} if is_marker else {"at": f"{x} {y}"})},
    )


def _commissioners(view: dict[str, Any]) -> Iterator[Piece]:
    """Yield a part for each commissioner and for each place where he may leave a marker."""
    for who in COMMISSIONERS:
        shown = view["commissioners"][who]
        for district in DISTRICTS:
            marked = district in shown["marked"]
            x, y = _stand(who, district)
            figure = _figure(who, district, True) if marked else EMPTY
            yield Piece(f"marker.{who}.{district}", figure, (x - 15, y - 18, 30, 34))
        yield Piece(f"commissioner.{who}", _figure(who, shown["at"], False), (16,))


def _park(view: dict[str, Any]) -> Iterator[Piece]:
    """Yield the tiles and the skyscrapers at Central Park."""
    tiles = view["park_tiles"]
    for number in range(SETS):
        tile = _park_tile(tiles[number], number) if number < len(tiles) else EMPTY
        yield Piece(f"park.tile.{number}", tile, (MARGIN + 16 + 36 * number, 142, 36, 36))
    for number, seat in enumerate(view["seats"]):
        spot = (382 + 84 * number, 112, 74, 74)
        yield Piece(f"park.seat.{number}", _park_tower(number, seat["central_park"]), spot)


@lru_cache(1 << 6)
def _park_tile(kind: str, number: int) -> str:
    return group(business(kind, MARGIN + 34 + 36 * number, 160), title=f"Central Park: {kind}", tile=kind)


@lru_cache(1 << 8)
def _park_tower(seat: int, count: int) -> str:
    if not count:
        return EMPTY
    return group(
        moved(400 + 84 * seat, 180, tower(COLOURS[seat], count), text(20, 0, count, "large")),
        title=f"Central Park: {counted(count, 'skyscraper')} of seat {seat}",
        park=seat,
        skyscrapers=count,
    )


# -- beside the map


def _supplies(view: dict[str, Any]) -> Iterator[Piece]:
    """Yield the supply row, the track of the businesses placed, and the stacks."""
    later = view["later_sets"]
    sets = [tuple(view["businesses"]), *map(tuple, later)]
    for number in range(SETS):
        tiles = _set(sets[number], number) if number < len(sets) else EMPTY
        yield Piece(f"set.{number}", tiles, (MARGIN - 4, 236, 120, 44) if number == 0 else ())
    yield Piece("placed", _track(view["placed"], 7 - len(view["board"])))
    black = view["black"]
    counts = [("black", None, black["face_down"], len(black["returned"]))]
    counts += [(name, shown["top"], shown["count"], 0) for name, shown in view["stacks"].items()]
    for number, stack in enumerate(counts):
        x, y = _stack_place(number)
        yield Piece(f"stack.{stack[0]}", _stack(number, *stack), (x - 3, y - 3, 110, 64))


@lru_cache(1 << 10)
def _set(tiles: tuple[str, ...], number: int) -> str:
    """Draw a set of the supply row; the first one is current."""
    y = 258 if number == 0 else 270 + 27 * number
    row = "".join(business(kind, 36 * at, 0) for at, kind in enumerate(tiles))
    if number == 0:
        frame = box(MARGIN, y - 18, 112, 36, "mark", 9) if tiles else ""
        return group(frame, moved(MARGIN + 20, y, row), title=f"current set: {listed(tiles)}", tiles=len(tiles))
    small = f'<g transform="translate({MARGIN + 14} {y})scale(.8)">{row}</g>'
    return group(small, title=f"later set: {listed(tiles)}", tiles=len(tiles))


@lru_cache(1 << 7)
def _track(placed: int, stops: int) -> str:
    """Draw the twelve businesses to be placed, in rows that end with what happens then, and the two building stops."""
    shapes = [text(594, 240, "placed")]
    for number in range(12):
        x, y = 602 + 24 * (number % 3), 262 + 30 * (number // 3)
        shapes.append(disc(x, y, 8, "ink" if number < placed else "card frame"))
    shapes += [text(668, 270 + 30 * row, what) for row, what in enumerate(TRACK)]
    shapes.append(text(590, 404, "stops"))
    shapes += [
        disc(WIDTH - 46 + 24 * number, 397, 10, "red-piece edge" if number < stops else "card frame")
        for number in (0, 1)
    ]
    return group(*shapes, title=f"{placed} of 12 businesses placed, {stops} of 2 building stops", placed=placed)


def _stack_place(number: int) -> tuple[float, float]:
    return (MARGIN, WIDTH - MARGIN - 104)[number // 3], 690 + 66 * (number % 3)


@lru_cache(1 << 10)
def _stack(number: int, suit: str, top: int | None, count: int, returned: int) -> str:
    x, y = _stack_place(number)
    number_style = "large middle on-black" if suit == "black" else "large middle"
    shown = "?" if suit == "black" else "" if top is None else top
    card = box(x, y, 42, 58, f"{suit} edge" if count else "frame hollow", 6)
    on_top = f", a {top} on top" if top else ""
    back = f", {returned} returned" if returned else ""
    return group(
        card,
        text(x + 21, y + 38, shown, number_style),
        text(x + 50, y + 24, SHORT[suit]),
        text(x + 50, y + 50, f"×{count}", "bold"),
        title=f"{suit} stack: {counted(count, 'card')}{on_top}{back}",
        stack=suit,
        count=count,
    )


def _auction(auction: dict[str, Any] | None, players: int) -> Iterator[Piece]:
    """Yield the mark around what is auctioned, and the texts beside City Hall."""
    yield Piece("auction.lot", _lot(auction["lot"]) if auction else EMPTY)
    yield Piece("auction.later", _later(auction["later"]) if auction else EMPTY)
    yield Piece("auction.high", _high(auction["high"], auction["leader"], players) if auction else EMPTY)


@lru_cache(1 << 4)
def _lot(lot: str) -> str:
    x, y = PLACES[lot]
    is_park = lot == "CentralPark"
    mark = box(MARGIN, 84, WIDTH - 2 * MARGIN, 108, "mark", 14) if is_park else disc(x, y, OUTER + 3, "mark")
    return group(mark, text(MARGIN, 920, "Auction", "bold"), text(MARGIN, 946, spaced(lot)), lot=lot)


def _later(lots: Sequence[str]) -> str:
    names = " ".join("Park" if lot == "CentralPark" else lot for lot in lots)
    return caption(MARGIN, 972, f"then {names}" if names else "", "soft", later=len(lots))


@lru_cache(1 << 9)
def _high(high: int, leader: int | None, players: int) -> str:
    if leader is None:
        return caption(WIDTH - MARGIN, 946, "no bid yet", "end soft")
    return group(
        text(WIDTH - MARGIN, 920, "highest", "end soft"),
        piece(colour_of(leader, players), WIDTH - MARGIN - 58, 948, 13),
        text(WIDTH - MARGIN, 956, high, "end large"),
        high=high,
    )
