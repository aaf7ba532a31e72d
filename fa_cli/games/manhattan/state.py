"""Manhattan under way: the deal, whose turn it is, what may be done and what it does.

Lists that change seldom are never changed in place but replaced, so that copies share them; only `cells`,
`cities`, `ways`, `chosen`, `hands` and `recent` are changed in place.
"""

from __future__ import annotations

from typing import Any

from ..chance import ChanceSource
from ..contract import DREW, POINTS
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
from .tables import GAPS, HALF, HEIGHT, ONE_TOWER, ONES, OWNER, PLANS, Table, selections, table_for


class State:
    """A game of Manhattan. Seats, colours, cards, sites, cities and heights all count from 0; rounds from 1."""

    __slots__ = (
        "actor",
        "begun",
        "blocks",
        "cells",
        "chance",
        "chosen",
        "cities",
        "deck",
        "drawn",
        "gone",
        "hands",
        "journal",
        "left",
        "options",
        "past",
        "players",
        "points",
        "recent",
        "round",
        "selecting",
        "shuffles",
        "start",
        "supply",
        "table",
        "ways",
    )

    players: int
    options: Options
    table: Table
    chance: ChanceSource
    journal: list[tuple[Any, ...]] | None
    actor: int
    """The seat that decides; -1 when the game is over."""
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
    """By tower: see tables.py."""
    cities: list[int]
    """By city: how many towers each colour has, eight bits for each."""
    ways: list[int]
    """By site, twice: see tables.py."""
    chosen: list[int]
    """By colour: the blocks chosen for this round and not yet placed, packed."""
    supply: list[int]
    """By colour: the blocks not yet chosen, packed."""
    gone: list[int]
    """By colour: the blocks discarded (MA-4), packed."""
    hands: list[int]
    """By seat: the cards, packed."""
    deck: list[int]
    """Every card in the order of all the decks so far."""
    begun: int
    """Where in `deck` the present deck begins."""
    drawn: int
    """Where in `deck` its next card is."""
    shuffles: int
    """How often the played cards have become a new deck."""
    past: list[int]
    """Builds and discards of the rounds before, in order: action << 2 | seat. Each was followed by a draw, from
    `deck[HAND * players]` on."""
    recent: list[int]
    """The same of this round."""
    points: list[int]

    def copy(self) -> State:
        """An independent state; its journal is None."""
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
        new.ways = self.ways[:]
        new.chosen = self.chosen[:]
        new.supply = self.supply
        new.gone = self.gone
        new.hands = self.hands[:]
        new.deck = self.deck
        new.begun = self.begun
        new.drawn = self.drawn
        new.shuffles = self.shuffles
        new.past = self.past
        new.recent = self.recent[:]
        new.points = self.points
        return new

    def legal(self) -> list[int]:
        """All legal actions, in table order, without duplicates."""
        seat = self.actor
        if self.left == 0:
            return [] if seat < 0 else selections(self.supply[self.selecting_colour()], self.blocks)
        table = self.table
        have = table.have[self.chosen[seat]]
        if table.named:
            have |= table.have[self.chosen[seat + 2]] << 1
        hand = self.hands[seat]
        ways = self.ways
        legal: list[int] = []
        for site, shift, low, middle, high in table.plans[seat][((hand | hand >> 1 | hand >> 2) & ONES) % PLANS]:
            bits = ways[site] >> shift & have
            some, more, rest = low[bits & 255], middle[bits >> 8 & 255], high[bits >> 16]
            legal += some
            legal += more
            legal += rest
        return legal or self._discards(seat)

    def selecting_colour(self) -> int:
        """The colour that blocks are chosen for now."""
        owned = self.table.owned[self.actor]
        return owned[-self.selecting % len(owned)]

    def _discards(self, seat: int) -> list[int]:
        """The legal discards of a seat that can place nothing (MA-4)."""
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
        """Play one of `legal()`; nothing is checked."""
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
            ways = self.ways
            shift = table.width * city
            ways[site] = ways[site] ^ first << shift
            ways[site + SITES] = ways[site + SITES] ^ second << shift
        else:
            gone = self.gone[:]
            gone[colour] += piece
            self.gone = gone
        self.recent.append(action << 2 | seat)
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
        """Choose blocks for one colour; after the last selection the building begins."""
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
        """How many rounds the game has: as many as the blocks last."""
        return COLOUR_BLOCKS // self.blocks

    def plays(self) -> list[int]:
        """All builds and discards so far, as in `past`."""
        return self.past + self.recent

    def pile_start(self) -> int:
        """Where in `plays()` the played cards begin that are not in the deck again."""
        return self.begun - HAND * self.players + 1 if self.begun else 0

    def _shuffle(self) -> None:
        """Turn the played cards into the new deck (MA-3)."""
        pile = [CARD_OF[play >> 2] for play in self.plays()[self.pile_start() :]]
        self.shuffles += 1
        self.chance.stream(f"deck {self.shuffles}").shuffle(pile)
        self.begun = len(self.deck)
        self.deck = self.deck + pile
        if self.journal is not None:
            self.journal.append(("shuffled", -1, len(pile)))

    def _end_round(self) -> None:
        """Score the round; begin the next, or end the game."""
        points = self.points[:]
        found = awards(self.cells, self.cities)
        if self.journal is not None and found[0][2] != FOR_HIGHEST:
            self.journal.append((TIED, -1, *highest_height(self.cells)))
        for count, colour, what in found:
            points[colour % self.players] += count
            if self.journal is not None:
                self.journal.append((POINTS, colour % self.players, count, what * len(COLOURS) + colour))
        self.points = points
        self.past = self.plays()
        self.recent = []
        if self.round == self.rounds():
            self.actor = -1
            return
        self.round += 1
        self.start = self.actor = self.table.next_seat[self.start]
        self.selecting = sum(map(len, self.table.owned))
        if self.journal is not None:
            self.journal.append(("round", self.start, self.round))

    def is_over(self) -> bool:
        """Whether the last round has been scored."""
        return self.actor < 0

    def scores(self) -> list[int]:
        """Points per seat."""
        return self.points[:]

    def standing(self) -> list[tuple[int, ...]]:
        """Per seat what it is ranked by (MA-5)."""
        return [(points,) for points in self.points]

    def reason(self) -> str:
        """The game's word for why it ended; empty before."""
        return ROUNDS if self.actor < 0 else ""


def deal(options: Options, players: int, chance: ChanceSource) -> State:
    """The state before the first decision."""
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
    state.ways = [HALF] * (2 * SITES)
    state.chosen = [0] * len(COLOURS)
    state.supply = [ALL_BLOCKS] * len(COLOURS)
    state.gone = [0] * len(COLOURS)
    state.hands = [pack_cards(deck[HAND * seat : HAND * (seat + 1)]) for seat in range(players)]
    state.deck = deck
    state.begun = 0
    state.drawn = HAND * players
    state.shuffles = 0
    state.past = []
    state.recent = []
    state.points = [0] * players
    return state
