"""New York (Sid Sackson and S. M. Kübler, 1995). RULES.md has the rules and rulings that this engine follows."""

from __future__ import annotations

from ..game import Game
from ..presentation import presentation_of
from .actions import ACTIONS
from .board import PLAYERS
from .options import Options
from .state import deal

GAME = Game(
    name="new-york",
    title="New York",
    players=PLAYERS,
    options=Options,
    variant_options=("actions", "chain"),
    default_variants=({"actions": "off"}, {"actions": "on"}),
    actions=ACTIONS,
    deal=deal,
    load_presentation=lambda: presentation_of(__name__),
    rules=__name__,
)
