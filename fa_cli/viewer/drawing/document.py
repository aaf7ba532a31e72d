"""A drawing as data, and as a whole SVG document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import atan2, degrees
from typing import Any, Literal

from msgspec import Struct

from .shapes import MARGIN, WIDTH, box, caption, escaped, group, player, polar, short, text
from .style import ROOT, document_style

Theme = Literal["light", "dark", "auto"]


Spot = tuple[float, ...]
"""How a change of a piece is marked: by a frame at (x, y, width, height), by `+3` that ends at (x, y), which needs
`data-points`, or by an arrow that ends (radius) before `data-at`. Empty: not at all."""


class Piece(Struct, frozen=True):
    """A piece of a drawing that changes as a whole."""

    key: str
    """What it shows, such as `plot.34E.orange`; unique in its drawing."""
    svg: str
    """One `<g>` element: no ids, no style attributes, no scripts, all text escaped."""
    spot: Spot = ()
    """How a change of it is marked."""


class Drawing(Struct, frozen=True):
    """A position of a game, drawn."""

    width: float
    height: float
    """In user units; the origin is at the top left."""
    title: str
    """The game and its players, as plain text."""
    description: str
    """The position in a few sentences, as plain text."""
    parts: tuple[Piece, ...]
    """From the bottom to the top: the board, then the players."""
    board: tuple[int, float]
    """How many parts belong to the board, and its height: the players are below it."""


def assembled(
    view: Mapping[str, Any],
    game: str,
    settings: str,
    when: str,
    doing: Callable[[Any], str],
    facts: str,
    board: Iterable[Piece],
    players: Iterable[Piece],
    top: float,
    height: float,
) -> Drawing:
    """Return the drawing of a view: a heading, the board and, from `top` on, the players.

    `doing` says of a view what the player who decides does; `facts` are the description's further sentences.
    """
    now = f"{player(view, view['actor'])} {doing(view)}" if view["actor"] >= 0 else "The game is over"
    parts = [
        _heading(game, settings),
        Piece("news", caption(MARGIN, 64, now, "bold")),
        Piece("moment", caption(WIDTH - MARGIN, 64, when, "end")),  # it changes less often
        *board,
    ]
    spoken = now.replace("#", "Seat ", 1)
    return Drawing(WIDTH, height, f"{game}, {settings}", f"{spoken}. {facts}", (*parts, *players), (len(parts), top))


@lru_cache(1 << 6)
def _heading(game: str, settings: str) -> Piece:
    return Piece("heading", group(text(MARGIN, 32, game, "large"), text(WIDTH - MARGIN, 32, settings, "soft end")))


@lru_cache(1 << 6)
def turn_mark(actor: int, top: float, height: float) -> Piece:
    """Return the frame around the panel of the player who decides; panels begin at `top` and are 8 apart."""
    frame = box(MARGIN, top + (height + 8) * actor, WIDTH - 2 * MARGIN, height, "mark", 10)
    return Piece("seat.turn", group(frame if actor >= 0 else ""))


def svg(drawing: Drawing, theme: Theme = "light", before: Drawing | None = None) -> str:
    """Return a whole SVG document; `auto` follows the reader's colour scheme. What differs from `before` is marked."""
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{ROOT}" role="img" '
            f'viewBox="0 0 {short(drawing.width)} {short(drawing.height)}" '
            f'width="{short(drawing.width)}" height="{short(drawing.height)}">',
            f"<title>{escaped(drawing.title)}</title>",
            f"<desc>{escaped(drawing.description)}</desc>",
            f"<style>{document_style(theme)}</style>",
            f'<rect class="page" width="{short(drawing.width)}" height="{short(drawing.height)}"/>',
            *(part.svg for part in drawing.parts),
            *([changes(before.parts, drawing.parts)] if before else []),
            "</svg>\n",
        )
    )


def changes(before: Sequence[Piece], after: Sequence[Piece]) -> str:
    """Return marks at what differs between two drawings of a game; web/replay/changes.ts draws the same ones."""
    changed = [(old.svg, new) for old, new in zip(before, after, strict=True) if new.spot and old.svg != new.svg]
    frames = [new.spot for _, new in changed if len(new.spot) == 4]
    marks = [_frame(frame) for frame in frames if not any(_is_inside(frame, other) for other in frames)]
    marks += [mark for old, new in changed if len(new.spot) < 4 for mark in _difference(old, new)]
    return f'<g class="changes">{"".join(marks)}</g>'


def _is_inside(frame: Spot, other: Spot) -> bool:
    (x, y, width, height), (left, top, most, highest) = frame, other
    within = left <= x and top <= y and x + width <= left + most and y + height <= top + highest
    return within and frame != other


def _frame(spot: Spot) -> str:
    x, y, width, height = map(short, spot)
    outline = f'x="{x}" y="{y}" width="{width}" height="{height}" rx="7"'
    return f'<rect {outline} class="halo"/><rect {outline} class="change"/>'


def _difference(old: str, new: Piece) -> Iterator[str]:
    """Yield `+3` beside a number that changed, or an arrow to where a piece moved."""
    if len(new.spot) == 2:
        numbers = [re.search(r'data-points="(-?\d+)"', each) for each in (old, new.svg)]
        before, after = (int(found[1]) if found else 0 for found in numbers)
        yield text(*new.spot, f"{after - before:+}", "gain end")
        return
    places = [re.search(r'data-at="(\S+) (\S+)"', each) for each in (old, new.svg)]
    (x, y), (to_x, to_y) = ((float(found[1]), float(found[2])) if found else (0.0, 0.0) for found in places)
    direction = degrees(atan2(to_y - y, to_x - x))
    (dx, dy), barbs = polar(new.spot[0], direction), [polar(16, direction + 180 + turn) for turn in (28, -28)]
    x, y, to_x, to_y = x + dx, y + dy, to_x - dx, to_y - dy
    head = "".join(f"M{short(to_x + bx)} {short(to_y + by)}L{short(to_x)} {short(to_y)}" for bx, by in barbs)
    line = f"M{short(x)} {short(y)}L{short(to_x)} {short(to_y)}{head}"
    yield f'<path d="{line}" class="halo"/><path d="{line}" class="change"/>'
