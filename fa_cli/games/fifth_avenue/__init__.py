"""Fifth Avenue (Wilko Manz, 2004). RULES.md has the rules and rulings that this engine follows."""

from __future__ import annotations

from ..game import Game
from ..presentation import presentation_of
from .actions import ACTIONS
from .deal import deal
from .options import Options

GAME = Game(
    name="fifth-avenue",
    title="Fifth Avenue",
    players=(2, 3, 4),
    options=Options,
    variant_options=("side",),
    default_variants=({"side": "five"}, {"side": "six"}),
    actions=ACTIONS,
    deal=deal,
    load_presentation=lambda: presentation_of(__name__),
    rules=__name__,
)
