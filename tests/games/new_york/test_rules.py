"""The rules page: every ruling once, every action that it names is in the table."""

from __future__ import annotations

import re
from importlib import resources

from fa_cli.games.new_york import GAME
from fa_cli.games.new_york.view import PHASES

TEXT = resources.files(GAME.rules).joinpath("RULES.md").read_text(encoding="utf-8")


def test_every_ruling_is_there_and_tested() -> None:
    """Each is stated in bold once; each number stands in the name of a test."""
    stated = re.findall(r"\*\*NY-(\d+)", TEXT)
    assert sorted(map(int, stated)) == list(range(1, 13))
    here = resources.files("tests.games.new_york")
    names = "".join(file.read_text(encoding="utf-8") for file in here.iterdir() if file.name.startswith("test_"))
    for number in range(1, 13):
        assert f"def test_ny_{number}_" in names


def test_actions_named_are_actions() -> None:
    quoted = re.findall(
        r"`((?:use|place|pass|remove|play|renovation|ruin|speculation|developer|statics|redraw)(?: [^`]*)?)`", TEXT
    )
    named = [text for text in quoted if not re.search(r"[A-Z]", text)]
    assert len(named) > 20
    assert [text for text in named if text not in GAME.action_numbers and text not in PHASES] == []
