"""Manhattan (Andreas Seyfarth, 1994); RULES.md has the rules as they are played here."""

from __future__ import annotations

from ..core import Edges, Game
from .actions import ACTIONS
from .options import Options
from .state import deal


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
    name="manhattan",
    title="Manhattan",
    players=(2, 3, 4),
    options=Options,
    variant_options=("blocks",),
    tour=({"blocks": "auto"},),
    actions=ACTIONS,
    deal=deal,
    edges=_edges,
    rules=__name__,
)
