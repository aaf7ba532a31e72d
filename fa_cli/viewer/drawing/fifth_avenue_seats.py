"""The players of Fifth Avenue, drawn: points, skyscrapers, hands and bids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ...printing.text import counted
from .document import Piece, turn_mark
from .shapes import COLOURS, EMPTY, MARGIN, WIDTH, box, caption, group, hand_of, names_of, panel, piece, points, text

TOP, PITCH, HEIGHT, ALEA = 996, 144, 136, 60
"""Where the panels begin, how far apart and how high they are, and the height that Alea adds."""
SUITS = ("black", "orange", "green", "gray", "brown", "violet")
SHORT = {"black": "Bk", "orange": "Or", "green": "Gn", "gray": "Gy", "brown": "Br", "violet": "Vi"}
"""The suits' names on the drawing."""
VALUES = (4, 5, 6)
SUIT_WIDTH, COLUMN = 115, 26


def draw(view: dict[str, Any]) -> Iterator[Piece]:
    """Yield the parts of all players; they are below `TOP`."""
    names = names_of(view)
    auction = view["auction"]
    for seat, shown in enumerate(view["seats"]):
        y = TOP + PITCH * seat
        yield Piece(f"seat.{seat}", _panel(y, seat, names[seat]))
        yield Piece(f"seat.{seat}.points", points(y, seat, shown["points"]), (WIDTH - 152, y + 32))
        words = f"supply {shown['supply']}, general {shown['general']}"
        skyscrapers = caption(MARGIN + 12, y + 122, words, title="skyscrapers to build with, and to take")
        yield Piece(f"seat.{seat}.skyscrapers", skyscrapers, (MARGIN + 6, y + 101, 232, 30))
        yield from _hand(y, seat, shown["cards"], hand_of(view, seat))
        yield from _bid(y, seat, auction["bids"][seat] if auction else None)
    if len(view["seats"]) == 2:
        yield from _alea(view)
    yield turn_mark(view["actor"], TOP, HEIGHT)


@lru_cache(1 << 6)
def _panel(y: float, seat: int, name: str) -> str:
    shapes = [panel(y, HEIGHT, (COLOURS[seat],), seat, name)]
    for number, suit in enumerate(SUITS):
        x = MARGIN + 6 + SUIT_WIDTH * number
        style = "on-black" if suit == "black" else ""
        shapes.append(box(x, y + 42, SUIT_WIDTH - 5, 26, suit, 5))
        shapes.append(text(x + 4, y + 62, SHORT[suit], style))
        shapes += [
            text(x + 45 + COLUMN * at, y + 62, value, f"middle {style}".strip()) for at, value in enumerate(VALUES)
        ]
    return group(*shapes)


def _hand(y: float, seat: int, known: dict[str, list[int]], hand: dict[str, list[int]] | None) -> Iterator[Piece]:
    """Yield the counts of a hand: by suit the cards of each value, and those whose value is not known."""
    for number, suit in enumerate(SUITS):
        yield from _cards_of(y, seat, number, (*hand[suit], 0) if hand else tuple(known[suit]))


@lru_cache(1 << 12)
def _cards_of(y: float, seat: int, number: int, counts: tuple[int, ...]) -> tuple[Piece, ...]:
    """Return the counts of one suit."""
    suit, x, unknown = SUITS[number], MARGIN + 6 + SUIT_WIDTH * number, counts[3]
    words = f"?{unknown}" if unknown else ""
    shown = caption(x + 4, y + 92, words, "soft", f"{unknown} unknown {suit}", unknown=unknown)
    pieces = [Piece(f"hand.{seat}.{suit}", shown, (x, y + 71, 34, 28))]
    for at, value in enumerate(VALUES):
        count, card, left = counts[at], f"{suit} {value}", x + 34 + COLUMN * at
        title = f"{counted(count, 'card')}: {card}"
        shown = caption(left + 11, y + 92, count, "bold middle", title, card=card, count=count)
        pieces.append(Piece(f"hand.{seat}.{suit}.{value}", shown, (left, y + 71, COLUMN - 3, 28)))
    return tuple(pieces)


def _bid(y: float, seat: int, bid: dict[str, Any] | None) -> Iterator[Piece]:
    """Yield a seat's bid: its sum or `passed`, and its cards."""
    total = _total(y, seat, bid["total"], bid["passed"]) if bid else EMPTY
    yield Piece(f"seat.{seat}.bid", total, (MARGIN + 286, y + 101, 92, 30))
    yield from _cards(f"seat.{seat}.bid", y + 100, tuple(bid["cards"]) if bid else ())


@lru_cache(1 << 10)
def _cards(key: str, y: float, cards: tuple[str, ...]) -> tuple[Piece, ...]:
    """Return the cards of a bid: those of its colour, then the black ones, each kind once with its number."""
    counts, pieces = Counter(cards), list[Piece]()
    colour = next((card.split()[0] for card in cards if not card.startswith("black")), "")
    for number, suit in enumerate((colour, "black")):
        for at, value in enumerate(VALUES):
            count = counts[f"{suit} {value}"]
            column = 3 * number + at
            laid = _laid(y, column, suit, value, count) if count else EMPTY
            pieces.append(Piece(f"{key}.{number}.{value}", laid, (MARGIN + 380 + 51 * column, y - 2, 52, 32)))
    return tuple(pieces)


def _total(y: float, seat: int, total: int, passed: bool) -> str:
    words = "passed" if passed else f"bids {total}" if total else ""
    return caption(MARGIN + 372, y + 122, words, "soft end" if passed else "bold end", bid=total, seat=seat)


@lru_cache(1 << 11)
def _laid(y: float, column: int, suit: str, value: int, count: int) -> str:
    x = MARGIN + 382 + 51 * column
    words = value if count == 1 else f"{value}×{count}"
    return group(
        box(x, y, 48, 28, f"{suit} edge", 5),
        text(x + 24, y + 21, words, "middle on-black" if suit == "black" else "middle"),
        title=f"laid: {counted(count, f'{suit} {value}')}",
        laid=f"{suit} {value}",
        count=count,
    )


def _alea(view: dict[str, Any]) -> Iterator[Piece]:
    """Yield Alea's skyscrapers and her bid."""
    y = TOP + PITCH * 2
    cards = tuple(view["auction"]["alea"]) if view["auction"] else ()
    yield Piece("seat.alea", _alea_panel(y, view["alea_skyscrapers"]))
    yield Piece("seat.alea.bid", _total(y - 88, 2, sum(int(card.split()[1]) for card in cards), False))
    yield from _cards("seat.alea.bid", y + 12, cards)


@lru_cache(1 << 5)
def _alea_panel(y: float, skyscrapers: int) -> str:
    return group(
        box(MARGIN, y, WIDTH - 2 * MARGIN, 52, "card", 10),
        piece("black", MARGIN + 26, y + 26, 14),
        text(MARGIN + 50, y + 34, "Alea", "bold"),
        text(MARGIN + 130, y + 34, f"supply {skyscrapers}"),
    )
