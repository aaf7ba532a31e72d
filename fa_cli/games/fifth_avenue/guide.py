"""What a person who plays Fifth Avenue is told: by phase of the game, and in which colours."""

from __future__ import annotations

from ..core import Guide

GUIDE = Guide(
    ask={
        "place": "Place one of your first two skyscrapers; beside businesses it is worth more.",
        "action": "Your turn: take skyscrapers, place a business, use a commissioner, or score.",
        "draw": "Draw the top cards of two colour stacks.",
        "move": "Move a commissioner; one who comes home to City Hall brings auctions.",
        "bid": "The auction: lay cards one by one and say done, or pass.",
        "build": "You have won the auction: how many skyscrapers do you build?",
    },
    rules={
        "place": ("3. **Skyscrapers.**", "- **FA-1.**", "- **FA-3.**"),
        "action": ("## Your turn",),
        "draw": ("**Colour cards.**", "- **FA-9.**"),
        "move": ("**Moving.**", "- **FA-12.**"),
        "bid": (
            "**Bidding**",
            "**Colours.**",
            "1. You have",
            "2. You have",
            "3. You have",
            "At Central Park",
            "A bid is",
        ),
        "build": ("**Winning.**", "**Building stop.**", "**Central Park.**"),
    },
    palette={colour: colour for colour in ("orange", "green", "gray", "brown", "violet")},
    running=("bid",),
)
