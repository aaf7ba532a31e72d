"""New York as text for people: the drawn board, and events as sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import wrap

from ...printing.text import counted
from ..contract import ACTION, DREW, POINTS, JournalEntry
from .actions import ACTIONS
from .board import BLUE_JOKER, CARDS_TEXT, CELLS_TEXT, COLOURS, JOKER, POINTS_FOR, SIZE
from .state import State
from .view import PHASES

LETTERS = "RBYGK"


def render(state: State, seat: int | None) -> str:
    """Draw the board, the players and the hands that this seat sees (None: all hands), in at most 80 columns."""
    letters = ", ".join(f"{letter} {name}" for letter, name in zip(LETTERS, COLOURS[: state.in_play], strict=False))
    beside = [letters, *_table(state), *(_player(state, other) for other in range(state.players))]
    board = _board(state)
    height = max(len(board), len(beside))
    board += [""] * (height - len(board))
    beside += [""] * (height - len(beside))
    lines = [f"{left:20}{right}" for left, right in zip(board, beside, strict=True)]
    shown = range(state.players) if seat is None else (seat,)
    lines += [line for other in shown for line in _folded(f"hand {other}: {_hand(state, other)}")]
    return "\n".join(line.rstrip() for line in lines)


def brief(state: State, seat: int) -> str:
    """Draw what a player needs between two of his decisions: his line and his hand."""
    return "\n".join([_player(state, seat), *_folded(f"hand: {_hand(state, seat)}")])


def _folded(hand: str) -> list[str]:
    """Return the line in parts that leave room for a scrollbar; cards of a kind stay together."""
    glued = re.sub(r"(?<!,) ", "\N{NO-BREAK SPACE}", hand)
    return [part.replace("\N{NO-BREAK SPACE}", " ") for part in wrap(glued, 79, subsequent_indent=" " * 8)]


def _board(state: State) -> list[str]:
    """Draw avenues as rows and streets as columns, with a letter per stone and a dot per empty cell."""
    lines = ["    1 2 3 4 5 6 7"]
    for avenue in range(SIZE):
        cells = range(SIZE * avenue, SIZE * avenue + SIZE)
        lines.append(f" {avenue + 1}  " + " ".join(_letter(state, cell) for cell in cells))
    return lines


def _letter(state: State, cell: int) -> str:
    for letter, stones in zip(LETTERS, state.board, strict=True):
        if stones >> cell & 1:
            return letter
    return "."


def _table(state: State) -> list[str]:
    """Describe the phase and the piles, including the last discarded card."""
    using = f", {COLOURS[state.colour]} in use" if state.colour >= 0 else ""
    stone = f", {COLOURS[state.stone]} stone" if state.stone >= 0 else ""
    last = f" ({CARDS_TEXT[state.discard[-1]]})" if state.discard else ""
    stops = "; stop cards in" if state.stops else ""
    lines = [
        f"{PHASES[state.phase]}{using}{stone}; {state.turns} turns over",
        f"stock {len(state.stock)}, discarded {len(state.discard)}{last}{stops}",
    ]
    if state.chances:
        are = "is" if state.chances == 1 else "are"
        lines.append(f"{counted(state.chances, 'chance')} to place a stone {are} left")
    return lines


def _player(state: State, seat: int) -> str:
    """Format one player's line: colours with their stones in stock, purchase units, cards and current points."""
    sign = "*" if seat == state.actor else " "
    stones = ", ".join(f"{COLOURS[colour]} {state.stones[colour]}" for colour in state.colours[seat]) or "no colour"
    points = state.standing_of(seat)[0]
    return f"{sign}#{seat} {stones}; units {state.units[seat]}; cards {len(state.hands[seat])}; points {points}"


def _hand(state: State, seat: int) -> str:
    """Format `avenue 1 1 4 *, street 3, ruin red`: ordinary cards sorted, then action cards."""
    cards = sorted(state.hands[seat])
    groups = [
        " ".join([kind, *(CARDS_TEXT[card].split()[1] for card in cards if first <= card <= joker)])
        for kind, first, joker in (("avenue", 0, JOKER), ("street", JOKER + 1, BLUE_JOKER))
        if any(first <= card <= joker for card in cards)
    ]
    return ", ".join([*groups, *(CARDS_TEXT[card] for card in cards if card > BLUE_JOKER)]) or "no cards"


