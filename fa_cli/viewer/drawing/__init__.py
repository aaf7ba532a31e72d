"""Boards drawn as SVG: a view of a game in, a drawing out. No rules of the games, no names of files, no network.

>>> from fa_cli import games
>>> from fa_cli.viewer import drawing
>>> game = games.find_game("manhattan")
>>> state = game.start(game.make_options({}), players=2, seed=games.Seed.from_text("an example"))
>>> drawn = drawing.draw(game.name, game.view(state, None))
>>> drawn.title
'Manhattan, 2 players, blocks auto'
>>> drawing.svg(drawn, "auto").startswith("<svg ")
True

**Views.** `draw` takes what `Game.view(state, seat)` returns: the observation of a seat as plain data or, for
seat None, the view of somebody who sees everything. `view["names"]`, if there, are the players' names by seat.

**Parts.** All drawings of a game, whoever looks, have the same keys in the same order, from the bottom to the
top. A part that shows nothing is an empty `<g/>`. Size and title stay the same, too.

**Hidden information.** Only parts whose keys begin with `hand.SEAT` depend on who looks, and each has two
versions: an open one for this seat and for a view of everything, and a closed one for everybody else.
`closed(view)` is a view without any hand, so the drawings of `game.view(state, None)` and of
`closed(game.view(state, None))` have the parts of all seats' views.

**Styles.** Put the parts into an `<svg class="fa-board">`. `STYLE` has everything they need, under `.fa-board`;
it is light or dark by the reader's colour scheme, or by `data-theme="light"` or `"dark"` on `<html>`. Text is
at least 11 pixels high if the drawing is 374 pixels wide.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .document import Drawing, Piece, Spot, Theme, changes, svg
from .style import STYLE

__all__ = ["STYLE", "Drawing", "Piece", "Spot", "Theme", "changes", "closed", "draw", "draw_seats", "legend", "svg"]

View = dict[str, Any]


def draw(game: str, view: View) -> Drawing:
    """Return a view of the game with this name, drawn. Raises KeyError for a game without drawings."""
    drawing: Drawing = import_module(f"{__name__}.{_MODULES[game]}").draw(view)
    return drawing


def draw_seats(game: str, view: View) -> tuple[Piece, ...]:
    """Return the last parts of the drawing: those of the players, which have all hands."""
    return tuple(import_module(f"{__name__}.{_MODULES[game]}").draw_seats(view))


def legend(game: str) -> tuple[str, ...]:
    """Return what the signs on the drawings of this game mean, in sentences."""
    signs: tuple[str, ...] = import_module(f"{__name__}.{_MODULES[game]}").LEGEND
    return (*signs, *_LEGEND)


def closed(view: View) -> View:
    """Return the view without any hand: what everybody sees."""
    shown = {name: value for name, value in view.items() if name not in ("hand", "hands")} | {"seat": None}
    if "cards" in shown:  # in Manhattan, what one seat knows of them
        shown["cards"] = {name: shown["cards"][name] for name in ("deck", "shuffles", "shuffled", "played")}
    return shown


_LEGEND = (
    "A thick frame around a player: that player decides.",
    "Other frames, arrows and numbers such as +3: what the last step changed.",
)
"""Of all games."""
_MODULES = {"fifth-avenue": "fifth_avenue", "manhattan": "manhattan", "new-york": "new_york"}
"""By name of a game: the module that draws it."""
