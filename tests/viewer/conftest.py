"""Pages in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Opened = Callable[..., "Page"]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    """Open a page: `opened(file, "game=3&ply=57", width=390, height=844, dark=True)`, and wait for a selector.

    A message on the browser's console, an error or a request for anything but the page itself fails the test. `script`
    runs before those of the page.
    """
    complaints: list[str] = []
    contexts = []
    asked: list[list[str]] = []

    def open_page(
        file: Path,
        fragment: str = "",
        width: int = 1280,
        height: int = 900,
        dark: bool = False,
        script: str = "",
        ready: str = "#replay:not([hidden]), #notice:not([hidden])",
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        asked.append(requests)
        if script:
            page.add_init_script(script)
        page.goto(file.as_uri() + (f"#{fragment}" if fragment else ""))
        page.wait_for_selector(ready)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
    assert all({url.partition("#")[0] for url in urls} == {urls[0].partition("#")[0]} for urls in asked)  # itself alone
