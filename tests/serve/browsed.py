"""Pages of a real `fa serve` in Chromium, as people use them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.serve.served import Served, bot, person

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

MY_TURN = "#all:not([hidden])"
READY = "#send:not([hidden]):enabled"
OVER = "#over:not([hidden])"
_MOST_STEPS = 600
Choose = Callable[["Page", int], None]
"""Choose one of the things that can be chosen; the number is that of the step."""


class Opened(NamedTuple):
    """A table: the addresses of its pages."""

    seats: dict[int, str]
    spectators: str


def opened(server: Served, game: str, seats: str, **settings: Any) -> Opened:
    """A table; `seats`: names, of which those of people begin with a capital: `"Ann greedy greedy"`."""
    seated = [person(name) if name.istitle() else bot(name) for name in seats.split()]
    table = server.open(game, seated, **{"seed": "a", **settings})
    address = f"{server.url}/table/{table['table']}#"
    links = {int(seat): address + token for seat, token in table["tokens"].items()}
    return Opened(links, address + table["spectators"])


class People:
    """Browsers of several people. What their consoles say and what fails on their pages is in `complaints`."""

    def __init__(self, browser: Browser, ignore_https_errors: bool = False) -> None:
        self._browser = browser
        self._ignore_https_errors = ignore_https_errors
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def visit(self, address: str, width: int = 1366, height: int = 768, dark: bool = False) -> Page:
        """Open a page as somebody else; on a narrow screen fingers touch it."""
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            has_touch=width < 900,
            ignore_https_errors=self._ignore_https_errors,
        )
        context.set_default_timeout(20_000)  # of a busy machine
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(address)
        return page

    def leave(self) -> None:
        """Close all pages."""
        for context in self._contexts:
            context.close()


def await_turn(page: Page) -> bool:
    """Wait until the page asks for something or for `Send`; false if the game is over."""
    page.wait_for_selector(f"{MY_TURN}, {READY}, {OVER}", state="attached")
    return not page.query_selector(OVER)


def play(page: Page, choose: Choose, send: Callable[[Page], None], steps: int = _MOST_STEPS) -> None:
    """Play a game to its end, or so many steps of it."""
    for step in range(steps):
        if not await_turn(page):
            return
        page.wait_for_selector(f"{READY}, #actions button", state="attached")  # neither while a choice is being tried
        if page.query_selector(READY):
            send(page)
        else:
            choose(page, step)
    assert steps < _MOST_STEPS, "the game does not end"
