"""Points of a district and of Central Park."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from fa_cli.games.fifth_avenue import GAME
from fa_cli.games.fifth_avenue.scoring import park_value, stop_points

from .positions import observe, play, position

BLUE, YELLOW, RED = 0, 1, 2


def scored(plots: dict[str, str], side: str = "five", district: str = "TS") -> list[int]:
    """Points per seat when a district with these plots is scored."""
    state = play(position(side=side, board={district: plots}, at=(district, "CityHall")), f"score {district}")
    return state.scores()


# Figure 7 (the pictures are lost; these districts give its points)


def test_fig_07_one_type_each() -> None:
    assert scored({"orange": "gallery", "green": "#0 x2", "violet": "#1 x1"}) == [4, 2, 0]


def test_fig_07_one_and_two_types() -> None:
    plots = {"orange": "#2 x2", "green": "gallery+boutique", "gray": "#1 x1", "brown": "gallery", "violet": "#0 x2"}
    assert scored(plots) == [4, 3, 6]


def test_fig_07_three_and_four_types() -> None:
    plots = {
        "orange": "#0 x2",
        "green": "gallery+boutique",
        "gray": "#1 x1",
        "brown": "jeweler+perfumery",
        "violet": "jeweler+jeweler",
    }
    assert scored(plots) == [10, 8, 0]


@pytest.mark.parametrize(
    ("left", "right", "points"),
    [
        ("", "", 1),
        ("gallery", "", 2),
        ("gallery+gallery", "gallery+gallery", 2),
        ("gallery+jeweler", "", 3),
        ("gallery", "jeweler", 3),
        ("gallery+jeweler", "jeweler+gallery", 3),
        ("gallery+jeweler", "boutique", 5),
        ("gallery+jeweler", "boutique+gallery", 5),
        ("gallery+jeweler", "boutique+perfumery", 8),
        ("gallery+jeweler", "perfumery+boutique", 8),
    ],
)
def test_points_by_different_types_beside_it(left: str, right: str, points: int) -> None:
    plots = {plot: content for plot, content in (("green", left), ("brown", right)) if content}
    assert scored({**plots, "gray": "#0 x1"}) == [points, 0, 0]
    assert scored({**plots, "gray": "#0 x7"}) == [7 * points, 0, 0]


RING = ["orange", "green", "gray", "brown", "violet"]


@pytest.mark.parametrize("plot", RING)
def test_fa_1_a_plot_touches_the_two_beside_it_in_the_ring(plot: str) -> None:
    at = RING.index(plot)
    beside = {RING[at - 1], RING[(at + 1) % 5]}
    for other in RING:
        if other != plot:
            assert scored({plot: "#0 x1", other: "gallery"}) == [2 if other in beside else 1, 0, 0]


DASHED_BETWEEN = {
    "34E": ("orange", "green"),
    "34W": ("green", "gray"),
    "42E": ("gray", "brown"),
    "42W": ("brown", "violet"),
    "TS": ("violet", "orange"),
    "52E": ("orange", "green"),
    "52W": ("gray", "brown"),
}


@pytest.mark.parametrize("district", DASHED_BETWEEN)
@pytest.mark.parametrize("plot", RING)
def test_fa_2_the_dashed_plot_joins_the_ring_between_two_plots_of_its_district(plot: str, district: str) -> None:
    """On side six there is a business (a boutique) on the dashed plot from the start."""
    touches = plot in DASHED_BETWEEN[district]
    assert scored({plot: "#0 x1"}, "six", district) == [2 if touches else 1, 0, 0]
    assert scored({plot: "#0 x1", "dashed": "boutique+gallery"}, "six", district)[0] == (3 if touches else 1)


@pytest.mark.parametrize("district", DASHED_BETWEEN)
def test_fa_2_the_plots_beside_the_dashed_one_no_longer_touch_each_other(district: str) -> None:
    for plot in RING:
        for other in {RING[RING.index(plot) - 1], RING[(RING.index(plot) + 1) % 5]}:
            with_dashed = plot in DASHED_BETWEEN[district]
            apart = {plot, other} == set(DASHED_BETWEEN[district])
            points = scored({plot: "#0 x1", other: "gallery"}, "six", district)[0]
            assert points == 1 + with_dashed + (not apart), (plot, other)


def test_fa_2_no_pair_of_neighbours_has_the_dashed_plot_more_than_twice_and_each_once() -> None:
    """So the first seven businesses favour no colour, as the setup of side five demands."""
    often = Counter(DASHED_BETWEEN.values())
    assert set(often) == {(plot, RING[(at + 1) % 5]) for at, plot in enumerate(RING)}
    assert sorted(often.values()) == [1, 1, 1, 2, 2]


@pytest.mark.parametrize("side", ["five", "six"])
def test_fa_2_bots_learn_the_rings_from_the_start_line(side: str) -> None:
    board = GAME.board(GAME.make_options({"side": side}))
    rings = msgspec.to_builtins(board)["rings"]
    assert list(rings) == list(DASHED_BETWEEN)
    for district, ring in rings.items():
        assert ring[0] == "orange" and [plot for plot in ring if plot != "dashed"] == RING
        if side == "six":
            at = ring.index("dashed")
            assert (ring[at - 1], ring[(at + 1) % 6]) == DASHED_BETWEEN[district]
        else:
            assert ring == RING


def test_fa_1_adjacency_never_leaves_the_district() -> None:
    for district in ("34E", "34W", "42E", "42W", "TS", "52E", "52W"):
        others = {name: dict.fromkeys(RING, "gallery") for name in observe(position(), 0).board}
        others[district] = {"gray": "#0 x1"}
        state = play(position(board=others, at=(district, "CityHall")), f"score {district}")
        assert state.scores() == [1, 0, 0]


def test_the_observation_says_what_a_skyscraper_is_worth_on_each_plot() -> None:
    state = position(board={"TS": {"green": "gallery+jeweler", "gray": "#0 x2"}})
    board = observe(state, 1).board
    assert [board["TS"][plot].value for plot in RING] == [3, 1, 3, 1, 1]
    assert {plot.value for plot in board["52W"].values()} == {1}


def test_fa_17_points_of_a_stop() -> None:
    assert stop_points([9, 5, 6], 4, 0) == [4, 2, 3]
    assert stop_points([9, 5], 4, 2) == [4, 2], "Alea stops: half for everybody"


@pytest.mark.parametrize(("shown", "value"), [([], 2), ([2], 2), ([1, 1, 1], 2), ([0, 1, 0], 3), ([3, 0, 1], 5)])
def test_fa_21_value_of_central_park_is_at_least_2_and_at_most_5(shown: list[int], value: int) -> None:
    assert park_value(shown) == value
