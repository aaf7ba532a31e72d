"""The machine's Chromium, driven by Playwright: one for all tests of a process, because Playwright allows no second."""

from __future__ import annotations

import os
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

AXE = Path(__file__).parent.parent / "web/node_modules/axe-core/axe.min.js"
AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
"""The rules of axe-core that pages obey."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium. Skips the test, with a warning, without it."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the first takes least time
    if not (chromium := next(filter(None, map(shutil.which, names)), None)):
        skip_without_browser("Chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        options = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium's own sandbox does not work for root
        browser = playwright.chromium.launch(executable_path=chromium, args=options)
        yield browser
        browser.close()


@pytest.fixture
def axe() -> str:
    """The script of axe-core. Skips the test, with a warning, where it is not installed."""
    if not AXE.exists():
        skip_without_browser("axe-core is not installed: run `make pages`")
    return AXE.read_text(encoding="utf-8")


def skip_without_browser(reason: str) -> None:
    """Skip the test, with a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.warn(f"pages are not tested in a browser: {reason}", stacklevel=1)
    pytest.skip(reason)
