"""A turn: the first action A to D, the cards of the second, the commissioner of the third."""

from __future__ import annotations

import pytest

from fa_cli.games.fifth_avenue.state import State

from .positions import hand, legal, observe, on, play, position


def points(state: State) -> list[int]:
    return state.scores()


def test_the_four_choices() -> None:
    state = position(at=("TS", "52E"))
    kinds = {action.split()[0] for action in legal(state)}
    assert kinds == {"skyscrapers", "business", "commissioner", "score"}


@pytest.mark.parametrize("first", ["skyscrapers", "business gallery TS.gray", "commissioner"])
def test_a_b_and_c_go_on_with_two_colour_cards_then_a_move(first: str) -> None:
    state = play(position(at=("TS", "52E")), first)
    if first == "commissioner":
        play(state, "move beige CentralPark")
    assert {action.split()[0] for action in legal(state)} == {"draw"}
    play(state, "draw orange gray")
    assert {action.split()[0] for action in legal(state)} == {"move"}
    assert state.actor == 0
    play(state, "move white 52E")
    assert state.actor == 1 and "commissioner" in legal(state)


def test_d_goes_on_with_a_move() -> None:
    state = play(position(at=("TS", "52E")), "score TS")
    assert legal(state) == ["move white 52E", "move white 52W", "move beige CentralPark"]


def test_turns_go_clockwise() -> None:
    state = position(4, at=("34E", "34W"))
    seats = []
    for move in ("white TS", "beige TS", "white 52E", "beige 52W", "white CentralPark"):
        seats.append(state.actor)
        play(state, "skyscrapers", "draw orange green", f"move {move}")
    assert seats == [0, 1, 2, 3, 0]


# -- A


def test_three_skyscrapers_from_the_general_supply() -> None:
    state = play(position(), "skyscrapers")
    assert (state.supply, state.general) == ([6, 3, 3], [9, 12, 12])


@pytest.mark.parametrize("left", [12, 9, 6, 3])
def test_fa_4_twelve_are_taken_by_threes(left: int) -> None:
    state = play(position(general=[left, 12, 12], supply=[4, 3, 3]), "skyscrapers")
    assert (state.supply[0], state.general[0]) == (7, left - 3)


def test_fa_4_with_none_left_a_is_not_allowed() -> None:
    state = position(general=[0, 12, 12])
    assert "skyscrapers" not in legal(state) and "commissioner" in legal(state)


# -- B (the figures 5 and 6, the sets)


def test_fig_05_either_tile_of_a_pair_sends_the_other_to_central_park() -> None:
    for placed, other in (("boutique", "gallery"), ("gallery", "boutique")):
        # in order of the row: a set of three is gone, a pair is current
        state = position(park="jeweler", sets=["boutique gallery", "perfumery perfumery jeweler"])
        play(state, f"business {placed} TS.gray")
        seen = observe(state, 0)
        assert seen.park_tiles == ["jeweler", other]
        assert seen.businesses == ["jeweler", "perfumery", "perfumery"]


def test_of_three_tiles_two_are_placed() -> None:
    state = position(sets=["boutique gallery jeweler", "gallery gallery"])
    play(state, "business gallery TS.gray")
    assert observe(state, 0).businesses == ["boutique", "jeweler"]
    assert observe(state, 0).park_tiles == []
    play(state, "draw orange green", "move white 34E", "business jeweler TS.gray")
    assert observe(state, 0).park_tiles == ["boutique"]
    assert observe(state, 0).businesses == ["gallery", "gallery"]


def test_only_tiles_of_the_current_set() -> None:
    state = position(sets=["boutique gallery jeweler", "perfumery perfumery"])
    assert {action.split()[1] for action in legal(state, "business")} == {"boutique", "gallery", "jeweler"}


def test_fig_06_a_perfumery_on_an_empty_plot_or_beside_one_business() -> None:
    state = position(
        board={"TS": {"orange": "#0 x2", "green": "#1 x1", "brown": "gallery", "violet": "jeweler+boutique"}},
        sets=["perfumery gallery"],
        park="gallery",
    )
    assert legal(state, "business perfumery TS") == ["business perfumery TS.gray", "business perfumery TS.brown"]
    play(state, "business perfumery TS.brown")
    assert on(state, "TS.brown") == "gallery+perfumery"


