"""The rule book, sentence by sentence, in its order; the rulings MA-n are in test_rulings.py."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from fa_cli.game_result import rank_seats
from fa_cli.games.contract import POINTS
from fa_cli.games.manhattan import GAME
from fa_cli.games.manhattan.board import CITIES, COLOURS, HEIGHTS, unpack_blocks
from fa_cli.games.manhattan.state import State
from fa_cli.games.manhattan.view import towers

from .positions import VARIANTS, blocks_left, building, give, hand, have, play, scored, start, states, texts, tower


def colours_of(state: State) -> list[str]:
    return [COLOURS[colour] for owned in state.table.owned for colour in owned]


# Setting up


@pytest.mark.parametrize(("players", "blocks"), VARIANTS)
def test_everybody_has_a_colour_four_cards_and_no_points(players: int, blocks: str) -> None:
    state = start(players, blocks)
    assert len(set(colours_of(state))) == (4 if players == 2 else players)
    assert [len(hand(state, seat)) for seat in range(players)] == [4] * players
    assert len(state.deck) - state.drawn == 45 - 4 * players
    assert state.scores() == [0] * players
    assert towers(state) == [b""] * 54


# The course of the game


def test_beginning_with_the_start_player_everybody_chooses_six_blocks_clockwise() -> None:
    state = start(4)
    for seat in range(4):
        assert state.actor == seat and state.selecting
        play(state, "select 1 1 2 2 3 4")
        assert blocks_left(state, COLOURS[seat]) == 6
    assert state.actor == 0 and not state.selecting


def test_any_six_of_the_supply_can_be_chosen() -> None:
    legal = texts(start(4))
    assert all(len(action.split()) == 7 for action in legal)
    assert {"select 1 1 1 1 1 1", "select 2 2 2 2 2 2", "select 3 3 3 4 4 4", "select 1 2 2 3 4 4"} <= set(legal)


def test_blocks_chosen_are_gone_from_the_supply() -> None:
    state = start(4)
    play(state, "select 3 3 3 4 4 4")
    assert unpack_blocks(state.supply[0]) == [11, 6, 1, 0]


def test_new_blocks_only_when_the_six_are_placed() -> None:
    """Until the round is over nobody selects; then nobody has a block left before him."""
    for before in states(4, "auto", 3):
        if before.left:
            assert not any(text.startswith("select") for text in texts(before))
        elif before.selecting == 4:
            assert before.chosen == [0, 0, 0, 0]


def test_a_turn_is_a_card_a_block_on_its_site_and_a_new_card() -> None:
    state = building(4)
    give(state, 0, 2, 5, 5, 9)
    have(state, "red", 1, 3)
    top = state.deck[state.drawn] + 1
    assert {text.split()[1] for text in texts(state)} == {"2", "5", "9"}
    assert {text.split()[3] for text in texts(state)} == {"1", "3"}
    play(state, "build 5 Cairo 3")
    assert [(place, blocks) for place, blocks in enumerate(towers(state)) if blocks] == [(9 * 5 + 4, bytes([2]))]
    assert hand(state, 0) == sorted([2, 5, 9, top])
    assert unpack_blocks(state.chosen[0]) == [1, 0, 0, 0]
    assert state.actor == 1


@pytest.mark.parametrize(("players", "blocks"), VARIANTS)
def test_everybody_plays_in_order_until_all_chosen_blocks_are_placed_then_it_is_scored(
    players: int, blocks: str
) -> None:
    state = start(players, blocks)
    generator = Random(5)
    state.journal = []
    while state.round == 1 and not state.is_over():
        if state.left:
            colours = len(state.table.owned[0])
            turn = players * colours * state.blocks - state.left
            assert state.actor == turn % players
        assert not any(entry[0] == POINTS for entry in state.journal)
        state.apply(generator.choice(state.legal()))
    gained = Counter(dict.fromkeys(range(players), 0))
    for kind, seat, *rest in state.journal:
        if kind == POINTS:
            gained[seat] += rest[0]
    assert state.scores() == [gained[seat] for seat in range(players)]
    assert min(state.scores()) > 0


@pytest.mark.parametrize(("players", "blocks"), VARIANTS)
def test_the_start_goes_to_the_left_after_each_round(players: int, blocks: str) -> None:
    starts = {
        state.round: (state.start, state.actor) for state in states(players, blocks, 1) if state.round_plays == []
    }
    assert all(starts[number][0] == (number - 1) % players for number in starts)


def test_towers_stay_until_the_end() -> None:
    before = [b""] * 54
    for state in states(4, "auto", 2):
        now = towers(state)
        assert all(blocks[: len(old)] == old for blocks, old in zip(now, before, strict=True))
        before = now


def test_towers_may_be_as_high_as_they_come() -> None:
    state = building(2)
    tower(state, "Cairo", 5, *["red 4"] * 3, *["red 3"] * 4, *["red 2"] * 6, *["red 1"] * 11)
    assert scored(state)["highest red"] == 3
    assert state.cells[9 * 5 + 4] >> 16 == 12 + 12 + 12 + 11


def test_after_the_fourth_round_all_blocks_are_placed_and_the_game_ends_when_it_is_scored() -> None:
    *_, before, state = states(4, "auto", 4)
    assert before.round == state.round == 4 and before.left == 1
    assert state.is_over() and not state.legal() and state.reason() == "rounds"
    assert state.supply == state.chosen == [0, 0, 0, 0]
    assert sum(map(len, towers(state))) == 96
    assert state.scores() != before.scores()


def test_the_winner_has_the_most_points() -> None:
    *_, state = states(4, "auto", 4)
    ranks = rank_seats(state.standing())
    assert max(state.scores()) == state.scores()[ranks.index(1)]


# The use of the cards


@pytest.mark.parametrize("seat", range(4))
def test_a_card_means_the_same_site_in_every_city_and_the_player_chooses_the_city(seat: int) -> None:
    state = building(4)
    state.actor = seat
    give(state, seat, 2, 2, 2, 2)
    have(state, COLOURS[seat], 1)
    assert texts(state) == [f"build 2 {city} 1" for city in CITIES]
    sites = set()
    for city in range(6):
        after = state.copy()
        play(after, f"build 2 {CITIES[city]} 1")
        (place,) = [place for place, blocks in enumerate(towers(after)) if blocks]
        assert place // 9 == city
        sites.add(place % 9)
    assert len(sites) == 1


def test_everybody_keeps_his_side_for_the_whole_game() -> None:
    """Whatever the round: the card that a seat plays and the site that it means belong together."""
    meant: dict[tuple[int, str], int] = {}
    before = [b""] * 54
    for state in states(4, "auto", 6):
        now = towers(state)
        for place in range(54):
            if len(now[place]) > len(before[place]):
                seat, card = state.plays()[-1] & 3, GAME.actions[state.plays()[-1] >> 2].split()[1]
                assert meant.setdefault((seat, card), place % 9) == place % 9
        before = now
    assert len(meant) > 30


def test_played_cards_are_shuffled_into_a_new_deck_when_the_deck_is_used_up() -> None:
    shuffled = 0
    before = start(4)
    for state in states(4, "auto", 7):
        if state.shuffles > before.shuffles:
            assert before.drawn == len(before.deck)
            pile = [play >> 2 for play in state.plays()[before.pile_start() :]]
            cards = sorted(int(GAME.actions[action].split()[1]) for action in pile)
            assert sorted(card + 1 for card in state.deck[state.begun :]) == cards
            shuffled += 1
        before = state
    assert shuffled == 3


# How to build


def test_a_tower_belongs_to_the_owner_of_its_top_block() -> None:
    state = building(4)
    tower(state, "Cairo", 5, "red 1", "blue 1")
    assert scored(state)["towers blue"] == 1 and "towers red" not in scored(state)


@pytest.mark.parametrize("blocks", [[], ["red 4"], ["blue 2", "red 4"]])
def test_any_block_on_an_empty_site_or_on_an_own_tower(blocks: list[str]) -> None:
    state = building(4)
    tower(state, "Cairo", 5, *blocks)
    give(state, 0, 5, 5, 5, 5)
    have(state, "red", 1, 2, 3, 4)
    assert [text for text in texts(state) if "Cairo" in text] == [f"build 5 Cairo {height}" for height in HEIGHTS]


@pytest.mark.parametrize(
    ("blocks", "heights"),
    [
        (["blue 1"], [1, 2, 3, 4]),
        (["blue 3"], [3, 4]),
        (["blue 4"], [4]),
        (["blue 4", "blue 1"], []),
        (["red 2", "blue 4"], [2, 3, 4]),  # floors that one has there already count
        (["red 1", "blue 1", "red 1", "blue 4"], [3, 4]),  # wherever in the tower they are
        (["red 3", "blue 3"], [1, 2, 3, 4]),  # as many floors were enough for blue, and are for red
        (["blue 4", "green 4", "blue 1"], []),
        (["blue 3", "green 3"], [3, 4]),  # only the former owner's floors count, not everybody's together
    ],
)
def test_on_another_tower_at_least_as_many_floors_as_its_owner(blocks: list[str], heights: list[int]) -> None:
    state = building(4)
    tower(state, "Cairo", 5, *blocks)
    give(state, 0, 5, 5, 5, 5)
    have(state, "red", 1, 2, 3, 4)
    assert [text for text in texts(state) if "Cairo" in text] == [f"build 5 Cairo {height}" for height in heights]


def test_the_owner_counts_not_who_has_most_floors() -> None:
    """Green owns the tower with as many floors as blue; who wants it has to reach green, which is the same."""
    state = building(4)
    tower(state, "Cairo", 5, "blue 4", "green 4", "red 4")
    have(state, "yellow", 1, 2, 3, 4)
    state.actor = 2
    give(state, 2, 5, 5, 5, 5)
    assert [text for text in texts(state) if "Cairo" in text] == ["build 5 Cairo 4"]


# Scoring


def test_the_highest_tower_of_all_scores_three() -> None:
    state = building(4)
    tower(state, "Cairo", 5, "red 4", "blue 4")
    tower(state, "Sydney", 1, "red 4", "red 3")
    assert scored(state)["highest blue"] == 3 and "highest red" not in scored(state)


def test_nobody_scores_for_several_highest_towers() -> None:
    state = building(4)
    tower(state, "Cairo", 5, "red 4")
    tower(state, "Sydney", 1, "blue 4")
    assert not any(what.startswith("highest") for what in scored(state))


def test_most_towers_in_a_city_score_two() -> None:
    state = building(4)
    for site, colour in enumerate(["red", "red", "blue", "green", "yellow"], 1):
        tower(state, "Frankfurt", site, f"{colour} 1")
    assert scored(state)["Frankfurt red"] == 2
    assert [what for what in scored(state) if what.startswith("Frankfurt")] == ["Frankfurt red"]


def test_more_than_each_other_single_player_is_enough() -> None:
    state = building(4)
    for site, colour in enumerate(["red", "red", "blue", "blue", "yellow", "yellow", "green", "green", "green"], 1):
        tower(state, "Frankfurt", site, f"{colour} 1")
    assert scored(state)["Frankfurt green"] == 2


@pytest.mark.parametrize("owners", [[], ["red", "blue"], ["red", "red", "blue", "blue", "green"]])
def test_nobody_scores_for_a_city_without_a_majority(owners: list[str]) -> None:
    state = building(4)
    for site, colour in enumerate(owners, 1):
        tower(state, "Frankfurt", site, f"{colour} 1")
    assert not any(what.startswith("Frankfurt") for what in scored(state))


def test_majorities_are_counted_in_towers_not_floors() -> None:
    state = building(4)
    for site, block in enumerate(["red 1", "red 1", "blue 4"], 1):
        tower(state, "Frankfurt", site, block)
    assert scored(state)["Frankfurt red"] == 2


def test_every_tower_scores_one_whatever_else_it_scored() -> None:
    state = building(4)
    tower(state, "Cairo", 5, "red 4")
    tower(state, "Sydney", 1, "red 1")
    tower(state, "Sydney", 2, "blue 3")
    assert scored(state) == {"highest red": 3, "Cairo red": 2, "towers red": 2, "towers blue": 1}


def test_points_are_added_up_round_by_round_also_after_the_last() -> None:
    state, generator = start(3), Random(9)
    points = [0, 0, 0]
    scorings = 0
    while not state.is_over():
        left = state.left
        state.apply(generator.choice(state.legal()))
        if left == 1:
            for what, count in scored(state).items():
                points[COLOURS.index(what.split()[1])] += count
            scorings += 1
        assert state.scores() == points
    assert scorings == 6


# Three players


def test_three_players_choose_four_blocks_and_play_six_rounds() -> None:
    state = start(3)
    assert all(len(text.split()) == 5 for text in texts(state))
    *_, end = states(3, "auto", 1)
    assert end.round == 6 and end.is_over()


def test_each_of_three_players_is_twice_the_last_to_build() -> None:
    last = [before.actor for before in states(3, "auto", 1) if before.left == 1]
    assert sorted(last) == [0, 0, 1, 1, 2, 2]


# Two players


def test_each_of_two_players_has_two_colours() -> None:
    assert colours_of(start(2)) == ["red", "yellow", "blue", "green"]


def test_two_players_place_one_block_in_turn_of_either_colour() -> None:
    state = building(2)
    give(state, 0, 5, 5, 5, 5)
    have(state, "red", 1)
    have(state, "yellow", 2)
    assert texts(state)[:2] == ["build 5 Sydney 1 red", "build 5 Sydney 2 yellow"]
    play(state, "build 5 Sydney 2 yellow")
    assert state.actor == 1
    assert {text.split()[-1] for text in texts(state)} == {"blue", "green"}


def test_two_players_may_play_one_colour_first() -> None:
    state = building(2)
    for turn in range(8):
        suffix = ("red", "blue", "yellow", "green")[turn % 2 + turn // 8 * 2]
        play(state, next(text for text in texts(state) if text.endswith(suffix)))
    assert blocks_left(state, "red") == blocks_left(state, "blue") == 0
    assert blocks_left(state, "yellow") == blocks_left(state, "green") == 4


def test_with_two_players_each_colour_is_scored_as_a_player_of_four() -> None:
    state = building(2)
    for site, colour in enumerate(["red", "yellow", "blue", "blue"], 1):
        tower(state, "Frankfurt", site, f"{colour} 1")
    tower(state, "Cairo", 1, "green 3")
    assert scored(state) == {
        "highest green": 3,
        "Frankfurt blue": 2,
        "Cairo green": 2,
        "towers red": 1,
        "towers blue": 2,
        "towers yellow": 1,
        "towers green": 1,
    }


def test_with_two_players_the_points_of_both_colours_are_added() -> None:
    state = building(2)
    for turn in range(15):
        state.apply(state.legal()[turn % len(state.legal())])
    state.apply(state.legal()[0])
    worth = scored(state)
    colours = [["red", "yellow"], ["blue", "green"]]
    assert state.scores() == [
        sum(points for what, points in worth.items() if what.split()[1] in hues) for hues in colours
    ]
