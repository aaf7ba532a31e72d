"""The action table, and the game in words and pictures."""

from __future__ import annotations

import random
from random import Random

import pytest

from fa_cli.games.contract import ACTION
from fa_cli.games.new_york import GAME
from fa_cli.games.seed import Seed

from .positions import play, position, start

NAMES = ["Ann", "Bob", "Cy", "Di", "Ed"]


def test_action_table_is_in_the_documented_order() -> None:
    table = GAME.actions
    assert len(table) == len(set(table)) == 1 + 5 + 49 + 1 + 49 + 196 + 4 + 10 + 196 + 140
    assert table[:8] == (
        "redraw",
        "use red",
        "use blue",
        "use yellow",
        "use green",
        "use black",
        "place a1s1",
        "place a1s2",
    )
    assert table[54:58] == ("place a7s7", "pass", "remove a1s1", "remove a1s2")
    assert table[105:107] == ("play 1 1", "play 1 2") and table[112] == "play 1 *1" and table[300] == "play *7 *7"
    assert table[301:307] == (
        "renovation red",
        "renovation blue",
        "ruin red",
        "ruin blue",
        "speculation red red",
        "speculation red blue",
    )
    assert table[315:317] == ("developer red 1 a1s1", "developer red 1 a2s1")  # red goes with a street
    assert table[315 + 49] == "developer red * a1s1" and table[315 + 97] == "developer red * a7s7"
    assert table[413:415] == ("developer blue 1 a1s1", "developer blue 1 a1s2")  # blue with an avenue
    assert table[511:513] == ("statics red 1 red", "statics red 1 blue") and table[-1] == "statics blue *7 black"


def drawn() -> str:
    return """\
    1 2 3 4 5 6 7   R red, B blue, Y yellow, G green, K black
 1  R . . . . . .   turn, blue in use; 0 turns over
 2  . B . . . . .   stock 1, discarded 2 (avenue 4)
 3  . . Y . . . .    #0 red 14; units 5; cards 4; points 6
 4  . . . G . . .   *#1 blue 14; units 5; cards 1; points 6
 5  . . . . K . .    #2 yellow 14; units 5; cards 4; points 6
 6  . . . . . . .    #3 green 14; units 5; cards 4; points 6
 7  . . . . . . .    #4 black 14; units 5; cards 4; points 6
"""


def test_render_shows_the_board_and_the_hands_that_the_seat_sees() -> None:
    board = {"red": "a1s1", "blue": "a2s2", "yellow": "a3s3", "green": "a4s4", "black": "a5s5"}
    hands = ["avenue 1, avenue *, street 1, street *", "developer red"]
    state = position(5, board, hands, stock="avenue 3", discard="street 4, avenue 4", turn=1, actions="on")
    assert GAME.render(state, 1) == drawn() + "hand 1: developer red"
    everything = GAME.render(state, None)
    assert everything.startswith(drawn() + "hand 0: avenue 1 *, street 1 *\nhand 1: developer red\n")
    assert everything.count("hand ") == 5


def test_render_counts_the_chances_of_a_renovation_or_ruin() -> None:
    state = play(position(2, hands=["ruin red"], actions="on"), "use red", "ruin red", "pass")
    lines = GAME.render(state, None).split("\n")
    assert "place, red in use; 0 turns over" in lines[1]
    assert lines[3].endswith("3 chances to place a stone are left")
    play(state, "use green", "pass", "pass")
    assert "1 chance to place a stone is left" in GAME.render(state, None)


