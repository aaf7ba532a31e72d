"""The transcript of the README, made by running its commands: `python -m tests.transcript` writes it anew.

Each line that begins with `$ ` is run by bash in one empty folder that has the bots, and what it prints takes the
place of what stood below it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"(?<=```console\n).*?(?=```\n)", re.DOTALL)


def run(command: str, folder: Path) -> str:
    """What the command prints on stdout and stderr together, without blanks at the ends of lines."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FA_")}
    environment |= {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "COLUMNS": "120"}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    return "\n".join(line.rstrip() for line in done.stdout.splitlines())


def main() -> None:
    """Run the commands of the README's transcript and write what they print."""
    text = README.read_text(encoding="utf-8")
    (before,) = BLOCK.findall(text)
    commands = [line[2:] for line in before.splitlines() if line.startswith("$ ")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bots").symlink_to(ROOT / "bots")
        parts = [f"$ {command}\n{run(command, folder)}\n" for command in commands]
    README.write_text(BLOCK.sub(lambda _: "\n".join(parts), text), encoding="utf-8")


if __name__ == "__main__":
    main()
