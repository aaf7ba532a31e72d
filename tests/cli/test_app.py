"""The root: every error is one sentence with its exit code, and common options are accepted anywhere."""

from __future__ import annotations

import itertools
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import pytest

from fa_cli import __version__
from fa_cli.cli import app, common
from fa_cli.cli.framework.commands import Entry, Group
from fa_cli.errors import BadOption, CheckFailed, Interrupted, LogError
from fa_cli.option import Option
from fa_cli.replay.log_file import read_log
from tests.conftest import Fa, further, run_fa, thinned
from tests.inside import play_quietly
from tests.tournament.helpers import dice


class Fake:
    """A fake module of commands: `fa fake` and `fa group one` call `body`."""

    def __init__(self) -> None:
        self.body: Callable[[], object] = lambda: None
        self.commands: dict[str, Callable[..., None]] = {"one": self.one}
        self.group = Group("A group.", self.commands)

    def one(self, count: Annotated[int, Option("Count.")] = 1) -> None:
        """A command."""
        self.body()


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Adds two commands for tests."""
    fake = Fake()
    monkeypatch.setitem(sys.modules, "fa_cli.cli.fake", fake)
    monkeypatch.setitem(app.ROOT.commands, "fake", Entry("fake", "one", "For tests."))
    monkeypatch.setitem(app.ROOT.commands, "group", Entry("fake", "group", "For tests."))
    return fake


def test_only_the_command_that_is_run_is_made(command: Fake) -> None:
    def other(what: "No_such_name") -> None:  # type: ignore[name-defined]  # noqa: F821, UP037
        """A command with an annotation that can't be evaluated."""

    command.commands["other"] = other
    assert app.run(["group", "one"]) == 0
    assert app.run(["group", "other"]) == app.EXIT_INTERNAL


