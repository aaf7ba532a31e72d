"""The action table of New York. An action's number is its index in `ACTIONS`; legal actions are in this order."""

from __future__ import annotations

from functools import cache
from typing import Final

from .board import (
    BACKS,
    CELLS,
    CELLS_TEXT,
    COLOURS,
    DEVELOPER,
    LINE_CELLS,
    RENOVATION,
    RUIN,
    SIZE,
    SPECULATION,
    STATICS,
)

FORMS: Final = (*(str(number) for number in range(1, 8)), *(f"*{number}" for number in range(1, 8)))
"""The ways to play a card for a line: its own card (`3`), or a joker that stands for it (`*3`)."""


def _developer_line(back: int, partner: int) -> int:
    """Return the line of the partner card: a street for a red developer or statics, an avenue for a blue one."""
    return partner if back else SIZE + partner


def _developments() -> list[str]:
    """List the developer actions by back, then by partner 1-7 and *, then by cell."""
    texts = []
    for back, name in enumerate(BACKS):
        for partner in range(SIZE):
            cells = LINE_CELLS[_developer_line(back, partner)]
            texts += [f"developer {name} {partner + 1} {CELLS_TEXT[cell]}" for cell in cells]
        texts += [f"developer {name} * {cell}" for cell in CELLS_TEXT]
    return texts


ACTIONS: Final = (
    "redraw",
    *(f"use {colour}" for colour in COLOURS),
    *(f"place {cell}" for cell in CELLS_TEXT),
    "pass",
    *(f"remove {cell}" for cell in CELLS_TEXT),
    *(f"play {avenue} {street}" for avenue in FORMS for street in FORMS),
    *(f"{kind} {back}" for kind in ("renovation", "ruin") for back in BACKS),
    *(f"speculation {back} {colour}" for back in BACKS for colour in COLOURS),
    *_developments(),
    *(f"statics {back} {partner} {colour}" for back in BACKS for partner in FORMS for colour in COLOURS),
)

REDRAW: Final = 0
USE: Final = 1
PLACE: Final = 6
PASS: Final = 55
REMOVE: Final = 56
PLAY: Final = 105
CLEAR: Final = 301
SPECULATE: Final = 305
DEVELOP: Final = 315
STUDY: Final = 511

PER_FORM: Final = len(FORMS)
PER_DEVELOPER: Final = 2 * CELLS
PER_STATICS: Final = len(FORMS) * len(COLOURS)

# The phases: the kind of the next decision.
FIRST_STONES: Final = 0
COLOUR: Final = 1
TURN: Final = 2
PLACING: Final = 3
REMOVING: Final = 4
OVER: Final = 5


def _card_of(form: int) -> int:
    """Return 0-6 for a line's own card, 7 for a joker."""
    return min(form, SIZE)


PLAYED_CELL: Final = [
    SIZE * (avenue % SIZE) + street % SIZE for avenue in range(PER_FORM) for street in range(PER_FORM)
]
"""The cell where avenue and street cross, by action - PLAY."""
PLAYED_CARDS: Final = [
    bytes((_card_of(avenue), 8 + _card_of(street))) for avenue in range(PER_FORM) for street in range(PER_FORM)
]
"""The red card and the blue card, by action - PLAY."""
PLAYED: Final = [(cards[:1], cards[1:], cards, cell) for cards, cell in zip(PLAYED_CARDS, PLAYED_CELL, strict=True)]
"""The red card, the blue card, both cards, and the cell, by action - PLAY."""


Subsets = list[tuple[int, ...]]
"""The actions whose bit is set, by bit mask over a list of actions."""


def _subsets(actions: list[int]) -> Subsets:
    """Return by bit mask the actions whose bit is set."""
    subsets: Subsets = [()]
    for action in actions:
        last = (action,)
        subsets += [subset + last for subset in subsets]
    return subsets


def _by_avenue(first: int) -> list[Subsets]:
    """Return by avenue, then by mask of its seven streets, the actions that are numbered by cell from `first`."""
    return [_subsets(list(range(first + SIZE * avenue, first + SIZE * avenue + SIZE))) for avenue in range(SIZE)]


