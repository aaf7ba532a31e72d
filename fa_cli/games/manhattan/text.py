"""Manhattan as text for people: the drawn board, and events as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from ...printing.text import counted, spaced
from ..contract import DREW, POINTS, JournalEntry
from .actions import ACTIONS, BUILD, PLAYS
from .board import CITIES, COLOURS, GREW, HEIGHTS, SIDES, SITES, TIED, sides, unpack_blocks, unpack_cards
from .scoring import FOR_HIGHEST, FOR_TOWERS, awards, highest_height
from .state import State
from .tables import OWNER
from .view import towers

_LETTERS = "RBYG"  # by colour
_WIDTH = 74  # an 80-column terminal less the margin of narrated games
_SITE_WIDTH = 7  # fits floors of three colours
_CITY_WIDTH = 3 * _SITE_WIDTH + 2


def render(state: State, seat: int | None) -> str:
    """Draw the cities, the blocks and the hands that this seat sees (None: all hands).

    The text is at most 74 columns wide, or 80 in the rarest case: towers of all colours with ten floors of each.
    """
    shown = range(state.players) if seat is None else (seat,)
    lines = [_heading(state), "", *_cities(state), "", _highest(state), ""]
    lines += [line for other in range(state.players) for line in _player(state, other)]
    lines += [_hand(state, other) for other in shown]
    return "\n".join(line.rstrip() for line in lines)


def brief(state: State, seat: int) -> str:
    """Draw what a player needs between two of his decisions: points, blocks and cards."""
    return "\n".join([*_player(state, seat), _hand(state, seat)])


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
    """Draw the cities as seen from the south, three side by side, or two if towers are too wide for three."""
    cells = list(map(_site, towers(state)))
    cities = [_city(name, cells[SITES * city : SITES * (city + 1)]) for city, name in enumerate(CITIES)]
    lines = _beside(cities, 3)
    return lines if max(map(len, lines)) <= _WIDTH else _beside(cities, 2)


def _beside(cities: Sequence[list[str]], across: int) -> list[str]:
    """Put `across` cities side by side, with an empty line between rows of cities."""
    lines: list[str] = []
    for first in range(0, len(cities), across):
        rows = zip(*cities[first : first + across], strict=True)
        lines += ["", *("  ".join(row).rstrip() for row in rows)]
    return lines[1:]


def _city(name: str, cells: Sequence[str]) -> list[str]:
    """Draw a city's name and its three rows, padded to the same length.

    Columns have a fixed width, so that sites stay in place, unless a tower needs more.
    """
    min_width = _SITE_WIDTH if max(map(len, cells)) <= _SITE_WIDTH else 0
    widths = [max(min_width, *map(len, cells[column::3])) for column in range(3)]
    rows = (cells[first : first + 3] for first in range(0, SITES, 3))
    lines = [" ".join(map(str.ljust, row, widths)).ljust(_CITY_WIDTH) for row in rows]
    return [spaced(name).ljust(len(lines[0])), *lines]


def _site(blocks: bytes) -> str:
    """Format a tower's floors by colour, the owner's first and in upper case: `R3`, `B5r4`; a dot for an empty site."""
    if not blocks:
        return "."
    floors = [0] * len(COLOURS)
    for block in blocks:
        floors[block >> 2] += HEIGHTS[block & 3]
    owner = blocks[-1] >> 2
    others = (f"{_LETTERS[colour].lower()}{count}" for colour, count in enumerate(floors) if count and colour != owner)
    return f"{_LETTERS[owner]}{floors[owner]}{''.join(others)}"


def _highest(state: State) -> str:
    """`Highest: blue's tower on Cairo 5, 9 floors`."""
    floors, count = highest_height(state.cells)
    if not floors:
        return "Highest: no tower yet"
    if count > 1:
        return f"Highest: {count} towers of {counted(floors, 'floor')} each, so nobody's"
    cell = max(state.cells)
    city, site = divmod(state.cells.index(cell), SITES)
    owner = COLOURS[(cell >> OWNER & 7) - 1]
    return f"Highest: {owner}'s tower on {spaced(CITIES[city])} {site + 1}, {counted(floors, 'floor')}"


def _player(state: State, seat: int) -> list[str]:
    """Format one line per colour: `*#1 west  12 points  blue   to place 1 1 2 3 4 4  supply 8x1 4x2 1x3`."""
    sign = "*" if seat == state.actor else " "
    start = f"{sign}#{seat} {SIDES[sides(state.players)[seat]]:5}{state.points[seat]:4} points"
    owned = state.table.owned[seat]
    return [
        f"{start if colour == owned[0] else '':{len(start)}}  {COLOURS[colour]:6} {_stock(state, colour)}"
        for colour in owned
    ]


def _stock(state: State, colour: int) -> str:
    """Format `to place 1 1 2 3 4 4  supply 8x1 4x2 1x3`, or `selects now` for the colour being selected."""
    chosen = " ".join(str(height) for height, count in _blocks(state.chosen[colour]) for _ in range(count)) or "none"
    now = "selects now" if state.selecting and colour == state.selecting_colour() else f"to place {chosen}"
    supply = " ".join(f"{count}x{height}" for height, count in _blocks(state.supply[colour]) if count)
    return f"{now:20}  supply {supply or 'none'}"


def _hand(state: State, seat: int) -> str:
    """Format ` #1 holds cards 1 1 3 8, for sites 3 3 9 4`."""
    cards = unpack_cards(state.hands[seat])
    sites = " ".join(str(state.table.sites[seat][card] + 1) for card in cards)
    return f" #{seat} holds cards {' '.join(str(card + 1) for card in cards)}, for sites {sites}"


def _blocks(packed: int) -> list[tuple[int, int]]:
    """Return each height and its count."""
    return list(zip(HEIGHTS, unpack_blocks(packed), strict=True))


def if_ended(state: State) -> tuple[list[int], list[int]]:
    """Return by seat, twice, the points if the round were scored now; while blocks are selected, those so far."""
    points = state.scores()
    if state.actor >= 0 and not state.selecting:
        for count, colour, _ in awards(state.cells, state.cities):
            points[colour % state.players] += count
    return points, points


def narrate(state: State, entry: JournalEntry, names: Sequence[str]) -> str:
    """Return the journal entry as a sentence, hidden cards included; `names` are the players' names by seat."""
    kind, seat, *rest = entry
    if kind == "shuffled":
        return f"The {rest[0]} played cards are shuffled into a new deck"
    if kind == "round":
        return f"Round {rest[0]} begins; {names[seat]} starts"
    if kind == DREW:
        return f"{names[seat]} draws {'an' if rest[0] == 7 else 'a'} {rest[0] + 1}"
    if kind == POINTS:
        return f"{names[seat]} scores {counted(rest[0], 'point')} for {_award(rest[1])}"
    if kind == GREW:
        return _grown(names[seat], *rest)
    if kind == TIED:
        return f"Nobody scores for the highest tower: {rest[1]} towers have {counted(rest[0], 'floor')} each"
    return f"{names[seat]} {_action(state, seat, rest[0])}"


