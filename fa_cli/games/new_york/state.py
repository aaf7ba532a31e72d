"""The state of a game of New York: the deal, the legal actions, their effects and the result.

opening.py has the first stones and the dealing of cards after them, turn.py the turns, special.py the action cards.
"""

from __future__ import annotations

from typing import Final

from ..chance import ChanceSource
from .actions import (
    CLEAR,
    COLOUR,
    FIRST_STONES,
    OVER,
    PASS,
    PLACE,
    PLACES,
    PLACING,
    PLAY,
    PLAYS_HELD,
    REDRAW,
    REMOVE,
    REMOVES,
    SHIFTS_HELD,
    TURN,
    USE,
    list_cells,
    list_chance,
)
from .board import (
    BLUE_JOKER,
    COLOURS,
    COLOURS_IN_PLAY,
    FULL,
    HELD,
    ONE_BITS,
    REACHED_AVENUES,
    REACHED_STREETS,
    REASONS,
    RENOVATION,
    SIZE,
    STONES_OF,
    UNITS_OF,
)
from .opening import first_cells, place_first, seek_first_stone
from .options import Options
from .position import Position
from .special import add_special, pass_chance, place_again, play_special, remove_stone
from .turn import play, redraw

_NOTHING: Final[list[int]] = []
_REDRAW_ONLY: Final = [REDRAW]


