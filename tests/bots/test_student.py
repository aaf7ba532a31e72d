"""The student: what its networks see and cost, where it falls back on the searcher's policy, and how it learned."""

from __future__ import annotations

import hashlib
import importlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import Any

import msgspec
import numpy as np
import pytest

from fa_cli.game_result import rank_seats
from fa_cli.games import find_game, search
from fa_cli.games.game import Game
from tests.conftest import further

from .conftest import FOLDER

STUDENT = FOLDER / "student"
FIFTH_AVENUE = find_game("fifth-avenue")
GAME = find_game("manhattan")
NEW_YORK = find_game("new-york")
ALL = ("fifth-avenue", "manhattan", "new-york")


def start(game: Game) -> dict[str, str]:
    """What the search needs of a `start` line."""
    return {"game": game.name, "bot_seed": "0123456789abcdef"}


@pytest.fixture(scope="module")
def student() -> Iterator[ModuleType]:
    """The main module of the student, imported with the student's folder in the path."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(STUDENT))
        yield importlib.import_module("student")
    for path in STUDENT.glob("*.py"):
        sys.modules.pop(path.stem, None)


@pytest.fixture(scope="module")
def training() -> Iterator[ModuleType]:
    """The training, imported with the bot's modules; it puts the bot's folder into the path itself."""
    path = sys.path[:]
    yield importlib.import_module("tools.student.training")
    sys.path[:] = path
    for name in [*sys.modules]:
        if name.startswith("tools.student") or name in {file.stem for file in STUDENT.glob("*.py")}:
            del sys.modules[name]


def deal(players: int, name: str, game: Game = GAME, **options: str) -> Any:
    return game.start(game.make_options(dict(options)), players, hashlib.sha256(name.encode()).digest())


def positions(players: int, wanted: int, game: Game = GAME) -> Iterator[Any]:
    """States of random games with something to decide."""
    dice = random.Random(players)
    for number in range(wanted):
        state = deal(players, f"student {number}", game)
        for _ in range(dice.randrange(95)):
            state.apply(dice.choice(state.legal()))
            if state.is_over():
                state = deal(players, f"student {number}, over", game)
        yield state


def decision(state: Any, game: Game = GAME) -> dict[str, Any]:
    seen = msgspec.to_builtins(game.observe(state, state.actor))
    return {"observation": seen, "legal": [game.actions[number] for number in state.legal()], "clock": {}}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_builds_are_seen_as_the_positions_after_them(student: ModuleType, players: int) -> None:
    """The quick reckoning of many positions that differ by one tower is that of each position."""
    features = importlib.import_module("features_manhattan")
    after = importlib.import_module("policy_manhattan").after
    seen = 0
    for state in positions(players, 20):
        if state.left > 1:
            legal = state.legal()
            whole = features.positions([after(state, action) for action in legal])
            assert np.allclose(features.builds([state], [legal]), whole, atol=1e-5)
            seen += 1
    assert seen > 10


@pytest.mark.parametrize("players", [3, 4])
def test_seats_are_told_apart_by_what_they_have(student: ModuleType, players: int) -> None:
    """Shares add up to 1 and depend on nothing that is hidden."""
    policy = importlib.import_module("policy_manhattan")
    networks = student.networks_of(STUDENT / f"manhattan-{players}.npz", players)
    for state in positions(players, 8):
        shares = policy.shares(networks, [state])
        assert shares.sum() == pytest.approx(1, abs=1e-4)
        other = GAME.resample_from_infostate(state, state.actor, random.Random(2))
        assert (policy.shares(networks, [other]) == shares).all()


@pytest.mark.slow
def test_plays_alike_on_every_processor() -> None:
    """OpenBLAS adds in another order on each of these; on other processors than x86 it is the same one twice."""
    program = "from tests.bench.tables import *; print([play_deal(Table('manhattan', 3, 'student:0', 'planner'), 7)])"
    command, root = [sys.executable, "-c", program], STUDENT.parents[1]
    uncached = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}  # a cache would be a change of a bot that others play
    games = [
        subprocess.check_output(command, cwd=root, env={**uncached, "OPENBLAS_CORETYPE": core})
        for core in ("Prescott", "Haswell")
    ]
    assert games[0] == games[1]


def test_weights_are_small() -> None:
    assert 0 < sum(path.stat().st_size for path in STUDENT.glob("*.npz")) <= 300_000


def test_it_has_learned_all_but_manhattan_of_two() -> None:
    settings = {f"{name}-{players}" for name in ALL for players in find_game(name).players}
    assert {path.stem for path in STUDENT.glob("*.npz")} == settings - {"manhattan-2"} | {"new-york-line-3"}


def test_in_manhattan_of_two_it_judges_later(student: ModuleType) -> None:
    """After the next two builds by the heuristics, or what is left of the round; all else is the searcher's."""
    ours, theirs = student.policy_of("manhattan", 2), search.policy_of("manhattan")
    ends = 0
    for state in positions(2, 40):
        later, left = state.copy(), state.left
        for _ in range(min(2, left)):
            legal = later.legal()
            later.apply(max(zip(theirs.opinions(later, legal), legal, strict=True), key=lambda pair: pair[0])[1])
        assert ours.expect(state.copy()) == theirs.expect(later)
        ends += 0 < left <= 2
        assert ours.searches(state) == theirs.searches(state)
        assert ours.opinions(state, state.legal()) == theirs.opinions(state, state.legal())
    assert ends