def raising(error: BaseException) -> Callable[[], object]:
    def body() -> None:
        raise error

    return body


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (CheckFailed("3 records differ"), 1, "3 records differ"),
        (BadOption("no such value: 'a\x1b[1m\n'"), 2, "no such value: 'a\\x1b[1m\\n'"),
        (LogError("cut").within("a.log"), 2, "a.log: cut"),
        (Interrupted("stopped after 3 games"), 3, "stopped after 3 games"),
        (KeyboardInterrupt(), 3, "interrupted"),
        (FileNotFoundError(2, "No such file or directory", "a.log"), 2, "a.log: No such file or directory"),
        (OSError(28, "No space left on device"), 2, "cannot write output: No space left on device"),
        (OSError(24, "Too many open files"), 2, "too many open files (see ulimit -n)"),
        (MemoryError(), 2, "not enough memory (see ulimit -v)"),
        (RuntimeError("can't start new thread"), 2, "no more threads can be started (see ulimit -u and ulimit -v)"),
        (ValueError("x"), 70, "internal error: ValueError: x (run with --debug for the traceback)"),
    ],
)
def test_errors(
    command: Fake, capsys: pytest.CaptureFixture[str], error: BaseException, code: int, sentence: str
) -> None:
    command.body = raising(error)
    assert app.run(["fake"]) == code
    assert app.run(["group", "one"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"fa: {sentence}\n" * 2


def test_debug_shows_where(command: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    command.body = raising(BadOption("no"))
    assert app.run(["fake", "--debug"]) == 2
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert err.endswith("fa: no\n")
    command.body = raising(ValueError("x"))
    with pytest.raises(ValueError, match="x"):
        app.run(["--debug", "fake"])


@pytest.mark.parametrize(
    "args",
    [
        ["--home", "h", "--quiet", "fake"],
        ["fake", "--home", "h", "--quiet"],
        ["group", "one", "--quiet", "--home", "h"],
        ["-q", "group", "one", "--home", "h"],
    ],
)
def test_common_options_stand_anywhere(command: Fake, monkeypatch: pytest.MonkeyPatch, args: list[str]) -> None:
    monkeypatch.setenv("FA_HOME", "elsewhere")
    seen: list[object] = []
    command.body = lambda: seen.extend([common.SETTINGS.quiet, common.logs_folder(), common.tournaments_folder()])
    assert app.run(args) == 0
    assert seen == [True, Path("h/logs"), Path("h/tournaments")]


def test_home_from_the_environment(command: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FA_HOME", "elsewhere")
    seen: list[Path] = []
    command.body = lambda: seen.append(common.log_path("a"))
    assert app.run(["fake"]) == 0
    monkeypatch.delenv("FA_HOME")
    assert app.run(["fake"]) == 0
    assert seen == [Path("elsewhere/logs/a.log"), Path("logs/a.log")]


@pytest.mark.parametrize("args", [[], ["group"]])
def test_nothing_said_shows_the_help(command: Fake, capsys: pytest.CaptureFixture[str], args: list[str]) -> None:
    assert app.run(args) == 2
    assert "Usage: fa" in capsys.readouterr().err


def test_version(fa: Fa) -> None:
    done = fa("--version")
    python = f"{platform.python_implementation()} {platform.python_version()}"
    assert (done.returncode, done.stdout, done.stderr) == (0, f"fa {__version__} (pure Python, {python})\n", "")


def test_a_reader_that_goes_away() -> None:
    """`fa ... | true`: nothing on stderr, and the exit code of a broken pipe."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "fa_cli", "--help"], stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


PRINTING = [["games"], ["rules", "fifth-avenue"], ["protocol", "schema"], ["--help"], ["bot", "--help"], ["--version"]]


@pytest.mark.parametrize("args", thinned(PRINTING, 3), ids=" ".join)
def test_a_full_device(args: list[str]) -> None:
    fa = partial(
        subprocess.run,
        [sys.executable, "-m", "fa_cli", *args],
        env={**os.environ, "PYTHONUNBUFFERED": ""},  # as usual: output is written when it is flushed
        text=True,
        check=False,
    )
    with Path("/dev/full").open("w") as full:
        done = fa(stdout=full, stderr=subprocess.PIPE)
        assert (done.returncode, done.stderr) == (2, "fa: cannot write output: No space left on device\n")
        assert fa(stdout=full, stderr=full).returncode == 2


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere address space is not limited")
def test_little_memory(tmp_path: Path) -> None:
    """Whatever fails first is reported in one sentence, also if processes or threads can't start."""
    log = str(tmp_path / "a.log")
    assert app.run(["simulate", "manhattan", "--games", "300", "-o", log]) == 0
    seen = set()
    for megabytes in (22, 26, 30, 36, 45):
        for args in (["games"], ["replay", "verify", log, "--jobs", "2"], ["leaderboard", log]):
            done = run_fa(tmp_path, *args, limit=(resource.RLIMIT_AS, megabytes << 20))
            seen.add((done.returncode, done.stderr))
    assert (2, "fa: not enough memory (see ulimit -v)\n") in seen
    assert {code for code, _ in seen} <= {0, 2}, seen
    assert [text for _, text in seen if text.count("\n") > 1 or "Traceback" in text] == []


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with four games."""
    home = tmp_path_factory.mktemp("played")
    play_quietly(home, *dice(home / "bots", "a", "b"), "--games", "4", "--name", "x")
    return home


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere address space is not limited")
@pytest.mark.parametrize("megabytes", [100, *further(60, 80, 115, 130, 145, 200)])
def test_little_memory_for_numpy(played: Path, tmp_path: Path, megabytes: int) -> None:
    """Its library for matrices would end the process with a message of its own and status 1."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)  # a leaderboard leaves an index behind
    done = run_fa(tmp_path, "leaderboard", limit=(resource.RLIMIT_AS, megabytes << 20))
    seen = (done.returncode, done.stderr.splitlines()[-1:])
    is_refused = seen == (2, ["fa: not enough memory (see ulimit -v)"])
    assert is_refused or (megabytes > 60 and done.returncode == 0), done.stderr


def has_enough_files(folder: Path, files: int) -> bool:
    """Whether a tournament ends well with so many open files at most; otherwise it ends with one sentence."""
    bots = [str(bot) for bot in dice(folder / "bots", "a", "b", "c")]
    short = ("--games", "6", "--game", "manhattan", "--players", "2")
    run = ("tournament", "run", *bots, "--sandbox", "none", *short, "--jobs", "2", "--name", "x")
    done = run_fa(folder, *run, limit=(resource.RLIMIT_NOFILE, files))
    assert done.returncode in (0, 2), done.stderr
    if done.returncode:
        assert done.stderr.splitlines()[-1].startswith("fa: too many open files (see ulimit -n)")
        assert "Traceback" not in done.stderr
    return not done.returncode


@pytest.mark.parametrize("files", [16, *further(8)])
def test_few_open_files(tmp_path: Path, files: int) -> None:
    assert not has_enough_files(tmp_path, files)


@pytest.mark.slow
def test_a_lack_of_resources_is_not_a_bots_fault(tmp_path: Path) -> None:
    """Wherever in a run files first run out, it ends, or all games are played without a fault."""
    assert not has_enough_files(tmp_path / "24", 24)
    files = next(files for files in range(28, 100, 4) if has_enough_files(tmp_path / str(files), files))
    entries = list(read_log(tmp_path / str(files) / "logs/x.log"))
    assert len(entries) == 6
    assert not any(entry.faults for entry in entries)


LOUD = ("--game", "manhattan", "--sandbox", "none", "--jobs", "1", "--stderr", "said")
"""Short games of bots whose stderr is kept."""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_full_folder_for_stderr(tmp_path: Path) -> None:
    """The run goes on, with one warning however many files are incomplete."""
    bots = [str(bot) for bot in dice(tmp_path / "bots", "a", "b", before="print('x' * 100_000, file=sys.stderr)")]
    (tmp_path / "said").mkdir()
    for bot, slot in itertools.product("ab", range(-1, 8)):
        (tmp_path / "said" / f"{bot}.0.{slot}.0.txt").symlink_to("/dev/full")
    done = run_fa(tmp_path, "tournament", "run", *bots, *LOUD, "--games", "6")
    assert done.returncode == 0, done.stderr
    warnings = [line for line in done.stderr.splitlines() if "said/" in line]
    assert len(warnings) == 1
    assert re.fullmatch(
        r"warning: stderr of bots is incomplete \(said/[ab]\.0\.-?\d\.0\.txt: No space left on device\)", warnings[0]
    )
    (log,) = tmp_path.glob("logs/*.log")
    entries = list(read_log(log))
    assert len(entries) == 6
    assert not any(entry.faults for entry in entries)


@pytest.mark.slow
def test_stderr_beyond_the_size_of_files(tmp_path: Path) -> None:
    """What fits is written."""
    bots = [str(bot) for bot in dice(tmp_path / "bots", "a", "b", before="print('x' * 100_000, file=sys.stderr)")]
    limit = (resource.RLIMIT_FSIZE, 1 << 20)  # eleven answers: a game has more
    done = run_fa(tmp_path, "tournament", "run", *bots, *LOUD, "--games", "2", limit=limit)
    assert done.returncode == 0, done.stderr
    assert len(re.findall(r"warning: stderr of bots is incomplete \(said/.*: File too large\)", done.stderr)) == 1
    assert {path.stat().st_size for path in tmp_path.glob("said/*")} == {1 << 20}


def test_stdout_closed() -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m fa_cli --help >&-"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_results_for_a_closed_stdout() -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m fa_cli games >&-"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, "fa: cannot write output: it is closed\n")


def test_ctrl_c_while_it_is_loaded(fa: Fa, tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt")
    done = fa("games", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "fa: interrupted\n")


def test_ctrl_c_again_while_it_ends(fa: Fa, tmp_path: Path) -> None:
    """Also from where Python does not let anybody catch it."""
    stop = "import atexit, os, signal; atexit.register(os.kill, os.getpid(), signal.SIGINT)\n"
    (tmp_path / "typer.py").write_text(f"{stop}raise KeyboardInterrupt")
    done = fa("games", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stderr) == (3, "fa: interrupted\n")
