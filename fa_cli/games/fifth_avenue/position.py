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

    __slots__ = (
        "alea_cards",
        "alea_supply",
        "bid_turns",
        "bids",
        "black",
        "black_back",
        "chance",
        "commissioners",
        "decks",
        "districts",
        "ending",
        "first_move",
        "fresh",
        "full",
        "general",
        "hand",
        "height",
        "held",
        "high",
        "high_seat",
        "home",
        "known",
        "laid",
        "lot",
        "lot_suits",
        "lots",
        "marks",
        "neighbours",
        "options",
        "owner",
        "park",
        "park_height",
        "passed",
        "phase",
        "placed",
        "points",
        "raising",
        "row",
        "shop",
        "shown",
        "shuffles",
        "sites",
        "stocked",
        "stopped",
        "suits",
        "supply",
        "tiles",
        "turn",
        "turns",
        "worth",
    )

    options: Options
    chance: ChanceSource
    neighbours: list[tuple[int, int]]
    """By plot: its two neighbours on this side of the board."""
    phase: int
    turn: int
    """The seat whose turn it is; before the first turn the number of skyscrapers placed."""
    turns: int
    """Turns finished."""
    ending: int
    """Why the game ended, an index in REASONS; 0 before the end."""
    tiles: list[int]
    """By plot: its content, as in board.TYPES_ON."""
    owner: list[int]
    """By plot: the seat whose skyscrapers stand there, -1 for none."""
    height: list[int]
    """By plot: how many skyscrapers stand there."""
    home: list[int]
    """By 7 * seat + district: the seat's plot there, -1 for none."""
    districts: list[int]
    """By seat: bit mask of the districts where it has skyscrapers."""
    sites: list[list[int]]
    """By type of business: the actions that place it on the plots that are open to businesses (FA-5), by plot."""
    supply: list[int]
    """By seat: skyscrapers that can be built."""
    general: list[int]
    """By seat: skyscrapers in the general supply."""
    points: list[int]
    park_height: list[int]
    """By seat: skyscrapers at Central Park."""
    alea_supply: int
    hand: list[int]
    """By 18 * seat + card: how many are in the hand."""
    known: list[int]
    """By 18 * seat + card: how many of these everybody has seen."""
    worth: list[int]
    """By 6 * seat + suit: the sum of the values in hand."""
    held: list[int]
    """By 6 * seat + suit: bit mask of the values in hand."""
    decks: list[bytes]
    """By colour: the stack's cards, the top one first."""
    fresh: list[int]
    """By colour: how many cards of the stack, counted from the top, have been there since the deal."""
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
    """By seat: the suit with which it bids, 0 for none yet."""
    bids: list[int]
    """By seat: the sum of the cards laid."""
    laid: list[bytes]
    """By seat: the cards laid, in order."""
    high: int
    """The highest finished bid; 0 for none."""
    high_seat: int
    """The seat of the highest finished bid; -1 for none, `players` for Alea."""
    alea_cards: bytes
    """The cards of Alea's bid."""

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

    def copy_into(self, new: Position) -> None:
        """Copy everything but the journal, which becomes None."""
        new.players = self.players
        new.options = self.options
        new.chance = self.chance
        new.neighbours = self.neighbours
        new.journal = None
        new.actor = self.actor
        new.phase = self.phase
        new.turn = self.turn
        new.turns = self.turns
        new.ending = self.ending
        new.tiles = self.tiles
        new.owner = self.owner
        new.height = self.height
        new.home = self.home
        new.districts = self.districts
        new.sites = self.sites
        new.supply = self.supply
        new.general = self.general
        new.points = self.points
        new.park_height = self.park_height
        new.alea_supply = self.alea_supply
        new.hand = self.hand[:]
        new.known = self.known[:]
        new.worth = self.worth[:]
        new.held = self.held[:]
        new.decks = self.decks
        new.fresh = self.fresh
        new.stocked = self.stocked
        new.black = self.black
        new.black_back = self.black_back
        new.shuffles = self.shuffles
        new.row = self.row
        new.shop = self.shop
        new.placed = self.placed
        new.park = self.park
        new.shown = self.shown
        new.commissioners = self.commissioners
        new.marks = self.marks
        new.stopped = self.stopped
        new.first_move = self.first_move
        new.lot = self.lot
        if self.lot >= 0:
            new.lots = self.lots
            new.lot_suits = self.lot_suits
            new.full = self.full
            new.passed = self.passed
            new.bid_turns = self.bid_turns
            new.raising = self.raising
            new.suits = self.suits
            new.bids = self.bids
            new.laid = self.laid
            new.high = self.high
            new.high_seat = self.high_seat
            new.alea_cards = self.alea_cards
