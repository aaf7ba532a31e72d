"""The state of a game of Manhattan: the deal, the legal actions and their effects.

Copies share the lists that change seldom: these are replaced, never changed in place. Only `cells`, `cities`,
`build_bits`, `chosen`, `hands` and `round_plays` are changed in place.
"""

from __future__ import annotations

from ..chance import ChanceSource
from ..contract import DREW, POINTS
from ..state import CountedState
from .actions import BUILD, CARD_OF, NUMBERS, SELECTED
from .board import (
    ALL_BLOCKS,
    CITIES,
    COLOUR_BLOCKS,
    COLOURS,
    GREW,
    HAND,
    HEIGHTS,
    NEW_DECK,
    ROUNDS,
    SITES,
    TIED,
    TOWERS,
    pack_cards,
)
from .options import Options
from .scoring import FOR_HIGHEST, awards, highest_height
from .tables import (
    GAPS,
    HALF,
    HEIGHT,
    ONE_BITS,
    ONE_TOWER,
    ONES,
    OWNER,
    PLANS,
    LookupTables,
    Plan,
    selections,
    table_for,
)


class State(CountedState):
    """A game of Manhattan. Seats, colours, cards, sites, cities and heights all count from 0; rounds from 1."""

    options: Options
    table: LookupTables
    chance: ChanceSource
    blocks: int
    """Blocks of each colour that are chosen per round."""
    round: int
    start: int
    """The seat that starts this round."""
    selecting: int
    """Selections still to be made before this round's building begins."""
    left: int
    """Blocks still to be placed or discarded in this round."""
    cells: list[int]
    """The cell of each tower; see tables.py."""
    cities: list[int]
    """The towers of each colour in each city, packed as in scoring.py."""
    build_bits: list[int]
    """The first halves of the sites' build bits, then the second halves; see tables.py."""
    chosen: list[int]
    """The blocks chosen for this round and not yet placed, packed, by colour."""
    supply: list[int]
    """The blocks not yet chosen, packed, by colour."""
    discarded: list[int]
    """The blocks discarded (MA-4), packed, by colour."""
    hands: list[int]
    """The cards, packed, by seat."""
    deck: list[int]
    """The cards of all decks so far, in order."""
    begun: int
    """The index in `deck` where the current deck begins."""
    drawn: int
    """The index in `deck` of the next card."""
    shuffles: int
    """How often the played cards have become a new deck."""
    past: list[int]
    """Builds and discards of earlier rounds, in order: action << 2 | seat. A draw followed each, from
    `deck[HAND * players]` on."""
    round_plays: list[int]
    """The same for this round."""
    points: list[int]

    __slots__ = tuple(__annotations__)

    def copy(self) -> State:
        new = State()
        new.players = self.players
        new.options = self.options
        new.table = self.table
        new.chance = self.chance
        new.journal = None
        new.actor = self.actor
        new.blocks = self.blocks
        new.round = self.round
        new.start = self.start
        new.selecting = self.selecting
        new.left = self.left
        new.cells = self.cells[:]
        new.cities = self.cities[:]
        new.build_bits = self.build_bits[:]
        new.chosen = self.chosen[:]
        new.supply = self.supply
        new.discarded = self.discarded
        new.hands = self.hands[:]
        new.deck = self.deck
        new.begun = self.begun
        new.drawn = self.drawn
        new.shuffles = self.shuffles
        new.past = self.past
        new.round_plays = self.round_plays[:]
        new.points = self.points
        return new

    def legal(self) -> list[int]:
        seat = self.actor
        if self.left == 0:
            return [] if seat < 0 else selections(self.supply[self.selecting_colour()], self.blocks)
        table = self.table
        have = table.have[self.chosen[seat]]
        if table.named:
            have |= table.have[self.chosen[seat + 2]] << 1
        hand = self.hands[seat]
        build_bits = self.build_bits
        legal: list[int] = []
        for site, shift, low, middle, high in table.plans[seat][((hand | hand >> 1 | hand >> 2) & ONES) % PLANS]:
            bits = build_bits[site] >> shift & have
            first, second, third = low[bits & 255], middle[bits >> 8 & 255], high[bits >> 16]
            legal += first
            legal += second
            legal += third
        return legal or self._discards(seat)

    def count_legal(self) -> int:
        if self.left == 0:
            return len(self.legal())
        seat = self.actor
        have = self._have(seat)
        build_bits = self.build_bits
        count = 0
        for site, shift, _, _, _ in self._plan(seat):
            bits = build_bits[site] >> shift & have
            count += ONE_BITS[bits & 4095] + ONE_BITS[bits >> 12]
        return count or len(self._discards(seat))

    def legal_at(self, index: int) -> int:
        if self.left == 0:
            return self.legal()[index]
        seat = self.actor
        have = self._have(seat)
        build_bits = self.build_bits
        for site, shift, low, middle, high in self._plan(seat):
            bits = build_bits[site] >> shift & have
            count = ONE_BITS[bits & 4095] + ONE_BITS[bits >> 12]
            if index < count:
                return (low[bits & 255] + middle[bits >> 8 & 255] + high[bits >> 16])[index]
            index -= count
        return self._discards(seat)[index]

    def _have(self, seat: int) -> int:
        """Return the mask of the 24 bits that the seat's blocks allow, as `legal` computes it in place."""
        have = self.table.have
        return have[self.chosen[seat]] | (have[self.chosen[seat + 2]] << 1 if self.table.named else 0)

    def _plan(self, seat: int) -> Plan:
        """Return the parts for the positions that the seat holds, as `legal` computes them in place."""
        hand = self.hands[seat]
        return self.table.plans[seat][((hand | hand >> 1 | hand >> 2) & ONES) % PLANS]

    def selecting_colour(self) -> int:
        """Return the colour for which blocks are chosen now."""
        owned = self.table.owned[self.actor]
        return owned[-self.selecting % len(owned)]

    def _discards(self, seat: int) -> list[int]:
        """Return the legal discards of a seat that cannot place a block (MA-4)."""
        owned = self.table.owned[seat]
        return [
            NUMBERS[card, -1, height, colour if self.table.named else -1]
            for card in range(SITES)
            if self.hands[seat] >> 3 * card & 7
            for height in range(len(HEIGHTS))
            for colour in owned
            if self.chosen[colour] >> 4 * height & 15
        ]

    def apply(self, action: int) -> None:
        if action < BUILD:
            self._select(action)
            return
        seat = self.actor
        table = self.table
        tower, site, city, block, colour, piece, card = table.moves[seat][action]
        chosen = self.chosen
        chosen[colour] = chosen[colour] - piece
        if tower >= 0:
            cells = self.cells
            cell = cells[tower]
            key = (cell & GAPS) << 4 | block
            step, first, second = table.steps[key] or table.step(key)
            cells[tower] = (cell >> HEIGHT << HEIGHT) + step
            before = cell >> OWNER & 7
            after = step >> OWNER & 7
            if before != after:
                cities = self.cities
                cities[city] = cities[city] + ONE_TOWER[after] - ONE_TOWER[before]
            if before and self.journal is not None:
                self.journal.append((GREW, seat, cells[tower] >> HEIGHT, before - 1, colour))
            build_bits = self.build_bits
            shift = table.width * city
            build_bits[site] = build_bits[site] ^ first << shift
            build_bits[site + SITES] = build_bits[site + SITES] ^ second << shift
        else:
            discarded = self.discarded[:]
            discarded[colour] += piece
            self.discarded = discarded
        self.round_plays.append(action << 2 | seat)
        if self.drawn == len(self.deck):
            self._shuffle()
        drawn = self.deck[self.drawn]
        self.drawn += 1
        hands = self.hands
        hands[seat] = hands[seat] + (1 << 3 * drawn) - card
        if self.journal is not None:
            self.journal.append((DREW, seat, drawn))
        self.left -= 1
        if self.left:
            self.actor = table.next_seat[seat]
        else:
            self._end_round()

    def _select(self, action: int) -> None:
        """Choose blocks for one colour; after the last selection, begin building."""
        colour = self.selecting_colour()
        blocks = SELECTED[action]
        supply = self.supply[:]
        supply[colour] -= blocks
        self.supply = supply
        self.chosen[colour] = blocks
        self.selecting -= 1
        owned = len(self.table.owned[0])
        if self.selecting % owned == 0:
            self.actor = self.table.next_seat[self.actor]
        if self.selecting == 0:
            self.left = self.players * owned * self.blocks

    def rounds(self) -> int:
        """Return the number of rounds, in which all blocks are used up."""
        return COLOUR_BLOCKS // self.blocks

    def plays(self) -> list[int]:
        """Return all builds and discards so far, as in `past`."""
        return self.past + self.round_plays

    def pile_start(self) -> int:
        """Return the index in `plays()` of the first play after the last shuffle."""
        return self.begun - HAND * self.players + 1 if self.begun else 0

    def _shuffle(self) -> None:
        """Shuffle the played cards into a new deck (MA-3)."""
        pile = [CARD_OF[play >> 2] for play in self.plays()[self.pile_start() :]]
        self.shuffles += 1
        self.chance.stream(f"deck {self.shuffles}").shuffle(pile)
        self.begun = len(self.deck)
        self.deck = self.deck + pile
        if self.journal is not None:
            self.journal.append(("shuffled", -1, len(pile)))

    def _end_round(self) -> None:
        """Score the round, then begin the next one or end the game."""
        points = self.points[:]
        scored = awards(self.cells, self.cities)
        if self.journal is not None and scored[0][2] != FOR_HIGHEST:
            self.journal.append((TIED, -1, *highest_height(self.cells)))
        for count, colour, what in scored:
            points[colour % self.players] += count
            if self.journal is not None:
                self.journal.append((POINTS, colour % self.players, count, what * len(COLOURS) + colour))
        self.points = points
        self.past = self.plays()
        self.round_plays = []
        if self.round == self.rounds():
            self.actor = -1
            return
        self.round += 1
        self.start = self.actor = self.table.next_seat[self.start]
        self.selecting = sum(map(len, self.table.owned))
        if self.journal is not None:
            self.journal.append(("round", self.start, self.round))

    def is_over(self) -> bool:
        return self.actor < 0

    def scores(self) -> list[int]:
        return self.points[:]

    def standing(self) -> list[tuple[int, ...]]:
        """Return by seat what it is ranked by: its points alone (MA-5)."""
        return [(points,) for points in self.points]

    def reason(self) -> str:
        """Return `rounds`, which ends every game; empty before the end."""
        return ROUNDS if self.actor < 0 else ""


def deal(options: Options, players: int, chance: ChanceSource) -> State:
    """Return the state before the first decision."""
    deck = NEW_DECK[:]
    chance.stream("deck 0").shuffle(deck)
    state = State()
    state.players = players
    state.options = options
    state.table = table_for(players)
    state.chance = chance
    state.journal = None
    state.actor = state.start = 0
    state.blocks = options.per_round(players)
    state.round = 1
    state.selecting = sum(map(len, state.table.owned))
    state.left = 0
    state.cells = [0] * TOWERS
    state.cities = [0] * len(CITIES)
    state.build_bits = [HALF] * (2 * SITES)
    state.chosen = [0] * len(COLOURS)
    state.supply = [ALL_BLOCKS] * len(COLOURS)
    state.discarded = [0] * len(COLOURS)
    state.hands = [pack_cards(deck[HAND * seat : HAND * (seat + 1)]) for seat in range(players)]
    state.deck = deck
    state.begun = 0
    state.drawn = HAND * players
    state.shuffles = 0
    state.past = []
    state.round_plays = []
    state.points = [0] * players
    return state
