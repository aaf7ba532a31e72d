"""The action table: its order, its texts, and the mapping between texts and numbers."""

from __future__ import annotations

from fa_cli.games.manhattan import GAME
from fa_cli.games.manhattan.actions import BUILD, NUMBERS, PLAYS, SELECT_SIX, SELECTED
from fa_cli.games.manhattan.board import CITIES, COLOURS, unpack_blocks

SELECTS = [action for action in GAME.actions if action.startswith("select")]


def test_sizes() -> None:
    """Four heights of four kinds are 35 sets, six are 84; a colour has but four 3s and three 4s."""
    assert len([action for action in SELECTS if len(action.split()) == 5]) == 35 - 1 == SELECT_SIX
    assert len([action for action in SELECTS if len(action.split()) == 7]) == 84 - 4 - 10
    assert len(GAME.actions) == len(SELECTS) + 5 * (9 * 6 * 4 + 9 * 4) == len(set(GAME.actions))


def test_selections_come_in_lexicographic_order_fours_first() -> None:
    heights = [action.split()[1:] for action in SELECTS]
    assert heights == sorted(heights, key=lambda some: (len(some), some))
    assert all(some == sorted(some) for some in heights)
    assert SELECTS[0] == "select 1 1 1 1" and SELECTS[SELECT_SIX] == "select 1 1 1 1 1 1"
    assert SELECTS[-1] == "select 3 3 3 4 4 4"


def test_a_selection_is_the_blocks_it_says() -> None:
    for action, selected in zip(GAME.actions[:BUILD], SELECTED, strict=True):
        heights = [int(word) for word in action.split()[1:]]
        assert unpack_blocks(selected) == [heights.count(height) for height in (1, 2, 3, 4)], action


def test_builds_and_discards_by_card_city_height_colour() -> None:
    cards, heights = range(1, 10), (1, 2, 3, 4)
    expected = [f"build {card} {city} {height}" for card in cards for city in CITIES for height in heights]
    expected += [f"{build} {colour}" for build in expected for colour in COLOURS]
    discards = [f"discard {card} {height}" for card in cards for height in heights]
    discards += [f"{discard} {colour}" for discard in discards for colour in COLOURS]
    assert list(GAME.actions[BUILD:]) == expected + discards


def test_numbers_of_plays() -> None:
    assert [NUMBERS[play] for play in PLAYS] == list(range(BUILD, len(GAME.actions)))
