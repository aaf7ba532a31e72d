"""Fifth Avenue as text for people: the drawn board, and events as sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from textwrap import wrap

from ...printing.text import counted, spaced
from ..contract import ACTION, DREW, POINTS, JournalEntry
from .actions import ACTIONS, DONE
from .board import (
    BUSINESSES,
    BY_TURN_LIMIT,
    CARDS,
    CARDS_TEXT,
    COLOURS,
    COMMISSIONERS,
    DASHED,
    DISTRICTS,
    FOR_PARK,
    LAST_BUSINESS,
    LOTS,
    PLACES,
    PLOT_NAMES,
    POINTS_FOR,
    RINGS,
    SUITS,
    WORTH,
    businesses_on,
)
from .scoring import park_value
from .state import State
from .view import event_of

WIDTH = 80
_SHORT = {"boutique": "bout", "jeweler": "jewl", "gallery": "gall", "perfumery": "perf"}


def render(state: State, seat: int | None) -> str:
    """Draw the board, the stacks and the hands that this seat sees (None: all hands), in at most 80 columns."""
    lines = [*_board(state), *_dashed(state), *_table(state), ""]
    lines += [_player(state, other) for other in range(state.players)]
    shown = range(state.players) if seat is None else (seat,)
    lines += [f"hand {other}:  {_hand(state, other)}" for other in shown]
    if state.lot >= 0:
        lines += _auction(state)
    return "\n".join(part.rstrip() for line in lines for part in _wrap(line))


def brief(state: State, seat: int) -> str:
    """Draw what a player needs between two of his decisions: his line and hand, and the auction with its district."""
    lines = [_player(state, seat), f"hand:  {_hand(state, seat)}"]
    if state.lot >= 0:
        board = _board(state)
        lines += [board[0], board[1 + state.lot]] if state.lot < len(DISTRICTS) else []
        lines += _auction(state)
    return "\n".join(part.rstrip() for line in lines for part in _wrap(line))


def _wrap(line: str) -> list[str]:
    """Fold a long line; in hands the cards of a colour stay together, and a scrollbar has room."""
    width = WIDTH - line.startswith("hand")
    if len(line) <= width:
        return [line]
    glued = re.sub(r" (?=\d( |$))", "\N{NO-BREAK SPACE}", line)
    return [part.replace("\N{NO-BREAK SPACE}", " ") for part in wrap(glued, width, subsequent_indent=" " * 9)]


def _board(state: State) -> list[str]:
    """Draw a line per district: the commissioners, then each plot with its businesses or skyscrapers, and its value."""
    names = PLOT_NAMES[: 5 + (state.options.side == "six")]
    width = 11 if len(names) == 6 else 13
    lines = [" " * 10 + "".join(name.ljust(width) for name in names)]
    for district, name in enumerate(DISTRICTS):
        who = "".join(
            mark.upper() if place == district + 1 else mark if district in marks else " "
            for mark, place, marks in zip("wb", state.commissioners, state.marks, strict=True)
        )
        cells = (_plot(state, 6 * district + number).ljust(width) for number in range(len(names)))
        lines.append(f"{name:4} {who}   " + ("building stop" if state.stopped >> district & 1 else "".join(cells)))
    return lines


def _plot(state: State, plot: int) -> str:
    if state.height[plot]:
        owner = "Alea" if state.owner[plot] == state.players else f"#{state.owner[plot]}"
        return f"{owner} x{state.height[plot]} ={state.plot_value(plot)}"
    return "+".join(_SHORT[business] for business in businesses_on(state.tiles[plot])) or f". ={state.plot_value(plot)}"


def _dashed(state: State) -> list[str]:
    """Describe where each district's dashed plot lies on side six (FA-2); empty on side five."""
    if state.options.side == "five":
        return []
    between = []
    for district, ring in zip(DISTRICTS, RINGS[1], strict=True):
        at = ring.index(DASHED)
        before, after = PLOT_NAMES[ring[at - 1]], PLOT_NAMES[ring[(at + 1) % len(ring)]]
        between.append(f"{district} {before}-{after}")
    return [f"Dashed plots lie between: {', '.join(between)}"]


def _table(state: State) -> list[str]:
    """Describe the commissioners, the supply row and the stacks."""
    places = ", ".join(
        f"{who} {spaced(PLACES[place])}" for who, place in zip(COMMISSIONERS, state.commissioners, strict=True)
    )
    tops = (f"{colour} {_top(deck)}" for colour, deck in zip(COLOURS, state.decks, strict=True))
    return [
        f"Commissioners: {places}",
        f"Businesses to place: {', '.join(BUSINESSES[tile] for tile in state.shop) or 'none'}; "
        f"{state.placed} of {LAST_BUSINESS} placed, {LAST_BUSINESS - state.placed} left",
        f"At Central Park: {', '.join(_SHORT[BUSINESSES[tile]] for tile in state.park) or 'no tiles'}",
        f"Stacks (top/cards): {', '.join(tops)}",
        f"Black stack: {len(state.black)} face down, {len(state.black_back)} returned",
    ]


def _top(deck: bytes) -> str:
    return f"{4 + deck[0] % 3}/{len(deck)}" if deck else "empty"


def _player(state: State, seat: int) -> str:
    """Format one player's line."""
    sign = "*" if seat == state.actor else " "
    return (
        f"{sign}#{seat}  {state.points[seat]:3} points, skyscrapers {state.supply[seat]} in supply, "
        f"{state.general[seat]} general, {state.park_height[seat]} at Central Park"
    )


