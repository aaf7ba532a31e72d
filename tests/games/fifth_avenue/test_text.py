"""Fifth Avenue as text for people."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from fa_cli.games.contract import ACTION
from fa_cli.games.fifth_avenue import GAME
from fa_cli.games.fifth_avenue.text import narrate, render
from fa_cli.games.seed import Seed
from tests.conftest import thinned

from .positions import auction, play, position
from .test_view import VARIANTS, states

NAMES = ["Anna", "Bernd", "Carla", "Dieter"]

PICTURE = """\
          orange       green        gray         brown        violet
34E  W    . =1         #0 x3 =1     . =3         gall+bout    . =3
34W   b   . =1         . =1         . =1         . =1         . =1
42E       . =1         . =1         . =1         . =1         . =1
42W       . =1         . =1         . =1         . =1         . =1
TS    B   . =1         #1 x1 =1     . =1         . =1         . =1
52E       building stop
52W       . =1         . =1         . =1         . =1         . =1
Commissioners: white 34E, beige TS
Businesses to place: jeweler, jeweler, perfumery; 0 of 12 placed, 12 left
At Central Park: no tiles
Stacks (top/cards): orange 4/11, green 4/12, gray 4/12, brown 4/12, violet empty
Black stack: 3 face down, 2 returned

*#0    7 points, skyscrapers 3 in supply, 12 general, 1 at Central Park
 #1   12 points, skyscrapers 3 in supply, 12 general, 0 at Central Park
