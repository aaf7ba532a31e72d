"""Paths of bots in definitions: nobody's home directory is in them, and they survive moving the folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from fa_cli.isolation.shipped_bots import FOLDER, shipped_paths
from fa_cli.tournament.bot_paths import portable, resolved, without_folders


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")


@pytest.mark.parametrize(
    ("path", "folder", "text"),
    [
        (str(FOLDER / "greedy.py"), "/home/ann/cup", "greedy"),
        (str(FOLDER / "planner"), str(FOLDER.parent), "planner"),
        ("/home/ann/cup/mine.py", "/home/ann/cup", "./mine.py"),
        ("/home/ann/cup/greedy", "/home/ann/cup", "./greedy"),
        ("/home/ann/cup/bots/mine.py", "/home/ann/cup", "./bots/mine.py"),
        ("/home/ann/bots/mine.py", "/home/ann/cup", "../bots/mine.py"),
        ("/home/ann/bots/mine.py", "/srv/cup", "~/bots/mine.py"),
        ("/home/ann/bots/mine.py", "/", "~/bots/mine.py"),
        ("/home/anna/mine.py", "/home/ann/cup", "../../anna/mine.py"),
        ("/srv/bots/mine.py", "/srv/cup", "../bots/mine.py"),
        ("/opt/mine.py", "/srv/cup", "/opt/mine.py"),
        ("/srv/..x/mine.py", "/srv", "./..x/mine.py"),
        ("/srv/bücher/größe.py", "/srv", "./bücher/größe.py"),
    ],
)
def test_a_path_and_back(path: str, folder: str, text: str) -> None:
    assert portable(path, Path(folder)) == text
    assert resolved(text, Path(folder)) == path


def test_a_name_that_no_shipped_bot_has_is_a_file() -> None:
    assert "nobody" not in shipped_paths()
    assert resolved("nobody", Path("/srv")) == "/srv/nobody"


def test_a_user_without_a_home_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.path.expanduser", lambda text: text)
    assert portable("/srv/bots/mine.py", Path("/srv")) == "./bots/mine.py"
    assert resolved("~/mine.py", Path("/srv")) == "/srv/~/mine.py"


def test_a_sentence_without_folders() -> None:
    text = f"{FOLDER}/stopper.pl needs perl; /home/ann/cup/a.c does not build (/home/ann/.cache/log)"
    short = "stopper.pl needs perl; ./a.c does not build (~/.cache/log)"
    assert without_folders(text, Path("/home/ann/cup")) == short
