"""Manhattan as text for people, and its rules page against the code."""

from __future__ import annotations

from importlib import resources
from random import Random

import pytest

from fa_cli.games.contract import ACTION, DREW
from fa_cli.games.manhattan import GAME
from fa_cli.games.manhattan.board import GREW, TIED
from fa_cli.games.manhattan.state import State
from fa_cli.replay.narrate import Boards, narrate_game
from tests.conftest import thinned
from tests.games.policies import by_kind
from tests.games.records import played_record

from .positions import WAYS, building, give, have, play, start, states, texts, tower

NAMES = ["Ann", "Bob", "Cy", "Di"]

DRAWN = """\
Round 1 of 4, started by #0: #0 builds. Deck 29, played 5

Sydney                   Manhattan                Frankfurt
.       .       .        .       .       .        .       .       .
.       .       .        .       .       .        .       .       .
.       .       .        .       .       .        .       .       .

Hongkong                 Sao Paulo                Cairo
.       .       .        .       .       .        .       .       .
.       .       .        .       G4      .        .       B3r2    .
.       .       .        .       .       .        .       .       Y1r1

Highest: blue's tower on Cairo 5, 5 floors

*#0 south   0 points  red    to place 1 1 2        supply 5x1 6x2 4x3 3x4
 #1 west    0 points  blue   to place 1 1 1 1 1 1  supply 5x1 6x2 4x3 3x4
 #2 north   0 points  yellow to place 1 1 1 1 1 1  supply 5x1 6x2 4x3 3x4
 #3 east    0 points  green  to place 1 1 1 1 1 1  supply 5x1 6x2 4x3 3x4
 #1 holds cards 1 1 3 8, for sites 3 3 9 4"""


def test_drawing() -> None:
    state = building(4)
    tower(state, "Cairo", 5, "red 2", "blue 3")
    tower(state, "Cairo", 9, "red 1", "yellow 1")
    tower(state, "SaoPaulo", 5, "green 4")
    give(state, 1, 8, 1, 3, 1)
    have(state, "red", 1, 2, 1)
    assert GAME.render(state, 1) == DRAWN


def picture(*towers: tuple[int, tuple[str, ...]]) -> list[str]:
    """The board with these towers in Sydney."""
    state = building(4)
    for site, blocks in towers:
        tower(state, "Sydney", site, *blocks)
    return GAME.render(state, 0).split("\n")


@pytest.mark.parametrize(
    ("blocks", "drawn", "heights"),
    [
        (("blue 4", "blue 4", "blue 1"), "B9", []),
        (("red 4", "blue 4", "blue 1"), "B5r4", [1, 2, 3, 4]),
        (("red 2", "blue 4", "green 4"), "G4r2b4", [2, 3, 4]),
        (("red 1", "blue 2", "green 3", "yellow 4"), "Y4r1b2g3", [3, 4]),
    ],
)
def test_what_may_be_taken_over_is_to_be_seen(blocks: tuple[str, ...], drawn: str, heights: list[int]) -> None:
    """Two towers of nine floors that blue owns: nobody can take the first, red takes the second with a 1 (MA-7)."""
    state = building(4)
    tower(state, "Sydney", 1, *blocks)
    assert GAME.render(state, 0).split("\n")[3].split()[0] == drawn
    give(state, 0, 1, 1, 1, 1)
    have(state, "red", 1, 2, 3, 4)
    assert [int(text.split()[-1]) for text in texts(state) if "Sydney" in text] == heights


def test_towers_of_all_colours_are_drawn_apart() -> None:
    mixed = ("red 1", "blue 2", "green 3", "yellow 4")
    rows = picture((1, mixed), (2, mixed), (9, ("red 1",)))
    assert rows[3:6] == [
        f"{row:25}{'.       .       .':25}.       .       ."
        for row in ("Y4r1b2g3 Y4r1b2g3 .", ".        .        .", ".        .        R1")
    ]


