"""The built-in opponent: a flat Monte Carlo search over sampled states, for every game, without a process.

It samples states that its seat could be in, plays each legal action and then at random, and picks the action with the
best results. Successive halving drops the worse half of the actions again and again, so that good ones are tried most.
"""

from __future__ import annotations

import random

import msgspec

from ..decoding import built
from ..game_result import Failure, rank_seats
from ..games.contract import State
from ..games.game import Game
from ..match.player import InProcessPlayer, read_texts
from ..protocol.messages import Json, Start

NAME = "house"
_GAMES = 200
"""Random games for a decision."""
_HORIZON = 100
"""The most decisions, of all players, in a random game."""
_FINALISTS = 4
"""Halving stops at this number of actions."""


class RolloutBot(InProcessPlayer):
    """The opponent. Its actions follow from `bot_seed` and what its seat may see."""

    wants_legal = wants_observation = True

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game
        self._seat = 0
        self._generator = random.Random()

    def start(self, message: Start) -> Failure | None:
        """Begin the game."""
        self._seat = message.seat
        self._generator.seed(message.bot_seed)
        return None

    def decide(self, observation: Json = None, legal: Json = None, events: Json = None) -> str | Failure:
        """The action with the best results."""
        assert observation is not None and legal is not None
        self.asked += 1
        view = msgspec.json.decode(observation, type=built(self._game.observation))
        candidates = [self._game.action_numbers[action] for action in read_texts(legal)]
        totals = dict.fromkeys(candidates, 0.0)
        while len(candidates) > 1:
            samples = max(1, _GAMES // (2 * len(candidates)))
            for _ in range(samples):
                state = self._game.sample_state(view, self._generator)
                for action in candidates:
                    totals[action] += self._outcome(state.copy(), action)
            if len(candidates) <= _FINALISTS:
                break
            best_first = sorted(candidates, key=lambda action: -totals[action])
            candidates = best_first[: max(_FINALISTS, len(candidates) // 2)]
            totals = dict.fromkeys(candidates, 0.0)
        return self._game.actions[max(candidates, key=lambda action: totals[action])]

    def _outcome(self, state: State, action: int) -> float:
        """The seat's result after this action and a random game: 0 to 1 by rank, plus 0.01 per point of lead."""
        state.apply(action)
        choose = self._generator.random
        for _ in range(_HORIZON):
            if state.actor < 0:
                break
            legal = state.legal()
            state.apply(legal[int(choose() * len(legal))])
        rank = rank_seats(state.standing())[self._seat]
        scores = state.scores()
        best = max(score for seat, score in enumerate(scores) if seat != self._seat)
        return 1 - (rank - 1) / (len(scores) - 1) + (scores[self._seat] - best) / 100
