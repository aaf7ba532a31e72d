"""The engine against the plain reference: the same decisions and the same table at every step of many games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from fa_cli.game_result import rank_seats
from fa_cli.games.fifth_avenue import GAME
from fa_cli.games.fifth_avenue.view import Observation
from fa_cli.replay.record import Record
from tests.conftest import further

from ..policies import BOTS, EVERY, Policy, weighted
from .positions import observe
from .reference import COLOURS, DISTRICTS, Reference

NEVER = 1e-9
POLICIES = {
    **EVERY,
    "bidding": weighted(("business", 0.002), ("pass", 0.2), ("stop", 0.1), ("bid black", 0.5)),
    "eager": weighted(("business", NEVER), ("pass", 0.02), ("done", 0.1), ("stop", NEVER), ("build 0", 0.1)),
    "building": weighted(("business", 0.02), ("pass", 0.1), ("build 3", 9), ("build 2", 3), ("bid black", 0.2)),
    "stopping": weighted(("business", 0.03), ("stop", 20), ("pass", 0.2)),
    "scoring": weighted(("business", NEVER), ("score", 50), ("bid", NEVER), ("skyscrapers", NEVER)),
    "little": weighted(("business", NEVER), ("score", 9), ("bid", 0.03), ("skyscrapers", NEVER), ("bid black", 0.3)),
}


def table_of(state: Any, seen_by: int) -> dict[str, object]:
    """What lies on the table according to the engine, as this seat sees it, in the reference's words."""
    views: list[Observation] = [observe(state, seat) for seat in range(state.players)]
    view = views[seen_by]
    return {
        "hands": [{suit: values(each.hand[suit]) for suit in ("black", *COLOURS)} for each in views],
        "known": [{suit: values(seat.cards[suit][:3]) for suit in ("black", *COLOURS)} for seat in view.seats],
        "points": state.points,
        "supply": [(seat.supply, seat.general, seat.central_park) for seat in view.seats],
        "alea": view.alea_skyscrapers,
        "stacks": {colour: (stack.count, stack.top) for colour, stack in view.stacks.items()},
        "decks": [[4 + card % 3 for card in deck] for deck in state.decks],
        "black": [4 + card for card in state.black],
        "returned": view.black.returned,
        "board": {
            (district, plot): (content.businesses, [content.owner] * content.skyscrapers, content.value)
            for district, plots in view.board.items()
            for plot, content in plots.items()
        },
        "at": {who: commissioner.at for who, commissioner in view.commissioners.items()},
        "marks": {who: commissioner.marked for who, commissioner in view.commissioners.items()},
        "sets": [set_ for set_ in (sorted(view.businesses), *map(sorted, view.later_sets)) if set_],
        "park": view.park_tiles,
        "placed": view.placed,
    }


def values(counts: Sequence[int]) -> list[int]:
    """`[2, 0, 1]` as `[4, 4, 6]`."""
    return [4 + value for value, count in enumerate(counts) for _ in range(count)]


def table_by(reference: Reference) -> dict[str, object]:
    """What lies on the table according to the reference."""
    suits = ("black", *COLOURS)
    return {
        "hands": [{suit: sorted(hand[suit]) for suit in suits} for hand in reference.hands],
        "known": [
            {suit: sorted(value for (of, value) in known.elements() if of == suit) for suit in suits}
            for known in reference.known
        ],
        "points": reference.points,
        "supply": list(zip(reference.supply, reference.general, reference.at_park, strict=True)),
        "alea": reference.alea,
        "stacks": {colour: (len(deck), deck[0] if deck else None) for colour, deck in reference.decks.items()},
        "decks": list(reference.decks.values()),
        "black": reference.black,
        "returned": reference.returned,
        "board": {
            (district, plot): (
                reference.shops[district][plot],
                reference.houses[district][plot],
                reference.value(district, plot),
            )
            for district in DISTRICTS
            if district not in reference.stopped
            for plot in reference.plots
        },
        "at": reference.at,
        "marks": reference.marks,
        "sets": [sorted(tiles) for tiles in reference.sets],
        "park": reference.park,
        "placed": reference.placed,
    }


