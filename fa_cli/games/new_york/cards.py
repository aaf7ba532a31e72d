"""The cards of New York, as small numbers; cards alike have the same number, and piles and hands are bytes of them.

0-6 the avenues, 7 the red joker, 8-14 the streets, 15 the blue joker; then the action cards, of each kind the red one
before the blue one; last the stop card.
"""

from __future__ import annotations

from typing import Final

JOKER: Final = 7  # the red one
BLUE_JOKER: Final = 15
RENOVATION: Final = 16  # these five: the red one; the blue one is one more
RUIN: Final = 18
SPECULATION: Final = 20
DEVELOPER: Final = 22
STATICS: Final = 24
STOP: Final = 26

BACKS: Final = ("red", "blue")
KINDS: Final = ("renovation", "ruin", "speculation", "developer", "statics")

CARDS_TEXT: Final = (
    *(f"avenue {number}" for number in (*range(1, 8), "*")),
    *(f"street {number}" for number in (*range(1, 8), "*")),
    *(f"{kind} {back}" for kind in KINDS for back in BACKS),
    "stop",
)
BACK: Final = bytes([0] * 8 + [1] * 8 + [0, 1] * 5)
"""By card: 0 for a red back, 1 for a blue one. The stop cards have none that matters: they are never held."""
BLUE_CARDS: Final = bytes(card for card in range(STOP) if BACK[card])
HELD: Final = [1 << card for card in range(STOP)]
"""By card: its bit in the mask of what a hand holds."""
ONE: Final = [bytes((card,)) for card in range(STOP + 1)]
"""By card: a pile of it alone."""
STOPS: Final = bytes((STOP, STOP))


def _stock(actions: bool) -> bytes:
    """The cards of the stock before it is first shuffled, in the order of the setup's list."""
    avenues = [card for card in range(7) for _ in range(4)] + [JOKER] * 5
    streets = [8 + card for card in avenues]
    red = [RENOVATION, RUIN, SPECULATION, DEVELOPER, DEVELOPER, STATICS]
    return bytes([*avenues, *streets, *(red + [card + 1 for card in red] if actions else ())])


STOCK: Final = _stock(False)
"""The 66 cards of the basic game."""
STOCK_WITH_ACTIONS: Final = _stock(True)
"""The same and the twelve action cards."""
