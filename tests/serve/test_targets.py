"""What is clicked for actions, and actions that are held back, in random games of all games."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from fa_cli.errors import ActionError
from fa_cli.games import Seed, find_game
from fa_cli.games.contract import State
from fa_cli.games.game import Game
from fa_cli.serve.draft import Draft
from fa_cli.serve.targets import AREAS, WORD
from fa_cli.viewer.drawing import draw
from tests.conftest import further

SETTINGS = [
    ("fifth-avenue", 2, {"side": "six"}),
    ("fifth-avenue", 4, {}),
    ("manhattan", 2, {}),
    ("manhattan", 4, {}),
    ("new-york", 2, {"actions": "on"}),
    *further(("fifth-avenue", 3, {}), ("manhattan", 3, {}), ("new-york", 5, {"actions": "on"}), ("new-york", 3, {})),
]
NAMES = ["Ann", "Bob", "Cleo", "Dan", "Eve"]


def decisions(name: str, players: int, options: dict[str, Any], most: int = 300) -> Iterator[tuple[Game, State]]:
    """The decisions of a random game."""
    game, choose = find_game(name), random.Random(name)
    state = game.start(game.make_options(options), players, Seed.from_text(name))
    while not state.is_over() and most:
        if len(state.legal()) > 1:
            most -= 1
            yield game, state
        state.apply(choose.choice(state.legal()))


@pytest.mark.parametrize(("name", "players", "options"), SETTINGS)
def test_each_action_has_targets_of_its_own_on_the_drawing(name: str, players: int, options: dict[str, Any]) -> None:
    for game, state in decisions(name, players, options):
        draft = Draft(game, state, NAMES)
        parts = {part.key: part for part in draw(name, draft.view).parts}
        actions = defaultdict(list)
        choices = draft.choices()
        for choice in choices.legal:
            assert choice.targets
            actions[tuple(sorted(choice.targets))].append(choice.action)
            for target in choice.targets:
                assert target.startswith(WORD) or target in AREAS[name] or target in parts, target
        assert all(len(found) == 1 for found in actions.values()), actions
        assert len(actions) == len(state.legal())
        assert {*choices.same} <= {*parts}
        assert {*choices.same.values()} <= {*parts}


@pytest.mark.parametrize(("name", "players", "options"), SETTINGS)
def test_drafts_change_nothing_and_end_where_something_is_revealed(
    name: str, players: int, options: dict[str, Any]
) -> None:
    for game, state in decisions(name, players, options, 60):
        before = game.view(state, None)
        for action in state.legal()[:3]:
            draft = Draft(game, state, NAMES, [game.actions[action]])
            assert len(draft.sentences) == 1
            if not draft.is_ready:
                assert draft.choices().legal
        assert game.view(state, None) == before


def test_cards_of_a_bid_are_held_until_it_is_done() -> None:
    held = []
    for game, state in decisions("fifth-avenue", 3, {}, 1000):
        bids = [game.actions[action] for action in state.legal() if game.actions[action].startswith("bid ")]
        if not bids:
            continue
        draft = Draft(game, state, NAMES, bids[:1])
        if not draft.is_ready and "done" in [choice.action for choice in draft.choices().legal]:
            view, seat = draft.view, state.actor
            assert view["auction"]["bids"][seat]["cards"]
            whole = Draft(game, state, NAMES, [bids[0], "done"])
            assert whole.is_ready
            assert len(whole.sentences) == 2
            held.append(bids[0])
    assert held


def test_an_illegal_action_is_named() -> None:
    game, state = next(decisions("manhattan", 2, {}))
    with pytest.raises(ActionError, match=r"'build 1 Cairo 1' is not legal now"):
        Draft(game, state, NAMES, ["build 1 Cairo 1"])
    with pytest.raises(ActionError, match="is not legal now"):
        Draft(game, state, NAMES, ["<script>"])


def test_selected_blocks_are_named_with_their_colour() -> None:
    game = find_game("manhattan")
    state = game.start(game.make_options({}), 2, Seed.from_text("colours"))
    sentences = Draft(game, state, NAMES, ["select 1 1 1 1"] * 2).sentences
    assert sentences == [f"select blocks of 1, 1, 1, 1 floors ({colour})" for colour in ("red", "yellow")]


def test_what_an_action_of_new_york_does_is_said_before_it_is_sent() -> None:
    said = {}
    for game, state in decisions("new-york", 2, {"actions": "on"}, 1000):
        for action in (game.actions[number] for number in state.legal()):
            (sentence,) = Draft(game, state, NAMES, [action]).sentences
            said[re.sub("[0-9]+|Ann|Bob|red|yellow|blue|green|black", "_", sentence)] = sentence
    played = "play avenue _ and street _. "
    assert f"{played}Your _ stone is placed on a_s_" in said
    assert f"{played}Your _ stone on a_s_ goes back to stock" in said
    bought = "_'s _ stone on a_s_ goes back to stock. Your _ stone is placed on a_s_"
    assert f"{played}You pay _ purchase unit to _. {bought}" in said
    assert f"play the _ developer card with street _ on a_s_. {bought}" in said
    assert "place a stone on a_s_" in said
    assert not [sentence for sentence in said.values() if re.search("draw|shuffle|scores", sentence)]
