"""The transcript of the README, made by running its commands: `python -m tests.transcript` writes it again.

Bash runs each line that begins with `$ ` in a terminal, in one empty folder that has the bots. What the line prints
replaces the text below it.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

from .tutorial import run

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"(?<=```console\n).*?(?=```\n)", re.DOTALL)
PROGRESS = re.compile("\x1b\\[\\?25l.*?\x1b\\[\\?25h", re.DOTALL)
"""What the progress bar draws, from hiding the cursor to showing it."""


def printed(command: str, folder: Path) -> str:
    """What a command prints in a terminal, without the progress bar. Raises CalledProcessError if it fails."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return PROGRESS.sub("", run(command, folder, path))


def main() -> None:
    """Run the commands of the README's transcript and write what they print."""
    text = README.read_text(encoding="utf-8")
    (before,) = BLOCK.findall(text)
    commands = [line[2:] for line in before.splitlines() if line.startswith("$ ")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bots").symlink_to(ROOT / "bots")
        parts = [f"$ {command}\n{printed(command, folder)}\n" for command in commands]
    README.write_text(BLOCK.sub(lambda _: "\n".join(parts), text), encoding="utf-8")


if __name__ == "__main__":
    main()
