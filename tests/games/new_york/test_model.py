"""Whole games against the plain implementations (model.py, plain.py): every observation and every legal list."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from fa_cli.games.chance import Chance
from fa_cli.games.new_york import GAME
from tests.conftest import thinned
from tests.games.policies import BOTS, EVERY, POLICIES, Policy

from .model import Model
from .plain import Plain
from .positions import VARIANTS


def compare(players: int, options: dict[str, Any], policy: Policy, seed: bytes) -> Counter[str]:
    """Play a game and compare all along; what was played, by kind, and how it ended."""
    state = GAME.start(GAME.make_options(options), players, seed)
    model = Model(players, msgspec.to_builtins(GAME.make_options(options)), Chance(seed))
    dice, last, kinds = Random(seed), "", Counter[str]()
    while not state.is_over():
        seen = [GAME.observe(state, seat) for seat in range(players)]
        for seat in range(players):
            assert msgspec.to_builtins(seen[seat]) == model.view(seat)
        found = [GAME.actions[action] for action in state.legal()]
        assert found == Plain(seen[state.actor], last).legal()
        last = GAME.actions[policy(GAME, state, dice)]
        phase = "" if seen[state.actor].phase != "place" else " in place"
        kinds[last.split()[0] + phase] += 1
        state.apply(GAME.action_number(last))
        model.apply(last)
    for seat in range(players):
        assert msgspec.to_builtins(GAME.observe(state, seat)) == model.view(seat)
    assert state.standing() == [model.standing(seat) for seat in range(players)]
    assert state.reason() == model.reason
    kinds[model.reason] += 1
    return kinds


@pytest.mark.parametrize(
    ("players", "options", "name"), thinned([(*variant, name) for variant in VARIANTS for name in EVERY], 8)
)
def test_games_are_those_of_the_model(players: int, options: dict[str, str], name: str) -> None:
    seed = Random(f"{players} {options} {name}").randbytes(32)
    compare(players, options | {"turn_limit": 8 if name in BOTS else 20}, EVERY[name], seed)


@pytest.mark.slow
def test_comparisons_meet_every_kind_of_decision_and_both_ends() -> None:
    """Else a difference there would not be seen."""
    kinds = Counter[str]()
    for number, players in enumerate(GAME.players):
        seed = bytes([number] * 32)
        kinds += compare(players, {"actions": "on", "turn_limit": 60}, POLICIES["varied"], seed)
        kinds += compare(players, {"actions": "on", "turn_limit": 60}, POLICIES["by kind"], seed)
    words = {text.split()[0] for text in GAME.actions} - {"pass"}
    assert set(kinds) == words | {"use in place", "pass in place", "place in place", "stop-card", "turn-limit"}
