"""The districts of Fifth Avenue, drawn: rings of plots with businesses and skyscrapers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import copysign
from typing import Any

from ...printing.text import counted, listed
from .document import Piece, Spot
from .fifth_avenue_seats import SHORT
from .shapes import COLOURS, EMPTY, box, disc, group, moved, path, piece, polar, sector, text

PLACES = {
    "CityHall": (360, 930),
    "34W": (240, 782),
    "34E": (480, 782),
    "42W": (120, 570),
    "TS": (360, 570),
    "42E": (600, 570),
    "52W": (240, 358),
    "52E": (480, 358),
    "CentralPark": (360, 170),
}
"""By place: where it is drawn."""
DISTRICTS = ("34E", "34W", "42E", "42W", "TS", "52E", "52W")
RINGS: dict[str, dict[str, str]] = {
    "five": {},
    "six": {
        "34E": "orange",
        "34W": "green",
        "42E": "gray",
        "42W": "brown",
        "TS": "violet",
        "52E": "orange",
        "52W": "gray",
    },
}
"""By side, by district: the plot after which the dashed plot comes, clockwise."""
INNER, OUTER, CONTENT, LABEL = 38, 113, 89, 51
"""Radii of a district: of its hub and its rim, of what stands on plots, and of the plots' names."""
TALLEST = 4
"""Towers of more skyscrapers are drawn no higher; the number beside them says how many there are."""


def draw(view: dict[str, Any], side: str) -> Iterator[Piece]:
    """Yield the parts of all districts."""
    players = len(view["seats"])
    for district in DISTRICTS:
        plots = view["board"].get(district)
        names = ring(side, district)
        x, y = PLACES[district]
        whole = (x - OUTER, y - OUTER, 2 * OUTER, 2 * OUTER)
        yield Piece(f"district.{district}", _district(district, names, plots is not None), whole)
        for number, name in enumerate(names):
            angle = -90 + 360 / len(names) * number
            drawn = _plot(district, name, angle, *_content_of(plots[name], players)) if plots else EMPTY
            yield Piece(f"plot.{district}.{name}", drawn, _spot(district, angle))


@lru_cache(1 << 7)
def _spot(district: str, angle: float) -> Spot:
    """Return the frame around what stands on a plot."""
    x, y, is_beside = _place(angle)
    width, height = (56, 84) if is_beside else (74, 58)
    return PLACES[district][0] + x - width / 2, PLACES[district][1] + y - height / 2, width, height


def _content_of(plot: dict[str, Any], players: int) -> tuple[int, tuple[str, ...], str, int]:
    """Return what a skyscraper on a plot is worth, its businesses, and the colour and number of its skyscrapers."""
    colour = colour_of(plot["owner"], players) if "owner" in plot else ""
    return plot["value"], tuple(plot.get("businesses", ())), colour, plot.get("skyscrapers", 0)


def colour_of(owner: int, players: int) -> str:
    """Return the colour of a seat's pieces, or of Alea's, who is the seat after the two players."""
    return "black" if owner == players else COLOURS[owner]


@lru_cache(None)
def ring(side: str, district: str) -> tuple[str, ...]:
    """Return the plots of a district, clockwise from the top."""
    colours = ["orange", "green", "gray", "brown", "violet"]
    if district in RINGS[side]:
        colours.insert(colours.index(RINGS[side][district]) + 1, "dashed")
    return tuple(colours)


@lru_cache(1 << 6)
def _district(district: str, names: tuple[str, ...], is_open: bool) -> str:
    step = 360 / len(names)
    shapes = []
    for number, name in enumerate(names):
        at = -90 + step * number
        shapes.append(sector(INNER, OUTER, at - step / 2, at + step / 2, f"{name if is_open else 'card'} gap"))
        if name == "dashed" and is_open:
            shapes.append(sector(INNER + 8, OUTER - 6, at - step / 2 + 4, at + step / 2 - 4, "dashes"))
        x, y = _label(at, step)
        shapes.append(text(x, y + 7, SHORT.get(name, "") if is_open else "", "middle"))
    shapes.append(disc(0, 0, INNER, "card gap"))
    shapes.append(text(0, -10 if is_open else 76, district, "bold middle"))
    if not is_open:
        shapes.append(_stop_sign())
    state = {} if is_open else {"stopped": district}
    return group(moved(*PLACES[district], *shapes), title="" if is_open else f"{district} is stopped", **state)


def _stop_sign() -> str:
    corners = "L".join("{:.1f} {:.1f}".format(*polar(46, 22.5 + 45 * corner)) for corner in range(8))
    return path(f"M{corners}z", "red-piece edge") + text(0, 8, "STOP", "bold middle red-sign")


