"""Records of games played by a policy, without bot processes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec

from fa_cli.game_result import GameResult, rank_seats
from fa_cli.games.game import Game
from fa_cli.replay.record import Record, make_record

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
    """Play a game in which every seat uses the policy, and return its record."""
    state = game.start(options, len(players), seed)
    actions = []
    while not state.is_over():
        action = policy(game, state, dice)
        actions.append(game.actions[action])
        state.apply(action)
    result = GameResult(state.scores(), rank_seats(state.standing()), state.reason())
    return make_record(game.name, options, players, seed, actions, [], result, meta or {})
