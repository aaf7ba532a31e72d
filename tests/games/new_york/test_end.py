"""The stop cards (NY-6), points (NY-10, NY-11), the turn limit (NY-12), ranks."""

from __future__ import annotations

from random import Random

import pytest

from fa_cli.game_result import rank_seats
from fa_cli.games.new_york import GAME
from fa_cli.games.new_york.board import CELLS_TEXT
from fa_cli.games.new_york.scoring import longest_group, longest_line
from fa_cli.games.new_york.state import State

from .positions import SAFE_HAND, Rigged, hand, legal, pile, play, position

MIDDLE = "a3s4 a4s3 a4s4 a4s5 a5s4"
STOCK = "avenue 3, street 3, avenue 4, street 4, avenue 5, street 5, avenue 6, street 6"


def nearly_full(empty: int, **more: object) -> State:
    """A position with so many empty cells, a1s1, a1s2, ... in order; red is nowhere in the first avenue."""
    cells = CELLS_TEXT[empty:]
    board = {"red": cells[-18:], "blue": cells[:16], "yellow": cells[16:-18]}
    return position(board={colour: " ".join(part) for colour, part in board.items()}, **more)  # type: ignore[arg-type]


# -- NY-6 ----------------------------------------------------------------------------------------------------------


def test_ny_6_stop_cards_come_when_a_turn_leaves_four_cells_empty() -> None:
    state = nearly_full(6, stock=STOCK)
    assert GAME.observe(state, 0).stop_cards == "aside"
    play(state, "play 1 1")
    assert (GAME.observe(state, 0).stop_cards, pile(state.discard)) == ("aside", "avenue 1, street 1")
    play(state, "play 1 2")
    assert GAME.observe(state, 0).stop_cards == "discard"
    assert pile(state.discard) == "avenue 1, street 1, avenue 1, street 2, stop, stop"


def test_ny_6_before_the_turns_drawing_so_that_a_shuffle_in_it_has_them() -> None:
    """ "Op dit moment": with an empty stock the same turn's drawing shuffles them in, at the end of the pile."""
    state = nearly_full(5, stock="", discard=STOCK)
    state.journal = []
    play(state, "play 1 1")
    assert (hand(state, 0), pile(state.discard)) == ("avenue 2, street 2, avenue 3, street 3", "")
    assert pile(state.stock).endswith("avenue 6, street 6, avenue 1, street 1, stop, stop")
    assert GAME.observe(state, 0).stop_cards == "stock"
    assert [entry[0] for entry in state.journal] == ["placed", "stop-cards", "shuffled", "drew"]


def test_ny_6_the_player_who_fills_the_board_may_draw_one_himself() -> None:
    """Nothing but the cards just played and the stop cards is left to draw from."""

    class Reversing(Rigged):
        def shuffle(self, items: list[int]) -> None:
            items.reverse()

    state = nearly_full(5, stock="", discard="")
    state.chance = Reversing()
    play(state, "play 1 1")
    assert (state.is_over(), state.reason(), state.turns) == (True, "stop-card", 1)
    assert (hand(state, 0), GAME.observe(state, 0).stop_cards) == ("avenue 2, street 2", "drawn")


def test_ny_6_five_empty_cells_are_too_many() -> None:
    state = nearly_full(6, stock="", discard=STOCK)
    play(state, "play 1 1")
    assert GAME.observe(state, 0).stop_cards == "aside" and "stop" not in pile(state.stock)


def test_ny_6_only_the_first_time() -> None:
    state = nearly_full(5, stock=STOCK)
    play(state, "play 1 1", "play 1 2", "play 2 1")
    assert pile(state.discard).count("stop") == 2
    assert state.empty.bit_count() == 3


def test_ny_6_more_empty_cells_later_do_not_take_them_out() -> None:
    state = nearly_full(5, stock=STOCK)
    play(state, "play 1 1")
    state.lift(0, 48)
    state.lift(0, 47)
    play(state, "play 1 2")
    assert GAME.observe(state, 0).stop_cards == "discard"


def test_ny_6_nothing_is_checked_inside_renovation_or_ruin() -> None:
    empty = [*MIDDLE.split(), "a1s1", "a1s2", "a1s3"]
    others = [cell for cell in CELLS_TEXT if cell not in empty]
    board = {"red": " ".join(others[:15]), "blue": " ".join(others[15:30]), "yellow": " ".join(others[30:])}
    state = position(board=board, hands=["renovation red, " + SAFE_HAND], actions="on")
    play(state, "renovation red", *(f"place {cell}" for cell in MIDDLE.split()[:4]))
    assert (state.empty.bit_count(), GAME.observe(state, 0).stop_cards) == (4, "aside")
    play(state, "place a5s4")
    assert pile(state.discard) == "renovation red, stop, stop"


