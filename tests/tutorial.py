"""The tutorial, followed word by word: `python -m tests.tutorial` runs it and writes what its commands print.

A code block with a title is a file to save; a `console` block has commands, each with what it prints.
"""

from __future__ import annotations

import fcntl
import os
import re
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).parent.parent / "docs/tutorial.md"
WIDTH = 84
"""Columns of the terminal: a few more than its tables take, so that longer times do not hide a column."""
LOAD = re.compile(r"^(?:warning: the machine is overloaded|building ).*\n(?:  .*\n)*", re.MULTILINE)
"""A sentence that depends on what else the machine does, or has done before, folded."""
BLOCK = re.compile(r'^```(?:console|\w+ title="(?P<file>[\w.]+)")\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)


class Step(NamedTuple):
    """A command of the tutorial."""

    command: str
    shown: str
    """What the page shows below the command."""
    printed: str
    """What the command printed on stdout and stderr, without blanks at the ends of lines."""


def follow(folder: Path, path: str) -> Iterator[Step]:
    """Save the files and run the commands of the tutorial in a folder, in order, with `path` as the PATH.

    Raises CalledProcessError if a command fails.
    """
    for block in BLOCK.finditer(PAGE.read_text(encoding="utf-8")):
        if block["file"]:
            (folder / block["file"]).write_text(block["text"], encoding="utf-8")
            continue
        for each in re.split(r"^\$ ", block["text"], flags=re.MULTILINE)[1:]:
            command, _, shown = each.partition("\n")
            yield Step(command, shown.rstrip("\n"), run(command, folder, path))


def run(command: str, folder: Path, path: str) -> str:
    """What bash prints for a command in a terminal, without colours and warnings of load.

    Raises CalledProcessError if the command fails.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("FA_", "PYTHON", "COLUMNS"))}
    environment = inherited | {"PATH": path, "NO_COLOR": "1", "TERM": "xterm"}
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, WIDTH, 0, 0))
    arguments = ["bash", "-o", "pipefail", "-c", command]
    with subprocess.Popen(
        arguments, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        text = b"".join(iter(lambda: _read(ours), b"")).decode()
    os.close(ours)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, arguments, text)
    return LOAD.sub("", "".join(f"{line.rstrip()}\n" for line in text.splitlines())).rstrip("\n")


def _read(terminal: int) -> bytes:
    """The next bytes, none at the end: Linux reports an error once nobody has the other side open."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        return b""


def main() -> None:
    """Run the tutorial and write what its commands print."""
    with tempfile.TemporaryDirectory() as name:
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        steps = iter(list(follow(Path(name), path)))
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda block: block.group() if block["file"] else _printed(block, steps), text), "utf-8")


def _printed(block: re.Match[str], steps: Iterator[Step]) -> str:
    """The block with what its commands printed."""
    count = len(re.findall(r"^\$ ", block["text"], re.MULTILINE))
    parts = [f"$ {step.command}\n{step.printed}\n" for _, step in zip(range(count), steps, strict=False)]
    return "```console\n" + "\n".join(parts) + "```"


if __name__ == "__main__":
    main()
