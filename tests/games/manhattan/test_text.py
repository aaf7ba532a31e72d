"""Manhattan in words and pictures, and that its page says what the code does."""

from __future__ import annotations

from importlib import resources
from random import Random

from fa_cli.games.core import ACTION
from fa_cli.games.manhattan import GAME

from .positions import building, give, have, hoarder, play, start, tower

NAMES = ["Ann", "Bob", "Cy", "Di"]

DRAWN = """\
Round 1 of 4, started by #0: #0 builds. Deck 29, played 2

Sydney       Manhattan    Frankfurt    Hongkong     SaoPaulo     Cairo
.   .   .    .   .   .    .   .   .    .   .   .    .   .   .    .   .   .
.   .   .    .   .   .    .   .   .    .   .   .    .   .   .    .   B5  .
.   .   .    .   .   .    .   .   .    .   .   .    .   .   .    .   .   .

*#0 south    0 points
 #1 west     0 points  cards 1 1 3 8, here sites 3 3 9 4
 #2 north    0 points
 #3 east     0 points

 Red    of #0  to place: 1 1 2        supply: 5x1 6x2 4x3 3x4
 Blue   of #1  to place: 1 1 1 1 1 1  supply: 5x1 6x2 4x3 3x4
 Yellow of #2  to place: 1 1 1 1 1 1  supply: 5x1 6x2 4x3 3x4
 Green  of #3  to place: 1 1 1 1 1 1  supply: 5x1 6x2 4x3 3x4"""


def test_drawing() -> None:
    state = building(4)
    tower(state, "Cairo", 5, "red 2", "blue 3")
    give(state, 1, 8, 1, 3, 1)
    have(state, "red", 1, 2, 1)
    assert GAME.render(state, 1) == DRAWN


def test_drawings_fit_a_terminal() -> None:
    for players in GAME.players:
        state, generator = start(players, "four"), Random(1)
        while not state.is_over():
            state.apply(hoarder(state, list(state.legal()), generator))
            for seat in (None, *range(players)):
                lines = GAME.render(state, seat).split("\n")
                assert len(lines) < 24 and max(map(len, lines)) <= 80
                shown = [line for line in lines if "cards" in line]
                assert len(shown) == (players if seat is None else 1)


def test_drawing_tells_who_selects_and_that_it_is_over() -> None:
    state = start(2)
    assert "#0 selects red blocks" in GAME.render(state, None)
    while not state.is_over():
        state.apply(state.legal()[0])
    assert "the game is over" in GAME.render(state, 0)


def told(players: int, *actions: str) -> list[str]:
    """What is narrated of these actions of seat 0."""
    state = building(players)
    return [GAME.narrate(state, (ACTION, 0, GAME.number(action)), NAMES) for action in actions]


def test_actions_in_words() -> None:
    assert told(4, "select 1 1 2 3 4 4", "build 3 Cairo 1", "discard 3 4") == [
        "Ann selects blocks of 1, 1, 2, 3, 4, 4 floors",
        "Ann builds 1 floor of red on site 3 of Cairo (card 3)",
        "Ann can place nothing and discards card 3 and a red block of 4 floors",
    ]
    assert told(2, "build 3 Cairo 2 yellow", "discard 3 1 red") == [
        "Ann builds 2 floors of yellow on site 3 of Cairo (card 3)",
        "Ann can place nothing and discards card 3 and a red block of 1 floor",
    ]


def test_the_site_is_the_players() -> None:
    state = building(4)
    entry = (ACTION, 3, GAME.number("build 1 Cairo 2"))
    assert GAME.narrate(state, entry, NAMES) == "Di builds 2 floors of green on site 7 of Cairo (card 1)"


def test_what_happens_in_words() -> None:
    state = building(4)
    tower(state, "Cairo", 1, "blue 4")
    give(state, 0, 1, 1, 1, 1)
    have(state, "red", 1)
    state.left, state.journal, state.drawn = 1, [], len(state.deck)
    play(state, "build 1 Sydney 1")
    drawn = state.deck[state.begun] + 1
    assert [GAME.narrate(state, entry, NAMES) for entry in state.journal] == [
        "The 2 played cards are shuffled into a new deck",
        f"Ann draws a {drawn}",
        "Bob scores 3 points for the highest tower (blue)",
        "Ann scores 2 points for the most towers in Sydney (red)",
        "Bob scores 2 points for the most towers in Cairo (blue)",
        "Ann scores 1 point for red's towers",
        "Bob scores 1 point for blue's towers",
        "Round 2 begins; Bob starts",
    ]


def test_the_page_says_what_the_code_does() -> None:
    page = resources.files(GAME.rules).joinpath("RULES.md").read_text(encoding="utf-8")
    assert all(f"**MA-{number}." in page for number in range(1, 7))
    for side, seat, players in (("south", 0, 4), ("west", 1, 4), ("north", 2, 4), ("east", 3, 4), ("north", 1, 2)):
        sites = " | ".join(map(str, GAME.observe(start(players), seat).seats[seat].sites))
        assert f"| from the {side} | {sites} |" in page
    kinds = [" ".join(action.split()[:1]) + str(len(action.split())) for action in GAME.actions]
    rows = [
        line.split(" | ")[-1].rstrip(" |")
        for line in page.splitlines()
        if line.startswith(("| `sel", "| `bui", "| `dis"))
    ]
    assert [int(row) for row in rows] == [kinds.count(kind) for kind in dict.fromkeys(kinds)]
    assert sum(map(int, rows)) == len(GAME.actions)