@pytest.mark.parametrize(
    ("game", "players"),
    [
        (FIFTH_AVENUE, 2),
        (FIFTH_AVENUE, 4),
        (GAME, 2),
        (GAME, 3),
        (GAME, 4),
        (NEW_YORK, 2),
        (NEW_YORK, 3),
        (NEW_YORK, 5),
    ],
)
@pytest.mark.parametrize("iterations", [0, 8])
def test_answers_by_what_it_sees_alone(student: ModuleType, game: Game, players: int, iterations: int) -> None:
    """Legal, and the same again: whatever was decided before, whatever is hidden, however long it takes."""
    first, second = (search.Searcher(iterations, None, student.policy_of) for _ in range(2))
    for state in positions(players, 5, game):
        decide = decision(state, game)
        answer = first(decide, start(game))
        assert answer in decide["legal"]
        other = decision(game.resample_from_infostate(state, state.actor, random.Random(2)), game)
        assert second(other, start(game)) == answer


def test_the_end_of_a_game_is_worth_what_it_brought(student: ModuleType) -> None:
    state = deal(3, "end")
    while not state.is_over():
        state.apply(state.legal()[0])
    state.points = [50, 50, 10]
    first, second, last = student.policy_of("manhattan", 3).expect(state)
    assert first == second == pytest.approx(0.5, abs=0.001)
    assert last < 0.001
    assert importlib.import_module("network").outcomes([state]).sum() == pytest.approx(1)


def test_decides_quickly_without_a_search(student: ModuleType) -> None:
    """In a third of the time of the searcher with its default. Processor times: the machine may be busy."""
    states = [state for state in positions(4, 12) if state.left > 1]

    def cost(choose: Callable[[Any, Any], str]) -> float:
        decides = [decision(state) for state in states]
        choose(decides[0], start(GAME))  # what is imported late
        begun = time.process_time()
        for decide in decides:
            choose(decide, start(GAME))
        return time.process_time() - begun

    quick, deep = search.Searcher(0, None, student.policy_of), search.Searcher()
    assert min(cost(quick) / cost(deep) for _ in range(5)) < 1 / 3


def wins(
    student: ModuleType, players: int, deals: int, game: Game = GAME, iterations: int = 0, **options: str
) -> float:
    """The share of games that it wins against opponents that search as long by the searcher's policy, or not at all."""
    learned, known = search.Searcher(iterations, None, student.policy_of), search.Searcher(iterations)
    won = 0.0
    for number in range(deals):
        for seat in range(players):
            state = deal(players, f"strength {number}", game, **options)
            while not state.is_over():
                legal = state.legal()
                chosen = game.actions[legal[0]]
                if len(legal) > 1:
                    chosen = (learned if state.actor == seat else known)(decision(state, game), start(game))
                state.apply(game.action_number(chosen))
            ranks = rank_seats(state.standing())
            won += (ranks[seat] == 1) / ranks.count(1)
    return won / (deals * players)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "deals", "times"), [(3, 16, 1.5), (4, 6, 2.0)])
def test_its_values_beat_the_searchers(student: ModuleType, players: int, deals: int, times: float) -> None:
    """Its share of the wins is at least so many times that of an equal: 2.4 or more standard errors above it."""
    assert wins(student, players, deals) >= times / players


@pytest.mark.slow
def test_its_values_help_the_search_in_new_york(student: ModuleType) -> None:
    """The most likely result of equals is 1/3; these are few games, on deals that are always the same."""
    assert wins(student, 3, 8, NEW_YORK, 8) >= 1.2 / 3


