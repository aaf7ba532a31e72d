"""Commands that are killed while they write a file, and file systems without hard links or locks."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fa_cli.match.simulate import make_simulation
from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import write_new_log
from fa_cli.tournament.definition import load
from tests.conftest import further
from tests.damage import flip_bit
from tests.tournament.helpers import dice

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not shutil.which("cc"), reason="no LD_PRELOAD, or no C compiler"
)
GAMES = 6
PLAY = ("--games", "2", "--game", "manhattan", "--sandbox", "none", "--jobs", "1", "--quiet")
"""A tournament that is soon over: here only its files matter."""
Fa = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that changes the file system."""
    library = tmp_path_factory.mktemp("shim") / "file_system.so"
    source = Path(__file__).parents[1] / "fakes/file_system.c"
    subprocess.run(["cc", "-Wall", "-Werror", "-shared", "-fPIC", str(source), "-o", str(library), "-ldl"], check=True)
    return library


@pytest.fixture
def fa(shim: Path, tmp_path: Path) -> Fa:
    """Runs `fa` in a folder; `kill` and `lacks` change the file system."""

    def run(*words: str, kill: str = "", lacks: str = "") -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"LD_PRELOAD": str(shim), "FS_KILL": kill, "FS_LACKS": lacks}
        command = [sys.executable, "-m", "fa_cli", "--home", str(tmp_path), *words]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stderr
        assert done.returncode == (-signal.SIGKILL if kill else done.returncode), done.stderr
        return done

    return run


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log."""
    simulation = make_simulation("manhattan", 2, {}, GAMES, "files")
    write_new_log(tmp_path / "a.log", (entry_of(record, packed) for record, packed in simulation.play_all(1)))
    return tmp_path / "a.log"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_file())


@pytest.mark.parametrize(("kill", "lacks"), [("link", ""), *further(("rename", ""), ("rename", "links"))])
def test_repair_after_a_killed_repair(fa: Fa, log: Path, kill: str, lacks: str) -> None:
    damaged = flip_bit(log)
    fa("replay", "repair", "a.log", kill=kill, lacks=lacks)
    done = fa("replay", "repair", "a.log", lacks=lacks)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list(read_log(log))) == GAMES - 1
    assert (log.parent / "a.log.damaged").read_bytes() == damaged
    assert names(log.parent) == ["a.log", "a.log.damaged"]


@pytest.mark.parametrize(("kill", "lacks"), [("rename", "links"), *further(("link", ""))])
def test_import_after_a_killed_import(fa: Fa, log: Path, kill: str, lacks: str) -> None:
    (log.parent / "a.jsonl").write_text(fa("replay", "export", "a.log").stdout)
    fa("replay", "import", "a.jsonl", "-o", "b.log", kill=kill, lacks=lacks)
    assert any(name.endswith(".part") for name in names(log.parent))
    (log.parent / "b.log").unlink(missing_ok=True)
    done = fa("replay", "import", "a.jsonl", "-o", "b.log", lacks=lacks)
    assert (done.returncode, done.stderr) == (0, "")
    assert names(log.parent) == ["a.jsonl", "a.log", "b.log"]
    assert (log.parent / "b.log").read_bytes() == log.read_bytes()


def test_the_file_of_a_running_import_stays(fa: Fa, log: Path, shim: Path) -> None:
    (log.parent / "a.jsonl").write_text(fa("replay", "export", "a.log").stdout)
    command = [sys.executable, "-m", "fa_cli", "replay", "import", "-", "-o", "b.log"]
    with subprocess.Popen(command, cwd=log.parent, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as running:
        assert running.stdin
        running.stdin.write((log.parent / "a.jsonl").read_bytes())
        running.stdin.flush()
        while not any(name.startswith(".b.log") for name in names(log.parent)):
            assert running.poll() is None
        assert fa("replay", "import", "a.jsonl", "-o", "b.log").returncode == 0
        assert any(name.startswith(".b.log") for name in names(log.parent))
        running.stdin.close()
        assert running.wait() == 2  # the name is taken now


@pytest.mark.slow
@pytest.mark.parametrize(("kill", "lacks"), [("link", ""), ("rename", "links")])
def test_a_tournament_after_a_killed_start(fa: Fa, tmp_path: Path, kill: str, lacks: str) -> None:
    run = ["tournament", "run", *map(str, dice(tmp_path, "a", "b")), "--name", "x", "--seed", "s", *PLAY]
    fa(*run, kill=kill, lacks=lacks)
    again = ["tournament", "resume", "x"] if (tmp_path / "tournaments/x.json").exists() else run
    done = fa(*again, lacks=lacks)
    assert done.returncode == 0, done.stderr
    assert names(tmp_path / "tournaments") == ["x.json"]
    assert not [name for name in names(tmp_path / "logs") if name.endswith(".part")]
    assert len(list(read_log(tmp_path / "logs/x.log"))) == 2


@pytest.mark.slow
@pytest.mark.parametrize("lacks", ["", "links"])
def test_one_of_several_wins_a_name(shim: Path, tmp_path: Path, lacks: str) -> None:
    dice(tmp_path, "a", "b")
    code = (
        "import sys, time; from pathlib import Path; from fa_cli.system import write_atomically\n"
        "time.sleep(max(0, float(sys.argv[1]) - time.time() - 0.01))\n"
        "while time.time() < float(sys.argv[1]): pass\n"
        "for number in range(100):\n"
        "    try: write_atomically(Path(f'x{number}'), sys.argv[2].encode(), replace=False)\n"
        "    except FileExistsError: continue\n"
        "    print(number)\n"
    )
    start = str(time.time() + 1)
    environment = os.environ | {"LD_PRELOAD": str(shim), "FS_LACKS": lacks}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, start, str(number)],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    won = [process.communicate()[0].split() for process in processes]
    assert sorted(name for names_won in won for name in names_won) == sorted(map(str, range(100)))
    for number, names_won in enumerate(won):
        assert {(tmp_path / f"x{name}").read_text() for name in names_won} <= {str(number)}


def test_a_file_system_without_locks_is_named(fa: Fa, log: Path) -> None:
    bots = list(map(str, dice(log.parent, "a", "b")))
    for words in (["tournament", "run", *bots, "--games", "2"], ["replay", "repair", "a.log"]):
        done = fa(*words, lacks="locks")
        assert done.returncode == 2
        assert "it can't be locked" in (error := " ".join(done.stderr.split()))
        assert "No locks available" in error
        assert "another process is writing" not in error


@pytest.mark.slow
def test_a_definition_is_readable_after_a_start_without_links(fa: Fa, tmp_path: Path) -> None:
    bots = list(map(str, dice(tmp_path, "a", "b")))
    run = ["tournament", "run", *bots, "--name", "x", *PLAY]
    assert fa(*run, lacks="links").returncode == 0
    assert load(tmp_path / "tournaments/x.json").name == "x"
    done = fa(*run, lacks="links")
    assert done.returncode == 2
    assert "there is a tournament x already" in " ".join(done.stderr.split())