@lru_cache(1 << 13)
def _plot(
    district: str, name: str, angle: float, value: int, businesses: tuple[str, ...], colour: str, count: int
) -> str:
    """Draw what stands on a plot: skyscrapers with their number, businesses, or what a skyscraper is worth there."""
    where = f"{district}.{name}"
    if count:
        who = "Alea" if colour == "black" else f"seat {COLOURS.index(colour)}"
        return group(
            moved(*PLACES[district], _skyscrapers(angle, colour, count, value)),
            title=f"{where}: {counted(count, 'skyscraper')} of {who}, worth {value} each",
            plot=where,
            owner=colour,
            skyscrapers=count,
        )
    x, y, is_beside = _place(angle)
    at = PLACES[district][0] + x, PLACES[district][1] + y
    if businesses:
        row = [32 * number - 16 * (len(businesses) - 1) for number in range(len(businesses))]
        spots = [(0, step) if is_beside else (step, 0) for step in row]
        return group(
            moved(*at, *(business(kind, *spot) for kind, spot in zip(businesses, spots, strict=True))),
            title=f"{where}: {listed(businesses)}",
            plot=where,
            businesses=" ".join(businesses),
        )
    return group(
        moved(*at, box(-20, -15, 40, 30, "card frame", 4), text(0, 8, f"={value}", "middle")),
        title=f"{where} is empty; a skyscraper here is worth {value}",
    )


def _label(angle: float, step: float) -> tuple[float, float]:
    """Return where a plot's name stands; beside the district's centre it is above the middle, away from towers."""
    x, _, is_beside = _place(angle)
    return polar(LABEL + 6, angle - copysign(step / 4, x)) if is_beside else polar(LABEL, angle)


def _place(angle: float) -> tuple[float, float, bool]:
    """Return where things stand on a plot, from its district's centre, and whether the plot is beside the centre.

    A plot beside the centre has more height than width.
    """
    x, y = polar(CONTENT, angle)
    if abs(x) > 0.8 * CONTENT:
        return 1.03 * x, y, True
    return (x, y, False) if abs(x) < 1 else (0.94 * x, 0.94 * y, False)


def _skyscrapers(angle: float, colour: str, count: int, value: int) -> str:
    """Draw the skyscrapers on a plot, their number and what each is worth."""
    x, y, is_beside = _place(angle)
    number, worth = count, f"={value}"
    if is_beside:
        shapes = tower(colour, count), text(17, -10, number, "large"), text(12, 20, worth, "middle")
        return moved(x - 12, y + 14, *shapes)
    if abs(x) < 1:
        return moved(x - 16, y + 20, tower(colour, count), text(19, -20, number, "large"), text(18, 2, worth))
    side, style = (1, "") if x > 0 else (-1, "end")  # below the centre: the tower at the plot's inner edge
    shapes = tower(colour, count), text(18 * side, -29, number, f"large {style}"), text(17 * side, -8, worth, style)
    return moved(26 * side, 103, *shapes)


def tower(colour: str, count: int) -> str:
    """Draw skyscrapers on each other upwards from the origin, 28 wide and at most 54 high, with the owner's sign."""
    floors = min(count, TALLEST)
    slabs = (box(-14, -7 * floor - 7, 28, 7, f"{colour}-piece edge", 1.5) for floor in range(floors))
    return "".join(slabs) + piece(colour, 0, -7 * floors - 9, 10)


# -- the pieces


_ICONS = {
    "boutique": ("M-8-1H8L9.5 9H-9.5z", "M-4.5-2V-4.5a4.5 4.5 0 0 1 9 0V-2"),
    "jeweler": ("M-6-8H6L10-2 0 10-10-2z", "M-10-2H10M-3-2 0 9 3-2"),
    "gallery": ("M-6 5-1-2 2 2 4-.5 7 5z", "M-9.5-8H9.5V8H-9.5z"),
    "perfumery": ("M-8 0Q-8-3-4-3H4Q8-3 8 0V7Q8 10 4 10H-4Q-8 10-8 7z", "M0-4V-8M-5-9H4M7-10h2M7-7h2"),
}
"""By business: what is filled, and what is drawn in lines."""


@lru_cache(1 << 8)
def business(kind: str, x: float, y: float) -> str:
    """Draw a tile: a handbag, a gem, a painting or a bottle."""
    filled, lines = _ICONS[kind]
    style = "card-lines" if kind == "jeweler" else "lines"  # a gem is cut
    return moved(x, y, box(-15, -15, 30, 30, "card edge", 6), path(filled, "ink"), path(lines, style))