PLACES: Final = _by_avenue(PLACE)
REMOVES: Final = _by_avenue(REMOVE)
_PLAYS = [_subsets([PLAY + PER_FORM * form + street for street in range(SIZE)]) for form in range(PER_FORM)]
_JOKER_PLAYS = [
    _subsets([PLAY + PER_FORM * form + SIZE + street for street in range(SIZE)]) for form in range(PER_FORM)
]
FORMS_HELD: Final[list[tuple[int, ...]]] = [
    (*forms, *jokers) for jokers in ((), range(SIZE, PER_FORM)) for forms in _subsets(list(range(SIZE)))
]
"""The forms (indices in FORMS) in which the cards held with one back can be played, by mask of these cards."""
PLAYS_HELD: Final[list[tuple[tuple[int, Subsets, Subsets], ...]]] = [
    tuple((SIZE * (form % SIZE), _PLAYS[form], _JOKER_PLAYS[form]) for form in forms) for forms in FORMS_HELD
]
"""An entry for each form in which the cards can be played, by mask of the red cards held.

An entry has the shift that brings the avenue's seven cells to the lowest bits of a mask of cells; by mask of streets
the plays with the streets' own cards; and by mask of streets the plays with the blue joker.
"""
SHIFTS_HELD: Final = [bytes(shift for shift, _, _ in entries) for entries in PLAYS_HELD]
"""The shifts of these entries, by mask of the red cards held."""
CLEARS: Final = _subsets(list(range(CLEAR, CLEAR + 4)))
"""The legal renovations and ruins, by mask of the cards held from RENOVATION on."""


def _develops(line: int) -> dict[int, tuple[int, ...]]:
    """Return by mask of cells in this line the developer actions with the line's own card."""
    back, partner = (1, line) if line < SIZE else (0, line - SIZE)
    first = DEVELOP + PER_DEVELOPER * back + SIZE * partner
    actions = _subsets(list(range(first, first + SIZE)))
    masks = [0]
    for cell in LINE_CELLS[line]:
        masks += [mask | 1 << cell for mask in masks]
    return dict(zip(masks, actions, strict=True))


DEVELOPS: Final = [_develops(line) for line in range(2 * SIZE)]
"""The developer actions with each line's own card, by mask of cells in the line."""
DEVELOPS_JOKER: Final = [_by_avenue(DEVELOP + PER_DEVELOPER * back + CELLS) for back in range(2)]
"""The developer actions with a joker, by the developer's back, then by avenue, then by mask of seven streets."""


def list_cells(actions: list[Subsets], cells: int) -> list[int]:
    """List the actions of these cells, from a table by avenue and mask of streets."""
    legal: list[int] = []
    for by_streets in actions:
        legal += by_streets[cells & 127]
        cells >>= SIZE
    return legal


@cache
def list_chance(cells: int) -> list[int]:
    """List the actions during a renovation or ruin: to place a stone on one of the cleared cells, or to pass."""
    return [*list_cells(PLACES, cells), PASS]


def clearing(action: int) -> int:
    """Return the card of a renovation or ruin."""
    return RENOVATION + action - CLEAR


def speculation(action: int) -> tuple[int, int]:
    """Return a speculation's card and the colour it names."""
    back, colour = divmod(action - SPECULATE, len(COLOURS))
    return SPECULATION + back, colour


def development(action: int) -> tuple[int, int, int]:
    """Return a developer's card, its partner card and the cell."""
    back, rest = divmod(action - DEVELOP, PER_DEVELOPER)
    partner, index = divmod(rest, SIZE)
    joker = partner >= SIZE
    cell = rest - CELLS if joker else LINE_CELLS[_developer_line(back, partner)][index]
    return DEVELOPER + back, 8 * (1 - back) + min(partner, SIZE), cell


def study(action: int) -> tuple[int, int, int, int]:
    """Return a statics' card, its partner card, the line and the colour it names."""
    back, rest = divmod(action - STUDY, PER_STATICS)
    form, colour = divmod(rest, len(COLOURS))
    return STATICS + back, 8 * (1 - back) + _card_of(form), _developer_line(back, form % SIZE), colour


assert len(ACTIONS) == STUDY + 2 * PER_STATICS and RUIN == RENOVATION + 2
