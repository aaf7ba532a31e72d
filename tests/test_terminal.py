"""Lines folded at words, names cut in the middle, and which streams have a width and colours."""

from __future__ import annotations

import io
import os
import pty
import sys
import termios

import pytest
from hypothesis import given
from hypothesis import strategies as some
from rich.cells import cell_len

from fa_cli.printing.terminal import Tone, cut_middle, folded, has_colours, padded, painted, print_line, width

WORDS = some.text("ab 城é|-", max_size=120)


class Screen(io.StringIO):
    """A stream that is a terminal without a file."""

    def isatty(self) -> bool:
        return True


@given(WORDS, some.integers(20, 90))
def test_folded_lines_fit_and_nothing_is_lost(text: str, columns: int) -> None:
    lines = folded(text, columns)
    assert "".join("".join(lines).split()).replace("|", "") == "".join(text.split()).replace("|", "")
    longest = max(map(cell_len, text.split()), default=0)
    assert all(cell_len(line) <= columns for line in lines) or longest + columns // 2 > columns


def test_folding_keeps_the_indent() -> None:
    assert folded("    7  one two three four five", 20) == ["    7  one two three", "      four five"]
    assert folded("    | hand: red 4 blue 5 green 6", 22) == ["    | hand: red 4 blue", "    |   5 green 6"]


def test_a_long_word_stays_whole() -> None:
    path = "/a" * 40
    assert folded(f"log: {path} (3 games)", 30) == ["log:", f"  {path}", "  (3 games)"]


@given(some.text("ab城é", max_size=60), some.integers(5, 40))
def test_cut_texts_fit(text: str, columns: int) -> None:
    shown = cut_middle(text, columns)
    assert cell_len(shown) <= columns
    assert shown == text or ("..." in shown and cell_len(shown) >= columns - 2)
    assert cell_len(padded(shown, 40)) == 40


def test_widths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert width(io.StringIO()) is None
    assert width(Screen()) == 80
    for columns, expected in (("60", 60), ("7", 20), ("", 80), ("wide", 80), ("9" * 20, 80), ("-5", 80)):
        monkeypatch.setenv("COLUMNS", columns)
        assert width(Screen()) == expected
    monkeypatch.setenv("COLUMNS", "60")
    assert width(io.StringIO()) is None


def test_the_width_of_a_real_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    leader, follower = pty.openpty()
    try:
        with os.fdopen(follower, "w") as stream:
            for columns in (0, 61):
                termios.tcsetwinsize(stream, (24, columns))
                assert width(stream) == (columns or 80)
    finally:
        os.close(leader)


def test_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, expected in (("xterm", True), ("dumb", False), ("", False)):
        monkeypatch.setenv("TERM", name)
        assert has_colours(Screen()) is expected
        assert not has_colours(io.StringIO())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colours(Screen())
    assert painted("3", Tone.BAD) == "\x1b[31m3\x1b[0m"
    assert painted("3", None) == "3"


def test_lines_are_printable_and_folded_on_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    line = "warning: \x1b[31m is not what a terminal should get"
    for stream, expected in (
        (io.StringIO(), "warning: \\x1b[31m is not what a terminal should get\n"),
        (Screen(), "warning: \\x1b[31m is not what\n  a terminal should get\n"),
    ):
        print_line(line, stream)
        assert stream.getvalue() == expected


def test_a_terminal_without_the_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each escaped character takes six columns."""
    monkeypatch.setenv("COLUMNS", "30")

    class Latin(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    stream = Latin(io.BytesIO(), encoding="latin-1", errors="backslashreplace")
    print_line("a bot: 城市建设者 has won", stream)
    stream.flush()
    shown = stream.buffer.getvalue().decode("latin-1").splitlines()  # type: ignore[attr-defined]
    assert shown == ["a bot:", r"  \u57ce\u5e02\u5efa\u8bbe\u8005", "  has won"]


def test_folded_commands_can_be_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    command = "fa tournament verify first --commitment 7c488a2a71e61e6bc350be085b8e8edb"
    screen = Screen()
    print_line(f"verify it: {command}", screen, is_command=True)
    lines = screen.getvalue().splitlines()
    assert len(lines) == 3
    assert all(len(line) <= 40 for line in lines)
    assert " ".join(screen.getvalue().replace("\\\n", "").split()) == f"verify it: {command}"
    print_line("show: fa bots", screen, is_command=True)
    assert screen.getvalue().splitlines()[-1] == "show: fa bots"


def test_stdout_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    print_line("one")
    assert capsys.readouterr().out == "one\n"
    assert width() is None
    assert sys.stdout.isatty() is False
