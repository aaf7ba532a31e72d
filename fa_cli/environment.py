"""The games as PettingZoo environments (AEC), with action masks: `pip install 'fa-cli[pettingzoo]'`.

`env("fifth-avenue", players=3, side="six")` makes one; docs/reference/library.md has a complete example. An observation
is the seat's features (features.py of the game) in one row of numbers. It contains nothing that is hidden from the
seat.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy
from numpy.typing import NDArray

try:
    import gymnasium.spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    sentence = f"fa_cli.environment needs {error.name}, which is not installed: pip install 'fa-cli[pettingzoo]'"
    raise ModuleNotFoundError(sentence, name=error.name) from None

from .errors import ActionError, UsageError
from .game_result import rank_seats
from .games import find_game
from .games.contract import State
from .games.seed import SEED_BYTES, Seed

Row = NDArray[Any]
AgentObservation = dict[str, Row]
LARGEST = 2**15 - 1
"""Larger numbers in an observation are clipped to this."""


def env(game: str, players: int | None = None, render_mode: str | None = None, **options: object) -> AECEnv:
    """Return the environment in PettingZoo's usual wrappers: an illegal action ends the game with reward -1 for it.

    Raises UnknownGame, BadPlayers, BadOption; UsageError for another render mode.
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(game, players, render_mode, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):
    """One game without wrappers. Agents are `seat_0` and so on; an action is its number in the game's action table.

    `players` is by default the smallest number that the game supports. An observation is `{"observation": int16 of
    shape (n,), "action_mask": int8 of shape (actions,)}`; the mask is zero unless the seat is to decide. All rewards
    come at the end: the fraction of opponents ranked below the seat minus the fraction ranked above it, from -1 to 1,
    with sum 0. Render mode `ansi` returns the board and all hands as text, `human` prints them.

    Raises UnknownGame, BadPlayers, BadOption; UsageError for another render mode.
    """

    def __init__(
        self, game: str, players: int | None = None, render_mode: str | None = None, **options: object
    ) -> None:
        super().__init__()
        self.game = find_game(game)
        self.metadata: dict[str, Any] = {
            "name": f"{game.replace('-', '_')}_v0",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
        }
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise UsageError(f"the render mode is ansi or human, not {render_mode!r}")
        self.render_mode = render_mode
        self.players = self.game.players[0] if players is None else players
        self.game.check_players(self.players)
        self.options = self.game.make_options(options)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.players)]
        self.agents: list[str] = []
        self._random = random.Random()
        self.table = self._deal()
        self.layout = {name: len(row) for name, row in self._features(0).items()}
        """The length of each feature, by name, in the order of the observation."""
        self._spaces = {agent: self._make_spaces() for agent in self.possible_agents}

    def _deal(self) -> State:
        return self.game.start(self.options, self.players, Seed(self._random.randbytes(SEED_BYTES)))

    def _features(self, seat: int) -> dict[str, list[int]]:
        return self.game.features(self.game.observe(self.table, seat))

    def _make_spaces(self) -> tuple[gymnasium.spaces.Dict, gymnasium.spaces.Discrete[Any]]:
        rows = gymnasium.spaces.Box(0, LARGEST, (sum(self.layout.values()),), numpy.int16)
        masks = gymnasium.spaces.Box(0, 1, (len(self.game.actions),), numpy.int8)
        seen = gymnasium.spaces.Dict({"observation": rows, "action_mask": masks})
        return seen, gymnasium.spaces.Discrete(len(self.game.actions))

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        """Return the space of observations, which is the same for every seat."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete[Any]:
        """Return the space of actions: their numbers in the game's action table."""
        return self._spaces[agent][1]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a new game. A seed restarts the sequence of deals that belongs to it; `options` are ignored.

        Raises UsageError for a seed that is not a whole number from 0 up.
        """
        if seed is not None:
            if not isinstance(seed, int | numpy.integer) or seed < 0:
                raise UsageError(f"the seed of reset is a whole number from 0 up, not {seed!r}")
            self._random = random.Random(int(seed))
        self.table = self._deal()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.actor]

    def observe(self, agent: str) -> AgentObservation:
        """Return the seat's observation and the mask of its legal actions."""
        seat = self.possible_agents.index(agent)
        numbers = [number for row in self._features(seat).values() for number in row]
        mask = numpy.zeros(len(self.game.actions), numpy.int8)
        if seat == self.table.actor:
            mask[list(self.table.legal())] = 1
        return {"observation": numpy.minimum(numbers, LARGEST).astype(numpy.int16), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Apply the action of the agent to move. Raises ActionError if it is not legal."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.game.play(self.table, action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        if self.table.is_over():
            self.rewards = dict(zip(self.agents, self._end_rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            seat = self.possible_agents.index(self.agent_selection)
            self.agent_selection = self.possible_agents[(seat + 1) % self.players]
        else:
            self.agent_selection = self.possible_agents[self.table.actor]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _end_rewards(self) -> list[float]:
        ranks = rank_seats(self.table.standing())
        opponents = self.players - 1
        return [sum((rank < rival) - (rank > rival) for rival in ranks) / opponents for rank in ranks]

    def render(self) -> str | None:
        """Draw the board and all hands: return the text in mode `ansi`, print it in mode `human`, else do nothing."""
        if self.render_mode is None:
            return None
        drawing = self.game.render(self.table, None)
        if self.render_mode == "ansi":
            return drawing
        print(drawing)
        return None

    def close(self) -> None:
        """Do nothing: nothing is open. PettingZoo's tests ask for it beside `render`."""

    def action_text(self, action: int) -> str:
        """Return the action as text, as in the protocol and the logs. Raises ActionError if there is none."""
        if not 0 <= action < len(self.game.actions):
            raise ActionError(f"{self.game.name} has actions 0 to {len(self.game.actions) - 1}, not {action}")
        return self.game.actions[action]