@pytest.mark.parametrize("players", GAME.players)
def test_render_fits_80_columns_and_narrate_speaks_plainly(players: int) -> None:
    state = GAME.start(GAME.make_options({"actions": "on", "turn_limit": 40}), players, bytes(32))
    generator = Random(players)
    state.journal = []
    while not state.is_over():
        drawing = GAME.render(state, None)
        assert max(map(len, drawing.split("\n"))) <= 80
        action = generator.choice(state.legal())
        state.journal.append((ACTION, state.actor, action))
        state.apply(action)
    for entry in state.journal:
        sentence = GAME.narrate(state, entry, NAMES)
        assert (
            sentence[0].isupper() and "  " not in sentence and "None" not in sentence and sentence == sentence.strip()
        )


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("redraw", "Bob can't play anything and draws a new hand"),
        ("use red", "Bob uses red"),
        ("place a3s4", "Bob places a stone on a3s4"),
        ("pass", "Bob passes"),
        ("remove a3s4", "Bob gives up the stone on a3s4"),
        ("play 3 4", "Bob plays avenue 3 and street 4"),
        ("play *3 *4", "Bob plays a joker for avenue 3 and a joker for street 4"),
        ("ruin blue", "Bob plays the blue ruin card"),
        ("speculation red green", "Bob plays the red speculation card against green"),
        ("developer red 5 a3s5", "Bob plays the red developer card with street 5 on a3s5"),
        ("developer blue * a3s5", "Bob plays the blue developer card with a joker on a3s5"),
        ("statics blue 3 red", "Bob plays the blue statics card with avenue 3 against red"),
        ("statics red *5 red", "Bob plays the red statics card with a joker for street 5 against red"),
    ],
)
def test_actions_as_sentences(action: str, sentence: str) -> None:
    assert GAME.narrate(start(), (ACTION, 1, GAME.action_number(action)), NAMES) == sentence


def test_a_turn_as_sentences() -> None:
    state = position(board={"blue": "a1s1"}, hands=["avenue 1, street 1"], stock="street 3", discard="street 4")
    state.journal = [(ACTION, 0, GAME.action_number("play 1 1"))]
    play(state, "play 1 1")
    assert [GAME.narrate(state, entry, NAMES) for entry in state.journal] == [
        "Ann plays avenue 1 and street 1",
        "Ann pays 1 purchase unit to Bob",
        "Bob's blue stone on a1s1 goes back to stock",
        "Ann's red stone is placed on a1s1",
        "The 3 discarded cards are shuffled into a new stock",
        "Ann draws street 3, street 4, avenue 1, street 1",
    ]


def test_chances_as_sentences() -> None:
    state = position(2, {"green": "a7s7"}, ["ruin red"], actions="on")
    play(state, "use red")
    state.stones[0] = 1
    state.journal = []
    for action in ("ruin red", "place a1s1", "use green", "pass"):
        state.journal.append((ACTION, state.actor, GAME.action_number(action)))
        play(state, action)
    assert [GAME.narrate(state, entry, NAMES) for entry in state.journal] == [
        "Ann plays the red ruin card",
        "Bob's green stone on a7s7 goes back to stock",
        "There are 4 chances to place a stone there; Ann has the first",
        "Ann places a stone on a1s1",
        "Ann's red stone is placed on a1s1",
        "Bob uses green",
        "Bob passes",
        "Ann can place no red stone",
    ]


def test_other_entries_as_sentences() -> None:
    state = start()
    sentences = {
        ("placed", -1, 0, 0): "A red stone is placed on a1s1",
        ("skipped", 1, 2): "Bob can place no yellow stone",
        ("skipped", 1, 1, 3): "Bob can place no blue or green stone",
        ("chances", 2, 4): "There are 4 chances to place a stone there; Cy has the first",
        ("colours", 2, 1, 3): "Cy has blue and green",
        ("discarded", 0, 0, 15): "Ann discards avenue 1, street joker",
        ("discarded", 0): "Ann discards nothing",
        ("stop-cards", -1): "The stop cards go on the discard pile",
        ("stop-card", 1): "Bob draws a stop card",
        ("points", 0, 8, 0): "Ann scores 8 points for the longest chain",
        ("points", 0, 1, 2): "Ann scores 1 point for purchase units",
    }
    for entry, sentence in sentences.items():
        assert GAME.narrate(state, entry, NAMES) == sentence


def test_points_for_chains_are_explained() -> None:
    """In a whole game: twice the length, or twice the sum of the two colours' lengths."""
    state = GAME.start(GAME.make_options({"actions": "off"}), 2, Seed.from_text("why"))
    generator = random.Random(1)
    while not state.is_over():
        state.journal = []
        state.apply(generator.choice(state.legal()))
    told = [GAME.narrate(state, entry, NAMES) for entry in state.journal or [] if entry[0] == "points"]
    expected = [f" (2 x ({' + '.join(map(str, state.chains(seat)))}))" for seat in range(2)]  # type: ignore[attr-defined]
    assert [line.partition("chain")[2] for line in told if "chain" in line] == expected
