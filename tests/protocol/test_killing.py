"""Nothing of a bot is left: not when it is stopped, not when whoever plays with it is killed."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fa_cli.protocol import procfs
from fa_cli.protocol.limits import Limits
from fa_cli.protocol.processes import Process
from fa_cli.protocol.sandbox import why_not

from ..fakes import assert_none_left, fake_bot, is_running, processes_of

ROOT = Path(__file__).parents[2]
KINDS = [
    "none",
    pytest.param("bwrap", marks=pytest.mark.skipif(bool(why_not()), reason=f"there is no sandbox here: {why_not()}")),
]

REFEREE = """
import sys, time
from fa_cli.protocol.limits import Limits
from fa_cli.protocol.messages import Clock, Start
from fa_cli.protocol.session import Session
from tests.fakes import fake_bot

session = Session(fake_bot("daemon", "--at", "1", "--heard", sys.argv[1]), Limits(sandbox=sys.argv[2] == "bwrap"))
assert session.start(Start("toy", {}, ["a", "b"], 0, "0" * 64, "0" * 16, Clock(5000))) is None
assert session.decide(legal=["a", "b"]) == "a", session.stderr_tail
print("playing", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_when_the_referee_is_killed(kind: str, how: signal.Signals, tmp_path: Path) -> None:
    marker = str(tmp_path / "heard") if kind == "none" else f"/tmp/fa-{os.getpid()}-{how}"  # in the bot's own /tmp
    referee = subprocess.Popen(
        [sys.executable, "-c", REFEREE, marker, kind], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert referee.stdout
    assert referee.stdout.readline() == "playing\n"
    assert len(processes_of(marker)) >= 3  # the referee, the bot, and what the bot has detached
    referee.send_signal(how)
    referee.wait()
    referee.stdout.close()
    assert_none_left(marker, 5.0)


def start(*command: str) -> Process:
    return Process((sys.executable, "-S", "-c", *command), "/", {"PATH": "/usr/bin:/bin"})


def read(process: Process) -> bytes:
    """The next that it writes to stdout."""
    assert select.select([process.stdout], [], [], 30)[0]
    return os.read(process.stdout, 200)


def test_when_the_first_process_ends_the_others_do(tmp_path: Path) -> None:
    process = start("import os, time\nif os.fork() == 0: time.sleep(60)\nos._exit(3)", str(tmp_path))
    while process.ending() is None:
        time.sleep(0.001)
    assert process.ending()[:2] == ["exited", "3"]  # type: ignore[index]
    assert_none_left(tmp_path, 2.0)
    process.kill()
    process.close()


def test_a_chain_of_hundreds(tmp_path: Path) -> None:
    """Each the child of the one before, in a session of its own."""
    chain = (
        "import os, time\nfor n in range(200):\n  if os.fork(): break\n  os.setsid()\nprint(flush=True)\ntime.sleep(60)"
    )
    process = start(chain, str(tmp_path))
    written = b""
    while len(written) < 200:
        written += read(process)
    assert len(processes_of(tmp_path)) > 150
    begin = time.monotonic()
    process.kill()
    assert time.monotonic() - begin < 5
    assert_none_left(tmp_path)
    process.close()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_supervisor_that_is_shot(how: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot ends with it; and a referee does not wait for ever for one that hangs."""
    monkeypatch.setattr("fa_cli.protocol.processes._END_SECONDS", 0.3)
    process = start("import os, time\nos.setsid() if os.fork() else None\ntime.sleep(60)", str(tmp_path))
    os.kill(process._supervisor, how)
    if how is signal.SIGKILL:
        while process.ending() is None:
            time.sleep(0.01)
        assert process.ending() == ["lost"]
    process.kill()
    process.close()
    assert_none_left(tmp_path, 3.0)


def test_a_keeper_that_was_shot_is_replaced(tmp_path: Path) -> None:
    first = start("import time; time.sleep(60)", str(tmp_path))
    parent = int(Path(f"/proc/{first._supervisor}/stat").read_text().rpartition(")")[2].split()[1])
    assert "fa_cli.protocol.keeper" in Path(f"/proc/{parent}/cmdline").read_text()
    os.kill(parent, signal.SIGKILL)
    while b"Z" not in Path(f"/proc/{parent}/stat").read_bytes():
        time.sleep(0.001)
    second = start("print(flush=True); import time; time.sleep(60)", str(tmp_path))
    assert read(second) == b"\n"
    for process in (first, second):
        process.kill()
        process.close()
    assert_none_left(tmp_path)


def test_what_the_keeper_sees(tmp_path: Path) -> None:
    program = "import os, time\nx = bytearray(50_000_000)\nif os.fork() == 0: time.sleep(60)\nprint(flush=True)\n"
    process = start(program + "while True: pass", str(tmp_path))
    assert read(process) == b"\n"
    until = time.monotonic() + 30
    while process.cpu_seconds() < 0.05 and time.monotonic() < until:
        time.sleep(0.01)
    memory, threads = procfs.use(process._supervisor)
    exact = procfs.exact_memory(process._supervisor)
    assert threads == 2
    assert memory > 100_000_000 > (exact or 0) > 50_000_000
    assert 0.05 <= process.cpu_seconds() < 60
    process.kill()
    process.close()


def test_no_descriptor_of_ours_is_handed_on(tmp_path: Path) -> None:
    secret = (tmp_path / "secret").open("w")
    os.set_inheritable(secret.fileno(), True)
    process = start("import os; print(sorted(os.listdir('/proc/self/fd')), flush=True)")
    assert read(process) == b"['0', '1', '2', '3']\n"  # the last one is of the listing itself
    process.kill()
    process.close()
    secret.close()


def test_starting_is_quick() -> None:
    """A bot starts a few milliseconds later than without a keeper: far less than another Python would take."""
    times = []
    for _ in range(7):
        begin = time.perf_counter()
        process = Process(("/bin/true",), "/", {}, Limits())
        times.append(time.perf_counter() - begin)
        process.kill()
        process.close()
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-I", "-S", "-E", "-c", "import json, socket, resource"], check=True)
    assert min(times[1:]) < time.perf_counter() - begin


def test_the_fake_leaves_a_process_without_all_this(tmp_path: Path) -> None:
    """So the tests here can fail: killing the group alone is not enough."""
    marker = tmp_path / "pids"
    process = subprocess.Popen(
        [*fake_bot("daemon", "--at", "1", "--pids", marker).command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(b'{"type":"decide","id":1,"legal":["a"]}\n')
    process.stdin.flush()
    process.stdout.readline()
    while len(marker.read_text().split()) < 2:  # what it leaves has not begun
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.stdin.close()
    process.stdout.close()
    left = int(marker.read_text().split()[1])
    assert is_running(left)
    os.kill(left, signal.SIGKILL)
    assert_none_left(marker, 10.0)
