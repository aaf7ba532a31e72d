"""`State`: what the state of every game provides, and `CountedState`: what some provide for quick verification."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from .. import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """A game in progress. `apply` is deterministic for a given chance source; copies share no mutable data.

    Every game derives its state from this class, so that compiled code calls the state's methods directly.
    """

    __slots__ = ("actor", "journal", "players")

    players: int
    actor: int
    """The seat to decide; -1 when the game is over."""
    journal: list[tuple[Any, ...]] | None
    """The events so far, as entries for `Game.event_of`. None: events are not recorded."""

    def legal(self) -> Sequence[int]:
        """Return all legal actions in table order, without duplicates; empty only when the game is over.

        The sequence may be shared: do not change it.
        """
        raise NotImplementedError

    def apply(self, action: int) -> None:
        """Play one of the legal actions. The effect of an illegal one is undefined: `Game.play` checks."""
        raise NotImplementedError

    def copy(self) -> State:
        """Return an independent state whose journal is None."""
        raise NotImplementedError

    def __copy__(self) -> State:
        return self.copy()  # `copy.copy` would share what is changed in place

    def is_over(self) -> bool:
        """Return whether the game has ended; `scores`, `standing` and `reason` are then final."""
        raise NotImplementedError

    def scores(self) -> list[int]:
        """Return the points by seat."""
        raise NotImplementedError

    def standing(self) -> list[tuple[int, ...]]:
        """Return by seat the points and tie-breaks that rank it; higher is better."""
        raise NotImplementedError

    def reason(self) -> str:
        """Return why the game ended, as a word of the game's rules; empty before the end."""
        raise NotImplementedError

    def _repr_svg_(self) -> str:
        """Return the board and all hands as an SVG document: how a notebook shows a state."""
        from ..viewer.drawing import draw, svg

        game = import_module(type(self).__module__.rpartition(".")[0]).GAME
        return svg(draw(game.name, game.view(self, None)), "auto")


class CountedState(State):
    """A state that, compiled, counts its legal actions faster than it lists them."""

    __slots__ = ()

    def count_legal(self) -> int:
        """Return the number of legal actions."""
        raise NotImplementedError

    def legal_at(self, index: int) -> int:
        """Return `legal()[index]`. May be called only right after `count_legal`."""
        raise NotImplementedError