def _hand(state: State, seat: int) -> str:
    """Format a hand: `black 4 4 6 | orange 5`."""
    suits = []
    for number, suit in enumerate(SUITS):
        at = CARDS * seat + 3 * number
        values = " ".join(str(value) for value in (4, 5, 6) for _ in range(state.hand[at + value - 4]))
        if values:
            suits.append(f"{suit} {values}")
    return " | ".join(suits) or "no cards"


def _auction(state: State) -> list[str]:
    bids = []
    for seat in range(state.players):
        cards = ", ".join(CARDS_TEXT[card] for card in state.laid[seat])
        passed = "passed" if state.passed >> seat & 1 else "nothing yet"
        bids.append(f"  #{seat} {f'{state.bids[seat]} ({cards})' if cards else passed}")
    return [f"Auction of {spaced(LOTS[state.lot])}, highest bid {state.high or 'none'}:", *bids]


def if_ended(state: State) -> tuple[list[int], list[int]]:
    """Return by seat the least and the most points if the game ended now: nobody knows which tiles are turned up.

    The tiles at Central Park are known, so both are exact.
    """
    if state.is_over():
        return state.scores(), state.scores()
    ended = state.copy()
    ended.finish(BY_TURN_LIMIT)
    values = {park_value(shown) for shown in combinations(state.park, min(3, len(state.park)))}
    without = [
        points - park_value(ended.shown) * count for points, count in zip(ended.points, state.park_height, strict=True)
    ]
    least, most = (
        [points + value * count for points, count in zip(without, state.park_height, strict=True)]
        for value in (min(values), max(values))
    )
    return least, most


def narrate(state: State, entry: JournalEntry, names: Sequence[str]) -> str:
    """Return the journal entry as a sentence, hidden cards included; `names` are the players' names by seat."""
    kind, seat = entry[0], entry[1]
    who = "Alea" if seat == state.players else names[seat] if seat >= 0 else ""
    if kind == ACTION:
        return f"{who} {_bid(state, seat, names) if entry[2] == DONE else _action(entry[2])}"
    if kind == POINTS:
        what = _FOR.get(POINTS_FOR[entry[3]]) or spaced(POINTS_FOR[entry[3]])
        return f"{who} scores {counted(entry[2], 'point')} for {what}{_factors(state, seat, entry[2], entry[3])}"
    event = event_of(entry, None)
    assert event
    if kind == "won" and not who:
        return "Nobody wins the auction"
    if kind == "shuffled":
        return f"A new black stack is shuffled from {counted(entry[2], 'returned card')}"
    what = spaced(event.what or "")
    return _HAPPENED[kind].format(who=who, what=what, event=event, cards=", ".join(event.cards or ()) or "nothing")


_HAPPENED = {
    DREW: "{who} draws {cards} from the black stack",
    "took": "{who} takes {cards} from the open stack",
    "won": "{who} wins the auction with {event.count}",
    "built": "{who} builds a skyscraper on {what}",
    "stopped": "{who} stops {what}: all pieces there leave the game",
    "alea": "Alea draws {cards}: her bid is {event.count}",
    "auction": "Auction of {what}",
    "park": "A {what} goes to Central Park",
    "turned up": "Turned up at Central Park: {cards}",
}
_FOR = {"stop": "the building stop", "special": "the special scoring"}


def _factors(state: State, seat: int, points: int, what: int) -> str:
    """Format how points come about: ` (6 x 8)`; empty if the board no longer tells."""
    plot = state.home[what + 7 * seat] if what < len(DISTRICTS) else -1
    factors = (state.height[plot], state.plot_value(plot)) if plot >= 0 else (0, 0)
    if what == FOR_PARK and state.shown:
        factors = state.park_height[seat], park_value(state.shown)
    return f" ({factors[0]} x {factors[1]})" if factors[0] * factors[1] == points else ""


def _bid(state: State, seat: int, names: Sequence[str]) -> str:
    """Describe a bid as a predicate: `bids 14 (gray 5, black 4, black 5), above random's 13`."""
    if state.lot < 0 or not state.laid[seat]:
        return "ends the bid"
    others = [(bid, names[other]) for other, bid in enumerate(state.bids) if other != seat]
    others.append((sum(map(WORTH.__getitem__, state.alea_cards)), "Alea"))
    most, rival = max(others)
    above = f", above {rival}'s {most}" if most and rival != names[seat] else ""
    return f"bids {state.bids[seat]} ({', '.join(CARDS_TEXT[card] for card in state.laid[seat])}){above}"


_ACTION = {
    "pass": "passes",
    "stop": "declares a building stop",
    "commissioner": "takes a black card and moves a commissioner",
    "skyscrapers": "takes skyscrapers from the general supply",
    "score": "scores {1}",
    "move": "moves the {1} commissioner to {2}",
    "bid": "lays {1} {2}",
    "business": "places a {1} on {2}",
    "place": "places a skyscraper on {1}",
}
"""The action as a predicate, by first word of an action."""


def _action(action: int) -> str:
    """Describe the action as a predicate: `scores TS`."""
    words = list(map(spaced, ACTIONS[action].split()))
    if words[0] == "build":
        return f"builds {counted(int(words[1]), 'skyscraper')}"
    return f"draws {' and '.join(words[1:])}" if words[0] == "draw" else _ACTION[words[0]].format(*words)
