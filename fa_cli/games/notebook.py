"""States drawn in notebooks."""

from __future__ import annotations

from . import find_game
from .contract import State


def svg_of(game: str, state: State) -> str:
    """Return the board and all hands of a state of the game with this name as an SVG document."""
    from ..viewer.drawing import draw, svg

    return svg(draw(game, find_game(game).view(state, None)), "auto")
