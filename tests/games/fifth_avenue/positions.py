"""Hand-made positions for tests, in the terms of the rules: `position(board={"34E": {"orange": "#0 x2"}}, ...)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from fa_cli.games.chance import Chance
from fa_cli.games.fifth_avenue import GAME
from fa_cli.games.fifth_avenue.actions import ACTING, BUSINESS, MOVING
from fa_cli.games.fifth_avenue.board import (
    BLACK_DECK,
    BUSINESSES,
    CARDS,
    COLOUR_DECK,
    DISTRICTS,
    PIECES,
    PLACES,
    PLOT_NAMES,
    PLOTS,
    SUITS,
)
from fa_cli.games.fifth_avenue.deal import deal
from fa_cli.games.fifth_avenue.options import Options
from fa_cli.games.fifth_avenue.state import State
from fa_cli.games.fifth_avenue.view import Auction

observe = GAME.observe
SEED = b"position".ljust(32, b".")
FULL = {"orange": "#0 x2", "green": "gallery+boutique", "gray": "#1 x1", "brown": "jeweler", "violet": "Alea x1"}
"""A district of two players in which Alea has built, too."""
Board = Mapping[str, Mapping[str, str]]


def position(
    players: int = 3,
    *,
    board: Board | None = None,
    hands: Sequence[str] = (),
    turn: int = 0,
    phase: str = "action",
    at: tuple[str, str] = ("CityHall", "CityHall"),
    marks: tuple[str, str] = ("", ""),
    stopped: str = "",
    sets: Sequence[str] = ("boutique jeweler gallery", "boutique jeweler"),
    placed: int = 0,
    park: str = "",
    at_park: Sequence[int] = (),
    supply: Sequence[int] = (),
    general: Sequence[int] = (),
    alea: int = PIECES,
    points: Sequence[int] = (),
    decks: Mapping[str, str] | None = None,
    black: str | None = None,
    returned: str = "",
    turns: int = 0,
    seed: bytes = SEED,
    **options: object,
) -> State:
    """A state of Fifth Avenue in `phase` action or move (a turn's third action).

    `board` names what stands on plots: `gallery`, `gallery+boutique`, `#1 x3` (seat 1's skyscrapers), `Alea x1`; all
    other plots are empty. `hands` are texts as `orange 4 5, black 6 6` by seat, empty where not given. `at` and
    `marks` are the white and the beige commissioner's. `decks` and `black` list values from the top; by default they
    are what the hands leave, lowest first. `sets` are what is left of the supply row;
    those after the first have the sizes that follow from the number of tiles in `park`.
    """
    state = deal(msgspec.convert(options, Options), players, Chance(seed))
    state.phase = {"action": ACTING, "move": MOVING}[phase]
    state.actor = state.turn = turn
    state.turns = turns
    state.commissioners = (PLACES.index(at[0]), PLACES.index(at[1]))
    state.marks = (_districts(marks[0]), _districts(marks[1]))
    state.stopped = sum(1 << district for district in _districts(stopped))
    _set_board(state, board or {})
    _set_cards(state, hands, decks or {}, black, returned)
    _set_row(state, sets, placed, park)
    state.park_height = list(at_park) or [0] * players
    state.supply = list(supply) or [3] * players
    state.general = list(general) or [12] * players
    state.alea_supply = alea if players == 2 else 0
    state.points = list(points) or [0] * players
    return state


def _districts(names: str) -> bytes:
    return bytes(DISTRICTS.index(name) for name in names.split())


def _set_board(state: State, board: Board) -> None:
    state.tiles, state.height, state.owner = [0] * PLOTS, [0] * PLOTS, [-1] * PLOTS
    state.home, state.districts = [-1] * (7 * state.players), [0] * state.players
    names = PLOT_NAMES if state.options.side == "six" else PLOT_NAMES[:5]
    if len(names) == 6:  # the dashed plots are never empty
        board = {name: {"dashed": "boutique", **board.get(name, {})} for name in DISTRICTS}
    for name, plots in board.items():
        for plot, content in plots.items():
            assert plot in names
            _fill(state, DISTRICTS.index(name), names.index(plot), content)
    open_plots = [6 * d + p for d in range(7) for p in range(len(names)) if not state.stopped >> d & 1]
    free = [plot for plot in open_plots if state.tiles[plot] < 5 and not state.height[plot]]
    state.sites = [[BUSINESS + PLOTS * tile + plot for plot in free] for tile in range(4)]


def _fill(state: State, district: int, plot: int, content: str) -> None:
    place = 6 * district + plot
    if content[0] not in "#A":
        first, *second = [BUSINESSES.index(name) + 1 for name in content.split("+")]
        state.tiles[place] = first + 5 * sum(second)
        return
    who, count = content.split(" x")
    seat = 2 if who == "Alea" else int(who[1:])
    state.owner[place], state.height[place] = seat, int(count)
    if seat < state.players:
        assert not state.districts[seat] >> district & 1, "one plot per district"
        state.home[7 * seat + district] = place
        state.districts[seat] |= 1 << district


def _set_cards(state: State, hands: Sequence[str], decks: Mapping[str, str], black: str | None, returned: str) -> None:
    left = [list(BLACK_DECK)] + [list(COLOUR_DECK) for _ in range(5)]
    state.hand, state.known = [0] * (CARDS * state.players), [0] * (CARDS * state.players)
    state.worth, state.held = [0] * (6 * state.players), [0] * (6 * state.players)
    for seat, hand in enumerate(hands):
        for suit, values in _cards(hand).items():
            for value in values:
                state.take_card(seat, 3 * SUITS.index(suit) + value - 4)
                left[SUITS.index(suit)][value - 4] -= 1
    assert min(map(min, left)) >= 0, "more cards than there are"
    state.decks = []
    for number, colour in enumerate(SUITS[1:], 1):
        values = [4 + v for v in range(3) for _ in range(left[number][v])]
        values = [int(value) for value in decks[colour].split()] if colour in decks else values
        state.decks.append(bytes(3 * number + value - 4 for value in values))
    state.fresh = [len(deck) for deck in state.decks]
    state.stocked = sum(1 << colour for colour, deck in enumerate(state.decks) if deck)
    values = [4 + v for v in range(3) for _ in range(left[0][v])]
    state.black = bytes(value - 4 for value in (values if black is None else map(int, black.split())))
    state.black_back = bytes(int(value) - 4 for value in returned.split())


def _cards(hand: str) -> dict[str, list[int]]:
    """`orange 4 5, black 6` by suit."""
    texts = [text.split() for text in hand.split(",") if text.strip()]
    return {suit: [int(value) for value in values] for suit, *values in texts}


def _set_row(state: State, sets: Sequence[str], placed: int, park: str) -> None:
    tiles = [[BUSINESSES.index(name) for name in names.split()] for names in sets]
    state.shop = tuple(sorted(tiles[0]))
    state.row = bytes(tile for names in tiles[1:] for tile in names)
    state.placed = placed
    state.park = bytes(BUSINESSES.index(name) for name in park.split())


def auction(lot: str, *, players: int = 3, before: str = "", **situation: Any) -> State:
    """The auction of `lot` (a district or CentralPark) begins: the white commissioner has just come home.

    The player to begin is `turn`; it is his third action. `before`: further marked districts, auctioned after `lot`.
    """
    marked = "" if lot == "CentralPark" else f"{lot} {before}"
    situation = {"phase": "move", "at": ("CentralPark", "CityHall"), "marks": (marked, ""), **situation}
    return play(position(players, **situation), "move white CityHall")


def legal(state: State, *starts: str) -> list[str]:
    """The legal actions as texts; with `starts` those that begin so."""
    texts = [GAME.actions[number] for number in state.legal()]
    return [text for text in texts if text.startswith(starts)] if starts else texts


def play(state: State, *actions: str) -> State:
    """Play these actions, each of which has to be legal; the same state. A bid is written short: `brown 4 5, black 6`
    lays these cards in this order and is done.
    """
    for action in actions:
        for step in _steps(action):
            assert step in legal(state), f"{step} is not legal: {legal(state)}"
            state.apply(GAME.action_number(step))
    return state


def _steps(action: str) -> list[str]:
    if action.split()[0] not in SUITS:
        return [action]
    bids = [(suit, value) for suit, values in _cards(action).items() for value in values]
    return [*(f"bid {suit} {value}" for suit, value in bids), "done"]


def hand(state: State, seat: int) -> str:
    """A hand as texts: `orange 4 5, black 6`; suits in order, black first."""
    held = observe(state, seat).hand
    texts = []
    for suit, counts in held.items():
        values = [str(4 + value) for value, count in enumerate(counts) for _ in range(count)]
        if values:
            texts.append(f"{suit} {' '.join(values)}")
    return ", ".join(texts)


def on(state: State, name: str) -> str:
    """What stands on the plot of that name, as `position` takes it; empty for nothing."""
    district, plot = name.split(".")
    content = observe(state, 0).board[district][plot]
    if content.skyscrapers:
        owner = "Alea" if content.owner == state.players else f"#{content.owner}"
        return f"{owner} x{content.skyscrapers}"
    return "+".join(content.businesses)


def current(state: State) -> Auction:
    """Return what is shown of the auction."""
    shown = observe(state, 0).auction
    assert shown is not None
    return shown
