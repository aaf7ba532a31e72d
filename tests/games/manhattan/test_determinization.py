"""Determinization: sampled states look the same to the seat, are possible, and differ in what is hidden."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import msgspec
import pytest

from fa_cli.games.manhattan import GAME, determinization
from fa_cli.games.manhattan.actions import CARD_OF
from fa_cli.games.manhattan.knowledge import Knowledge
from fa_cli.games.manhattan.state import State

from .positions import NAMED, hand, start, states


def check(world: State, state: State, seat: int) -> None:
    """Check that a sampled state looks the same to the seat, has all cards, and explains everybody's plays."""
    assert msgspec.json.encode(GAME.observe(world, seat)) == msgspec.json.encode(GAME.observe(state, seat))
    assert world.hands[seat] == state.hands[seat]
    pile = [CARD_OF[play >> 2] + 1 for play in world.plays()[world.pile_start() :]]
    cards = [card for other in range(world.players) for card in hand(world, other)]
    assert Counter(cards + pile + [card + 1 for card in world.deck[world.drawn :]]) == dict.fromkeys(range(1, 10), 5)
    assert Counter(world.deck[world.begun :]) == Counter(state.deck[state.begun :])
    for other in range(world.players):
        seen = GAME.observe(world, other).cards  # its draws and plays, as they are in this world
        held = Counter(hand(world, other)) - Counter()
        held.update(play.card for play in seen.played if play.seat == other)
        held.subtract(seen.drawn)
        assert min(held.values()) >= 0  # what it held at the last shuffle
        replay(world, other, held, seen.drawn)


def replay(world: State, seat: int, held: Counter[int], draws: list[int]) -> None:
    """Repeat the seat's plays since the last shuffle, starting with the hand it held then."""
    first = 4 if not world.begun else sum(held.values()) == 3
    coming = iter(draws)
    held.update(next(coming) for _ in range(first))
    for play in world.plays()[world.pile_start() :]:
        if play & 3 == seat:
            held[CARD_OF[play >> 2] + 1] -= 1
            assert held[CARD_OF[play >> 2] + 1] >= 0
            held[next(coming)] += 1
    assert sorted(held.elements()) == hand(world, seat)


@pytest.mark.parametrize(("players", "blocks"), NAMED)
@pytest.mark.parametrize("tries", [3, 0])
def test_worlds(players: int, blocks: str, tries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `tries` 0 sampling works as after dead ends only."""
    monkeypatch.setattr(determinization, "_TRIES", tries)
    generator = Random(players)
    hands = decks = 0
    for number, state in enumerate(states(players, blocks, 31)):
        if number % 4 == 0:
            for seat in range(players):
                before = state.copy()
                world = GAME.resample_from_infostate(state, seat, generator)
                assert (state.hands, state.deck) == (before.hands, before.deck)
                check(world, state, seat)
                hands += world.hands != state.hands
                decks += world.deck[world.drawn :] != state.deck[state.drawn :]
    assert hands > 20 and decks > 20


def test_dead_ends_are_met_and_left() -> None:
    """With three players random assignments can end in dead ends; the quota of old cards never does."""
    generator = Random(1)
    dead = 0
    for number in range(12):
        for state in states(3, "auto", number):
            for seat in range(3):
                known = Knowledge(state)
                dead += not determinization._Sampler(state, seat, known).assign_plays(generator)
                sampler = determinization._Sampler(state, seat, known)
                assert sampler.assign_plays(generator, sampler.old_plays())
                assert min(sampler.old + sampler.new + sampler.old_slots) >= 0
    assert dead > 0


def test_worlds_are_all_that_could_be_and_no_other() -> None:
    """With two players, a few turns after a shuffle: exactly the opponent's possible hands are sampled."""
    counted = 0
    for seed in range(6):
        for state in states(2, "auto", seed):
            since = state.plays()[state.pile_start() :]
            if state.shuffles == 1 and state.left and len(since) == 4:
                seat = state.actor
                reached = Counter(
                    tuple(hand(GAME.resample_from_infostate(state, seat, Random(n)), 1 - seat)) for n in range(1500)
                )
                possible = possible_hands(state, seat)
                assert set(reached) <= possible
                assert sum(1 for cards in possible if cards not in reached) <= len(possible) // 10
                counted += len(possible)
    assert counted > 60


def possible_hands(state: State, seat: int) -> set[tuple[int, ...]]:
    """Return every possible hand of the only opponent, from all cards that it can have drawn since the shuffle."""
    cards = GAME.observe(state, seat).cards
    own = Counter(hand(state, seat)) + Counter(play.card for play in cards.played if play.seat == seat)
    own.subtract(cards.drawn)
    old = {card: 5 - cards.shuffled[card - 1] - own[card] for card in range(1, 10)}
    new = {card: cards.shuffled[card - 1] - cards.drawn.count(card) for card in range(1, 10)}
    played = [play.card for play in cards.played if play.seat != seat]
    first = 4 - sum(old.values())
    found = set()
    for draws in product(range(1, 10), repeat=first + len(played)):
        if any(draws.count(card) > new[card] for card in draws):
            continue
        held = Counter(old)
        held.update(draws[:first])
        for card, drawn in zip(played, draws[first:], strict=True):
            if not held[card]:
                break
            held[card] -= 1
            held[drawn] += 1
        else:
            found.add(tuple(sorted(held.elements())))
    return found


def test_a_world_depends_on_the_generator_alone() -> None:
    """Two states that a seat cannot tell apart give the same samples and the same later chance."""
    state = start(3)
    other = state.copy()
    other.deck = state.deck[:12] + state.deck[:11:-1]
    other.chance = start(3, "auto", bytes(32)).chance
    ends = []
    for some in (state, other):
        world = GAME.resample_from_infostate(some, 1, Random(5))
        while not world.is_over():
            world.apply(world.legal()[0])
        ends.append((world.scores(), world.hands, world.cells))
    assert ends[0] == ends[1]


def test_unseen_cards_are_dealt_evenly() -> None:
    """Before the first play each unseen card is in a rival's hand with the right probability."""
    state = start(4)
    unseen = 5 - hand(state, 0).count(7)
    held = sum(hand(GAME.resample_from_infostate(state, 0, Random(n)), 2).count(7) for n in range(2000))
    expected = 2000 * 4 * unseen / 41
    assert abs(held - expected) < 5 * expected**0.5
