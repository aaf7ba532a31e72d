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
CHOICES = "rect.target, #words button"
"""What is framed, and the buttons beside the question."""
_MOST_STEPS = 600
_SELECTORS = [MY_TURN, READY, OVER]
# one call a step; Playwright's own ways to wait and click look at a page a dozen times
_ASKED = """([turn, ready, over]) => {
    const sees = (selector) => document.querySelector(selector);
    if (sees(over)) return "over";
    if (sees(ready)) return "send";
    return sees(turn) && sees("#actions button") ? "choose" : "";  // no buttons while a choice is being tried
}"""
_AWAITED = f"""async (selectors) => {{
    const asked = {_ASKED}, end = Date.now() + 20000;  // of a busy machine
    while (!asked(selectors)) {{
        if (Date.now() > end) throw new Error(`nothing is asked: ${{document.querySelector("#question").textContent}}`);
        await new Promise((after) => setTimeout(after, 5));
    }}
    return asked(selectors);
}}"""
_POINT = """([selector, at]) => {
    const found = [...document.querySelectorAll(selector)].filter((each) => !each.disabled);
    const chosen = found[Math.floor(at * found.length)];
    if (!chosen) return null;
    for (const is_scrolled of [false, true]) {
        if (is_scrolled) chosen.scrollIntoView({block: "center", inline: "center"});
        const box = chosen.getBoundingClientRect();
        const point = [box.x + box.width / 2, box.y + box.height / 2];
        if (chosen.contains(document.elementFromPoint(...point))) return point;
    }
    throw new Error(`something covers ${chosen.outerHTML}`);
}"""
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


def point(page: Page, selector: str, at: float = 0) -> tuple[float, float] | None:
    """The middle of one of the elements, scrolled into view if need be, where a click reaches it.

    `at`: from 0 up to 1, which one. None if there is none, because the page draws it again.
    """
    found: list[float] | None = page.evaluate(_POINT, [selector, at])
    return (found[0], found[1]) if found else None


def click(page: Page, selector: str, at: float = 0) -> None:
    """Click one of the elements with the mouse, if there is one."""
    if there := point(page, selector, at):
        page.mouse.click(*there)


def tap(page: Page, selector: str, at: float = 0) -> None:
    """Touch one of the elements, if there is one."""
    if there := point(page, selector, at):
        page.touchscreen.tap(*there)


def asked(page: Page) -> str:
    """What a page asks for now: to `choose` or to `send`; `over` at the end, and nothing while others decide."""
    found: str = page.evaluate(_ASKED, _SELECTORS)
    return found


def play(page: Page, choose: Choose, send: Callable[[Page], None], steps: int = _MOST_STEPS) -> None:
    """Play a game to its end, or so many steps of it."""
    for step in range(steps):
        match page.evaluate(_AWAITED, _SELECTORS):
            case "over":
                return
            case "send":
                send(page)
            case _:
                choose(page, step)
    assert steps < _MOST_STEPS, "the game does not end"
