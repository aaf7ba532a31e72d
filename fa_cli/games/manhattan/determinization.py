"""Determinization of Manhattan: random states consistent with what one seat knows.

At each shuffle everybody learns which cards are in the deck, and so which cards all hands hold together. A card that
another seat plays later is either an old card, in its hand since the shuffle, or a new card, drawn from the deck. Cards
of the same position look alike, so nobody can tell which. To sample a state, each such play in order is taken to be of
an old or a new card at random, by their probabilities. Then the remaining old and new cards are dealt.
"""

from __future__ import annotations

import random
from functools import lru_cache

from ..chance import RandomChance
from .actions import ACTIONS, CARD_OF, NUMBERS
from .board import COLOURS, HAND, SITES, count_cards, pack_blocks, pack_cards
from .knowledge import Knowledge, first_drawer
from .state import State, deal
from .view import Observation, Tower

_number = lru_cache(maxsize=None)(ACTIONS.index)
_TRIES = 3  # the first nearly always succeeds


class _Sampler:
    """A partial deal: the cards assigned to the other seats so far, and the cards still to be assigned."""

    def __init__(self, state: State, seat: int, known: Knowledge) -> None:
        self.seat = seat
        self.plays = [(play & 3, CARD_OF[play >> 2]) for play in known.plays]
        """Seat and card of every play since the last shuffle; a draw followed each."""
        self.deck = state.deck[:]
        self.begun = state.begun
        self.dealt = known.dealt
        self.old = known.others_had(seat, state.hands[seat])
        """The old cards not yet assigned, by card."""
        self.new = count_cards(known.not_drawn[seat])
        """The new cards not yet assigned, by card."""
        self.old_slots = [HAND if other != seat and state.begun else 0 for other in range(state.players)]
        """The number of old cards still to be assigned to each seat."""
        self.new_slots: list[list[int]] = [[] for _ in range(state.players)]
        """The indices in the deck of each seat's draws to which no card is assigned yet."""
        for index in range(state.begun, known.dealt):
            drawer = first_drawer(state) if state.begun else index // HAND
            if drawer != seat:
                self.new_slots[drawer].append(index)
                if state.begun:
                    self.old_slots[drawer] -= 1  # it had just played a card when the deck was shuffled

    def assign_plays(self, generator: random.Random, quota: list[list[int]] | None = None) -> bool:
        """Assign the cards that have been played. Returns False at a dead end.

        Without a quota each play is of an old or a new card at random. With one (`old_plays`), the first plays of a
        seat and card are of old cards until the quota is used up, the others of new cards.
        """
        for index, (seat, card) in enumerate(self.plays, self.dealt):
            if seat == self.seat:
                continue
            slots = self.new_slots[seat]
            if quota is None:
                old = self.old_slots[seat] * self.old[card] / (sum(self.old) or 1)
                new = len(slots) * self.new[card] / (sum(self.new) or 1)
                if not old and not new:
                    return False
                is_old = generator.random() * (old + new) < old
            else:
                is_old = quota[seat][card] > 0
                quota[seat][card] -= 1
            if is_old:
                self.old[card] -= 1
                self.old_slots[seat] -= 1
            else:
                self.new[card] -= 1
                self.deck[slots.pop(int(generator.random() * len(slots)))] = card
            slots.append(index)
        return True

    def old_plays(self) -> list[list[int]]:
        """Return by seat, by card how many plays were of old cards, in one possible assignment.

        Each card needs enough plays of old cards that the new ones suffice for the rest, and each seat has a limited
        number of old cards. If a seat has none left, another seat takes over one of its plays of another card.
        """
        seats = range(len(self.old_slots))
        played = [[0] * SITES for _ in seats]
        for seat, card in self.plays:
            played[seat][card] += seat != self.seat
        quota = [[0] * SITES for _ in seats]
        slots = self.old_slots[:]
        fixed = [[0] * SITES for _ in seats]
        for seat in seats:
            first = next((card for player, card in self.plays if player == seat), -1)
            if first >= 0 and slots[seat] and not self.new_slots[seat]:
                slots[seat] -= 1  # it had drawn nothing yet, so its first play was of an old card
                quota[seat][first] = fixed[seat][first] = 1

        def add_old_play(card: int, visited: set[int]) -> bool:
            for seat in seats:
                if seat in visited or quota[seat][card] == played[seat][card]:
                    continue
                visited.add(seat)
                if slots[seat]:
                    slots[seat] -= 1
                    quota[seat][card] += 1
                    return True
                for other in range(SITES):
                    if quota[seat][other] > fixed[seat][other] and add_old_play(other, visited):
                        quota[seat][other] -= 1
                        quota[seat][card] += 1
                        return True
            return False

        for card in range(SITES):
            needed = sum(plays[card] for plays in played) - self.new[card]
            while sum(counts[card] for counts in quota) < needed:
                add_old_play(card, set())
        return quota

    def finish(self, state: State, generator: random.Random) -> State:
        """Deal the remaining cards and return the complete state."""
        old = [card for card, count in enumerate(self.old) for _ in range(count)]
        new = [card for card, count in enumerate(self.new) for _ in range(count)]
        generator.shuffle(old)
        generator.shuffle(new)
        sample = state.copy()
        sample.chance = RandomChance(generator)
        for seat, slots in enumerate(self.new_slots):
            if seat == self.seat:
                continue
            hand = [old.pop() for _ in range(self.old_slots[seat])]
            for index in slots:
                self.deck[index] = new.pop()
                hand.append(self.deck[index])
            sample.hands[seat] = pack_cards(hand)
        # nothing depends on earlier decks any more
        sample.deck = [0] * self.begun + self.deck[self.begun : state.drawn] + new
        return sample


