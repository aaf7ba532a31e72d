"""Manhattan in words and pictures, for people."""

from __future__ import annotations

from collections.abc import Sequence

from ...text import counted
from ..core import DREW, POINTS, Entry
from .actions import ACTIONS, BUILD, PLAYS
from .board import CITIES, COLOURS, HEIGHTS, SIDES, SITES, sides, unpack_blocks, unpack_cards
from .scoring import FOR_HIGHEST, FOR_TOWERS
from .state import State
from .tables import HEIGHT, OWNER

_LETTERS = ".RBYG"  # by owner, 0 for an empty site


def render(state: State, seat: int | None) -> str:
    """The cities, the blocks, and the hands that this seat sees (None: all of them), in at most 80 columns."""
    shown = range(state.players) if seat is None else (seat,)
    lines = [_heading(state), "", *_cities(state), ""]
    lines += [_player(state, other, other in shown) for other in range(state.players)]
    lines += ["", *(_stock(state, other, colour) for other, owned in enumerate(state.table.owned) for colour in owned)]
    return "\n".join(line.rstrip() for line in lines)


def brief(state: State, seat: int) -> str:
    """What a seat looks at between two decisions: its line and its blocks."""
    stocks = [_stock(state, seat, colour) for colour in state.table.owned[seat]]
    return "\n".join([_player(state, seat, True), *stocks])


def _heading(state: State) -> str:
    if state.actor < 0:
        now = "the game is over"
    elif state.selecting:
        now = f"#{state.actor} selects {COLOURS[state.selecting_colour()]} blocks"
    else:
        now = f"#{state.actor} builds"
    played = len(state.plays()) - state.pile_start()
    deck = len(state.deck) - state.drawn
    return f"Round {state.round} of {state.rounds()}, started by #{state.start}: {now}. Deck {deck}, played {played}"


def _cities(state: State) -> list[str]:
    """The six cities side by side as the south sees them: on each site the owner's letter and the tower's height."""
    rows = ["".join(city.ljust(13) for city in CITIES)]
    for row in range(0, SITES, 3):
        cells = (state.cells[SITES * city + row + column] for city in range(len(CITIES)) for column in range(3))
        texts = [_site(cell).ljust(4) for cell in cells]
        rows.append(" ".join("".join(texts[first : first + 3]) for first in range(0, len(texts), 3)))
    return rows


def _site(cell: int) -> str:
    return f"{_LETTERS[cell >> OWNER & 7]}{cell >> HEIGHT or ''}"


def _player(state: State, seat: int, shown: bool) -> str:
    """`*#1 west    12 points  cards 1 1 3 8, here sites 3 3 9 4`."""
    sign = "*" if seat == state.actor else " "
    line = f"{sign}#{seat} {SIDES[sides(state.players)[seat]]:5} {state.points[seat]:4} points"
    if not shown:
        return line
    cards = unpack_cards(state.hands[seat])
    sites = " ".join(str(state.table.sites[seat][card] + 1) for card in cards)
    return f"{line}  cards {' '.join(str(card + 1) for card in cards)}, here sites {sites}"


def _stock(state: State, seat: int, colour: int) -> str:
    """`Red of #0  to place: 1 1 2 3 4  supply: 8x1 4x2 1x3`."""
    place = " ".join(str(height) for height, count in _blocks(state.chosen[colour]) for _ in range(count))
    supply = " ".join(f"{count}x{height}" for height, count in _blocks(state.supply[colour]) if count)
    name = f"{COLOURS[colour].capitalize():6} of #{seat}"
    return f" {name}  to place: {place or 'none':11}  supply: {supply or 'none'}"


def _blocks(packed: int) -> list[tuple[int, int]]:
    """Heights and how many of each."""
    return list(zip(HEIGHTS, unpack_blocks(packed), strict=True))


def narrate(state: State, entry: Entry, names: Sequence[str]) -> str:
    """The journal entry as a plain sentence; `names` are the players', by seat."""
    kind, seat, *rest = entry
    if kind == "shuffled":
        return f"The {rest[0]} played cards are shuffled into a new deck"
    if kind == "round":
        return f"Round {rest[0]} begins; {names[seat]} starts"
    if kind == DREW:
        return f"{names[seat]} draws a {rest[0] + 1}"
    if kind == POINTS:
        return f"{names[seat]} scores {counted(rest[0], 'point')} for {_award(rest[1])}"
    return f"{names[seat]} {_action(state, seat, rest[0])}"


def _award(what: int) -> str:
    """What points are for; see scoring.py."""
    kind, colour = divmod(what, len(COLOURS))
    if kind == FOR_HIGHEST:
        return f"the highest tower ({COLOURS[colour]})"
    if kind == FOR_TOWERS:
        return f"{COLOURS[colour]}'s towers"
    return f"the most towers in {CITIES[kind]} ({COLOURS[colour]})"


def _action(state: State, seat: int, action: int) -> str:
    """The action as what a person would say that somebody does."""
    if action < BUILD:
        return f"selects blocks of {', '.join(ACTIONS[action].split()[1:])} floors"
    card, city, height, colour = PLAYS[action - BUILD]
    floors = counted(HEIGHTS[height], "floor")
    name = COLOURS[state.table.owned[seat][0] if colour < 0 else colour]
    if city < 0:
        return f"can place nothing and discards card {card + 1} and a {name} block of {floors}"
    site = state.table.sites[seat][card] + 1
    return f"builds {floors} of {name} on site {site} of {CITIES[city]} (card {card + 1})"
