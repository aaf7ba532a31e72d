"""Completion: the candidates for the last word, and real shells that use them."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from pathlib import Path

import pytest

from fa_cli.cli import app, common
from fa_cli.cli.help.completion import run_typer
from fa_cli.isolation.shipped_bots import shipped_paths
from fa_cli.kits.languages import KITS
from tests.conftest import Fa
from tests.inside import fa as fa
from tests.inside import play_quietly
from tests.tournament.helpers import dice


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tournament of bots that no other has, and two files."""
    folder = tmp_path_factory.mktemp("played")
    play_quietly(folder, *dice(folder / "bots", "anna", "berta"), "--games", "1", "--name", "spring")
    (folder / "mine.py").touch()
    (folder / "league.toml").touch()
    return folder


@pytest.fixture
def home(fa: Fa, played: Path, tmp_path: Path) -> Path:
    """The current folder, a copy of `played`."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    return tmp_path


def completed(line: str) -> list[str]:
    """The candidates that bash gets at the end of `fa LINE`: what follows the last `=` of the last word."""
    words = re.sub("=", "\n=\n", "fa " + line).replace(" ", "\n").replace("\n\n", "\n").split("\n")
    asked = {"_FA_COMPLETE": "complete_bash", "COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    common.SETTINGS = common.Settings()
    output = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output), suppress(SystemExit):
        for name, value in asked.items():
            patch.setenv(name, value)
        run_typer(app.root())
    return output.getvalue().split()


CASES = [
    ("tourn", ["tournament"]),
    ("tournament ru", ["run"]),
    ("--hom", ["--home"]),
    ("tournament run --sch", ["--schedule"]),
    ("tournament run --schedule sw", ["swiss"]),
    ("tournament run --schedule=sw", ["swiss"]),
    ("tournament run --seed 1 --see", []),
    ("tournament run --option a=1 --option side=", ["five", "six"]),
    ("tournament run --option si", ["side=five", "side=six"]),
    ("tournament run --ro", []),
    ("tournament run --schedule swiss --ro", ["--rounds"]),
    ("tournament run --schedule swiss --chal", []),
    ("tournament run --schedule=gauntlet --chal", ["--challenger"]),
    ("tournament run --no-t", ["--no-times"]),
    ("tournament run --game m", ["manhattan"]),
    ("tournament run --game ", ["fifth-avenue", "manhattan", "new-york", "all"]),
    ("play ", ["fifth-avenue", "manhattan", "new-york"]),
    ("match --game manhattan --option ", ["blocks=auto", "blocks=four", "blocks=six"]),
    ("play new-york --option turn", ["turn_limit="]),
    ("tournament show s", ["spring"]),
    ("tournament resume spring --mo", ["--more"]),
    ("tournament verify s", ["spring"]),
    ("leaderboard spring sp", ["spring"]),
    ("replay show sp", ["spring"]),
    ("replay show spring --boards r", ["rounds"]),
    ("replay export spring -o l", []),  # the shell completes files
    ("tournament show tournaments/", []),
    ("tournament run m", [name for name in shipped_paths() if name.startswith("m")]),
    ("tournament run greedy l", []),
    ("tournament run old=gr", ["greedy"]),
    ("compare ", ["anna", "berta"]),
    ("compare anna b", ["berta"]),
    ("compare anna berta sp", ["spring"]),
    ("tournament run --compare anna,", ["anna,berta"]),
    ("bot new x --lang ", list(KITS)),
    ("docs tuto", ["tutorial"]),
    ("completion ", ["bash", "zsh", "fish"]),
    ("games x", []),
    ("nonsense ", []),
    ("tournament show nowhere/", []),
    ("tournament show ~nobody-of-that-name/", []),
]


@pytest.mark.parametrize(("line", "expected"), CASES, ids=[line for line, _ in CASES])
def test_candidates(home: Path, line: str, expected: list[str]) -> None:
    assert completed(line) == expected


def test_the_home_that_the_line_names(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    assert completed("tournament show s") == []
    assert completed("--home .. tournament show s") == ["spring"]
    assert completed("tournament show --home=.. s") == ["spring"]
    monkeypatch.setenv("FA_HOME", "..")
    assert completed("tournament show s") == ["spring"]


def test_damaged_definitions_are_skipped(home: Path) -> None:
    (home / "tournaments/torn.json").write_text('{"bots": [')
    (home / "tournaments/odd.json").write_text('{"bots": 3}')
    assert completed("compare ") == ["anna", "berta"]


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    """An environment in which `fa` is found."""
    folder = home / "path"
    folder.mkdir()
    (folder / "fa").write_text(f'#!/bin/sh\nexec {sys.executable} -m fa_cli "$@"\n')
    (folder / "fa").chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "TERM": "dumb", "HOME": str(home)}


class Shell:
    """An interactive shell in a terminal."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.pid, self._file = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], command, environment)

    def type(self, text: str, expected: str) -> str:
        """Type something and wait for a text."""
        os.write(self._file, text.encode())
        shown, until = "", time.monotonic() + 60
        while expected not in shown and time.monotonic() < until:
            if select.select([self._file], [], [], 0.5)[0]:
                shown += os.read(self._file, 65536).decode("utf-8", "replace").replace("\a", "").replace("\b", "")
        assert expected in shown, shown
        return shown

    def close(self) -> None:
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self._file)