def resample_from_infostate(state: State, seat: int, generator: random.Random) -> State:
    """Return a copy with everything hidden from the seat drawn at random: the other hands, the deck, chance to come.

    Two inferences open to a very attentive player are not made: with three or more players, who of the others held
    which cards before the last shuffle; and that a discard shows a hand without a legal build (MA-4).
    """
    known = Knowledge(state)
    for _ in range(_TRIES):
        sampler = _Sampler(state, seat, known)
        if sampler.assign_plays(generator):
            return sampler.finish(state, generator)
    sampler = _Sampler(state, seat, known)
    sampler.assign_plays(generator, sampler.old_plays())
    return sampler.finish(state, generator)


def sample_state(seen: Observation, generator: random.Random) -> State:
    """Return a random state in which the seat has exactly this observation."""
    players = len(seen.seats)
    state = deal(seen.options, players, RandomChance(generator))
    plays = _plays(seen)
    _build_towers(state, plays)
    state.actor, state.start, state.round = seen.actor, seen.start, seen.round
    state.points = [seat.points for seat in seen.seats]
    stocks = [seen.stocks.get(colour) for colour in COLOURS]
    state.supply = [pack_blocks(tuple(stock.supply)) if stock else state.supply[0] for stock in stocks]
    state.chosen = [pack_blocks(tuple(stock.chosen)) if stock else 0 for stock in stocks]
    state.discarded = [pack_blocks(tuple(stock.discarded)) if stock else 0 for stock in stocks]
    owned = state.table.owned
    state.selecting = state.left = 0
    if seen.colour is not None:
        before = (seen.actor - seen.start) % players * len(owned[0])
        state.selecting = sum(map(len, owned)) - before - owned[seen.actor].index(COLOURS.index(seen.colour))
    elif seen.phase == "build":
        state.left = sum(sum(stock.chosen) for stock in seen.stocks.values())
    in_round = sum(map(len, owned)) * seen.blocks - state.left if state.left else 0
    state.past, state.round_plays = plays[: len(plays) - in_round], plays[len(plays) - in_round :]
    _set_cards(state, seen)
    return resample_from_infostate(state, seen.seat, generator)