def test_the_widest_towers_fit_too() -> None:
    """Two-digit floors of all colours, three such towers side by side: the cities stand in three rows then."""
    high = [f"{colour} 4" for _ in range(3) for colour in ("green", "blue", "red", "yellow")]
    one = ["green 1", "blue 1", "red 1", "yellow 1"]
    state = building(4)
    for city in ("Sydney", "Manhattan", "Frankfurt"):
        for site in (1, 2, 3):
            tower(state, city, site, *(high if city == "Sydney" else one))
    for seat in (None, 0):
        lines = GAME.render(state, seat).split("\n")
        assert max(map(len, lines)) <= 80
    assert lines[3].split() == ["Y12r12b12g12"] * 3 + ["Y1r1b1g1"] * 3
    assert lines[2].split() == ["Sydney", "Manhattan"]


def test_the_highest_tower_is_named() -> None:
    def highest(*towers: tuple[int, tuple[str, ...]]) -> list[str]:
        return [line for line in picture(*towers) if line.startswith("Highest")]

    assert highest() == ["Highest: no tower yet"]
    assert highest((2, ("red 1",))) == ["Highest: red's tower on Sydney 2, 1 floor"]
    assert highest((2, ("red 2", "blue 3")), (9, ("green 4",))) == ["Highest: blue's tower on Sydney 2, 5 floors"]
    assert highest((2, ("red 4",)), (3, ("red 4",))) == ["Highest: 2 towers of 4 floors each, so nobody's"]


@pytest.mark.parametrize("policy", thinned(WAYS, 4))
def test_drawings_fit_a_terminal(policy: str) -> None:
    """Of 24 rows, one seat's board takes 19 at most, and one with all hands 22."""
    for players in GAME.players:
        for state in states(players, "four", 1, WAYS[policy]):
            for seat in (None, *range(players)):
                lines = GAME.render(state, seat).split("\n")
                assert len(lines) <= (22 if seat is None else 19)
                assert max(map(len, lines)) <= 74  # and in a story six columns more
                shown = [line for line in lines if "holds cards" in line]
                assert len(shown) == (players if seat is None else 1)


def test_drawing_tells_who_selects_and_that_it_is_over() -> None:
    state = start(2)
    assert "#0 selects red blocks" in GAME.render(state, None)
    play(state, "select 1 1 2 3")
    assert GAME.presentation.brief(state, 0).split("\n") == [
        "*#0 south   0 points  red    to place 1 1 2 3      supply 9x1 5x2 3x3 3x4",
        "                      yellow selects now           supply 11x1 6x2 4x3 3x4",
        GAME.render(state, 0).split("\n")[-1],
    ]
    while not state.is_over():
        state.apply(state.legal()[0])
    assert "the game is over" in GAME.render(state, 0)


def told(players: int, *actions: str) -> list[str]:
    """Return the narration of these actions of seat 0."""
    state = building(players)
    return [GAME.narrate(state, (ACTION, 0, GAME.action_number(action)), NAMES) for action in actions]


def test_actions_in_words() -> None:
    assert told(4, "select 1 1 2 3 4 4", "build 3 Cairo 1", "discard 3 4") == [
        "Ann selects blocks of 1, 1, 2, 3, 4, 4 floors",
        "Ann builds a red 1 on Cairo site 3 (card 3)",
        "Ann can place nothing, and discards card 3 and a red 4",
    ]
    assert told(2, "build 3 Cairo 2 yellow", "discard 3 1 red") == [
        "Ann builds a yellow 2 on Cairo site 3 (card 3)",
        "Ann can place nothing, and discards card 3 and a red 1",
    ]


def test_the_site_is_the_players() -> None:
    state = building(4)
    entry = (ACTION, 3, GAME.action_number("build 1 Cairo 2"))
    assert GAME.narrate(state, entry, NAMES) == "Di builds a green 2 on Cairo site 7 (card 1)"


@pytest.mark.parametrize(("card", "text"), [(1, "a 1"), (8, "an 8"), (9, "a 9")])
def test_drawn_cards_have_the_right_article(card: int, text: str) -> None:
    assert GAME.narrate(start(2), (DREW, 0, card - 1), NAMES) == f"Ann draws {text}"


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
        f"Ann draws {'an' if drawn == 8 else 'a'} {drawn}",
        "Bob scores 3 points for the highest tower (blue)",
        "Ann scores 2 points for the most towers in Sydney (red)",
        "Bob scores 2 points for the most towers in Cairo (blue)",
        "Ann scores 1 point for red's towers",
        "Bob scores 1 point for blue's towers",
        "Round 2 begins; Bob starts",
    ]


