"""Records of games that are played by a policy, without bots."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec

from fa_cli.games.game import Game
from fa_cli.replay.record import Record, make_record
from fa_cli.results import GameResult, rank_seats

from .policies import Policy


def played_record(
    game: Game,
    options: msgspec.Struct,
    players: Sequence[str],
    seed: bytes,
    policy: Policy,
    dice: random.Random,
    meta: dict[str, Any] | None = None,
) -> Record:
    """A whole game in which every seat plays by the policy."""
    state = game.start(options, len(players), seed)
    actions = []
    while not state.is_over():
        action = policy(game, state, dice)
        actions.append(game.actions[action])
        state.apply(action)
    result = GameResult(state.scores(), rank_seats(state.standing()), state.reason())
    return make_record(game.name, options, players, seed, actions, [], result, meta or {})
