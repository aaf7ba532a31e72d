"""Manhattan (Andreas Seyfarth, 1994); RULES.md has the rules as they are played here."""

from __future__ import annotations

from ..core import Game
from .actions import ACTIONS
from .options import Options
from .state import deal
from .text import narrate, render
from .view import Observation, observe, tell
from .worlds import determinise, imagine

GAME = Game(
    name="manhattan",
    title="Manhattan",
    players=(2, 3, 4),
    options=Options,
    variant_options=("blocks",),
    tour=({"blocks": "auto"},),
    actions=ACTIONS,
    deal=deal,
    observation=Observation,
    observe=observe,
    tell=tell,
    narrate=narrate,
    render=render,
    determinise=determinise,
    rules=__name__,
    imagine=imagine,
)
