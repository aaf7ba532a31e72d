"""A worker and its bots keep to one core; a bot that says it uses several has all of them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from fa_cli.isolation.bot_session import BotSession
from fa_cli.isolation.discovery import read_bot
from fa_cli.tournament.running.workers import keep_to_one_core

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps processes to cores")

BOT = """
import json, os, sys
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "hello":
        print(json.dumps({"type": "ready", "author": " ".join(map(str, sorted(os.sched_getaffinity(0))))}), flush=True)
    if kind == "quit":
        break
"""


def cores_of(folder: Path, threads: int) -> set[int]:
    """The cores that a bot may use whose bot.toml says so many threads."""
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.toml").write_text(f'command = "python3 bot.py"\nthreads = {threads}\n')
    session = BotSession(read_bot(folder))
    try:
        assert session.greet() is None
        return set(map(int, (session.ready.author or "").split()))
    finally:
        session.close()


def play_pinned(folder: Path) -> int:
    """0 if all is as it should be; in a process of its own, as it keeps to one core for good."""
    cores = sorted(os.sched_getaffinity(0))
    keep_to_one_core(len(cores) - 1)
    if cores_of(folder / "single", 1) != {cores[-1]}:
        return 1
    return 0 if cores_of(folder / "many", 2) == set(cores) else 2


def test_a_worker_and_its_bots_share_a_core_unless_a_bot_has_threads(tmp_path: Path) -> None:
    import subprocess

    code = "import sys; from pathlib import Path; from tests.tournament.running.test_pin import play_pinned as play; "
    code += f"sys.exit(play(Path({str(tmp_path)!r})))"
    root = Path(__file__).parent.parent.parent.parent
    assert subprocess.run([sys.executable, "-c", code], cwd=root).returncode == 0