def _plays(seen: Observation) -> list[int]:
    """Return plays that lead to this board, as in `State.past`.

    Those since the last shuffle are in their order, earlier ones in any order. Of the earlier plays only the seat of
    the last one matters (`first_drawer`), and it follows from their number.
    """
    recent = [_number(played.action) << 2 | played.seat for played in seen.cards.played]
    earlier = _earlier_plays(seen)
    if seen.cards.shuffles:
        seat = _seat_of(seen, sum(map(len, earlier)) - 1)
        earlier.sort(key=lambda group: group[-1] & 3 == seat)
    return [play for group in earlier for play in group] + recent


def _earlier_plays(seen: Observation) -> list[list[int]]:
    """Return the plays before those in `seen.cards.played`, grouped: one tower from the ground up, or one discard."""
    owners = {colour: number for number, seat in enumerate(seen.seats) for colour in seat.colours}
    named = {colour: COLOURS.index(colour) if len(seen.seats) == 2 else -1 for colour in owners}
    towers, discarded = _earlier_blocks(seen)
    groups = []
    for (city, site), blocks in towers.items():
        group = []
        for colour, height in blocks:
            owner = owners[colour]
            card = seen.seats[owner].sites.index(site + 1)
            group.append(NUMBERS[card, city, height - 1, named[colour]] << 2 | owner)
        if group:
            groups.append(group)
    for colour, counts in discarded.items():
        for height, count in enumerate(counts):
            groups += [[NUMBERS[0, -1, height, named[colour]] << 2 | owners[colour]]] * count
    return groups


def _earlier_blocks(seen: Observation) -> tuple[dict[tuple[int, int], list[tuple[str, int]]], dict[str, list[int]]]:
    """Return blocks by city and site and discarded blocks by colour, without the plays in `seen.cards.played`."""
    cities = list(seen.cities)
    towers = {
        (city, site): _blocks(tower) for city, name in enumerate(cities) for site, tower in enumerate(seen.cities[name])
    }
    discarded = {colour: stock.discarded[:] for colour, stock in seen.stocks.items()}
    for play in reversed(seen.cards.played):
        kind, card, *rest = play.action.split()
        seat = seen.seats[play.seat]
        if kind == "build":
            towers[cities.index(rest[0]), seat.sites[int(card) - 1] - 1].pop()
        else:
            discarded[rest[1] if len(rest) > 1 else seat.colours[0]][int(rest[0]) - 1] -= 1
    return towers, discarded


def _blocks(tower: Tower | None) -> list[tuple[str, int]]:
    """Return colour and height of a tower's blocks, from the ground up."""
    pairs = (block.split() for block in tower.blocks) if tower else ()
    return [(colour, int(height)) for colour, height in pairs]


def _seat_of(seen: Observation, play: int) -> int:
    """Return the seat that made the play with this number, from 0. Each round is begun by the next seat."""
    players = len(seen.seats)
    in_round = seen.blocks * len(seen.stocks)
    return (play // in_round + play % in_round) % players


def _build_towers(state: State, plays: list[int]) -> None:
    """Put the blocks on the board. Whatever else these plays change is set afterwards."""
    state.deck = [0] * (state.drawn + len(plays))
    state.left = len(plays) + 1
    for play in plays:
        state.actor = play & 3
        state.apply(play >> 2)


def _set_cards(state: State, seen: Observation) -> None:
    """Set the seat's hand and the part of the deck that it knows; `resample_from_infostate` deals the rest."""
    cards = seen.cards
    plays = len(state.past) + len(state.round_plays)
    state.drawn = HAND * state.players + plays
    state.shuffles = cards.shuffles
    state.begun = plays - len(cards.played) + HAND * state.players - 1 if cards.shuffles else 0
    state.hands[seen.seat] = pack_cards([card - 1 for card in seen.hand])
    state.deck = [0] * (state.begun + sum(cards.shuffled))
    own = dict(zip(Knowledge(state).draws[seen.seat], (card - 1 for card in cards.drawn), strict=True))
    rest = [card for card in range(SITES) for _ in range(cards.shuffled[card] - list(own.values()).count(card))]
    state.deck = [0] * state.begun + [
        own[index] if index in own else rest.pop() for index in range(state.begun, len(state.deck))
    ]
