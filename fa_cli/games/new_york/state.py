"""The state of a game of New York: the legal actions and their effects.

turn.py has the turns, special.py the action cards. Copies share the piles and hands, which are bytes, and the lists
that change seldom: these are replaced, never changed in place. Only `board`, `stones`, `units`, `lines`, `sparse`,
`hands` and `reds` are changed in place.
"""

from __future__ import annotations

from typing import Any, Final

from ..chance import ChanceSource
from ..contract import POINTS
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
    TURN,
    USE,
    list_cells,
    list_chance,
)
from .board import (
    AVENUE_AT,
    AVENUE_OF,
    BACK,
    BLUE_JOKER,
    HELD,
    ONE,
    REACHED_AVENUES,
    REACHED_STREETS,
    RENOVATION,
    SIZE,
    STOP_AT,
    STOPS,
    STREET_AT,
    STREET_OF,
)
from .opening import first_cells, place_first
from .options import Options
from .scoring import longest_group, longest_line, points_for
from .special import add_special, pass_chance, place_again, play_special, remove_stone
from .turn import play, redraw, refill

BY_STOP_CARD: Final = 1
BY_TURN_LIMIT: Final = 2
REASONS: Final = ("", "stop-card", "turn-limit")

# What points are for, as POINTS entries of the journal have it.
FOR_CHAINS: Final = 0
FOR_STONES: Final = 1
FOR_UNITS: Final = 2


