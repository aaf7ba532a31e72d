"""Sentences to the person who plays."""

from __future__ import annotations

import random
import re

import pytest

from fa_cli.games import GAMES
from fa_cli.games.contract import ACTION, JournalEntry
from fa_cli.games.game import Game
from fa_cli.games.seed import Seed
from fa_cli.play.second_person import describe_choice, describe_to, second_person
from fa_cli.replay.narrate import describe_entry

VERBS = {
    *(
        "bid",
        "build",
        "can",
        "can't",
        "declare",
        "discard",
        "draw",
        "end",
        "give",
        "have",
        "lay",
        "move",
        "pass",
        "pay",
    ),
    *("pay", "place", "play", "score", "select", "start", "stop", "take", "use", "win"),
}


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("@you scores 1 point for Cairo", "You score 1 point for Cairo"),
        ("@you passes", "You pass"),
        ("@you has red and blue", "You have red and blue"),
        ("@you can't play anything and draws a new hand", "You can't play anything and draw a new hand"),
        ("@you takes a black card and moves a commissioner", "You take a black card and move a commissioner"),
        ("house#1 pays 2 purchase units to @you", "house#1 pays 2 purchase units to you"),
        ("@you's red stone is placed on a3s5", "Your red stone is placed on a3s5"),
        ("@you wins with 5 points, 2 more than Ann", "You win with 5 points, 2 more than Ann"),
        (
            "Ann wins with 5 points, because @you is out of the game",
            "Ann wins with 5 points, because you are out of the game",
        ),
        ("@you resigned and is out of the game", "You resigned and are out of the game"),
        ("Round 2 begins; @you starts", "Round 2 begins; you start"),
        ("There are 2 chances; @you has the first", "There are 2 chances; you have the first"),
        ("Ann plays the red statics card and draws", "Ann plays the red statics card and draws"),
    ],
)
def test_sentences(sentence: str, expected: str) -> None:
    assert second_person(sentence) == expected


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_sentence_of_whole_games(game: Game) -> None:
    generator, verbs = random.Random(1), set()
    names = [f"Bot{seat}" for seat in range(max(game.players))]
    for number in range(12):
        variant = game.default_variants[number % len(game.default_variants)] if game.default_variants else {}
        variant = variant | ({"turn_limit": 60} if game.name == "new-york" else {})
        players = generator.choice(game.players)
        state = game.start(game.make_options(variant), players, Seed.from_text(str(number)))
        while not state.is_over():
            journal: list[JournalEntry] = []
            state.journal = journal
            actor, action = state.actor, generator.choice(state.legal())
            choice = describe_choice(game, state, action)
            assert "you" not in choice
            state.apply(action)
            for entry in [(ACTION, actor, action), *journal]:
                for seat in range(players):
                    plain = describe_entry(game, state, entry, names, seat)
                    told = describe_to(game, state, entry, names, seat)
                    assert "@" not in told and f"Bot{seat}" not in told
                    assert (plain == told) == (f"Bot{seat}" not in plain)
                    verbs |= set(re.findall(r"\b[Yy]ou ([a-z']+)", told))
            told = describe_to(game, state, (ACTION, actor, action), names, actor)
            assert told.startswith(f"You {choice.split()[0]}")
    assert verbs <= VERBS
    assert len(verbs) > 3
