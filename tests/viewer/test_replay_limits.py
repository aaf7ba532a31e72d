"""Replay pages of real games, written by an installed `fa`: their size, their first paint, and their accessibility."""

from __future__ import annotations

import fcntl
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fa_cli.replay.log_file import read_log
from tests.browser import violations
from tests.inside import play_quietly
from tests.installed import call, made_once
from tests.installed import installed as installed
from tests.installed import wheel as wheel
from tests.viewer.conftest import Opened

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
LOGS = {
    "fifth-avenue-most": ("fifth-avenue", "4", "side=six"),
    "manhattan-most": ("manhattan", "4"),
    "new-york-most": ("new-york", "5", "actions=on"),
    "new-york-fewest": ("new-york", "2", "actions=off"),  # the longest games, of up to a thousand plies
}
BOTS = ("greedy", "builder", "miser", "random", "shopkeeper")
GAMES = 24
TWO = ("--game", "1-2")
ONE_GAME, BLOCK = 100_000, 400_000
"""The most bytes of a page."""
FIRST_PAINT = 200
"""Milliseconds."""
DRAWN = """() => {
    const ended = () => Promise.all(document.getAnimations().map((each) => each.finished));
    const late = new Promise((after) => setTimeout(after, 5000));
    return Promise.race([late, new Promise(requestAnimationFrame).then(ended)]);
}"""
"""Waits until changed parts have appeared; not for ever, because a busy browser may draw no frame without a change."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, installed: Path) -> Path:
    """A folder with the logs of real bots that `LOGS` names, and `bin/fa`, which writes their pages."""
    return made_once(tmp_path_factory, "replay-limits", partial(make, installed))


def make(installed: Path, folder: Path) -> None:
    """Play the logs."""
    (folder / "bin").symlink_to(installed / "bin")
    for name, (game, players, *options) in LOGS.items():
        chosen = [part for option in options for part in ("--option", option)]
        setting = ("--game", game, "--players", players, *chosen, "--games", str(GAMES))
        play_quietly(folder, *BOTS, *setting, "--name", name, "--seed", "limits")


def page(folder: Path, name: str, *options: str) -> Path:
    """The page of a log: tests and workers share it."""
    output = folder / f"{'-'.join([name, *options])}.html"
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not output.exists():
            call(folder, "bin/fa", "replay", "html", f"logs/{name}.log", "-o", output, *options)
    return output


def longest(folder: Path, name: str) -> int:
    plies = [entry.decisions for entry in read_log(folder / f"logs/{name}.log")]
    return plies.index(max(plies)) + 1


@pytest.mark.parametrize("name", LOGS)
def test_pages_are_small(folder: Path, name: str) -> None:
    assert page(folder, name, "--game", str(longest(folder, name))).stat().st_size <= ONE_GAME
    assert page(folder, name, "--all").stat().st_size <= BLOCK


@pytest.mark.parametrize("name", LOGS)
def test_the_first_paint_is_quick(folder: Path, name: str, opened: Opened) -> None:
    file = page(folder, name, "--all")
    times = (first_paint(opened(file, "ply=30")) for _ in range(5))  # the machine may be busy: the best counts
    assert any(time < FIRST_PAINT for time in times)


def first_paint(shown: Page) -> float:
    """When something of an opened page was seen first, in milliseconds."""
    shown.wait_for_selector("#board")
    return float(shown.evaluate("performance.getEntriesByType('paint')[0].startTime"))


@pytest.mark.parametrize("name", [name for name in LOGS if name.endswith("most")])
def test_no_violation_of_wcag(folder: Path, name: str, opened: Opened, axe: str) -> None:
    """A page is opened once for both screens: to open it and to read axe-core takes longer than a check."""
    shown = opened(page(folder, name, *TWO), "game=2&beside=seat1")
    shown.wait_for_selector("#board")
    for key in ("Home", "ArrowRight", "End"):
        shown.keyboard.press(key)
        for width, theme in ((1280, "light"), (390, "dark")):
            shown.set_viewport_size({"width": width, "height": 900})
            shown.emulate_media(color_scheme=theme)
            shown.evaluate(DRAWN)
            assert violations(shown, axe) == [], (key, width)
            assert shown.evaluate("document.documentElement.scrollWidth") <= width, key


@pytest.mark.parametrize("name", LOGS)
def test_nothing_scrolls_sideways_on_the_smallest_screen(folder: Path, name: str, opened: Opened) -> None:
    """WCAG 1.4.10: 320 pixels, which is also 1280 at four times the size."""
    shown = opened(page(folder, name, *TWO), "ply=30", width=320, height=256)
    shown.wait_for_selector("#board")
    assert shown.evaluate("document.documentElement.scrollWidth") <= 320
