"""One bot process: deadlines, stderr and end. Bots that misbehave are in tests/match/test_faults.py."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fa_cli.game_result import Failure, FaultKind
from fa_cli.isolation.bot_process import BotProcess
from fa_cli.isolation.limits import DEFAULT_LIMITS, MIB, Limits
from fa_cli.isolation.spawn import run_to_end
from tests.conftest import further

from ..fakes import assert_gone, is_running

ROOT = Path(__file__).parents[2]


@contextmanager
def bot_process(program: str, tmp_path: Path, **options: object) -> Iterator[BotProcess]:
    """A bot process that runs a Python program given as text."""
    process = BotProcess((sys.executable, "-S", "-c", program), str(tmp_path), **options)  # type: ignore[arg-type]
    try:
        yield process
    finally:
        process.stop()


ECHO = "import sys\nfor line in sys.stdin: print(line[:-1][::-1], flush=True)"


def test_lines_there_and_back(tmp_path: Path) -> None:
    with bot_process(ECHO, tmp_path) as bot:
        for number in range(100):
            assert bot.ask(b"abc%d\n" % number, 5) == (b"abc%d" % number)[::-1] + b"\n"
            assert 0 < bot.spent < 5


def test_a_line_too_many_costs_no_time(tmp_path: Path) -> None:
    program = (
        "import os, time\ninput()\ntime.sleep(0.1)\nos.write(1, b'a\\n')\n"
        "while not os.path.exists('go'): time.sleep(0.01)\nos.write(1, b'b\\n')\ninput()"
    )
    with bot_process(program, tmp_path) as bot:
        assert bot.ask(b"x\n", 5) == b"a\n"
        assert bot.spent > 0.05
        (tmp_path / "go").touch()
        while not select.select([bot._stdout], [], [], 5)[0]:
            pass
        assert bot.ask(b"x\n", 5) == Failure(FaultKind.PROTOCOL, "wrote without being asked: 'b\\n'")
        assert bot.spent == 0


@pytest.mark.parametrize("size", [10, 60_000, DEFAULT_LIMITS.line - 1])
def test_long_lines(size: int, tmp_path: Path) -> None:
    with bot_process(ECHO, tmp_path) as bot:
        assert bot.ask(b"x" * size + b"\n", 5) == b"x" * size + b"\n"


def test_a_question_longer_than_a_pipe(tmp_path: Path) -> None:
    with bot_process("import sys\nfor line in sys.stdin: print(len(line), flush=True)", tmp_path) as bot:
        assert bot.ask(b"x" * 3_000_000 + b"\n", 20) == b"3000001\n"
        assert bot.send(b"y" * 1_000_000 + b"\n", 20) is None


def test_who_does_not_read_is_late(tmp_path: Path) -> None:
    with bot_process("import time; time.sleep(60)", tmp_path) as bot:
        begin = time.monotonic()
        failure = bot.send(b"x" * 1_000_000 + b"\n", 0.3)
        assert failure == Failure(FaultKind.TIMEOUT, "did not read its input within 0.3 seconds")
        assert 0.25 < time.monotonic() - begin < 10


def test_who_answers_before_the_question_is_whole(tmp_path: Path) -> None:
    program = "import sys,time; sys.stdin.buffer.raw.read(10); print('yes', flush=True); time.sleep(60)"
    with bot_process(program, tmp_path) as bot:
        failure = bot.ask(b"x" * 1_000_000 + b"\n", 5)
        assert isinstance(failure, Failure)
        assert failure.kind is FaultKind.PROTOCOL
        assert failure.detail.startswith("answered before it was asked to the end: 'yes")


def test_lateness(tmp_path: Path) -> None:
    with bot_process(f"import time; time.sleep(0.5)\n{ECHO}", tmp_path) as bot:
        begin = time.monotonic()
        failure = bot.ask(b"x\n", 0.25)
        assert failure == Failure(FaultKind.TIMEOUT, "gave no answer within 0.25 seconds; are its lines flushed?")
        assert 0.2 < time.monotonic() - begin < 5
        assert 0.25 <= bot.spent < 0.45
    with bot_process(f"import time; time.sleep(0.5)\n{ECHO}", tmp_path) as bot:
        assert bot.ask(b"x\n", 5) == b"x\n"
        assert bot.spent >= 0.4


REFEREE = """
import sys
from fa_cli.isolation.bot_process import BotProcess
bot = BotProcess((sys.executable, "-S", "-c", "import sys, time\\nfor line in sys.stdin: time.sleep(%s); print(flush=True)"), ".")
print("asking", flush=True)
answer = bot.ask(b"x\\n", 1.0)
print(type(answer).__name__, bot.spent < 1.5)
bot.stop()
"""  # noqa: E501


@pytest.mark.parametrize(("seconds", "answer"), [(0.6, "bytes True"), *further((60, "Failure True"))])
def test_a_referee_that_was_stopped_itself(seconds: float, answer: str) -> None:
    """It is stopped for three seconds: a bot that has one second does not lose for it, and does not win for ever."""
    referee = subprocess.Popen([sys.executable, "-c", REFEREE % seconds], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert referee.stdout
    assert referee.stdout.readline() == "asking\n"
    time.sleep(0.2)
    referee.send_signal(signal.SIGSTOP)
    time.sleep(3)
    begin = time.monotonic()
    referee.send_signal(signal.SIGCONT)
    assert referee.stdout.readline() == answer + "\n"
    assert time.monotonic() - begin < 10
    referee.stdout.close()
    assert referee.wait() == 0


def test_how_it_ended_is_waited_for(tmp_path: Path) -> None:
    """The pipes of a process that was ended for what it used are closed before it is known why."""
    program = f"import sys\nsys.stdin.readline()\nopen({str(tmp_path / 'big')!r}, 'wb').write(b'x' * 2_000_000)"
    with bot_process(program, tmp_path, limits=Limits(file_size=MIB)) as bot:
        supervisor = bot._process._supervisor
        os.kill(supervisor, signal.SIGSTOP)
        later = threading.Timer(1.5, os.kill, (supervisor, signal.SIGCONT))
        later.start()
        words = "ended when it was refused more of the machine: File too large"
        failure = bot.ask(b"x\n", 20)
        assert isinstance(failure, Failure)
        assert (failure.kind, failure.detail) == (FaultKind.RESOURCE, words)
        later.join()


def test_who_closes_its_output_and_lives_on_is_not_waited_for(tmp_path: Path) -> None:
    """It has as little time as it takes to end."""
    with bot_process("import os, time; os.close(1); time.sleep(60)", tmp_path) as bot:
        begin = time.monotonic()
        assert bot.ask(b"x\n", 20) == Failure(FaultKind.CRASH, "closed its output without an answer")
        assert time.monotonic() - begin < 8


def test_the_end_of_stderr(tmp_path: Path) -> None:
    program = f"import os\nfor n in range(20000): os.write(2, b'line %d\\n' % n)\nos.write(2, b'\\xff\\x1b.')\n{ECHO}"
    path = tmp_path / "stderr"
    with path.open("ab", buffering=0) as file:
        with bot_process(program, tmp_path, stderr_file=file) as bot:
            assert bot.ask(b"x\n", 20) == b"x\n"
            bot.stop()
            assert len(bot.stderr_tail) == DEFAULT_LIMITS.stderr + 3
            assert bot.stderr_tail.endswith("line 19999\n\\xff\x1b.")
        assert path.read_bytes() == b"".join(b"line %d\n" % n for n in range(20000)) + b"\xff\x1b."


def test_a_file_of_stderr_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fa_cli.isolation.bot_process.STDERR_FILE", 1000)
    path = tmp_path / "stderr"
    with path.open("ab", buffering=0) as file:
        program = f"import os\nfor n in range(100): os.write(2, b'x' * 99 + b'.')\n{ECHO}"
        with bot_process(program, tmp_path, stderr_file=file) as bot:
            assert bot.ask(b"x\n", 20) == b"x\n"
    assert path.read_bytes() == (b"x" * 99 + b".") * 10


def test_stderr_closed(tmp_path: Path) -> None:
    with bot_process(f"import os; os.close(2)\n{ECHO}", tmp_path) as bot:
        assert [bot.ask(b"x\n", 5) for _ in range(3)] == [b"x\n"] * 3


def test_stopping_takes_the_group_along(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    program = f"""
import os, signal, sys, time
child = os.fork()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
with open({str(pids)!r}, "a") as file: file.write(f"{{os.getpid()}}\\n")
if child == 0: time.sleep(60)
{ECHO}
"""
    with bot_process(program, tmp_path) as bot:
        assert bot.ask(b"x\n", 5) == b"x\n"
        while len(pids.read_text().split()) < 2:
            time.sleep(0.01)
        assert all(is_running(int(pid)) for pid in pids.read_text().split())
        bot.stop()
        bot.stop()
        assert_gone(pids)


def test_quit_lets_it_finish(tmp_path: Path) -> None:
    program = "import sys\nfor line in sys.stdin: pass\nopen('done', 'w').write(line)"
    with bot_process(program, tmp_path) as bot:
        bot.quit(b"the last\n", 5)
    assert (tmp_path / "done").read_text() == "the last\n"


def test_quit_does_not_wait_for_ever(tmp_path: Path) -> None:
    with bot_process("import os\nwhile True: os.write(1, b'x' * 1000); os.write(2, b'x' * 1000)", tmp_path) as bot:
        begin = time.monotonic()
        bot.quit(b"\n", 0.3)
        assert 0.3 <= time.monotonic() - begin < 10


def test_nothing_is_left_open(tmp_path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        with bot_process(ECHO, tmp_path) as bot:
            bot.ask(b"x\n", 5)
    with pytest.raises(OSError, match="No such file"):
        BotProcess(("/no/such/program",), str(tmp_path))
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_run_to_end(tmp_path: Path) -> None:
    assert run_to_end(["sh", "-c", "pwd; echo é >&2; exit 4"], tmp_path, 5) == (4, f"{tmp_path}\né\n")
    assert run_to_end(["sh", "-c", "echo a; sleep 60"], tmp_path, 0.2) == (None, "a\n")
    _, output = run_to_end([sys.executable, "-c", "print('x' * 100_000)"], tmp_path, 5)
    assert output == "x" * (DEFAULT_LIMITS.stderr - 1) + "\n"
