"""The search's tree on games with a known best move, and the use of the clock, hidden data and randomness."""

from __future__ import annotations

import gc
import hashlib
import itertools
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from fa_cli.errors import ActionError
from fa_cli.game_result import rank_seats
from fa_cli.games import GAMES, find_game, search
from fa_cli.games.fifth_avenue.actions import BIDDING
from fa_cli.games.fifth_avenue.policy import auctions
from fa_cli.games.game import Game
from fa_cli.games.seed import Seed

# -- the tree ----------------------------------------------------------------------------------------------------------


class Coin:
    """Seat 0 takes what is sure (action 0), or a gamble (1) on a hidden coin, or lets seat 1 choose (2).

    Seat 1 sees the coin: with heads it may leave all to seat 0 (3), which it had better not, or take it (4); with tails
    it can only take it.
    """

    def __init__(self, heads: bool) -> None:
        self.heads = heads
        self.actor = 0
        self.share = 0.0

    def copy(self) -> Any:
        return type(self)(self.heads)

    def legal(self) -> list[int]:
        return [0, 1, 2] if self.actor == 0 else [3, 4] if self.heads else [4]

    def apply(self, action: int) -> None:
        self.share = (0.6, float(self.heads), 0.0, 1.0, 0.0)[action]
        self.actor = 1 if action == 2 else -1


def policy(**values: object) -> Any:
    """A policy with equal opinions that plays games to the end."""
    plain = {
        "EXPLORE": 0.3,
        "TRUST": 1.0,
        "PAIRED": 2,
        "SCALE": 1.0,
        "WIDTH": 9,
        "WIDEN": 0,
        "opinions": lambda state, legal: [0.0] * len(legal),
        "expect": lambda state: finished(state),
    }
    return SimpleNamespace(**{**plain, **values})


def finished(state: Coin) -> list[float]:
    while state.actor >= 0:
        state.apply(state.legal()[0])
    return [state.share, 1 - state.share]


def test_takes_what_is_best_on_average_of_the_worlds() -> None:
    """Knowing the coin, seat 0 would gamble; and seat 1, who knows it, gives nothing away."""
    dice = random.Random(1)
    tree = search.Search(policy(), lambda: Coin(dice.random() < 0.5))
    assert tree.run(600, float("inf")) == 0
    gamble, choice = tree.root.children[1], tree.root.children[2]
    assert 0.4 < gamble.reward / gamble.visits < 0.6
    assert choice.reward / choice.visits < 0.3


def test_counts_in_how_many_worlds_an_action_was_there() -> None:
    dice = random.Random(1)
    tree = search.Search(policy(EXPLORE=5.0), lambda: Coin(dice.random() < 0.1))
    tree.run(900, float("inf"))
    node = tree.root.children[2]
    # tails leave no choice, so only worlds with heads get past the first visit to a child of this node
    assert set(node.children) == {3, 4}
    assert node.children[3].available < node.visits / 4
    assert abs(node.children[3].available - node.children[4].available) <= 1


def test_of_many_actions_only_those_it_thinks_well_of() -> None:
    """As long as there are few iterations; an action that looks bad is found good in the end."""

    class Many(Coin):
        def legal(self) -> list[int]:
            return list(range(100))

        def apply(self, action: int) -> None:
            self.share, self.actor = float(action == 40), -1

    thinks = policy(WIDTH=3, WIDEN=2, opinions=lambda state, legal: [-0.01 * action for action in legal], EXPLORE=0.1)
    tree = search.Search(thinks, lambda: Many(True))
    tree.run(50, float("inf"))
    assert 3 <= len(tree.root.children) <= 3 + 2 * 50**0.5
    assert tree.run(900, float("inf")) == 40


def test_the_clock_ends_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "clock", iter(range(100)).__next__)
    tree = search.Search(policy(), lambda: Coin(True))
    tree.run(1000, 6)
    assert tree.root.visits == 7
    tree = search.Search(policy(), lambda: Coin(True))
    tree.run(1000, -1)
    assert tree.root.visits == 1


@pytest.mark.parametrize(("iterations", "made"), [(-1, 1), (0, 1), (2.5, 3), (7, 7)])
def test_any_number_of_iterations_ends(iterations: float, made: int) -> None:
    tree = search.Search(policy(), lambda: Coin(True))
    tree.run(iterations, float("inf"))
    assert tree.root.visits == made


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_position_without_a_choice(game: Game) -> None:
    """The only action is the best one; after the end there is none."""
    dice, forced = random.Random(1), 0
    state: Any = game.start(game.make_options({}), 2, Seed(bytes(32)))

    def best() -> int:
        seat = max(state.actor, 0)
        tree = search.Search(search.policy_of(game.name), lambda: game.resample_from_infostate(state, seat, dice))
        return tree.run(5, float("inf"))

    while not state.is_over():
        legal = list(state.legal())
        if len(legal) == 1:
            forced += 1
            assert best() == legal[0]
        state.apply(dice.choice(legal))
    assert forced
    with pytest.raises(ActionError, match="nothing to search: the game is over"):
        best()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a bot's clock runs on while it waits for a core")
