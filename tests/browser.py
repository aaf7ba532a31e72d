"""The machine's Chromium, driven by Playwright: one for all tests of a process, because Playwright allows no second."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from .needed import skip_with_warning

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType, Page

AXE = Path(__file__).parent.parent / "web/node_modules/axe-core/axe.min.js"
AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
"""The rules of axe-core that pages obey."""
# what passes is not described: that took longer than to check it
VIOLATIONS = """async (tags) => {
    const found = await axe.run(document, {runOnly: tags, resultTypes: ["violations"]});
    return found.violations.map((rule) => [rule.id, rule.nodes[0].html]);
}"""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium. Skips the test, with a warning, without it."""
    if not _program():
        skip_without_browser("Chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = launched(playwright.chromium)
        yield browser
        browser.close()


def launched(kind: BrowserType, *options: str) -> Browser:
    """Chromium with options of its command line."""
    root = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium's own sandbox does not work for root
    return kind.launch(executable_path=_program(), args=[*root, *options])


def _program() -> str | None:
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the first takes least time
    return next(filter(None, map(shutil.which, names)), None)


@pytest.fixture
def axe() -> str:
    """The script of axe-core. Skips the test, with a warning, where it is not installed."""
    if not AXE.exists():
        skip_without_browser("axe-core is not installed: run `make pages`")
    return AXE.read_text(encoding="utf-8")


def violations(page: Page, axe: str) -> list[list[str]]:
    """Each rule of `AA` that a page breaks, with the first element that does."""
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(axe)
    found: list[list[str]] = page.evaluate(VIOLATIONS, AA)
    return found


def skip_without_browser(reason: str) -> NoReturn:
    """Skip the test, with a warning."""
    skip_with_warning(f"pages are not tested in a browser: {reason}")
