"""The drawing of New York: the grid of buildings with stones and chains, the piles, and the players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from ...printing.text import counted
from . import new_york_seats as seats
from .document import Drawing, Piece, assembled
from .new_york_seats import card_chip
from .shapes import EMPTY, MARGIN, WIDTH, box, caption, disc, group, piece, points_of, text

SIZE = 7
LEFT, TOP, PITCH = 50, 118, 94
"""Where the grid begins, and how far apart buildings are."""
BUILDING, STONE = 80, 31
PILES = TOP + SIZE * PITCH + 6
"""Where the piles are drawn."""
LAST = 2
"""How many of the last discarded cards are shown."""
PHASES = {
    "first-stones": "places a first {stone} stone",
    "colour": "chooses a colour",
    "turn": "plays cards for {colour}",
    "place": "may place {stone}",
    "remove": "gives up a {stone} stone",
}

LEGEND = (
    "Bars join neighbours of one colour; rings mark the longest chains of each colour.",
    "Pink numbers and cards are avenues, light blue ones streets; a3s5 is where avenue 3 crosses street 5.",
    "★ is a joker, ×2 two such cards.",
    "units: what buys stones and cards. chain: the player's longest chain.",
    "renov, ruin, spec, dev, stat: renovation, ruin, speculation, developer and statics, the action cards.",
)


def draw(view: dict[str, Any]) -> Drawing:
    """Return a view, drawn."""
    options, players = view["options"], len(view["seats"])
    stones = ", ".join(f"{colour} {shown['board']}" for colour, shown in view["colours"].items())
    return assembled(
        view,
        "New York",
        f"{counted(players, 'player')}, actions {options['actions']}, chain {options['chain']}",
        counted(view["turns"], "turn"),
        _doing,
        f"{points_of(view)}. Stones on the board: {stones}.",
        [Piece("grid", _grid()), *_stones(view["board"], options["chain"]), *_piles(view)],
        draw_seats(view),
        seats.TOP,
        seats.TOP + players * (seats.panel_height(view) + 8),
    )


draw_seats = seats.draw


def _doing(view: dict[str, Any]) -> str:
    phase = "colour" if view["phase"] == "place" and view["stone"] is None else view["phase"]
    chances = f" ({counted(view['chances'], 'chance')})" if view["chances"] else ""
    return PHASES[phase].format(stone=view["stone"], colour=view["colour"]) + chances


# -- the board


@lru_cache(1)
def _grid() -> str:
    shapes = []
    for line in range(SIZE):
        at = PITCH * line + PITCH / 2
        shapes.append(box(LEFT + at - 18, TOP - 34, 36, 30, "blue-back", 6))
        shapes.append(text(LEFT + at, TOP - 11, line + 1, "bold middle"))
        shapes.append(box(LEFT - 38, TOP + at - 18, 34, 36, "red-back", 6))
        shapes.append(text(LEFT - 21, TOP + at + 8, line + 1, "bold middle"))
    for avenue in range(SIZE):
        for street in range(SIZE):
            x, y = _centre(avenue, street)
            shapes.append(box(x - BUILDING / 2, y - BUILDING / 2, BUILDING, BUILDING, "site frame", 8))
    return group(*shapes)


def _centre(avenue: int, street: int) -> tuple[float, float]:
    return LEFT + PITCH * (street + 0.5), TOP + PITCH * (avenue + 0.5)


def _stones(board: Sequence[Sequence[str | None]], chain: str) -> Iterator[Piece]:
    """Yield the joins between stones of one colour, the stones, and the rings around those of the longest chains."""
    ringed = longest_chains(board, chain)
    cells = [(avenue, street) for avenue in range(SIZE) for street in range(SIZE)]
    for avenue, street in cells:
        colour = board[avenue][street]
        right = street + 1 < SIZE and colour is not None and board[avenue][street + 1] == colour
        down = avenue + 1 < SIZE and colour is not None and board[avenue + 1][street] == colour
        yield Piece(f"join.a{avenue + 1}s{street + 1}", _join(avenue, street, colour or "", right, down))
    for avenue, street in cells:
        colour = board[avenue][street]
        x, y = _centre(avenue, street)
        stone = _stone(avenue, street, colour) if colour else EMPTY
        yield Piece(f"stone.a{avenue + 1}s{street + 1}", stone, (x - 43, y - 43, 86, 86))
    for avenue, street in cells:
        ring = _ring(avenue, street) if (avenue, street) in ringed else EMPTY
        yield Piece(f"ring.a{avenue + 1}s{street + 1}", ring)


@lru_cache(1 << 11)
def _join(avenue: int, street: int, colour: str, right: bool, down: bool) -> str:
    x, y = _centre(avenue, street)
    style = f"{colour}-piece edge"
    across = box(x + 20, y - 10, PITCH - 40, 20, style) if right else ""
    return group(across, box(x - 10, y + 20, 20, PITCH - 40, style) if down else "")


@lru_cache(1 << 9)
def _stone(avenue: int, street: int, colour: str) -> str:
    cell = f"a{avenue + 1}s{street + 1}"
    return group(piece(colour, *_centre(avenue, street), STONE), title=f"{cell}: {colour}", cell=cell, stone=colour)


@lru_cache(1 << 6)
def _ring(avenue: int, street: int) -> str:
    return group(disc(*_centre(avenue, street), STONE + 5, "ring"), chain=f"a{avenue + 1}s{street + 1}")


def longest_chains(board: Sequence[Sequence[str | None]], chain: str) -> set[tuple[int, int]]:
    """Return the cells (avenue, street) of each colour's longest chains: groups or, for `line`, runs."""
    found: dict[str, list[list[tuple[int, int]]]] = {}
    for steps in [_ALONG + _ACROSS] if chain == "group" else [_ALONG, _ACROSS]:
        for colour, cells in _groups(board, steps):
            found.setdefault(colour, []).append(cells)
    longest = {colour: max(map(len, chains)) for colour, chains in found.items()}
    return {
        cell
        for colour, chains in found.items()
        for cells in chains
        if len(cells) == longest[colour] > 1
        for cell in cells
    }


