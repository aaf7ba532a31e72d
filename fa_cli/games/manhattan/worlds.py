"""The states that a game of Manhattan could be in, as far as one seat knows: the hands and the deck dealt anew.

At each shuffle everybody learns what the deck consists of, and with it what all hands hold together. From then on a
card played by another seat came either from its hand of that moment (an old card) or from the deck (a new card); cards
of the same position are alike, so nobody can tell which. A world is made by deciding that for every such play, in
order, by how likely each is, and by dealing out what is left of the old and of the new cards.
"""

from __future__ import annotations

import random

from ..chance import FreeChance
from .actions import CARD_OF
from .board import HAND, SITES, pack_cards
from .knowledge import Knowledge, first_drawer
from .state import State

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
        self.old = known.others_had[:]
        """By card: how many old cards are not given."""
        self.new = known.shuffled[:]
        """By card: how many new cards are not given."""
        for place in known.drawn:
            self.new[state.deck[place]] -= 1
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
        world.chance = FreeChance(generator)
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


def determinise(state: State, seat: int, generator: random.Random) -> State:
    """A copy in which all that the seat can't know is drawn anew: the other hands and the deck, and what is to come.

    Two things that a very attentive player could use are not: with three or more players, which of the others held
    what before the last shuffle; and that a discard shows a whole hand to be unplaceable (MA-4).
    """
    known = Knowledge(state, seat)
    for _ in range(_TRIES):
        world = _World(state, seat, known)
        if world.explain(generator):
            return world.finish(state, generator)
    world = _World(state, seat, known)
    world.explain(generator, world.old_plays())
    return world.finish(state, generator)