def test_ny_6_counts_the_cells_that_a_renovation_leaves_empty() -> None:
    """Four cells are empty elsewhere; a chance that is passed leaves a fifth."""
    state = nearly_full(4, hands=["renovation red, " + SAFE_HAND], actions="on")
    play(state, "renovation red", "pass", "place a4s3", "place a4s4", "place a4s5", "place a5s4")
    assert (state.empty.bit_count(), GAME.observe(state, 0).stop_cards) == (5, "aside")
    state = nearly_full(4, hands=["renovation red, " + SAFE_HAND], actions="on")
    play(state, "renovation red", *(f"place {cell}" for cell in MIDDLE.split()))
    assert (state.empty.bit_count(), GAME.observe(state, 0).stop_cards) == (4, "discard")


def test_ny_6_first_to_draw_a_stop_card_ends_the_game_at_once() -> None:
    state = position(stock="avenue 3, stop, street 3, stop", discard="")
    state.stops = True
    play(state, "play 1 1")
    assert state.is_over() and (state.actor, state.reason()) == (-1, "stop-card")
    assert hand(state, 0) == "avenue 2, street 2, avenue 3"  # no card after it
    assert GAME.observe(state, 1).stop_cards == "drawn"


def test_ny_6_play_goes_on_until_somebody_draws_one() -> None:
    state = nearly_full(5, stock=STOCK)
    state.chance = Rigged()
    play(state, "play 1 1")
    turns = 0
    while not state.is_over():
        state.apply(state.legal()[-1])
        turns += 1
    assert turns > 3 and state.shuffles == 2 and state.reason() == "stop-card"


def test_ny_6_a_redraw_draws_one_too() -> None:
    state = position(hands=["avenue 1"], stock="avenue 3, stop")
    state.stops = True
    play(state, "redraw")
    assert state.reason() == "stop-card"


# -- NY-10 and NY-11 -----------------------------------------------------------------------------------------------


def mask(cells: str) -> int:
    return sum(1 << CELLS_TEXT.index(cell) for cell in cells.split())


@pytest.mark.parametrize(
    ("cells", "group", "line"),
    [
        ("", 0, 0),
        ("a4s4", 0, 0),
        ("a4s4 a5s5", 0, 0),  # diagonally is not joined
        ("a4s4 a4s5", 2, 2),
        ("a4s4 a5s4", 2, 2),
        ("a1s7 a2s1", 0, 0),  # an avenue's end and the next one's beginning
        ("a1s1 a1s2 a1s3 a2s3 a3s3 a3s4", 6, 3),
        ("a1s1 a1s2 a1s4 a1s5 a1s6", 3, 3),  # unbroken
        ("a1s1 a2s1 a3s1 a4s1 a5s1 a6s1 a7s1", 7, 7),
        ("a3s1 a3s2 a3s3 a3s4 a3s5 a3s6 a3s7 a1s7 a2s7", 9, 7),
        ("a1s1 a1s3 a2s2 a3s1 a3s3", 0, 0),
        ("a2s2 a2s4 a3s2 a3s3 a3s4 a4s3", 6, 3),
    ],
)
def test_ny_10_chains_as_groups_and_as_lines(cells: str, group: int, line: int) -> None:
    assert (longest_group(mask(cells)), longest_line(mask(cells))) == (group, line)


def test_ny_10_chains_agree_with_a_plain_search() -> None:
    generator = Random(3)
    for _ in range(300):
        share = generator.choice([0.03, 0.2, 0.5, 0.8])
        cells = {cell for cell in range(49) if generator.random() < share}
        stones = sum(1 << cell for cell in cells)
        groups = [len(flood(cells, cell)) for cell in cells]
        assert longest_group(stones) == max([size for size in groups if size > 1], default=0)
        runs = [run(cells, cell, step) for cell in cells for step in (1, 7)]
        assert longest_line(stones) == max([length for length in runs if length > 1], default=0)


def flood(cells: set[int], cell: int) -> set[int]:
    group, new = {cell}, [cell]
    while new:
        at = new.pop()
        beside = [at - 7, at + 7, *([at - 1] if at % 7 else []), *([at + 1] if at % 7 < 6 else [])]
        found = [other for other in beside if other in cells and other not in group]
        group.update(found)
        new += found
    return group


def run(cells: set[int], cell: int, step: int) -> int:
    length = 1
    while cell + step in cells and (step == 7 or (cell + 1) % 7):
        cell += step
        length += 1
    return length


