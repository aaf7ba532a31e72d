"""The games' texts for a person: they cover every phase that occurs, and reveal nothing that the seat may not know."""

from __future__ import annotations

import random
import re

import pytest

from fa_cli.games import GAMES, find_game
from fa_cli.games.contract import ACTION, DREW
from fa_cli.games.game import Game
from fa_cli.games.seed import Seed
from fa_cli.play.paint import Painter
from fa_cli.play.rulebook import paragraphs, whole
from fa_cli.replay.narrate import describe_entry


def settings(game: Game) -> list[tuple[dict[str, object], int]]:
    given = [{"actions": actions, "turn_limit": 40} for actions in ("off", "on")] if game.name == "new-york" else [{}]
    return [(options, players) for options in given for players in game.players]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_phase_is_explained(game: Game) -> None:
    generator, guide, phases = random.Random(1), game.presentation.guide, set()
    for options, players in settings(game):
        state = game.start(game.make_options(options), players, Seed(bytes([players] * 32)))
        while state.actor >= 0:
            phases.add(game.observe(state, state.actor).phase)
            assert game.presentation.brief(state, state.actor)
            state.apply(generator.choice(state.legal()))
    assert phases == set(guide.ask) == set(guide.rules)
    assert phases >= set(guide.typed)
    for phase, starts in guide.rules.items():
        assert len(f"{guide.ask[phase]} {guide.typed.get(phase, '')}") < 80
        for start in starts:
            lines = paragraphs(game, [start], 80)
            assert lines and max(map(len, lines)) <= 80, start
    assert max(map(len, whole(game, 80))) <= 80


def test_new_york_asks_for_what_can_be_chosen() -> None:
    asked = set()
    for players in (2, 3):
        game, generator = find_game("new-york"), random.Random(1)
        state = game.start(game.make_options({"actions": "on"}), players, Seed(bytes([players] * 32)))
        while state.actor >= 0:
            view, words = game.view(state, state.actor), {game.actions[each].split()[0] for each in state.legal()}
            question = game.presentation.guide.question(view)
            asked.add((players, view["phase"], question))
            if words & {"developer", "ruin", "renovation", "speculation", "statics"}:
                assert question.endswith("or an action card.")
            if view["phase"] == "place":
                assert ("pass" in words) == ("or pass" in question)
            state.apply(generator.choice(state.legal()))
    pair = "Play an avenue card (row) and a street card (column)."
    assert {(2, "turn", pair), (2, "place", "Choose the colour to place on a cleared building.")} <= asked
    assert {(3, "turn", pair), (3, "place", "Place a stone on a cleared building, or pass.")} <= asked


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_seat_is_told_what_it_may_know(game: Game) -> None:
    """A seat's news differ from the full narration only in cards drawn face down, of which it learns the number."""
    generator, hidden = random.Random(2), 0
    names = ["Ann", "Ben", "Cleo"]
    for number in range(4):
        state = game.start(game.options(), 3, Seed(bytes([number] * 32)))
        state.journal = []
        while state.actor >= 0:
            action = generator.choice(state.legal())
            state.journal.append((ACTION, state.actor, action))
            state.apply(action)
        for entry in state.journal:
            for seat in range(3):
                if game.event_for(entry, seat) == game.event_for(entry, None):
                    assert describe_entry(game, state, entry, names, seat) == game.narrate(state, entry, names)
                else:
                    assert entry[0] == DREW and entry[1] != seat
                    told = describe_entry(game, state, entry, names, seat)
                    assert told.startswith(f"{names[entry[1]]} draws {len(entry) - 2} card")
                    hidden += 1
    assert hidden > 0


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_colours_change_no_letter(game: Game) -> None:
    state = game.start(game.options(), 3, Seed(bytes(32)))
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
    """In Manhattan's mixed towers each colour's floors are coloured, which show who may take the tower over (MA-7)."""
    painter = Painter(find_game("manhattan").presentation.guide.palette, "0", True)
    assert painter.picture("B5r4 Round 4") == "\x1b[34mB5\x1b[0m\x1b[31mr4\x1b[0m Round 4"


def test_tables_of_rules_have_columns() -> None:
    """MA-6: the table on `blocks` has columns, whose cells are folded in a narrow terminal."""
    manhattan = find_game("manhattan")
    header, rule, *rows = paragraphs(manhattan, ["| value |"], 80)
    assert header == " value               four players             two or three players"
    assert set(rule.strip()) == {"─"}
    assert rows == [
        " auto (the default)  six blocks, four rounds  four blocks, six rounds",
        " four                four blocks, six rounds  four blocks, six rounds",
        " six                 six blocks, four rounds  six blocks, four rounds",
    ]
    narrow = paragraphs(manhattan, ["| value |"], 50)
    assert max(map(len, narrow)) <= 50
    assert narrow[3:5] == [
        " auto (the       six blocks,      four blocks,",
        " default)        four rounds      six rounds",
    ]


def test_rules_have_marks_only_in_colour() -> None:
    """Bold text is styled in a terminal with colours; without them, neither Markdown's marks nor codes remain."""
    manhattan = find_game("manhattan")
    plain = paragraphs(manhattan, ["- **MA-1.**", "1. **Select.**"], 80)
    assert plain[0].startswith(" • MA-1. Each colour has 24 blocks")
    assert plain[4].startswith(" 1 Select. From the start player clockwise")
    assert not {"*", "`", "\x1b"} & set("".join(plain))
    coloured = paragraphs(manhattan, ["- **MA-1.**", "1. **Select.**"], 80, colours=True)
    assert "\x1b[1mMA-1." in coloured[0]
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip() for line in coloured] == plain
