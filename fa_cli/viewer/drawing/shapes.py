"""Texts, numbers, pieces and panels that the drawings of all games share, as SVG. Coordinates are user units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import cos, pi, sin
from typing import Any
from unicodedata import east_asian_width

from ...printing.text import printable

WIDTH = 720
"""The width of every drawing."""
MARGIN = 12
EMPTY = "<g/>"

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def escaped(text: str) -> str:
    """Return foreign text for XML, with control characters and direction marks made visible."""
    return printable(text).translate(_ESCAPES)


def fitted(name: str, most: int) -> str:
    """Return a name made printable, and cut to the width of `most` letters; wide characters count twice."""
    width = 0
    for at, char in enumerate(printable(name)):
        width += 2 if east_asian_width(char) in "WF" else 1
        if width > most:
            return f"{printable(name)[: max(at - 1, 0)]}…"
    return printable(name)


def short(number: float) -> str:
    """Return a coordinate with at most one digit after the point: `12`, `12.5`."""
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def group(*shapes: str, title: str = "", **data: object) -> str:
    """Return the shapes as one element, with a tooltip and `data-*` attributes; no shapes give an empty element."""
    if not any(shapes):
        return EMPTY
    attributes = "".join(f' data-{name}="{escaped(str(value))}"' for name, value in data.items())
    tooltip = f"<title>{escaped(title)}</title>" if title else ""
    return f"<g{attributes}>{tooltip}{''.join(shapes)}</g>"


def moved(x: float, y: float, *shapes: str) -> str:
    """Return the shapes moved by x and y."""
    return f'<g transform="translate({short(x)} {short(y)})">{"".join(shapes)}</g>'


def text(x: float, y: float, words: object, style: str = "", width: float = 0) -> str:
    """Return one line of text; `y` is its baseline, and a `width` makes it exactly so wide."""
    attributes = f' class="{style}"' if style else ""
    if width:
        attributes += f' textLength="{short(width)}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{short(x)}" y="{short(y)}"{attributes}>{escaped(str(words))}</text>'


@lru_cache(1 << 13)
def caption(x: float, y: float, words: object, style: str = "", title: str = "", **data: object) -> str:
    """Return one line of text as an element, as `group` does; no words, or the number 0, give an empty element."""
    return group(text(x, y, words, style) if words else "", title=title, **data)


def box(x: float, y: float, width: float, height: float, style: str, radius: float = 0) -> str:
    """Return a rectangle."""
    corners = f' rx="{short(radius)}"' if radius else ""
    return (
        f'<rect x="{short(x)}" y="{short(y)}" width="{short(width)}" height="{short(height)}"{corners} '
        f'class="{style}"/>'
    )


def disc(x: float, y: float, radius: float, style: str) -> str:
    """Return a circle."""
    return f'<circle cx="{short(x)}" cy="{short(y)}" r="{short(radius)}" class="{style}"/>'


def path(steps: str, style: str) -> str:
    """Return a path."""
    return f'<path d="{steps}" class="{style}"/>'


def polar(radius: float, degrees: float) -> tuple[float, float]:
    """Return the point at this distance and angle from the origin; 0 degrees is right, 90 down."""
    return radius * cos(degrees * pi / 180), radius * sin(degrees * pi / 180)


def sector(inner: float, outer: float, start: float, stop: float, style: str) -> str:
    """Return the part of a ring around the origin between two angles in degrees, less than 180 apart."""
    ends = [polar(outer, start), polar(outer, stop), polar(inner, stop), polar(inner, start)]
    a, b, c, d = (f"{short(x)} {short(y)}" for x, y in ends)
    return path(f"M{a}A{outer} {outer} 0 0 1 {b}L{c}A{inner} {inner} 0 0 0 {d}z", style)


COLOURS = ("red", "blue", "yellow", "green", "black")
"""The colours of players' pieces."""
_SIGNS = {
    "red": '<circle r="10" class="{0}"/>',
    "blue": '<path d="M-9-9H9V9H-9z" class="{0}"/>',
    "yellow": '<path d="M0-11 11 9H-11z" class="{0}"/>',
    "green": '<path d="M0-12 12 0 0 12-12 0z" class="{0}"/>',
    "black": '<path d="M-4-11H4V-4H11V4H4V11H-4V4H-11V-4H-4z" class="{0}"/>',
}
"""A colour can be known without seeing colours: by a circle, a square, and so on."""


def piece(colour: str, x: float, y: float, radius: float) -> str:
    """Return a round piece of this colour with its sign."""
    sign = _SIGNS[colour].format(f"{colour}-sign")
    scaled = f'<g transform="translate({short(x)} {short(y)})scale({0.45 * radius / 10:g})">{sign}</g>'
    return disc(x, y, radius, f"{colour}-piece edge") + scaled


@lru_cache(1 << 8)
def panel(y: float, height: float, colours: tuple[str, ...], seat: int, name: str, most: int = 24) -> str:
    """Return the background of a player's panel, with the player's colours, seat and `most` letters of the name."""
    left = 34.0 * len(colours)
    return group(
        box(MARGIN, y, WIDTH - 2 * MARGIN, height, "card", 10),
        *(piece(colour, MARGIN + 26 + 34 * number, y + 24, 14) for number, colour in enumerate(colours)),
        text(MARGIN + left + 18, y + 32, f"#{seat} {fitted(name, most)}".rstrip(), "bold"),
        title=f"seat {seat}: {name}" if name else f"seat {seat}",
        seat=seat,
    )


@lru_cache(1 << 10)
def points(y: float, seat: int, points: int) -> str:
    """Return a player's points, at the right of the panel that begins at y."""
    return group(
        text(WIDTH - 98, y + 32, points, "large end", 45 if points > 99 else 0),
        text(WIDTH - 24, y + 32, "points", "soft end"),
        points=points,
        seat=seat,
    )


def names_of(view: Mapping[str, Any]) -> Sequence[str]:
    """Return the players' names by seat; empty ones if the view has none."""
    return view.get("names") or [""] * len(view["seats"])


def hand_of(view: Mapping[str, Any], seat: int) -> Any:
    """Return the hand of this seat, None if the view does not show it."""
    if "hands" in view:
        return view["hands"][seat]
    return view["hand"] if view["seat"] == seat else None


def player(view: Mapping[str, Any], seat: int) -> str:
    """Return `#2 greedy`, or `#2` in a view without names."""
    names = view.get("names")
    return f"#{seat} {fitted(names[seat], 12)}" if names else f"#{seat}"


def points_of(view: Mapping[str, Any]) -> str:
    """Return everybody's points: `Points by seat: 12, 7, 30`."""
    return f"Points by seat: {', '.join(str(seat['points']) for seat in view['seats'])}"