hand 0:  black 4 4 6 | orange 4
hand 1:  no cards"""


def a_position() -> Any:
    return position(
        2,
        board={"34E": {"green": "#0 x3", "brown": "gallery+boutique"}, "TS": {"green": "#1 x1"}},
        hands=["black 4 4 6, orange 4"],
        at=("34E", "TS"),
        marks=("", "34W"),
        stopped="52E",
        sets=["jeweler perfumery jeweler", "gallery gallery"],
        points=[7, 12],
        at_park=[1, 0],
        decks={"violet": ""},
        black="4 5 6",
        returned="4 4",
    )


def test_the_picture() -> None:
    assert render(a_position(), None).splitlines() == PICTURE.splitlines()


@pytest.mark.parametrize(("placed", "left"), [(0, 12), (3, 9), (11, 1)])
def test_the_picture_says_how_many_placements_are_left(placed: int, left: int) -> None:
    picture = render(position(sets=["gallery jeweler", "boutique gallery jeweler"], placed=placed), None)
    assert f"Businesses to place: jeweler, gallery; {placed} of 12 placed, {left} left" in picture.splitlines()


def test_fa_2_the_picture_of_side_six_says_where_the_dashed_plots_lie() -> None:
    assert " ".join(render(position(side="six"), None).split()).count(
        "Dashed plots lie between: 34E orange-green, 34W green-gray, 42E gray-brown, 42W brown-violet, "
        "TS violet-orange, 52E orange-green, 52W gray-brown Commissioners"
    )
    assert "Dashed" not in render(position(), None)


def test_a_seat_is_shown_its_own_hand_only() -> None:
    assert "hand 0" not in render(a_position(), 1) and "hand 1:  no cards" in render(a_position(), 1)
    assert "hand 0:  black 4 4 6 | orange 4" in render(a_position(), 0) and "hand 1" not in render(a_position(), 0)


def test_the_picture_of_an_auction() -> None:
    state = auction("TS", hands=["gray 4, black 5", "brown 6 6"])
    play(state, "gray 4, black 5", "bid brown 6")
    assert render(state, 2).splitlines()[-5:] == [
        "hand 2:  no cards",
        "Auction of TS, highest bid 9:",
        "  #0 9 (gray 4, black 5)",
        "  #1 6 (brown 6)",
        "  #2 nothing yet",
    ]


@pytest.mark.parametrize(("players", "side"), thinned(VARIANTS, 3))
def test_at_most_80_columns(players: int, side: str) -> None:
    """Also with hands of thirty cards and long bids; a scrollbar has room beside hands."""
    most = 0
    for policy in ("hoarding", "scoring", "eager"):
        for state in states(players, side, policy, every=17, limit=40):
            for seat in (None, *range(players)):
                lines = render(state, seat).split("\n")
                assert all(len(line) <= 80 - line.startswith("hand") for line in lines), lines
                assert not any(re.fullmatch(r"[ \d]+", line) for line in lines)  # cards without their colour
                assert all(line == line.rstrip() and line.isprintable() for line in lines)
            most = max(most, *(sum(state.hand[18 * seat : 18 * seat + 18]) for seat in range(players)))
    assert most > 25


def test_every_entry_is_a_sentence_and_an_event() -> None:
    kinds = set()
    for players, side in VARIANTS:
        for policy in ("building", "little"):
            entries: list[Any] = []
            last: Any = None
            for state in states(players, side, policy, limit=30):
                state.journal = entries
                last = state
            for entry in entries:
                kinds.add(entry[0])
                sentence = narrate(last, entry, NAMES)
                assert sentence[0].isupper() and sentence.isprintable() and "  " not in sentence
                for seat in (None, *range(players)):
                    assert GAME.event_of(entry, seat) is not None
            for number in range(len(GAME.actions)):
                assert narrate(last, (ACTION, 0, number), NAMES).startswith("Anna ")
    assert kinds == {"points", "drew", "took", "auction", "alea", "won", "built", "stopped", "park"} | {
        "turned up",
        "shuffled",
    }


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ((ACTION, 1, GAME.action_number("pass")), "Bernd passes"),
        ((ACTION, 1, GAME.action_number("done")), "Bernd ends the bid"),
        ((ACTION, 1, GAME.action_number("build 1")), "Bernd builds 1 skyscraper"),
        ((ACTION, 1, GAME.action_number("build 0")), "Bernd builds 0 skyscrapers"),
        ((ACTION, 1, GAME.action_number("stop")), "Bernd declares a building stop"),
        ((ACTION, 1, GAME.action_number("commissioner")), "Bernd takes a black card and moves a commissioner"),
        ((ACTION, 1, GAME.action_number("skyscrapers")), "Bernd takes skyscrapers from the general supply"),
        ((ACTION, 1, GAME.action_number("score TS")), "Bernd scores TS"),
        ((ACTION, 1, GAME.action_number("draw none")), "Bernd draws none"),
        ((ACTION, 1, GAME.action_number("draw gray brown")), "Bernd draws gray and brown"),
        ((ACTION, 1, GAME.action_number("move white CityHall")), "Bernd moves the white commissioner to City Hall"),
        ((ACTION, 1, GAME.action_number("bid brown 5")), "Bernd lays brown 5"),
        ((ACTION, 1, GAME.action_number("business gallery TS.gray")), "Bernd places a gallery on TS.gray"),
        ((ACTION, 1, GAME.action_number("place TS.gray")), "Bernd places a skyscraper on TS.gray"),
        (("points", 1, 1, 4), "Bernd scores 1 point for TS"),
        (("points", 1, 4, 7), "Bernd scores 4 points for the building stop"),
        (("points", 1, 6, 8), "Bernd scores 6 points for the special scoring"),
        (("points", 1, 5, 9), "Bernd scores 5 points for Central Park"),
        (("drew", 1, 0, 2), "Bernd draws black 4, black 6 from the black stack"),
        (("took", 1, 7), "Bernd takes green 5 from the open stack"),
        (("auction", -1, 4), "Auction of TS"),
        (("auction", -1, 7), "Auction of Central Park"),
        (("alea", -1, 13, 0, 1, 0), "Alea draws black 4, black 5, black 4: her bid is 13"),
        (("alea", -1, 0), "Alea draws nothing: her bid is 0"),
        (("won", 1, 12), "Bernd wins the auction with 12"),
        (("won", 2, 12), "Alea wins the auction with 12"),
        (("won", -1, 0), "Nobody wins the auction"),
        (("built", 2, 26), "Alea builds a skyscraper on TS.gray"),
        (("stopped", 2, 4), "Alea stops TS: all pieces there leave the game"),
        (("park", -1, 2), "A gallery goes to Central Park"),
        (("turned up", -1, 2, 0, 0), "Turned up at Central Park: gallery, boutique, boutique"),
        (("turned up", -1), "Turned up at Central Park: nothing"),
        (("shuffled", -1, 1), "A new black stack is shuffled from 1 returned card"),
    ],
)
def test_sentences(entry: tuple[Any, ...], sentence: str) -> None:
    assert narrate(position(2), entry, NAMES) == sentence


def test_a_bid_says_its_sum_and_what_it_beats() -> None:
    """In a whole game: the sum of the cards, and the highest bid of the others."""
    state = GAME.start(GAME.make_options({}), 3, Seed.from_text("why"))
    said = 0
    generator = random.Random(5)
    while not state.is_over():
        seat, action = state.actor, generator.choice(state.legal())
        high, leader = (state.high, state.high_seat) if state.lot >= 0 else (0, -1)
        state.apply(action)
        if action != GAME.action_number("done"):
            continue
        sentence = narrate(state, (ACTION, seat, action), NAMES)
        if sentence == f"{NAMES[seat]} ends the bid":
            continue
        found = re.fullmatch(rf"{NAMES[seat]} bids (\d+) \(([a-z0-9, ]+)\)(?:, above .+)?", sentence)
        assert found and sum(int(card.split()[-1]) for card in found[2].split(", ")) == int(found[1])
        assert (f", above {NAMES[leader]}'s {high}" in sentence) == bool(high)
        said += 1
    assert said > 10


def test_points_are_explained_by_their_factors() -> None:
    """Skyscrapers times their value, whenever the board that was scored is still there."""
    state = GAME.start(GAME.make_options({}), 3, Seed.from_text("why"))
    generator, factors = random.Random(6), 0
    while not state.is_over():
        state.journal = []
        state.apply(generator.choice(state.legal()))
        for entry in state.journal:
            found = re.search(r"scores (\d+) points? for .* \((\d+) x (\d+)\)", narrate(state, entry, NAMES))
            if found:
                points, count, value = map(int, found.groups())
                assert points == count * value
                factors += 1
            assert found or entry[0] != "points" or entry[3] in (7, 8)
    assert factors > 3
