"""No process of a bot is left when the bot is stopped or its referee is killed."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from fa_cli.isolation.limits import Limits
from fa_cli.isolation.spawn import Process
from fa_cli.isolation.supervision import killing, procfs
from fa_cli.isolation.supervision.killing import kill_below
from fa_cli.isolation.supervision.usage import Usage
from fa_cli.isolation.supervisor_client import SupervisorClient

from ..conftest import further
from ..fakes import assert_gone, assert_none_left, fake_bot, is_running, processes_of
from ..needed import needs_sandbox

ROOT = Path(__file__).parents[2]
KINDS = ["none", pytest.param("bwrap", marks=needs_sandbox)]

REFEREE = """
import sys, time
from fa_cli.isolation.limits import Limits
from fa_cli.protocol.messages import Clock, Start
from fa_cli.isolation.bot_session import BotSession
from tests.fakes import fake_bot

session = BotSession(fake_bot("daemon", "--at", "1", "--heard", sys.argv[1]), Limits(sandbox=sys.argv[2] == "bwrap"))
assert session.start(Start("toy", {}, ["a", "b"], 0, "0" * 64, "0" * 16, Clock(5000))) is None
assert session.decide(legal=b'["a","b"]') == "a", session.stderr_tail
print("playing", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", [signal.SIGKILL, *further(signal.SIGTERM)])
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
    """The next output of the program."""
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
def test_a_supervisor_that_is_shot(how: signal.Signals, tmp_path: Path) -> None:
    """The bot ends with it; and a referee does not wait for one that hangs."""
    process = start("import os, time\nNone if os.fork() else os.setsid()\ntime.sleep(60)", str(tmp_path))
    os.kill(process._supervisor, how)
    if how is signal.SIGKILL:
        while process.ending() is None:
            time.sleep(0.01)
        assert process.ending() == ["lost"]
    begin = time.monotonic()
    process.kill()
    assert time.monotonic() - begin < 5
    process.close()
    assert_none_left(tmp_path, 3.0)


@pytest.mark.slow
def test_a_killed_supervisor_server_is_replaced(tmp_path: Path) -> None:
    first = start("import time; time.sleep(60)", str(tmp_path))
    parent = int(Path(f"/proc/{first._supervisor}/stat").read_text().rpartition(")")[2].split()[1])
    assert "fa_cli.isolation.supervision.server" in Path(f"/proc/{parent}/cmdline").read_text()
    os.kill(parent, signal.SIGKILL)
    while b"Z" not in Path(f"/proc/{parent}/stat").read_bytes():
        time.sleep(0.001)
    second = start("print(flush=True); import time; time.sleep(60)", str(tmp_path))
    assert read(second) == b"\n"
    for process in (first, second):
        process.kill()
        process.close()
    assert_none_left(tmp_path)


def test_ctrl_c_while_the_server_ends() -> None:
    """As when it is pressed again and again: no traceback, and the server is gone."""
    client = SupervisorClient()
    with subprocess.Popen(["sleep", "60"]) as client._process:
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            client.close()
        finally:
            signal.signal(signal.SIGALRM, before)


def test_what_the_supervisor_measures(tmp_path: Path) -> None:
    program = "import os, time\nx = bytearray(50_000_000)\nif os.fork() == 0: time.sleep(60)\nprint(flush=True)\n"
    process = start(program + "while True: pass", str(tmp_path))
    assert read(process) == b"\n"
    until = time.monotonic() + 30
    while process.cpu_seconds() < 0.05 and time.monotonic() < until:
        time.sleep(0.01)
    usage = Usage(process._supervisor, 0)
    assert usage.threads() == 2
    assert usage.memory() > 100_000_000 > usage.exact_memory(1 << 30) > 50_000_000
    assert 0.05 <= process.cpu_seconds() < 60
    process.kill()
    process.close()
    assert usage.exact_memory(1 << 30) < 1_000_000, "processes that have ended since they were counted"


def test_no_descriptor_of_ours_is_handed_on(tmp_path: Path) -> None:
    secret = (tmp_path / "secret").open("w")
    os.set_inheritable(secret.fileno(), True)
    process = start("import os; print(sorted(os.listdir('/proc/self/fd')), flush=True)")
    assert read(process) == b"['0', '1', '2', '3']\n"  # the last one is of the listing itself
    process.kill()
    process.close()
    secret.close()


def test_starting_is_quick() -> None:
    """A bot starts a few milliseconds later than without a supervisor: far less than another Python would take."""
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


# What a bot does to those above it, without the sandbox: 1 is its supervisor, 2 the supervisor server, 3 the referee.
STOPS = """
import ctypes, os, sys, time
above = [os.getppid()]
while len(above) < 3:
    above.append(int(open(f"/proc/{above[-1]}/stat").read().rpartition(")")[2].split()[1]))
with open(sys.argv[3] + "/above", "w") as file:
    print(*above, file=file)
if os.fork() == 0:
    os.setsid()
    os.fork()
    time.sleep(60)
for number in map(int, sys.argv[2]):
    if sys.argv[1] == "trace":
        assert ctypes.CDLL(None).ptrace(16, above[number - 1], None, None) == 0
    else:
        os.kill(above[number - 1], 19)
os.write(1, b"y\\n")
time.sleep(60)
"""
HOWS = ["stop", pytest.param("trace", marks=pytest.mark.skipif(os.getuid() != 0, reason="not everybody may trace"))]


@pytest.mark.slow
@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("whom", ["1", "2", "12"])
def test_a_bot_that_stops_those_above_it(how: str, whom: str, tmp_path: Path) -> None:
    """It is ended, another bot starts meanwhile, and that one is not harmed."""
    other = start("import os\nwhile os.write(1, os.read(0, 9)): pass", str(tmp_path))
    bot = start(STOPS, how, whom, str(tmp_path))
    assert read(bot) == b"y\n"
    begin = time.monotonic()
    later = start("print(flush=True)\nwhile 1: pass", str(tmp_path))
    assert read(later) == b"\n"
    for process in (bot, later):
        process.kill()
        process.close()
    assert time.monotonic() - begin < 10
    os.write(other.stdin, b"still\n")
    assert read(other) == b"still\n"
    other.kill()
    other.close()
    assert_none_left(tmp_path, 5.0)


STOPPED_REFEREE = """
import os, select, sys, time
from fa_cli.isolation.spawn import Process, no_leftover_processes

with no_leftover_processes():
    command = (sys.executable, "-S", "-c", open(sys.argv[1]).read(), *sys.argv[2:])
    bot = Process(command, "/", {"PATH": "/usr/bin:/bin"})
    assert select.select([bot.stdout], [], [], 30)[0]
    print("playing", flush=True)
    sys.stdin.readline()
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["is killed", "ends"])
def test_nothing_is_left_stopped(how: str, tmp_path: Path) -> None:
    """Not when the referee ends, not when it is killed, whoever was stopped: itself, too."""
    (tmp_path / "program").write_text(STOPS)
    referees = {f"{whom}-": stopped_referee(f"{whom}-", tmp_path) for whom in ("1", "2", "12", "21", "3", "123")}
    for whom, referee in referees.items():
        assert referee.stdin
        assert referee.stdout
        if "3" in whom:
            os.waitid(os.P_PID, referee.pid, os.WSTOPPED | os.WNOWAIT)
            referee.send_signal(signal.SIGKILL if how == "is killed" else signal.SIGCONT)
        elif how == "is killed":
            assert referee.stdout.readline() == "playing\n"
            referee.kill()
        referee.stdin.close()
    for whom, referee in referees.items():
        referee.wait(30)
        referee.stdout.close()  # type: ignore[union-attr]
        assert_none_left(tmp_path / whom, 8.0)
        assert_gone(tmp_path / whom / "above")


def stopped_referee(name: str, folder: Path) -> subprocess.Popen[str]:
    """Start a referee whose bot stops those in the name, as `12-`; the folder of this name is in all command lines."""
    (folder / name).mkdir()
    return subprocess.Popen(
        [sys.executable, "-c", STOPPED_REFEREE, str(folder / "program"), "stop", name[:-1], str(folder / name)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


HALF_GONE = """
import ctypes, os, platform, threading, time
if os.fork() == 0:
    threading.Thread(target=time.sleep, args=(60,)).start()
    print(os.getpid(), flush=True)
    ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[platform.machine()], 0)
