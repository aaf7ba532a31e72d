"""The built-in opponent."""

from __future__ import annotations

import pytest

from fa_cli.games import GAMES, find_game
from fa_cli.games.game import Game
from fa_cli.games.seed import Seed
from fa_cli.match.player import RandomPlayer
from fa_cli.match.referee import play
from fa_cli.play import rollout_bot
from fa_cli.play.rollout_bot import RolloutBot
from fa_cli.protocol.messages import Clock


def outcome(game: Game, number: int) -> tuple[list[int], str]:
    """The ranks of the built-in opponent and of random players, and the game's digest."""
    sessions = [RolloutBot(game), RandomPlayer()]
    options = game.make_options({"turn_limit": 15} if hasattr(game.options(), "turn_limit") else {})
    record, _ = play(game, options, sessions, ["house", "dice"], Seed(bytes([number] * 32)), Clock())
    assert record.faults == []
    return record.result.ranks, record.digest


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_it_plays_the_same_again(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollout_bot, "_GAMES", 8)
    monkeypatch.setattr(rollout_bot, "_HORIZON", 10)
    assert outcome(game, 1) == outcome(game, 1)


def test_it_wins_a_game_against_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """With fewer samples than in `fa play`."""
    monkeypatch.setattr(rollout_bot, "_GAMES", 8)
    monkeypatch.setattr(rollout_bot, "_HORIZON", 15)
    assert outcome(find_game("manhattan"), 0)[0][0] == 1