def narrate(state: State, entry: JournalEntry, names: Sequence[str]) -> str:
    """Return the journal entry as a sentence, hidden cards included; `names` are the players' names by seat."""
    kind, seat = entry[0], entry[1]
    who = names[seat] if seat >= 0 else ""
    if kind == ACTION:
        return f"{who} {_action(entry[2])}"
    if kind == POINTS:
        what = POINTS_FOR[entry[3]]
        return f"{who} scores {counted(entry[2], 'point')} for {_FOR[what]}{_factors(state, seat, entry[2], what)}"
    if kind == "paid":
        return f"{who} pays {counted(entry[2], 'purchase unit')} to {names[entry[3]]}"
    if kind == "placed":
        return f"{_stone(who, entry[2])} is placed on {CELLS_TEXT[entry[3]]}"
    if kind == "returned":
        return f"{_stone(who, entry[2])} on {CELLS_TEXT[entry[3]]} goes back to stock"
    if kind == "skipped":
        return f"{who} can place no {' or '.join(COLOURS[colour] for colour in entry[2:])} stone"
    if kind == "chances":
        return f"There are {entry[2]} chances to place a stone there; {who} has the first"
    if kind == "colours":
        return f"{who} has {' and '.join(COLOURS[colour] for colour in entry[2:])}"
    if kind == "shuffled":
        return f"The {counted(entry[2], 'discarded card')} are shuffled into a new stock"
    if kind == "stop-cards":
        return "The stop cards go on the discard pile"
    if kind == "stop-card":
        return f"{who} draws a stop card"
    cards = ", ".join(CARDS_TEXT[card] for card in entry[2:]).replace("*", "joker")
    return f"{who} {'draws' if kind == DREW else 'discards'} {cards or 'nothing'}"


_FOR = {"chains": "the longest chain", "stones": "other stones", "units": "purchase units"}


def _factors(state: State, seat: int, points: int, what: str) -> str:
    """Format how points for chains come about: ` (2 x 6)`, or ` (2 x (3 + 4))` with two colours; else nothing."""
    chains = state.chains(seat)
    if what != "chains" or not points or 2 * sum(chains) != points:
        return ""
    lengths = " + ".join(map(str, chains))
    return f" (2 x {lengths})" if len(chains) == 1 else f" (2 x ({lengths}))"


def _stone(who: str, colour: int) -> str:
    """Format `Ann's red stone`; before the colours are dealt `A red stone`."""
    return f"{who}'s {COLOURS[colour]} stone" if who else f"A {COLOURS[colour]} stone"


def _card(form: str, kind: str) -> str:
    """Format `avenue 3`, or `a joker for avenue 3`."""
    return f"a joker for {kind} {form[1:]}" if form[0] == "*" and form[1:] else f"{kind} {form}"


_ACTION = {
    "redraw": "can't play anything and draws a new hand",
    "use": "uses {1}",
    "pass": "passes",
    "place": "places a stone on {1}",
    "remove": "gives up the stone on {1}",
}
"""The action as a predicate, by first word of an action without cards."""


def _action(action: int) -> str:
    """Describe the action as a predicate: `places a stone on a3s4`."""
    words = ACTIONS[action].split()
    if words[0] in _ACTION:
        return _ACTION[words[0]].format(*words)
    if words[0] == "play":
        return f"plays {_card(words[1], 'avenue')} and {_card(words[2], 'street')}"
    return f"plays the {words[1]} {words[0]} card" + _special(*words)


def _special(kind: str, back: str, *targets: str) -> str:
    """Describe the target of an action card, as a continuation of `_action`."""
    if kind in ("renovation", "ruin"):
        return ""
    if kind == "speculation":
        return f" against {targets[0]}"
    partner = _card(targets[0], "street" if back == "red" else "avenue")
    if kind == "developer":
        return f" with {partner.replace('street *', 'a joker').replace('avenue *', 'a joker')} on {targets[1]}"
    return f" with {partner} against {targets[1]}"
