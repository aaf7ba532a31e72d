"""The cards of New York as small numbers. Identical cards have the same number; piles and hands are bytes of cards.

0-6 are the avenues, 7 the red joker, 8-14 the streets, 15 the blue joker, 16-25 the action cards (of each kind the red
one, then the blue one) and 26 the stop card.
"""

from __future__ import annotations

from typing import Final

JOKER: Final = 7  # red
BLUE_JOKER: Final = 15
RENOVATION: Final = 16  # of this and the next four kinds the red card; the blue one is one more
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
"""By card: 0 for a red back, 1 for a blue one. The stop card is not in it, because it is never held."""
BLUE_CARDS: Final = bytes(card for card in range(STOP) if BACK[card])
HELD: Final = [1 << card for card in range(STOP)]
"""By card: its bit in a mask of the cards in a hand."""
ONE: Final = [bytes((card,)) for card in range(STOP + 1)]
"""By card: the card as bytes."""
STOPS: Final = bytes((STOP, STOP))


def _stock(actions: bool) -> bytes:
    """Return the cards of the unshuffled stock, in the order of the setup list in RULES.md."""
    avenues = [card for card in range(7) for _ in range(4)] + [JOKER] * 5
    streets = [8 + card for card in avenues]
    red = [RENOVATION, RUIN, SPECULATION, DEVELOPER, DEVELOPER, STATICS]
    return bytes([*avenues, *streets, *(red + [card + 1 for card in red] if actions else ())])


STOCK: Final = _stock(False)
"""The 66 cards of the basic game, unshuffled."""
STOCK_WITH_ACTIONS: Final = _stock(True)
"""The same with the twelve action cards."""
