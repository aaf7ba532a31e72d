"""A position of Fifth Avenue: pieces, cards, points and the current auction, and the changes that actions share.

Copies share the lists that change seldom: these are replaced, never changed in place. Only `hand`, `known`, `worth` and
`held` are changed in place.
"""

from __future__ import annotations

from ..chance import ChanceSource
from ..state import State
from .actions import ACTING, BUSINESS, DRAWING, OVER
from .board import BY_TURN_LIMIT, CARDS, FOR_PARK, SUIT, WORTH
from .options import Options
from .scoring import district_points, park_value, plot_value


class Position(State):
    """A position. Seats are 0 to players - 1; Alea's skyscrapers (two players) belong to seat 2."""

    options: Options
    chance: ChanceSource
    neighbours: list[tuple[int, int]]
    """The two neighbours of each plot on this side of the board."""
    phase: int
    turn: int
    """The seat whose turn it is; before the first turn the number of skyscrapers placed."""
    turns: int
    """Turns finished."""
    ending: int
    """Why the game ended, an index in REASONS; 0 before the end."""
    tiles: list[int]
    """The content of each plot, as in board.TYPES_ON."""
    owner: list[int]
    """The seat whose skyscrapers stand on each plot, -1 for none."""
    height: list[int]
    """The number of skyscrapers on each plot."""
    home: list[int]
    """The seat's plot in a district, -1 for none, by 7 * seat + district."""
    districts: list[int]
    """Bit mask of the districts where a seat has skyscrapers, by seat."""
    sites: list[list[int]]
    """The actions that place a business on the plots open to businesses (FA-5), by type, in the order of the plots."""
    supply: list[int]
    """Skyscrapers that can be built, by seat."""
    general: list[int]
    """Skyscrapers in the general supply, by seat."""
    points: list[int]
    park_height: list[int]
    """Skyscrapers at Central Park, by seat."""
    alea_supply: int
    hand: list[int]
    """The number of equal cards in a hand, by 18 * seat + card."""
    known: list[int]
    """How many of these everybody has seen, by 18 * seat + card."""
    worth: list[int]
    """The sum of the values in hand, by 6 * seat + suit."""
    held: list[int]
    """Bit mask of the values in hand, by 6 * seat + suit."""
    decks: list[bytes]
    """The cards of each colour's stack, the top one first."""
    fresh: list[int]
    """How many cards of a stack, counted from the top, have been there since the deal, by colour."""
    stocked: int
    """Bit mask of the colours whose stacks have cards."""
    black: bytes
    """The face-down part of the black stack, the top card first."""
    black_back: bytes
    """The face-up cards under it, in the order in which they were returned."""
    shuffles: int
    """How often the returned black cards were shuffled."""
    row: bytes
    """Types of the tiles in the supply row beyond the current set, from left to right."""
    shop: tuple[int, ...]
    """Types of the tiles left in the current set, rising."""
    placed: int
    """Businesses placed by the players."""
    park: bytes
    """Types of the tiles at Central Park, in the order in which they came."""
    shown: bytes
    """Types of the tiles turned up at Central Park; empty before the end."""
    commissioners: tuple[int, int]
    """The places of the white and the beige commissioner."""
    marks: tuple[bytes, bytes]
    """The districts that each commissioner has marked, in the order visited."""
    stopped: int
    """Bit mask of the stopped districts."""
    first_move: bool
    """Whether the current move is part of action C, so that a draw follows."""
    # The current auction; all but `lot` are undefined if there is none.
    lots: bytes
    """Districts (0-6) and Central Park (7) to be auctioned later in this round."""
    lot: int
    """The district or Central Park that is auctioned; -1 if there is no auction."""
    lot_suits: list[int]
    """The suits with which a player without a skyscraper there may bid."""
    full: bool
    """Whether no plot was empty when the auction began (FA-16)."""
    passed: int
    """Bit mask of the seats that have passed."""
    bid_turns: int
    """How many seats have had their first turn."""
    raising: bool
    """Whether the actor has laid a card of a raise and is not done."""
    suits: list[int]
    """The suit with which each seat bids, 0 for none yet."""
    bids: list[int]
    """The sum of the cards laid, by seat."""
    laid: list[bytes]
    """The cards laid, in order, by seat."""
    high: int
    """The highest finished bid; 0 for none."""
    high_seat: int
    """The seat of the highest finished bid; -1 for none, `players` for Alea."""
    alea_cards: bytes
    """The cards of Alea's bid."""

    __slots__ = tuple(__annotations__)

    # -- pieces and cards ----------------------------------------------------------------------------------------

    def raise_skyscrapers(self, seat: int, plot: int, count: int) -> None:
        """Put skyscrapers of the seat (or Alea) on the plot. The caller takes them from a supply."""
        self.height = self.height[:]
        if not self.height[plot]:
            self.close_site(plot)
            self.owner = self.owner[:]
            self.owner[plot] = seat
            if seat < self.players:
                district = plot // 6
                self.home = self.home[:]
                self.home[7 * seat + district] = plot
                self.districts = self.districts[:]
                self.districts[seat] |= 1 << district
        self.height[plot] += count

    def close_site(self, plot: int) -> None:
        """Close the plot to businesses."""
        at = self.sites[0].index(BUSINESS + plot)
        self.sites = [actions[:] for actions in self.sites]
        for actions in self.sites:
            actions.pop(at)

    def take_card(self, seat: int, card: int) -> None:
        """Put a card into a hand."""
        self.hand[CARDS * seat + card] += 1
        at = 6 * seat + SUIT[card]
        self.worth[at] += WORTH[card]
        self.held[at] |= 1 << card % 3

    def draw_black(self, seat: int, count: int) -> None:
        """Draw black cards, hidden from the others; fewer if the stack runs out (FA-6, FA-8)."""
        drawn = []
        while count and self.black:
            card = self.pop_black()
            self.take_card(seat, card)
            drawn.append(card)
            count -= 1
        if self.journal is not None and drawn:
            self.journal.append(("drew", seat, *drawn))

    def pop_black(self) -> int:
        """Draw the top card of the black stack, which must not be empty."""
        card = self.black[0]
        self.black = self.black[1:]
        if not self.black:
            self.turn_black()
        return card

    def turn_black(self) -> None:
        """If the face-down part of the black stack is empty, shuffle the returned cards into a new one (FA-10)."""
        if self.black or not self.black_back:
            return
        cards = list(self.black_back)
        self.shuffles += 1
        self.chance.stream(f"black {self.shuffles}").shuffle(cards)
        self.black = bytes(cards)
        self.black_back = b""
        if self.journal is not None:
            self.journal.append(("shuffled", -1, len(cards)))

    # -- points and the end --------------------------------------------------------------------------------------

    def district_points(self, district: int) -> list[int]:
        """Return by seat the points of a normal scoring of the district."""
        return district_points(self.tiles, self.height, self.home, self.neighbours, self.players, district)

    def plot_value(self, plot: int) -> int:
        """Return the points of one skyscraper on the plot."""
        return plot_value(self.tiles, self.neighbours, plot)

    def gain(self, points: list[int], what: int) -> None:
        """Add points by seat and record in the journal `what` they are for."""
        self.points = [old + new for old, new in zip(self.points, points, strict=True)]
        if self.journal is not None:
            for seat, gained in enumerate(points):
                if gained:
                    self.journal.append(("points", seat, gained, what))

    def finish(self, ending: int) -> None:
        """End the game with its final scoring."""
        self.ending = ending
        for district in range(7):
            if not self.stopped >> district & 1:
                self.gain(self.district_points(district), district)
        park = list(self.park)
        self.chance.stream("park").shuffle(park)
        self.shown = bytes(park[:3])
        if self.journal is not None:
            self.journal.append(("turned up", -1, *self.shown))
        value = park_value(self.shown)
        self.gain([value * count for count in self.park_height], FOR_PARK)
        self.phase = OVER
        self.actor = -1
        self.lot = -1

    def end_move(self) -> None:
        """Continue after a move and its auctions: with the draw of action C, or with the next turn."""
        if self.first_move:
            self.actor = self.turn
            self.phase = DRAWING
            return
        self.turns += 1
        self.actor = self.turn = (self.turn + 1) % self.players
        self.phase = ACTING
        if self.turns >= self.options.turn_limit * self.players:
            self.finish(BY_TURN_LIMIT)
