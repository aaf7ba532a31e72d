"""Bots that take from the kernel what no process's own size shows: they are stopped or refused, and others play on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import pytest

from fa_cli.game_result import Failure, FaultKind
from fa_cli.isolation.bot_process import BotProcess
from fa_cli.isolation.limits import MIB, Limits
from fa_cli.isolation.sandbox.seccomp import seccomp_filter
from fa_cli.isolation.supervision.usage import Usage

from ..conftest import further
from ..fakes import compiled, within
from ..needed import needs_sandbox

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows what a bot uses")
needs_filter = pytest.mark.skipif(not seccomp_filter(), reason="there is no filter of system calls for this machine")
_NOBODY = 65_534
MEMORY = r"used [\d,]+ MB of memory, and 90 MB are allowed"
FILES = r"had \d+ open files and epoll watches, and 4096 are allowed"
STOPPED = {
    "tables": MEMORY,
    "tables thread": MEMORY,
    "mappings": r"had \d+ mappings of memory, and 524240 are allowed",
    "files": FILES,
    "watches": FILES,
    "watches thread": FILES,
}
INSIDE = {"sockets": MEMORY, "beside-zombie": MEMORY}
ORDINARY = [
    (
        "bot.py",
        "import asyncio\nasync def main(): print(input() or 'x', flush=True), input()\nasyncio.run(main())\n",
        "python3",
    ),
    ("bot.js", "process.stdin.on('data', () => console.log('x'))\n", "node"),
    (
        "Bot.java",
        "public class Bot { public static void main(String[] words) throws Exception {"
        ' System.in.read(); System.out.println("x"); System.in.read(); } }',
        "java",
    ),
]
REFUSED = {
    "shared": "Cannot allocate memory",
    "zero": "No such device",
    "semaphores": "Operation not permitted",
    "spliced": "Operation not permitted",
    "thread-files": "Operation not permitted",
}

# an ordinary user's bots: the answer of one to which a little is enough, while or after another one takes much
BOTH = """
import sys
from time import monotonic, sleep
from fa_cli.isolation.bot_process import BotProcess
from fa_cli.isolation.limits import Limits
from fa_cli.isolation.sandbox.bubblewrap import why_not
program, what, folder = sys.argv[1:]
if why_not():
    sys.exit(f"there is no sandbox here: {why_not()}")
greedy, modest = (BotProcess((program, name), folder, limits=Limits(sandbox=True)) for name in (what, "little"))
until = monotonic() + (1 if what == "timers" else 20)  # timers are refused at once, and nobody is stopped
while isinstance(greedy.ask(b"\\n", 20), bytes) and monotonic() < until:
    sleep(0.2)
print(modest.ask(b"\\n", 20))
greedy.stop(), modest.stop()
"""


@contextmanager
def taker(what: str, folder: Path, sandboxed: bool = True) -> Iterator[BotProcess]:
    program = compiled("taker.c", folder)
    folder.chmod(0o755)
    limits = Limits(end=0.5, memory=90 * MIB, file_size=100 * MIB, sandbox=sandboxed)
    with within(60):
        bot = BotProcess((program, *what.split()), str(folder), limits=limits)
        try:
            yield bot
        finally:
            bot.stop()


def check_stopped(what: str, words: str, folder: Path, sandboxed: bool) -> None:
    with taker(what, folder, sandboxed) as bot:
        begin = monotonic()
        while isinstance(answer := bot.ask(b"\n", 20), bytes) and monotonic() < begin + 10:
            sleep(0.1)  # its processes go on taking
    assert isinstance(answer, Failure), answer
    assert answer.kind is FaultKind.RESOURCE, answer
    assert re.fullmatch(words, answer.detail), answer


@pytest.mark.parametrize("what", STOPPED)
def test_who_takes_too_much_is_stopped(what: str, tmp_path: Path) -> None:
    check_stopped(what, STOPPED[what], tmp_path, sandboxed=False)


@needs_sandbox
@pytest.mark.parametrize("what", STOPPED | INSIDE)
def test_who_takes_too_much_in_the_sandbox_is_stopped(what: str, tmp_path: Path) -> None:
    check_stopped(what, (STOPPED | INSIDE)[what], tmp_path, sandboxed=True)


@needs_sandbox
@needs_filter
@pytest.mark.parametrize("what", REFUSED)
def test_memory_that_belongs_to_no_process_is_refused(what: str, tmp_path: Path) -> None:
    with taker(what, tmp_path) as bot:
        assert bot.ask(b"\n", 20) == f"0 {REFUSED[what]}\n".encode()


@needs_sandbox
@pytest.mark.parametrize("what", ["watches", *further("timers")])
def test_what_an_ordinary_users_bots_share(what: str, tmp_path: Path) -> None:
    """The kernel counts these for each user, and all of these bots are the same user."""
    with TemporaryDirectory() as folder:  # pytest's own folder is only for who runs it
        Path(folder).chmod(0o755)
        done = as_ordinary_user(BOTH, compiled("taker.c", Path(folder)), what, folder)
    assert (done.stdout, done.stderr) == ("b'2 Success\\n'\n", "")


LOWERED = """
import resource
for kind in (resource.RLIMIT_SIGPENDING, resource.RLIMIT_NPROC):
    resource.setrlimit(kind, (50, 50))
from fa_cli.isolation.sandbox.bubblewrap import why_not
print(why_not())
"""


@needs_sandbox
def test_the_sandbox_below_lower_limits() -> None:
    """Under `ulimit -i` and `ulimit -u`, which an ordinary user can't raise."""
    assert as_ordinary_user(LOWERED).stdout == "\n"


def as_ordinary_user(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python code as a user without privileges; skips the test where that user can't run ours."""
    for python in (sys.executable, "/usr/bin/python3"):  # ours may be in a folder of root's
        with suppress(OSError):
            if run_as_nobody(python, "import fa_cli.isolation.bot_process").returncode == 0:
                return run_as_nobody(python, *arguments)
    pytest.skip("there is no Python that an ordinary user may run")


def run_as_nobody(python: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    def change_user() -> None:
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(_NOBODY)
            os.setuid(_NOBODY)

    return subprocess.run(
        [python, "-c", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd="/",
        env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        preexec_fn=change_user,
    )


@needs_sandbox
@pytest.mark.parametrize(("name", "text", "program"), ORDINARY)
def test_what_ordinary_bots_use(name: str, text: str, program: str, tmp_path: Path) -> None:
    """Far less than the limits."""
    if not shutil.which(program):
        pytest.skip(f"{program} is not on this machine")
    (tmp_path / name).write_text(text)
    tmp_path.chmod(0o755)
    with within(60):
        bot = BotProcess((program, name), str(tmp_path), limits=Limits(sandbox=True))
        try:
            assert bot.ask(b"\n", 30) == b"x\n"
            usage = Usage(bot._process._supervisor, bot._limits.file_size)
            assert usage.memory() < 300 * MIB
            assert usage.files(4096) < 100
            assert usage.threads() < 60
            assert usage.mappings() == 0
        finally:
            bot.stop()
