"""Nothing that a bot does makes us wait for it without an end."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest

from fa_cli.game_result import Failure, FaultKind
from fa_cli.isolation.bot_process import BotProcess
from fa_cli.isolation.limits import Limits

from ..conftest import further
from ..fakes import compiled, drop_privileges, within
from ..needed import needs_sandbox

SANDBOXED = [False, pytest.param(True, marks=needs_sandbox)]
DECIDE = b'{"type":"decide","legal":["a"]}\n'

GREET_BOTH = """
import sys
from fa_cli.isolation.discovery import Bot
from fa_cli.isolation.bot_session import BotSession
hoarder, other = (BotSession(Bot(name="x", path=sys.argv[1], command=(sys.argv[1],), folder="/")) for _ in range(2))
print(hoarder.greet(), other.greet())
hoarder.close(), other.close()
"""


@contextmanager
def thief(target: int, folder: Path, sandboxed: bool) -> Iterator[BotProcess]:
    """A bot that steals what it wrote to this descriptor, at its second decision and from then on."""
    program = compiled("thief.c", folder)
    folder.chmod(0o755)
    running = BotProcess((program, str(target)), str(folder), limits=Limits(sandbox=sandboxed), all_cores=True)
    try:
        yield running
    finally:
        running.stop()


@pytest.mark.parametrize("sandboxed", SANDBOXED)
def test_a_bot_that_takes_back_what_it_wrote_to_stderr(tmp_path: Path, sandboxed: bool) -> None:
    with within(30), thief(2, tmp_path, sandboxed) as bot:
        for _ in range(300):
            assert bot.ask(DECIDE, 5) == b'{"action":"a"}\n'


@pytest.mark.parametrize("sandboxed", SANDBOXED)
def test_a_bot_that_takes_back_what_it_wrote_to_stdout(tmp_path: Path, sandboxed: bool) -> None:
    """A byte that we get first is half a line, too early or too late; whatever it is, it costs only its own time."""
    kinds = set()
    for _ in range(5):
        with within(30), thief(1, tmp_path, sandboxed) as bot:
            assert bot.ask(DECIDE, 5) == b'{"action":"a"}\n'
            for _ in range(50):
                answer = bot.ask(DECIDE, 0.2)
                if isinstance(answer, Failure):
                    kinds.add(answer.kind)
                    break
                assert answer == b"\n"
    assert kinds <= {FaultKind.TIMEOUT, FaultKind.PROTOCOL}
    assert kinds


@contextmanager
def python(program: str, folder: Path, sandboxed: bool) -> Iterator[BotProcess]:
    """A bot that is a Python program given as text; `os` is imported."""
    folder.chmod(0o755)
    command = (sys.executable, "-S", "-c", f"import ctypes, os, threading, time\nos.read(0, 100)\n{program}")
    running = BotProcess(command, str(folder), limits=Limits(sandbox=sandboxed))
    try:
        yield running
    finally:
        running.stop()


@pytest.mark.parametrize("sandboxed", SANDBOXED)
@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("os.close(1)\ntime.sleep(60)", "closed its output without an answer"),
        ("os.write(1, b'wa')\nos.close(1)\ntime.sleep(60)", "closed its output after half a line, 'wa'"),
        ("os.dup2(2, 1)\nos.fork()\ntime.sleep(60)", "closed its output without an answer"),
        (
            "try: os.open('/proc/self/fd/1', os.O_RDONLY)\nexcept OSError: pass\nos.close(1)\ntime.sleep(60)",
            "closed its output without an answer",
        ),
    ],
)
def test_who_closes_its_output_has_crashed_at_once(tmp_path: Path, sandboxed: bool, program: str, words: str) -> None:
    with python(program, tmp_path, sandboxed) as bot:
        answer = bot.ask(b"x\n", 30)
    assert isinstance(answer, Failure)
    assert (answer.kind, answer.detail[: len(words)]) == (FaultKind.CRASH, words)
    assert bot.spent < 5  # most of it is the start of the process


@pytest.mark.parametrize("sandboxed", SANDBOXED)
@pytest.mark.parametrize(
    "program",
    [
        "if os.fork():\n  os.close(1)\n  time.sleep(60)\ntime.sleep(1)\nos.write(1, b'y\\n')",
        "os.dup2(1, 50)\nos.close(1)\ntime.sleep(1)\nos.write(50, b'y\\n')",
        # its first thread ends, and with it what /proc shows of the process's files
        "threading.Thread(target=lambda: (time.sleep(1), os.write(1, b'y\\n'), time.sleep(60))).start()\n"
        "ctypes.CDLL(None).pthread_exit(None)",
        # nobody may look into it
        "ctypes.CDLL(None).prctl(4, 0)\ntime.sleep(1)\nos.write(1, b'y\\n')",
        *further(  # who has it moves on from process to process
            "for n in range(300):\n  if os.fork(): os.closerange(0, 3); time.sleep(60)\n  time.sleep(0.002)\n"
            "os.write(1, b'y\\n')",
        ),
    ],
)
def test_whatever_can_still_answer_is_waited_for(tmp_path: Path, sandboxed: bool, program: str) -> None:
    with python(program, tmp_path, sandboxed) as bot:
        assert bot.ask(b"x\n", 30) == b"y\n"


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel counts them on Linux")
@pytest.mark.parametrize("hard", [1024, 4096])
def test_a_bot_that_keeps_descriptors_under_way(tmp_path: Path, hard: int) -> None:
    """Those count for all that the user runs, and another bot has to be handed its pipes."""

    def as_ordinary_user() -> None:
        drop_privileges(21, 24)  # CAP_SYS_ADMIN, CAP_SYS_RESOURCE: root would be refused nothing
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))

    done = subprocess.run(
        [sys.executable, "-c", GREET_BOTH, compiled("hoarder.c", tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        preexec_fn=as_ordinary_user,
    )
    assert (done.stdout, done.stderr) == ("None None\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is deducted")
def test_a_bot_that_computes_where_nothing_is_counted(tmp_path: Path) -> None:
    """It waits for a core that its own processes have, and that is no one else's time."""
    with within(60):
        bot = BotProcess((compiled("hider.c", tmp_path),), str(tmp_path))
        try:
            assert bot.ask(DECIDE, 1) == b'{"action":"a"}\n'
            begin = monotonic()
            answer = bot.ask(DECIDE, 1)
            taken = monotonic() - begin
        finally:
            bot.stop()
    assert isinstance(answer, Failure)
    assert answer.kind is FaultKind.TIMEOUT
    assert taken < 1.4
