"""The pictures in docs/ are those that `fa replay svg` draws now, of games that verify."""

from __future__ import annotations

from pathlib import Path

import pytest

from fa_cli.replay.log_file import read_log
from fa_cli.replay.verify import check
from tests.pictures import FOLDER, LOG, PLIES, pictures

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("game", PLIES)
def test_a_picture_is_drawn_as_now(game: str) -> None:
    path = FOLDER / f"{game}.svg"
    assert path.read_text(encoding="utf-8") == pictures()[path], "run: make pictures"


def test_the_games_verify() -> None:
    assert [check(entry) for entry in read_log(LOG)] == [None] * 3


@pytest.mark.parametrize("game", PLIES)
def test_every_picture_is_shown(game: str) -> None:
    """In the README and on the page of the game's rules."""
    assert f"docs/assets/boards/{game}.svg" in (ROOT / "README.md").read_text(encoding="utf-8")
    rules = ROOT / f"docs/reference/rules/{game}.md"
    assert f"../../assets/boards/{game}.svg" in rules.read_text(encoding="utf-8")


def test_no_picture_is_left_over() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {"games.log", *(path.name for path in pictures())}
