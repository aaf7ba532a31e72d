"""The bots that ship with `fa`: their list, and their names in place of paths."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from fa_cli.errors import BotError
from fa_cli.isolation import shipped_bots
from fa_cli.isolation.discovery import find_bots, read_bot
from tests.conftest import Fa
from tests.inside import fa as fa

ROOT = Path(__file__).parents[2]
NAMES = ["builder", "greedy", "miser", "planner", "random", "searcher", "shopkeeper", "stopper", "student"]


def test_the_list(fa: Fa) -> None:
    rows = json.loads(fa("bots", "--format", "json").stdout)
    assert [row["bot"] for row in rows] == NAMES
    assert [Path(row["path"]) for row in rows] == [shipped_bots.shipped_paths()[name] for name in NAMES]
    page = (ROOT / "docs/explanation/shipped-bots.md").read_text(encoding="utf-8")
    assert {row["bot"]: row["language"] for row in rows} == dict(
        re.findall(r"^\| `(\w+)` \| (\w+) \|", page, re.MULTILINE)
    )
    assert all(re.fullmatch(r"[a-z][^.:]{15,54}", row["description"]) for row in rows)
    assert all(row["games"] == ["fifth-avenue", "manhattan", "new-york"] for row in rows)
    done = fa("bots")
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert done.stderr == f"they are in {ROOT / 'bots'}\n"


def test_the_list_with_bots_of_others(fa: Fa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped_bots, "FOLDER", tmp_path / "bots")
    assert json.loads(fa("bots", "--format", "json").stdout) == []
    (tmp_path / "bots/rusty").mkdir(parents=True)
    (tmp_path / "bots/rusty/bot.toml").write_text('command = "./rusty"\ngames = ["manhattan"]\n')
    (tmp_path / "bots/odd.py").write_bytes(b"\xff\xfe")
    rows = json.loads(fa("bots", "--format", "json").stdout)
    assert [(row["bot"], row["language"], row["description"]) for row in rows] == [
        ("odd", "Python", ""),
        ("rusty", "", ""),
    ]
    assert "manhattan" in fa("bots").stdout


def test_a_name_stands_for_a_shipped_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").touch()
    bots, notes = find_bots(["mine.py", "planner", "old=greedy"])
    assert notes == []
    assert {bot.name: bot.path for bot in bots} == {
        "mine": "mine.py",
        "planner": str(ROOT / "bots/planner"),
        "old": str(ROOT / "bots/greedy.py"),
    }
    assert read_bot("greedy").path == str(ROOT / "bots/greedy.py")


def test_a_file_or_folder_of_that_name_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("greedy").write_text("#!/bin/sh\n")
    Path("greedy").chmod(0o755)
    Path("planner").mkdir()
    assert read_bot("greedy").path == "greedy"
    with pytest.raises(BotError, match=r"planner is not a bot: a folder of a bot has a bot\.toml"):
        read_bot("planner")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("greddy", r"greddy: no such file or folder; did you mean the shipped bot greedy\?"),
        ("old=plannr", r"plannr: no such file or folder; did you mean the shipped bot planner\?"),
        ("bots/greedy.py", r"bots/greedy\.py: no such file or folder; did you mean the shipped bot greedy\?"),
        ("./greedy", r"greedy: no such file or folder; did you mean the shipped bot greedy\?"),
        ("bots/*", r"bots/\*: no such file or folder; fa bots lists the shipped bots"),
        ("/nowhere/greedy", "^/nowhere/greedy: no such file or folder$"),
        ("", "is not a bot: a folder of a bot has a bot.toml"),
        ("x" * 5000, "no such file or folder; fa bots lists"),
        ("a\0b", "no such file or folder; fa bots lists"),
        ("..", "is not a bot: a folder of a bot has a bot.toml"),
    ],
)
def test_other_names(text: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BotError, match=words):
        find_bots([text])


def test_names_in_commands_and_files(fa: Fa, tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text('bots = ["random", "second=random"]\ngame = "manhattan"\ngames = 4\n')
    done = fa("tournament", "run", "t.toml", "--sandbox", "none")
    assert done.returncode == 0, done.stderr
    done = fa("match", "random", "random", "--game", "manhattan", "--quiet", "--sandbox", "none")
    assert done.returncode == 0, done.stderr
    done = fa("bot", "check", "randm")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "fa: randm is not a bot: no such file or folder; did you mean the shipped bot random?\n"


def test_bytecode_is_no_part_of_an_installed_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installers compile a wheel's Python files; the bot is the same with their files, and wherever it is installed."""
    installed = tmp_path / "fa_cli" / "bots"
    shutil.copytree(ROOT / "bots/planner", installed / "planner", ignore=shutil.ignore_patterns("__pycache__"))
    before = read_bot(installed / "planner")
    (installed / "planner/__pycache__").mkdir()
    (installed / "planner/__pycache__/planner.pyc").write_bytes(b"x")
    assert read_bot(installed / "planner").digest != before.digest
    monkeypatch.setattr(shipped_bots, "_IN_WHEEL", installed)
    assert read_bot(installed / "planner") == before