COMMANDS = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}


@pytest.fixture(params=COMMANDS)
def shell(request: pytest.FixtureRequest, environment: dict[str, str]) -> Iterator[Shell]:
    """bash and zsh with the script, at their prompt."""
    command = COMMANDS[request.param]
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    shell = Shell(command, environment)
    shell.type(f'PS1="ready"; eval "$(fa completion {request.param})"; echo the "script" is in\n', "the script is in")
    yield shell
    shell.close()


@pytest.mark.slow
def test_an_interactive_shell(shell: Shell) -> None:
    """Each tab completes what was typed; what is expected here was not typed."""
    shell.type("fa tourn\t", "ament")
    shell.type("sh\t", "ow")
    shell.type("sp\t", "ring")
    shell.type("\x15fa tournament run --option si\t", "de=")
    shell.type("s\t", "ix")
    shell.type("\x15fa tournament run --game man\t", "hattan")
    shell.type("\x15fa replay list lo\t", "gs/")
    shell.type("\x15fa bot new x --lang py\t", "thon")


FISH = [
    ("fa tourn", ["tournament"]),
    ("fa tournament show sp", ["spring"]),
    ("fa tournament run --option side=", ["side=five", "side=six"]),
    ("fa leaderboard --by si", ["side"]),
    ("fa replay list lo", ["logs/"]),  # by fish itself
]


@pytest.mark.slow
def test_fish(environment: dict[str, str]) -> None:
    if not shutil.which("fish"):
        pytest.skip("fish is not installed")
    asked = "; ".join(f'echo "? {line}"; complete -C "{line}"' for line, _ in FISH)
    script = f"fa completion fish | source; {asked}"
    done = subprocess.run(["fish", "--no-config", "-c", script], env=environment, capture_output=True, text=True)
    answers = {line: offered for line, *offered in map(str.splitlines, done.stdout.split("? ")[1:])}
    for line, expected in FISH:
        assert [text.split("\t")[0] for text in answers[line]] == expected, done.stderr


def test_a_wrong_shell(fa: Fa) -> None:
    done = fa("completion", "tcsh")
    assert done.returncode == 2
    assert done.stderr == "fa: invalid SHELL 'tcsh': use bash, zsh or fish (see fa completion --help)\n"


def test_names_that_a_shell_would_read_are_not_offered(home: Path) -> None:
    for name in ("a\x1b[2J", "b\u202e", "c\nd", "e\udcff", "two words", "$(touch x)", "`id`", "f;g", "'h"):
        for file in (f"logs/{name}.log", f"tournaments/{name}.json"):
            (home / file).touch()
    for line in ("tournament show ", "leaderboard "):
        assert completed(line) == ["spring"]


def test_typer_installs_the_script(environment: dict[str, str], home: Path) -> None:
    """In the shell that asks; it is found by its process."""
    done = subprocess.run(
        ["bash", "-c", "fa --install-completion; true"], env=environment, capture_output=True, text=True
    )
    assert done.stdout.startswith("bash completion installed in"), done.stderr
    assert "_FA_COMPLETE=complete_bash" in (home / ".bash_completions/fa.sh").read_text()
    shown = subprocess.run(
        ["bash", "-c", "fa --show-completion; true"], env=environment, capture_output=True, text=True
    )
    script = subprocess.run(["fa", "completion", "bash"], env=environment, capture_output=True, text=True)
    assert script.stdout.strip() == shown.stdout.strip() != ""
