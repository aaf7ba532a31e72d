"""Setting up a game of New York. The colour cards and hands are dealt after the first stones (opening.py)."""

from __future__ import annotations

from ..chance import ChanceSource
from .actions import FIRST_STONES
from .board import COLOURS, COLOURS_IN_PLAY, FULL, SIZE, STONES_OF, UNITS_OF
from .opening import seek_first_stone
from .options import Options
from .state import State


def deal(options: Options, players: int, chance: ChanceSource) -> State:
    """Return the state before the first stone is placed."""
    state = State()
    state.players = players
    state.options = options
    state.chance = chance
    state.journal = None
    state.phase = FIRST_STONES
    state.turn = state.turns = state.ending = state.placed = 0
    state.last_turn = options.turn_limit * players
    state.in_play = COLOURS_IN_PLAY[players]
    state.owner = [-1] * len(COLOURS)
    state.colours = [()] * players
    state.rivals = [()] * players
    state.colour = -1
    state.pending = state.chances = 0
    state.board = [0] * len(COLOURS)
    state.empty = FULL
    state.lines = [0] * (2 * SIZE * len(COLOURS))
    state.sparse = [FULL] * (2 * (SIZE + 1) * len(COLOURS))
    state.stones = [STONES_OF[players] if colour < state.in_play else 0 for colour in range(len(COLOURS))]
    state.units = [UNITS_OF[players]] * players
    state.hands = [b""] * players
    state.reds = [0] * players
    state.stock = state.discard = b""
    state.shuffles = 0
    state.stops = False
    seek_first_stone(state)
    return state
