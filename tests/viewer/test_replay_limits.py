"""Replay pages of real games, written by an installed `fa`: their size, their first paint, and their accessibility."""

from __future__ import annotations

import fcntl
import json
import os
import sys
from pathlib import Path

import pytest

from tests.browser import AA
from tests.installed import build_wheel, call
from tests.viewer.conftest import Opened

pytestmark = pytest.mark.slow
LOGS = {
    "fifth-avenue-most": ("fifth-avenue", "4", "side=six"),
    "fifth-avenue-fewest": ("fifth-avenue", "2", "side=five"),
    "manhattan-most": ("manhattan", "4"),
    "manhattan-fewest": ("manhattan", "2"),
    "new-york-most": ("new-york", "5", "actions=on"),
    "new-york-fewest": ("new-york", "2", "actions=off"),  # the longest games, of up to a thousand plies
}
BOTS = ("greedy", "planner", "builder", "miser", "random", "shopkeeper")
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
GAMES = 24
ONE_GAME, BLOCK = 100_000, 400_000
"""The most bytes of a page."""
FIRST_PAINT = 200
"""Milliseconds."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `venv/bin/fa` of a wheel, and with the logs of real bots that `LOGS` names: one for all workers."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if WORKER else base) / "replay-limits"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            make(folder, build_wheel(tmp_path_factory.mktemp("wheel")))
            (folder / "made").touch()
    return folder


def make(folder: Path, wheel: Path) -> None:
    """Install the wheel and play the logs."""
    call(folder, sys.executable, "-m", "venv", "venv")
    call(folder, "venv/bin/python", "-m", "pip", "install", "-q", wheel)
    for name, (game, players, *options) in LOGS.items():
        chosen = [part for option in options for part in ("--option", option)]
        setting = ("--game", game, "--players", players, *chosen, "--games", str(GAMES))
        call(folder, "venv/bin/fa", "tournament", "run", *BOTS, *setting, "--name", name, "--seed", "limits")


def page(folder: Path, name: str, *options: str) -> Path:
    output = folder / f"{name}{WORKER}.html"
    call(folder, "venv/bin/fa", "replay", "html", f"logs/{name}.log", "-o", output, *options)
    return output


def longest(folder: Path, name: str) -> int:
    rows = json.loads(call(folder, "venv/bin/fa", "replay", "list", f"logs/{name}.log", "--format", "json"))
    row = max(rows, key=lambda row: row["decisions"])
    return int(row["record"])


@pytest.mark.parametrize("name", LOGS)
def test_pages_are_small(folder: Path, name: str) -> None:
    assert page(folder, name, "--game", str(longest(folder, name))).stat().st_size <= ONE_GAME
    assert page(folder, name, "--all").stat().st_size <= BLOCK


@pytest.mark.parametrize("name", LOGS)
def test_the_first_paint_is_quick(folder: Path, name: str, opened: Opened) -> None:
    file = page(folder, name, "--all")
    times = []
    for _ in range(5):
        shown = opened(file, "ply=30")
        shown.wait_for_selector("#board")
        times.append(shown.evaluate("performance.getEntriesByType('paint')[0].startTime"))
    assert min(times) < FIRST_PAINT


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_no_violation_of_wcag(folder: Path, name: str, width: int, dark: bool, opened: Opened, axe: str) -> None:
    shown = opened(page(folder, name, "--game", "1-2"), "game=2&beside=seat1", width=width, dark=dark)
    shown.wait_for_selector("#board")
    shown.evaluate(axe)
    for key in ("Home", "ArrowRight", "End"):
        shown.keyboard.press(key)
        shown.wait_for_timeout(600)  # until changed parts have appeared
        found = shown.evaluate("tags => axe.run(document, {runOnly: tags})", AA)
        assert [(item["id"], item["nodes"][0]["html"]) for item in found["violations"]] == []
    assert shown.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", LOGS)
def test_nothing_scrolls_sideways_on_the_smallest_screen(folder: Path, name: str, opened: Opened) -> None:
    """WCAG 1.4.10: 320 pixels, which is also 1280 at four times the size."""
    shown = opened(page(folder, name), "ply=30", width=320, height=256)
    shown.wait_for_selector("#board")
    assert shown.evaluate("document.documentElement.scrollWidth") <= 320