time.sleep(60)
"""


def test_a_process_whose_first_thread_has_ended_is_killed() -> None:
    """The kernel shows it as a zombie, and its other threads run."""
    with subprocess.Popen([sys.executable, "-c", HALF_GONE], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        pid = int(parent.stdout.readline())
        while procfs.fields(pid)[:1] != [b"Z"]:
            time.sleep(0.001)
        kill_below(parent.pid)
        threads = int(procfs.fields(pid)[17])
        parent.kill()
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert threads == 1


ORPHAN = """
import os, sys, time
from fa_cli.isolation.supervision.killing import become_subreaper
become_subreaper()
if os.fork() == 0 and os.fork() == 0:
    print(os.getppid(), os.getpid(), flush=True)
time.sleep(60)
"""


def test_a_process_that_becomes_an_orphan_while_it_is_looked_for_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its parent ends after the children of the tree's root are listed, and before its own are."""
    with subprocess.Popen([sys.executable, "-c", ORPHAN], cwd=ROOT, stdout=subprocess.PIPE, text=True) as root:
        assert root.stdout
        parent, orphan = map(int, root.stdout.readline().split())

        def listed(pid: int) -> list[int]:
            found = procfs.children(pid)
            if pid == root.pid and found == [parent]:
                os.kill(parent, signal.SIGKILL)
                while procfs.fields(parent)[:1] != [b"Z"]:
                    time.sleep(0.001)
            return found

        monkeypatch.setattr(killing, "children", listed)
        kill_below(root.pid)
        state = procfs.fields(orphan)[:1]
        root.kill()
        with suppress(ProcessLookupError):
            os.kill(orphan, signal.SIGKILL)
    assert state == [b"Z"]