class State(Position):
    """A game of New York."""

    # what `count_legal` remembers for `legal_at`
    held: int
    """Mask of the cards in the hand."""
    allowed: int
    """Mask of the cells that `play` may name."""
    counted: list[int]
    """The legal actions after the plays; outside a turn all of them."""

    __slots__ = tuple(__annotations__)

    def legal(self) -> list[int]:
        phase = self.phase
        if phase == TURN:
            return self._legal_turn()
        if phase == COLOUR:
            return [USE + colour for colour in self.colours[self.actor] if self._usable(colour)] or [REDRAW]
        if phase == FIRST_STONES:
            return list_cells(PLACES, first_cells(self, self.stone))
        if phase == PLACING:
            if self.stone < 0:
                return [USE + colour for colour in self.colours[self.actor]]
            return list_chance(self.pending)
        return list_cells(REMOVES, self.pending)

    def count_legal(self) -> int:
        """Return the number of legal actions, and remember what `legal_at` needs."""
        if self.phase != TURN:
            self.counted = self.legal()
            return len(self.counted)
        held = 0
        for card in self.hands[self.turn]:
            held |= HELD[card]
        allowed = self._allowed(self.colour)
        self.held = held
        self.allowed = allowed
        streets = held >> 8 & 127
        joker = held >> BLUE_JOKER & 1
        count = 0
        for shift in SHIFTS_HELD[held & 255]:
            line = allowed >> shift & 127
            count += ONE_BITS[line & streets]
            if joker:
                count += ONE_BITS[line]
        special = _NOTHING
        if held >> RENOVATION:
            special = []
            add_special(special, self, self.colour, held)
            count += len(special)
        self.counted = special if count else _REDRAW_ONLY
        return count or 1

    def legal_at(self, index: int) -> int:
        if self.phase == TURN:
            held = self.held
            streets = held >> 8 & 127
            joker = held >> BLUE_JOKER & 1
            allowed = self.allowed
            for at, shift in enumerate(SHIFTS_HELD[held & 255]):
                line = allowed >> shift & 127
                count = ONE_BITS[line & streets]
                if index < count:
                    return PLAYS_HELD[held & 255][at][1][line & streets][index]
                index -= count
                if joker:
                    count = ONE_BITS[line]
                    if index < count:
                        return PLAYS_HELD[held & 255][at][2][line][index]
                    index -= count
        return self.counted[index]

    def _legal_turn(self) -> list[int]:
        held = 0
        for card in self.hands[self.turn]:
            held |= HELD[card]
        allowed = self._allowed(self.colour)
        streets = held >> 8 & 127
        joker = held >> BLUE_JOKER & 1
        legal: list[int] = []
        for shift, plays, joker_plays in PLAYS_HELD[held & 255]:
            line = allowed >> shift & 127
            legal += plays[line & streets]
            if joker:
                legal += joker_plays[line]
        if held >> RENOVATION:
            add_special(legal, self, self.colour, held)
        return legal or [REDRAW]

    def _usable(self, colour: int) -> bool:
        """Return whether any action would be legal with this colour in use."""
        held = 0
        for card in self.hands[self.turn]:
            held |= HELD[card]
        reached = REACHED_AVENUES[held & 255] & REACHED_STREETS[held >> 8 & 255]
        if reached & self._allowed(colour):
            return True
        special: list[int] = []
        add_special(special, self, colour, held)
        return bool(special)

    def _allowed(self, colour: int) -> int:
        """Return the mask of the cells that `play` may name while this colour is in use (NY-3)."""
        board = self.board
        allowed = board[colour]
        if self.stones[colour]:
            allowed |= self.empty
            seat = self.turn
            units = self.units[seat]
            if units:
                first = 10 * units if units < SIZE else 10 * SIZE
                sparse = self.sparse
                for rival in self.rivals[seat]:
                    index = first + rival
                    allowed |= board[rival] & (sparse[index] | sparse[index + 5])
        return allowed

    def open_cells(self) -> int:
        """Return the mask of the cells where the actor may place or remove a stone; empty in a turn."""
        return first_cells(self, self.stone) if self.phase == FIRST_STONES else self.pending

    def apply(self, action: int) -> None:
        if action >= PLAY:
            if action >= CLEAR:
                play_special(self, action)
            else:
                play(self, action - PLAY)
        elif action >= REMOVE:
            remove_stone(self, action - REMOVE)
        elif action >= PLACE:
            if self.phase == FIRST_STONES:
                place_first(self, action - PLACE)
            elif action == PASS:
                pass_chance(self)
            else:
                place_again(self, action - PLACE)
        elif action >= USE:
            if self.phase == PLACING:
                self.stone = action - USE
            else:
                self.colour = action - USE
                self.phase = TURN
        else:
            redraw(self)

    def is_over(self) -> bool:
        return self.phase == OVER

    def scores(self) -> list[int]:
        return [self.standing_of(seat)[0] for seat in range(self.players)]

    def standing(self) -> list[tuple[int, ...]]:
        """Return by seat points, longest chain and purchase units, which rank it in this order."""
        return [self.standing_of(seat) for seat in range(self.players)]

    def standing_of(self, seat: int) -> tuple[int, int, int]:
        """Return what currently ranks the seat: points, longest chain (the longer of two colours), purchase units."""
        chains = self.chains(seat)
        return sum(self.points(seat, chains)), max(chains, default=0), self.units[seat]

    def reason(self) -> str:
        """Return why the game ended: `stop-card` or `turn-limit`; empty before the end."""
        return REASONS[self.ending]

    def copy(self) -> State:
        new = State()
        new.players = self.players
        new.options = self.options
        new.chance = self.chance
        new.journal = None
        new.actor = self.actor
        new.phase = self.phase
        new.turn = self.turn
        new.turns = self.turns
        new.last_turn = self.last_turn
        new.ending = self.ending
        new.placed = self.placed
        new.in_play = self.in_play
        new.owner = self.owner
        new.colours = self.colours
        new.rivals = self.rivals
        new.colour = self.colour
        new.stone = self.stone
        new.pending = self.pending
        new.chances = self.chances
        new.board = self.board[:]
        new.empty = self.empty
        new.free = self.free
        new.lines = self.lines[:]
        new.sparse = self.sparse[:]
        new.stones = self.stones[:]
        new.units = self.units[:]
        new.hands = self.hands[:]
        new.reds = self.reds[:]
        new.stock = self.stock
        new.discard = self.discard
        new.shuffles = self.shuffles
        new.stops = self.stops
        return new


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
    state.free = FULL.bit_count()
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
