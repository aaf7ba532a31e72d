"""Walking through recorded games: the text of each step is that of `fa replay show`, and every jump arrives."""

from __future__ import annotations

import random
from itertools import pairwise

import msgspec
import pytest

from fa_cli.errors import BadOption, UsageError
from fa_cli.game_result import Fault, FaultKind, GameResult, rank_seats
from fa_cli.games import MODULES, find_game
from fa_cli.games.seed import Seed
from fa_cli.match.simulate import make_simulation
from fa_cli.replay.narrate import Boards, narrate_game
from fa_cli.replay.record import Record, make_record
from fa_cli.viewer.stepper import Jump, Stepper, score_table


def played(game: str, players: int, seed: str = "steps", **options: str) -> Record:
    """A random game."""
    ((record, _),) = make_simulation(game, players, options, 1, seed).play_all(1)
    return record


@pytest.fixture(scope="module")
def auctions() -> Record:
    """A game of Fifth Avenue with auctions and scorings, in which a bot fails at its first decision after ply 60."""
    game, generator = find_game("fifth-avenue"), random.Random(5)
    options, seed = game.make_options({}), Seed.from_text("steps")
    state, actions, faults = game.start(options, 3, seed), list[str](), list[Fault]()
    while not state.is_over():
        if state.actor == 1 and len(actions) > 60 and not faults:
            faults.append(Fault(1, len(actions), FaultKind.CRASH))
        legal = state.legal()
        number = legal[0] if state.actor == 1 and faults else generator.choice(legal)
        actions.append(game.actions[number])
        state.apply(number)
    details = [{"seat": 1, "ply": faults[0].ply, "detail": "holds \x1b[31m a violet 6"}]
    result = GameResult(state.scores(), rank_seats(state.standing(), faults), state.reason())
    names = ["random#1", "random#2", "random#3"]
    return make_record(game.name, options, names, seed, actions, faults, result, {"fault_details": details})


@pytest.mark.parametrize("game", MODULES)
@pytest.mark.parametrize("most", [False, True], ids=["fewest", "most"])
def test_steps_have_the_text_of_show(game: str, most: bool) -> None:
    options = {"turn_limit": "40"} if game == "new-york" else {}
    record = played(game, find_game(game).players[-1 if most else 0], **options)
    shown = [line.strip() for line in narrate_game(record, Boards.ALL)]
    stepper = Stepper(record)
    expected = []
    for step in stepper.steps:
        first, *others = step.sentences
        expected += [first if step.ply < 0 else f"{step.ply}  {first}", *others]
        drawing = ["", *(f"| {line}".strip() for line in step.board), ""]
        if step is stepper.steps[-1]:
            end = next(index for index, line in enumerate(expected) if line.startswith("The end:"))
            expected[end:end] = drawing
        else:
            expected += drawing
    assert expected == shown
    assert [step.ply for step in stepper.steps] == [-1, *range(len(record.actions))]
    assert stepper.steps[-1].points == record.result.scores
    assert not stepper.problem


def test_jumps(auctions: Record) -> None:
    stepper = Stepper(auctions)
    for what in Jump:
        places = [index for index, step in enumerate(stepper.steps) if what in step.begins]
        assert places, what
        stepper.move(-1000)
        for index in places:
            if index:
                stepper.jump(what, 1)
                assert stepper.index == index
        with pytest.raises(UsageError, match=f"no further {what.value}"):
            stepper.jump(what, 1)
        assert stepper.index == places[-1], "a jump that fails goes nowhere"
        for index in reversed(places[:-1]):
            stepper.jump(what, -1)
            assert stepper.index == index
        with pytest.raises(UsageError, match=f"no earlier {what.value}"):
            stepper.jump(what, -1)
    sentences = [" ".join(step.sentences) for step in stepper.steps]
    assert [Jump.AUCTION in step.begins for step in stepper.steps] == ["Auction of" in text for text in sentences]


def test_turns_and_rounds() -> None:
    stepper = Stepper(played("new-york", 3))
    turns = [step.turn for step in stepper.steps if Jump.TURN in step.begins]
    assert turns == list(range(1, max(turns) + 1))
    stepper = Stepper(played("manhattan", 3))
    assert not stepper.has(Jump.TURN)
    with pytest.raises(UsageError, match="this game has no auctions"):
        stepper.jump(Jump.AUCTION, 1)
    with pytest.raises(UsageError, match="this game has no faults"):
        stepper.jump(Jump.FAULT, -1)


