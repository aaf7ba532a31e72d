"""The players of New York, drawn: points, stones, purchase units and hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ...printing.text import counted
from .document import Piece, turn_mark
from .shapes import EMPTY, MARGIN, WIDTH, box, caption, group, hand_of, names_of, panel, piece, points, text

TOP = 836
"""Where the panels begin."""
KINDS = {"renovation": "renov", "ruin": "ruin", "speculation": "spec", "developer": "dev", "statics": "stat"}
"""The action cards, and their names on the drawing."""
NUMBERS = ("1", "2", "3", "4", "5", "6", "7", "*")
JOKER = "★"
BACK_OF = {"avenue": "red", "street": "blue"}
KIND_OF = {"red": "avenue", "blue": "street"}
SHORT = {"avenue": "Ave", "street": "St"}
COLUMN, HALF = 42, 342
"""How far apart cards are. Cards with red backs are in the left half of a panel, those with blue backs in the right."""


def draw(view: dict[str, Any]) -> Iterator[Piece]:
    """Yield the parts of all players; they are below `TOP`."""
    names = names_of(view)
    height = panel_height(view)
    for seat, shown in enumerate(view["seats"]):
        y = TOP + (height + 8) * seat
        colours = tuple(shown["colours"])
        yield Piece(f"seat.{seat}", panel(y, height, colours, seat, names[seat]))
        yield Piece(f"seat.{seat}.points", points(y, seat, shown["points"]), (WIDTH - 152, y + 32))
        units, chain = shown["units"], shown["chain"]
        words = caption(WIDTH - 24, y + 66, f"units {units}", "end", "purchase units", units=units)
        yield Piece(f"seat.{seat}.units", words, (WIDTH - 114, y + 44, 98, 29))
        words = caption(WIDTH - 150, y + 66, f"chain {chain}", "end", "the longest chain", chain=chain)
        yield Piece(f"seat.{seat}.chain", words, (WIDTH - 246, y + 44, 104, 29))
        yield from _stones(y, seat, colours, view["colours"])
        known = hand_of(view, seat)
        hand = None if known is None else tuple(known)
        yield from _hand(y, seat, hand, (shown["red"], shown["blue"]), view["options"]["actions"] == "on")
    yield turn_mark(view["actor"], TOP, height)


def panel_height(view: dict[str, Any]) -> float:
    """Return the height of each player's panel."""
    return 174 if view["options"]["actions"] == "on" else 138


def _stones(y: float, seat: int, colours: tuple[str, ...], stones: dict[str, Any]) -> Iterator[Piece]:
    """Yield for each of a seat's colours the stones in stock and on the board."""
    for number in range(2):
        if number < len(colours):
            shown = stones[colours[number]]
            svg = _stone_counts(y, number, colours[number], shown["stock"], shown["board"])
        spot = (MARGIN + 12 + 224 * number, y + 44, 218, 29)
        yield Piece(f"seat.{seat}.stones.{number}", svg if number < len(colours) else EMPTY, spot)


@lru_cache(1 << 11)
def _stone_counts(y: float, number: int, colour: str, stock: int, board: int) -> str:
    x, words = MARGIN + 26 + 224 * number, f"stock {stock}, board {board}"
    return group(
        piece(colour, x, y + 59, 10),
        text(x + 16, y + 66, words, "", 174 if len(words) > len("stock 9, board 9") else 0),
        title=f"{colour} stones",
        stock=f"{colour} {stock}",
    )


@lru_cache(1 << 8)
def _hand(
    y: float, seat: int, hand: tuple[str, ...] | None, backs: tuple[int, int], has_actions: bool
) -> tuple[Piece, ...]:
    """Return a hand: by card how many of it there are, or the number of cards with each back."""
    counts, pieces = Counter(hand or ()), list[Piece]()
    for half, (back, count) in enumerate(zip(("red", "blue"), backs, strict=True)):
        kind = KIND_OF[back]
        x = MARGIN + 8 + HALF * half
        backs_drawn = _backs(y, half, back, count) if hand is None else EMPTY
        pieces.append(Piece(f"hand.{seat}.{back}", backs_drawn, (x - 2, y + 76, HALF - 4, 56)))
        for at, number in enumerate(NUMBERS):
            spot = (x - 1 + COLUMN * at, y + 77, 42, 54)
            pieces.append(Piece(f"hand.{seat}.{kind} {number}", _card(y, half, at, counts[f"{kind} {number}"]), spot))
        for at, action in enumerate(KINDS if has_actions else ()):
            svg = _action_card(y, half, at, counts[f"{action} {back}"])
            pieces.append(Piece(f"hand.{seat}.{action} {back}", svg, (x - 2 + 69 * at, y + 134, 70, 34)))
    return tuple(pieces)


@lru_cache(1 << 9)
def _backs(y: float, half: int, back: str, count: int) -> str:
    """Draw cards of which only the backs are known."""
    if not count:
        return EMPTY
    x = MARGIN + 8 + HALF * half
    cards = [box(x + 24 * at, y + 78, 40, 52, f"{back}-back edge", 5) for at in range(min(count, 10))]
    number = text(x + 24 * len(cards) + 22, y + 112, f"×{count}", "bold")
    return group(*cards, number, title=f"{counted(count, 'card')}, {back} on the back", back=back, count=count)


@lru_cache(1 << 11)
def _card(y: float, half: int, at: int, count: int) -> str:
    if not count:
        return EMPTY
    back = ("red", "blue")[half]
    x = MARGIN + 8 + HALF * half + COLUMN * at
    number = NUMBERS[at]
    return group(
        box(x, y + 78, 40, 52, f"{back}-back edge", 5),
        text(x + 20, y + (101 if count > 1 else 112), JOKER if number == "*" else number, "bold middle"),
        text(x + 20, y + 124, f"×{count}", "middle") if count > 1 else "",
        title=f"{KIND_OF[back]} {'joker' if number == '*' else number}: {counted(count, 'card')}",
        card=f"{KIND_OF[back]} {number}",
        count=count,
    )


@lru_cache(1 << 9)
def _action_card(y: float, half: int, at: int, count: int) -> str:
    if not count:
        return EMPTY
    back = ("red", "blue")[half]
    kind, name = list(KINDS.items())[at]
    x = MARGIN + 8 + HALF * half + 69 * at
    words = name if count == 1 else f"{name}×{count}"
    return group(
        box(x, y + 136, 66, 30, f"{back}-back edge", 5),
        text(x + 33, y + 158, words, "middle"),
        title=f"{kind} {back}: {counted(count, 'card')}",
        card=f"{kind} {back}",
        count=count,
    )


@lru_cache(1 << 7)
def card_chip(x: float, y: float, card: str) -> str:
    """Draw a discarded card in words: `Ave 3`, `ruin b`."""
    kind, _, value = card.partition(" ")
    if kind in KINDS:
        words, back = f"{KINDS[kind]} {value[0]}", value
    elif kind == "stop":
        words, back = card, ""
    else:
        words, back = f"{SHORT[kind]} {JOKER if value == '*' else value}", BACK_OF[kind]
    return box(x, y, 96, 38, f"{back}-back edge" if back else "card edge", 6) + text(x + 48, y + 26, words, "middle")
