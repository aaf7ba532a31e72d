"""What each game says to a person: for every phase that a game really has, and never what its seat may not know."""

from __future__ import annotations

import random

import pytest

from fa_cli.games import GAMES, find_game
from fa_cli.games.contract import ACTION, DREW
from fa_cli.games.game import Game
from fa_cli.play.news_feed import sentence
from fa_cli.play.paint import Painter
from fa_cli.play.rulebook import paragraphs, whole


def settings(game: Game) -> list[tuple[dict[str, object], int]]:
    given = [{}, {"actions": "on"}] if game.name == "new-york" else [{}]
    return [(options, players) for options in given for players in game.players]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_phase_is_explained(game: Game) -> None:
    generator, guide, phases = random.Random(1), game.presentation.guide, set()
    for options, players in settings(game):
        state = game.start(game.make_options(options), players, bytes([players] * 32))
        while state.actor >= 0:
            phases.add(game.observe(state, state.actor).phase)
            assert game.presentation.brief(state, state.actor)
            state.apply(generator.choice(state.legal()))
    assert phases == set(guide.ask) == set(guide.rules)
    for phase, starts in guide.rules.items():
        assert len(guide.ask[phase]) < 80
        for start in starts:
            lines = paragraphs(game, [start], 80)
            assert lines and max(map(len, lines)) <= 80, start
    assert max(map(len, whole(game, 80))) <= 80


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_seat_is_told_what_it_may_know(game: Game) -> None:
    """Only of what is drawn hidden a seat hears less than all, and then it hears how many."""
    generator, hidden = random.Random(2), 0
    names = ["Ann", "Ben", "Cleo"]
    for number in range(4):
        state = game.start(game.options(), 3, bytes([number] * 32))
        state.journal = []
        while state.actor >= 0:
            action = generator.choice(state.legal())
            state.journal.append((ACTION, state.actor, action))
            state.apply(action)
        for entry in state.journal:
            for seat in range(3):
                if game.event_for(entry, seat) == game.event_for(entry, None):
                    assert sentence(game, state, entry, names, seat) == game.narrate(state, entry, names)
                else:
                    assert entry[0] == DREW and entry[1] != seat
                    told = sentence(game, state, entry, names, seat)
                    assert told.startswith(f"{names[entry[1]]} draws {len(entry) - 2} card")
                    hidden += 1
    assert hidden > 0


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_colours_change_no_letter(game: Game) -> None:
    state = game.start(game.options(), 3, bytes(32))
    palette = game.presentation.guide.palette
    for line in game.render(state, 0).split("\n"):
        assert Painter(palette, "0", False).picture(line) == line
        for many in (False, True):
            painted = Painter(palette, "0", True, many).picture(line)
            plain = "".join(
                part.partition("m")[2] if place else part for place, part in enumerate(painted.split("\x1b["))
            )
            assert plain == line


def test_floors_of_all_colours_are_painted() -> None:
    """Manhattan's mixed towers: the owner's floors and the others', which say who may take the tower over (MA-7)."""
    painter = Painter(find_game("manhattan").presentation.guide.palette, "0", True)
    assert painter.picture("B5r4 Round 4") == "\x1b[34mB5\x1b[0m\x1b[31mr4\x1b[0m Round 4"


def test_tables_of_rules_have_columns() -> None:
    """MA-6: what each value of `blocks` means is read by columns; where they are too wide, row by row."""
    manhattan = find_game("manhattan")
    assert paragraphs(manhattan, ["| value |"], 80)[:-1] == [
        "  value               four players             two or three players",
        "  auto (the default)  six blocks, four rounds  four blocks, six rounds",
        "  four                four blocks, six rounds  four blocks, six rounds",
        "  six                 six blocks, four rounds  six blocks, four rounds",
    ]
    assert paragraphs(manhattan, ["| value |"], 50)[1:3] == [
        "  auto (the default)  six blocks, four rounds",
        "    four blocks, six rounds",
    ]