@pytest.mark.parametrize("players", GAME.players)
def test_a_story_fits_a_terminal(players: int) -> None:
    names = [f"player#{seat}" for seat in range(players)]
    record = played_record(GAME, GAME.make_options({}), names, bytes(32), by_kind, Random(1))
    lines = list(narrate_game(record, Boards.ALL))
    assert sum("takes the tower from" in line for line in lines) > 10
    assert max(map(len, lines)) <= 80


def story(state: State, action: str) -> list[str]:
    """Return the narration of an action without the action itself and the card drawn."""
    state.journal = []
    play(state, action)
    told = [GAME.narrate(state, entry, NAMES) for entry in state.journal]
    return [sentence for sentence in told if " draws " not in sentence]


def test_takeovers_and_new_heights_in_words() -> None:
    state = building(4)
    tower(state, "Cairo", 1, "red 2", "blue 4")
    give(state, 0, 1, 1, 1, 1)
    have(state, "red", 1, 2, 3)
    assert story(state.copy(), "build 1 Sydney 1") == []
    assert story(state, "build 1 Cairo 2") == ["Ann takes the tower from blue: it is now 8 floors high"]
    state.actor = 0
    assert story(state, "build 1 Cairo 1") == ["The tower grows: it is now 9 floors high"]


def test_with_two_players_a_takeover_from_ones_own_other_colour_is_told_too() -> None:
    state = building(2)
    tower(state, "Cairo", 1, "red 1")
    give(state, 0, 1, 1, 1, 1)
    have(state, "yellow", 1)
    assert story(state, "build 1 Cairo 1 yellow") == ["Ann takes the tower from red: it is now 2 floors high"]


def test_that_nobody_scores_for_several_highest_towers_in_words() -> None:
    state = building(4)
    tower(state, "Cairo", 1, "blue 4")
    tower(state, "Cairo", 2, "blue 4")
    give(state, 0, 1, 1, 1, 1)
    have(state, "red", 1)
    state.left = 1
    assert story(state, "build 1 Sydney 1")[:2] == [
        "Nobody scores for the highest tower: 2 towers have 4 floors each",
        "Ann scores 2 points for the most towers in Sydney (red)",
    ]


def test_what_the_board_shows_is_no_event_for_bots() -> None:
    state, generator = start(4), Random(3)
    state.journal = []
    while not state.is_over():
        state.apply(generator.choice(state.legal()))
    silent = {entry[0] for entry in state.journal if GAME.event_for(entry, None) is None}
    assert silent == {GREW, TIED}
    heard = {event.event for entry in state.journal for seat in range(4) if (event := GAME.event_for(entry, seat))}
    assert heard == {"points", "drew", "shuffled", "round"}


def test_the_page_says_what_the_code_does() -> None:
    page = resources.files(GAME.rules).joinpath("RULES.md").read_text(encoding="utf-8")
    assert all(f"**MA-{number}." in page for number in range(1, 9))
    for side, seat, players in (("south", 0, 4), ("west", 1, 4), ("north", 2, 4), ("east", 3, 4), ("north", 1, 2)):
        sites = " | ".join(map(str, GAME.observe(start(players), seat).seats[seat].sites))
        assert f"| from the {side} | {sites} |" in page
    example = building(4)
    tower(example, "Cairo", 5, "red 2", "blue 4")
    assert "`B4r2`" in page and "B4r2" in GAME.render(example, 0)
    kinds = [" ".join(action.split()[:1]) + str(len(action.split())) for action in GAME.actions]
    rows = [
        line.split(" | ")[-1].rstrip(" |")
        for line in page.splitlines()
        if line.startswith(("| `sel", "| `bui", "| `dis"))
    ]
    assert [int(row) for row in rows] == [kinds.count(kind) for kind in dict.fromkeys(kinds)]
    assert sum(map(int, rows)) == len(GAME.actions)
