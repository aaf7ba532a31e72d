"""The PettingZoo environments: PettingZoo's own tests, and the contents of observations."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from typing import Any

import numpy
import pytest

pytest.importorskip("pettingzoo", reason="pip install 'fa-cli[pettingzoo]'")

from fa_cli.environment import env, raw_env
from fa_cli.errors import ActionError, BadOption, BadPlayers, UnknownGame, UsageError
from fa_cli.game_result import rank_seats
from fa_cli.games import GAMES
from fa_cli.games.seed import Seed

EVERY = [(game.name, players) for game in GAMES for players in (game.players[0], game.players[-1])]
every = pytest.mark.parametrize(("name", "players"), EVERY)


@every
@pytest.mark.filterwarnings("ignore::UserWarning")  # that an observation with a mask is a dict
def test_pettingzoos_own_tests(name: str, players: int) -> None:
    import pettingzoo.test as pettingzoo_test  # takes long

    for made in (env, raw_env):
        pettingzoo_test.api_test(made(name, players), num_cycles=30)
    pettingzoo_test.seed_test(lambda: env(name, players), num_cycles=10)


def played(table: Any, seed: int) -> None:
    """A random game to its end; masks and spaces are kept throughout."""
    table.reset(seed=seed)
    generator = random.Random(seed)
    while not table.table.is_over():
        agent = table.agent_selection
        seen = table.observe(agent)
        assert table.observation_space(agent).contains(seen)
        legal = [int(number) for number in seen["action_mask"].nonzero()[0]]
        assert legal == list(table.table.legal())
        table.step(generator.choice(legal))


def test_values_that_are_not_there() -> None:
    with pytest.raises(BadPlayers, match="is for 2, 3 or 4 players, not '2'"):
        raw_env("manhattan", players="2")  # type: ignore[arg-type]
    table = raw_env("manhattan")
    for action in (-1, len(table.game.actions)):
        with pytest.raises(ActionError, match=f"manhattan has actions 0 to .*, not {action}"):
            table.action_text(action)


@every
def test_rewards_follow_the_ranks(name: str, players: int) -> None:
    table = raw_env(name, players)
    played(table, 1)
    ranks = rank_seats(table.table.standing())
    assert table.terminations == dict.fromkeys(table.agents, True)
    rewards = list(table.rewards.values())
    assert sum(rewards) == pytest.approx(0)
    for mine, rank in zip(rewards, ranks, strict=True):
        for other, behind in zip(rewards, ranks, strict=True):
            assert (mine > other) == (rank < behind)
    if ranks.count(1) == 1:
        assert rewards[ranks.index(1)] == 1


def test_the_numbers_are_those_of_the_observation() -> None:
    table = raw_env("fifth-avenue", 3, side="six")
    table.reset(seed=3)
    generator = random.Random(3)
    for _ in range(60):
        table.step(generator.choice(list(table.table.legal())))
    for seat, agent in enumerate(table.agents):
        numbers = list(map(int, table.observe(agent)["observation"]))
        rows = {}
        for part, length in table.layout.items():
            rows[part], numbers = numbers[:length], numbers[length:]
        seen = table.game.observe(table.table, seat)
        assert numbers == []
        assert rows["turns"] == [seen.turns]
        assert rows["hand"] == [number for suit in seen.hand.values() for number in suit]
        assert rows["seats"][0] == seen.seats[seat].points
        assert rows["seats"][len(rows["seats"]) // 3] == seen.seats[(seat + 1) % 3].points
        assert rows["actor"].index(1) == (seen.actor - seat) % 3


def test_a_seed_gives_the_same_games_and_no_seed_others() -> None:
    def deals(table: Any, seed: int | None) -> list[str]:
        table.reset(seed=seed)
        first = table.game.render(table.table, None)
        table.reset()
        return [first, table.game.render(table.table, None)]

    table = raw_env("manhattan", 4)
    assert deals(table, 1) == deals(raw_env("manhattan", 4), 1)
    assert len({*deals(table, 1), *deals(table, 2), *deals(table, None)}) == 6


def test_seeds_are_whole_numbers() -> None:
    table, other = raw_env("manhattan"), raw_env("manhattan")
    table.reset(seed=numpy.int64(5))
    other.reset(seed=5)
    assert table.game.render(table.table, None) == other.game.render(other.table, None)
    deal = other.game.start(other.options, 2, Seed(random.Random(5).randbytes(32)))  # as the library's page has it
    assert other.game.render(other.table, None) == other.game.render(deal, None)
    for seed in ("abc", 1.5, -1, [1]):
        with pytest.raises(UsageError, match="the seed of reset is a whole number from 0 up, not "):
            table.reset(seed=seed)


def test_a_table_goes_to_other_processes() -> None:
    table = env("manhattan", 2)
    table.reset(seed=1)
    for moved in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
        assert (moved.last()[0]["observation"] == table.last()[0]["observation"]).all()
        assert moved.unwrapped.game is table.unwrapped.game


def test_an_illegal_action_ends_the_game_for_who_made_it() -> None:
    table = env("manhattan", 2)
    table.reset(seed=1)
    agent = table.agent_selection
    illegal = int((table.observe(agent)["action_mask"] == 0).nonzero()[0][0])
    table.step(illegal)
    assert table.rewards[agent] == -1
    bare = raw_env("manhattan", 2)
    bare.reset(seed=1)
    with pytest.raises(ActionError, match=r"manhattan: action 1000000 is not legal for seat_\d here"):
        bare.step(1_000_000)


def test_without_the_extra_it_says_what_to_install() -> None:
    script = "import sys; sys.modules['pettingzoo'] = None; import fa_cli.environment"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    sentence = "fa_cli.environment needs pettingzoo, which is not installed: pip install 'fa-cli[pettingzoo]'"
    assert done.stderr.splitlines()[-1] == f"ModuleNotFoundError: {sentence}"


def test_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    for name, _ in EVERY[::2]:
        table = raw_env(name, render_mode="ansi")
        table.reset(seed=1)
        assert table.render() == table.game.render(table.table, None)
        assert raw_env(name).render() is None
    raw_env("manhattan", render_mode="human").render()
    assert "Cairo" in capsys.readouterr().out


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(UnknownGame):
        env("chess")
    with pytest.raises(BadPlayers):
        env("manhattan", 5)
    with pytest.raises(BadOption):
        env("manhattan", side="six")
    with pytest.raises(UsageError, match="the render mode is ansi or human, not 'rgb_array'"):
        env("manhattan", render_mode="rgb_array")