def test_two_identical_businesses_may_share_a_plot() -> None:
    state = position(board={"TS": {"gray": "gallery"}}, sets=["gallery gallery jeweler"])
    play(state, "business gallery TS.gray")
    assert on(state, "TS.gray") == "gallery+gallery"
    assert "business gallery TS.gray" not in legal(play(state, "draw orange green", "move white 34E"))


def test_fa_2_the_dashed_plot_takes_a_second_business() -> None:
    state = position(side="six", sets=["gallery gallery jeweler"])
    play(state, "business gallery TS.dashed")
    assert on(state, "TS.dashed") == "boutique+gallery"
    play(state, "draw orange green", "move white 34E")
    assert not legal(state, "business jeweler TS.dashed") and legal(state, "business jeweler 34E.dashed")
    assert not any("dashed" in action for action in legal(position()))


def test_fa_5_identical_tiles_are_one_action() -> None:
    state = position(sets=["gallery gallery jeweler"])
    assert len(legal(state, "business gallery")) == 35 and len(set(legal(state))) == len(legal(state))


def test_fa_5_no_plot_no_business() -> None:
    full = {
        "orange": "gallery+jeweler",
        "green": "#0 x1",
        "gray": "#1 x1",
        "brown": "#2 x1",
        "violet": "boutique+gallery",
    }
    districts = ["34E", "34W", "42E", "42W", "TS", "52E"]
    state = position(board=dict.fromkeys(districts, full), stopped="52W")
    assert not legal(state, "business")
    state = position(board={district: {**full, "gray": "gallery"} for district in districts}, stopped="52W")
    assert legal(state, "business gallery") == [f"business gallery {district}.gray" for district in districts]


# -- special scoring


@pytest.mark.parametrize(("placed", "park", "needed", "gained"), [(2, 1, 3, 4), (5, 3, 4, 6), (8, 5, 5, 8)])
def test_special_scoring_after_the_third_sixth_and_ninth_business(
    placed: int, park: int, needed: int, gained: int
) -> None:
    districts = ["34E", "34W", "42E", "42W", "TS", "52E"]
    board: dict[str, dict[str, str]] = {district: {"orange": "#0 x1"} for district in districts[:needed]}
    for district in districts[: needed - 1]:
        board[district]["gray"] = "#1 x5"
    board["52W"] = {"gray": "#2 x9"}
    state = position(
        board=board,
        placed=placed,
        park="gallery " * park,
        sets=["boutique jeweler", "gallery gallery gallery"],
        at_park=[0, 4, 4],  # Central Park is no district
    )
    play(state, "business boutique 52W.green")
    assert points(state) == [gained, 0, 0]


