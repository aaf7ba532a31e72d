"""What every benchmark gives: figures, each with a ratio to something measured in turns with it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from fa_cli import COMPILED_COPY


class Figure(NamedTuple):
    """One measurement."""

    name: str
    value: float
    unit: str
    ratio: float
    """To `to`, of the same run: what can be compared between machines."""
    to: str
    lower: bool = False
    """Whether a lower ratio is the better one."""
    goal: float | None = None
    """The ratio, or without `of_ratio` the value, that is to be reached."""
    of_ratio: bool = True

    def is_reached(self) -> bool | None:
        """Whether the goal is; None without one."""
        if self.goal is None:
            return None
        found = self.ratio if self.of_ratio else self.value
        return found <= self.goal if self.lower else found >= self.goal

    def is_halved(self, before: Figure) -> bool:
        """Whether it is less than half as good as it was."""
        return self.ratio > 2 * before.ratio if self.lower else 2 * self.ratio < before.ratio


def cpu_seconds(work: Callable[[], object]) -> float:
    """Processor time of this process; what others do on the machine counts little."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def plain_python(folder: Path) -> Path:
    """A Python of its own in this folder, with all that this one finds, compiled modules too.

    It has nothing of what an editable installation or a system hangs into every start.
    """
    venv.create(folder, with_pip=False, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    found = dict.fromkeys([str(Path.cwd()), *(path for path in sys.path if path.endswith("site-packages"))])
    (site / "found.pth").write_text("\n".join(found) + "\n")
    if Path(COMPILED_COPY).exists():
        (folder / Path(COMPILED_COPY).name).symlink_to(COMPILED_COPY)
    return folder / "bin" / "python"


def environment() -> dict[str, str]:
    """For what is measured: it keeps bytecode, without which every start compiles the package, and its own folder."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONDONTWRITEBYTECODE", "FA_HOME")}


def run(command: list[str | Path], folder: Path) -> tuple[float, float]:
    """Seconds of processor time and the most memory in MB of one command, its processes included.

    Its warnings are shown only if it fails.
    """
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=errors, cwd=folder, env=environment()
        ) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        assert process.returncode == 0, (command, errors.read().decode())
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


_MEASURED = """
import os, sys
quietly = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=quietly)
_, status, usage = os.wait4(pid, 0)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, status)
"""


def run_apart(command: list[str | Path], folder: Path) -> tuple[float, float]:
    """As `run`, by way of a small process: a process's most memory is never less than that of the one that starts it.

    The memory is that of the largest of its processes.
    """
    apart = [sys.executable, "-I", "-S", "-c", _MEASURED, *command]
    done = subprocess.run(apart, capture_output=True, text=True, cwd=folder, env=environment(), check=True)
    seconds, memory, status = map(float, done.stdout.split())
    assert status == 0, (command, done.stderr)
    return seconds, memory


def is_quiet() -> bool:
    """Whether this machine's cores are there for whoever wants them, as far as half a second tells."""
    turn = "import time; b = time.perf_counter(); c = time.process_time()\n"
    turn += "while time.perf_counter() < b + 0.5: pass\nprint((time.process_time() - c) / (time.perf_counter() - b))"
    count = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    command = [sys.executable, "-I", "-S", "-c", turn]
    spinning = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(count)]
    return all(float(process.communicate()[0]) > 0.9 for process in spinning)


def loop_rate() -> float:
    """Turns per second of processor time of a loop that indexes a list and adds: the yardstick of plain Python."""
    numbers = list(range(64))
    turns = 200_000

    def loop() -> None:
        total = 0
        for turn in range(turns):
            total += numbers[turn & 63]

    return turns / cpu_seconds(loop)
