"""Pipes, devices and huge holes in place of files that commands read: they answer at once, with a sentence."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import UNSANDBOXED, Fa, assert_refused, further, run_fa, thinned
from tests.inside import fa as fa

from .test_forged_logs import played as played


def replace(path: Path, kind: str) -> None:
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
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
    ("tournaments/good.json", ("tournament", "verify", "good"), 2),
    ("tournaments/good.json", ("tournament", "watch", "good", "--once"), 2),
    ("logs/good.log", ("tournament", "watch", "good", "--once"), 2),
    ("logs/good.log", ("tournament", "resume", "good"), 2),
    ("logs/good.log", ("tournament", "verify", "good"), 2),
    ("cup.toml", ("tournament", "run", "cup.toml"), 2),
    ("logs/good.log.sig", ("tournament", "verify", "good", "--signers", "signers"), 2),
    ("signers", ("tournament", "verify", "good", "--signers", "signers"), 2),
    ("logs/game.unfinished", ("play", "--resume", "logs/game.log"), 2),
]


@pytest.mark.parametrize("kind", ["pipe", *further("device", "hole")])
@pytest.mark.parametrize(
    ("name", "command", "code"), thinned(COMMANDS, 4), ids=lambda value: str(value).replace("/", "-")[:40]
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
        assert done.stdout == "" or "--signers" in command
        assert done.stderr.removeprefix(UNSANDBOXED).startswith("fa: ")
        assert Path(name).name in done.stderr
        assert "memory" not in done.stderr


def test_a_link_that_leads_nowhere(fa: Fa, tmp_path: Path) -> None:
    """It is not told as missing, and not with its own name as the nearest one."""
    (tmp_path / "tournaments").mkdir()
    (tmp_path / "tournaments/good.json").symlink_to("nowhere")
    assert_refused(fa("tournament", "show", "good"), "tournaments/good.json: it is a link that leads nowhere\n")


@pytest.mark.parametrize("kind", ["pipe", "device", "hole"])
def test_completion_answers(played: Path, tmp_path: Path, kind: str) -> None:
    home = tmp_path / "home"
    shutil.copytree(played, home)
    replace(home / "tournaments/evil.json", kind)
    done = run(home, _FA_COMPLETE="complete_bash", COMP_WORDS="fa\ncompare\n", COMP_CWORD="2")
    assert done.returncode == 0
    assert set(done.stdout.splitlines()) >= {"a", "b"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "hole"])
def test_a_status_that_is_something_else(played: Path, tmp_path: Path, kind: str) -> None:
    home = tmp_path / "home"
    shutil.copytree(played, home)
    replace(home / "logs/good.status", kind)
    done = run(home, "tournament", "watch", "good", "--once")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "good: finished: 2 games")
    assert done.stderr.startswith("warning: logs/good.status is not the status of a run")
    assert done.stderr.count("\n") == 1


WRITERS = [
    ("results", "good", "-o"),
    ("replay", "export", "good", "-o"),
    ("replay", "extract", "good", "--game", "1", "-o"),
    ("replay", "svg", "good", "-o"),
    ("report", "good", "--format", "markdown", "-o"),
    ("key", "example.org", "-o"),
    ("simulate", "manhattan", "--games", "1", "-o"),
]


@pytest.mark.parametrize("command", WRITERS, ids=lambda words: " ".join(words[:2]))
def test_what_can_not_be_written_is_named(fa: Fa, played: Path, tmp_path: Path, command: tuple[str, ...]) -> None:
    """As it was typed, also if a temporary file could not be written."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    name = "x" * 300
    assert_refused(fa(*command, name), f"cannot write {name}: File name too long\n")