def test_no_special_scoring_after_other_businesses() -> None:
    board = {district: {"orange": "#0 x1"} for district in ("34E", "34W", "42E", "42W", "TS", "52E", "52W")}
    for placed in (0, 1, 3, 4, 6, 7, 9, 10):
        park = "gallery " * (placed * 2 // 3)
        state = position(board=board, placed=placed, park=park, sets=["boutique boutique boutique", "gallery gallery"])
        assert points(play(state, "business boutique TS.gray")) == [0, 0, 0]


def test_a_stopped_district_does_not_count_for_special_scoring() -> None:
    board = {"34E": {"orange": "#0 x1"}, "34W": {"orange": "#0 x1"}}
    sets = ["boutique jeweler", "gallery gallery gallery"]
    state = position(board=board, stopped="52E", placed=2, park="gallery", sets=sets)
    assert points(play(state, "business boutique TS.gray")) == [0, 0, 0]


# -- C


def test_fa_6_the_black_card_comes_before_the_move() -> None:
    state = play(position(black="6 4 4"), "commissioner")
    assert hand(state, 0) == "black 6"
    assert {action.split()[0] for action in legal(state)} == {"move"}


def test_fa_6_no_black_card_to_be_had() -> None:
    state = play(position(black=""), "commissioner")
    assert hand(state, 0) == ""
    play(state, "move white 34E", "draw orange green", "move white TS")
    assert state.actor == 1


def test_one_commissioner_may_move_twice_in_a_turn() -> None:
    state = play(position(), "commissioner", "move white 34E", "draw orange green")
    assert legal(state) == ["move white 42E", "move white TS", "move beige 34E", "move beige 34W"]


# -- D (the examples of the figures 3 and 4)


def test_fig_03_only_the_district_with_the_other_commissioner() -> None:
    assert legal(position(at=("CentralPark", "52E")), "score") == ["score 52E"]


def test_fig_04_either_of_two_districts() -> None:
    assert legal(position(at=("TS", "34W"), stopped="52E"), "score") == ["score 34W", "score TS"]


@pytest.mark.parametrize("at", [("CityHall", "CentralPark"), ("CityHall", "CityHall"), ("CentralPark", "CentralPark")])
def test_no_scoring_with_both_commissioners_outside_the_districts(at: tuple[str, str]) -> None:
    assert not legal(position(at=at), "score")


def test_a_marker_is_not_enough_to_score() -> None:
    assert legal(position(at=("52E", "CityHall"), marks=("34E TS", "34W")), "score") == ["score 52E"]


def test_fa_7_both_commissioners_in_one_district() -> None:
    assert legal(position(at=("TS", "TS")), "score") == ["score TS"]


def test_fa_7_not_a_stopped_district() -> None:
    assert legal(position(at=("TS", "52E"), stopped="TS"), "score") == ["score 52E"]
    assert not legal(position(at=("TS", "TS"), stopped="TS"), "score")


def test_fig_02_who_scores_draws_two_and_one_more_without_a_skyscraper_there() -> None:
    # blue (0) and green (1) have none in the district, red (2) and yellow (3) have
    state = position(4, board={"TS": {"orange": "#2 x1", "gray": "#3 x2"}}, at=("TS", "CityHall"), black="4 5 6 4 5")
    play(state, "score TS")
    assert [hand(state, seat) for seat in range(4)] == ["black 4 5 6", "black 4", "", ""]
    assert points(state) == [0, 0, 1, 2]


def test_fa_8_clockwise_from_the_player_whose_turn_it_is() -> None:
    state = position(4, turn=2, at=("TS", "CityHall"), black="4 4 5 6 5 5", board={"TS": {"gray": "#3 x1"}})
    play(state, "score TS")
    # two for seat 2, one more for him too, none for seat 3, then seats 0 and 1
    assert [hand(state, seat) for seat in range(4)] == ["black 6", "black 5", "black 4 4 5", ""]


@pytest.mark.parametrize(
    ("black", "hands"),
    [
        ("", ["", "", ""]),
        ("6", ["", "black 6", ""]),
        ("6 5 4", ["", "black 4 5 6", ""]),
        ("6 5 4 4", ["", "black 4 5 6", "black 4"]),
        ("6 5 4 4 5", ["black 5", "black 4 5 6", "black 4"]),
    ],
)
def test_fa_8_the_cards_run_out(black: str, hands: list[str]) -> None:
    state = play(position(turn=1, at=("TS", "CityHall"), black=black), "score TS")
    assert [hand(state, seat) for seat in range(3)] == hands


def test_fa_8_points_come_before_cards_and_central_park_is_no_district() -> None:
    state = position(at=("TS", "CityHall"), board={"TS": {"gray": "#0 x2", "green": "gallery"}}, at_park=[3, 3, 3])
    journal = state.journal = []
    play(state, "score TS")
    assert [entry[:2] for entry in journal] == [("points", 0), ("drew", 0), ("drew", 1), ("drew", 2)]
    assert points(state) == [4, 0, 0]


# -- the second action


def test_fig_01_two_different_colours() -> None:
    state = play(position(decks={"orange": "6 4", "violet": "5 4"}), "skyscrapers")
    assert len(legal(state)) == 10 and not any("black" in action for action in legal(state))
    play(state, "draw orange violet")
    assert hand(state, 0) == "orange 6, violet 5"
    tops = {colour: stack.top for colour, stack in observe(state, 1).stacks.items()}
    assert (tops["orange"], tops["violet"]) == (4, 4)


@pytest.mark.parametrize(
    ("stocked", "draws"),
    [
        ("orange green violet", ["draw orange green", "draw orange violet", "draw green violet"]),
        ("gray brown", ["draw gray brown"]),
        ("violet", ["draw violet"]),
        ("orange", ["draw orange"]),
        ("", ["draw none"]),
    ],
)
def test_fa_9_fewer_than_two_stacks_with_cards(stocked: str, draws: list[str]) -> None:
    empty = [colour for colour in ("orange", "green", "gray", "brown", "violet") if colour not in stocked.split()]
    state = play(position(decks=dict.fromkeys(empty, "")), "skyscrapers")
    assert legal(state) == draws
    play(state, draws[0])
    assert hand(state, 0).replace(" 4", "").replace(",", "") == draws[0][5:].replace("none", "")


def test_fa_9_a_stack_runs_out_and_is_filled_again_by_a_winning_bid() -> None:
    state = position(decks={"gray": "6"}, hands=["", "gray 4 5"], at=("CentralPark", "CityHall"))
    play(state, "skyscrapers", "draw orange gray", "move white CityHall", "pass", "gray 5 4", "pass", "build 0")
    assert observe(state, 0).stacks["gray"].returned == [5, 4]
    play(state, "skyscrapers", "draw gray brown")
    assert hand(state, 1) == "gray 5, brown 4"


def test_any_number_of_cards_and_skyscrapers_in_hand() -> None:
    state = position(hands=["black 4 4 4 4 4 5 5 5 5 6 6 6, orange 4 4 5"], supply=[15, 3, 3], general=[3, 12, 12])
    play(state, "skyscrapers", "draw orange green")
    assert state.supply[0] == 18


# -- the third action


def test_fig_03_the_moves() -> None:
    state = position(at=("CentralPark", "52E"), phase="move")
    assert legal(state) == ["move white CityHall", "move beige CentralPark"]


def test_fig_04_a_stopped_district_is_skipped() -> None:
    state = position(at=("TS", "34W"), stopped="52E", phase="move")
    assert legal(state) == ["move white 52W", "move white CentralPark", "move beige 42W", "move beige TS"]


@pytest.mark.parametrize(
    ("at", "places"),
    [
        ("CityHall", "34E 34W"),
        ("34E", "42E TS"),
        ("34W", "42W TS"),
        ("42E", "52E"),
        ("42W", "52W"),
        ("TS", "52E 52W"),
        ("52E", "CentralPark"),
        ("52W", "CentralPark"),
        ("CentralPark", "CityHall"),
    ],
)
def test_the_route(at: str, places: str) -> None:
    state = position(at=(at, "CentralPark"), phase="move")
    assert legal(state, "move white") == [f"move white {place}" for place in places.split()]


@pytest.mark.parametrize(
    ("stopped", "at", "places"),
    [
        ("34E", "CityHall", "34W 42E TS"),
        ("34W", "CityHall", "34E 42W TS"),
        ("TS", "34E", "42E 52E 52W"),
        ("42W", "34W", "TS 52W"),
        ("52W", "TS", "52E CentralPark"),
        ("52W", "42W", "CentralPark"),
        ("TS", "TS", "52E 52W"),
        ("34E", "34E", "42E TS"),
    ],
)
def test_fa_12_a_stopped_district_gives_way_to_its_successors(stopped: str, at: str, places: str) -> None:
    for who in range(2):
        name = ("white", "beige")[who]
        state = position(at=(at, "CentralPark") if who == 0 else ("CentralPark", at), stopped=stopped, phase="move")
        assert legal(state, f"move {name}") == [f"move {name} {place}" for place in places.split()]


def marked(state: State) -> list[str]:
    return [" ".join(who.marked) for who in observe(state, 0).commissioners.values()]


def test_fa_12_a_marker_stays_in_a_district_that_is_left() -> None:
    state = position(at=("34E", "TS"), marks=("", "34E"), phase="move")
    assert marked(play(state, "move white TS")) == ["34E", "34E"]
    state = position(at=("34E", "TS"), marks=("", "34E"), phase="move")
    assert marked(play(state, "move beige 52W")) == ["", "34E TS"]
    state = position(phase="move")
    assert marked(play(state, "move white 34W")) == ["", ""], "City Hall is not marked"


def test_fa_12_no_marker_in_a_stopped_district_that_is_left() -> None:
    state = position(at=("TS", "CityHall"), marks=("34E", ""), stopped="TS", phase="move")
    assert marked(play(state, "move white 52E")) == ["34E", ""]


def test_a_commissioner_may_go_where_the_other_is_or_was() -> None:
    state = position(at=("34E", "TS"), marks=("", "34W"), phase="move")
    assert legal(state, "move white") == ["move white 42E", "move white TS"]
    play(state, "move white TS")
    state = position(at=("CityHall", "TS"), marks=("", "34W"), phase="move")
    play(state, "move white 34W")
