"""Compile the modules of this checkout that setup.py lists, in the background. `make tournament` runs this at its end.

The result lies in the environment (`fa_cli.COMPILED_COPY`), and `fa` uses it from its next start on, as long as no
source changes (fa_cli/compiled_copy.py). Nothing happens without a C compiler, without Python's headers or with
FA_COMPILE=0. A failed attempt is repeated when a source has changed, or after a day. With `--wait`, which is for
`make bench`, the program compiles on all cores, also after a failed attempt, and ends when that is done; with
`--wheel FOLDER`, which is for `make test-compiled`, it puts the wheel there too.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import time
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from fa_cli import COMPILED_COPY  # noqa: E402
from fa_cli.compiled_copy import END, STAMP, file_state  # noqa: E402

COPY = Path(COMPILED_COPY)
WORK = COPY / "work"
"""Where the copy is compiled, by who has the lock; what a killed process leaves there the next one removes."""
CHECKSUM = "checksum"
"""The file of a copy with the digest of its modules."""
BUILD_FILES = ("setup.py", "pyproject.toml", "README.md", "LICENSE")
SECONDS_UNTIL_RETRY = 86_400
SECONDS_OF_A_TICK = 0.02
"""More than the step of the clock that gives files their times."""


def main() -> None:
    """Start compiling and return at once; the program started runs the same file with `--now`. `--wait`: compile."""
    if sys.argv[1:] == ["--now"]:
        yield_to_others()
        compile_copy()
    elif sys.argv[1:2] == ["--wheel"]:
        start(wait=True)
        (wheel,) = (COPY / source_digest(ROOT)).glob("*.whl")
        shutil.copy(wheel, sys.argv[2])
    elif os.environ.get("FA_COMPILE") != "0" and can_compile():
        with suppress(OSError):  # the environment may belong to somebody else, or the disk be full
            start(wait=sys.argv[1:] == ["--wait"])


def can_compile() -> bool:
    """Return whether this Python has a C compiler and its headers."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    return bool(shutil.which(compiler[0])) and Path(sysconfig.get_path("include"), "Python.h").is_file()


def start(wait: bool) -> None:
    """Start compiling, unless that is running or the copy is up to date. Who has the log open holds the lock."""
    COPY.mkdir(exist_ok=True)
    with (COPY / "log").open("a") as log:
        try:
            fcntl.flock(log, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return
        shutil.rmtree(WORK, ignore_errors=True)  # left by a killed process
        digest = source_digest(ROOT)
        if not is_whole(COPY / digest):
            shutil.rmtree(COPY / digest, ignore_errors=True)
        if (COPY / digest).is_dir():
            write_stamp(digest)
        elif wait or not failed_lately(digest):
            log.truncate(0)
            if wait:
                print("compiling fa", file=sys.stderr)
                compile_copy(log)
                return
            command = [sys.executable, __file__, "--now"]
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
            print(f"compiling fa in the background, to make the next run faster (log: {log.name})", file=sys.stderr)


def failed_lately(digest: str) -> bool:
    """Return whether the last attempt was to compile these sources, failed, and is less than a day old."""
    with suppress(OSError):
        failed = COPY / "failed"
        age = time.time() - failed.stat().st_mtime
        return failed.read_text(encoding="utf-8") == digest and age < SECONDS_UNTIL_RETRY
    return False


def sources(root: Path) -> Iterator[Path]:
    """Every file of the package in Python or C, in a fixed order: mypyc reads what compiled modules import, too."""
    for ending in ("py", "c"):
        yield from sorted((root / "fa_cli").rglob(f"*.{ending}"))


def source_digest(root: Path) -> str:
    """Return the digest of all that the compiled modules depend on, as 40 hex digits."""
    digest = hashlib.blake2b(digest_size=20)
    for file in (root / "setup.py", root / "pyproject.toml", *sources(root)):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(root)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def compile_copy(log: IO[str] | None = None) -> None:
    """Compile a snapshot of the sources and put the modules where `fa` finds them. `log` gets what pip says."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    try:
        snapshot = WORK / "source"
        shutil.copytree(ROOT / "fa_cli", snapshot / "fa_cli", ignore=shutil.ignore_patterns("__pycache__"))
        for file in BUILD_FILES:
            shutil.copy(ROOT / file, snapshot)
        digest = source_digest(snapshot)
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", str(WORK), str(snapshot)]
        environment = {**os.environ, "FA_COMPILE": "1", "TMPDIR": str(WORK)}
        if subprocess.run(command, env=environment, stdout=log, stderr=log, check=False).returncode:
            (COPY / "failed").write_text(digest, encoding="utf-8")
            sys.exit(f"fa could not be compiled; {COPY / 'log'} says why")
        (wheel,) = WORK.glob("*.whl")
        publish(wheel, digest)
    finally:
        shutil.rmtree(WORK)


def yield_to_others() -> None:
    """Make this process and its children run only when a core is idle, and be the first to end if memory runs out."""
    os.nice(19)
    if sys.platform == "linux":
        with suppress(OSError):  # a container may forbid either
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
            os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # setup.py runs one compiler per core it may use
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def publish(wheel: Path, digest: str) -> None:
    """Move a wheel's compiled modules into the copy, each named by its full name, and remove all but the last copy.

    The last one may be in use: a process imports some modules late.
    """
    copies = (path for path in COPY.iterdir() if path.is_dir() and path != WORK)
    old = sorted(copies, key=lambda path: path.stat().st_mtime)
    with TemporaryDirectory(dir=wheel.parent) as folder, zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith(".so"):
                Path(folder, name.replace("/", ".")).write_bytes(archive.read(name))
        shutil.copy(wheel, folder)  # for `--wheel`
        Path(folder, CHECKSUM).write_text(checksum(Path(folder)), encoding="ascii")
        Path(folder).chmod(0o755)  # bots read it too, as other users
        Path(folder).rename(COPY / digest)
    for path in old[:-1]:
        shutil.rmtree(path)
    write_stamp(digest)


def checksum(folder: Path) -> str:
    """Return the digest of the modules in a folder."""
    digest = hashlib.blake2b(digest_size=20)
    for file in modules(folder):
        digest.update(f"{file.name} ".encode() + hashlib.blake2b(file.read_bytes()).digest())
    return digest.hexdigest()


def modules(folder: Path) -> list[Path]:
    """Return the modules in a folder."""
    return sorted(folder.glob("*.so"))


def is_whole(copy: Path) -> bool:
    """Return whether the modules of a copy are as they were compiled."""
    with suppress(OSError):
        return (copy / CHECKSUM).read_text(encoding="ascii") == checksum(copy)
    return False


def write_stamp(digest: str) -> None:
    """Let `fa` use the copy of this digest, if the sources still have it."""
    lines = [f"{file.relative_to(ROOT / 'fa_cli')} {file_state(str(file))}" for file in sources(ROOT)]
    lines += [f"{file.name} {file_state(str(file))}" for file in modules(COPY / digest)]
    time.sleep(SECONDS_OF_A_TICK)  # so that a change after the digest has another time than any before it
    if source_digest(ROOT) == digest:
        new = COPY / f"{STAMP}.new"
        new.write_text("\n".join([digest, *lines, END]), encoding="utf-8")
        new.replace(COPY / STAMP)


if __name__ == "__main__":
    main()
