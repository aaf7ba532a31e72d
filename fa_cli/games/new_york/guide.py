"""Help for people who play New York: the question of each phase, its rules, the legend and the colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..presentation import PlayerGuide
from .board import COLOURS
from .text import LETTERS


def _ask_instead(view: Mapping[str, Any]) -> str:
    match view:
        case {"phase": "turn", "hand": hand} if any(not card.startswith(("avenue", "street")) for card in hand):
            return "Play an avenue card (row) and a street card (column), or an action card."
        case {"phase": "place", "stone": None}:
            return "Choose the colour to place on a cleared building."
    return ""


GUIDE = PlayerGuide(
    ask={
        "first-stones": "Place a {stone} stone on an empty building.",
        "colour": "Choose the colour that you play in this turn.",
        "turn": "Play an avenue card (row) and a street card (column).",
        "place": "Place a stone on a cleared building, or pass.",
        "remove": "Give up one of your stones.",
    },
    rules={
        "first-stones": ("1. **The first stones.**",),
        "colour": ("Each has two colours",),
        "turn": ("## Your turn", "## Action cards"),
        "place": ("**NY-7,",),
        "remove": ("**NY-8,",),
    },
    legend=(
        "A row of the board is an avenue, a column a street; a letter is a stone of that colour. Of each player: the "
        "stones left in stock, the purchase units, the cards in hand, and the points if it ended now."
    ),
    palette={colour: colour for colour in COLOURS} | dict(zip(LETTERS, COLOURS, strict=True)),
    typed={
        "first-stones": "Row (avenue) 3, column 5 is a3s5.",
        "turn": "Type play 3 5 for a3s5.",
    },
    tie_breaks=("longest chain", "purchase units"),
    endings={"stop-card": "a stop card was drawn", "turn-limit": "all turns of the turn limit were played"},
    ask_instead=_ask_instead,
)