def test_a_fault_and_who_may_read_its_detail(auctions: Record) -> None:
    stepper = Stepper(auctions)
    stepper.jump(Jump.FAULT, 1)
    assert stepper.step.ply == auctions.faults[0].ply
    assert stepper.step.sentences[0] == r"random#2 is out of the game: crash: holds \x1b[31m a violet 6"
    for seat in range(3):
        stepper.change_view()
        assert stepper.viewer == seat
        assert ("violet 6" in stepper.step.sentences[0]) == (seat == 1)
    stepper.change_view()
    assert stepper.viewer is None


def test_a_view_shows_what_a_seat_knows() -> None:
    record = played("manhattan", 3)
    stepper = Stepper(record)
    everything = [step.sentences for step in stepper.steps]
    hands = [line for line in stepper.step.board if "holds cards" in line]
    assert len(hands) == 3
    stepper.change_view()
    assert [line for line in stepper.step.board if "holds cards" in line] == hands[:1]
    seen = [step.sentences for step in stepper.steps]
    assert seen != everything
    draws = [text for texts in seen for text in texts if "draws" in text]
    assert {text.endswith("draws 1 card") for text in draws if not text.startswith("random#1 ")} == {True}


def test_search(auctions: Record) -> None:
    stepper = Stepper(auctions)
    stepper.search("AUCTION OF", 1)
    first = stepper.index
    assert Jump.AUCTION in stepper.step.begins
    stepper.search("auction of", 1)
    assert stepper.index > first
    stepper.search("auction of", -1)
    assert stepper.index == first
    with pytest.raises(UsageError, match="no earlier sentence contains 'auction of'"):
        stepper.search("auction of", -1)
    with pytest.raises(UsageError, match=r"no sentence contains '\\\\x1b\[2J\.\*'"):
        stepper.search("\x1b[2J.*", 1)


def test_plies(auctions: Record) -> None:
    stepper, last = Stepper(auctions), len(auctions.actions) - 1
    for ply in (0, 7, last):
        stepper.go_to(f" {ply} ")
        assert stepper.step.ply == ply
    for text in (str(last + 1), "-1", "x", "1e3", "٣", "9" * 5000):
        with pytest.raises(UsageError, match=f"plies are 0 to {last}"):
            stepper.go_to(text)
    assert stepper.step.ply == last
    stepper.move(5)
    assert stepper.step.ply == last
    stepper.move(-9999)
    assert stepper.step.ply == -1


def test_a_bad_record_is_shown_up_to_the_first_difference(auctions: Record) -> None:
    record = msgspec.structs.replace(auctions, actions=[*auctions.actions[:9], "pass", *auctions.actions[10:]])
    stepper = Stepper(record)
    assert stepper.steps[-1].ply == 8
    assert stepper.problem.startswith("this record is bad at ply 9, and shown up to there: 'pass' is not legal here")
    stepper.change_view()
    assert stepper.problem == "this record is bad at ply 9, and shown up to there"
    scores = msgspec.structs.replace(auctions.result, scores=[0, 0, 0])
    stepper = Stepper(msgspec.structs.replace(auctions, result=scores))
    assert stepper.steps[-1].ply == len(auctions.actions) - 1
    assert stepper.problem.startswith("this record is bad: scores: expected")


def test_a_record_that_cannot_be_dealt(auctions: Record) -> None:
    with pytest.raises(BadOption):
        Stepper(msgspec.structs.replace(auctions, options={"side": "seven"}))


def test_points_as_a_table() -> None:
    tables = 0
    for before, after in pairwise(Stepper(played("manhattan", 4)).steps):
        heading, *rows = score_table(after) or [""]
        gained = [new - old for old, new in zip(before.points, after.points, strict=True)]
        if heading:
            tables += 1
            assert [row.split()[:2] for row in rows] == [
                [f"#{n}", str(by)] if by else [f"#{n}"] for n, by in enumerate(gained)
            ]
            assert [sum(map(int, row.split()[2:])) for row in rows] == gained
    assert tables == 4
