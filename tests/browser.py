"""The machine's Chromium, driven by Playwright: one for all tests of a process, because Playwright allows no second."""

from __future__ import annotations

import os
import shutil
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium. Skips the test, with a warning, without it."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        skip_without_browser("Chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        options = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium's own sandbox does not work for root
        browser = playwright.chromium.launch(executable_path=chromium, args=options)
        yield browser
        browser.close()


def skip_without_browser(reason: str) -> None:
    """Skip the test, with a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.warn(f"pages are not tested in a browser: {reason}", stacklevel=1)
    pytest.skip(reason)
