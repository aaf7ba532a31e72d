"""Bots in the sandbox that try to see, reach and leave behind what they must not. All of it is real."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fa_cli.errors import BotCannotRun, UsageError
from fa_cli.game_result import Failure, FaultKind
from fa_cli.games.seed import Seed
from fa_cli.isolation.bot_process import BotProcess
from fa_cli.isolation.bot_session import BotSession
from fa_cli.isolation.discovery import find_bots, read_bot
from fa_cli.isolation.limits import MIB, Limits, Sandbox
from fa_cli.isolation.sandbox import bubblewrap
from fa_cli.isolation.sandbox.bubblewrap import choose, why_not
from fa_cli.isolation.sandbox.seccomp import seccomp_filter
from fa_cli.match.referee import play
from fa_cli.protocol.messages import Clock

from ..conftest import Fa, further
from ..fakes import assert_none_left, fake_bot, processes_of
from ..needed import needs_sandbox
from ..tournament.helpers import dice
from ..toy_game import TOY, Options

LIMITS = Limits(end=0.5, file_size=4 * MIB, memory=300 * MIB, processes=60, open_files=100, sandbox=True)

SPY = r"""
import ctypes, json, os, socket, sys
LIBC = ctypes.CDLL(None, use_errno=True)

def call(number, *args):
    "An error's number, or 0"
    return ctypes.get_errno() if LIBC.syscall(number, *args) == -1 else 0

for line in sys.stdin:
    try:
        answer = eval(json.loads(line))
    except BaseException as error:
        answer = f"{type(error).__name__}: {error}"
    print(json.dumps(answer, default=repr), flush=True)