def test_a_busy_core_ends_no_search() -> None:
    visits = 20_000  # longer than the processor's turn that a process gets when it comes to a core
    thread, cores = threading.get_native_id(), os.sched_getaffinity(0)
    core = min(cores)
    started = time.thread_time()
    search.Search(policy(), lambda: Coin(True)).run(visits, float("inf"))
    allowed = 3 * (time.thread_time() - started)
    program = f"import os; os.sched_setaffinity(0, [{core}]); print(flush=True)\nwhile True: pass"
    others = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) for _ in range(8)]
    try:
        for other in others:
            assert other.stdout and other.stdout.readline()
        os.sched_setaffinity(thread, [core])
        started = time.monotonic()
        tree = search.Search(policy(), lambda: Coin(True))
        tree.run(visits, search.clock() + allowed)
        assert time.monotonic() - started > allowed
        assert tree.root.visits == visits
    finally:
        os.sched_setaffinity(thread, cores)
        for other in others:
            other.kill()
            other.communicate()


# -- Fifth Avenue ------------------------------------------------------------------------------------------------------


def test_what_a_position_of_fifth_avenue_is_worth() -> None:
    """Points count as they are; a card the more the earlier."""
    policy = search.policy_of("fifth-avenue")
    game = find_game("fifth-avenue")
    state: Any = game.start(game.make_options({}), 2, Seed(bytes(32)))
    while state.placed < 3:
        legal = state.legal()
        values = policy.opinions(state, legal)
        state.apply(legal[values.index(max(values))])

    def changed(**fields: object) -> list[float]:
        other = state.copy()
        for name, value in fields.items():
            setattr(other, name, value)
        values = zip(policy.evaluate(other), policy.evaluate(state), strict=True)
        return [round(new - old, 6) for new, old in values]

    assert changed(points=[state.points[0] + 7, state.points[1]]) == [7, 0]
    cards = [state.hand[0] + 1, *state.hand[1:]]
    early = changed(hand=cards)[0]
    state.placed = 11
    assert 0 < changed(hand=cards)[0] < early


def test_what_an_auction_was_worth_before_changes_nothing() -> None:
    """In sampled worlds the same board comes with other hands, and a building stop is worth something else."""
    game, policy, differ = find_game("fifth-avenue"), search.policy_of("fifth-avenue"), 0
    for number in range(12):
        state = game.start(game.make_options({"side": ("five", "six")[number % 2]}), 4, Seed.from_text(f"{number}"))
        while not state.is_over():
            legal = state.legal()
            if state.phase == BIDDING and state.full:
                found = []
                for at in range(4):
                    world: Any = game.resample_from_infostate(state, state.actor, random.Random(at))
                    for seat in range(4):
                        worth = auctions.prizes_of(world, seat, auctions.Known({}, {}, {}))
                        assert auctions.prizes_of(world, seat, auctions.known_on(world)) == worth
                        found.append((seat, worth))
                differ += any(own != found[seat] for seat, own in found)
            values = policy.opinions(state.copy(), legal)
            state.apply(legal[values.index(max(values))])
    assert differ


@pytest.mark.slow
def test_what_bidders_would_have_done_before_changes_nothing() -> None:
    """In sampled worlds the same board comes with other hands, and with cards laid."""
    game, policy, remembered = find_game("fifth-avenue"), search.policy_of("fifth-avenue"), 0
    for number in range(6):
        state = game.start(game.make_options({"side": ("five", "six")[number % 2]}), 4, Seed.from_text(f"{number}"))
        while not state.is_over():
            legal = state.legal()
            if state.phase == BIDDING:
                for at in range(4):
                    world: Any = game.resample_from_infostate(state, state.actor, random.Random(at))
                    known = auctions.known_on(world)
                    remembered += len(known.limits) + len(known.raises)
                    for seat in range(4):
                        limit = auctions.limit(world, seat, auctions.Known({}, {}, {}))
                        assert auctions.limit(world, seat, known) == limit
                    found = auctions.raises(world, world.high)
                    assert found == auctions._raises(world, world.high, auctions.Known({}, {}, {}))
            values = policy.opinions(state.copy(), legal)
            state.apply(legal[values.index(max(values))])
    assert remembered


