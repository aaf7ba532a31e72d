"""Setting up a game of Fifth Avenue: tiles, colour cards and black cards, in the order of RULES.md."""

from __future__ import annotations

from ..chance import ChanceSource
from .actions import BUSINESS, PLACING
from .board import (
    BLACK_DECK,
    CARDS,
    CITY_HALL,
    COLOUR_DECK,
    COLOURS,
    DASHED,
    NEIGHBOURS,
    PIECES,
    PLOTS,
    ROW,
    SET_SIZES,
    TILES_PER_BUSINESS,
)
from .options import Options
from .state import State

_TILES = [tile for tile in range(4) for _ in range(TILES_PER_BUSINESS)]
_COLOUR_DECKS = [
    (f"cards {name}", [3 * colour + 3 + value for value, count in enumerate(COLOUR_DECK) for _ in range(count)])
    for colour, name in enumerate(COLOURS)
]
_BLACK_DECK = [value for value, count in enumerate(BLACK_DECK) for _ in range(count)]
_PLOTS = [[plot for plot in range(PLOTS) if plot % 6 != DASHED], list(range(PLOTS))]
_SITES = [[[BUSINESS + PLOTS * tile + plot for plot in plots] for tile in range(4)] for plots in _PLOTS]


def deal(options: Options, players: int, chance: ChanceSource) -> State:
    """Return the state after the deal, before the first skyscraper is placed."""
    state = State()
    state.players = players
    state.options = options
    state.chance = chance
    state.neighbours = NEIGHBOURS[options.side == "six"]
    state.journal = None
    state.actor = state.turn = state.turns = state.ending = 0
    state.phase = PLACING
    _deal_tiles(state)
    _deal_cards(state)
    state.owner = [-1] * PLOTS
    state.height = [0] * PLOTS
    state.home = [-1] * (7 * players)
    state.districts = [0] * players
    state.sites = _SITES[options.side == "six"]
    state.supply = [3] * players
    state.general = [PIECES - 6] * players
    state.points = [0] * players
    state.park_height = [0] * players
    state.alea_supply = PIECES if players == 2 else 0
    state.placed = 0
    state.park = state.shown = b""
    state.commissioners = (CITY_HALL, CITY_HALL)
    state.marks = (b"", b"")
    state.stopped = 0
    state.first_move = False
    state.lot = -1
    return state


def _deal_tiles(state: State) -> None:
    """Put seven businesses on the board and twenty in the supply row."""
    tiles = _TILES[:]
    state.chance.stream("tiles").shuffle(tiles)
    plots = [DASHED] * 7 if state.options.side == "six" else _draw_plots(state)
    state.tiles = [0] * PLOTS
    for district, plot in enumerate(plots):
        state.tiles[6 * district + plot] = tiles[district] + 1
    state.shop = tuple(sorted(tiles[7 : 7 + SET_SIZES[0]]))
    state.row = bytes(tiles[7 + SET_SIZES[0] : 7 + ROW])


def _draw_plots(state: State) -> list[int]:
    """Draw plot colours for the first seven businesses, all of them again until they obey the rule of the setup."""
    stream = state.chance.stream("plots")
    while True:
        plots = [stream.below(5) for _ in range(7)]
        counts = [plots.count(colour) for colour in range(5)]
        if max(counts) < 3 and (min(counts) or state.options.setup == "alea"):
            return plots


def _deal_cards(state: State) -> None:
    """Deal each seat one card per colour, then four black cards."""
    players = state.players
    state.hand = [0] * (CARDS * players)
    state.known = [0] * (CARDS * players)
    state.worth = [0] * (6 * players)
    state.held = [0] * (6 * players)
    state.decks = []
    for label, cards in _COLOUR_DECKS:
        deck = cards[:]
        state.chance.stream(label).shuffle(deck)
        for seat in range(players):
            state.take_card(seat, deck[seat])
        state.decks.append(bytes(deck[players:]))
    state.fresh = [12 - players] * 5
    state.stocked = 31
    black = _BLACK_DECK[:]
    state.chance.stream("black 0").shuffle(black)
    for at in range(4 * players):
        state.take_card(at // 4, black[at])
    state.black = bytes(black[4 * players :])
    state.black_back = b""
    state.shuffles = 0
