"""The states that a game of Manhattan could be in, as far as one seat knows: the hands and the deck dealt anew.

At each shuffle everybody learns what the deck consists of, and with it what all hands hold together. From then on a
card played by another seat came either from its hand of that moment (an old card) or from the deck (a new card); cards
of the same position are alike, so nobody can tell which. A world is made by deciding that for every such play, in
order, by how likely each is, and by dealing out what is left of the old and of the new cards.
"""

from __future__ import annotations

import random
from functools import lru_cache

from ..chance import RandomChance
from .actions import ACTIONS, CARD_OF, NUMBERS
from .board import COLOURS, HAND, SITES, pack_blocks, pack_cards
from .knowledge import Knowledge, first_drawer
from .state import State, deal
from .view import Observation, Tower

_number = lru_cache(maxsize=None)(ACTIONS.index)
_TRIES = 3  # almost always the first will do


class _World:
    """A world in the making: what the other seats have been given so far, and what is still to be given."""

    def __init__(self, state: State, seat: int, known: Knowledge) -> None:
        self.seat = seat
        self.plays = [(play & 3, CARD_OF[play >> 2]) for play in known.plays]
        """Seat and card of every play since the last shuffle; each was followed by a draw."""
        self.deck = state.deck[:]
        self.begun = state.begun
        self.dealt = known.dealt
        self.old = known.others_had(seat, state.hands[seat])
        """By card: how many old cards are not given."""
        self.new = known.strange[seat][:]
        """By card: how many new cards are not given."""
        self.room = [HAND if other != seat and state.begun else 0 for other in range(state.players)]
        """By seat: how many old cards it is still to be given."""
        self.open: list[list[int]] = [[] for _ in range(state.players)]
        """By seat: the places in the deck that it drew new cards from which are not given."""
        for place in range(state.begun, known.dealt):
            who = first_drawer(state) if state.begun else place // HAND
            if who != seat:
                self.open[who].append(place)
                if state.begun:
                    self.room[who] -= 1  # who turned the played cards over had just played one

    def explain(self, generator: random.Random, quota: list[list[int]] | None = None) -> bool:
        """Give out the cards that have been played; false when that comes to a dead end.

        With a quota (`old_plays`) the first so many plays of a seat and card are of old cards, the others of new ones.
        """
        for place, (who, card) in enumerate(self.plays, self.dealt):
            if who == self.seat:
                continue
            places = self.open[who]
            if quota is None:
                old = self.room[who] * self.old[card] / (sum(self.old) or 1)
                new = len(places) * self.new[card] / (sum(self.new) or 1)
                if not old and not new:
                    return False
                is_old = generator.random() * (old + new) < old
            else:
                is_old = quota[who][card] > 0
                quota[who][card] -= 1
            if is_old:
                self.old[card] -= 1
                self.room[who] -= 1
            else:
                self.new[card] -= 1
                self.deck[places.pop(int(generator.random() * len(places)))] = card
            places.append(place)
        return True

    def old_plays(self) -> list[list[int]]:
        """By seat, by card: how many plays were of old cards, in one way in which the cards can have been.

        A card needs so many that the new ones suffice for its other plays, and a seat has only so many old cards. Where
        it has none left, it takes one back that another seat can give instead.
        """
        seats = range(len(self.room))
        played = [[0] * SITES for _ in seats]
        for who, card in self.plays:
            played[who][card] += who != self.seat
        quota = [[0] * SITES for _ in seats]
        room = self.room[:]
        sure = [[0] * SITES for _ in seats]
        for seat in seats:
            first = next((card for who, card in self.plays if who == seat), -1)
            if first >= 0 and room[seat] and not self.open[seat]:
                room[seat] -= 1  # it had drawn nothing yet
                quota[seat][first] = sure[seat][first] = 1

        def one_more(card: int, asked: set[int]) -> bool:
            for seat in seats:
                if seat in asked or quota[seat][card] == played[seat][card]:
                    continue
                asked.add(seat)
                if room[seat]:
                    room[seat] -= 1
                    quota[seat][card] += 1
                    return True
                for other in range(SITES):
                    if quota[seat][other] > sure[seat][other] and one_more(other, asked):
                        quota[seat][other] -= 1
                        quota[seat][card] += 1
                        return True
            return False

        for card in range(SITES):
            needed = sum(plays[card] for plays in played) - self.new[card]
            while sum(given[card] for given in quota) < needed:
                one_more(card, set())
        return quota

    def finish(self, state: State, generator: random.Random) -> State:
        """The state with what is left of the cards dealt out."""
        old = [card for card, count in enumerate(self.old) for _ in range(count)]
        new = [card for card, count in enumerate(self.new) for _ in range(count)]
        generator.shuffle(old)
        generator.shuffle(new)
        world = state.copy()
        world.chance = RandomChance(generator)
        for who, places in enumerate(self.open):
            if who == self.seat:
                continue
            hand = [old.pop() for _ in range(self.room[who])]
            for place in places:
                self.deck[place] = new.pop()
                hand.append(self.deck[place])
            world.hands[who] = pack_cards(hand)
        # the decks of before are forgotten: nothing depends on them any more
        world.deck = [0] * self.begun + self.deck[self.begun : state.drawn] + new
        return world


def resample_from_infostate(state: State, seat: int, generator: random.Random) -> State:
    """A copy in which all that the seat can't know is drawn anew: the other hands and the deck, and what is to come.

    Two things that a very attentive player could use are not: with three or more players, which of the others held
    what before the last shuffle; and that a discard shows a whole hand to be unplaceable (MA-4).
    """
    known = Knowledge(state)
    for _ in range(_TRIES):
        world = _World(state, seat, known)
        if world.explain(generator):
            return world.finish(state, generator)
    world = _World(state, seat, known)
    world.explain(generator, world.old_plays())
    return world.finish(state, generator)


