"""The action table of New York: an action's number is its place in `ACTIONS`; legal lists are in this order."""

from __future__ import annotations

from functools import cache
from typing import Final

from .board import CELLS, CELLS_TEXT, COLOURS, LINE_CELLS, SIZE
from .cards import BACKS, DEVELOPER, RENOVATION, RUIN, SPECULATION, STATICS

FORMS: Final = (*(str(number) for number in range(1, 8)), *(f"*{number}" for number in range(1, 8)))
"""How a line is named by a card: its number, or a joker that stands for it."""


def _developer_line(back: int, partner: int) -> int:
    """The line of a developer's or statics' partner card: a red one goes with a street, a blue one with an avenue."""
    return partner if back else SIZE + partner


def _developments() -> list[str]:
    """The developer's actions: by back, then partner 1-7, *, then cell."""
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

# The phases: what kind of decision comes next.
FIRST_STONES: Final = 0
COLOUR: Final = 1
TURN: Final = 2
PLACING: Final = 3
REMOVING: Final = 4
OVER: Final = 5


def _card_of(form: int) -> int:
    """0-6 for a number's own card, 7 for a joker."""
    return min(form, SIZE)


PLAYED_CELL: Final = [
    SIZE * (avenue % SIZE) + street % SIZE for avenue in range(PER_FORM) for street in range(PER_FORM)
]
"""By action - PLAY: the crossing."""
PLAYED_CARDS: Final = [
    bytes((_card_of(avenue), 8 + _card_of(street))) for avenue in range(PER_FORM) for street in range(PER_FORM)
]
"""By action - PLAY: the red card and the blue card."""
PLAYED: Final = [(cards[:1], cards[1:], cards, cell) for cards, cell in zip(PLAYED_CARDS, PLAYED_CELL, strict=True)]
"""By action - PLAY: the red card, the blue card, both, and the crossing."""


Subsets = list[tuple[int, ...]]
"""By bit mask: those of some actions whose place is set."""


def _subsets(actions: list[int]) -> Subsets:
    """Those of the actions whose place is set."""
    subsets: Subsets = [()]
    for action in actions:
        one = (action,)
        subsets += [before + one for before in subsets]
    return subsets


def _by_avenue(first: int) -> list[Subsets]:
    """By avenue, then by the mask of seven streets: actions numbered by cell from `first`."""
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
"""By mask of the cards of one back held: the forms in which they can be played."""
PLAYS_HELD: Final[list[tuple[tuple[int, Subsets, Subsets], ...]]] = [
    tuple((SIZE * (form % SIZE), _PLAYS[form], _JOKER_PLAYS[form]) for form in forms) for forms in FORMS_HELD
]
"""By mask of the red cards held, one entry for each form in which they can be played.

How far to shift a mask of cells so that the avenue's seven come first; then, by mask of streets, the plays with those
streets' own cards; the same with the blue joker.
"""
CLEARS: Final = _subsets(list(range(CLEAR, CLEAR + 4)))
"""By mask of the cards held, from RENOVATION on: renovations and ruins."""


def _develops(line: int) -> dict[int, tuple[int, ...]]:
    """By mask of cells in this line: the developer's actions with this line's own card."""
    back, partner = (1, line) if line < SIZE else (0, line - SIZE)
    first = DEVELOP + PER_DEVELOPER * back + SIZE * partner
    actions = _subsets(list(range(first, first + SIZE)))
    masks = [0]
    for cell in LINE_CELLS[line]:
        masks += [before | 1 << cell for before in masks]
    return dict(zip(masks, actions, strict=True))


DEVELOPS: Final = [_develops(line) for line in range(2 * SIZE)]
"""By line, then by mask of cells in it."""
DEVELOPS_JOKER: Final = [_by_avenue(DEVELOP + PER_DEVELOPER * back + CELLS) for back in range(2)]
"""By the developer's back, then by avenue, then by mask of seven streets."""


def list_cells(actions: list[Subsets], cells: int) -> list[int]:
    """The actions of these cells, from a table by avenue and mask of streets."""
    legal: list[int] = []
    for some in actions:
        legal += some[cells & 127]
        cells >>= SIZE
    return legal


@cache
def list_chance(cells: int) -> list[int]:
    """The places of the cells that a renovation or ruin has cleared, and to pass: there are few such sets of cells."""
    return [*list_cells(PLACES, cells), PASS]


def clearing(action: int) -> int:
    """The card of a renovation or ruin."""
    return RENOVATION + action - CLEAR


def speculation(action: int) -> tuple[int, int]:
    """A speculation's card and the colour it names."""
    back, colour = divmod(action - SPECULATE, len(COLOURS))
    return SPECULATION + back, colour


def development(action: int) -> tuple[int, int, int]:
    """A developer's card, its partner card and the cell."""
    back, rest = divmod(action - DEVELOP, PER_DEVELOPER)
    partner, place = divmod(rest, SIZE)
    joker = partner >= SIZE
    cell = rest - CELLS if joker else LINE_CELLS[_developer_line(back, partner)][place]
    return DEVELOPER + back, 8 * (1 - back) + min(partner, SIZE), cell


def study(action: int) -> tuple[int, int, int, int]:
    """A statics' card, its partner card, the line and the colour it names."""
    back, rest = divmod(action - STUDY, PER_STATICS)
    form, colour = divmod(rest, len(COLOURS))
    return STATICS + back, 8 * (1 - back) + _card_of(form), _developer_line(back, form % SIZE), colour


assert len(ACTIONS) == STUDY + 2 * PER_STATICS and RUIN == RENOVATION + 2
