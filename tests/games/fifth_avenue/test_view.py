"""Observations, events and determinization: everything public, nothing hidden."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from fa_cli.games.contract import ACTION, Event
from fa_cli.games.fifth_avenue import GAME
from fa_cli.games.fifth_avenue.board import CARDS, DISTRICTS
from fa_cli.games.fifth_avenue.determinization import resample_from_infostate, sample_state
from fa_cli.games.fifth_avenue.state import State
from tests.conftest import further

from .positions import FULL, auction, hand, legal, observe, play, position
from .test_reference import POLICIES

VARIANTS = [(players, side) for players in (2, 3, 4) for side in ("five", "six")]


def states(players: int, side: str, policy: str, *, limit: int = 25, every: int = 1) -> Iterator[State]:
    """Yield every n-th state of a random game, and the last one."""
    generator = random.Random(f"{players} {side} {policy}")
    options = GAME.make_options({"side": side, "turn_limit": limit})
    state: Any = GAME.start(options, players, generator.randbytes(32))
    ply = 0
    while not state.is_over():
        if ply % every == 0:
            yield state
        state.apply(POLICIES[policy](GAME, state, generator))
        ply += 1
    yield state


def seen(state: State, seat: int) -> bytes:
    return msgspec.json.encode(observe(state, seat))


@pytest.mark.parametrize(("players", "side"), VARIANTS)
@pytest.mark.parametrize("policy", ["bidding", *further("eager", "scoring", "hoarding")])
def test_what_a_state_could_be_is_a_whole_state(players: int, side: str, policy: str) -> None:
    """Seen alike by the seat, also if made of its observation alone. Nothing lost, nothing added, played to the end."""
    generator = random.Random(1)
    different = 0
    for state in states(players, side, policy, every=23):
        before = all_cards(state)
        for seat in range(players):
            for other in (
                resample_from_infostate(state, seat, generator),
                sample_state(observe(state, seat), generator),
            ):
                assert seen(other, seat) == seen(state, seat)
                assert all_cards(other) == before
                assert other.reason() == state.reason()
                check_derived(other)
                if seat == state.actor:
                    assert other.legal() == state.legal()
                different += other.hand != state.hand or other.decks != state.decks or other.black != state.black
                while not other.is_over():
                    other.apply(generator.choice(other.legal()))
    assert different > 10, "else the test says nothing"


def all_cards(state: State) -> list[int]:
    """Return every card of the game, wherever it is."""
    held = [card % CARDS for card, count in enumerate(state.hand) for _ in range(count)]
    laid = [card for cards in state.laid for card in cards] if state.phase == 4 else []
    alea = list(state.alea_cards) if state.phase == 4 else []
    return sorted([*held, *laid, *alea, *b"".join(state.decks), *state.black, *state.black_back])


def check_derived(state: State) -> None:
    """Check that the lists derived from hands agree with them."""
    for seat in range(state.players):
        for suit in range(6):
            counts = state.hand[CARDS * seat + 3 * suit : CARDS * seat + 3 * suit + 3]
            assert state.worth[6 * seat + suit] == sum(count * (4 + i) for i, count in enumerate(counts))
            assert state.held[6 * seat + suit] == sum(1 << i for i, count in enumerate(counts) if count)
    assert all(0 <= known <= held for known, held in zip(state.known, state.hand, strict=True))


def test_between_the_cards_of_a_raise_the_bidder_can_still_finish_it() -> None:
    """Seat 1 has laid 4 against 9: the black card that it still holds can only be a 6."""
    for players in (2, 3):
        state = auction("TS", players=players, hands=["gray 4 5", "brown 4, black 6"])
        play(state, "gray 4 5", "bid brown 4")
        for number in range(40):
            other = resample_from_infostate(state, 0, random.Random(number))
            assert seen(other, 0) == seen(state, 0)
            assert legal(play(other, legal(other)[0])) == ["done"], hand(other, 1)


def test_hidden_cards_really_differ() -> None:
    """Over many draws a hidden card takes every value, and a known one never another."""
    state = position(hands=["orange 4", "orange 5, black 6", "orange 6"], decks={"orange": "4 5 6 4"})
    play(state, "skyscrapers", "draw orange green", "move white 34E")
    play(state, "skyscrapers", "draw gray brown", "move beige 34E")
    values = {0: set(), 1: set(), 2: set()}  # type: dict[int, set[str]]
    for number in range(200):
        other = resample_from_infostate(state, 0, random.Random(number))
        for seat in range(3):
            values[seat].add(hand(other, seat))
        assert other.decks[0][0] == state.decks[0][0], "the top card lies open"
    assert values[0] == {hand(state, 0)}
    assert {text.split(",")[0] for text in values[1]} == {"black 4", "black 5", "black 6"}
    assert {text.split(",")[1] for text in values[1]} == {" orange 4", " orange 5", " orange 6"}
    assert {text.split(",", 2)[2] for text in values[1]} == {" gray 4, brown 4"}, "taken from the open stacks"


def test_the_observation_does_not_follow_what_is_hidden() -> None:
    """Swapping two hidden cards by hand changes nothing for the third seat, and something for the first."""
    one = position(hands=["black 4, orange 4", "black 6, orange 6", "gray 4"], black="4 5 6", decks={"gray": "4 5 6"})
    two = position(hands=["black 6, orange 6", "black 4, orange 4", "gray 4"], black="6 4 5", decks={"gray": "4 6 5"})
    assert seen(one, 2) == seen(two, 2)
    assert seen(one, 0) != seen(two, 0)


# -- what everybody knows of a hand


def known(state: State, seat: int, suit: str) -> list[int]:
    """Known 4s, 5s and 6s, and cards besides."""
    return observe(state, 0).seats[seat].cards[suit]


def test_cards_from_the_open_stacks_are_known_and_black_ones_are_not() -> None:
    state = position(hands=["orange 4, black 5"], decks={"orange": "6 4"})
    assert (known(state, 0, "orange"), known(state, 0, "black")) == ([0, 0, 0, 1], [0, 0, 0, 1])
    play(state, "commissioner", "move white 34E", "draw orange green")
    assert (known(state, 0, "orange"), known(state, 0, "black")) == ([0, 0, 1, 1], [0, 0, 0, 2])


def test_laid_cards_are_known_once_they_are_taken_back() -> None:
    state = auction("TS", hands=["gray 4 4, black 4 6", "brown 6 6", ""])
    play(state, "bid gray 4", "bid black 4", "done")
    assert (known(state, 0, "gray"), known(state, 0, "black")) == ([0, 0, 0, 1], [0, 0, 0, 1])
    play(state, "brown 6 6", "pass", "pass")
    assert (known(state, 0, "gray"), known(state, 0, "black")) == ([1, 0, 0, 1], [1, 0, 0, 1])
    assert known(state, 1, "brown") == [0, 0, 0, 0], "the winner's went under the stack"


def test_a_known_card_that_is_laid_is_the_one_that_goes() -> None:
    state = auction("TS", hands=["gray 4 4", "", ""], before="52E")
    play(state, "bid gray 4", "done", "pass", "pass", "build 0")
    assert known(state, 0, "gray") == [0, 0, 0, 1]
    state.known[3 * 3] = 1  # the other gray 4 had been seen
    play(state, "bid gray 4")
    assert known(state, 0, "gray") == [0, 0, 0, 0]


def test_cards_that_came_back_to_a_colour_stack_are_known_to_the_bottom() -> None:
    state = auction("CentralPark", hands=["gray 6 4"], decks={"gray": "5 4 5"}, at=("CentralPark", "34E"))
    play(state, "gray 6 4", "pass", "pass", "build 0")
    stack = observe(state, 1).stacks["gray"]
    assert (stack.count, stack.top, stack.returned) == (5, 5, [6, 4])
    for number in range(20):
        other = resample_from_infostate(state, 1, random.Random(number))
        assert [card % 3 for card in other.decks[2][-2:]] == [2, 0]
    for move in ("white 34W", "white TS", "white 52E"):
        play(state, "skyscrapers", "draw gray brown", f"move {move}")
    stack = observe(state, 1).stacks["gray"]
    assert (stack.count, stack.top, stack.returned) == (2, 6, [6, 4])
    play(state, "skyscrapers", "draw gray brown", "move beige TS")
    stack = observe(state, 1).stacks["gray"]
    assert (stack.count, stack.top, stack.returned) == (1, 4, [4])


# -- the fields


def test_the_fields_of_an_auction() -> None:
    state = auction("TS", before="52E", hands=["gray 4, black 5", "brown 6 6"])
    play(state, "bid gray 4", "bid black 5", "done", "bid brown 6")
    shown = observe(state, 2).auction
    assert shown is not None
    assert (shown.lot, shown.later, shown.full) == ("TS", ["52E", "CentralPark"], False)
    assert (shown.high, shown.leader) == (9, 0)
    assert [(bid.passed, bid.total, bid.cards) for bid in shown.bids] == [
        (False, 9, ["gray 4", "black 5"]),
        (False, 6, ["brown 6"]),
        (False, 0, []),
    ]
    assert observe(state, 2).phase == "bid"
    assert observe(play(state, "bid brown 6", "done", "pass", "pass"), 2).phase == "build"


def test_no_auction_outside_of_one() -> None:
    for state in states(2, "five", "bidding", limit=15):
        assert (observe(state, 0).auction is not None) == (observe(state, 0).phase in ("bid", "build"))


def test_the_phases() -> None:
    state: Any = GAME.start(GAME.make_options({}), 2, bytes(32))
    assert (observe(state, 0).phase, observe(state, 0).turn, observe(state, 0).actor) == ("place", -1, 0)
    for _ in range(4):
        play(state, legal(state)[0])
    assert (observe(state, 0).phase, observe(state, 0).turn) == ("action", 0)
    play(state, "skyscrapers")
    assert observe(state, 0).phase == "draw"
    play(state, "draw orange green")
    assert observe(state, 0).phase == "move"


def test_a_stopped_district_is_not_on_the_board() -> None:
    assert list(observe(position(stopped="TS"), 0).board) == [name for name in DISTRICTS if name != "TS"]


# -- events


def journal_of(state: State, *actions: str) -> list[Any]:
    state.journal = []
    play(state, *actions)
    return state.journal


def heard(entries: list[Any], seat: int | None) -> list[dict[str, Any]]:
    return [msgspec.to_builtins(GAME.event_of(entry, seat)) for entry in entries]


def test_only_who_draws_black_cards_hears_which() -> None:
    entries = journal_of(position(at=("TS", "CityHall"), black="4 5 6 4 5"), "score TS")
    assert heard(entries, 0) == [
        {"event": "drew", "seat": 0, "count": 2, "cards": ["black 4", "black 5"]},
        {"event": "drew", "seat": 0, "count": 1, "cards": ["black 6"]},
        {"event": "drew", "seat": 1, "count": 1},
        {"event": "drew", "seat": 2, "count": 1},
    ]
    assert [event.get("cards") for event in heard(entries, 1)] == [None, None, ["black 4"], None]
    assert all("cards" in event for event in heard(entries, None))


def test_everybody_hears_of_cards_from_the_open_stacks() -> None:
    state = play(position(decks={"orange": "6", "gray": "5 4"}), "skyscrapers")
    entries = journal_of(state, "draw orange gray")
    for seat in (None, 0, 1, 2):
        assert heard(entries, seat) == [
            {"event": "took", "seat": 0, "cards": ["orange 6"]},
            {"event": "took", "seat": 0, "cards": ["gray 5"]},
        ]


def test_events_of_an_action() -> None:
    entry = (ACTION, 1, GAME.action_number("bid brown 5"))
    for seat in (None, 0, 1):
        assert GAME.event_for(entry, seat) == Event("action", 1, action="bid brown 5")


def test_events_of_an_auction_with_alea_and_a_stop() -> None:
    state = position(
        2, phase="move", at=("CentralPark", "CityHall"), marks=("TS", ""), board={"TS": FULL}, black="4 5 4"
    )
    assert heard(journal_of(state, "move white CityHall", "pass", "pass"), 0) == [
        {"event": "auction", "what": "TS"},
        {"event": "alea", "count": 13, "cards": ["black 4", "black 5", "black 4"]},
        {"event": "won", "seat": 2, "count": 13},
        {"event": "shuffled", "count": 3},
        {"event": "stopped", "seat": 2, "what": "TS"},
        {"event": "points", "seat": 0, "points": 3, "what": "stop"},
        {"event": "points", "seat": 1, "points": 2, "what": "stop"},
        {"event": "auction", "what": "CentralPark"},
    ]


def test_everybody_hears_what_alea_builds() -> None:
    state = play(auction("TS", players=2, board={"TS": {"orange": "gallery"}}, black="4 4"), "pass")
    entries = journal_of(state, "pass")
    for seat in (None, 0, 1):
        built = [event for event in heard(entries, seat) if event["event"] == "built"]
        assert [(event["seat"], event["what"]) for event in built] == [(2, "TS.green"), (2, "TS.violet")]


def test_events_of_the_end() -> None:
    state = position(
        2, board={"TS": {"gray": "#1 x2"}}, placed=11, park="gallery " * 7, sets=["gallery jeweler"], at_park=[1, 0]
    )
    entries = journal_of(state, "business jeweler TS.green")
    assert heard(entries, 0) == [
        {"event": "park", "what": "gallery"},
        {"event": "points", "seat": 1, "points": 4, "what": "TS"},
        {"event": "turned up", "cards": ["gallery"] * 3},
        {"event": "points", "seat": 0, "points": 2, "what": "CentralPark"},
    ]


def test_special_scoring_is_told() -> None:
    board = {district: {"orange": "#0 x1"} for district in ("34E", "34W", "42E")}
    state = position(board=board, placed=2, park="gallery", sets=["boutique jeweler", "gallery gallery gallery"])
    assert {"event": "points", "seat": 0, "points": 4, "what": "special"} in heard(
        journal_of(state, "business boutique 52W.green"), 1
    )
