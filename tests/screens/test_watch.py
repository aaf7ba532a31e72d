"""`fa tournament watch` in a real terminal."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import further
from tests.screens.display import RESTORED, Display
from tests.tournament.helpers import dice
from tests.tournament.running.test_run import define, play

COLOUR = re.compile(r"\x1b\[(?:[\d;]*;)?(?:[34][0-8]|9[0-7]|10[0-7])(?:;[\d;]*)?m")
"""A code that sets a colour other than the default."""
RUNNING = re.compile(
    r"test  running: [1-9]\d* of 8 games \(\d+%\), \d+\.\d/s, \d+:\d\d left\n━+─+\n"
    r"(.*\n)*game \d+ +\d:\d\d  [abc] [abc]  fifth-avenue side="
)
FAILS_LATER = """
import fa_cli.tournament.live as live
look, looks = live.LiveTournament.look, []
def failing(self):
    looks.append(0)
    if len(looks) > 2:
        raise RuntimeError("broken on purpose")
    return look(self)
live.LiveTournament.look = failing
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament named `test`, and one named `new` without a game."""
    home = tmp_path_factory.mktemp("home")
    bots = dice(home, "a", "b", "c")
    play(*define(home, bots, games=6, players=2), 2)
    define(home, bots, "new", games=6, players=2)
    return home


def watch(home: Path, *args: str, **settings: str | int) -> Display:
    return Display(home, "tournament", "watch", *args, **settings)  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_tournament_from_its_first_game_to_its_last(tmp_path: Path) -> None:
    bots = dice(tmp_path, "a", "b", "c", before="time.sleep(0.25)")  # a game takes 2 to 3 seconds
    define(tmp_path, bots, games=8, players=2, options={"turn_limit": "1", "side": "five"})
    display = watch(tmp_path, "test")
    display.until("test  not begun: 0 of 8 games (0%)")
    command = [sys.executable, "-m", "fa_cli", "tournament", "resume", "test", "--jobs", "2"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        display.until(lambda text: bool(RUNNING.search(text)), 60)  # a later screen may have no game in progress
    assert run.returncode == 0
    display.resize(8, 50)
    display.until("test  finished: 8 games", 60)
    shown = display.settle()
    assert "faults: none" not in shown, "it is below the last row"
    display.press("end")
    display.until("faults: none")
    display.press("home")
    display.until("test  finished: 8 games")
    display.press("q")
    assert display.end() == 0
    after = display.raw[display.raw.rindex(RESTORED[0]) :]
    assert "test: finished: 8 games\r\nfaults: none\r\n" in after, "the result stays on the screen"
    assert all(code in display.raw for code in RESTORED)


@pytest.mark.slow
@pytest.mark.parametrize("end", ["ctrl+c", *further("error", signal.SIGTERM, signal.SIGHUP)], ids=str)
def test_the_screen_is_restored(home: Path, tmp_path: Path, end: str | signal.Signals) -> None:
    (tmp_path / "sitecustomize.py").write_text(FAILS_LATER if end == "error" else "")
    display = watch(home, "test", PYTHONPATH=f"{tmp_path}:{Path(__file__).parents[2]}")
    display.until("finished: 6 games")
    if isinstance(end, signal.Signals):
        os.kill(display.pid, end)
    elif end != "error":
        display.press(end)
    code = display.end()
    after = display.raw[display.raw.rindex(RESTORED[0]) :]
    assert RESTORED[1] in after
    expected = "internal error: RuntimeError: broken on purpose (run with --debug for the traceback)"
    sentence = " ".join(after.split("fa: ")[1].split())  # folded to the terminal
    assert (code, sentence) == ((70, expected) if end == "error" else (3, "interrupted"))
    assert "Traceback" not in display.raw


@pytest.mark.parametrize("hears", [True, False])
def test_a_closed_window_ends_it(home: Path, tmp_path: Path, hears: bool) -> None:
    """Also a program that has been told to ignore the signal of that."""
    deaf = "import signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\nsignal.signal = lambda *_: None\n"
    (tmp_path / "sitecustomize.py").write_text("" if hears else deaf)
    display = watch(home, "new", PYTHONPATH=f"{tmp_path}:{Path(__file__).parents[2]}")
    display.until("not begun")
    assert display.hang_up() == 3


@pytest.mark.slow
def test_colours_and_none(home: Path) -> None:
    seen = {}
    for name, settings in {"colours": {}, "none": {"NO_COLOR": "1"}}.items():
        display = watch(home, "test", **settings)
        seen[name] = display.until("quit")
        display.press("q")
        assert display.end() == 0
        assert bool(COLOUR.search(display.raw)) == (name == "colours")
    assert seen["none"] == seen["colours"]


@pytest.mark.slow
def test_a_log_that_breaks_while_it_is_watched(tmp_path: Path) -> None:
    definition, place = define(tmp_path, dice(tmp_path, "a", "b", "c"), games=6, players=2)
    play(definition, place, 2)
    whole = place.log.read_bytes()
    display = watch(tmp_path, "test")
    display.until("finished: 6 games")
    place.log.write_bytes(whole[:60] + b"?" + whole[61:])
    shown = display.until("problem: logs/test.log: record")
    assert "test  finished: 6 games" in shown, "the last good state stays"
    place.log.write_bytes(whole)
    display.until(lambda text: "problem" not in text)
    display.press("q")
    assert display.end() == 0


@pytest.mark.parametrize("kind", ["dumb", ""])
def test_a_terminal_without_a_full_screen(home: Path, kind: str) -> None:
    display = watch(home, "test", TERM=kind)
    assert display.end() == 2
    reason = f"this terminal cannot show a full screen (TERM={kind or 'not set'})"
    assert " ".join(display.raw.split()) == f"fa: {reason}; --once prints the state once"


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns"), [(3, 10), *further((1, 1), (60, 300))])
def test_any_size(home: Path, rows: int, columns: int) -> None:
    display = watch(home, "test", rows=rows, columns=columns)
    display.until(lambda text: "?1049h" in display.raw)
    display.settle()
    display.press("q")
    assert display.end() == 0


@pytest.mark.slow
def test_watching_takes_little_time(home: Path) -> None:
    display = watch(home, "new")
    display.until("not begun")
    began, used = time.monotonic(), _cpu(display.pid)
    while time.monotonic() < began + 5:
        display.settle()
    assert _cpu(display.pid) - used < 0.1 * 5
    display.press("q")
    assert display.end() == 0


def _cpu(pid: int) -> float:
    """The processor time of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_the_command_that_resumes_is_whole_on_a_narrow_terminal(home: Path) -> None:
    display = watch(home, "new", columns=50)
    display.until(lambda text: "begin with: fa tournament resume new" in " ".join(text.split()))
    display.press("q")
    assert display.end() == 0