@pytest.mark.slow
def test_it_foresees_who_wins_new_york_of_two(student: ModuleType) -> None:
    """In games by the heuristics, better than their own evaluation does."""
    module, known = importlib.import_module("policy_new_york"), search.policy_of("new-york")
    network = student.policy_of("new-york", 2).network
    foreseen, won = [], []
    for number in range(20):
        state, passed = deal(2, f"foreseen {number}", NEW_YORK), []
        while not state.is_over():
            legal = state.legal()
            values = known.opinions(state, legal)
            state.apply(legal[values.index(max(values))])
            if module.kind(state):
                passed.append(state.copy())
        first = rank_seats(state.standing())[0] == 1
        foreseen += [(network.shares(module.positions([at]))[0][0], known.expect(at)[0]) for at in passed]
        won += [first] * len(passed)
    shares = np.clip(np.array(foreseen), 0.001, 0.999)
    ours, theirs = -np.log(np.where(np.array(won)[:, None], shares, 1 - shares)).mean(0)
    assert ours < theirs - 0.05


def test_with_two_players_two_turns_are_played_before_new_york_is_judged(student: ModuleType) -> None:
    """By the heuristics, whatever phase it is in; then both judge, the network and they."""
    module, known = importlib.import_module("policy_new_york"), search.policy_of("new-york")
    policy = student.policy_of("new-york", 2)
    phases = set()
    for state in positions(2, 30, NEW_YORK):
        if not module.kind(state):
            continue
        phases.add(state.phase)
        later = state.copy()
        for ahead in (1, 2):
            module.play_turn(later)
            assert later.is_over() or (later.turns, later.turn) == (state.turns + ahead, (state.turn + ahead) % 2)
        if not later.is_over():
            network = policy.network.shares(module.positions([later]))[0]
            half = (network + np.array(known.expect(later))) / 2
            assert policy.expect(state.copy()) == pytest.approx(half.tolist(), abs=1e-5)
    assert len(phases) == 2


def test_lines_with_three_players_have_a_network_of_their_own(student: ModuleType) -> None:
    """It judges after the next turn; with groups the other judges at once."""
    module, policy = importlib.import_module("policy_new_york"), student.policy_of("new-york", 3)
    for chain, network, ahead in (("line", policy.on_lines, 1), ("group", policy.network, 0)):
        state = deal(3, "lines", NEW_YORK, chain=chain)
        while not module.kind(state):
            state.apply(state.legal()[0])
        later = state.copy()
        for _ in range(ahead):
            module.play_turn(later)
        assert policy.expect(state) == pytest.approx(network.shares(module.positions([later]))[0].tolist(), abs=1e-5)


def test_the_turn_played_before_judging_is_the_best_by_opinion(student: ModuleType) -> None:
    module, known = importlib.import_module("policy_new_york"), search.policy_of("new-york")
    for state in positions(2, 12, NEW_YORK):
        if module.kind(state):
            ours, theirs = state.copy(), state.copy()
            module.play_turn(ours)
            while theirs.turns == state.turns and not theirs.is_over():
                legal = theirs.legal()
                values = known.opinions(theirs, legal)
                theirs.apply(legal[values.index(max(values))])
            assert (ours.board, ours.units, ours.hands) == (theirs.board, theirs.units, theirs.hands)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, *further(4)])
@pytest.mark.parametrize("options", [{"actions": "on"}, *further({}, {"chain": "line"})])
def test_new_york_is_judged_at_every_turn(student: ModuleType, options: dict[str, str], players: int) -> None:
    """Shares add up to 1, the first of a seat's numbers is its stones, and the winner is known at the end."""
    features = importlib.import_module("features_new_york")
    policy = student.policy_of("new-york", players)
    made = NEW_YORK.make_options(options | {"turn_limit": "40"})
    state: Any = NEW_YORK.start(made, players, hashlib.sha256(b"judged").digest())
    dice, judged = random.Random(5), 0
    while not state.is_over():
        state.apply(dice.choice(state.legal()))
        shares = policy.expect(state.copy())
        assert sum(shares) == pytest.approx(1, abs=1e-4)
        numbers = features.positions([state])[0]
        assert numbers.shape == (players, features.SIZE)
        stones = [sum(state.board[colour].bit_count() for colour in colours) for colours in state.colours]
        assert [row[0] for row in numbers] == stones
        judged += 1
    assert judged > 40
    assert max(shares) == shares[rank_seats(state.standing()).index(1)]


@pytest.mark.slow
def test_its_values_help_the_search_in_fifth_avenue(student: ModuleType) -> None:
    """Equals would win seven of eight games in one of 28 times; the deals are always the same."""
    assert fmean(wins(student, 2, 2, FIFTH_AVENUE, 8, side=side) for side in ("five", "six")) >= 0.8


