"""A drawing as data, and as a whole SVG document."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from .shapes import escaped, short
from .style import ROOT, document_style

Theme = Literal["light", "dark", "auto"]


class Piece(Struct, frozen=True):
    """A piece of a drawing that changes as a whole."""

    key: str
    """What it shows, such as `plot.34E.orange`; unique in its drawing."""
    svg: str
    """One `<g>` element: no ids, no style attributes, no scripts, all text escaped."""


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
    """From the bottom to the top."""


def svg(drawing: Drawing, theme: Theme = "light") -> str:
    """Return a whole SVG document; `auto` follows the reader's colour scheme."""
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
            "</svg>\n",
        )
    )
