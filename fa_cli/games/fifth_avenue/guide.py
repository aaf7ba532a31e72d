"""Help for people who play Fifth Avenue: the question of each phase, its rules, the legend and the colours."""

from __future__ import annotations

from ..presentation import PlayerGuide

GUIDE = PlayerGuide(
    ask={
        "place": "Place one of your first two skyscrapers, best beside businesses.",
        "action": "Your turn: take skyscrapers, place a business, use a commissioner, or score.",
        "draw": "Draw the top cards of two colour stacks.",
        "move": "Move a commissioner; one that returns to City Hall starts auctions.",
        "bid": "The auction: lay a card, bid those laid, or pass.",
        "build": "You have won the auction: how many skyscrapers do you build?",
    },
    rules={
        "place": ("3. **Skyscrapers.**", "- **FA-1.**", "- **FA-2.**", "- **FA-3.**"),
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
    legend=(
        "A line of the board is a district, a column a plot. `. =2` is empty, and a skyscraper there is worth 2 points "
        "when the district is scored; `#0 x3 =2` are three skyscrapers of seat 0; gall, bout, jewl and perf are "
        "businesses. W and B are the white and the beige commissioner, w and b their markers."
    ),
    palette={colour: colour for colour in ("orange", "green", "gray", "brown", "violet")},
    typed={"bid": "Type done to bid."},
    tie_breaks=("cards in hand",),
    endings={
        "businesses": "the last of 12 businesses was placed",
        "stops": "the second building stop was declared",
        "turn-limit": "all turns of the turn limit were played",
    },
    running=("bid",),
)
