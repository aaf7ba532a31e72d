"""RULES.md: whole, true to the code where it can be compared, and every ruling with a test of its number."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import msgspec
import pytest

from fa_cli.games.fifth_avenue import GAME
from fa_cli.games.fifth_avenue.view import _PUBLIC_EVENTS, PHASES

from .positions import observe, position

TEXT = resources.files(GAME.rules).joinpath("RULES.md").read_text(encoding="utf-8")
TESTS = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
RULINGS = range(1, 22)


@pytest.mark.parametrize("number", RULINGS)
def test_every_ruling_is_there_and_has_a_test(number: int) -> None:
    assert f"- **FA-{number}.**" in TEXT
    assert f"def test_fa_{number}_" in TESTS


def test_no_other_ruling_is_cited() -> None:
    assert {int(number) for number in re.findall(r"FA-(\d+)", TEXT)} == set(RULINGS)


@pytest.mark.parametrize("figure", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
def test_every_figure_has_a_test(figure: int) -> None:
    assert re.search(rf"def test_\w*fig_{figure:02d}_", TESTS)


def test_every_action_that_is_named_is_one() -> None:
    words = {action.split()[0] for action in GAME.actions}
    named = [text for text in re.findall(r"`([^`\n]+)`", TEXT) if text.split()[0] in words]
    examples = [text for text in named if not re.search(r"\b[DPTVXY]\b", text)]
    assert len(examples) > 20
    # an option, an event and a phase may have a name that an action begins with
    others = {"stop", "place", "draw", "move", "bid", "build"}
    assert [text for text in examples if text not in GAME.action_numbers and text not in others] == []


def test_the_action_table_counts_every_action() -> None:
    rows = TEXT.split("| actions | how many |")[1].split("\n\n")[0]
    assert sum(int(count) for count in re.findall(r"\| (\d+) \|$", rows, re.MULTILINE)) == len(GAME.actions)


def test_options_reasons_phases_and_events_are_named() -> None:
    names = [field.name for field in msgspec.structs.fields(GAME.options)]
    for name in [*names, "businesses", "stops", "turn-limit", *PHASES, "drew", *_PUBLIC_EVENTS]:
        assert f"`{name}`" in TEXT, name


def test_the_points_are_those_of_the_example() -> None:
    state = position(board={"TS": {"green": "gallery+boutique", "brown": "jeweler+perfumery"}})
    plots = observe(state, 0).board["TS"]
    assert (plots["gray"].value, plots["orange"].value) == (8, 3)


def test_lines_fit_a_screen() -> None:
    assert max(len(line) for line in TEXT.split("\n") if not line.startswith("|")) <= 120