# -- the bot -----------------------------------------------------------------------------------------------------------

START = {"bot_seed": "0123456789abcdef"}


def decision(game: Game, state: Any, move_ms: int = 0) -> dict[str, Any]:
    seen = msgspec.to_builtins(game.observe(state, state.actor))
    clock = {"move_ms": move_ms, "bank_ms": 0} if move_ms else {}
    return {"observation": seen, "legal": [game.actions[number] for number in state.legal()], "clock": clock}


def positions(game: Game, players: int, wanted: int) -> Iterator[Any]:
    """Return states with a choice, from all parts of random games."""
    dice = random.Random(f"{game.name} {players}")
    for number in range(wanted):
        seed = hashlib.sha256(f"{number}".encode()).digest()
        state: Any = game.start(game.make_options({}), players, seed)
        left = dice.randrange(150)
        while left > 0 or len(state.legal()) < 2:
            state.apply(dice.choice(state.legal()))
            if state.is_over():
                state = game.start(game.make_options({}), players, seed)
            left -= 1
        yield state


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_answers_by_what_it_sees_alone(game: Game) -> None:
    """Legal, the same again whatever was decided before, and whatever is hidden; other dice can decide otherwise."""
    first, second = search.Searcher(8), search.Searcher(8)
    differs = 0
    for state in positions(game, 3, 6):
        decide = decision(game, state)
        answer = first(decide, START | {"game": game.name})
        assert answer in decide["legal"]
        other = decision(game, game.resample_from_infostate(state, state.actor, random.Random(2)))
        assert second(other, START | {"game": game.name}) == answer
        differs += second(other, START | {"game": game.name, "bot_seed": "1"}) != answer
    assert differs or game.name != "new-york", "with so few iterations other games' choices are clear"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_is_never_late(game: Game, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """With more iterations than there is time for. Its own processor time is measured: the machine may be busy."""
    monkeypatch.setattr(search, "clock", time.process_time)
    choose = search.Searcher(10**9)
    choose(decision(game, next(positions(game, 4, 1)), 50), START | {"game": game.name})  # what is imported late
    gc.collect()
    gc.freeze()  # the tests' own memory is not the bot's: looking for garbage in it takes longer than a decision
    request.addfinalizer(gc.unfreeze)
    for state in positions(game, 4, 6):
        decide = decision(game, state, 50)
        begun = time.process_time()
        choose(decide, START | {"game": game.name})
        assert time.process_time() - begun < 0.05


def test_time_for_a_decision() -> None:
    assert search.seconds({"move_ms": 1000, "bank_ms": 0}) == 0.5
    assert search.seconds({"move_ms": 1000, "bank_ms": 50_000}) == 1.0
    assert search.seconds({}) == float("inf")


def test_what_ends_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Iterations, the game's own number of them if nothing is said; or seconds; and half the time for the move."""
    game = find_game("fifth-avenue")
    heuristics, counted = search.policy_of(game.name), []

    def expect(state: Any) -> list[float]:
        counted[-1] += 1
        return heuristics.expect(state)

    names = ("ITERATIONS", "EXPLORE", "TRUST", "PAIRED", "WIDTH", "WIDEN", "SCALE", "searches", "opinions")
    counting = SimpleNamespace(expect=expect, **{name: getattr(heuristics, name) for name in names})
    monkeypatch.setattr(search, "clock", itertools.count(100, 0.125).__next__)  # the time of an iteration
    state, start = next(positions(game, 2, 1)), START | {"game": game.name}
    for move_ms, arguments in ((0, ()), (0, (7,)), (0, (None, 2)), (0, (7, 2)), (1000, (None, 2))):
        counted.append(0)
        search.Searcher(*arguments, policy_of=lambda name, players: counting)(decision(game, state, move_ms), start)
    assert counted == [heuristics.ITERATIONS, 7, 16, 7, 4]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_beats_random_with_little_thought(game: Game) -> None:
    choose: Callable[[Any, Any], str] = search.Searcher(6)
    for deal in range(2):
        for seat in range(2):
            seed = hashlib.sha256(f"quick {deal}".encode()).digest()
            dice = random.Random(deal)
            state: Any = game.start(game.make_options({}), 2, seed)
            while not state.is_over():
                legal = state.legal()
                if state.actor != seat or len(legal) == 1:
                    state.apply(dice.choice(legal))
                else:
                    state.apply(game.action_number(choose(decision(game, state), START | {"game": game.name})))
            assert rank_seats(state.standing())[seat] == 1


def test_a_game_that_it_does_not_know() -> None:
    assert search.Searcher()({"legal": ["b", "a"]}, {"game": "chess"}) == "b"
