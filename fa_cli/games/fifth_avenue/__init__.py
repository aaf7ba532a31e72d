"""Fifth Avenue (Wilko Manz, 2004); RULES.md has the rules as they are played here."""

from __future__ import annotations

from ..core import Edges, Game
from .actions import ACTIONS
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
    name="fifth-avenue",
    title="Fifth Avenue",
    players=(2, 3, 4),
    options=Options,
    variant_options=("side",),
    tour=({"side": "five"}, {"side": "six"}),
    actions=ACTIONS,
    deal=deal,
    edges=_edges,
    rules=__name__,
)
