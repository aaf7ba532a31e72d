"""The progress bar is one line on terminals of every width, and keeps the number of games."""

from __future__ import annotations

import os
import pty
import sys
import termios
from contextlib import suppress

import pyte
import pytest

from fa_cli.cli.tournament.progress_bar import Bar, progress_listener

NAME = "my-very-long-bot-name-from-the-algorithms-course-2026-v1"


@pytest.mark.parametrize("columns", [50, 60, 80, 120, 200])
def test_the_bar_is_one_line(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    leader, follower = pty.openpty()
    termios.tcsetwinsize(follower, (24, columns))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(columns))
    screen = pyte.Screen(columns, 24)
    with os.fdopen(follower, "w") as stream, monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        with progress_listener(2240, quiet=False) as bar:
            assert isinstance(bar, Bar)  # though stdout is not a terminal
            bar._started -= 100.0
            bar.done, bar._played, bar._wins = 1000, {NAME: 3}, {NAME: 1.0}
    with os.fdopen(leader, "rb", buffering=0) as output, suppress(OSError):  # the end, on Linux
        while part := output.read(65536):
            pyte.ByteStream(screen).feed(part)
    (line,) = (line.rstrip() for line in screen.display if line.strip())
    assert "1000/2240 games  " in line
    assert ("leads with 33% wins" in line) == (columns >= 80)
    assert (NAME in line) == (columns >= 160)


@pytest.mark.parametrize(("columns", "shown"), [(None, "a is better: 2.10 of 3.69"), (12, "a is ...3.69")])
def test_a_test_takes_the_place_of_the_leader(columns: int | None, shown: str) -> None:
    bar = progress_listener(9, quiet=True)
    assert bar.leader(columns) == ""
    bar.evidence = lambda: "a is better: 2.10 of 3.69"
    assert bar.leader(columns) == shown
