"""New York (Sid Sackson and S. M. Kübler, 1995)."""

from __future__ import annotations

from ..core import Edges, Game
from .actions import ACTIONS
from .board import PLAYERS
from .deal import deal
from .options import Options


def _edges() -> Edges:
    from .features import features
    from .text import narrate, render
    from .view import Observation, show, tell
    from .worlds import determinise, imagine

    return Edges(
        observation=Observation,
        show=show,
        tell=tell,
        narrate=narrate,
        render=render,
        determinise=determinise,
        imagine=imagine,
        features=features,
    )


GAME = Game(
    name="new-york",
    title="New York",
    players=PLAYERS,
    options=Options,
    variant_options=("actions", "chain"),
    tour=({"actions": "off"}, {"actions": "on"}),
    actions=ACTIONS,
    deal=deal,
    edges=_edges,
    rules=__name__,
)