class State:
    """A game of New York. Colours are numbered as in board.COLOURS, seats 0 to players - 1."""

    __slots__ = (
        "actor",
        "board",
        "chance",
        "chances",
        "colour",
        "colours",
        "discard",
        "empty",
        "ending",
        "hands",
        "in_play",
        "journal",
        "last_turn",
        "lines",
        "options",
        "owner",
        "pending",
        "phase",
        "placed",
        "players",
        "reds",
        "rivals",
        "shuffles",
        "sparse",
        "stock",
        "stone",
        "stones",
        "stops",
        "turn",
        "turns",
        "units",
    )

    players: int
    options: Options
    chance: ChanceSource
    journal: list[tuple[Any, ...]] | None
    actor: int
    phase: int
    turn: int
    """The seat whose turn it is."""
    turns: int
    """Turns finished."""
    last_turn: int
    """The number of finished turns at which the game ends (NY-12)."""
    ending: int
    """Why the game ended, an index in REASONS; 0 before the end."""
    placed: int
    """First stones placed or skipped so far."""
    in_play: int
    """How many colours take part: the first ones of COLOURS."""
    owner: list[int]
    """By colour: its seat; -1 before the colour cards are dealt, and for colours not in play."""
    colours: list[tuple[int, ...]]
    """By seat: its colours, rising; none before the colour cards are dealt."""
    rivals: list[tuple[int, ...]]
    """By seat: the colours of its opponents, rising."""
    colour: int
    """The colour in use this turn; -1 until it is chosen."""
    stone: int
    """The colour that the actor places or removes; -1 if there is none or it is still to be chosen (NY-7)."""
    pending: int
    """Mask of the cells where the actor may place or remove a stone; not used for the first stones."""
    chances: int
    """Chances left in a renovation or ruin, including the actor's; otherwise 0 (NY-7)."""
    board: list[int]
    """By colour: mask of its stones."""
    empty: int
    """Mask of the cells without a stone."""
    lines: list[int]
    """By 5 * line + colour: how many stones the colour has on the line."""
    sparse: list[int]
    """By 10 * n + colour: mask of the cells in avenues where the colour has at most n stones; by 10 * n + 5 + colour
    the same for streets."""
    stones: list[int]
    """By colour: stones not on the board."""
    units: list[int]
    """By seat: purchase units."""
    hands: list[bytes]
    """By seat: the cards, in the order drawn."""
    reds: list[int]
    """By seat: how many cards in hand have a red back."""
    stock: bytes
    """The top card first."""
    discard: bytes
    """The last discarded card last."""
    shuffles: int
    """How often the stock was shuffled."""
    stops: bool
    """Whether the stop cards are in the piles."""

    # -- legal actions -------------------------------------------------------------------------------------------

    def legal(self) -> list[int]:
        """Return all legal actions in table order. Do not change the list."""
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

    # -- effects of actions --------------------------------------------------------------------------------------

    def apply(self, action: int) -> None:
        """Play one of the legal actions; its legality is not checked."""
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

    # -- pieces and cards ----------------------------------------------------------------------------------------

    def put(self, colour: int, cell: int) -> None:
        """Put a stone of this colour on an empty cell."""
        bit = 1 << cell
        self.board[colour] = self.board[colour] | bit
        self.empty ^= bit
        self.stones[colour] = self.stones[colour] - 1
        lines = self.lines
        sparse = self.sparse
        at = AVENUE_AT[cell] + colour
        count = lines[at]
        lines[at] = count + 1
        count = 10 * count + colour
        sparse[count] = sparse[count] ^ AVENUE_OF[cell]
        at = STREET_AT[cell] + colour
        count = lines[at]
        lines[at] = count + 1
        count = 10 * count + 5 + colour
        sparse[count] = sparse[count] ^ STREET_OF[cell]
        if self.journal is not None:
            self.journal.append(("placed", self.owner[colour], colour, cell))

    def lift(self, colour: int, cell: int) -> None:
        """Take a stone of this colour from its cell."""
        bit = 1 << cell
        self.board[colour] = self.board[colour] ^ bit
        self.empty ^= bit
        self.stones[colour] = self.stones[colour] + 1
        lines = self.lines
        sparse = self.sparse
        at = AVENUE_AT[cell] + colour
        count = lines[at] - 1
        lines[at] = count
        count = 10 * count + colour
        sparse[count] = sparse[count] ^ AVENUE_OF[cell]
        at = STREET_AT[cell] + colour
        count = lines[at] - 1
        lines[at] = count
        count = 10 * count + 5 + colour
        sparse[count] = sparse[count] ^ STREET_OF[cell]
        if self.journal is not None:
            self.journal.append(("returned", self.owner[colour], colour, cell))

    def replace(self, rival: int, colour: int, cell: int) -> None:
        """Replace the rival's stone on the cell by one of this colour."""
        self.lift(rival, cell)
        self.put(colour, cell)

    def spend(self, cards: bytes) -> None:
        """Discard these cards of the player whose turn it is; of identical cards the one drawn first."""
        seat = self.turn
        hand = self.hands[seat]
        reds = self.reds[seat]
        for card in cards:
            hand = hand.replace(ONE[card], b"", 1)
            reds -= 1 - BACK[card]
        self.hands[seat] = hand
        self.reds[seat] = reds
        self.discard += cards

    # -- turns and the end ---------------------------------------------------------------------------------------

    def begin_turn(self, seat: int) -> None:
        self.turn = self.actor = seat
        if self.players == 2:
            self.colour = -1
            self.phase = COLOUR
        else:
            self.colour = self.colours[seat][0]
            self.phase = TURN

    def end_turn(self) -> None:
        """Add the stop cards if they are due (NY-6), draw, and end the game (NY-6, NY-12) or begin the next turn."""
        if not self.stops and self.empty.bit_count() <= STOP_AT:
            self.stops = True
            self.discard += STOPS
            if self.journal is not None:
                self.journal.append(("stop-cards", -1))
        stopped = refill(self)
        self.turns += 1
        if stopped:
            self.ending = BY_STOP_CARD
            self._finish()
            return
        if self.turns >= self.last_turn:
            self.ending = BY_TURN_LIMIT
            self._finish()
            return
        seat = self.turn + 1
        self.begin_turn(seat if seat < self.players else 0)

    def _finish(self) -> None:
        self.actor = self.colour = -1
        self.phase = OVER
        if self.journal is None:
            return
        if self.ending == BY_STOP_CARD:
            self.journal.append(("stop-card", self.turn))
        for seat in range(self.players):
            for what, points in enumerate(self.points(seat, self.chains(seat))):
                self.journal.append((POINTS, seat, points, what))

    def chains(self, seat: int) -> list[int]:
        """Return the current longest chain of each of the seat's colours."""
        longest = longest_group if self.options.chain == "group" else longest_line
        return [longest(self.board[colour]) for colour in self.colours[seat]]

    def points(self, seat: int, chains: list[int]) -> tuple[int, int, int]:
        """Return the seat's current points for chains, for other stones and for purchase units."""
        stones = sum(self.board[colour].bit_count() for colour in self.colours[seat])
        return points_for(chains, stones, self.units[seat])

    def standing_of(self, seat: int) -> tuple[int, int, int]:
        """Return what currently ranks the seat: points, longest chain (the longer of two colours), purchase units."""
        chains = self.chains(seat)
        return sum(self.points(seat, chains)), max(chains, default=0), self.units[seat]

    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return self.phase == OVER

    def scores(self) -> list[int]:
        """Return the current points by seat."""
        return [self.standing_of(seat)[0] for seat in range(self.players)]

    def standing(self) -> list[tuple[int, ...]]:
        """Return by seat points, longest chain and purchase units, which rank it in this order."""
        return [self.standing_of(seat) for seat in range(self.players)]

    def reason(self) -> str:
        """Return why the game ended: `stop-card` or `turn-limit`; empty before the end."""
        return REASONS[self.ending]

    def copy(self) -> State:
        """Return an independent state whose journal is None."""
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
