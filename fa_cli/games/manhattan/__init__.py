"""Manhattan (Andreas Seyfarth, 1994). RULES.md has the rules and rulings that this engine follows."""

from __future__ import annotations

from ..game import Game
from ..presentation import presentation_of
from .actions import ACTIONS
from .options import Options
from .state import deal

GAME = Game(
    name="manhattan",
    title="Manhattan",
    players=(2, 3, 4),
    options=Options,
    variant_options=("blocks",),
    default_variants=({"blocks": "auto"},),
    actions=ACTIONS,
    deal=deal,
    load_presentation=lambda: presentation_of(__name__),
    rules=__name__,
)
