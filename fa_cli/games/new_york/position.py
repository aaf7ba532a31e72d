"""A position of New York: pieces, cards and turns, and the changes that actions share.

Copies share the piles and hands, which are bytes, and the lists that change seldom: these are replaced, never changed
in place. Only `board`, `stones`, `units`, `lines`, `sparse`, `hands` and `reds` are changed in place.
"""

from __future__ import annotations

from ..chance import ChanceSource
from ..contract import POINTS
from ..state import CountedState
from .actions import COLOUR, OVER, TURN
from .board import AVENUE_AT, AVENUE_OF, BACK, BY_STOP_CARD, ONE, STREET_AT, STREET_OF
from .options import Options
from .scoring import longest_group, longest_line, points_for


class Position(CountedState):
    """A position. Colours are numbered as in board.COLOURS, seats 0 to players - 1."""

    options: Options
    chance: ChanceSource
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
    """The seat of each colour; -1 before the colour cards are dealt, and for colours not in play."""
    colours: list[tuple[int, ...]]
    """The colours of each seat, rising; none before the colour cards are dealt."""
    rivals: list[tuple[int, ...]]
    """The colours of each seat's opponents, rising."""
    colour: int
    """The colour in use this turn; -1 until it is chosen."""
    stone: int
    """The colour that the actor places or removes; -1 if there is none or it is still to be chosen (NY-7)."""
    pending: int
    """Mask of the cells where the actor may place or remove a stone; not used for the first stones."""
    chances: int
    """Chances left in a renovation or ruin, including the actor's; otherwise 0 (NY-7)."""
    board: list[int]
    """The mask of each colour's stones."""
    empty: int
    """Mask of the cells without a stone."""
    free: int
    """The number of cells without a stone."""
    lines: list[int]
    """The number of stones that a colour has on a line, by 5 * line + colour."""
    sparse: list[int]
    """Mask of the cells in avenues where a colour has at most n stones, by 10 * n + colour; by 10 * n + 5 + colour
    the same for streets."""
    stones: list[int]
    """Stones not on the board, by colour."""
    units: list[int]
    """Purchase units, by seat."""
    hands: list[bytes]
    """The cards, in the order drawn, by seat."""
    reds: list[int]
    """The number of cards with a red back in each hand."""
    stock: bytes
    """The top card first."""
    discard: bytes
    """The last discarded card last."""
    shuffles: int
    """How often the stock was shuffled."""
    stops: bool
    """Whether the stop cards are in the piles."""

    __slots__ = tuple(__annotations__)

    # -- pieces and cards ----------------------------------------------------------------------------------------

    def put(self, colour: int, cell: int) -> None:
        """Put a stone of this colour on an empty cell."""
        bit = 1 << cell
        self.board[colour] = self.board[colour] | bit
        self.empty ^= bit
        self.free -= 1
        self.stones[colour] = self.stones[colour] - 1
        self._count(colour, cell, 0)
        if self.journal is not None:
            self.journal.append(("placed", self.owner[colour], colour, cell))

    def lift(self, colour: int, cell: int) -> None:
        """Take a stone of this colour from its cell."""
        bit = 1 << cell
        self.board[colour] = self.board[colour] ^ bit
        self.empty ^= bit
        self.free += 1
        self.stones[colour] = self.stones[colour] + 1
        self._count(colour, cell, 1)
        if self.journal is not None:
            self.journal.append(("returned", self.owner[colour], colour, cell))

    def replace(self, rival: int, colour: int, cell: int) -> None:
        """Replace the rival's stone on the cell by one of this colour."""
        bit = 1 << cell
        board = self.board
        board[rival] = board[rival] ^ bit
        board[colour] = board[colour] | bit
        stones = self.stones
        stones[rival] = stones[rival] + 1
        stones[colour] = stones[colour] - 1
        self._count(rival, cell, 1)
        self._count(colour, cell, 0)
        if self.journal is not None:
            self.journal.append(("returned", self.owner[rival], rival, cell))
            self.journal.append(("placed", self.owner[colour], colour, cell))

    def _count(self, colour: int, cell: int, gone: int) -> None:
        """Count in both lines of the cell that a stone of this colour has come (`gone` is 0) or gone (1)."""
        lines = self.lines
        sparse = self.sparse
        at = AVENUE_AT[cell] + colour
        count = lines[at] - gone
        lines[at] = count + 1 - gone
        count = 10 * count + colour
        sparse[count] = sparse[count] ^ AVENUE_OF[cell]
        at = STREET_AT[cell] + colour
        count = lines[at] - gone
        lines[at] = count + 1 - gone
        count = 10 * count + 5 + colour
        sparse[count] = sparse[count] ^ STREET_OF[cell]

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

    def finish(self, ending: int) -> None:
        """End the game and record its points in the journal."""
        self.ending = ending
        self.actor = self.colour = -1
        self.phase = OVER
        if self.journal is None:
            return
        if ending == BY_STOP_CARD:
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