@pytest.mark.parametrize("side", ["five", "six"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_fifth_avenue_is_judged_at_every_turn(student: ModuleType, players: int, side: str) -> None:
    """Shares add up to 1, numbers are what they say, seats are alike, and the winner is known at the end."""
    features = importlib.import_module("features_fifth_avenue")
    kind = importlib.import_module("policy_fifth_avenue").kind
    policy = student.policy_of("fifth-avenue", players)
    state: Any = FIFTH_AVENUE.start(
        FIFTH_AVENUE.make_options({"side": side}), players, hashlib.sha256(b"judged").digest()
    )
    dice, judged = random.Random(5), 0
    while not state.is_over():
        state.apply(dice.choice(state.legal()))
        shares = policy.expect(state.copy())
        assert sum(shares) == pytest.approx(1, abs=1e-4)
        if not kind(state):
            continue
        numbers = features.positions([state])[0]
        assert numbers.shape == (players, features.SIZE)
        open_districts = [district for district in range(7) if not state.stopped >> district & 1]
        scored = [sum(points) for points in zip(*map(state.district_points, open_districts), strict=True)]
        assert [row[0] for row in numbers] == scored
        assert (features.positions([next_seats(state)])[0] == np.roll(numbers, 1, 0)).all()
        assert policy.expect(next_seats(state)) == pytest.approx([shares[-1], *shares[:-1]], abs=1e-4)
        judged += 1
    assert judged > 10
    assert max(shares) == shares[rank_seats(state.standing()).index(1)]


@pytest.mark.parametrize("players", [2, 4])
def test_moves_in_fifth_avenue_are_those_of_a_counted_search(student: ModuleType, players: int) -> None:
    """Of as many iterations as asked for, or as the policy sets, with leaves that the network judges."""
    policy_of, judged = student.policy_of, 0

    class Counted(policy_of("fifth-avenue", players).__class__):  # type: ignore[misc]
        def expect(self, state: Any) -> list[float]:
            nonlocal judged
            judged += 1
            shares: list[float] = super().expect(state)
            return shares

    def counted(game: str, players: int) -> Any:
        return Counted({"turn": policy_of(game, players).network})

    for state in positions(players, 4, FIFTH_AVENUE):
        for asked, iterations in ((12, 12), (None, policy_of("fifth-avenue", players).ITERATIONS)):
            judged = 0
            decide = decision(state, FIFTH_AVENUE)
            answer = search.Searcher(asked, None, counted)(decide, start(FIFTH_AVENUE))
            assert judged == iterations
            assert search.Searcher(asked, None, policy_of)(decide, start(FIFTH_AVENUE)) == answer


def next_seats(state: Any) -> Any:
    """The same position of Fifth Avenue with every player one seat further on."""
    new, players = state.copy(), state.players
    new.owner = [(owner + 1) % players if 0 <= owner < players else owner for owner in state.owner]
    for name in ("home", "districts", "supply", "general", "points", "park_height", "hand", "known", "worth", "held"):
        old = getattr(state, name)
        each = len(old) // players
        setattr(new, name, old[-each:] + old[:-each])
    new.turn = new.actor = (state.turn + 1) % players
    return new


@pytest.mark.parametrize(
    ("game", "taught"), [("manhattan", 1), *further(("fifth-avenue", 3), ("new-york", 3), ("new-york-line", 3))]
)
def test_training_goes_on_where_it_was_stopped(
    game: str, taught: int, training: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three rounds at once give the same networks as one, a stop, and the other two: taught first, then playing."""
    for name, value in (("GAMES", 2), ("KEPT", 1)):
        monkeypatch.setattr(training, name, value)
    whole, parts = tmp_path / "whole.npz", tmp_path / "parts.npz"
    subject = importlib.import_module("tools.student.bot").SUBJECTS[game]._replace(taught=taught)

    def begin(name: str) -> Any:
        return training.Training(subject, 3, 3, 1, tmp_path / name)

    begin("a").run(whole)
    stopped = begin("b")
    checkpoint = stopped.checkpoint

    def stop(number: int) -> None:
        checkpoint(number)
        if number == 0:
            raise KeyboardInterrupt

    monkeypatch.setattr(stopped, "checkpoint", stop)
    with pytest.raises(KeyboardInterrupt):
        stopped.run(parts)
    begin("b").run(parts)
    with np.load(whole) as first, np.load(parts) as second:
        assert set(first) == set(second) == {f"{kind}.{name}" for kind in subject.kinds for name in training.NAMES}
        assert all((first[name] == second[name]).all() for name in first)
