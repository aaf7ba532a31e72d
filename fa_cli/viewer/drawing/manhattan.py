"""The drawing of Manhattan: six cities with their towers, and the players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ...printing.text import counted, listed, spaced
from .document import Drawing, Piece, assembled, turn_mark
from .shapes import (
    EMPTY,
    MARGIN,
    WIDTH,
    box,
    group,
    hand_of,
    moved,
    names_of,
    panel,
    path,
    piece,
    points,
    points_of,
    short,
    text,
)

CITIES = ("Sydney", "Manhattan", "Frankfurt", "Hongkong", "SaoPaulo", "Cairo")
SITES = 9
HEIGHTS = (1, 2, 3, 4)
CITY_WIDTH, SITE_WIDTH, SITE_HEIGHT, NAME_HEIGHT = 226, 72, 96, 32
CITIES_TOP, CITY_PITCH = 84, 338
TOP, STOCK_HEIGHT = 766, 58
"""Where the panels begin, and the height of a colour's stock in them."""
BLOCK_WIDTH, BLOCK_FLOOR, BLOCK_PITCH = 28, 11, 62
"""The width of a block in a stock, the height of its floors, and how far blocks are from each other."""
FLOOR, TALLEST = 6, 12
"""The height of a floor, and the highest tower drawn to that scale; floors of higher ones are lower."""
HAND = 4
STOCKS = {"chosen": 114, "supply": 450}
"""By kind of stock: how far from the left its blocks begin."""
LETTERS = {"red": "R", "blue": "B", "yellow": "Y", "green": "G"}

LEGEND = (
    "R7 y6 b3: a tower of red with 7 red floors, 6 yellow and 3 blue ones; its owner has the highest block.",
    "A piece beside a city's name: that colour has the most towers there, which scores.",
    "A flag: the only highest tower, which scores.",
    "On a card: its number, and the site that it means in its player's view.",
)


def draw(view: dict[str, Any]) -> Drawing:
    """Return a view, drawn."""
    seats, stocks = view["seats"], view["stocks"]
    towers = [tower for city in view["cities"].values() for tower in city if tower]
    owned = ", ".join(f"{colour} {sum(tower['owner'] == colour for tower in towers)}" for colour in stocks)
    highest = max((tower["height"] for tower in towers), default=0)
    time = f"round {view['round']} of {view['rounds']}"
    return assembled(
        view,
        "Manhattan",
        f"{counted(len(seats), 'player')}, blocks {view['options']['blocks']}",
        f"{time}, deck {view['cards']['deck']}",
        _doing,
        f"{time.capitalize()}. {points_of(view)}. Towers: {owned}. The highest tower has {counted(highest, 'floor')}.",
        [
            *(part for number, city in enumerate(CITIES) for part in _city(number, city, view["cities"][city])),
            Piece("flag", _flag(view["cities"])),
        ],
        draw_seats(view),
        TOP,
        TOP + len(seats) * (_panel_height(view) + 8),
    )


def _doing(view: dict[str, Any]) -> str:
    return f"selects {view['colour']} blocks" if view["phase"] == "select" else "builds"


# -- the cities


def _corner(number: int) -> tuple[float, float]:
    """Return where a city begins."""
    return MARGIN + number % 3 * (CITY_WIDTH + 9), CITIES_TOP + number // 3 * CITY_PITCH


