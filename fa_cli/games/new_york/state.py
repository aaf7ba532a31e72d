"""New York under way: what is legal, and what an action does. turn.py has the turns, special.py the action cards.

Piles and hands are bytes and lists that change seldom are replaced, so that copies share them; only `board`, `stones`,
`units`, `lines`, `few`, `hands` and `reds` are changed in place.
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
from .board import AVENUE_AT, AVENUE_OF, REACHED_AVENUES, REACHED_STREETS, SIZE, STOP_AT, STREET_AT, STREET_OF
from .cards import BACK, BLUE_JOKER, HELD, ONE, RENOVATION, STOPS
from .opening import first_cells, place_first
from .options import Options
from .scoring import longest_group, longest_line, points_for
from .special import add_special, pass_chance, place_again, play_special, remove_stone
from .turn import play, redraw, refill

BY_STOP_CARD: Final = 1
BY_TURN_LIMIT: Final = 2
REASONS: Final = ("", "stop-card", "turn-limit")

# What points are for, in the journal's POINTS entries.
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
        "few",
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
        "stock",
        "stone",
        "stones",
        "stops",
        "turn",
        "turns",
        "units",
        "why",
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
    """With so many finished the game ends (NY-12)."""
    why: int
    """How the game ended, as in REASONS; 0 before."""
    placed: int
    """Before the game: turns of placing that are over."""
    in_play: int
    """How many colours take part: the first ones."""
    owner: list[int]
    """By colour: its seat; -1 before the colour cards are dealt, and for a colour not in play."""
    colours: list[tuple[int, ...]]
    """By seat: its colours, rising; none before the colour cards are dealt."""
    rivals: list[tuple[int, ...]]
    """By seat: the colours of its opponents, rising."""
    colour: int
    """The colour in use this turn; -1 while it is not chosen."""
    stone: int
    """The colour that the actor places or removes; -1 when he does neither, or has yet to choose it (NY-7)."""
    pending: int
    """Mask of the cells where he may (after the game has begun)."""
    chances: int
    """The chances of a renovation or ruin that are left, the actor's included; 0 outside one (NY-7)."""
    board: list[int]
    """By colour: mask of its stones."""
    empty: int
    """Mask of the cells without a stone."""
    lines: list[int]
    """By 5 * line + colour: how many stones it has there."""
    few: list[int]
    """By 10 * n + colour: mask of the avenues where it has at most n stones; from 5 on the same for streets."""
    stones: list[int]
    """By colour: stones not on the board."""
    units: list[int]
    """By seat: purchase units."""
    hands: list[bytes]
    """By seat: the cards, in the order in which they were drawn."""
    reds: list[int]
    """By seat: how many of them have a red back."""
    stock: bytes
    """The top card first."""
    discard: bytes
    """In the order in which it came."""
    shuffles: int
    """How often the stock was shuffled."""
    stops: bool
    """The stop cards are in the piles."""

    # -- what is legal -------------------------------------------------------------------------------------------

    def legal(self) -> list[int]:
        """All legal actions, in table order; not to be changed."""
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
        """Whether anything would be allowed with this colour in use."""
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
        """Mask of the cells that `play` may name while this colour is in use (NY-3)."""
        board = self.board
        allowed = board[colour]
        if self.stones[colour]:
            allowed |= self.empty
            seat = self.turn
            units = self.units[seat]
            if units:
                first = 10 * units if units < SIZE else 10 * SIZE
                few = self.few
                for rival in self.rivals[seat]:
                    at = first + rival
                    allowed |= board[rival] & (few[at] | few[at + 5])
        return allowed

    def open_cells(self) -> int:
        """Mask of the cells where the actor may place or remove a stone; empty in a turn."""
        return first_cells(self, self.stone) if self.phase == FIRST_STONES else self.pending

    # -- what an action does -------------------------------------------------------------------------------------

    def apply(self, action: int) -> None:
        """Play one of `legal()`."""
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
        """A stone of this colour from stock to an empty cell."""
        bit = 1 << cell
        self.board[colour] = self.board[colour] | bit
        self.empty ^= bit
        self.stones[colour] = self.stones[colour] - 1
        lines = self.lines
        few = self.few
        at = AVENUE_AT[cell] + colour
        count = lines[at]
        lines[at] = count + 1
        count = 10 * count + colour
        few[count] = few[count] ^ AVENUE_OF[cell]
        at = STREET_AT[cell] + colour
        count = lines[at]
        lines[at] = count + 1
        count = 10 * count + 5 + colour
        few[count] = few[count] ^ STREET_OF[cell]
        if self.journal is not None:
            self.journal.append(("placed", self.owner[colour], colour, cell))

    def lift(self, colour: int, cell: int) -> None:
        """A stone of this colour from its cell back to stock."""
        bit = 1 << cell
        self.board[colour] = self.board[colour] ^ bit
        self.empty ^= bit
        self.stones[colour] = self.stones[colour] + 1
        lines = self.lines
        few = self.few
        at = AVENUE_AT[cell] + colour
        count = lines[at] - 1
        lines[at] = count
        count = 10 * count + colour
        few[count] = few[count] ^ AVENUE_OF[cell]
        at = STREET_AT[cell] + colour
        count = lines[at] - 1
        lines[at] = count
        count = 10 * count + 5 + colour
        few[count] = few[count] ^ STREET_OF[cell]
        if self.journal is not None:
            self.journal.append(("returned", self.owner[colour], colour, cell))

    def replace(self, rival: int, colour: int, cell: int) -> None:
        """The rival's stone goes back to stock, one of this colour takes its place."""
        self.lift(rival, cell)
        self.put(colour, cell)

    def spend(self, cards: bytes) -> None:
        """These cards of the player whose turn it is go to the discard pile, of equal ones the one drawn first."""
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
        """Perhaps the stop cards come (NY-6); draw; the game ends (NY-12) or the next player's turn begins."""
        if not self.stops and self.empty.bit_count() <= STOP_AT:
            self.stops = True
            self.discard += STOPS
            if self.journal is not None:
                self.journal.append(("stop-cards", -1))
        stopped = refill(self)
        self.turns += 1
        if stopped:
            self.why = BY_STOP_CARD
            self._finish()
            return
        if self.turns >= self.last_turn:
            self.why = BY_TURN_LIMIT
            self._finish()
            return
        seat = self.turn + 1
        self.begin_turn(seat if seat < self.players else 0)

    def _finish(self) -> None:
        self.actor = self.colour = -1
        self.phase = OVER
        if self.journal is None:
            return
        if self.why == BY_STOP_CARD:
            self.journal.append(("stop-card", self.turn))
        for seat in range(self.players):
            for what, points in enumerate(self.points(seat, self.chains(seat))):
                self.journal.append((POINTS, seat, points, what))

    def chains(self, seat: int) -> list[int]:
        """The longest chain of each of the seat's colours as things stand."""
        longest = longest_group if self.options.chain == "group" else longest_line
        return [longest(self.board[colour]) for colour in self.colours[seat]]

    def points(self, seat: int, chains: list[int]) -> tuple[int, int, int]:
        """What the seat has, as things stand, for its chains, for other stones and for purchase units."""
        stones = sum(self.board[colour].bit_count() for colour in self.colours[seat])
        return points_for(chains, stones, self.units[seat])

    def standing_of(self, seat: int) -> tuple[int, int, int]:
        """What the seat is ranked by, as things stand: points, longest chain (of two colours'), purchase units."""
        chains = self.chains(seat)
        return sum(self.points(seat, chains)), max(chains, default=0), self.units[seat]

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == OVER

    def scores(self) -> list[int]:
        """Points per seat, as things stand."""
        return [self.standing_of(seat)[0] for seat in range(self.players)]

    def standing(self) -> list[tuple[int, ...]]:
        """Per seat: points, longest chain, purchase units."""
        return [self.standing_of(seat) for seat in range(self.players)]

    def reason(self) -> str:
        """How the game ended: `stop-card` or `turn-limit`; empty before."""
        return REASONS[self.why]

    def copy(self) -> State:
        """An independent state; its journal is None."""
        other = State()
        other.players = self.players
        other.options = self.options
        other.chance = self.chance
        other.journal = None
        other.actor = self.actor
        other.phase = self.phase
        other.turn = self.turn
        other.turns = self.turns
        other.last_turn = self.last_turn
        other.why = self.why
        other.placed = self.placed
        other.in_play = self.in_play
        other.owner = self.owner
        other.colours = self.colours
        other.rivals = self.rivals
        other.colour = self.colour
        other.stone = self.stone
        other.pending = self.pending
        other.chances = self.chances
        other.board = self.board[:]
        other.empty = self.empty
        other.lines = self.lines[:]
        other.few = self.few[:]
        other.stones = self.stones[:]
        other.units = self.units[:]
        other.hands = self.hands[:]
        other.reds = self.reds[:]
        other.stock = self.stock
        other.discard = self.discard
        other.shuffles = self.shuffles
        other.stops = self.stops
        return other
