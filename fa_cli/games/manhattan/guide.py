"""Help for people who play Manhattan: the question of each phase, its rules, the legend and the colours."""

from __future__ import annotations

from ..presentation import PlayerGuide
from .board import COLOURS

GUIDE = PlayerGuide(
    ask={
        "select": "Select {blocks} {colour} blocks: you place them in this round.",
        "build": "Play a card: place a block in any city, on the site that the card stands for.",
    },
    rules={
        "select": ("1. **Select.**", "- **MA-1.**"),
        "build": ("2. **Build.**", "- **MA-2.**", "| card |", "## Where you may build"),
    },
    legend=(
        "Each city has nine sites, 1 2 3 in its first row. R7 is a tower of seven floors, all red. B5r4 is a tower of "
        "nine floors: blue owns it with five, red has four and can take it with a 1. `8x1 4x2`: eight blocks of one "
        "floor, four of two. Below the players are your cards, and the sites that they stand for."
    ),
    palette={colour: colour for colour in COLOURS}
    | {rf"(?<![A-Za-z])[{colour[0].upper()}{colour[0]}][0-9]+": colour for colour in COLOURS},
    endings={"rounds": "all rounds were played"},
)