def _site(number: int, site: int) -> tuple[float, float]:
    """Return where a site of a city begins."""
    left, top = _corner(number)
    return left + 5 + SITE_WIDTH * (site % 3), top + NAME_HEIGHT + SITE_HEIGHT * (site // 3)


def _city(number: int, city: str, towers: Sequence[dict[str, Any] | None]) -> Iterator[Piece]:
    left, top = _corner(number)
    yield Piece(f"city.{city}", _ground(number, city))
    owners = Counter(tower["owner"] for tower in towers if tower).most_common(2)
    leads = owners and (len(owners) == 1 or owners[0][1] > owners[1][1])
    x = left + CITY_WIDTH - 22
    majority = _majority(x, top + 17, city, *owners[0]) if leads else EMPTY
    yield Piece(f"majority.{city}", majority, (x - 16, top + 1, 32, 31))
    for site, tower in enumerate(towers):
        x, y = _site(number, site)
        yield Piece(
            f"site.{city}.{site + 1}",
            _tower(x, y, f"{city} {site + 1}", tuple(tower["blocks"])) if tower else EMPTY,
            (x + 1, y + 1, SITE_WIDTH - 2, SITE_HEIGHT - 2),
        )


@lru_cache(1 << 4)
def _ground(number: int, city: str) -> str:
    left, top = _corner(number)
    shapes = [box(left, top, CITY_WIDTH, NAME_HEIGHT + 3 * SITE_HEIGHT + 6, "card", 12)]
    shapes.append(text(left + 12, top + 25, spaced(city), "bold"))
    for site in range(SITES):
        x, y = _site(number, site)
        shapes.append(box(x + 2, y + 2, SITE_WIDTH - 4, SITE_HEIGHT - 4, "site", 6))
        shapes.append(text(x + SITE_WIDTH / 2, y + 56, site + 1, "soft middle"))
    return group(*shapes)


@lru_cache(1 << 9)
def _majority(x: float, y: float, city: str, colour: str, count: int) -> str:
    """Draw a piece of the colour with more towers in a city than every other."""
    return group(piece(colour, x, y, 11), title=f"{spaced(city)}: {colour} has the most towers, {count}", majority=city)


def _flag(cities: Mapping[str, Sequence[dict[str, Any] | None]]) -> str:
    """Draw a flag on the highest tower, if it is the only one."""
    towers = [
        (tower["height"], number, site)
        for number, city in enumerate(CITIES)
        for site, tower in enumerate(cities[city])
        if tower
    ]
    first, second = [*sorted(towers, reverse=True), (0, 0, 0), (0, 0, 0)][:2]
    if first[0] == second[0]:
        return EMPTY
    height, number, site = first
    x, y = _site(number, site)
    pole = path("M18 0V-15", "lines") + path("M19-16 32-11 19-6z", "marked")
    return group(
        moved(x, y + SITE_HEIGHT - 4 - FLOOR * min(height, TALLEST), pole),
        title=f"{spaced(CITIES[number])} {site + 1}: the highest tower",
        highest=f"{CITIES[number]} {site + 1}",
    )


@lru_cache(1 << 13)
def _tower(x: float, y: float, where: str, blocks: tuple[str, ...]) -> str:
    """Draw a tower, block by block from the ground, with the floors of each colour beside it, the owner's first."""
    floors = _floors(blocks)
    owner, total = next(iter(floors)), sum(floors.values())
    what = listed([f"{count} {colour}" for colour, count in floors.items()])
    return group(
        moved(x, y, box(2, 2, SITE_WIDTH - 4, SITE_HEIGHT - 4, "site", 6), _blocks_of(blocks, total), _counts(floors)),
        title=f"{spaced(where)}: {owner}'s tower, {counted(total, 'floor')} ({what})",
        site=where,
        owner=owner,
        floors=total,
    )


def _floors(blocks: Sequence[str]) -> dict[str, int]:
    """Return the floors of each colour, the owner's first."""
    floors = {blocks[-1].split()[0]: 0}
    for block in (*blocks[:0:-1], blocks[0]):
        colour, height = block.split()
        floors[colour] = floors.get(colour, 0) + int(height)
    return floors


def _blocks_of(blocks: Sequence[str], total: int) -> str:
    """Draw blocks on each other, with a line of windows for each floor."""
    floor = FLOOR * min(1, TALLEST / total)
    bottom = SITE_HEIGHT - 4.0
    shapes = []
    for block in blocks:
        colour, height = block.split()
        top = bottom - floor * int(height)
        windows = "".join(f"M9 {short(top + floor * (at + 0.5))}h19" for at in range(int(height)))
        style = f"{colour}-windows" if floor > 4 else f"{colour}-windows thin"
        shapes.append(box(5, top, 27, bottom - top, f"{colour}-piece edge", 1) + path(windows, style))
        bottom = top
    return "".join(shapes)


def _counts(floors: Mapping[str, int]) -> str:
    lines = []
    for line, (colour, count) in enumerate(floors.items()):
        letter = LETTERS[colour] if line == 0 else LETTERS[colour].lower()
        style, width = "bold" if line == 0 else "", 35 if count > 9 else 0
        lines.append(text(35, 25 + 22 * line, f"{letter}{count}", style, width))
    return "".join(lines)


# -- the players


def _panel_height(view: dict[str, Any]) -> float:
    return 50 + STOCK_HEIGHT * len(view["seats"][0]["colours"]) + 8


def draw_seats(view: dict[str, Any]) -> Iterator[Piece]:
    names = names_of(view)
    height = _panel_height(view)
    for seat, shown in enumerate(view["seats"]):
        y = TOP + (height + 8) * seat
        colours = tuple(shown["colours"])
        yield Piece(f"seat.{seat}", _panel(y, height, colours, seat, names[seat]))
        yield Piece(f"seat.{seat}.points", points(y, seat, shown["points"]), (WIDTH - 24, y + 52))
        for row, colour in enumerate(colours):
            stock = view["stocks"][colour]
            for at in range(len(HEIGHTS)):
                where = y + 50 + STOCK_HEIGHT * row
                for kind, left in STOCKS.items():
                    svg = _blocks(where, colour, at, stock[kind][at], kind == "chosen")
                    spot = (MARGIN + left - 4 + BLOCK_PITCH * at, where, BLOCK_PITCH - 5, STOCK_HEIGHT - 4)
                    yield Piece(f"{kind}.{colour}.{at + 1}", svg, spot)
        hand = hand_of(view, seat)
        for at in range(HAND):
            card = hand[at] if hand and at < len(hand) else None
            site = shown["sites"][card - 1] if card else None
            yield Piece(f"hand.{seat}.{at}", _card(y, at, card, site), (MARGIN + 287 + 68 * at, y + 3, 66, 46))
    yield turn_mark(view["actor"], TOP, height)


@lru_cache(1 << 5)
def _panel(y: float, height: float, colours: tuple[str, ...], seat: int, name: str) -> str:
    shapes = [panel(y, height, colours, seat, name, 17 - 3 * len(colours))]
    for row, colour in enumerate(colours):
        where = y + 50 + STOCK_HEIGHT * row
        for x, line, label in ((12, 22, colour), (12, 44, "to place"), (364, 44, "supply")):
            shapes.append(text(MARGIN + x, where + line, label, "soft"))
    return group(*shapes)


@lru_cache(1 << 11)
def _blocks(y: float, colour: str, at: int, count: int, chosen: bool) -> str:
    """Draw a block of this height and how many of them there are."""
    if not count:
        return EMPTY
    x, ground = MARGIN + STOCKS["chosen" if chosen else "supply"] + BLOCK_PITCH * at, y + 49
    height = at + 1
    top = ground - BLOCK_FLOOR * height
    windows = "".join(f"M{x + 5} {short(top + BLOCK_FLOOR * (floor + 0.5))}h18" for floor in range(height))
    shapes = (
        box(x, top, BLOCK_WIDTH, BLOCK_FLOOR * height, f"{colour}-piece edge", 1),
        path(windows, f"{colour}-windows"),
    )
    what = "to place" if chosen else "in supply"
    return group(
        *shapes,
        text(x + BLOCK_WIDTH + 3, ground - 2, count, "bold" if chosen else "", 18 if count > 9 else 0),
        title=f"{what}: {counted(count, f'{colour} block')} of {counted(height, 'floor')}",
        **{"chosen" if chosen else "supply": f"{colour} {height}"},
        count=count,
    )


@lru_cache(1 << 9)
def _card(y: float, at: int, card: int | None, site: int | None) -> str:
    """Draw a card: its number, and a city with the site that it means to its player; None is a card's back."""
    x = MARGIN + 290 + 68 * at
    if card is None or site is None:
        return group(box(x, y + 6, 60, 40, "back edge", 6), title="a card")
    dots = [
        box(x + 30 + 9 * (spot % 3), y + 13 + 9 * (spot // 3), 7, 7, "ink" if spot == site - 1 else "dim", 1)
        for spot in range(SITES)
    ]
    return group(
        box(x, y + 6, 60, 40, "card edge", 6),
        text(x + 7, y + 35, card, "large"),
        *dots,
        title=f"card {card}: site {site}",
        card=card,
    )
