"""`fa replay show --step` in a real terminal."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from fa_cli.match.simulate import make_simulation
from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import write_new_log
from fa_cli.replay.record import Record, encode_record
from tests.screens.display import RESTORED, Display
from tests.screens.test_watch import COLOUR


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs with one game each, of the most players that the game takes."""
    home = tmp_path_factory.mktemp("home")
    for game, players in (("fifth-avenue", 4), ("manhattan", 4), ("new-york", 5)):
        played = make_simulation(game, players, {}, 1, "step").play_all(1)
        write_new_log(home / f"{game}.log", (entry_of(record, packed) for record, packed in played))
    return home


def record_in(home: Path, game: str) -> Record:
    return next(read_log(home / f"{game}.log")).record()


def step(home: Path, log: str = "fifth-avenue.log", **settings: str | int) -> Display:
    return Display(home, "replay", "show", log, "--step", **settings)  # type: ignore[arg-type]


def quit_(display: Display) -> None:
    display.press("q")
    assert display.end() == 0
    assert all(code in display.raw[display.raw.rindex(RESTORED[0]) :] for code in RESTORED)


def test_a_walk_through_a_game(home: Path) -> None:
    last = len(record_in(home, "fifth-avenue").actions) - 1
    display = step(home)
    display.until("the deal  fifth-avenue.log game 1: Fifth Avenue (side five")
    display.until("seat 0: random#1")
    display.press("right")
    display.until(lambda text: f"ply 0 of {last}" in text and "   0  random#1 places a skyscraper on " in text)
    display.press("right", "right", "left")
    display.until("ply 1 of")
    display.press("pagedown")
    display.until("turn 1  fifth")
    display.press("a")
    display.until(lambda text: "Auction of" in text)
    shown = display.settle()
    assert all(part in shown for part in ("hand 0:", "hand 3:", "highest bid", "  #3 ", "42E "))
    display.press("f")
    display.until("this game has no faults")
    display.press("end")
    display.until(lambda text: f"ply {last} of {last}" in text and "this game has no" not in text)
    assert "Commissioners:" not in display.settle(), "the board is higher than its pane"
    display.press("tab", *["down"] * 8)
    display.until("Commissioners:")
    assert "scores" not in display.settle()
    display.press("tab")
    display.until("The end: ")
    display.press("tab", "home")
    display.until("the deal")
    quit_(display)


def test_a_game_without_turns_and_auctions(home: Path) -> None:
    display = step(home, str(home / "manhattan.log"))
    display.until("the deal  manhattan.log game 1: Manhattan (")
    display.until("PgDn round")
    display.press("?")
    shown = display.until("Page up        previous round")
    assert "auction" not in shown
    quit_(display)


@pytest.mark.slow
def test_the_prompt(home: Path) -> None:
    display = step(home, "new-york.log")
    display.until("the deal")
    display.press("/")
    display.until("search")
    display.press("DRAWS street q")
    display.until("DRAWS street q")
    display.press("backspace", "backspace", "enter")
    display.until(lambda text: "draws street" in text and "the deal" not in text)
    display.press("g")
    display.until("go to ply")
    display.press("5000", "enter")
    display.until("no ply '5000': plies are 0 to ")
    display.press("g")
    display.until("go to ply")
    display.press("escape")
    display.until("q quit")
    display.press("g", "12", "enter")
    display.until("ply 12 of ")
    display.press("?")
    display.until("search the sentences")
    display.press("v")
    shown = display.until("view of #0")
    assert "hand 1:" not in shown
    quit_(display)


@pytest.mark.slow
@pytest.mark.parametrize("log", ["manhattan.log", "new-york.log"])
def test_the_widest_boards_fit(home: Path, log: str) -> None:
    display = step(home, log)
    display.until("the deal")
    display.press("end")
    display.until("The end:")
    shown = display.settle()
    assert "…" not in "\n".join(shown.split("\n")[1:])
    display.press(*"KKKKKKKKKKKK")
    display.until(lambda text: "The end:" not in text)
    display.press(*"JJJJJJJJJJJJJJJJ")
    display.until("The end:")
    quit_(display)


def test_sizes(home: Path) -> None:
    display = step(home, columns=140, rows=40)
    display.until("the deal")
    display.press("end")
    wide = display.until("The end:")
    assert any("orange" in row and "│" in row for row in wide.split("\n")), "the sentences stand beside the board"
    display.resize(10, 40)
    display.until(lambda text: "ply " in text and "│" not in text)
    display.press("home", "shift+right")
    display.until("the deal")
    display.resize(2, 3)
    display.settle()
    display.resize(24, 80)
    display.until("q quit")
    quit_(display)


@pytest.mark.parametrize("end", ["ctrl+c", signal.SIGTERM], ids=str)
def test_the_screen_is_restored(home: Path, end: str | signal.Signals) -> None:
    display = step(home)
    display.until("the deal")
    if isinstance(end, str):
        display.press("/", end)
    else:
        os.kill(display.pid, end)
    assert display.end() == 3
    assert display.raw.endswith("fa: interrupted\r\n")
    assert RESTORED[1] in display.raw[display.raw.rindex(RESTORED[0]) :]


@pytest.mark.slow
def test_colours_and_none(home: Path) -> None:
    seen = []
    for settings in ({}, {"NO_COLOR": "1"}, {"TERM": "xterm"}):
        display = step(home, **settings)
        seen.append(display.until(lambda text: "q quit" in text and "▇" in text))  # the scroll bar comes last
        quit_(display)
        assert bool(COLOUR.search(display.raw)) == ("NO_COLOR" not in settings)
        assert ("38;5;" in display.raw) == (settings == {})
    assert seen[0] == seen[1] == seen[2]


def test_a_bad_record_has_a_banner(home: Path, tmp_path: Path) -> None:
    record = record_in(home, "manhattan")
    record.actions[7] = "x\x1b]0;title\x07"
    (tmp_path / "bad.jsonl").write_bytes(encode_record(record))
    assert Display(tmp_path, "replay", "import", "bad.jsonl", "-o", "bad.log").end() == 0
    display = step(tmp_path, "bad.log")
    display.until("this record is bad at ply 7, and shown up to there: 'x")
    display.until("the deal")
    display.press("end")
    display.until("ply 6 of 6")
    quit_(display)
    assert "]0;title" not in display.raw.replace(r"\x1b]0;title", "")


@pytest.mark.parametrize(
    ("args", "settings", "error"),
    [
        (["--game", "2"], {}, "fifth-avenue.log: no record 2: the log has 1 record"),
        (["--boards", "all"], {}, "--boards is for printing: --step draws the board after every decision"),
        (
            [],
            {"TERM": "dumb"},
            "this terminal cannot show a full screen (TERM=dumb); without --step the game is printed",
        ),
    ],
)
def test_refused(home: Path, args: list[str], settings: dict[str, str], error: str) -> None:
    display = Display(home, "replay", "show", "fifth-avenue.log", "--step", *args, columns=200, **settings)
    assert display.end() == 2
    assert display.raw == f"fa: {error}\r\n"