def sample_state(seen: Observation, generator: random.Random) -> State:
    """A state in which the seat would see exactly this, drawn from those that are possible."""
    players = len(seen.seats)
    state = deal(seen.options, players, RandomChance(generator))
    plays = _plays(seen)
    _pile_up(state, plays)
    state.actor, state.start, state.round = seen.actor, seen.start, seen.round
    state.points = [seat.points for seat in seen.seats]
    stocks = [seen.stocks.get(colour) for colour in COLOURS]
    state.supply = [pack_blocks(tuple(stock.supply)) if stock else state.supply[0] for stock in stocks]
    state.chosen = [pack_blocks(tuple(stock.chosen)) if stock else 0 for stock in stocks]
    state.gone = [pack_blocks(tuple(stock.discarded)) if stock else 0 for stock in stocks]
    owned = state.table.owned
    state.selecting = state.left = 0
    if seen.colour is not None:
        before = (seen.actor - seen.start) % players * len(owned[0])
        state.selecting = sum(map(len, owned)) - before - owned[seen.actor].index(COLOURS.index(seen.colour))
    elif seen.phase == "build":
        state.left = sum(sum(stock.chosen) for stock in seen.stocks.values())
    here = sum(map(len, owned)) * seen.blocks - state.left if state.left else 0
    state.past, state.recent = plays[: len(plays) - here], plays[len(plays) - here :]
    _set_cards(state, seen)
    return resample_from_infostate(state, seen.seat, generator)


def _plays(seen: Observation) -> list[int]:
    """Plays that lead to this board, as in `State.past`: the last ones as they were, those before in some order.

    Of those before only the last one's seat matters (`first_drawer`), and it follows from how many there were.
    """
    last = [_number(played.action) << 2 | played.seat for played in seen.cards.played]
    before = _piles(seen)
    if seen.cards.shuffles:
        seat = _seat_of(seen, sum(map(len, before)) - 1)
        before.sort(key=lambda pile: pile[-1] & 3 == seat)
    return [play for pile in before for play in pile] + last


def _piles(seen: Observation) -> list[list[int]]:
    """The plays before those in `seen.cards.played`: each tower's from the ground up, each discard by itself."""
    owners = {colour: seat for seat, told in enumerate(seen.seats) for colour in told.colours}
    named = {colour: COLOURS.index(colour) if len(seen.seats) == 2 else -1 for colour in owners}
    towers, gone = _before(seen)
    piles = []
    for (city, site), blocks in towers.items():
        pile = []
        for colour, height in blocks:
            seat = owners[colour]
            card = seen.seats[seat].sites.index(site + 1)
            pile.append(NUMBERS[card, city, height - 1, named[colour]] << 2 | seat)
        if pile:
            piles.append(pile)
    for colour, counts in gone.items():
        for height, count in enumerate(counts):
            piles += [[NUMBERS[0, -1, height, named[colour]] << 2 | owners[colour]]] * count
    return piles


def _before(seen: Observation) -> tuple[dict[tuple[int, int], list[tuple[str, int]]], dict[str, list[int]]]:
    """Blocks by city and site, and discarded ones by colour, without those of the plays in `seen.cards.played`."""
    cities = list(seen.cities)
    towers = {
        (city, site): _blocks(tower) for city, name in enumerate(cities) for site, tower in enumerate(seen.cities[name])
    }
    gone = {colour: stock.discarded[:] for colour, stock in seen.stocks.items()}
    for play in reversed(seen.cards.played):
        kind, card, *rest = play.action.split()
        seat = seen.seats[play.seat]
        if kind == "build":
            towers[cities.index(rest[0]), seat.sites[int(card) - 1] - 1].pop()
        else:
            gone[rest[1] if len(rest) > 1 else seat.colours[0]][int(rest[0]) - 1] -= 1
    return towers, gone


def _blocks(tower: Tower | None) -> list[tuple[str, int]]:
    """Colour and height of a tower's blocks, from the ground up."""
    pairs = (block.split() for block in tower.blocks) if tower else ()
    return [(colour, int(height)) for colour, height in pairs]


def _seat_of(seen: Observation, play: int) -> int:
    """Whose turn the play of this number (from 0) was: each round is begun by the next seat."""
    players = len(seen.seats)
    in_round = seen.blocks * len(seen.stocks)
    return (play // in_round + play % in_round) % players


def _pile_up(state: State, plays: list[int]) -> None:
    """Put the blocks on the board. What else these plays change is set afterwards."""
    state.deck = [0] * (state.drawn + len(plays))
    state.left = len(plays) + 1
    for play in plays:
        state.actor = play & 3
        state.apply(play >> 2)


def _set_cards(state: State, seen: Observation) -> None:
    """The deck as far as this seat knows it and its hand; `resample_from_infostate` deals the rest."""
    told = seen.cards
    plays = len(state.past) + len(state.recent)
    state.drawn = HAND * state.players + plays
    state.shuffles = told.shuffles
    state.begun = plays - len(told.played) + HAND * state.players - 1 if told.shuffles else 0
    state.hands[seen.seat] = pack_cards([card - 1 for card in seen.hand])
    state.deck = [0] * (state.begun + sum(told.shuffled))
    mine = dict(zip(Knowledge(state).drawn[seen.seat], (card - 1 for card in told.drawn), strict=True))
    rest = [card for card in range(SITES) for _ in range(told.shuffled[card] - list(mine.values()).count(card))]
    state.deck = [0] * state.begun + [
        mine[place] if place in mine else rest.pop() for place in range(state.begun, len(state.deck))
    ]