"""


class Spy:
    """A bot that tells what it sees."""

    def __init__(self, home: Path, limits: Limits = LIMITS) -> None:
        self.folder = home / "bots" / "spy"
        self.folder.mkdir(parents=True)
        (self.folder / "spy.py").write_text(SPY)
        self.channel = BotProcess((sys.executable, "spy.py"), str(self.folder), None, limits)

    def tries(self, expression: str) -> Any:
        answer = self.channel.ask(json.dumps(expression).encode() + b"\n", 20)
        assert isinstance(answer, bytes), (answer, self.channel.stderr_tail)
        return json.loads(answer)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place with two bots, a log, and nothing secret that a bot in the sandbox should see."""
    home = tmp_path_factory.mktemp("home")
    for name in ("logs/a.log", "bots/other/secret.py", "bots/alone.py", "notes.txt"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("secret")
    return home


@pytest.fixture(scope="module")
def spy(home: Path) -> Iterator[Spy]:
    if why_not():
        pytest.skip(f"there is no sandbox here: {why_not()}")
    os.environ["FA_TEST_SECRET"] = "do not tell"
    spy = Spy(home)
    yield spy
    spy.channel.stop()
    del os.environ["FA_TEST_SECRET"]


def test_other_files_are_not_there(spy: Spy, home: Path) -> None:
    for name in ("logs/a.log", "bots/other/secret.py", "bots/alone.py", "notes.txt"):
        assert spy.tries(f"open({str(home / name)!r}).read()").startswith("FileNotFoundError")
    assert spy.tries(f"os.listdir({str(home)!r})") == ["bots"]
    assert spy.tries(f"os.listdir({str(home / 'bots')!r})") == ["spy"]
    shown = set(spy.tries("os.listdir('/')"))
    assert shown <= {"proc", "dev", "etc", "tmp", *(Path(place).parts[1] for place in bubblewrap._SYSTEM)} | {
        Path(place).parts[1] for place in (str(home), sys.prefix, sys.base_prefix, bubblewrap.__file__)
    }
    assert not {"passwd", "shadow", "hosts", "ssh", "machine-id"} & set(spy.tries("os.listdir('/etc')"))


def test_the_home_directory_is_not_there(spy: Spy) -> None:
    ours = Path.home()
    assert spy.tries("os.path.expanduser('~')") == "/tmp"
    seen = spy.tries(f"os.listdir({str(ours)!r}) if os.path.exists({str(ours)!r}) else []")
    assert set(seen) <= {
        path.relative_to(ours).parts[0] for path in [*_python(), spy.folder] if path.is_relative_to(ours)
    }


def _python() -> list[Path]:
    return [Path(sys.prefix), Path(sys.base_prefix), Path(bubblewrap.__file__).parents[2]]


def test_nothing_can_be_written_but_a_small_tmp(spy: Spy) -> None:
    for folder in (".", "/", "/dev", "/usr/bin", "/etc", sys.prefix):
        found = spy.tries(f"open({folder!r} + '/x', 'w')")
        assert re.match(r"(PermissionError|OSError: \[Errno 30\])", found), (folder, found)
    assert spy.tries("open('/tmp/x', 'w').write('fine')") == 4
    needed = {part for path in [*_python(), spy.folder] for part in path.parts}
    assert set(spy.tries("os.listdir('/tmp')")) - needed == {"x"}
    fill = "[open(f'{0}/{{n}}', 'wb').write(b'x' * 1000_000) for n in range(20)]"
    for place in ("/tmp", "/dev/shm"):
        assert "No space left on device" in spy.tries(fill.format(place))
        assert spy.tries(f"[os.unlink(f'{place}/{{n}}') for n in range(20) if os.path.exists(f'{place}/{{n}}')]")
    assert "[Errno 2" in spy.tries("open('/tmp/big', 'wb').write(b'x' * 6_000_000)")  # no space, or too large


def test_the_environment_is_not_ours(spy: Spy) -> None:
    names = spy.tries("sorted(os.environ)")
    python = {"PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "PYTHONPATH"}
    assert set(names) <= python | {"HOME", "LANG", "PATH", "LC_CTYPE", "PWD"}
    every = "[open(f'/proc/{n}/environ', 'rb').read() for n in os.listdir('/proc') if n.isdigit() and n != '1']"
    assert "do not tell" not in json.dumps(spy.tries(every))
    first = spy.tries("open('/proc/1/environ', 'rb').read()")
    assert first.startswith("PermissionError") or "FA_TEST_SECRET" not in first


def test_addresses_are_those_of_every_process(spy: Spy, tmp_path: Path) -> None:
    other = Spy(tmp_path)
    try:
        # the address of Python's library, and of its heap
        mine, theirs = (bot.tries("[id(int), id('a text of its own %d' % os.getpid())]") for bot in (spy, other))
        assert mine[0] == theirs[0]
        assert mine[1] >> 28 == theirs[1] >> 28  # far less than the kernel moves it at random
    finally:
        other.channel.stop()


def test_the_process_group_is_the_sandboxs_own(spy: Spy) -> None:
    """An ordinary user's bot could kill bubblewrap outside through it, and its lost game would be played again."""
    assert spy.tries("[os.getpgrp() > 0, os.getsid(0) > 0]") == [True, True]


def test_no_other_process_is_seen(spy: Spy) -> None:
    assert len(spy.tries("[n for n in os.listdir('/proc') if n.isdigit()]")) <= 3
    for number in {os.getpid(), os.getppid()} - {1, 2, 3}:  # numbers that it has itself, if we are in a container
        assert spy.tries(f"os.kill({number}, 0)").startswith("ProcessLookupError")
        assert spy.tries(f"open('/proc/{number}/mem', 'rb')").startswith("FileNotFoundError")


def test_the_first_process_is_out_of_reach(spy: Spy) -> None:
    """It is bubblewrap's, of the bot's user if that is an ordinary one, and the limit of processes is not its limit."""
    assert spy.tries("os.listdir('/proc/1')") == []
    assert spy.tries("open('/proc/1/mem', 'r+b')").startswith(("FileNotFoundError", "OSError: [Errno 30]"))


@needs_sandbox
@pytest.mark.parametrize("part", ["", ".", "bin"])
def test_the_sandbox_is_not_a_program_of_the_current_folder(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("bwrap", "setpriv", "prlimit", "setarch"):
        for folder in (tmp_path, tmp_path / "bin"):
            (folder / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/forged\n")
            (folder / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{part}:{os.environ['PATH']}")
    bubblewrap._setarch.cache_clear()
    words, _ = bubblewrap.sandbox_command(["true"], "/usr", LIMITS, "/usr", [])
    programs = [word for word in words if Path(word).name in ("bwrap", "setpriv", "prlimit", "setarch")]
    assert programs
    assert all(Path(program).is_absolute() for program in programs), programs


@pytest.mark.parametrize("part", ["", ".", "bin"])
def test_programs_are_looked_up_as_they_are_started(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program of the current folder is not one of the machine: the sandbox would not use it, nor a bot find it."""
    for folder in (tmp_path, tmp_path / "bin"):
        folder.mkdir(exist_ok=True)
        for name in ("bwrap", "setpriv", "prlimit", "lua", "tool"):
            (folder / name).write_text("#!/bin/sh\n")
            (folder / name).chmod(0o755)
    (tmp_path / "a.lua").touch()
    (tmp_path / "b.sh").write_text("#!/usr/bin/env tool\n")
    (tmp_path / "b.sh").chmod(0o755)
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "bot.toml").write_text('command = "tool"\n')
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "bot.toml").write_text('command = "run"\nbuild = "tool"\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", part)
    assert bubblewrap.why_missing() == "bubblewrap is not installed; Debian: apt-get install bubblewrap"
    for bot in ("a.lua", "b.sh", "c", "d"):
        with pytest.raises(BotCannotRun, match=r"(needs what|which) is not on this machine"):
            read_bot(tmp_path / bot)


def test_another_bots_memory_is_out_of_reach(spy: Spy, tmp_path: Path) -> None:
    other = Spy(tmp_path)
    try:
        mine, theirs = (bot.tries("[os.getuid(), os.readlink('/proc/self/ns/pid')]") for bot in (spy, other))
        assert mine[1] != theirs[1]
        assert os.getuid() != 0 or mine[0] != theirs[0]
        assert spy.tries("len([n for n in os.listdir('/proc') if n.isdigit()])") <= 3
        # not even of processes that it can see: the filter denies looking
        assert spy.tries("call({'x86_64': 310, 'aarch64': 270}[os.uname().machine], os.getpid(), 0, 0, 0, 0, 0)") == 1
    finally:
        other.channel.stop()


def test_no_privileges(spy: Spy) -> None:
    status = spy.tries("open('/proc/self/status').read()")
    fields = dict(re.findall(r"^(\w+):\s*(.*)$", status, re.MULTILINE))
    assert {fields[name].strip("0") for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {""}
    assert fields["NoNewPrivs"] == "1"
    assert "0" not in fields["Uid"].split()
    assert spy.tries("os.setuid(0)").startswith(("PermissionError", "OSError"))


@pytest.mark.skipif(os.getuid() != 0, reason="only root's bots are users of their own")
def test_user_ids_do_not_count_processes(tmp_path: Path) -> None:
    """Bots that start one after the other: by chance their user IDs are near each other once in two million times."""
    ids = []
    for number in range(3):
        spy = Spy(tmp_path / str(number))
        ids.append(spy.tries("os.getuid()"))
        spy.channel.stop()
    assert max(ids) - min(ids) > 100_000, ids


@pytest.mark.skipif(not seccomp_filter(), reason="there is no filter of system calls for this machine")
def test_dangerous_calls_are_denied(spy: Spy) -> None:
    names = ("shmget", "msgget", "ptrace", "unshare", "mount", "bpf", "userfaultfd", "keyctl")
    numbers = {
        "x86_64": (29, 68, 101, 272, 165, 321, 323, 250),
        "aarch64": (194, 186, 117, 97, 40, 280, 282, 219),
    }[os.uname().machine]
    for name, number in zip(names, numbers, strict=True):
        assert spy.tries(f"call({number}, 0x10000000, 0, 0, 0, 0)") == 1, name
    assert spy.tries("os.memfd_create('x')").startswith("PermissionError")
    assert spy.tries("os.sched_setaffinity(0, os.sched_getaffinity(0))").startswith("PermissionError")
    clone = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
    assert spy.tries(f"call({clone}, 0x10000011, 0, 0, 0, 0)") == 1  # with a new user namespace
    assert spy.tries("socket.socket(40, socket.SOCK_STREAM)") == "OSError: [Errno 97] Address family not supported " + (
        "by protocol"
    )
    assert spy.tries("os.waitstatus_to_exitcode(os.system('exit 3'))") == 3  # ordinary processes go on


def test_no_network(spy: Spy) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        found = spy.tries(f"socket.create_connection(('127.0.0.1', {port}), 2)")
        if seccomp_filter():
            assert found == "OSError: [Errno 97] Address family not supported by protocol"
        assert found.startswith(("ConnectionRefusedError", "OSError: [Errno 101]", "OSError: [Errno 97]"))
        server.settimeout(0.1)
        with pytest.raises(TimeoutError):
            server.accept()
    assert spy.tries("[name for _, name in socket.if_nameindex()]") == ["lo"]


def test_no_abstract_socket(spy: Spy) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0fa-test-socket")
        server.listen()
        found = spy.tries("socket.socket(socket.AF_UNIX).connect(chr(0) + 'fa-test-socket')")
        assert found.startswith("ConnectionRefusedError")
        with socket.socket(socket.AF_UNIX) as client:
            client.connect("\0fa-test-socket")  # it is there for us


def test_limits_inside(spy: Spy) -> None:
    limits = "[__import__('resource').getrlimit(getattr(__import__('resource'), 'RLIMIT_' + name))[1] for name in {}]"
    names = ("DATA", "FSIZE", "NOFILE", "CORE", "SIGPENDING")
    assert spy.tries(limits.format(names)) == [300 * MIB, 4 * MIB, 100, 0, 1024]
    assert spy.tries("bytearray(400 << 20)") == "MemoryError: "


@needs_sandbox
@pytest.mark.parametrize(
    "expression",
    [
        "[open(f'{place}/{n}', 'wb').write(b'x' * 10_000_000) for place in ('/tmp', '/dev/shm') for n in range(4)]",
        "[open(f'/tmp/{n}', 'w').close() for n in range(50_000)]",
    ],
    ids=["large", "many"],
)
def test_files_in_memory_count_as_memory(expression: str, tmp_path: Path) -> None:
    """And so does each that is empty."""
    spy = Spy(tmp_path, Limits(end=0.5, memory=40 * MIB, file_size=50 * MIB, sandbox=True))
    failure = spy.channel.ask(json.dumps(f"{expression} and __import__('time').sleep(60)").encode() + b"\n", 30)
    spy.channel.stop()
    assert isinstance(failure, Failure)
    assert re.fullmatch(r"used \d+ MB of memory, and 40 MB are allowed", failure.detail)


@needs_sandbox
@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        ("fork-bomb", FaultKind.RESOURCE),
        ("grows", FaultKind.RESOURCE),
        ("grows-shared", FaultKind.RESOURCE),
        ("fills-disk", FaultKind.RESOURCE),
        ("opens-all", FaultKind.RESOURCE),
        ("killed", FaultKind.CRASH),
        ("daemon-then-exit", FaultKind.CRASH),
        ("traced", None),  # the filter denies it, and the bot plays on
    ],
)
def test_faults_in_the_sandbox(behaviour: str, kind: FaultKind | None, tmp_path: Path) -> None:
    sessions = [BotSession(fake_bot("honest", "--heard", "/dev/null"), LIMITS)]
    sessions.append(BotSession(fake_bot(behaviour, "--wants", f"legal,events,{'legal,' * 3}legal"), LIMITS))
    record, _ = play(TOY, Options(), sessions, ["honest", "fake"], Seed(bytes(32)), Clock(20_000))
    assert [(fault.seat, fault.kind) for fault in record.faults] == ([] if kind is None else [(1, kind)])
    if behaviour == "killed":
        assert record.meta["fault_details"][0]["detail"] == "was killed by SIGSEGV without an answer"
    for session in sessions:
        session.close()


@needs_sandbox
def test_nothing_outlives_a_bot_in_the_sandbox(tmp_path: Path) -> None:
    marker = f"fa-test-{os.getpid()}-{tmp_path.name}"
    spy = Spy(tmp_path)
    daemon = f"trap '' TERM HUP; sleep 61; : {marker}"
    assert spy.tries(f"os.system({f'setsid sh -c {shlex.quote(daemon)} >/dev/null 2>&1 &'!r})") == 0
    until = time.monotonic() + 10
    while not processes_of(marker):  # while it becomes another program its command line is empty
        assert time.monotonic() < until
    spy.channel.stop()
    assert_none_left(marker)


JAVA = """
import java.io.*;
public class Bot {
  public static void main(String[] args) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = in.readLine()) != null; ) {
      if (line.contains("\\"type\\":\\"decide\\"")) {
        String rest = line.substring(line.indexOf("\\"legal\\":[\\"") + 10);
        System.out.println("{\\"action\\":\\"" + rest.substring(0, rest.indexOf('"')) + "\\"}");
      } else if (line.contains("\\"hello\\"") || line.contains("\\"start\\"")) {
        System.out.println("{\\"type\\":\\"ready\\",\\"wants\\":[\\"legal\\"]}");
      }
    }
  }
}
"""
NODE = """
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "decide") console.log(JSON.stringify({ action: message.legal[0] }));
  else if (message.type !== "end") console.log(JSON.stringify({ type: "ready" }));
});
"""
PYTHON = "from fa_cli.bot import run\nrun(lambda decide, start: decide['legal'][0])\n"
SHELL = """#!/usr/bin/env sh
while read -r line; do
  case $line in
    *'"decide"'*) line=${line##*'"legal":["'}; echo "{\\"action\\":\\"${line%%'"'*}\\"}" ;;
    *hello*|*start*) echo '{"type":"ready","wants":["legal"]}' ;;
  esac
done
"""


@needs_sandbox
@pytest.mark.parametrize(
    ("name", "text", "program"),
    [("p.py", PYTHON, "sh"), ("n.js", NODE, "node"), ("Bot.java", JAVA, "java"), ("s", SHELL, "sh")],
)
def test_bots_of_many_languages_play_in_it(name: str, text: str, program: str, tmp_path: Path) -> None:
    if not shutil.which(program):
        pytest.skip(f"{program} is not on this machine")
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / name).write_text(text)
    (tmp_path / "bots" / name).chmod(0o755)
    ((bot,), _) = find_bots([tmp_path / "bots" / name])
    sessions = [BotSession(bot, Limits(start=60, sandbox=True)) for _ in range(2)]
    record, _ = play(TOY, Options(), sessions, ["a", "b"], Seed(bytes(32)), Clock(20_000))
    for session in sessions:
        session.close()
    assert record.faults == [], record.meta


@needs_sandbox
def test_a_bot_that_is_one_file_sees_no_other(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    for name in ("a.py", "b.py"):
        (tmp_path / "bots" / name).write_text(SPY)
    (tmp_path / "bots" / ".git").mkdir()
    channel = BotProcess(
        (sys.executable, str(tmp_path / "bots/a.py")), str(tmp_path / "bots"), None, LIMITS, str(tmp_path / "bots/a.py")
    )
    assert json.loads(channel.ask(b'"os.listdir()"\n', 20)) == ["a.py"]  # type: ignore[arg-type]
    channel.stop()


@needs_sandbox
def test_a_small_limit_on_files(tmp_path: Path) -> None:
    """It is that of all /tmp, and does not keep the sandbox from its own files."""
    spy = Spy(tmp_path, Limits(file_size=4096, sandbox=True))
    assert "No space left on device" in spy.tries(
        "open('/tmp/x', 'wb', 0).write(b'x' * 4096) and open('/tmp/y', 'wb', 0).write(b'x')"
    )
    assert "MemTotal" in spy.tries("open('/proc/meminfo').read()")
    spy.channel.stop()


@needs_sandbox
@pytest.mark.parametrize("how", ["command", "shebang", "env"])
def test_a_bot_that_names_anothers_program_sees_none_of_it(how: str, tmp_path: Path) -> None:
    """Only what our PATH has is shown as a program, so naming a file shows neither it nor what lies around it."""
    other = tmp_path / "other" / "bin" / "run"
    other.parent.mkdir(parents=True)
    shutil.copy("/bin/sh", other)
    (tmp_path / "mine").mkdir()
    script = tmp_path / "mine" / "run"
    script.write_text(f"#!{'/usr/bin/env ' if how == 'env' else ''}{other}\nls {tmp_path}/other >&2\n")
    script.chmod(0o755)
    command = (str(other), "-c", f"ls {tmp_path}/other >&2") if how == "command" else (str(script),)
    session = BotSession(type(fake_bot("x"))("x", str(tmp_path / "mine"), command, str(tmp_path / "mine")), LIMITS)
    failure = session.greet()
    assert failure
    assert "No such file or directory" in session.stderr_tail
    assert "bin" not in session.stderr_tail.replace(str(other), "").replace("/usr/bin/env", "")


@needs_sandbox
def test_what_lies_around_a_bot_in_a_folder_called_bin(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    bot = tmp_path / "bin" / "run.sh"
    bot.write_text(f"#!/bin/sh\nls {tmp_path} >&2\n")
    bot.chmod(0o755)
    (tmp_path / "secret").touch()
    session = BotSession(type(fake_bot("x"))("x", str(bot), (str(bot),), str(bot.parent)), LIMITS)
    assert session.greet()
    assert session.stderr_tail == "bin\n"


@needs_sandbox
@pytest.mark.skipif(os.getuid() != 0, reason="only root's bots run as another user")
def test_files_that_only_root_can_read(tmp_path: Path) -> None:
    (tmp_path / "bot").mkdir(mode=0o700)
    (tmp_path / "bot" / "bot.py").write_text(PYTHON)
    session = BotSession(fake_bot("x"), LIMITS)
    session.bot = type(session.bot)("x", str(tmp_path / "bot"), (sys.executable, "bot.py"), str(tmp_path / "bot"))
    failure = session.greet()
    assert failure
    assert failure.kind is FaultKind.START
    assert "who can't read it (chmod -R o+rX" in failure.detail


def test_the_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    assert choose(Sandbox.NONE, told.append) == "--sandbox none"
    monkeypatch.setattr(bubblewrap, "why_missing", lambda: "it rains")
    assert choose(Sandbox.AUTO, told.append) == "it rains"
    sentence = "bots are not sandboxed and can do anything your account can"
    assert told == [f"{sentence} (--sandbox none)", f"{sentence} (it rains)"]
    with pytest.raises(UsageError, match="bots can't be sandboxed here: it rains"):
        choose(Sandbox.BWRAP, told.append)
    monkeypatch.setattr(bubblewrap, "why_missing", lambda: "")
    monkeypatch.setattr(bubblewrap, "_why_it_fails", lambda: "")
    monkeypatch.setattr(bubblewrap, "seccomp_filter", lambda: b"")
    assert choose(Sandbox.BWRAP, told.append) == ""
    assert told[2].startswith("the sandbox has no filter of system calls on ")
    monkeypatch.setattr(bubblewrap, "seccomp_filter", lambda: b"filter")
    monkeypatch.setattr(bubblewrap, "launcher", lambda: b"")
    assert choose(Sandbox.BWRAP, told.append) == ""
    assert told[-1].startswith("bots can read counters of the machine in /proc/self")


REFUSED = "bwrap: Creating new namespace failed: Resource temporarily unavailable"
RUN = ("tournament", "run", "bots/a.py", "bots/b.py", "--games", "2", "--quiet")


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder for programs, to be the PATH; and two bots."""
    dice(tmp_path / "bots", "a", "b")
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in ("setpriv", "prlimit"):
        (folder / name).symlink_to(shutil.which(name) or "/bin/true")
    return folder


@pytest.mark.parametrize("mode", ["auto", *further("bwrap")])
@pytest.mark.parametrize(
    "command",
    [
        RUN,
        ("match", "bots/a.py", "bots/b.py", "--game", "manhattan"),
        ("bot", "check", "bots/a.py"),
        ("play", "manhattan", "bots/a.py"),
    ],
)
def test_a_sandbox_that_fails_is_an_error(fa: Fa, tools: Path, command: tuple[str, ...], mode: str) -> None:
    """Also with `auto`: a limit that is reached for a moment must not let bots out."""
    (tools / "bwrap").write_text(f"#!/bin/sh\necho '{REFUSED}' >&2\nexit 1\n")
    (tools / "bwrap").chmod(0o755)
    done = fa(*command, "--sandbox", mode, PATH=str(tools))
    remedy = "--sandbox none runs them without"
    sentence = f"fa: bots can't be sandboxed here: bubblewrap fails: {REFUSED}; {remedy}\n"
    assert (done.returncode, done.stderr) == (2, sentence)


def test_a_program_that_the_sandbox_lacks_is_a_warning(fa: Fa, tools: Path) -> None:
    """As bubblewrap itself."""
    (tools / "bwrap").symlink_to("/bin/true")
    (tools / ("setpriv" if os.getuid() == 0 else "prlimit")).unlink()
    done = fa(*RUN, "--sandbox", "auto", PATH=str(tools))
    assert done.returncode == 0, done.stderr
    assert "warning: bots are not sandboxed and can do anything your account can (" in done.stderr
    assert "is not installed" in done.stderr
    assert fa(*RUN, "--sandbox", "bwrap", PATH=str(tools)).returncode == 2
