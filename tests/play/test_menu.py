"""Menus: choosing one of many actions."""

from __future__ import annotations

import random

import pytest

from fa_cli.games import GAMES
from fa_cli.games.game import Game
from fa_cli.games.seed import Seed
from fa_cli.play.menu import Menu

PLOTS = [f"place {district}.{plot}" for district in ("34E", "34W", "TS") for plot in ("orange", "green", "gray")]
BUILDS = [f"build {card} {city} {height}" for card in (1, 5) for city in ("Sydney", "Cairo") for height in (1, 2)]


def menu(actions: list[str]) -> Menu:
    return Menu(actions, lambda action: f"does {action}")


def test_what_fits_is_shown_whole() -> None:
    entries, lines = menu(PLOTS[:3]).draw(5, 80)
    assert lines == [
        " 1  place 34E.orange   does place 34E.orange",
        " 2  place 34E.green    does place 34E.green",
        " 3  place 34E.gray     does place 34E.gray",
    ]
    assert [entry.actions for entry in entries] == [[action] for action in PLOTS[:3]]


def test_what_does_not_fit_is_grouped() -> None:
    assert menu(PLOTS).draw(1, 80)[1] == ["  1 34E (3)     2 34W (3)     3 TS (3)"]
    assert menu(PLOTS).draw(3, 40)[1][0] == " 1  place 34E (3)   for example: does..."
    assert menu(PLOTS).draw(5, 40)[1][0] == "  1 34E.orange     2 34E.green"


def test_numbers_that_mean_something_are_the_labels() -> None:
    entries, _ = menu(BUILDS).draw(1, 70)
    assert [entry.label for entry in entries] == ["1", "5"]
    assert menu(BUILDS).find("5", entries) == BUILDS[4:]
    entries, _ = menu(["play 3 5", "play 3 *5", "play *3 5"]).draw(9, 80)
    assert [entry.label for entry in entries] == ["a", "b", "c"]


def test_the_sign_of_a_joker_may_be_left_out() -> None:
    jokers = ["play *2 7", "play *4 7", "play *4 *7", "play *6 4"]
    entries, _ = menu(jokers).draw(1, 80)
    assert [entry.label for entry in entries] == ["*2", "*4", "*6"]
    assert menu(jokers).find("2", entries) == menu(jokers).find("*2", entries) == ["play *2 7"]
    assert menu(jokers).find("4", entries) == ["play *4 7", "play *4 *7"]
    assert menu(jokers).find("play 6 4", entries) == menu(jokers).find("6 4", []) == ["play *6 4"]
    assert menu(jokers).find("4 *7", []) == ["play *4 *7"]
    assert menu(jokers).find("5", entries) == menu(jokers).find("**", entries) == []
    both = ["play 3 5", "play *3 5", "play 4 *5", "play *4 6"]
    entries, _ = menu(both).draw(1, 80)
    assert menu(both).find("3", entries) == menu(both).find("3 5", entries) == ["play 3 5"]
    assert menu(both).find("*3", entries) == ["play *3 5"]
    assert menu(both).find("4", entries) == ["play 4 *5"]
    assert menu(both).find("4 6", entries) == ["play *4 6"]


def test_letters_are_explained() -> None:
    """The header explains a letter even in few rows, and adds a description if there is room."""
    selections = [f"select 1 {first} {second}" for first in (1, 2, 3, 4) for second in range(first, 5)]
    entries, lines = menu(selections).draw(4, 60)
    assert [entry.label for entry in entries] == list("abcdefghij")
    assert lines == [
        "Type a letter; a is select 1 1 1: does select 1 1 1",
        "  a 1 1     b 1 2     c 1 3     d 1 4     e 2 2     f 2 3",
        "  g 2 4     h 3 3     i 3 4     j 4 4",
    ]
    many = [f"select {first} {second} {third}" for first in (1, 2) for second in (1, 2, 3) for third in range(1, 5)]
    assert "".join(entry.label for entry in menu(many).draw(20, 80)[0]) == "abcdefghijklmnoprstuvwxy"  # q closes a list
    assert menu(selections).draw(4, 40)[1][0] == "Type a letter; a is select 1 1 1"
    assert menu(selections).draw(3, 60)[1] == lines
    assert not any(entry.label.isalpha() for entry in menu(selections).draw(2, 60)[0])  # no room for the line above


def test_a_label_that_is_the_next_word_is_not_repeated() -> None:
    assert menu(BUILDS).draw(1, 80)[1] == ["  1 (4)     5 (4)"]
    assert menu(["draw 1", "draw 5"]).draw(1, 80)[1] == ["  1     5"]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("place 34e.orange", ["place 34E.orange"]),
        ("34e.or", ["place 34E.orange"]),
        ("  PL   34E orange ", ["place 34E.orange"]),
        ("34e.g", ["place 34E.green", "place 34E.gray"]),
        ("t.gra", ["place TS.gray"]),
        ("34", PLOTS[:6]),
        ("2", ["place 34E.green"]),
        ("stop", []),
        ("place 34E.orange now", []),
        ("99", []),
    ],
)
def test_finding(typed: str, found: list[str]) -> None:
    chosen = menu(PLOTS)
    assert chosen.find(typed, chosen.choices(9, 80)) == found


def test_a_whole_action_is_not_taken_for_the_beginning_of_another() -> None:
    chosen = menu(["draw orange", "draw orange green", "draw gray green"])
    assert chosen.find("draw orange", chosen.choices(9, 80)) == ["draw orange"]


def test_completion() -> None:
    assert menu(PLOTS).complete("", "") == [
        "place",
        "34E.orange",
        "34E.green",
        "34E.gray",
        *menu(PLOTS).complete("place ", "")[3:],
    ]
    assert menu(PLOTS).complete("pl ", "34e.g") == ["34E.green", "34E.gray"]
    assert menu(BUILDS).complete("build 5 ", "c") == ["Cairo"]
    assert menu(BUILDS).complete("build 5 cairo 2 ", "") == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_action_can_be_reached_by_labels(game: Game) -> None:
    """Every action can be chosen from a small terminal, and no line is too long."""
    generator = random.Random(3)
    state = game.start(game.options(), game.players[0], Seed(bytes(32)))
    for _ in range(60):
        legal = [game.actions[number] for number in state.legal()]
        wanted = generator.choice(legal)
        left, steps = legal, 0
        while len(left) > 1:
            rows = generator.choice([1, 4, 14])
            entries, lines = menu(left).draw(rows, 80)
            assert len(lines) <= max(rows, 4) and max(map(len, lines)) <= 80
            assert sorted(action for entry in entries for action in entry.actions) == sorted(left)
            assert len({entry.label for entry in entries}) == len(entries)
            (chosen,) = [entry for entry in entries if wanted in entry.actions]
            assert menu(left).find(chosen.label, entries) == chosen.actions
            left, steps = chosen.actions, steps + 1
        assert left == [wanted] and steps <= 6
        assert menu(legal).find(wanted, []) == [wanted]
        state.apply(game.action_numbers[wanted])