def play_both(
    players: int, side: str, setup: str, limit: int, seed: bytes, policy: Policy, every: int = 1
) -> Reference:
    """Play a game in both, comparing decisions always and the table every so many decisions and at the end."""
    generator = random.Random(seed)
    options = GAME.make_options({"side": side, "setup": setup, "turn_limit": limit})
    state: Any = GAME.start(options, players, seed)
    reference = Reference(players, side, setup, limit, seed)
    play = reference.run()
    ply = 0
    asked = next(play)
    while True:
        seat, wanted = asked
        legal = state.legal()
        texts = [GAME.actions[number] for number in legal]
        assert (state.actor, set(texts)) == (seat, wanted), f"{players} {side} {setup} {seed!r} ply {ply}"
        assert list(legal) == sorted(set(legal))
        if ply % every == 0:
            assert table_of(state, seat) == table_by(reference), f"{seed!r} ply {ply}"
        number = policy(GAME, state, generator)
        action = GAME.actions[number]
        state.apply(number)
        ply += 1
        try:
            asked = play.send(action)
        except StopIteration:
            break
    assert state.is_over() and state.actor == -1 and list(state.legal()) == []
    assert table_of(state, 0) == table_by(reference)
    assert (state.scores(), state.reason()) == (reference.points, reference.reason)
    assert rank_seats(state.standing()) == reference.ranks()
    return reference


def replay_in_both(record: Record) -> None:
    """Replay a recorded game in both."""
    actions, options = iter(record.actions), record.options
    play_both(
        len(record.players),
        str(options["side"]),
        str(options["setup"]),
        int(options["turn_limit"]),
        bytes.fromhex(record.seed),
        lambda game, state, dice: game.action_number(next(actions)),
        every=5,
    )


VARIANTS = [(n, side, setup) for n in (2, 3, 4) for side in ("five", "six") for setup in ("alea", "rio-grande")]


def play_many(
    policy: str, variants: Iterable[tuple[int, str, str]], rounds: int, limit: int, every: int = 11, first: int = 0
) -> Counter[str]:
    """Play a policy in these variants, from the round `first` on; what happened, counted."""
    events: Counter[str] = Counter()
    for number in range(first, rounds):
        for players, side, setup in variants:
            seed = f"{policy} {number} {players} {side} {setup}".encode().ljust(32, b".")[:32]
            reference = play_both(players, side, setup, limit, seed, POLICIES[policy], every)
            events += reference.events
            events[f"end by {reference.reason}"] += 1
    return events


def test_a_game_compared_at_every_step() -> None:
    for players, side, setup in VARIANTS:
        seed = f"every step {players} {side} {setup}".encode().ljust(32, b".")
        play_both(players, side, setup, 3, seed, POLICIES["bidding"])


@pytest.mark.parametrize(
    ("policy", "limit", "happens"),
    [
        ("uniform", 100, ["end by businesses", "Alea is highest", "who set the colour at Central Park passed"]),
        ("bidding", 40, ["shuffle", "auctions after the first action", "no skyscrapers left", "nobody bid"]),
        ("eager", 30, ["shuffle", "end by turn-limit", "both commissioners in the scored district"]),
        ("building", 60, ["special scoring", "end by stops", "a marker goes home", "left a stopped district"]),
        *further(
            ("stopping", 60, ["end by stops", "a marker goes home", "left a stopped district"]),
            ("hoarding", 50, ["one colour stack", "no colour stack", "no black card to be had"]),
            ("scoring", 50, ["too few black cards for D", "no black card to be had", "end by turn-limit"]),
            ("little", 50, ["shuffle of one card", "Alea ran out of cards"]),
            ("first", 60, ["no black card to be had", "no card for Alea", "end by turn-limit"]),
        ),
    ],
)
def test_engine_and_reference_agree(policy: str, limit: int, happens: list[str]) -> None:
    events = play_many(policy, VARIANTS, 1, limit)
    assert [event for event in happens if not events[event]] == []


def test_alea_without_pieces_and_without_cards() -> None:
    events = play_many("hoarding", [variant for variant in VARIANTS if variant[0] == 2], 5, 50)
    for event in ("Alea runs out of pieces", "Alea stops a district", "Alea stops a district without pieces"):
        assert events[event], event


@pytest.mark.parametrize("policy", BOTS)
def test_engine_and_reference_agree_as_bots_play(policy: str) -> None:
    assert play_many(policy, VARIANTS[::2], 1, 100)


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_engine_and_reference_agree_in_many_games(policy: str) -> None:
    """Tables are compared more seldom: what goes wrong on them mostly stays wrong.

    The first round of some is among the games above.
    """
    first = int(policy in ("uniform", "building", "stopping", "first"))
    assert play_many(policy, VARIANTS, 2, 60, every=23, first=first)


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_small_turn_limit(limit: int) -> None:
    assert play_many("bidding", VARIANTS, 1, limit)["end by turn-limit"] == len(VARIANTS)
