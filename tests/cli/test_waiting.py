"""The bar for work that takes long: on a terminal only, after a second, erased at the end."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pyte
import pytest

from fa_cli.cli import waiting
from fa_cli.cli.waiting import WaitingBar
from fa_cli.leaderboard.leaderboards import Selection, read_games
from tests.bench.bench_ratings import bot_names, write_log


class Terminal(io.StringIO):
    """Shows what is printed as a terminal of 80 columns does."""

    def __init__(self) -> None:
        super().__init__()
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.Stream(self._screen)

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self._stream.feed(text.replace("\n", "\r\n"))
        return super().write(text)

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self._screen.display if line.strip()]


def terminal_of(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal in place of stderr; no fixture, because pytest captures stderr again before the test."""
    made = Terminal()
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    return made


def test_the_bar_is_shown_and_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    monkeypatch.setattr(waiting, "_SILENT_SECONDS", 0.0)
    bar = WaitingBar(quiet=False)
    for name in ("logs/a.log", "logs/" + "b" * 99 + ".log\x1b[31m"):
        bar.report(f"reading {name}", 1, 4)
        assert bar._bar is not None
        bar._bar.refresh()
        (line,) = terminal.lines
        assert "25%  reading logs/" in line
        bar.close()
        assert terminal.lines == []


@pytest.mark.parametrize(("quiet", "seconds"), [(True, 0.0), (False, 60.0)])
def test_nothing_is_shown(quiet: bool, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    monkeypatch.setattr(waiting, "_SILENT_SECONDS", seconds)
    bar = WaitingBar(quiet)
    bar.report("reading", 1, 4)
    bar.close()
    assert terminal.getvalue() == ""


def test_nothing_is_shown_elsewhere(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(waiting, "_SILENT_SECONDS", 0.0)
    WaitingBar(quiet=False).report("reading", 1, 4)
    assert capsys.readouterr() == ("", "")


def test_work_reports_its_progress(tmp_path: Path) -> None:
    """In steps that end at the total, and it is closed at the end."""
    reports: list[tuple[str, int, int]] = []

    class Progress:
        def report(self, text: str, done: int, total: int) -> None:
            reports.append((text, done, total))

        def close(self) -> None:
            reports.append(("closed", 0, 0))

    log = tmp_path / "some.log"
    write_log(log, 20, bot_names(4))
    selection = Selection(tmp_path, pytest.fail, [log], progress=Progress())
    assert len(read_games(selection, list)) == 20
    size = log.stat().st_size
    assert reports == [(f"reading {log}", size, size), ("reading results", 0, 20), ("closed", 0, 0)]
