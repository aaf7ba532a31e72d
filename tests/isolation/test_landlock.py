"""The launcher that hides files about processes: its instructions, and what a bot that it started can read."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from fa_cli.isolation.sandbox.bubblewrap import why_not
from fa_cli.isolation.sandbox.landlock import LISTINGS, elf, launcher, machine_code

from .test_sandbox import Spy

HIDDEN = (
    *("pagemap", "smaps", "smaps_rollup", "numa_maps", "io", "sched", "autogroup", "fdinfo/0", "net/unix", "schedstat"),
)
ASSEMBLERS = {"x86_64": ("x86_64-linux-gnu-as", ".intel_syntax noprefix\n"), "aarch64": ("aarch64-linux-gnu-as", "")}
needs_launcher = pytest.mark.skipif(bool(why_not()) or not launcher(), reason="there is no sandbox or no Landlock here")


@pytest.fixture(scope="module")
def spy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Spy]:
    spy = Spy(tmp_path_factory.mktemp("home"))
    yield spy
    spy.channel.stop()


@pytest.mark.parametrize("machine", LISTINGS)
def test_the_bytes_are_the_instructions(machine: str, tmp_path: Path) -> None:
    """Of the listing: an assembler makes the same bytes of the text."""
    tool, start = ASSEMBLERS[machine]
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not on this machine")
    text = "\n".join(row.partition(" ")[2] for row in LISTINGS[machine].splitlines())
    subprocess.run([tool, "-o", tmp_path / "object", "-"], input=start + text + "\n", text=True, check=True)
    assert machine_code(machine) in (tmp_path / "object").read_bytes()


@pytest.mark.parametrize("machine", LISTINGS)
def test_the_file_is_complete(machine: str) -> None:
    program = elf(machine)
    assert program[:4] == b"\x7fELF"
    assert program.endswith(machine_code(machine))
    assert len(program) < 512


@needs_launcher
def test_files_about_processes_are_hidden(spy: Spy) -> None:
    for name in HIDDEN:
        assert spy.tries(f"open('/proc/self/{name}').read()").startswith(("PermissionError", "FileNotFoundError")), name
        assert spy.tries(f"os.popen('cat /proc/self/{name} 2>/dev/null').read()") == "", name
    for name in ("smaps", "fdinfo/0"):
        assert spy.tries(f"open('/proc/thread-self/{name}').read()").startswith("PermissionError")
        assert spy.tries(f"open('/proc/1/{name}').read()").startswith(("PermissionError", "FileNotFoundError"))


@needs_launcher
def test_what_runtimes_read_is_not(spy: Spy) -> None:
    for name in ("maps", "stat", "statm", "status", "cmdline", "cgroup", "mountinfo", "comm", "limits"):
        assert spy.tries(f"len(open('/proc/self/{name}').read()) > 0") is True, name
    assert spy.tries("os.readlink('/proc/self/exe')").startswith("/")
    assert spy.tries("os.popen('echo text | cat /dev/stdin').read()") == "text\n"
    assert spy.tries("os.listdir('/proc/self/fd') != []") is True


@needs_launcher
def test_files_still_move_between_folders(spy: Spy) -> None:
    assert spy.tries("[os.makedirs(f'/tmp/move/{n}') for n in 'ab'] and open('/tmp/move/a/x', 'w').write('text')") == 4
    assert spy.tries("os.rename('/tmp/move/a/x', '/tmp/move/b/x')") is None
    assert spy.tries("open('/tmp/move/b/x').read()") == "text"


@needs_launcher
def test_it_fails_closed(tmp_path: Path) -> None:
    """Without the empty argument that ends the paths, and when the command is missing."""
    program = tmp_path / "launcher"
    program.write_bytes(launcher())
    program.chmod(0o755)
    for words in (["/", "/usr"], ["/", "/usr", ""], ["/", "/usr", "", "/absent"]):
        assert subprocess.run([program, *words], check=False).returncode == 126
