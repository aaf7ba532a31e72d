"""What players could expect at each ply of a recorded game, and their worst decisions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import inf, isclose

import pytest

from fa_cli.cli.replay.records import student_policies
from fa_cli.game_result import GameResult
from fa_cli.games import GAMES, Seed, find_game
from fa_cli.games.contract import State
from fa_cli.games.dice import Dice
from fa_cli.games.game import Game
from fa_cli.games.search import Search
from fa_cli.isolation.shipped_bots import FOLDER
from fa_cli.match.simulate import choices_of, simulate_game
from fa_cli.replay import evaluation
from fa_cli.replay.narrate import narrate_game
from fa_cli.replay.record import Record

SEED = Seed.from_text("evaluated")
Choose = Callable[[Game, State, int], int]


def random_record(game: Game) -> Record:
    options = game.make_options({"turn_limit": 30} if game.name == "new-york" else {})
    return simulate_game(game, options, ["ann", "ben", "cid"], SEED, choices_of(SEED, 0), {})[0]


def searched(game: Game, state: State, ply: int) -> int:
    """What the evaluation's own search chooses."""
    if len(state.legal()) == 1:
        return state.legal()[0]
    seat, dice = state.actor, Dice(f"{SEED.hex()} {ply}")
    search = Search(student_policies()(game.name, 2), lambda: game.resample_from_infostate(state, seat, dice))
    return search.run(evaluation._ITERATIONS, inf)


def record_by(choose: Choose) -> Record:
    """A game of Manhattan of two."""
    game = find_game("manhattan")
    state = game.start(game.make_options({}), 2, SEED)
    actions: list[str] = []
    while state.actor >= 0:
        number = choose(game, state, len(actions))
        actions.append(game.actions[number])
        state.apply(number)
    options = {"blocks": "auto"}
    result = GameResult(state.scores(), [1, 2], state.reason())
    return Record("fa", game.name, options, ["ann", "ben"], SEED.hex(), actions, [], result, "")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_shares_of_every_position_and_at_most_three_decisions(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "_ITERATIONS", 50)
    record, files, path = random_record(game), {*FOLDER.rglob("*")}, sys.path[:]
    student_policies.cache_clear()
    judged = evaluation.evaluate(record, student_policies())
    # a cache in the bot's folder would change its digest, and modules of its folder are called `network`
    assert ({*FOLDER.rglob("*")}, sys.path) == (files, path), "asking the student leaves no trace"
    assert len(judged.shares) == len(record.actions) + 1
    assert all(isclose(sum(shares), 1) and min(shares) >= 0 for shares in judged.shares)
    winner = record.result.ranks.index(1)
    assert judged.shares[-1][winner] == max(judged.shares[-1])
    assert 1 <= len(judged.slips) <= 3, "random play has bad decisions"
    losses = [slip.possible - slip.kept for slip in judged.slips]
    assert losses == sorted(losses, reverse=True) and min(losses) > 0
    assert judged == evaluation.evaluate(record, student_policies()), "the work is counted and not timed"


@pytest.mark.slow
def test_the_search_finds_no_fault_with_itself_and_the_one_bad_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "_ITERATIONS", 20)
    own = record_by(searched)
    judged = evaluation.evaluate(own, student_policies())
    assert judged.slips == []
    assert [*narrate_game(own, evaluation=judged)][-1] == "No decision lost much."

    def blundered(game: Game, state: State, ply: int) -> int:
        if ply != 30:
            return searched(game, state, ply)
        legal = state.legal()
        values = student_policies()(game.name, 2).opinions(state, legal)
        return legal[values.index(min(values))]

    record = record_by(blundered)
    judged = evaluation.evaluate(record, student_policies())
    assert [slip.ply for slip in judged.slips] == [30]
    lines = [*narrate_game(record, evaluation=judged)]
    assert sum(line.startswith("          Expected: ann ") for line in lines) == len(record.actions)
    assert lines[-3] == "The worst decisions:"
    assert lines[-2].startswith(f"   30  {judged.slips[0].played}: ")
    assert lines[-2].endswith("% of the win expected from what this player knew"), "other shares know all hands"