_ALONG, _ACROSS = ((0, -1), (0, 1)), ((-1, 0), (1, 0))
"""The steps from a cell to its neighbours in its avenue, and in its street."""


def _groups(
    board: Sequence[Sequence[str | None]], steps: Sequence[tuple[int, int]]
) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield the sets of stones of one colour that are joined by these steps."""
    left = {(avenue, street) for avenue in range(SIZE) for street in range(SIZE) if board[avenue][street]}
    while left:
        cells = [left.pop()]
        colour = board[cells[0][0]][cells[0][1]]
        for avenue, street in cells:  # grows
            for cell in ((avenue + down, street + right) for down, right in steps):
                if cell in left and board[cell[0]][cell[1]] == colour:
                    left.remove(cell)
                    cells.append(cell)
        yield str(colour), cells


# -- the piles


def _piles(view: dict[str, Any]) -> Iterator[Piece]:
    yield Piece("pile.stock", _stock(view["stock"]))
    discarded, stops, y = len(view["discard"]), view["stop_cards"], PILES + 27
    yield Piece("pile.discard", caption(160, y, f"discarded {discarded}", discarded=discarded))
    last = view["discard"][-LAST:]
    for number in range(LAST):
        svg = _discarded(number, last[number]) if number < len(last) else EMPTY
        newest = (322 + 102 * number, PILES - 2, 100, 42) if number == LAST - 1 else ()
        yield Piece(f"pile.discard.{number}", svg, newest)
    where = caption(WIDTH - MARGIN, y, f"stops: {stops}", "end", f"the stop cards: {stops}", stops=stops)
    yield Piece("pile.stops", where, (WIDTH - 192, PILES, 188, 38))


@lru_cache(1 << 7)
def _stock(count: int) -> str:
    return group(
        box(MARGIN, PILES, 28, 38, "back edge", 5), text(MARGIN + 38, PILES + 27, f"stock {count}"), stock=count
    )


@lru_cache(1 << 7)
def _discarded(number: int, card: str) -> str:
    return group(card_chip(324 + 102 * number, PILES, card), title=f"discarded: {card}", discarded=card)
