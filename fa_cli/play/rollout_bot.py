"""An opponent that is always there: it needs no process and knows no game, and tries out what it could do.

It imagines games that look to it like this one, plays them on at random, and takes the action after which it fares
best; half of the actions are dropped again and again, so that the good ones are tried most.
"""

from __future__ import annotations

import random

import msgspec

from ..games.contract import State
from ..games.game import Game
from ..match.player import InProcessPlayer
from ..protocol.messages import Start
from ..protocol.session import EventsJSON, LegalActions, ObservationJSON
from ..results import Failure, rank_seats

NAME = "house"
_GAMES = 200
"""Games that it plays on for a decision."""
_FAR = 100
"""Decisions, of all players, that it plays on."""
_KEPT = 4
"""The last so many actions are compared to the end."""


class RolloutBot(InProcessPlayer):
    """The opponent; all that it does follows from `bot_seed` and what its seat may see."""

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

    def decide(
        self,
        observation: ObservationJSON = msgspec.UNSET,
        legal: LegalActions = msgspec.UNSET,
        events: EventsJSON = msgspec.UNSET,
    ) -> str | Failure:
        """The action that did best."""
        assert isinstance(observation, msgspec.Raw) and legal is not msgspec.UNSET
        self.asked += 1
        seen = msgspec.json.decode(observation, type=self._game.observation)
        left = [self._game.action_numbers[action] for action in legal]
        totals = dict.fromkeys(left, 0.0)
        while len(left) > 1:
            each = max(1, _GAMES // (2 * len(left)))
            for _ in range(each):
                world = self._game.sample_state(seen, self._generator)
                for action in left:
                    totals[action] += self._outcome(world.copy(), action)
            if len(left) <= _KEPT:
                break
            left = sorted(left, key=lambda action: -totals[action])[: max(_KEPT, len(left) // 2)]
            totals = dict.fromkeys(left, 0.0)
        return self._game.actions[max(left, key=lambda action: totals[action])]

    def _outcome(self, state: State, action: int) -> float:
        """How its seat fares after this action and what may follow, from 0 to 1 and a little for points."""
        state.apply(action)
        choose = self._generator.random
        for _ in range(_FAR):
            if state.actor < 0:
                break
            legal = state.legal()
            state.apply(legal[int(choose() * len(legal))])
        rank = rank_seats(state.standing())[self._seat]
        scores = state.scores()
        best = max(score for seat, score in enumerate(scores) if seat != self._seat)
        return 1 - (rank - 1) / (len(scores) - 1) + (scores[self._seat] - best) / 100