def _grown(name: str, height: int, before: int, after: int) -> str:
    """Describe a tower that grew: its new height, and who took it from whom."""
    high = f"it is now {counted(height, 'floor')} high"
    return f"The tower grows: {high}" if before == after else f"{name} takes the tower from {COLOURS[before]}: {high}"


def _award(what: int) -> str:
    """Describe what points are for; see scoring.py."""
    kind, colour = divmod(what, len(COLOURS))
    if kind == FOR_HIGHEST:
        return f"the highest tower ({COLOURS[colour]})"
    if kind == FOR_TOWERS:
        return f"{COLOURS[colour]}'s towers"
    return f"the most towers in {spaced(CITIES[kind])} ({COLOURS[colour]})"


def _action(state: State, seat: int, action: int) -> str:
    """Describe the action as a predicate: `builds a red 3 on Cairo site 5 (card 2)`."""
    if action < BUILD:
        return f"selects blocks of {', '.join(ACTIONS[action].split()[1:])} floors"
    card, city, height, colour = PLAYS[action - BUILD]
    block = f"a {COLOURS[state.table.owned[seat][0] if colour < 0 else colour]} {HEIGHTS[height]}"
    if city < 0:
        return f"can place nothing, and discards card {card + 1} and {block}"
    site = state.table.sites[seat][card] + 1
    return f"builds {block} on {spaced(CITIES[city])} site {site} (card {card + 1})"
