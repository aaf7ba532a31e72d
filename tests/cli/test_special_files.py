"""Pipes, devices and huge holes in place of files that commands read: they answer at once, with a sentence."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import run_fa, thinned
from tests.inside import play_quietly
from tests.tournament.helpers import dice


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    words = ("--game", "manhattan", "--players", "2", "--games", "2", "--name", "good")
    play_quietly(home, *dice(home / "bots", "a", "b"), *words)
    return home


def replace(path: Path, kind: str) -> None:
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.touch()
        os.truncate(path, 1 << 40)


def run(home: Path, *args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `fa` with 1 GiB of memory, for at most 20 seconds."""
    return run_fa(home, *args, limit=(resource.RLIMIT_DATA, 1 << 30), timeout=20, **environment)


COMMANDS = [
    ("tournaments/good.json", ("tournament", "show", "good"), 2),
    ("tournaments/good.json", ("tournament", "resume", "good"), 2),
    ("tournaments/good.json", ("leaderboard",), 0),
    ("cup.toml", ("tournament", "run", "cup.toml"), 2),
    ("logs/good.log.sig", ("tournament", "verify", "good", "--signers", "signers"), 2),
    ("signers", ("tournament", "verify", "good", "--signers", "signers"), 2),
    ("logs/game.unfinished", ("play", "--resume", "logs/game.log"), 2),
]


@pytest.mark.parametrize("kind", ["pipe", "device", "hole"])
@pytest.mark.parametrize(
    ("name", "command", "code"), thinned(COMMANDS, 2), ids=lambda value: str(value).replace("/", "-")[:40]
)
def test_a_command_answers(
    played: Path, tmp_path: Path, kind: str, name: str, command: tuple[str, ...], code: int
) -> None:
    home = tmp_path / "home"
    shutil.copytree(played, home)
    for file in ("signers", "logs/good.log.sig"):
        (home / file).write_text("x")
    replace(home / name, kind)
    done = run(home, *command)
    assert done.returncode == code, done.stderr
    if code:
        assert done.stderr.startswith("fa: ")
        assert Path(name).name in done.stderr
        assert "memory" not in done.stderr


@pytest.mark.parametrize("kind", ["pipe", "device", "hole"])
def test_completion_answers(played: Path, tmp_path: Path, kind: str) -> None:
    home = tmp_path / "home"
    shutil.copytree(played, home)
    replace(home / "tournaments/evil.json", kind)
    done = run(home, _FA_COMPLETE="complete_bash", COMP_WORDS="fa\ncompare\n", COMP_CWORD="2")
    assert done.returncode == 0
    assert set(done.stdout.splitlines()) >= {"a", "b"}
