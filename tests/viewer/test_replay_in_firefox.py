"""The replay page in Firefox, which draws and scrolls with another engine than Chromium."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.firefox import Firefox
from tests.firefox import firefox as firefox
from tests.viewer.games import NAMES, printed, recorded
from tests.viewer.test_layout import hidden
from tests.viewer.test_replay_in_browser import said, write

pytestmark = pytest.mark.slow


def shown(firefox: Firefox, file: Path, fragment: str, width: int, height: int) -> Any:
    """The page, when it shows its game."""
    firefox.open(file, fragment, width, height)
    end = time.monotonic() + 60
    while firefox.evaluate("document.querySelector('#replay').hidden"):
        assert time.monotonic() < end, firefox.evaluate("document.querySelector('#notice').textContent")
        time.sleep(0.05)
    return firefox


@pytest.mark.parametrize("name", NAMES)
def test_a_game_in_firefox(name: str, tmp_path: Path, firefox: Firefox) -> None:
    record = recorded(name)
    file = write(tmp_path, record)
    page = shown(firefox, file, "ply=20", 1366, 768)
    press = """key => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))"""
    assert said(page) == printed(record)[21]
    page.evaluate(press, "ArrowRight")
    assert said(page) == printed(record)[22]
    assert hidden(page, "#board", "#hands", "#news", "#moves [aria-current]", "#next", "#players") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 1366
    page = shown(firefox, file, "ply=20&seat=0&beside=seat1", 1366, 768)
    assert hidden(page, "#board", "#hands", "#board-beside", "#hands-beside", "#news") == []
    page = shown(firefox, file, "ply=20", 844, 390)
    assert hidden(page, "#board", "#news") == []
    page = shown(firefox, file, "ply=20", 500, 844)  # Firefox's windows are not narrower
    assert hidden(page, "#board", "#news", "#next") == []