SHAPE = "a1s1 a1s2 a1s3 a2s3 a7s7"


@pytest.mark.parametrize(("chain", "points", "longest"), [("group", 4 * 2 + 1 + 5, 4), ("line", 3 * 2 + 2 + 5, 3)])
def test_ny_10_two_points_a_stone_of_the_chain_one_for_others_one_a_unit(chain: str, points: int, longest: int) -> None:
    state = position(board={"red": SHAPE, "blue": "a4s4 a6s6"}, units=[5, 3, 0], chain=chain)
    assert state.scores() == [points, 2 + 3, 0]
    assert state.standing() == [(points, longest, 5), (5, 0, 3), (0, 0, 0)]
    seats = GAME.observe(state, 1).seats
    assert [(seat.points, seat.chain) for seat in seats] == [(points, longest), (5, 0), (0, 0)]


def test_ny_10_only_one_of_two_equal_chains_counts_double() -> None:
    state = position(board={"red": "a1s1 a1s2 a7s1 a7s2"}, units=[0, 0, 0])
    assert state.scores()[0] == 2 * 2 + 2


def test_ny_10_a_chain_is_of_one_colour() -> None:
    state = position(board={"red": "a1s1 a1s3", "blue": "a1s2"}, units=[0, 0, 0])
    assert state.scores() == [2, 1, 0]


def test_ny_11_two_players_only_the_longest_chain_of_each_colour_and_units() -> None:
    board = {"red": "a1s1 a1s2 a1s3 a7s7", "yellow": "a2s1 a2s2 a5s5", "blue": "a6s1", "green": "a3s3 a4s3 a3s5"}
    state = position(2, board, units=[4, 7])
    assert state.scores() == [3 * 2 + 2 * 2 + 4, 2 * 2 + 7]
    assert state.standing() == [(14, 3, 4), (11, 2, 7)]


def test_ny_11_a_players_two_colours_do_not_join() -> None:
    state = position(2, {"red": "a1s1 a1s3", "yellow": "a1s2"}, units=[0, 0])
    assert state.scores() == [0, 0]


# -- NY-12 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", GAME.players)
def test_ny_12_the_game_ends_when_every_player_has_had_the_limit(players: int) -> None:
    state = position(players, turn_limit=3)
    turns = 0
    while not state.is_over():
        turns += state.legal()[0] == 0 or GAME.observe(state, 0).phase == "turn"
        state.apply(state.legal()[0])
    assert (turns, state.turns, state.reason()) == (3 * players, 3 * players, "turn-limit")
    assert GAME.observe(state, 0).phase == "over" and state.actor == -1


def test_ny_12_a_redraw_is_a_turn() -> None:
    state = position(hands=["avenue 1"] * 3, turn_limit=1)
    play(state, "redraw", "redraw")
    assert legal(state) == ["redraw"]
    assert play(state, "redraw").reason() == "turn-limit"


def test_ny_12_the_last_turns_drawing_is_still_made() -> None:
    state = position(stock=STOCK, turn_limit=1, turn=2)
    state.turns = 2
    play(state, "play 1 1")
    assert (hand(state, 2), state.reason()) == ("avenue 2, street 2, avenue 3, street 3", "turn-limit")


def test_ny_12_a_stop_card_drawn_then_ends_it_as_usual() -> None:
    state = position(stock="stop, avenue 3, stop", turn_limit=1, turn=2)
    state.turns = 2
    assert play(state, "play 1 1").reason() == "stop-card"


# -- ranks ---------------------------------------------------------------------------------------------------------


def ranks(board: dict[str, str], units: list[int], players: int = 3) -> list[int]:
    return rank_seats(position(players, board, units=units).standing())


def test_ranks_points_then_chain_then_units() -> None:
    assert ranks({"red": "a1s1"}, [1, 3, 4]) == [3, 2, 1]
    # four points each: chain of two; four single units; two stones and two units
    assert ranks({"red": "a1s1 a1s2", "yellow": "a3s1 a3s3"}, [0, 4, 2]) == [1, 2, 3]
    assert ranks({"red": "a1s1 a1s2", "blue": "a3s1 a3s2", "yellow": "a7s1"}, [1, 1, 4]) == [1, 1, 3]


def test_ranks_two_players_the_longer_of_the_two_chains() -> None:
    three = {"red": "a1s1 a1s2 a1s3", "blue": "a3s1 a3s2", "green": "a5s1 a5s2"}
    assert ranks(three, [2, 0], 2) == [1, 2]
    assert ranks(three | {"red": "a1s1 a1s2", "yellow": "a7s1 a7s2"}, [0, 0], 2) == [1, 1]
