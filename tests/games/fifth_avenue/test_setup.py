"""Setting up: pieces, tiles, cards, and where chance enters."""

from __future__ import annotations

from collections import Counter
from typing import cast

import pytest

from fa_cli.errors import BadOption
from fa_cli.games.fifth_avenue import GAME
from fa_cli.games.fifth_avenue.state import State
from fa_cli.games.fifth_avenue.view import Observation

from .positions import legal, observe, play
from .reference import BUSINESSES, COLOURS, DISTRICTS, shuffled


def start(players: int = 3, seed: int = 0, **options: object) -> State:
    return cast(State, GAME.start(GAME.make_options(options), players, seed.to_bytes(32, "big")))


def view(state: State, seat: int = 0) -> Observation:
    return observe(state, seat)


def first_plots(state: State) -> list[str]:
    board = view(state).board
    return [plot for district in DISTRICTS for plot, content in board[district].items() if content.businesses]


def test_material() -> None:
    state = start(4)
    seen = [observe(state, seat) for seat in range(4)]
    for colour in COLOURS:
        deck = [4 + card % 3 for card in state.decks[COLOURS.index(colour)]]
        cards = deck + [4 + i for view in seen for i, count in enumerate(view.hand[colour]) for _ in range(count)]
        assert Counter(cards) == {4: 5, 5: 4, 6: 3}
    black = [4 + card for card in state.black]
    black += [4 + i for view in seen for i, count in enumerate(view.hand["black"]) for _ in range(count)]
    assert Counter(black) == {4: 20, 5: 16, 6: 14}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_and_pieces_at_the_start(players: int) -> None:
    state = start(players)
    for seat in range(players):
        hand = view(state, seat).hand
        assert {suit: sum(counts) for suit, counts in hand.items()} == {"black": 4} | dict.fromkeys(COLOURS, 1)
    seats = view(state).seats
    # 18 skyscrapers: one counts points, two are placed, three in the supply, twelve in the general supply
    assert [(seat.points, seat.supply, seat.general, seat.central_park) for seat in seats] == [(0, 3, 12, 0)] * players
    assert view(state).alea_skyscrapers == (18 if players == 2 else 0)
    assert {stack.count for stack in view(state).stacks.values()} == {12 - players}
    assert view(state).black.face_down == 50 - 4 * players
    assert {who.at for who in view(state).commissioners.values()} == {"CityHall"}
    assert not any(who.marked for who in view(state).commissioners.values())


def test_one_business_per_district_and_twenty_in_the_row() -> None:
    state = start()
    assert len(first_plots(state)) == 7
    shown = view(state)
    assert [len(shown.businesses), *map(len, shown.later_sets)] == [3, 2, 3, 2, 3, 2, 3, 2]


def test_tiles_are_dealt_in_their_order() -> None:
    state = start(seed=5)
    tiles = shuffled((5).to_bytes(32, "big"), "tiles", [tile for tile in BUSINESSES for _ in range(9)])
    board = view(state).board
    assert [tile for d in DISTRICTS for plot in board[d].values() for tile in plot.businesses] == tiles[:7]
    assert view(state).businesses == sorted(tiles[7:10], key=BUSINESSES.index)
    assert [tile for later in view(state).later_sets for tile in later] == tiles[10:27]


def test_alea_setup_has_no_colour_more_than_twice() -> None:
    fewest = set()
    for seed in range(60):
        often = Counter(first_plots(start(seed=seed)))
        assert max(often.values()) <= 2
        fewest.add(len(often))
    assert fewest == {4, 5}, "a colour may stay without a business"


def test_rio_grande_setup_has_every_colour_besides() -> None:
    for seed in range(60):
        often = Counter(first_plots(start(seed=seed, setup="rio-grande")))
        assert max(often.values()) <= 2 and len(often) == 5


@pytest.mark.parametrize("setup", ["alea", "rio-grande"])
def test_side_six_has_the_first_businesses_on_the_dashed_plots(setup: str) -> None:
    for seed in range(5):
        assert first_plots(start(seed=seed, side="six", setup=setup)) == ["dashed"] * 7


def test_hands_are_dealt_from_the_top() -> None:
    seed = (9).to_bytes(32, "big")
    state = start(4, seed=9)
    black = shuffled(seed, "black 0", [4] * 20 + [5] * 16 + [6] * 14)
    for seat in range(4):
        hand = view(state, seat).hand
        assert hand["black"] == [black[4 * seat : 4 * seat + 4].count(value) for value in (4, 5, 6)]
        for colour in COLOURS:
            deck = shuffled(seed, f"cards {colour}", [4] * 5 + [5] * 4 + [6] * 3)
            assert hand[colour] == [int(deck[seat] == value) for value in (4, 5, 6)]
            assert view(state).stacks[colour].top == deck[4]
    assert [4 + card for card in state.black] == black[16:]


@pytest.mark.parametrize(
    ("players", "order"),
    # Anna, Bernd, Carla and Dieter sit clockwise: Anna - Dieter - Carla - Bernd, then Bernd - Carla - Dieter - Anna
    [(4, [0, 3, 2, 1, 1, 2, 3, 0]), (3, [0, 2, 1, 1, 2, 0]), (2, [0, 1, 1, 0])],
)
def test_the_order_of_placing(players: int, order: list[int]) -> None:
    state = start(players)
    asked = []
    while legal(state)[0].startswith("place"):
        asked.append(state.actor)
        play(state, legal(state)[0])
    assert asked == order
    assert state.actor == 0, "the starting player begins"
    assert legal(state)[0] == "commissioner"


def test_placing_on_empty_plots_only() -> None:
    state = start()
    empty = [
        f"place {district}.{name}"
        for district, plots in view(state).board.items()
        for name, plot in plots.items()
        if not plot.businesses
    ]
    assert legal(state) == empty and len(empty) == 28
    play(state, empty[0])
    assert empty[0] not in legal(state) and state.actor == 2


def test_placing_never_on_dashed_plots() -> None:
    state = start(side="six")
    assert len(legal(state)) == 35 and not any("dashed" in action for action in legal(state))


def test_fa_3_the_second_skyscraper_stands_in_another_district() -> None:
    state = start(2)
    play(state, legal(state)[0], legal(state)[-1])
    assert state.actor == 1
    assert not legal(state, "place 52W")
    assert legal(state, "place 34E"), "another player's district is allowed"
    play(state, legal(state, "place 34E")[0])
    assert state.actor == 0
    assert not legal(state, "place 34E") and legal(state, "place 52W")


def test_options_and_their_defaults() -> None:
    assert GAME.make_options({}) == GAME.options(side="five", setup="alea", turn_limit=100)
    assert GAME.make_options({"turn_limit": "7", "side": "six"}) == GAME.options(side="six", turn_limit=7)
    for wrong in ({"side": "seven"}, {"setup": "egon"}, {"turn_limit": 0}, {"turn_limit": 1001}, {"colour": "red"}):
        with pytest.raises(BadOption):
            GAME.make_options(wrong)
    for text in ("1e2", "7.0"):
        with pytest.raises(BadOption, match=f"turn_limit is a number from 1 to 1000, not '{text}'"):
            GAME.make_options({"turn_limit": text})
